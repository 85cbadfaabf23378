"""Taskmaster-1: overlapping, doubly labelled segments, both spellings of the keys."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Dialogue,
    Layer,
    Part,
    Scenario,
    Span,
    Utterance,
    decode,
    encode,
)

Json = dict[str, Any]
RAW: list[Json] = json.loads(
    Path(__file__).with_name("data").joinpath("taskmaster1.json").read_text()
)
SNAKE = ("conversation_id", "instruction_id", "start_index", "end_index")
CAMEL = ("conversationId", "instructionId", "startIndex", "endIndex")
SPEAKERS = {"USER": USER, "ASSISTANT": SYSTEM}
NAMES = {agent: name for name, agent in SPEAKERS.items()}


def from_json(raw: Json) -> Dialogue:
    keys = SNAKE if SNAKE[0] in raw else CAMEL
    return Dialogue(
        id=raw[keys[0]],
        scenario=Scenario(instruction_id=raw[keys[1]]),
        events=tuple(
            read_utterance(utterance, index, keys)
            for index, utterance in enumerate(raw["utterances"])
        ),
        extra={} if keys is SNAKE else {"keys": "camel"},
    )


def read_utterance(raw: Json, index: int, keys: tuple[str, ...]) -> Utterance:
    text, segments = raw["text"], raw.get("segments")
    layers: tuple[Layer, ...] = ()
    if segments is not None:
        spans = tuple(read_span(segment, text, keys) for segment in segments)
        layers = (Layer(GOLD, (Part(spans=spans),)),)
    return Utterance(
        agent=SPEAKERS[raw["speaker"]],
        text=text,
        layers=layers,
        extra={} if raw["index"] == index else {"index": raw["index"]},
    )


def read_span(segment: Json, text: str, keys: tuple[str, ...]) -> Span:
    start, end = segment[keys[2]], segment[keys[3]]
    labels = tuple(annotation["name"] for annotation in segment["annotations"])
    copy = None if segment["text"] == text[start:end] else segment["text"]
    return Span(start, end, labels, copy)


def to_json(dialogue: Dialogue) -> Json:
    keys = CAMEL if dialogue.extra.get("keys") == "camel" else SNAKE
    assert dialogue.scenario is not None
    utterances = [
        write_utterance(event, index, keys)
        for index, event in enumerate(dialogue.events)
        if isinstance(event, Utterance)
    ]
    instruction = dialogue.scenario.instruction_id
    return {keys[0]: dialogue.id, keys[1]: instruction, "utterances": utterances}


def write_utterance(event: Utterance, index: int, keys: tuple[str, ...]) -> Json:
    raw: Json = {
        "index": event.extra.get("index", index),
        "speaker": NAMES[event.agent],
        "text": event.text,
    }
    for layer in event.layers:
        raw["segments"] = [write_span(s, event.text, keys) for s in layer.parts[0].spans or ()]
    return raw


def write_span(span: Span, text: str, keys: tuple[str, ...]) -> Json:
    return {
        keys[2]: span.start,
        keys[3]: span.end,
        "text": text[span.start : span.end] if span.text is None else span.text,
        "annotations": [{"name": label} for label in span.labels],
    }


@pytest.mark.parametrize("raw", RAW, ids=["snake", "camel"])
def test_there_and_back(raw: Json) -> None:
    dialogue = from_json(raw)
    assert json.dumps(to_json(dialogue)) == json.dumps(raw)
    assert json.dumps(to_json(decode(encode(dialogue)))) == json.dumps(raw)


def test_the_fixture_is_regular_enough_for_extra_to_stay_empty() -> None:
    assert b'"extra"' not in encode(from_json(RAW[0]))


def test_overlapping_and_doubly_labelled_segments_are_not_merged() -> None:
    dialogue = from_json(RAW[0])
    spans = spans_of(dialogue, 2)
    assert spans[0].labels == ("boat_hire.num.people", "boat_hire.num.people")
    assert spans[1].start < spans[2].start < spans[2].end < spans[1].end
    assert (spans[2].start, spans[2].end) == (spans[3].start, spans[3].end)


def test_a_copy_is_kept_only_where_it_differs_from_the_slice() -> None:
    dialogue = from_json(RAW[0])
    assert spans_of(dialogue, 3)[0].text is None  # off by one, but its copy agrees
    assert spans_of(dialogue, 5)[0].text == "the Heron"


def test_absent_and_empty_segments_differ() -> None:
    empty, absent = from_json(RAW[0]).events[-2:]
    assert isinstance(empty, Utterance)
    assert isinstance(absent, Utterance)
    assert empty.layers[0].parts[0].spans == ()
    assert absent.layers == ()


def test_one_changed_word_changes_that_word_only() -> None:
    dialogue = from_json(RAW[0])
    line = encode(dialogue)
    assert line.count(b"river") == 1
    changed = to_json(decode(line.replace(b"river", b"lake")))
    assert json.dumps(changed) == json.dumps(RAW[0]).replace("river", "lake")


def test_a_changed_word_inside_a_segment_changes_in_its_copy_too() -> None:
    dialogue = from_json(RAW[0])
    line = encode(dialogue)
    assert line.count(b"paddles") == 1  # said once, although the file says it twice
    changed = to_json(decode(line.replace(b"paddles", b"engines")))
    assert json.dumps(changed) == json.dumps(RAW[0]).replace("paddles", "engines")


def spans_of(dialogue: Dialogue, index: int) -> tuple[Span, ...]:
    event = dialogue.events[index]
    assert isinstance(event, Utterance)
    return event.layers[0].parts[0].spans or ()
