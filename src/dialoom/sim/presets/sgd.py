"""Dialogues as SGD has them: services, frames, calls; `--tasks` names services or a schema.json.

    plan = PRESET.plan(Request(number=1000, seed=7, scenario="mixed"))

Dialogue i begins with service i modulo the number of services, so that they are balanced.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dialoom.dialogue import Dialogue, digest
from dialoom.errors import UnknownNameError, UsageError
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.plan import Plan, Request
from dialoom.sim.policies.agenda.services import ALL, named
from dialoom.sim.policies.agenda.simulator import SCENARIOS, Simulator
from dialoom.sim.policies.agenda.world import ServiceMetadata, World


@dataclass(frozen=True, kw_only=True)
class SgdPlan(Plan):
    """A run over services.

    Attributes:
        tasks: The services.
        lore: What is told of them besides, by service.
        scenario: How the users are.

    Raises:
        UnknownNameError: There is no such scenario.
    """

    preset: ClassVar[str] = "sgd"
    tasks: tuple[TaskSchema, ...]
    lore: Mapping[str, ServiceMetadata]
    scenario: str = "mixed"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.scenario not in SCENARIOS:
            raise UnknownNameError("scenario", self.scenario, SCENARIOS)
        if not self.tasks:
            raise UsageError("there is no service to simulate")

    @property
    def schemas(self) -> Mapping[str, TaskSchema]:
        """The services by name."""
        return {task.id: task for task in self.tasks}

    @property
    def settings(self) -> dict[str, Any]:
        """The digests of the services and of what is told of them, and the scenario."""
        services = {task.id: digest(task) for task in self.tasks}
        lore = {name: digest(held) for name, held in self.lore.items()}
        return {"services": services, "lore": lore, "scenario": self.scenario}

    def world(self) -> World:
        """Return what the dialogues are made from."""
        return World(self.tasks, self.seed, self.lore)

    def source(self) -> Callable[[int], Dialogue]:
        """Return what makes a dialogue by its index."""
        return Simulator(self.world(), self.scenario).dialogue


class SgdPreset:
    """The bundled services, or those of a file."""

    name = "sgd"
    format = "sgd"

    def plan(self, request: Request) -> SgdPlan:
        """Return the plan of a run."""
        if request.wording is not None:
            raise UsageError("--preset sgd has no other wording: its templates are its language's")
        found = named(request.tasks or ALL)
        return SgdPlan(
            tasks=tuple(task for task, _ in found.values()),
            lore={name: lore for name, (_, lore) in found.items()},
            seed=request.seed,
            dialogues=request.number,
            scenario=request.scenario or "mixed",
        )


PRESET = SgdPreset()
"""The preset, as the registry knows it."""
