"""What holds of every self-dialogue, and of many together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom import formats
from dialoom.dialogue import SYSTEM, USER, Dialogue, Utterance, decode, encode
from dialoom.dialogue.views import parts
from dialoom.errors import UnknownNameError, UsageError
from dialoom.quality.lint import lint
from dialoom.sim.core.plan import PRESETS, Plan, Request
from dialoom.sim.policies.outline.verticals import ONTOLOGY, Vertical, texts
from dialoom.sim.presets.taskmaster import FILE, PRESET
from tests.found import some
from tests.make import refuses
from tests.strategies import sampled

NUMBER = 300


@cache
def plan() -> Plan:
    return PRESET.plan(Request(number=NUMBER, seed=7))


@cache
def source() -> Callable[[int], Dialogue]:
    return plan().source()


def make(index: int) -> Dialogue:
    return source()(index)


@cache
def dialogues() -> list[Dialogue]:
    return [make(index) for index in range(NUMBER)]


indices = st.integers(0, 10**6)

SurfaceForm = tuple[Utterance, str, str, str]
"""An utterance, the argument of a label without the vertical, the outcome, the text."""


def vertical_of(index: int) -> Vertical:
    return texts().verticals[index % len(texts().verticals)]


def segments(dialogue: Dialogue, vertical: Vertical) -> Iterator[SurfaceForm]:
    for event in dialogue.events:
        assert isinstance(event, Utterance)
        for part in parts(event):
            for span in part.spans or ():
                for label in span.labels:
                    name, _, rest = label.partition(".")
                    assert name == vertical.id
                    argument, _, outcome = rest.rpartition(".")
                    if outcome not in ("accept", "reject"):
                        argument, outcome = rest, ""
                    yield event, argument, outcome, event.text[span.start : span.end]


def goal(dialogue: Dialogue) -> dict[str, Any]:
    assert dialogue.scenario is not None
    target: dict[str, Any] = dialogue.scenario.goal
    return target


def succeeded(dialogue: Dialogue, vertical: Vertical) -> bool:
    (outcome,) = {o for _, argument, o, _ in segments(dialogue, vertical) if not argument}
    return outcome == "accept"


@sampled
@given(indices)
def test_labels_are_true(index: int) -> None:
    """A value is accepted where it is the last one and something came of it, else rejected."""
    dialogue, vertical = decode(encode(make(index))), vertical_of(index)
    last, success = goal(dialogue)["values"], succeeded(dialogue, vertical)
    arguments = {*vertical.required, *vertical.optional}
    for _, argument, outcome, text in some(segments(dialogue, vertical)):
        if not argument:
            continue
        assert argument in arguments
        if argument == vertical.part and argument not in last:  # within a wish
            assert text.lower() in last[vertical.wish]
            continue
        value = last[argument].lower()
        if outcome == "reject":
            assert text.lower() != value
        elif outcome == "accept":
            assert text.lower().split(" ", 1)[-1] == value or text.lower() == value
            assert success


@sampled
@given(indices)
def test_all_that_is_wanted_is_said_and_required_arguments_are(index: int) -> None:
    dialogue, vertical = make(index), vertical_of(index)
    arguments = {argument for _, argument, outcome, _ in segments(dialogue, vertical)}
    assert set(goal(dialogue)["values"]) <= arguments
    assert set(vertical.required) <= arguments


@sampled
@given(indices)
def test_both_sides_take_turns_and_segments_are_not_empty(index: int) -> None:
    events = make(index).events
    assert all(one.agent != other.agent for one, other in pairwise(events))
    assert {event.agent for event in events} == {USER, SYSTEM}
    for event in events:
        assert isinstance(event, Utterance)
        assert event.text[0] == event.text[0].upper()
        for layer in event.layers:
            assert layer.parts[0].spans


@sampled
@given(indices)
def test_sentences_read_well(index: int) -> None:
    """Articles by sound, sizes before names, no commas before prepositions, an end each."""
    for event in make(index).events:
        assert isinstance(event, Utterance)
        assert re.search(r"[.?!]$", event.text)
        assert not re.search(r"  | [,.?!]|[,.?!]{2}|~|[{}<>]", event.text)
        assert not re.search(r"\b[Aa] (?:[aeioAEIO]|8\b|IMAX|unusual)", event.text)
        assert not re.search(r"\b[Aa]n (?![aeiouAEIOUh8]|11|18)", event.text)
        assert not re.search(r"somewhere in [^.?!]* at (?!\d|noon|half)", event.text)
        assert not re.search(r", (?:in|with) (?:small|medium|large|extra|pesto)", event.text)
        assert not re.search(r"\b(\w+) \1\b", event.text)
        for sentence in re.split(r"(?<=[.?!]) ", event.text):
            assert sentence[0].isupper() or sentence[0].isdigit()


def test_there_are_rejections_omissions_substitutions_and_failures() -> None:
    outcomes = {
        (argument, outcome)
        for index, dialogue in enumerate(dialogues())
        for _, argument, outcome, _ in segments(dialogue, vertical_of(index))
    }
    for vertical in texts().verticals:
        for argument in vertical.refused:
            assert {(argument, "reject"), (argument, "accept")} <= outcomes
    assert {("", "accept"), ("", "reject")} <= outcomes
    wishes = {goal(d)["values"].get("preference", "").partition(" ")[0] for d in dialogues()}
    assert {"no", "extra"} <= wishes
    assert any(" instead of " in goal(d)["values"].get("preference", "") for d in dialogues())


def test_both_annotators_are_kept() -> None:
    spans = [
        (event, span)
        for dialogue in dialogues()
        for event in dialogue.events
        if isinstance(event, Utterance)
        for part in parts(event)
        for span in part.spans or ()
    ]
    assert any(len(span.labels) == 2 for _, span in spans)
    assert any(
        one is other and a.start <= b.start < a.end and (a.start, a.end) != (b.start, b.end)
        for (one, a), (other, b) in pairwise(spans)
    )


def test_written_and_read_back(tmp_path: Path) -> None:
    format = formats.get(PRESET.format)
    format.write(dialogues(), plan().schemas, tmp_path)
    assert {file.name for file in tmp_path.iterdir()} == {FILE, ONTOLOGY}
    corpus = formats.load(tmp_path)
    assert corpus.schemas == plan().schemas
    back = list(corpus.dialogues())
    assert [dialogue.events for dialogue in back] == [d.events for d in dialogues()]
    assert [dialogue.origin for dialogue in back] == [d.origin for d in dialogues()]
    assert list(lint(corpus)) == []


def test_the_same_again() -> None:
    other = PRESETS.get("taskmaster").plan(Request(number=9, seed=7)).source()
    assert [encode(other(index)) for index in (5, 3)] == [encode(dialogues()[k]) for k in (5, 3)]
    assert PRESETS.get("taskmaster").plan(Request(number=9, seed=8)).source()(5) != dialogues()[5]
    assert len({dialogue.id for dialogue in dialogues()}) == len(dialogues())


def test_verticals_can_be_chosen() -> None:
    name = texts().verticals[1].id
    plan = PRESET.plan(Request(number=3, seed=7, tasks=f"{name}, {name}"))
    assert list(plan.schemas) == [name]
    assert list(plan.settings["verticals"]) == [name]
    for index in range(3):
        assert list(segments(plan.source()(index), texts().verticals[1]))
    with refuses(UnknownNameError, "unknown-name", "laundry"):
        PRESET.plan(Request(number=3, seed=7, tasks="laundry"))
    with refuses(UsageError, "no-task"):
        PRESET.plan(Request(number=3, seed=7, tasks=" , "))


@pytest.mark.parametrize("option", ["scenario", "wording"])
def test_there_are_no_other_choices(option: str) -> None:
    with refuses(UsageError, "not-taken", f"--{option}"):
        PRESET.plan(Request(number=1, seed=7, **{option: "x"}))  # type: ignore[arg-type]


def test_not_every_question_follows_an_acknowledgement() -> None:
    """ "Okay. What size?", "Sure. Where to?", turn for turn; what was asked is answered."""
    noted = tuple(texts().lines["ok"])
    turns = [[e for e in each.events if isinstance(e, Utterance)] for each in dialogues()]
    systems = [[e.text for e in each if e.agent == SYSTEM] for each in turns]
    questions = [text for each in systems for text in each if text.endswith("?")]
    assert 0.1 < sum(text.startswith(noted) for text in questions) / len(questions) < 0.45
    for each in turns:
        for question, reply in pairwise(each):
            if question.agent == USER and question.text.endswith("?") and reply.text.endswith("?"):
                openings = {*texts().lines["agreed"], *noted}
                refused = not reply.text.startswith(tuple(openings))
                assert (
                    not refused
                    or re.search(r"instead|else|another|other|idea", reply.text)
                    or (
                        re.search(
                            r"is that|correct|sound|ahead|everything|okay|work", reply.text, re.I
                        )
                    )
                )


def test_a_place_is_named_before_its_street() -> None:
    """ "from the place on Garden Lane", and then "Where should I order it from?" """
    for index, dialogue in enumerate(dialogues()):
        order = vertical_of(index).asked
        if "name.store" in order:
            arguments = [argument for _, argument, _, _ in segments(dialogue, vertical_of(index))]
            if {"name.store", "location.store"} <= {*arguments} and order.index(
                "name.store"
            ) < order.index("location.store"):
                assert arguments.index("name.store") <= arguments.index("location.store")
