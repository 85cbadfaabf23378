"""Features of a turn of a user with a goal and of each slot, to learn the user's acts from.

The features describe the goal and the dialogue; results of calls count only if the system has
mentioned them. As for the system's turns, no feature depends on a service's names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dialoom.dialogue import ServiceGoal
from dialoom.dialogue.annotation import Value
from dialoom.models.policy.learner import HERE, THERE, ActSlot, Situation
from dialoom.models.policy.service_log import DialogueLog, ServiceLog
from dialoom.schema.service import ACTS, ANYTHING, INTENT, ServiceIntent

NO_GOAL = ServiceGoal("")
"""The goal for a service that the user does not need."""

REQUEST_PADDING = 8
"""Zeros that fill the features of requests up to the number of those of values: one model reads
both."""


def situation(log: DialogueLog, goals: Sequence[ServiceGoal]) -> Situation:
    """Return the situation of the user's next turn: features, and candidate slots by act."""
    left = [goal.service for goal in goals if goal.service not in log.services]
    here, there = [*filter(None, [log.here]), *left, "", ""][:2]
    of = {goal.service: goal for goal in goals}
    wants = [_Wants(log.known(name), of.get(name, NO_GOAL)) for name in (here, there)]
    row = [float(name in log.system) for name in ACTS]
    row += [float(log.turns), float(len(log.services)), float(len(left)), float(bool(there))]
    row += [*wants[HERE].row(), float(len(wants[THERE].untold))]
    slots = {}
    for place, want in zip((HERE, THERE), wants, strict=True):
        slots[place, "INFORM"] = list(want.informs())
        slots[place, "REQUEST"] = list(want.requests())
        slots[place, "INFORM_INTENT"] = [ActSlot(INTENT, [], (want.next,))] if want.next else []
    return Situation((here, there), row, slots)


class _Wants:
    """A user's goal for one service compared with the service's state.

    `left` are intents of the goal that have not been active, `next` is the first of them, else the
    active intent. The user has not given slots in `untold`, nor asked about those in `unasked`.
    """

    def __init__(self, log: ServiceLog, goal: ServiceGoal) -> None:
        self.held, self.goal = log, goal
        self.left = [name for name in goal.intents if name not in log.wanted]
        self.next = next(iter(self.left), log.intent)
        self.untold = [name for name in goal.values if name not in log.given]
        self.unasked = [name for name in goal.requests if name not in log.ever_requested]

    def value(self, name: str) -> Value:
        """Return the value that the user gives for a slot next.

        It is the first of the goal's values not yet given, the last one if all were given, and no
        preference if the goal has none.
        """
        values = self.goal.values.get(name, (ANYTHING,))
        earlier = self.held.given.get(name, [])
        return next((value for value in values if value not in earlier), values[-1])

    def _differs(self, name: str, value: Value) -> bool:
        values = self.goal.values.get(name)
        return bool(values) and values is not None and str(values[-1]) != str(value)

    def _changes(self) -> list[str]:
        history = self.held.given
        return [
            name
            for name in self.goal.values
            if name in history and self.value(name) != history[name][-1]
        ]

    def row(self) -> Iterator[float]:
        log, active = self.held, self.held.active
        following = log.service.intent(self.next) if self.left else None
        yield float(len(self.left))
        yield float(following is not None and following.transactional)
        yield float(bool(self.left) and log.proposed == self.next)
        yield float(active is not None and active.transactional)
        yield float(len(log.asked))
        for intent in (active, following):
            yield float(sum(name in _required(intent) for name in self.untold))
            yield float(sum(name in _optional(intent) for name in self.untold))
        yield float(len(self.unasked))
        yield float(len(log.offered))
        for values in (log.offered, log.confirmed):
            yield float(sum(self._differs(name, value) for name, value in values.items()))
        yield float(len(self._changes()))
        yield float(log.offers)
        yield float(len(log.given))

    def informs(self) -> Iterator[ActSlot]:
        """Yield the slots that the user may give, with features and values."""
        log = self.held
        following = log.service.intent(self.next) if self.next else None
        for place, name in enumerate(dict.fromkeys((*log.asked, *self.goal.values))):
            value = self.value(name)
            slot = log.service.slot(name)
            row = [
                float(log.asked.index(name)) if name in log.asked else -1.0,
                float(len(log.asked)),
                float(len(log.given.get(name, ()))),
                float(name in log.known),
                float(str(log.known.get(name)) == str(value)),
                float(name in _required(log.active)),
                float(name in _optional(log.active)),
                float(name in _optional(following)),
                float(name in self._changes()),
                float(slot is not None and slot.categorical),
                float(self.untold.index(name)) if name in self.untold else -1.0,
                float(len(self.untold)),
                float(place),
            ]
            yield ActSlot(name, row, (value,))

    def requests(self) -> Iterator[ActSlot]:
        """Yield the slots that the user may ask about, with features."""
        log = self.held
        for place, name in enumerate(self.goal.requests):
            row = [
                float(name in log.ever_requested),
                float(name in log.reported),
                float(self.unasked.index(name)) if name in self.unasked else -1.0,
                float(len(self.unasked)),
                float(place),
                *(0.0,) * REQUEST_PADDING,
            ]
            yield ActSlot(name, row)


def _required(intent: ServiceIntent | None) -> tuple[str, ...]:
    return intent.required if intent else ()


def _optional(intent: ServiceIntent | None) -> tuple[str, ...]:
    return tuple(intent.optional) if intent else ()
