"""Talks with bots: blind, everybody gets each bot as often, rated, and judged by the database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from dialoom.collect.export import export
from dialoom.collect.kinds.bot import BotWork
from dialoom.collect.kinds.document.kind import Save, Submit
from dialoom.collect.kinds.grades import given_grades
from dialoom.collect.kinds.rated_chat import FAILURE
from dialoom.collect.kinds.room.messages import Accomplish, Say
from dialoom.collect.log.change import Change
from dialoom.collect.log.facts import ChatFailed
from dialoom.collect.log.store import Store
from dialoom.collect.message import Leave
from dialoom.collect.settings import Stage
from dialoom.collect.study.dashboard import state as study_state
from dialoom.dialogue.annotation import RATING
from dialoom.play.judging.verdict import NO_RESULT
from tests.collect.documents import Documents
from tests.collect.kinds.talks import ANSWER, JUDGED, bring

TALK = Stage(
    name="talk", kind="bot", tasks=("weather", "hotel_book"), agents=("flow", "silent"), pay=50
)


@pytest.fixture
def played() -> Documents:
    return Documents(TALK, scenarios=8)


def work(played: Documents, unit: int = 1) -> BotWork:
    bot_work = played.study.units[unit].work
    assert isinstance(bot_work, BotWork)
    return bot_work


def codes(played: Documents, number: int) -> Sequence[str]:
    return [each["code"] for each in played.state(number)["room"]["problems"]]


def test_a_talk_is_rated_and_exported_with_its_verdict(played: Documents, tmp_path: Path) -> None:
    number = played.enter("w-1")
    room = played.state(number)["room"]
    assert (room["role"], room["your_turn"], room["talking"]) == ("tester", True, True)
    assert "flow" not in str(room) and room["item"]["goal"]
    assert played.refused(number, Accomplish()).detail == {"why": "turns"}
    played.send(number, Say("Is it sunny?"))
    assert work(played).awaited == "reply"
    assert played.refused(number, Say("Well?")).code == "not_your_turn"
    bring(played, *ANSWER)
    kinds = [event["kind"] for event in work(played).events.since("tester")]
    assert kinds == ["opened", "say", "say"]  # what was looked up is not seen
    for part, code in (("good.0", "unknown"), ("good.7", "unknown"), ("talk", "unknown")):
        assert played.refused(number, Save(part, 0, True)).code == code
    played.send(number, Save("good.1", 0, True))
    assert codes(played, number) == ["talking"]
    played.send(number, Accomplish())
    assert (codes(played, number), work(played).awaited) == (["judging"], "verdict")
    bring(played, JUDGED)
    assert codes(played, number) == ["unrated", "unrated"]
    assert played.refused(number, Save("rating", 0, 6)).code == "bad_value"
    assert played.refused(number, Save("reached", 0, 1)).code == "bad_value"
    for part, value in (("rating", 4), ("reached", True), ("comment", "Quick.")):
        played.send(number, Save(part, 0, value))
    played.send(number, Submit())
    assert played.state(number)["done"]["outcome"] == "completed"
    assert played.replayed().state.results == played.study.state.results
    [dialogue] = played.exported("native", tmp_path / "native")
    assert [type(event).__name__ for event in dialogue.events] == [
        "Utterance",
        "Query",
        "Result",
        "Utterance",
    ]
    assert dialogue.events[3].extra == {"good": True}
    assert {answer.question: answer.answer for answer in dialogue.answers} == {
        RATING: 4,
        "reached": True,
        "comment": "Quick.",
    }
    assert (dialogue.outcome, dialogue.extra["play"]["reached"]) == ("reached", True)
    assert dialogue.extra["system"] == "flow"


def test_people_have_goals_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "goals.yaml"
    values = "values: {city: Velmora, day: Sunday}"
    file.write_text(
        f"task: weather\ngoals:\n  - id: mine\n    {values}\n    says: Ask about rain.\n"
    )
    stage = replace(TALK, tasks=("weather",), goals=str(file))
    played = Documents(stage, scenarios=2)
    assert played.state(played.enter("w-1"))["room"]["item"]["goal"] == "Ask about rain."


def test_a_bot_that_falls_silent_ends_the_talk(played: Documents) -> None:
    number = played.enter("w-1")
    played.send(number, Say("Is it sunny?"))
    bring(played, JUDGED)
    assert played.refused(number, Say("Well?")).code == "not_now"
    assert codes(played, number) == ["unrated", "unrated"]


def test_a_bot_that_fails_has_no_grade_and_its_goal_is_given_out_again(
    played: Documents, tmp_path: Path
) -> None:
    number = played.enter("w-1")
    item = played.study.units[1].item
    played.send(number, Say("Is it sunny?"))
    bring(played, ChatFailed("HTTP status 500"))
    room = played.state(number)["room"]
    assert (room["failed"], room["talking"], room["problems"]) == (True, False, [])
    assert played.refused(number, Say("Well?")).code == "not_now"
    [comment] = study_state(played.study, played.now)["comments"]
    assert (comment["room"], comment["role"]) == (1, "server")
    assert "flow" in comment["text"] and "HTTP status 500" in comment["text"]
    played.send(number, Save("rating", 0, 1))
    played.send(number, Submit())
    done = played.state(number)["done"]
    assert (done["outcome"], played.study.state.units[1].outcome) == ("completed", NO_RESULT)
    assert played.study.state.results == played.replayed().state.results == {}
    [dialogue] = played.exported("native", tmp_path / "native")
    assert (dialogue.outcome, dialogue.extra[FAILURE]) == (NO_RESULT, "HTTP status 500")
    assert (dialogue.answers, list(given_grades(dialogue))) == ((), [])
    with Store.open(":memory:") as store:
        store.submit(Change(tuple(played.log))).result()
        exported = export(store, "native", tmp_path / "again")
    assert (exported.failed, exported.grades.tables()) == ({"flow": 1}, [])
    items = [
        played.study.units[played.study.assignment(played.enter(f"v-{n}")).unit or 0].item
        for n in range(8)
    ]
    assert item in items


def test_everybody_gets_each_bot_as_often_and_no_goal_twice(played: Documents) -> None:
    had: dict[str, Counter[str]] = {}
    goals: dict[str, list[object]] = {}
    for worker in ("w-1", "w-2", "w-1", "w-1", "w-2", "w-1"):
        number = played.enter(worker)
        item = played.study.units[played.study.assignment(number).unit or 0].item
        had.setdefault(worker, Counter())[item.variant] += 1
        goals.setdefault(worker, []).append((item.content["task"], item.content["goal"]))
        played.send(number, Leave())
        assert max(had[worker].values()) - min(had[worker][a] for a in TALK.agents) <= 1
    assert all(len(set(each)) == len(each) for each in goals.values())
    state = played.study.state
    assert vars(played.replayed().state.pool) == vars(state.pool)
