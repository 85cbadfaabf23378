"""A user's goal with a service, and whether a dialogue reached it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from dialoom.dialogue import USER, Event, Query, Result, ServiceGoal, Utterance
from dialoom.dialogue.annotation import Value
from dialoom.dialogue.views import parts
from dialoom.schema.service import ANYTHING
from dialoom.sim.policies.agenda.session import ServiceSession

LATER = "?"
"""The value of a slot that the user chooses only when they are asked."""


def goal_of(session: ServiceSession) -> ServiceGoal:
    """Return a user's goal with a service; values that are not chosen yet are `LATER`."""
    values: dict[str, tuple[Value, ...]] = {}
    for call in session.calls:
        for name in call.intent.required:
            if not call.books or name in session.provider.open:
                values[name] = _values(session, name)
    for name in session.untold:
        values[name] = _values(session, name)
    asked = [name for name in session.askable() if name not in values]
    intents = tuple(call.name for call in session.calls)
    return ServiceGoal(session.provider.name, intents, values, tuple(asked[: session.requests]))


def _values(session: ServiceSession, name: str) -> tuple[Value, ...]:
    now = session.wishes.get(name) or session.known.get(name) or LATER
    return (now, session.fallback[name]) if name in session.fallback else (now,)


def reached(wanted: Mapping[str, Sequence[str]], events: Iterable[Event]) -> bool:
    """True if each wanted call was made with the user's values and had a result.

    Each slot of the call that the user had given must have the value that they gave last, unless
    that was "dontcare". `wanted` is service to calls.
    """
    left = {(service, name) for service, names in wanted.items() for name in names}
    given_values: dict[tuple[str, str], Value] = {}
    asked: dict[str, Query] = {}
    for event in events:
        if isinstance(event, Utterance) and event.agent == USER:
            given_values |= _values_in(event)
        elif isinstance(event, Query):
            asked[event.id] = event
        elif isinstance(event, Result) and event.items and event.query in asked:
            call = asked[event.query]
            service = call.service or ""
            given = {each.slot: each.value for each in call.constraints}
            wants = {slot: given_values.get((service, slot), ANYTHING) for slot in given}
            if all(wants[slot] in (ANYTHING, value) for slot, value in given.items()):
                left.discard((service, call.api))
    return not left


def _values_in(said: Utterance) -> dict[tuple[str, str], Value]:
    return {
        (part.service or "", argument.slot): (argument.canonical or argument.values)[0]
        for part in parts(said)
        for act in part.acts or ()
        if act.name == "INFORM"
        for argument in act.arguments
        if argument.values
    }
