"""Converts SGD's records to a dialogue: turns to utterances, frames to parts of the gold layer.

A service call is a query directly before its turn's utterance, its results are a result after the
query. The index of a turn is that of its utterance among the utterances.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from dialoom.dialogue import SYSTEM, USER, Dialogue, Event, Origin, Query, Result, Utterance
from dialoom.dialogue.annotation import GOLD, Act, Argument, Layer, Part, Span, State
from dialoom.dialogue.constraint import Constraint
from dialoom.formats.base.values import alike
from dialoom.formats.sgd import raw
from dialoom.formats.sgd.calls import NO_CALL, Called, noted
from dialoom.schema.once import Kept
from dialoom.schema.service import NO_INTENT

AGENTS = {"USER": USER, "SYSTEM": SYSTEM, USER: "USER", SYSTEM: "SYSTEM"}
"""Speaker to agent, and the reverse; other names are kept, and stay different from these."""

KEPT = 1 << 16
"""Most different values in each cache, in which equal values become one: some 20 MB each."""


def _act(action: raw.Action) -> Act:
    slot, values, canonical = action.slot, action.values, action.canonical_values
    if not slot and not values and not canonical:
        return Act(action.act, extra=action.extra)
    differs = canonical is not None and not alike(values, canonical)
    argument = Argument(slot, values, canonical if differs else None)
    return Act(action.act, (argument,), action.extra)


def _acts(actions: bytes) -> tuple[Act, ...]:
    return tuple([_ACT[action] for action in raw.ACTIONS.decode(actions)])


def _spans(slots: bytes) -> tuple[Span, ...]:
    return tuple(map(_span, raw.SLOTS.decode(slots)))


def _constraint(parameter: tuple[str, Any]) -> Constraint:
    slot, value = parameter
    if isinstance(value, tuple):
        return Constraint(slot, "one_of", value)
    return Constraint(slot, "equal", (value,))


_ACT, _ACTS, _CONSTRAINT = Kept(_act, KEPT), Kept(_acts, KEPT), Kept(_constraint, KEPT)
_SPANS = Kept(_spans, KEPT)


def dialogue(record: raw.Dialogue, origin: Origin) -> Dialogue:
    """Return the dialogue of a record."""
    events: list[Event] = []
    queries = 0
    for turn in record.turns:
        agent = AGENTS.get(turn.speaker, turn.speaker)
        parts: list[Part] = []
        calls: dict[int, Called] = {}
        for frame in turn.frames:
            if frame.service_call is not UNSET or frame.service_results is not UNSET:
                queries += frame.service_call is not UNSET
                call = calls[len(parts)] = _called(frame, agent, str(queries))
                events += [event for event in call if event is not None]
            parts.append(_part(frame))
        if calls and len(parts) > 1:
            parts = noted(parts, [calls.get(each, NO_CALL) for each in range(len(parts))])
        layers = (Layer(GOLD, tuple(parts)),) if parts else ()
        events.append(Utterance(agent=agent, text=turn.utterance, layers=layers, extra=turn.extra))
    return Dialogue(
        id=record.dialogue_id,
        events=tuple(events),
        services=record.services,
        origin=origin,
        extra=record.extra,
    )


def _part(frame: raw.Frame) -> Part:
    state = None if frame.state is UNSET else _state(frame.state)
    if type(frame) is raw.Frame:
        return Part(frame.service, _ACTS[bytes(frame.actions)], _SPANS[bytes(frame.slots)], state)
    loose: Any = frame
    extra = frame.extra
    acts = None if "actions" in extra else tuple(map(_act, loose.actions))
    spans = None if "slots" in extra else tuple(map(_span, loose.slots))
    return Part(frame.service, acts, spans, state, extra=extra)


def _span(slot: raw.Slot) -> Span:
    labels = () if slot.slot is None else (slot.slot,)
    return Span(slot.start, slot.exclusive_end, labels, None, slot.value, slot.extra)


def _state(state: raw.State) -> State:
    intent = state.active_intent
    values: Any = state.slot_values
    return State(
        None if intent == NO_INTENT else intent, state.requested_slots, values, state.extra
    )


def _called(frame: raw.Frame, agent: str, number: str) -> Called:
    call, items = frame.service_call, frame.service_results
    if call is UNSET:
        result = Result(items=() if items is UNSET else items)
        return Called(None, replace(result, agent=USER) if agent == USER else result)
    make: Callable[[tuple[str, Any]], Constraint] = _constraint
    if type(frame) is raw.Frame:
        make = _CONSTRAINT.__getitem__
    query = Query(
        id=number,
        api=call.method,
        constraints=tuple(map(make, call.parameters.items())),
        service=frame.service,
        agent=USER if agent == USER else SYSTEM,
        extra=call.extra,
    )
    return Called(query, None if items is UNSET else Result(query=number, items=items))
