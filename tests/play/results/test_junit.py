"""Runs as test cases."""

from __future__ import annotations

from xml.etree import ElementTree

from dialoom.dialogue import Dialogue, Utterance
from dialoom.play.results.junit import annotation_lines, to_junit
from dialoom.play.results.run import PlayedDialogue
from dialoom.play.results.summary import Played


def case(name: str, task: str, text: str = "Hi", **verdict: object) -> PlayedDialogue:
    record = {"goal": 0, "reached": True, **verdict}
    dialogue = Dialogue(id=name, events=(Utterance(agent="user", text=text),))
    return PlayedDialogue(dialogue, Played(task, 0, record, {}))


RUN = [
    case("a-1", "a", spent={"agent": {"seconds": 1.5}, "user": {"seconds": 0.25}}),
    case("a-2", "a", text="A bell\x07 & <more>", unreported=[{"name": "Day", "value": "50%\nand"}]),
    case("b-1", "b", failure={"side": "agent", "what": "500", "turn": 1}),
]


def test_a_suite_for_each_task() -> None:
    root = ElementTree.fromstring(to_junit(RUN))
    suites = [(s.get("name"), s.get("tests"), s.get("failures"), s.get("errors")) for s in root]
    assert suites == [("a", "2", "1", "0"), ("b", "1", "0", "1")]
    assert [each.get("name") for each in root.iter("testcase")] == ["a-1", "a-2", "b-1"]
    assert root[0].get("time") == "1.750"
    (failure,) = root.iter("failure")
    assert failure.get("type") == "unreported"
    assert "& <more>" in (failure.text or "")


def test_faults_of_the_agent_are_properties() -> None:
    root = ElementTree.fromstring(to_junit([case("a-1", "a", conduct={"asked_twice": 2}), *RUN]))
    properties = root.findall("./testsuite/testcase/properties/property")
    assert [(each.get("name"), each.get("value")) for each in properties] == [("asked_twice", "2")]
    figures = {each.get("name"): each.get("value") for each in root[0][0]}
    assert (figures["asked_twice"], figures["success"]) == ("33.3333", "66.6667")


def test_an_annotation_is_one_line() -> None:
    lines = list(annotation_lines(RUN))
    assert len(lines) == 2
    assert lines[0].startswith("::error title=a-2::unreported")
    assert "50%25%0Aand" in lines[0]
    assert "\n" not in lines[0]
