"""Annotation: spans with labels, and acts with slots, in each utterance of a dialogue.

    {"0": {"spans": [{"start": 2, "end": 7, "text": "large", "labels": ["size"]}],
           "acts": [{"act": "inform", "slot": "size", "value": "large"}]}}

A part is an utterance, named by its place among them, from 0. Labels and slots are the schema's or
ontology's of the dialogues; each of several people annotates alone, and gets a layer of their own.
Offsets are Unicode code points, and a span's text has to be the slice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec
from msgspec.structs import replace

from dialoom.collect.kinds.document.about import DialogueWork, lines, said_at, unsaved
from dialoom.collect.log.record import Place
from dialoom.collect.message import Refused, visible
from dialoom.collect.unit import Data, Policy, Result
from dialoom.dialogue import (
    Act,
    Argument,
    Dialogue,
    Event,
    Layer,
    Part,
    Span,
    Utterance,
)
from dialoom.dialogue.annotation import ANNOTATORS, Struct
from dialoom.errors import clip
from dialoom.schema.services import contract
from dialoom.schema.task import TaskSchema

ANNOTATOR: Place = "annotator"


class MarkedSpan(Struct, frozen=True):
    """Characters of an utterance with their labels; `text` is what they read."""

    start: int
    end: int
    text: str
    labels: tuple[str, ...]


class MarkedAct(Struct, frozen=True):
    """An act, with the slot it is about and its value, where it has them."""

    act: str
    slot: str | None = None
    value: str | None = None


class Marks(Struct, frozen=True):
    """The annotation of one utterance."""

    spans: tuple[MarkedSpan, ...] = ()
    acts: tuple[MarkedAct, ...] = ()


class AnnotationKind(DialogueWork):
    """Annotations of dialogues of a corpus, or of those that another stage makes."""

    name = "annotation"
    places: tuple[Place, ...] = (ANNOTATOR,)
    policy: Policy = "apart"
    merges = True

    @cached_property
    def labels(self) -> list[str]:
        """The labels of spans: the stage's own, or else the slots of the schemas."""
        return list(self._stage.labels or labels(self.schemas))

    def page(self, given: Dialogue) -> Data:
        """Return the utterances, and the labels and acts there are; nobody's annotation."""
        return {
            "lines": lines(given),
            "labels": self.labels,
            "acts": list(self._stage.acts),
        }

    def checked(self, given: Dialogue, part: str, value: Any) -> Any:
        """Return the marks of an utterance as they are kept.

        Raises:
            Refused: They are none, or no marks of this utterance.
        """
        text = said_at(given, part).text
        try:
            marks = msgspec.convert(value, Marks)
        except msgspec.ValidationError as error:
            raise Refused("malformed", f"not the marks of an utterance: {error}") from error
        for span in marks.spans:
            self._check_span(span, text)
        for act in marks.acts:
            self._check_act(act)
        return plain(marks)

    def _check_span(self, span: MarkedSpan, text: str) -> None:
        if not 0 <= span.start < span.end <= len(text) or text[span.start : span.end] != span.text:
            raise Refused("bad_value", "a span has the text that stands there", field="spans")
        if not span.labels or not set(span.labels) <= set(self.labels):
            raise Refused("unknown", f"no label {clip(', '.join(span.labels))!r}", field="spans")

    def _check_act(self, act: MarkedAct) -> None:
        if act.act not in self._stage.acts or act.slot not in (None, *self.labels):
            raise Refused("unknown", f"no act {clip(act.act)!r} with this slot", field="acts")
        if act.value is not None and not visible(act.value):
            raise Refused("bad_value", "a value is a text that can be read", field="acts")

    def problems(self, given: Dialogue, document: Mapping[str, Any]) -> list[Data]:
        """Return the utterances that were not looked at: to mark none is saved, too."""
        return unsaved(given, document, "unseen")

    def dialogues(self, given: Dialogue, results: Sequence[Result]) -> Iterator[Dialogue]:
        """Yield the dialogue with a layer for each annotator beside those it had."""
        layers = [(f"{ANNOTATORS}{each.worker}", each.document) for each in results]
        yield with_layers(given, layers)


def plain(marks: Marks) -> Data:
    """Return marks as JSON values, as they are read from the log: both lists, also empty ones."""
    value: list[Any] = msgspec.json.decode(msgspec.json.encode((marks.spans, marks.acts)))
    return dict(zip(("spans", "acts"), value, strict=True))


def labels(schemas: Mapping[str, TaskSchema]) -> Iterator[str]:
    """Yield the labels of spans: each service's slots with its name before them."""
    for task in schemas.values():
        names = [slot.name for slot in contract(task).slots] if task.is_service else task.slots
        yield from (f"{task.id}.{name}" for name in names)


def with_layers(dialogue: Dialogue, layers: Sequence[tuple[str, Mapping[str, Any]]]) -> Dialogue:
    """Return a dialogue with one more layer of annotation for each source and its document."""
    events: list[Event] = []
    place = -1
    for event in dialogue.events:
        if isinstance(event, Utterance):
            place += 1
            made = [_layer(source, document.get(str(place))) for source, document in layers]
            event = replace(event, layers=(*event.layers, *made))
        events.append(event)
    return replace(dialogue, events=tuple(events))


def _layer(source: str, value: Any) -> Layer:
    """Return the layer of an utterance."""
    marks = msgspec.convert(value or {}, Marks)
    spans = tuple(Span(each.start, each.end, each.labels) for each in marks.spans)
    return Layer(source, (Part(spans=spans, acts=tuple(map(_act, marks.acts)) or None),))


def _act(marked: MarkedAct) -> Act:
    if marked.slot is None:
        return Act(marked.act)
    values = () if marked.value is None else (marked.value,)
    return Act(marked.act, (Argument(marked.slot, values),))
