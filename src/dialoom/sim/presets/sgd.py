"""Dialogues as SGD has them: services, frames, calls; `--tasks` names services or a schema.json.

    plan = PRESET.plan(Request(number=1000, seed=7, scenario="mixed"))
    plan.source()(41)

Dialogue i begins with service i modulo the number of services, so that they are balanced.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dialoom.dialogue import Dialogue, Scenario, digest
from dialoom.errors import SchemaError, UnknownNameError, UsageError
from dialoom.sim.core.plan import Request, TaskPlan
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.agenda.recorder import AgendaRecorder
from dialoom.sim.policies.agenda.services import ALL, WORLDS, Found, drawn_worlds, named
from dialoom.sim.policies.agenda.session import AMBIGUOUS, HAPPY, OVER, REFUSED
from dialoom.sim.policies.agenda.slots import ServiceMetadata
from dialoom.sim.policies.agenda.system import AgendaSystem
from dialoom.sim.policies.agenda.user import AgendaUser
from dialoom.sim.policies.agenda.world import World

UNHAPPY = (OVER, *(REFUSED,) * 6, AMBIGUOUS)
"""Kinds of unhappy goals in proportion. In SGD's training files bookings are refused, while hardly
any search finds nothing; not every service can refuse a booking."""

SCENARIOS: Mapping[str, tuple[str, ...]] = {
    "happy": ("happy",),
    "unhappy": ("unhappy",),
    "multi": ("multi",),
    "mixed": ("happy",) * 36 + ("unhappy",) * 7 + ("multi",) * 47 + ("multi unhappy",) * 10,
}
"""Scenario to its kinds of dialogue in proportion. In SGD's training files 44 % of the dialogues
have one service, and 12 to 14 % have a failure."""

PER_FILE = 128
"""Dialogues a file, as published; an id has the numbers of the file and of the dialogue in it."""

LONGEST = 200
"""Most turns of a dialogue; only a table of the automaton with an endless loop exceeds it."""


@dataclass(frozen=True, kw_only=True)
class SgdPlan(TaskPlan):
    """A run over services; `UnknownNameError` for scenarios, `UsageError` without a service.

    `metadata` has the packs' additions to schemas, `drawn` the services of each drawn world, none
    for given services. `scenario` is a key of `SCENARIOS`.
    """

    preset: ClassVar[str] = "sgd"
    metadata: Mapping[str, ServiceMetadata]
    scenario: str = "mixed"
    drawn: tuple[Found, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.scenario not in SCENARIOS:
            raise UnknownNameError("scenario", self.scenario, SCENARIOS)
        if not self.tasks:
            raise UsageError("there is no service to simulate", code="no-task")

    @property
    def settings(self) -> dict[str, Any]:
        """The digests of the services and of their metadata, and the scenario."""
        services = {task.id: digest(task) for task in self.tasks}
        metadata = {name: digest(entry) for name, entry in self.metadata.items()}
        record = {"services": services, "metadata": metadata, "scenario": self.scenario}
        return record | ({"drawn": len(self.drawn)} if self.drawn else {})

    def world(self) -> World:
        """Return the services, knowledge base and automaton that the run's dialogues share."""
        return World(self.tasks, self.seed, self.metadata)

    def worlds(self) -> Iterator[World]:
        """Yield the world of the run, or each drawn world."""
        if not self.drawn:
            yield self.world()
        for services in self.drawn:
            metadata = {name: metadata for name, (_, metadata) in services.items()}
            yield World([task for task, _ in services.values()], self.seed, metadata)

    def source(self) -> Callable[[int], Dialogue]:
        """Return the function from an index to its dialogue."""
        first, *others = self.worlds()
        for world in others:
            world.drafts = first.drafts
        worlds = [first, *others]
        return lambda index: self.dialogue(worlds[index // len(self.tasks) % len(worlds)], index)

    def dialogue(self, world: World, index: int) -> Dialogue:
        """Return dialogue `index`; `SchemaError` if it does not end within `LONGEST` turns."""
        recorder = self.recorder(world, index)
        with world.backend.dialogue():
            _run(recorder)
        return self.recorded(recorder, index)

    def recorder(self, world: World, index: int) -> AgendaRecorder:
        """Return the recorder of dialogue `index`, without events yet."""
        seed = seed_of(self.seed, index)
        rng = SeededRng(seed, b"scenario")
        kind = rng.choice(SCENARIOS[self.scenario])
        services = _chosen(world, index, kind, rng)
        kinds = [HAPPY] * len(services)
        if "unhappy" in kind:
            kinds[rng.below(len(kinds))] = rng.choice(UNHAPPY)
        return AgendaRecorder(world, kinds, services, seed)

    def recorded(self, recorder: AgendaRecorder, index: int) -> Dialogue:
        """Return the recorded events as dialogue `index`."""
        return Dialogue(
            id=f"{1 + index // PER_FILE}_{index % PER_FILE:05d}",
            events=tuple(recorder.events),
            services=tuple([session.provider.name for session in recorder.sessions]),
            scenario=Scenario(
                happy=all(session.kind == HAPPY for session in recorder.sessions),
                multi_task=len(recorder.sessions) > 1,
                goal=_goal(recorder),
            ),
            provenance="simulated",
        )


def _chosen(world: World, index: int, kind: str, rng: SeededRng) -> list[str]:
    options = tuple(world.providers)
    names = [options[index % len(options)]]
    if "multi" in kind:
        many = int(world.table.choose("services", rng))
        while len(names) < many and (fitting := world.companions(names)):
            other = rng.choice(fitting)
            places = (n for n, each in enumerate(names) if not world.leads(each, other))
            names.insert(next(places, len(names)), other)
    return names


def _run(recorder: AgendaRecorder) -> None:
    user = AgendaUser(recorder)
    system = AgendaSystem(recorder, user)
    for _ in range(LONGEST):
        system.turn(user.turn())
        if recorder.over:
            return
    raise SchemaError("automaton", f"no goodbye within {LONGEST} turns")


def _goal(recorder: AgendaRecorder) -> list[dict[str, Any]]:
    return [
        {
            "service": session.provider.name,
            "kind": session.kind,
            "intents": [call.name for call in session.calls],
            "values": {n: value for n, value in session.wishes.items() if n in session.known},
            "carried": sorted(session.carried),
        }
        for session in recorder.sessions
    ]


class SgdPreset:
    """The bundled services, or those of a file."""

    name = "sgd"
    format = "sgd"

    def plan(self, request: Request) -> SgdPlan:
        """Return the plan of a run."""
        request.check(self.name, "tasks", "scenario")
        names = request.named(self.name) or ALL
        services = named(names, request.seed)
        return SgdPlan(
            tasks=tuple(task for task, _ in services.values()),
            metadata={name: metadata for name, (_, metadata) in services.items()},
            seed=request.seed,
            dialogues=request.number,
            scenario="mixed" if request.scenario is None else request.scenario,
            drawn=drawn_worlds(names)[:-1] if names.startswith(WORLDS) else (),
        )


PRESET = SgdPreset()
"""The preset under its name in the registry."""
