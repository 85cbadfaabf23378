"""From SGD's records to a dialogue: a turn is an utterance, a frame a part of its gold layer.

A service call is a query just before the utterance of its turn, its results a result after it. The
index of a turn is that of its utterance among the utterances.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Act,
    Argument,
    Constraint,
    Dialogue,
    Event,
    Layer,
    Origin,
    Part,
    Query,
    Result,
    Span,
    State,
    Utterance,
)
from dialoom.formats.base.kept import Kept
from dialoom.formats.sgd import raw

AGENTS = {"USER": USER, "SYSTEM": SYSTEM, USER: "USER", SYSTEM: "SYSTEM"}
"""Speaker to agent and back; other names stand for themselves, so that each has one of its own."""

KEPT = 1 << 15
"""Distinct values of which equal ones become one: some 20 MB each."""


def _act(action: raw.Action) -> Act:
    values, canonical = action.values, action.canonical_values
    if not action.slot and not values and not canonical:
        return Act(action.act)
    argument = Argument(action.slot, values, None if canonical == values else canonical)
    return Act(action.act, (argument,))


def _acts(actions: tuple[raw.Action, ...]) -> tuple[Act, ...]:
    return tuple([_ACT[action] for action in actions])


def _constraint(parameter: tuple[str, str]) -> Constraint:
    slot, value = parameter
    return Constraint(slot, "equal", (value,))


_ACT, _ACTS, _CONSTRAINT = Kept(_act, KEPT), Kept(_acts, KEPT), Kept(_constraint, KEPT)


def dialogue(record: raw.Dialogue, origin: Origin) -> Dialogue | None:
    """Return the dialogue that a record describes, or None where the slow path must place calls."""
    events: list[Event] = []
    calls = 0
    for turn in record.turns:
        agent = AGENTS.get(turn.speaker, turn.speaker)
        parts = []
        for frame in turn.frames:
            slots, state = frame.slots, frame.state
            if frame.service_call is not UNSET or frame.service_results is not UNSET:
                calls += 1
                if not _call(frame, turn, str(calls), agent, events):
                    return None
            if slots is UNSET:
                return None
            parts.append(
                Part(
                    frame.service,
                    _ACTS[frame.actions],
                    tuple([Span(slot.start, slot.exclusive_end, (slot.slot,)) for slot in slots]),
                    None if state is UNSET else _state(state),
                )
            )
        layers = (Layer(GOLD, tuple(parts)),) if parts else ()
        events.append(Utterance(agent=agent, text=turn.utterance, layers=layers))
    return Dialogue(
        id=record.dialogue_id, events=tuple(events), services=record.services, origin=origin
    )


def _call(frame: raw.Frame, turn: raw.Turn, number: str, agent: str, events: list[Event]) -> bool:
    """Add a frame's call and results; tell whether their place is clear (see calls.py)."""
    call, results, service = frame.service_call, frame.service_results, frame.service
    if call is UNSET:
        return False
    if len(turn.frames) > 1 and [each.service for each in turn.frames].count(service) > 1:
        return False
    query = Query(
        id=number,
        api=call.method,
        constraints=tuple(map(_CONSTRAINT.__getitem__, call.parameters.items())),
        service=service,
        agent=USER if agent == USER else SYSTEM,
    )
    events.append(query)
    if results is not UNSET:
        events.append(Result(query=number, items=results))
    return True


def _state(state: raw.State) -> State:
    intent = state.active_intent
    values: Any = state.slot_values
    return State(None if intent == raw.NO_INTENT else intent, state.requested_slots, values)
