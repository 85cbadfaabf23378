"""Taskmaster-1 JSON to dialogues.

Nothing is merged: segments overlap, and one may carry the labels of both annotators. Offsets are
kept as they are, also where they are off by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Dialogue,
    Layer,
    Origin,
    Part,
    Scenario,
    Span,
    Utterance,
)
from dialoom.formats.base import json_file
from dialoom.formats.base.fields import Fields, Json, Place

SNAKE = ("conversation_id", "instruction_id", "start_index", "end_index")
CAMEL = ("conversationId", "instructionId", "startIndex", "endIndex")
"""The keys of the published data, and those its README prints."""

SPELLINGS = {"snake": SNAKE, "camel": CAMEL}

KEYS = "keys"
FILE = "file"
"""Marks in `extra["layout"]`: the spelling of keys, the layout of the file."""

SPEAKERS = {"USER": USER, "ASSISTANT": SYSTEM}
NAMES = {agent: name for name, agent in SPEAKERS.items()}


def agent_of(speaker: str) -> str:
    """Return the agent that a speaker's name means, in capitals or not; else the name itself."""
    return SPEAKERS.get(speaker.upper(), speaker)


def read(data: bytes, file: Path, name: str) -> Iterator[Dialogue]:
    """Yield the dialogues of a file's content.

    Raises:
        FormatError: It is not Taskmaster-1 JSON.
    """
    layout = json_file.layout(data)
    for index, raw in enumerate(json_file.values(data, file)):
        yield dialogue(raw, Origin(name, index), file, layout)


def dialogue(raw: Any, origin: Origin, file: Path, layout: Json) -> Dialogue:
    """Return one conversation."""
    place = Place(file, dialogue=f"number {origin.index}")
    fields = Fields(raw, place, "conversation")
    keys = CAMEL if CAMEL[0] in fields and SNAKE[0] not in fields else SNAKE
    name = fields.take(keys[0], str)
    instruction = fields.take(keys[1], str, default=None)
    spoken = fields.take("utterances", list)
    marks: Json = {FILE: layout} if layout else {}
    if keys is CAMEL:
        marks[KEYS] = "camel"
    return Dialogue(
        id=name,
        events=tuple(
            _utterance(each, index, keys, Place(file, name, index))
            for index, each in enumerate(spoken)
        ),
        scenario=Scenario(instruction_id=instruction) if instruction else None,
        origin=origin,
        extra=fields.extra(marks),
    )


def _utterance(raw: Any, index: int, keys: tuple[str, ...], place: Place) -> Utterance:
    fields = Fields(raw, place, "utterance")
    number = fields.take("index", int, float, str, type(None), default=index)
    if type(number) is not int or number != index:
        fields.keep("index", number)
    speaker = fields.take("speaker", str)
    agent = agent_of(speaker)
    if NAMES.get(agent, agent) != speaker:
        fields.keep("speaker", speaker)
    text = fields.take("text", str)
    layers: tuple[Layer, ...] = ()
    if "segments" in fields:
        segments = fields.take("segments", list)
        spans = tuple(_span(segment, text, keys, place) for segment in segments)
        layers = (Layer(GOLD, (Part(spans=spans),)),)
    return Utterance(agent=agent, text=text, layers=layers, extra=fields.extra())


def _span(raw: Any, text: str, keys: tuple[str, ...], place: Place) -> Span:
    fields = Fields(raw, place, "segment")
    marks: Json = {}
    other = SNAKE if keys is CAMEL else CAMEL
    if keys[2] not in fields and other[2] in fields:
        keys = other
        marks[KEYS] = "camel" if keys is CAMEL else "snake"
    start, end = fields.take(keys[2], int), fields.take(keys[3], int)
    copy = fields.take("text", str, default=None)
    annotations = fields.take("annotations", list, default=[])
    labels: list[str] = []
    besides: list[Json] = []
    for annotation in annotations:
        inner = Fields(annotation, place, "annotation")
        labels.append(inner.take("name", str))
        besides.append(inner.extra())
    if any(besides):
        fields.keep("annotations", besides)
    same = copy is None or copy == text[start:end]
    return Span(start, end, tuple(labels), None if same else copy, extra=fields.extra(marks))
