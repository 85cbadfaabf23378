"""What happened so far in a dialogue, service by service, as its acts, calls and results tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from dialoom.dialogue import SYSTEM, USER, Act, Event, Part, Query, Result, Utterance
from dialoom.dialogue.annotation import Value
from dialoom.dialogue.event import Item
from dialoom.dialogue.views import parts
from dialoom.models.base import Questions, Schemas
from dialoom.models.history import reading
from dialoom.schema.service import ANYTHING, Service, ServiceIntent
from dialoom.schema.services import contract
from dialoom.schema.task import TaskSchema

Names = tuple[str, ...]
Values = dict[str, Value]
"""Slot to value, as the knowledge base has it where that is known."""

NO_SERVICE = Service()


@dataclass
class ServiceLog:
    """What is known of one service.

    Attributes:
        service: Its contract.
        intent: The active intent; empty before there is one.
        wanted: The intents that were active, in order.
        known: What calls may be made with: slots that the user gave, or accepted.
        given: What the user told, whether or not it still holds, with the values in order.
        asked: Slots that the system asked for last.
        ever_asked: Slots that it ever asked for.
        offered: What it offered last.
        confirmed: What it asked to confirm last.
        proposed: The intent that it offered last.
        told: Slots that it told of the item at hand.
        requested: Slots that the user asked about last.
        ever_requested: Slots that the user ever asked about.
        informed: Slots that the user gave last.
        called: The calls made, in order.
        items: What the last call found.
        offers: How many offers there were since.
        fresh: Whether there was a call since the user spoke.
        done: Intents whose calls found or made something.
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
    told: set[str] = field(default_factory=set)
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
        """The required slots of the active intent that are not known."""
        active = self.active
        return [name for name in active.required if name not in self.known] if active else []

    @property
    def item(self) -> Item:
        """The item at hand: the one offered last, else the next to offer."""
        if not self.items:
            return {}
        if self.offers and self.offered:
            for item in self.items:
                if all(str(item.get(k)) == str(v) for k, v in self.offered.items() if k in item):
                    return item
        return self.items[min(self.offers, len(self.items) - 1)]

    @property
    def next_item(self) -> Item:
        """The item to offer next."""
        return self.items[min(self.offers, len(self.items) - 1)] if self.items else {}

    def parameters(self) -> Values:
        """Return what a call of the active intent is made with."""
        active = self.active
        if active is None:
            return {}
        settled = self.confirmed if active.transactional else {}
        given = {**active.optional, **self.known, **settled}
        if not active.transactional:
            given = self.known
        found = {
            name: given[name] for name in (*active.required, *active.optional) if name in given
        }
        return {name: value for name, value in found.items() if value != ANYTHING}

    # --- what happens --------------------------------------------------------------------------

    def hear(self, acts: Iterable[Act]) -> None:
        """Take in what the user does."""
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

    def take_over(self, values: Values) -> None:
        """Take in what the user's state has, and no act of this service told."""
        for slot, value in values.items():
            self.known.setdefault(slot, value)

    def _want(self, intent: str) -> None:
        if intent != self.intent:
            self.confirmed = {}
        self.intent = intent
        if intent not in self.wanted:
            self.wanted.append(intent)

    def answer(self, acts: Iterable[Act]) -> None:
        """Take in what the system does."""
        acts = list(acts)
        self.asked = act_slots(acts, "REQUEST")
        self.ever_asked.update(self.asked)
        offered = dict(pair for act in acts if act.name == "OFFER" for pair in act_values(act))
        confirmed = dict(pair for act in acts if act.name == "CONFIRM" for pair in act_values(act))
        if offered:
            self.offered, self.told = offered, set(offered)
            self.offers += 1
        if confirmed:
            self.confirmed = confirmed
        self.proposed = ""
        for act in acts:
            if act.name == "INFORM":
                self.told.update(slot for slot, _ in act_values(act))
            elif act.name == "OFFER_INTENT":
                self.proposed = next((str(value) for _, value in act_values(act)), "")

    def call(self, query: Query) -> None:
        """Take in a call."""
        given = {each.slot: each.values[0] for each in query.constraints if each.values}
        self.called.append((query.api, given))
        self.items, self.offers, self.fresh = (), 0, True

    def find(self, result: Result) -> None:
        """Take in what the last call found."""
        self.items = result.items
        if self.items and self.called:
            self.done.add(self.called[-1][0])


def act_slots(acts: Iterable[Act], name: str) -> Names:
    """Return the slots of the acts of a name."""
    return tuple(a.slot for act in acts if act.name == name for a in act.arguments if a.slot)


def act_values(act: Act) -> list[tuple[str, Value]]:
    """Return the slots of an act that has values, each with the first as the service has it."""
    found = []
    for argument in act.arguments:
        values = argument.values if argument.canonical is None else argument.canonical
        if values:
            found.append((argument.slot, values[0]))
    return found


def at_hand(before: str, named: Names) -> str:
    """Return the service that is at hand after a user's turn: one that is new, if any.

    Args:
        before: The service that was at hand before.
        named: The services that the turn is about.
    """
    fresh = tuple(name for name in named if name != before)
    return next(iter(fresh or named), before)


class DialogueLog:
    """What happened so far in a dialogue.

    Attributes:
        services: Service to what is known of it, in the order in which they came up.
        here: The service at hand.
        before: The service that was at hand before the user's last turn.
        user: The acts of the user's last turn, by service.
        system: The acts of the system's last turn.
        turns: How often the user spoke.
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
        """Return what is known of a service; nothing of one that did not come up."""
        held = self.services.get(name)
        if held is None:
            held = ServiceLog(
                contract(self._schemas[name]) if name in self._schemas else NO_SERVICE
            )
        return held

    def log(self, name: str) -> ServiceLog:
        """Return what is known of a service, which comes up by this."""
        return self.services.setdefault(name, self.known(name))

    @property
    def at_hand(self) -> ServiceLog:
        """What is known of the service at hand."""
        return self.known(self.here)

    def read(self, events: Iterable[Event]) -> None:
        """Read on."""
        for event in events:
            if isinstance(event, Utterance) and event.agent == USER:
                self._hear(parts(event))
            elif isinstance(event, Utterance) and event.agent == SYSTEM:
                self._answer(parts(event))
            elif isinstance(event, Query):
                self.log(event.service or self.here).call(event)
                self._calls[event.id] = event.service or self.here
            elif isinstance(event, Result):
                self.log(self._calls.get(event.query, self.here)).find(event)

    def _hear(self, said: Iterable[Part]) -> None:
        self.user, self.before = {}, self.here
        self.turns += 1
        for part in said:
            name = part.service or ""
            self.user[name] = tuple(dict.fromkeys(act.name for act in part.acts or ()))
            self.log(name).hear(part.acts or ())
            self._learn(part.acts or ())
            stated = part.state.values if part.state else {}
            first = {slot: values[0] for slot, values in stated.items() if values}
            self.log(name).take_over({k: self._canonical.get(v, v) for k, v in first.items()})
        self.here = at_hand(self.before, tuple(self.user))

    def _answer(self, said: Iterable[Part]) -> None:
        self.system = ()
        for part in said:
            self.here = part.service or self.here
            self.log(part.service or "").answer(part.acts or ())
            self._learn(part.acts or ())
            self.system += tuple(dict.fromkeys(act.name for act in part.acts or ()))

    def _learn(self, acts: Iterable[Act]) -> None:
        """Remember what the knowledge base has for what was said."""
        for argument in (argument for act in acts for argument in act.arguments):
            if argument.values and argument.canonical:
                self._canonical[argument.values[0]] = argument.canonical[0]


def logs(questions: Questions, schemas: Schemas) -> Iterator[tuple[int, DialogueLog]]:
    """Yield each question's number and the log of its history; one log goes on being read."""
    log = DialogueLog(schemas)
    for number, anew, events in reading(questions, [""] * len(questions)):
        if anew:
            log = DialogueLog(schemas)
        log.read(events)
        yield number, log
