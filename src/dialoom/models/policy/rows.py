"""Features of a turn of the system, or of a user with a goal, and of each slot, to learn acts from.

No feature depends on a service's names: slots are described by the intents that need or return
them, by the acts so far that had them, and by their values in results. A user knows results of
calls only if the system has mentioned them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from dialoom.dialogue import ServiceGoal
from dialoom.dialogue.annotation import Value
from dialoom.models.policy.learner import HERE, THERE, ActSlot, Situation
from dialoom.models.policy.service_log import DialogueLog, ServiceLog
from dialoom.schema.service import ACTS, ANYTHING, COUNT, INTENT, ServiceIntent, ServiceSlot
from dialoom.schema.service_words import spoken_name

_TRUTH_VALUES = frozenset({"true", "false"})


def system_situation(log: DialogueLog) -> Situation:
    """Return the situation of the system's next turn: features, and candidate slots by act."""
    state = log.current
    names = [slot.name for slot in state.service.slots]
    offered = [name for name in names if name in state.next_item or not state.items]
    confirmed = [name for name in names if name in state.settled]
    return Situation(
        (log.here, ""),
        [*_of_turn(log), *_of_service(state)],
        {
            (HERE, "REQUEST"): _candidates(state, names, {}),
            (HERE, "OFFER"): _candidates(state, offered, state.next_item),
            (HERE, "CONFIRM"): _candidates(state, confirmed, state.settled),
            (HERE, "INFORM"): _candidates(state, names, state.item),
            (HERE, "INFORM_COUNT"): [ActSlot(COUNT, [], (str(len(state.items)),))],
            (HERE, "OFFER_INTENT"): [
                ActSlot(INTENT, [], (name,)) for name in list(proposals(state))[:1]
            ],
        },
    )


def proposals(log: ServiceLog) -> Iterator[str]:
    """Yield the intents that may be proposed next: transactions not done and not active."""
    for intent in log.service.intents:
        if intent.transactional and intent.name != log.intent and intent.name not in log.done:
            yield intent.name


def _of_turn(log: DialogueLog) -> Iterator[float]:
    user = log.user.get(log.here, ())
    elsewhere = [
        name for service, names in log.user.items() if service != log.here for name in names
    ]
    for name in ACTS:
        yield float(name in user)
    for name in ACTS:
        yield float(name in log.system)
    yield float(bool(elsewhere))
    yield float(log.turns)
    yield float(len(log.services))
    yield float(log.here != log.before)


def _of_service(log: ServiceLog) -> Iterator[float]:
    active = log.active
    yield float(len(log.missing))
    yield float(active is not None and active.transactional)
    yield float(active is not None)
    yield float(sum(1 for _ in proposals(log)))
    yield float(log.intent in log.done)
    yield float(log.fresh)
    yield float(len(log.items)) if log.called else -1.0
    yield float(len(log.items) - log.offers)
    yield float(log.offers)
    yield float(len(log.requested))
    yield float(sum(name in log.item for name in log.requested))
    yield float(len(log.informed))
    yield float(sum(name in log.confirmed for name in log.informed))
    yield float(bool(log.confirmed))
    yield float(bool(log.called) and log.called[-1][0] == log.intent)
    yield float(bool(log.called) and log.called[-1][1] == log.parameters())
    inputs = log.called[-1][1] if log.called else {}
    offer = log.next_item
    yield float(sum(str(offer.get(name, value)) != str(value) for name, value in inputs.items()))


def _candidates(
    log: ServiceLog, names: Collection[str], values: Mapping[str, Value]
) -> list[ActSlot]:
    """Return some slots with their features, and the first values that acts may give them."""
    return [
        ActSlot(
            slot.name,
            list(_of_slot(log, slot, place)),
            () if values.get(slot.name) is None else (values[slot.name],),
        )
        for place, slot in enumerate(log.service.slots)
        if slot.name in names
    ]


def _of_slot(log: ServiceLog, slot: ServiceSlot, place: int) -> Iterator[float]:
    """Yield the features of a slot: its part in the schema's intents, and in the acts so far.

    Indices are -1 if the slot is not in the list.
    """
    name, active, missing = slot.name, log.active, log.missing
    intents = log.service.intents
    results = active.results if active else ()
    yield float(active is not None and name in active.required)
    yield float(active is not None and name in active.optional)
    yield float(results.index(name)) if name in results else -1.0
    yield float(any(name in each.required for each in intents if each.transactional))
    yield float(any(name in each.required for each in intents if not each.transactional))
    yield float(any(name in each.inputs for each in intents))
    yield float(missing.index(name)) if name in missing else -1.0
    yield float(len(missing))
    yield float(name in log.known)
    yield float(name in log.asked)
    yield float(name in log.ever_asked)
    yield float(name in log.offered)
    yield float(name in log.confirmed)
    yield float(name in log.reported)
    yield float(log.requested.index(name)) if name in log.requested else -1.0
    yield float(len(log.requested))
    yield float(name in log.ever_requested)
    yield float(name in log.informed)
    yield float(bool(log.called) and name in log.called[-1][1])
    yield from _of_values(log, slot)
    yield float(place)
    yield float(log.fresh)
    yield float(log.offers)


def _of_values(log: ServiceLog, slot: ServiceSlot) -> Iterator[float]:
    choices = {str(value).lower() for value in slot.possible_values} if slot.categorical else set()
    texts = [str(item[slot.name]) for item in log.items if slot.name in item]
    yield float(slot.categorical)
    yield float(choices == _TRUTH_VALUES)
    yield float(len(choices))
    yield float(len(texts))
    yield len(set(texts)) / len(texts) if texts else -1.0
    yield float(len(texts[0].split())) if texts else -1.0
    yield float(sum(map(str.isdigit, texts[0])) / max(len(texts[0]), 1)) if texts else -1.0
    yield float(spoken_name(slot.name).endswith("name"))


NO_GOAL = ServiceGoal("")
"""The goal for a service that the user does not need."""

REQUEST_PADDING = 8
"""Zeros that fill the features of requests up to the number of those of values: one model reads
both."""


def user_situation(log: DialogueLog, goals: Sequence[ServiceGoal]) -> Situation:
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
