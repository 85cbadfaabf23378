"""The dialogue state of a policy: acts, calls and results so far, service by service."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from dialoom.dialogue import (
    SYSTEM,
    USER,
    Act,
    Dialogue,
    Event,
    Part,
    Query,
    Question,
    Result,
    ServiceGoal,
    Utterance,
)
from dialoom.dialogue.annotation import Value
from dialoom.dialogue.event import Item
from dialoom.dialogue.views import parts
from dialoom.learn.model import Questions, Schemas
from dialoom.models.history import states
from dialoom.schema.service import ANYTHING, Service, ServiceIntent
from dialoom.schema.services import contract
from dialoom.schema.task import TaskSchema

T = TypeVar("T")

Names = tuple[str, ...]
"""Names of slots, acts or services."""

Values = dict[str, Value]
"""Slot to value, in the knowledge base's spelling if known."""


@dataclass
class ServiceLog:
    """The state of one service.

    `known` are values for calls, of slots that the user gave or accepted; `given` all values from
    the user, in order. `asked` are requested slots of the system's last turn, `reported` slots of
    the current item that the system mentioned. `requested` and `informed` are slots of the user's
    last turn. `offered` and `confirmed` are values of the system's last offer and confirmation,
    `proposed` is the intent that its last turn offered. `called` has intent and inputs of each
    call, `items` the last result; `offers` counts those since the call. `fresh` marks a call since
    the user's last turn, `done` lists intents with a call whose result was not empty.
    """

    service: Service
    intent: str = ""
    wanted: list[str] = field(default_factory=list)
    known: Values = field(default_factory=dict)
    given: dict[str, list[Value]] = field(default_factory=dict)
    asked: Names = ()
    ever_asked: set[str] = field(default_factory=set)
    offered: Values = field(default_factory=dict)
    confirmed: Values = field(default_factory=dict)
    proposed: str = ""
    reported: set[str] = field(default_factory=set)
    requested: Names = ()
    ever_requested: set[str] = field(default_factory=set)
    informed: Names = ()
    called: list[tuple[str, Values]] = field(default_factory=list)
    items: tuple[Item, ...] = ()
    offers: int = 0
    fresh: bool = False
    done: set[str] = field(default_factory=set)

    @property
    def active(self) -> ServiceIntent | None:
        """The active intent."""
        return self.service.intent(self.intent)

    @property
    def missing(self) -> list[str]:
        """The required slots of the active intent without a known value."""
        active = self.active
        return [name for name in active.required if name not in self.known] if active else []

    @property
    def item(self) -> Item:
        """The current item: the one offered last, else the next to offer; empty for none."""
        if self.offers and self.offered:
            for item in self.items:
                if all(str(item.get(k)) == str(v) for k, v in self.offered.items() if k in item):
                    return item
        return self.next_item

    @property
    def next_item(self) -> Item:
        """The item to offer next: the last one again after all; empty for none."""
        return self.items[min(self.offers, len(self.items) - 1)] if self.items else {}

    def parameters(self) -> Values:
        """Return the inputs of a call of the active intent.

        A transaction also has confirmed values and the defaults of optional inputs; an input
        without a preference of the user is left out.
        """
        active = self.active
        if active is None:
            return {}
        values = self.settled if active.transactional else self.known
        return {n: values[n] for n in active.inputs if n in values and values[n] != ANYTHING}

    @property
    def settled(self) -> Values:
        """The inputs of a call of the active intent, with confirmed values and all defaults."""
        active = self.active
        if active is None:
            return {}
        values = {**active.optional, **self.known, **self.confirmed}
        return {name: values[name] for name in active.inputs if name in values}

    # --- updates -------------------------------------------------------------------------------

    def hear(self, acts: Iterable[Act]) -> None:
        """Apply the acts of a user's turn."""
        acts = list(acts)
        self.fresh = False
        self.informed = act_slots(acts, "INFORM")
        self.requested = act_slots(acts, "REQUEST")
        self.ever_requested.update(self.requested)
        names = {act.name for act in acts}
        if "SELECT" in names:
            self.known.update(self.offered)
        if "AFFIRM" in names:
            self.known.update(self.confirmed or self.offered)
        if "AFFIRM_INTENT" in names and self.proposed:
            self._want(self.proposed)
        for act in acts:
            for slot, value in act_values(act):
                if act.name == "INFORM_INTENT":
                    self._want(str(value))
                elif act.name == "INFORM":
                    self.known[slot] = value
                    self.confirmed.pop(slot, None)
                    self.given.setdefault(slot, []).append(value)
                elif act.name == "SELECT":
                    self.known[slot] = self.offered[slot] = value
        self.asked = ()

    def _want(self, intent: str) -> None:
        if intent != self.intent:
            self.confirmed = {}
        self.intent = intent
        if intent not in self.wanted:
            self.wanted.append(intent)

    def answer(self, acts: Iterable[Act]) -> None:
        """Apply the acts of a system's turn."""
        acts = list(acts)
        self.asked = act_slots(acts, "REQUEST")
        self.ever_asked.update(self.asked)
        offered = dict(pair for act in acts if act.name == "OFFER" for pair in act_values(act))
        confirmed = dict(pair for act in acts if act.name == "CONFIRM" for pair in act_values(act))
        if offered:
            self.offered, self.reported = offered, set(offered)
            self.offers += 1
        if confirmed:
            self.confirmed = confirmed
        self.proposed = ""
        for act in acts:
            if act.name == "INFORM":
                self.reported.update(slot for slot, _ in act_values(act))
            elif act.name == "OFFER_INTENT":
                self.proposed = next((str(value) for _, value in act_values(act)), "")

    def call(self, query: Query) -> None:
        """Apply a call."""
        inputs = {each.slot: each.values[0] for each in query.constraints if each.values}
        self.called.append((query.api, inputs))
        self.items, self.offers, self.fresh = (), 0, True

    def find(self, result: Result) -> None:
        """Apply the result of the last call."""
        self.items = result.items
        if self.items and self.called:
            self.done.add(self.called[-1][0])


def act_slots(acts: Iterable[Act], name: str) -> Names:
    """Return the slots of the acts with a given name, in order."""
    return tuple(a.slot for act in acts if act.name == name for a in act.arguments if a.slot)


def act_values(act: Act) -> list[tuple[str, Value]]:
    """Return each slot of an act with its first value, canonical if annotated.

    Slots without a value are left out.
    """
    pairs = []
    for argument in act.arguments:
        values = argument.values if argument.canonical is None else argument.canonical
        if values:
            pairs.append((argument.slot, values[0]))
    return pairs


class DialogueLog:
    """The state of a dialogue.

    `services` are in the order in which they came up; `here` is the current one, `before` that
    before the user's last turn. `user` and `system` have the names of the last acts.
    """

    def __init__(self, schemas: Mapping[str, TaskSchema]) -> None:
        self._schemas = schemas
        self.services: dict[str, ServiceLog] = {}
        self.here = self.before = ""
        self.user: dict[str, Names] = {}
        self.system: Names = ()
        self.turns = 0
        self._calls: dict[str, str] = {}
        self._canonical: dict[Value, Value] = {}

    def known(self, name: str) -> ServiceLog:
        """Return the state of a service; an empty one, not stored, if it has not come up."""
        if name in self.services:
            return self.services[name]
        return ServiceLog(contract(self._schemas[name]) if name in self._schemas else Service())

    def log(self, name: str) -> ServiceLog:
        """Return the state of a service; stores an empty one if it has not come up."""
        return self.services.setdefault(name, self.known(name))

    @property
    def current(self) -> ServiceLog:
        """The state of the current service."""
        return self.known(self.here)

    def observe(self, event: Event) -> None:
        """Apply the next event."""
        if isinstance(event, Utterance) and event.agent == USER:
            self._hear(parts(event))
        elif isinstance(event, Utterance) and event.agent == SYSTEM:
            self._answer(parts(event))
        elif isinstance(event, Query):
            self.log(event.service or self.here).call(event)
            self._calls[event.id] = event.service or self.here
        elif isinstance(event, Result):
            self.log(self._calls.get(event.query, self.here)).find(event)

    def _hear(self, utterance: Iterable[Part]) -> None:
        self.user, self.before = {}, self.here
        self.turns += 1
        for part in utterance:
            name = part.service or ""
            self.user[name] = tuple(dict.fromkeys(act.name for act in part.acts or ()))
            record = self.log(name)
            record.hear(part.acts or ())
            self._learn(part.acts or ())
            for slot, values in (part.state.values if part.state else {}).items():
                if values:  # without an act of this service that gave it
                    record.known.setdefault(slot, self._canonical.get(values[0], values[0]))
        fresh = [name for name in self.user if name != self.before]
        self.here = next(iter(fresh or self.user), self.before)

    def _answer(self, utterance: Iterable[Part]) -> None:
        self.system = ()
        for part in utterance:
            self.here = part.service or self.here
            self.log(part.service or "").answer(part.acts or ())
            self._learn(part.acts or ())
            self.system += tuple(dict.fromkeys(act.name for act in part.acts or ()))

    def _learn(self, acts: Iterable[Act]) -> None:
        for argument in (argument for act in acts for argument in act.arguments):
            if argument.values and argument.canonical:
                self._canonical[argument.values[0]] = argument.canonical[0]


def read_logs(
    questions: Questions, schemas: Schemas, read: Callable[[Question[Any], DialogueLog], T]
) -> list[T]:
    """Return what `read` makes of each question and the state after its history.

    Each dialogue is read once: questions about it share a log.
    """
    tasks = [""] * len(questions)
    readings = {
        number: read(questions[number], log)
        for number, log in states(
            questions, tasks, lambda _: DialogueLog(schemas), DialogueLog.observe
        )
    }
    return [readings[number] for number in range(len(questions))]


def goals_of(dialogue: Dialogue) -> tuple[ServiceGoal, ...]:
    """Return the user's goal for each service, in the order in which the services came up.

    Intents are the active ones, values those from the user, and requests the slots that the user
    asked about. Values that the user accepted from offers are not part of a goal.
    """
    intents: dict[str, list[str]] = {}
    values: dict[str, dict[str, tuple[Value, ...]]] = {}
    requests: dict[str, dict[str, None]] = {}
    for event in dialogue.events:
        for part in parts(event) if isinstance(event, Utterance) and event.agent == USER else ():
            name, acts = part.service or "", part.acts or ()
            targets = intents.setdefault(name, [])
            slots = values.setdefault(name, {})
            if part.state and part.state.intent and part.state.intent not in targets:
                targets.append(part.state.intent)
            for slot, value in (p for act in acts if act.name == "INFORM" for p in act_values(act)):
                earlier = slots.get(slot, ())
                if value not in earlier:
                    slots[slot] = (*earlier, value)
            requests.setdefault(name, {}).update(dict.fromkeys(act_slots(acts, "REQUEST")))
    return tuple(
        ServiceGoal(name, tuple(intents[name]), values[name], tuple(requests[name]))
        for name in intents
    )
