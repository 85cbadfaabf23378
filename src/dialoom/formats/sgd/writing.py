"""Converts dialogues to SGD's records, and these to the bytes of a file.

From other formats, SGD takes utterances with the acts, spans and state of their gold layer (else
their first one), acts with several arguments as several actions, and queries of equality with
the next utterance of the system. Parts and queries without a service get the dialogue's service, if
it has only one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from dialoom.dialogue import Act, Argument, Dialogue, Part, Query, Result, Span, State, Utterance
from dialoom.dialogue.views import gold, tasks
from dialoom.formats.base import parameters
from dialoom.formats.base.codec import Record, marks
from dialoom.formats.base.json_file import escape
from dialoom.formats.base.values import Json
from dialoom.formats.sgd import lenient, raw
from dialoom.formats.sgd.calls import Called, called, placed
from dialoom.formats.sgd.reading import AGENTS
from dialoom.schema.service import NO_INTENT

_ENCODER = msgspec.json.Encoder(order="deterministic")

HOLE = 7046029254386353087
"""A number in place of the actions of a frame until their cached text replaces it."""

_HOLE = str(HOLE).encode()

KEPT = 1 << 16
"""Most different acts whose text is cached: some 20 MB."""

NO_ARGUMENT = (Argument(""),)
"""The arguments that are written for an act without any."""

Spelled = Any
"""A record; or an object, if a file had more than the record has."""


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
    """Return the text of a dialogue within a list, as pieces to be joined.

    Half of a file's text are the same few thousand acts, so their text is cached and inserted:
    `benchmarks/formats.py`.
    """
    writer = _Writer(dialogue)
    texts = writer.texts = []
    around = _spell([writer.dialogue()])[2:-2].split(_HOLE)
    if len(around) != len(texts) + 1:  # another value of the file is equal to HOLE
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
    """Converts one dialogue to records or objects.

    Attributes:
        only: The dialogue's service if it has only one, else None.
        texts: The texts of the actions for which HOLE is written; None to write the actions.
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
        layer = gold(utterance) or next((layer for layer in layers if layer.parts), None)
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
            self.texts.append(_texts.listed(part.acts or ()))
        slots: Any = ()
        if spans:
            slots = [slot for span in spans for slot in _slots(span)]
        if extra:
            slots = _with_copied(slots, marks(extra).get("slots"))
        record = raw.Frame(
            actions=actions,
            service=self.only if service is None else service,
            service_call=UNSET if query is None else _call(query),
            service_results=UNSET if result is None else result.items,
            slots=slots,
            state=UNSET if state is None else _state(state),
        )
        return _with(lenient.FRAME, record, extra) if extra else record


class _Texts(dict[int, tuple[Act, bytes]]):
    """A cache of the text of acts by identity; reading makes equal acts identical."""

    def listed(self, acts: tuple[Act, ...]) -> bytes:
        texts = [(self.get(id(act)) or self._added(act))[1] for act in acts]
        inside = b",\n            ".join(texts)
        return b"[\n            " + inside + b"\n            ]" if texts else b"[]"

    def _added(self, act: Act) -> tuple[Act, bytes]:
        if len(self) >= KEPT:
            self.clear()
        text = _spell(list(_actions(act)))[2:-2].replace(b"\n", b"\n            ")
        entry = self[id(act)] = act, text  # keeps the act alive, so that its id stays unique
        return entry


_texts = _Texts()


def _actions(act: Act) -> Iterator[Spelled]:
    """Yield an act as actions, one for each argument, since actions have at most one slot."""
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
    labels, value, extra = span.labels, span.value, span.extra
    if len(labels) == 1 and value is None and not extra:
        return (raw.Slot(span.end, labels[0], span.start),)
    names: tuple[Any, ...] = labels or (None if "slot" in extra else "",)
    return [
        lenient.SLOT.write_fields(
            {"start": span.start, "exclusive_end": span.end, "slot": label, "value": value}, extra
        )
        for label in names
    ]


def _with_copied(slots: Sequence[Spelled], copied: Any) -> Sequence[Spelled]:
    """Return slots with those noted that have no span, each at its place."""
    whole = list(slots)
    for entry in copied if isinstance(copied, list) else ():
        if isinstance(entry, list) and len(entry) == 2 and type(entry[0]) is int:
            whole.insert(entry[0], entry[1])
    return whole if copied else slots


def _state(state: State) -> Spelled:
    values: Any = state.values
    intent = NO_INTENT if state.intent is None else state.intent
    record = raw.State(intent, state.requested, values)
    return _with(lenient.STATE, record, state.extra) if state.extra else record


def _call(query: Query) -> Spelled:
    record = raw.Call(query.api, parameters.write(query.constraints))
    return _with(lenient.CALL, record, query.extra) if query.extra else record


def _with(level: Record[Any], record: raw.Record, extra: Json) -> Json:
    fields = {}
    for key in level.keys:
        value = getattr(record, key.name)
        fields[key.name] = tuple(value) if type(value) is list else value
    return level.write_fields(fields, extra)
