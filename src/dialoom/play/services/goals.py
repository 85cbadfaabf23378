"""A user's goals with services: goals of annotated dialogues, and whether a dialogue reached one.

    plan = annotated_plan(Path("corpora/sgd/dev"), number=100, seed=7)
    user, system = matrix(plan, policies)

A goal of an annotated dialogue has the active intents, the values that the user gave (several in
order where they changed their mind), the values that calls took over from other services, and the
slots they asked about. The services' items are the results of the corpus's calls. For any other
slot that a system asks about, the user gives the value that the dialogue's own calls had.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, ClassVar, NamedTuple

from msgspec.structs import replace

from dialoom import formats
from dialoom.dialogue import USER, Dialogue, Event, Query, Result, ServiceGoal, Utterance, digest
from dialoom.dialogue.annotation import Value
from dialoom.dialogue.event import Item
from dialoom.dialogue.views import parts
from dialoom.errors import MissingDataError
from dialoom.models.policy.service_log import goals_of
from dialoom.schema.service import ANYTHING, Service, ServiceIntent
from dialoom.schema.services import contract
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.agenda.provider import Provider, Row, ServiceCall
from dialoom.sim.policies.agenda.recorder import AgendaRecorder
from dialoom.sim.policies.agenda.session import HAPPY, ServiceSession
from dialoom.sim.policies.agenda.world import World
from dialoom.sim.presets.sgd import SgdPlan

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
    questions = [name for name in session.askable() if name not in values]
    intents = tuple(call.name for call in session.calls)
    return ServiceGoal(session.provider.name, intents, values, tuple(questions[: session.requests]))


def _values(session: ServiceSession, name: str) -> tuple[Value, ...]:
    now = session.wishes.get(name) or session.known.get(name) or LATER
    return (now, session.fallback[name]) if name in session.fallback else (now,)


def reached(calls: Mapping[str, Sequence[str]], events: Iterable[Event]) -> bool:
    """True if each wanted call was made with the user's values and had a result.

    Each slot of the call that the user had given must have the value that they gave last, unless
    that was "dontcare". `calls` is service to calls.
    """
    left = {(service, name) for service, names in calls.items() for name in names}
    given_values: dict[tuple[str, str], Value] = {}
    queries: dict[str, Query] = {}
    for event in events:
        if isinstance(event, Utterance) and event.agent == USER:
            given_values |= _values_in(event)
        elif isinstance(event, Query):
            queries[event.id] = event
        elif isinstance(event, Result) and event.items and event.query in queries:
            call = queries[event.query]
            service = call.service or ""
            values = {each.slot: each.value for each in call.constraints}
            wants = {slot: given_values.get((service, slot), ANYTHING) for slot in values}
            if all(wants[slot] in (ANYTHING, value) for slot, value in values.items()):
                left.discard((service, call.api))
    return not left


def _values_in(utterance: Utterance) -> dict[tuple[str, str], Value]:
    return {
        (part.service or "", argument.slot): (argument.canonical or argument.values)[0]
        for part in parts(utterance)
        for act in part.acts or ()
        if act.name == "INFORM"
        for argument in act.arguments
        if argument.values
    }


class UserGoal(NamedTuple):
    """A user's goal for one service, with the values of their last call with each slot."""

    goal: ServiceGoal
    called: Row


class GoalSession(ServiceSession):
    """A session with one service whose user has another user's goal."""

    def __init__(self, world: World, provider: Provider, target: UserGoal, rng: SeededRng) -> None:
        self.goal, self._called = target
        super().__init__(world, provider, HAPPY, {}, rng)
        self.requests, self.alternatives = len(self.goal.requests), 0
        several = {name: values for name, values in self.goal.values.items() if len(values) > 1}
        self.fallback = {name: str(values[-1]) for name, values in several.items()}

    def _chain(self) -> list[ServiceCall]:
        return [self.provider.calls[name] for name in self.goal.intents]

    def _choose_target(self) -> Row:
        own = {
            name: value for name, value in self._called.items() if name not in self.provider.open
        }
        return {**next(self.provider.having(own), {}), **own}

    def _consider(self, call: ServiceCall) -> None:
        options = [name for name in call.intent.optional if name in self.goal.values]
        self.unwanted = [name for name in options if name not in self.known]
        self.corrections = None

    def wish(self, name: str) -> str:
        """Return the value that the user wants for a slot: the last one, once one was said."""
        values = self.goal.values.get(name)
        if values:
            self.wishes[name] = str(values[-1 if name in self.known else 0])
        return super().wish(name)

    def _draw(self, name: str) -> str:
        return self._called.get(name) or super()._draw(name)

    def askable(self) -> list[str]:
        """Return the slots that the user wants to know and has not heard."""
        return [name for name in super().askable() if name in self.goal.requests]

    def correctable(self) -> list[str]:
        """Return the slots that are not yet as the user wants them in the end."""
        values = self.known
        stale = [
            name for name in self.call.inputs if name in values and self.wish(name) != values[name]
        ]
        return [*self.untold, *(name for name in stale if name in self.goal.values)]


class GoalRecorder(AgendaRecorder):
    """Records a dialogue whose user has another user's goals, in order."""

    def __init__(self, world: World, goals: tuple[UserGoal, ...], seed: bytes) -> None:
        names = [each.goal.service for each in goals]
        super().__init__(world, [HAPPY] * len(names), names, seed)
        self.goals = goals

    def _session(self, service: str, kind: str) -> ServiceSession:
        goal = self.goals[len(self.sessions)]
        return GoalSession(self.world, self.world.providers[service], goal, self.wishes)


def goals(recorder: AgendaRecorder) -> tuple[ServiceGoal, ...]:
    """Return what the user wants of each service; of those to come, only that they want them."""
    if isinstance(recorder, GoalRecorder):
        return tuple(each.goal for each in recorder.goals)
    coming = [ServiceGoal(name, (LATER,)) for name in recorder.coming]
    return (*map(goal_of, recorder.sessions), *coming)


@dataclass(frozen=True, kw_only=True)
class GoalPlan(SgdPlan):
    """A run with the goals of the users in annotated dialogues."""

    preset: ClassVar[str] = "annotated"
    goals: tuple[tuple[UserGoal, ...], ...]
    things: Mapping[str, list[Row]]

    @property
    def settings(self) -> dict[str, Any]:
        """The digests of the services, of the goals and of what services have."""
        services = {task.id: digest(task) for task in self.tasks}
        goals = digest([tuple(each) for goal in self.goals for each in goal])
        return {"services": services, "goals": goals, "things": digest(dict(self.things))}

    def world(self) -> World:
        """Return what the dialogues are made from."""
        return World(self.tasks, self.seed, self.metadata, self.things)

    def recorder(self, world: World, index: int) -> AgendaRecorder:
        """Return what records dialogue `index`, before anything has happened in it."""
        return GoalRecorder(world, self.goals[index], seed_of(self.seed, index))


def annotated_plan(folder: Path, number: int, seed: int) -> GoalPlan:
    """Return a plan with the goals of up to `number` dialogues; or `MissingDataError`."""
    corpus = formats.load(folder)
    things: dict[str, list[Row]] = {name: [] for name in corpus.schemas}
    services = {name: contract(task) for name, task in corpus.schemas.items()}
    pool: list[tuple[UserGoal, ...]] = []
    for dialogue in corpus.dialogues():
        inputs: dict[str, Row] = {}
        for service, query, items in _calls(dialogue):
            own = services.get(service)
            intent = own.intent(query.api) if own else None
            values = {each.slot: str(each.value) for each in query.constraints}
            inputs.setdefault(service, {}).update(values)
            if intent is not None and not intent.transactional:
                things[service] += [{k: str(v) for k, v in item.items()} for item in items]
        aims = tuple(_possible(dialogue, inputs, services))
        if aims:
            pool.append(aims)
    if not pool:
        raise MissingDataError(f"{folder}: no user wants anything of a service", code="no-goals")
    picks = Random(seed).sample(pool, min(number, len(pool)))
    return GoalPlan(
        tasks=tuple(corpus.schemas.values()),
        metadata={},
        seed=seed,
        dialogues=len(picks),
        goals=tuple(picks),
        things=things,
    )


def _calls(dialogue: Dialogue) -> Iterator[tuple[str, Query, tuple[Item, ...]]]:
    results = {event.query: event.items for event in dialogue.events if isinstance(event, Result)}
    for event in dialogue.events:
        if isinstance(event, Query):
            yield event.service or "", event, results.get(event.id, ())


def _possible(
    dialogue: Dialogue, inputs: Mapping[str, Row], services: Mapping[str, Service]
) -> Iterator[UserGoal]:
    for goal in goals_of(dialogue):
        own = services.get(goal.service, Service())
        intents = tuple(each for name in goal.intents if (each := own.intent(name)))
        row = inputs.get(goal.service, {})
        if intents:
            values = {**goal.values, **dict(_carried(goal, intents, row))}
            names = tuple(intent.name for intent in intents)
            yield UserGoal(replace(goal, intents=names, values=values), row)


def _carried(
    goal: ServiceGoal, intents: Iterable[ServiceIntent], inputs: Row
) -> Iterator[tuple[str, tuple[Value, ...]]]:
    """Yield needed values that were neither said nor found: another service got them."""
    outputs: set[str] = set()
    for intent in intents:
        for name in intent.required:
            if name in inputs and name not in goal.values and name not in outputs:
                yield name, (inputs[name],)
        outputs.update(intent.results)
