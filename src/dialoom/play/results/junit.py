"""The dialogues of a run as test cases, for build servers: JUnit's XML, and GitHub's annotations.

<testsuite name="weather" tests="2" failures="1" errors="0" time="1.2">
  <testcase classname="weather" name="weather-1-1" time="0.7"/>
  <testcase classname="weather" name="weather-2-1" time="0.5">
    <properties><property name="asked_twice" value="1"/></properties>
    <failure message="unreported" type="unreported">not message: Sky = sun …</failure></testcase>

A dialogue that misses its goal is a failure; one without a result is an error. Properties are what
the agent did that it should not (`conduct.CONDUCT`), and the figures of a suite.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from dialoom.dialogue.transcript import lines
from dialoom.play.results.failure import differences, failure_of
from dialoom.play.results.run import PlayedDialogue
from dialoom.play.results.summary import Played, summarise
from dialoom.play.results.thresholds import MORE_IS_BETTER
from dialoom.render.transcript import to_text

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold."""


def to_junit(dialogues: Iterable[PlayedDialogue]) -> bytes:
    """Return the dialogues of a run as JUnit's XML: a suite for each task."""
    suites: dict[str, Element] = {}
    groups: dict[str, list[Played]] = {}
    for each in dialogues:
        task = each.played.task
        if task not in suites:
            suites[task] = Element("testsuite", name=task)
        groups.setdefault(task, []).append(each.played)
        _add(suites[task], each)
    root = Element("testsuites", name="dialoom play")
    for task, suite in suites.items():
        cases = list(suite)
        suite.set("tests", str(len(cases)))
        for kind in ("failure", "error"):
            suite.set(f"{kind}s", str(sum(case.find(kind) is not None for case in cases)))
        suite.set("time", f"{sum(float(case.attrib['time']) for case in cases):.3f}")
        figures = summarise(groups[task])["all"]
        figures |= figures.get("spent", {})
        scores = {name: figures[name] for name in MORE_IS_BETTER if figures.get(name) is not None}
        suite.insert(0, _properties(scores))
        root.append(suite)
    indent(root)
    document: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def _add(suite: Element, each: PlayedDialogue) -> None:
    spent = each.played.verdict.get("spent", {}).values()
    seconds = sum(cost.get("seconds", 0.0) for cost in spent)
    case = SubElement(
        suite, "testcase", classname=each.played.task, name=each.dialogue.id, time=f"{seconds:.3f}"
    )
    conduct = each.played.verdict.get("conduct", {})
    if conduct:
        case.append(_properties(conduct))
    failure = failure_of(each.played)
    if failure is not None:
        kind = "error" if failure == "no result" else "failure"
        element = SubElement(case, kind, message=_message(each), type=failure)
        element.text = _NO_XML.sub("\ufffd", to_text(lines(each.dialogue)).rstrip())


def _properties(figures: Mapping[str, float]) -> Element:
    element = Element("properties")
    for name, value in figures.items():
        SubElement(element, "property", name=name, value=f"{value:g}")
    return element


def _message(each: PlayedDialogue) -> str:
    message = "; ".join((failure_of(each.played) or "", *differences(each.played)))
    return _NO_XML.sub("\ufffd", message)


def annotation_lines(dialogues: Iterable[PlayedDialogue]) -> Iterator[str]:
    """Yield a line for each dialogue that missed its goal, as GitHub's runners read it."""
    for each in dialogues:
        if failure_of(each.played) is not None:
            message = _message(each).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
            yield f"::error title={each.dialogue.id}::{message}"
