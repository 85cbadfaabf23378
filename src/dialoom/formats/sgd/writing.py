"""From dialogues to SGD's records, and to the bytes of a file.

A dialogue from elsewhere is written as far as the layout goes: utterances with the acts, spans and
state of their gold layer (else their first), an act with several arguments as several actions, and
queries of equality with the next utterance of the system. A part or query without a service gets
the dialogue's service, if it has just one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from dialoom.dialogue import (
    GOLD,
    Act,
    Argument,
    Dialogue,
    Layer,
    Part,
    Query,
    Result,
    Span,
    State,
    Utterance,
)
from dialoom.dialogue.views import gold, tasks
from dialoom.formats.base.codec import Record
from dialoom.formats.base.json_file import escape
from dialoom.formats.base.values import Json
from dialoom.formats.sgd import lenient, raw
from dialoom.formats.sgd.calls import Called, called, placed
from dialoom.formats.sgd.reading import AGENTS

_ENCODER = msgspec.json.Encoder(order="deterministic")

HOLE = 7046029254386353087
"""Stands for the actions of a frame until their text is put there: any number odd enough."""

_HOLE = str(HOLE).encode()

KEPT = 1 << 15
"""Distinct lists of acts, and as many acts, whose text is kept: some 30 MB."""

NO_ARGUMENT = (Argument(""),)
"""What stands for the arguments of an act that has none."""

Spelled = Any
"""A record, or the object that it would be spelled as with what a file had besides."""


def to_bytes(dialogues: Iterable[Dialogue]) -> bytes:
    """Return the content of a file of dialogues."""
    pieces: list[bytes] = []
    for dialogue in dialogues:
        pieces.append(b",\n")
        pieces += _pieces(dialogue)
    if not pieces:
        return b"[]\n"
    pieces[0] = b"[\n"
    pieces.append(b"\n]\n")
    return b"".join(pieces)


def _pieces(dialogue: Dialogue) -> list[bytes]:
    """Return the text of a dialogue within a list, in pieces.

    Half of a file are a few thousand acts over and over, so their text is kept and put into holes.
    """
    writer = _Writer(dialogue)
    texts = writer.texts = []
    around = _spell([writer.dialogue()])[2:-2].split(_HOLE)
    if len(around) != len(texts) + 1:  # what a file had besides happens to look like a hole
        writer.texts = None
        return [_spell([writer.dialogue()])[2:-2]]
    pieces = [b""] * (2 * len(texts) + 1)
    pieces[::2] = around
    pieces[1::2] = texts
    return pieces


def to_json(dialogue: Dialogue) -> Json:
    """Return a dialogue as the JSON object of a file; slots and parameters keep their order."""
    value: Json = msgspec.json.decode(msgspec.json.encode(_Writer(dialogue).dialogue()))
    return value


def _spell(value: Any) -> bytes:
    return escape(msgspec.json.format(_ENCODER.encode(value), indent=2))


class _Writer:
    """Spells one dialogue.

    Attributes:
        only: The dialogue's service, if it has just one.
        texts: The text of the actions for which a hole was left; None to leave none.
    """

    def __init__(self, dialogue: Dialogue) -> None:
        self.source = dialogue
        self.services = dialogue.services or tasks(dialogue)
        self.only = self.services[0] if len(self.services) == 1 else ""
        self.texts: list[bytes] | None = None

    def dialogue(self) -> Spelled:
        source = self.source
        turns: Any = [self.turn(utterance, calls) for utterance, calls in called(source.events)]
        record = raw.Dialogue(source.id, self.services, turns)
        if not source.extra:
            return record
        return _with(lenient.DIALOGUE, record, source.extra)

    def turn(self, utterance: Utterance, calls: Sequence[Called]) -> Spelled:
        agent, layers, extra = utterance.agent, utterance.layers, utterance.extra
        layer = layers[0] if layers and layers[0].source == GOLD else _layer(utterance)
        parts = layer.parts if layer else ()
        frames: Any
        if calls:
            frames = [self.frame(*each) for each in placed(parts, calls)]
        elif len(parts) == 1:
            frames = (self.frame(parts[0]),)
        else:
            frames = [self.frame(part) for part in parts]
        record = raw.Turn(frames, AGENTS.get(agent, agent), utterance.text)
        return _with(lenient.TURN, record, extra) if extra else record

    def frame(
        self, part: Part | None, query: Query | None = None, result: Result | None = None
    ) -> Spelled:
        if part is None:
            part = Part(query.service if query else None)
        service, spans, state, extra = part.service, part.spans, part.state, part.extra
        actions: Any = HOLE
        if extra or self.texts is None:
            actions = [action for act in part.acts or () for action in _actions(act)]
        else:
            self.texts.append(_texts(part.acts or ()))
        slots: Any = ()
        if spans:
            slots = [slot for span in spans for slot in _slots(span)]
        record = raw.Frame(
            actions=actions,
            service=self.only if service is None else service,
            service_call=UNSET if query is None else _call(query),
            service_results=UNSET if result is None else result.items,
            slots=slots,
            state=UNSET if state is None else _state(state),
        )
        return _with(lenient.FRAME, record, extra) if extra else record


def _layer(utterance: Utterance) -> Layer | None:
    """Return the layer that is written: the gold one, else the first that says something."""
    return gold(utterance) or next((layer for layer in utterance.layers if layer.parts), None)


class _Texts:
    """The text of lists of acts, found by identity: reading gives equal ones as one."""

    def __init__(self) -> None:
        self.lists: dict[int, tuple[tuple[Act, ...], bytes]] = {}
        self.acts: dict[int, tuple[Act, bytes]] = {}

    def __call__(self, acts: tuple[Act, ...]) -> bytes:
        found = self.lists.get(id(acts))
        if found is not None:
            return found[1]
        if len(self.lists) >= KEPT:
            self.lists.clear()
        inside = b",\n".join([self._act(act) for act in acts])
        text = b"[\n" + inside + b"\n            ]" if acts else b"[]"
        self.lists[id(acts)] = acts, text  # holding it, so that its identity stays its own
        return text

    def _act(self, act: Act) -> bytes:
        found = self.acts.get(id(act))
        if found is not None:
            return found[1]
        if len(self.acts) >= KEPT:
            self.acts.clear()
        lines = _spell(list(_actions(act)))[2:-2].split(b"\n")
        text = b"\n".join([b"            " + line for line in lines])
        self.acts[id(act)] = act, text
        return text


_texts = _Texts()


def _actions(act: Act) -> Iterator[Spelled]:
    """Spell an act: one action an argument, since SGD's have one slot at most."""
    extra = act.extra
    for argument in act.arguments or NO_ARGUMENT:
        values: Any = argument.values
        canonical: Any = argument.canonical
        noted = argument.extra | extra
        if canonical is None and "canonical_values" not in noted:
            canonical = values
        record = raw.Action(act.name, canonical, argument.slot, values)
        yield _with(lenient.ACTION, record, noted) if noted else record
        extra = {}


def _slots(span: Span) -> Sequence[Spelled]:
    """Spell a span: one slot a label."""
    labels, value, extra = span.labels, span.value, span.extra
    if len(labels) == 1 and value is None and not extra:
        return (raw.Slot(span.end, labels[0], span.start),)
    named: tuple[Any, ...] = labels or (None if "slot" in extra else "",)
    return [
        lenient.SLOT.write_fields(
            {"start": span.start, "exclusive_end": span.end, "slot": label, "value": value}, extra
        )
        for label in named
    ]


def _state(state: State) -> Spelled:
    values: Any = state.values
    intent = raw.NO_INTENT if state.intent is None else state.intent
    record = raw.State(intent, state.requested, values)
    return _with(lenient.STATE, record, state.extra) if state.extra else record


def _call(query: Query) -> Spelled:
    record = raw.Call(query.api, _parameters(query))
    return _with(lenient.CALL, record, query.extra) if query.extra else record


def _parameters(query: Query) -> Json:
    """Spell constraints: equality and one-of; other operators have no place in SGD."""
    parameters: Json = {}
    for constraint in query.constraints:
        if constraint.slot in parameters:
            continue
        if constraint.operator == "equal":
            parameters[constraint.slot] = constraint.value
        elif constraint.operator == "one_of":
            parameters[constraint.slot] = constraint.values
        elif constraint.operator is None and constraint.raw is not None:
            parameters[constraint.slot] = constraint.raw
    return parameters


def _with(level: Record[Any], record: raw.Record, extra: Json) -> Json:
    """Return a record as an object, with what `extra` notes of it."""
    held = {}
    for key in level.keys:
        value = getattr(record, key.name)
        held[key.name] = tuple(value) if type(value) is list else value
    return level.write_fields(held, extra)
