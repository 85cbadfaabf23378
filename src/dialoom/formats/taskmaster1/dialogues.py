"""Converts Taskmaster-1 JSON to dialogues and back.

Segments are not merged: they overlap, and one may have the labels of both annotators. Offsets are
kept as they are, even if wrong by one. The layers of independent annotators are written like those
of the published file's two: a segment that several of them marked has the labels of each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from dialoom.dialogue import SYSTEM, USER, Dialogue, Event, Origin, Query, Scenario, Utterance
from dialoom.dialogue.annotation import GOLD, Layer, Part, Span
from dialoom.dialogue.views import annotation, annotators
from dialoom.formats.base.codec import (
    LAYOUT,
    NOTED,
    Key,
    Place,
    Record,
    is_note,
    marked,
    marks,
    noted,
    restored,
)
from dialoom.formats.base.values import (
    LIST,
    SCALAR,
    TEXT,
    WHOLE,
    Converted,
    Json,
    Many,
    alike,
    without,
)
from dialoom.formats.taskmaster1 import apis

SPEAKERS = {"USER": USER, "ASSISTANT": SYSTEM}
_NAMES = {agent: name for name, agent in SPEAKERS.items()}


class _Label(NamedTuple):
    name: str
    extra: Json


_UTTERANCE = Record(
    "utterance",
    Utterance,
    Key("index", SCALAR, nothing=UNSET),
    Key(
        "speaker",
        Converted(TEXT, lambda name: SPEAKERS.get(name.upper(), name), lambda a: _NAMES.get(a, a)),
        to="agent",
        needed=True,
    ),
    Key("text", TEXT, needed=True),
    Key("segments", LIST, nothing=UNSET, optional=True),
)
_LABELS = Many(Record("annotation", _Label, Key("name", TEXT, needed=True)))


class _Spelling:
    """The records for one of the two spellings of keys."""

    def __init__(self, name: str, number: str, instruction: str, start: str, end: str) -> None:
        self.name, self.number, self.start = name, number, start
        self.conversation = Record(
            "conversation",
            Dialogue,
            Key(number, TEXT, to="id", needed=True),
            Key(instruction, TEXT, to="instruction", nothing=""),
            Key("utterances", LIST, needed=True),
        )
        self.segment = Record(
            "segment",
            Span,
            Key(start, WHOLE, to="start", nothing=0),
            Key(end, WHOLE, to="end", nothing=0),
            Key("text", TEXT, nothing=UNSET),
            Key("annotations", _LABELS, to="labels", nothing=()),
        )


_SNAKE = _Spelling("snake", "conversation_id", "instruction_id", "start_index", "end_index")
_CAMEL = _Spelling("camel", "conversationId", "instructionId", "startIndex", "endIndex")
"""The spellings of the published data and of its README."""

_SPELLINGS = {each.name: each for each in (_SNAKE, _CAMEL)}


def dialogue(raw: Any, file: Path, origin: Origin) -> Dialogue:
    """Return the dialogue of a value; `FormatError` if it is not Taskmaster-1's."""
    camel = type(raw) is dict and _CAMEL.number in raw and _SNAKE.number not in raw
    keys = _CAMEL if camel else _SNAKE
    place = Place(file, dialogue=f"number {origin.index}")
    fields, extra = keys.conversation.load_fields(raw, place)
    name, calls = fields["id"], 0
    events: list[Event] = []
    for index, each in enumerate(fields["utterances"]):
        spoken = _utterance(each, index, keys, Place(file, name, index))
        actions = apis.read(spoken.extra, calls)
        events += [_without_calls(spoken, actions, calls), *actions] if actions else [spoken]
        calls += sum(isinstance(event, Query) for event in actions)
    domain = extra.get("vertical")
    return Dialogue(
        id=name,
        events=tuple(events),
        services=(domain,) if isinstance(domain, str) else (),
        scenario=Scenario(instruction_id=fields["instruction"]) if fields["instruction"] else None,
        origin=origin,
        extra=marked(extra, keys="camel" if camel else None),
    )


def _utterance(raw: Any, index: int, keys: _Spelling, place: Place) -> Utterance:
    fields, extra = _UTTERANCE.load_fields(raw, place)
    number, segments, text = fields["index"], fields["segments"], fields["text"]
    if number is not UNSET and not alike(number, index):
        extra["index"] = {NOTED: number}
    layers: tuple[Layer, ...] = ()
    if segments is not UNSET:
        spans = tuple(_span(segment, text, keys, place) for segment in segments)
        layers = (Layer(GOLD, (Part(spans=spans),)),)
    return Utterance(agent=fields["agent"], text=text, layers=layers, extra=extra)


def _without_calls(spoken: Utterance, calls: Sequence[Event], number: int) -> Utterance:
    """Return an utterance without the list of its calls, but a note if it is an unusual one."""
    lists = apis.write(calls, number)
    entries = {key: spoken.extra[key] for key in lists}
    rest = without(spoken.extra, *lists)
    note = marks(noted(entries, lists))
    return replace(spoken, extra=marked(rest, **note))


def _span(raw: Any, text: str, keys: _Spelling, place: Place) -> Span:
    other = _SNAKE if keys is _CAMEL else _CAMEL
    own = type(raw) is not dict or keys.start in raw or other.start not in raw
    fields, extra = (keys if own else other).segment.load_fields(raw, place)
    start, end, copy, labels = fields["start"], fields["end"], fields["text"], fields["labels"]
    same = copy is UNSET or copy == text[start:end]
    more = [label.extra for label in labels]
    return Span(
        start,
        end,
        tuple(label.name for label in labels),
        None if same else copy,
        extra=marked(extra, keys=None if own else other.name, labels=more if any(more) else None),
    )


def to_json(dialogue: Dialogue) -> Json:
    """Return a conversation as a JSON value in the published form."""
    keys = _spelling(dialogue.extra, _SNAKE)
    instruction = dialogue.scenario.instruction_id if dialogue.scenario else None
    turns: list[Json] = []
    number = 0
    for spoken, calls in _with_calls(dialogue.events):
        note = {LAYOUT: marks(spoken.extra)} if LAYOUT in spoken.extra else {}
        lists = restored(apis.write(calls, number), note)
        turns.append(_turn(spoken, len(turns), keys, lists))
        number += sum(isinstance(event, Query) for event in calls)
    fields = {"id": dialogue.id, "instruction": instruction or "", "utterances": turns}
    return keys.conversation.write_fields(fields, dialogue.extra)


def _with_calls(events: Sequence[Event]) -> list[tuple[Utterance, list[Event]]]:
    pairs: list[tuple[Utterance, list[Event]]] = []
    for event in events:
        if isinstance(event, Utterance):
            pairs.append((event, []))
        elif pairs and apis.own(event):
            pairs[-1][1].append(event)
    return pairs


def _spelling(extra: Json, usual: _Spelling) -> _Spelling:
    return _SPELLINGS.get(str(marks(extra).get("keys")), usual)


def _turn(event: Utterance, index: int, keys: _Spelling, lists: Json) -> Json:
    noted = event.extra.get("index", index)
    spans = _marked(event)
    fields = {
        "index": UNSET if noted is None else noted[NOTED] if is_note(noted) else index,
        "agent": event.agent,
        "text": event.text,
        "segments": UNSET if spans is None else [_segment(s, event.text, keys) for s in spans],
    }
    return _UTTERANCE.write_fields(fields, event.extra | lists)


def _marked(event: Utterance) -> Sequence[Span] | None:
    several = annotators(event)
    if several:
        return _together(span for layer in several for span in _spans(layer) or ()) or None
    layer = annotation(event)
    return _spans(layer) if layer else None


def _spans(layer: Layer) -> list[Span] | None:
    groups = [part.spans for part in layer.parts if part.spans is not None]
    return [span for spans in groups for span in spans] if groups else None


def _together(spans: Iterable[Span]) -> list[Span]:
    """Return spans in text order, one for the same characters, with all annotators' labels."""
    labels: dict[tuple[int, int], tuple[str, ...]] = {}
    for span in spans:
        place = span.start, span.end
        labels[place] = labels.get(place, ()) + span.labels
    return [Span(start, end, labels[start, end]) for start, end in sorted(labels)]


def _segment(span: Span, text: str, keys: _Spelling) -> Json:
    piece = text[span.start : span.end] if span.text is None else span.text
    noted = span.text is None and "text" in span.extra  # absent, or of another type
    more = marks(span.extra).get("labels")
    if not isinstance(more, list) or len(more) != len(span.labels):
        more = [{}] * len(span.labels)
    fields = {
        "start": span.start,
        "end": span.end,
        "text": UNSET if noted else piece,
        "labels": tuple(map(_Label, span.labels, more)),
    }
    return _spelling(span.extra, keys).segment.write_fields(fields, span.extra)
