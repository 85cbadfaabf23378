"""Carries a correction of a dialogue state over to the states of later utterances.

    carried(before, after, {"4": marks, "6": marks})       # ("4", marks with the change), …

A state is complete: it repeats what holds since earlier utterances. So when an annotator corrects a
value, later utterances that are marked already get the correction, up to the first one with another
value than the one corrected. Requested slots are of their own utterance only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from dialoom.collect.kinds.marks.marks import MarkedState, Marks

INTENT = None
"""The key of a service's intent, where a slot's value has the slot's name."""

Facts = dict[tuple[str, str | None], Any]
"""Service and slot (or INTENT) to what the state says."""


def carried(before: Marks, after: Marks, later: Mapping[str, Marks]) -> Iterator[tuple[str, Marks]]:
    """Yield the utterances of `later` (part to marks) that change with one, with new marks."""
    old, new = _facts(before), _facts(after)
    open_ = {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)}
    for part, marks in later.items():
        held = _facts(marks)
        open_ = {key for key in open_ if held.get(key) == old.get(key)}
        if not open_:
            return
        for key in sorted(open_, key=repr):
            if key in new:
                held[key] = new[key]
            else:
                del held[key]
        yield part, replace(marks, states=_states(marks, held))


def _facts(marks: Marks) -> Facts:
    found: Facts = {}
    for state in marks.states:
        if state.intent is not None:
            found[state.service, INTENT] = state.intent
        found |= {(state.service, slot): values for slot, values in state.values.items()}
    return found


def _states(marks: Marks, facts: Facts) -> tuple[MarkedState, ...]:
    asked = {state.service: state.requested for state in marks.states}
    services = dict.fromkeys((*asked, *(service for service, _ in facts)))
    made = [
        MarkedState(
            service,
            facts.get((service, INTENT)),
            asked.get(service, ()),
            {
                slot: values
                for (of, slot), values in facts.items()
                if of == service and slot is not None
            },
        )
        for service in services
    ]
    return tuple(state for state in made if state != MarkedState(state.service))
