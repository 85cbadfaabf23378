"""Dialogues to Taskmaster-1 JSON: the utterances with their spans, in the spelling they came in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dialoom.dialogue import Dialogue, Span, Utterance
from dialoom.formats.base import json_file
from dialoom.formats.base.fields import Json, annotation, marks, rest, without_absent
from dialoom.formats.taskmaster1.reading import (
    CAMEL,
    FILE,
    KEYS,
    NAMES,
    SNAKE,
    SPELLINGS,
    agent_of,
)

_UTTERANCE = frozenset({"index", "speaker", "text", "segments"})


def render(dialogues: Sequence[Dialogue]) -> bytes:
    """Return the file of these dialogues, laid out as the first one's was."""
    layout = marks(dialogues[0].extra).get(FILE) if dialogues else None
    return json_file.render(list(map(to_json, dialogues)), layout)


def to_json(dialogue: Dialogue) -> Json:
    """Return one conversation as the JSON value it is published as."""
    keys = CAMEL if marks(dialogue.extra).get(KEYS) == "camel" else SNAKE
    instruction = dialogue.scenario.instruction_id if dialogue.scenario else None
    spoken = [event for event in dialogue.events if isinstance(event, Utterance)]
    raw = {
        keys[0]: dialogue.id,
        keys[1]: instruction or "",
        "utterances": [_utterance(event, index, keys) for index, event in enumerate(spoken)],
    }
    kept = without_absent(raw, dialogue.extra, {keys[1]: ""})
    return kept | rest(dialogue.extra, {*keys[:2], SNAKE[0], "utterances"})


def _utterance(event: Utterance, index: int, keys: tuple[str, ...]) -> Json:
    raw: Json = {
        "index": _number(event.extra.get("index", index), index),
        "speaker": _speaker(event),
        "text": event.text,
    }
    raw = without_absent(raw, event.extra, {"index": index})
    layer = annotation(event)
    spans = [part.spans for part in layer.parts if part.spans is not None] if layer else []
    if spans:
        raw["segments"] = [_span(span, event.text, keys) for held in spans for span in held]
    return raw | rest(event.extra, _UTTERANCE)


def _number(number: Any, index: int) -> Any:
    return number if type(number) in (int, float, str, type(None)) else index


def _speaker(event: Utterance) -> str:
    """Return the speaker's name, spelled as read as long as it still names this agent."""
    read = event.extra.get("speaker")
    if isinstance(read, str) and agent_of(read) == event.agent:
        return read
    return NAMES.get(event.agent, event.agent)


def _span(span: Span, text: str, keys: tuple[str, ...]) -> Json:
    keys = SPELLINGS.get(str(marks(span.extra).get(KEYS)), keys)
    piece = text[span.start : span.end]
    besides = span.extra.get("annotations")
    if not isinstance(besides, list) or len(besides) != len(span.labels):
        besides = [{}] * len(span.labels)
    raw = {
        keys[2]: span.start,
        keys[3]: span.end,
        "text": piece if span.text is None else span.text,
        "annotations": [
            {"name": label} | (rest(more, ["name"]) if isinstance(more, dict) else {})
            for label, more in zip(span.labels, besides, strict=True)
        ],
    }
    raw = without_absent(raw, span.extra, {"text": piece, "annotations": []})
    return raw | rest(span.extra, {*keys[2:], "text", "annotations"})
