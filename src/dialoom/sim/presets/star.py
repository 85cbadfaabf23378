"""Dialogues along tasks' flows, as in STAR: happy and unhappy users, one task or several.

    plan = StarPlan(tasks=tasks, seed=7, dialogues=1000, scenario="mixed")

Dialogue i is of task i modulo the number of tasks, so that tasks are balanced; `mixed` has each
task as often as STAR.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar

from dialoom.dialogue import Dialogue, digest
from dialoom.errors import UnknownNameError, UsageError
from dialoom.schema import pack
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.plan import Request, TaskPlan, Tasks
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.flow import multi
from dialoom.sim.policies.flow.digressions import STAGES, DigressionRates
from dialoom.sim.policies.flow.persons import Persons
from dialoom.sim.policies.flow.simulator import Simulator
from dialoom.sim.stories.reading import bundled, read_story
from dialoom.sim.stories.story import FEWEST, TaskChooser, TaskStory
from dialoom.sim.worlds.drawing import DRAWN, drawn_tasks, number_after

ALL = "all"

BRIEF = 0.7
"""Default degree of brevity, 0 to 1 (policies/flow/verbosity.py). Among 0.5, 0.7 and 0.8 it gives a
follower trained on 960 mixed dialogues the best next-action F1 on STAR's: 0.8 is up to 0.3 points
lower, 0.5 up to 1.6, no brevity at all 6 to 8 (docs/results/simulation.md)."""

SCENARIOS: Mapping[str, tuple[str, ...]] = {
    "happy": ("happy",),
    "unhappy": ("unhappy",),
    "multi": ("multi",),
    "mixed": ("happy",) * 46 + ("unhappy",) * 25 + ("multi",) * 29,
}
"""Scenario to its kinds of dialogue in their proportions; `mixed` has the shares of STAR: 2,688
happy, 1,464 unhappy and 1,668 of several tasks (Mosig et al. 2020, 4)."""

SHARES: Mapping[str, tuple[int, int]] = {
    "apartment_schedule": (106, 56), "apartment_search": (13, 56), "doctor_followup": (57, 28),
    "doctor_schedule": (81, 31), "hotel_book": (93, 46), "hotel_search": (84, 46),
    "hotel_service_request": (24, 31), "meeting_schedule": (19, 28), "plane_book": (73, 89),
    "plane_search": (19, 58), "restaurant_book": (13, 31), "restaurant_search": (34, 28),
    "ride_book": (127, 56), "ride_change": (13, 28), "ride_status": (9, 56), "trivia": (73, 58),
    "trip_directions": (96, 85), "weather": (66, 188),
}  # fmt: skip
"""Share (per mille) of a task in dialogues of one task and of several, counted on half of STAR's
(those with an even digest of their id). Other tasks have the mean of these."""

TURNS = 16
"""Mean number of times that each task comes before the order of tasks repeats."""


def in_turn(tasks: Sequence[str], *, several: bool = False) -> tuple[int, ...]:
    """Return indices of tasks in STAR's proportions (those of `several` tasks), evenly spread."""
    counts = [shares[several] for shares in SHARES.values()]
    mean = sum(counts) / len(counts)
    weights = [SHARES[name][several] if name in SHARES else mean for name in tasks]
    due, order = [0.0] * len(tasks), list[int]()
    for _ in range(TURNS * len(tasks)):
        due = [before + weight for before, weight in zip(due, weights, strict=True)]
        order.append(max(range(len(tasks)), key=due.__getitem__))
        due[order[-1]] -= sum(weights)
    return tuple(order)


@dataclass(frozen=True, kw_only=True)
class StarPlan(TaskPlan):
    """A run over tasks with a flow.

    Raises `UnknownNameError` for scenarios, `UsageError` without tasks or for numbers out of range.

    Attributes:
        scenario: A key of `SCENARIOS`.
        wizard_noise: Probability with which the wizard deviates from the flow, where possible.
        brief: Probability with which the wizard leaves out an omissible reply.
        digress: Factor on the rates at which users leave the flow; 1 for STAR's rates.
        persons: The users (`persons.Persons`); empty for the language's own shares.
        story: The story of dialogues over several tasks; by default those of the pack that have the
            tasks.
    """

    preset: ClassVar[str] = "star"
    scenario: str = "happy"
    wizard_noise: float = 0.0
    brief: float = BRIEF
    digress: float = 1.0
    persons: str = ""
    story: TaskStory | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.scenario not in SCENARIOS:
            raise UnknownNameError("scenario", self.scenario, SCENARIOS)
        if not self.tasks:
            raise UsageError("there is no task to simulate", code="no-task")
        for what, rate in ("wizard's noise", self.wizard_noise), ("verbosity", self.brief):
            if not 0 <= rate <= 1:
                raise UsageError(
                    f"the {what} is a probability from 0 to 1, not {rate}", code="out-of-range"
                )
        self.stage_rates()
        for language in {task.language for task in self.tasks} if self.persons else ():
            Persons(self.persons, language)

    def stage_rates(self) -> dict[str, DigressionRates]:
        """Return kind of dialogue to the rates at which users leave the flow."""
        return {kind: rates.times(self.digress) for kind, rates in STAGES.items()}

    def order(self, part: range) -> Iterator[int]:
        """Yield a shard's indices task by task, which uses the processor's cache better."""
        turns = self.turns
        return iter(sorted(part, key=lambda index: turns[index % len(turns)]))

    @cached_property
    def turns(self) -> Sequence[int]:
        """The numbers of the tasks that dialogues are of, in turn."""
        if self.scenario != "mixed":
            return range(len(self.tasks))
        return in_turn([task.id for task in self.tasks])

    @property
    def settings(self) -> dict[str, Any]:
        """The tasks' digests and the scenario."""
        tasks = {task.id: digest(task) for task in self.tasks}
        settings = {"tasks": tasks, "scenario": self.scenario, "brief": self.brief}
        settings |= {"digress": self.digress} if self.digress != 1 else {}
        if self.persons:
            languages = sorted({task.language for task in self.tasks})
            traits = [Persons(self.persons, language).traits for language in languages]
            settings |= {"persons": self.persons, "traits": digest(traits)}
        settings |= {"story": digest(self.story)} if self.story is not None else {}
        return settings | ({"wizard_noise": self.wizard_noise} if self.wizard_noise else {})

    def source(self) -> Callable[[int], Dialogue]:
        """Return the function from an index to its dialogue."""
        return _Source(self).dialogue


class _Source:
    """Makes the dialogues of a plan; a task's simulator is built at its first dialogue."""

    def __init__(self, plan: StarPlan) -> None:
        self.plan = plan
        self._kinds = SCENARIOS[plan.scenario]
        self._simulators: dict[int, Simulator] = {}

    @cached_property
    def _chooser(self) -> TaskChooser:
        story = self.plan.story
        return TaskChooser(self.plan.tasks, bundled() if story is None else (story,))

    @cached_property
    def _several(self) -> Sequence[int]:
        return in_turn([task.id for task in self.plan.tasks], several=True)

    def dialogue(self, index: int) -> Dialogue:
        turns = self.plan.turns
        which = turns[index % len(turns)]
        if self.plan.scenario == "happy":
            return self._simulator(which).dialogue(index)
        rng = SeededRng(seed_of(self.plan.seed, index), b"scenario")
        kind = rng.choice(self._kinds)
        if kind != "multi" or len(self.plan.tasks) < FEWEST:
            return self._simulator(which).dialogue(index, unhappy=kind != "happy")
        which = rng.choice(self._several) if self.plan.scenario == "mixed" else which
        story, indices = self._chooser.draw(rng, which)
        return multi.dialogue([self._simulator(task) for task in indices], index, story)

    def _simulator(self, which: int) -> Simulator:
        if which not in self._simulators:
            plan = self.plan
            task = plan.tasks[which]
            self._simulators[which] = Simulator(
                task,
                plan.seed,
                wizard_noise=plan.wizard_noise,
                brief=plan.brief,
                stage_rates=plan.stage_rates(),
                persons=Persons(plan.persons, task.language),
            )
        return self._simulators[which]


def load_tasks(selection: Tasks, seed: int = 0) -> Iterator[TaskSchema]:
    """Yield tasks by comma-separated names or files, `all`, or as given.

    "drawn:100" are 100 tasks drawn with the seed. Raises `UnknownNameError` for unknown names,
    `UsageError` for no task, a repeated id or a number of drawn tasks out of range.
    """
    tasks: Iterable[TaskSchema] | str = names_or_tasks(selection)
    if isinstance(tasks, str):
        entries = [name.strip() for name in tasks.split(",") if name.strip()]
        if not entries:
            raise UsageError("--tasks names no task", code="no-task")
        names = dict.fromkeys(pack.expand(entries))
        tasks = chain.from_iterable(_named(name, seed) for name in names)
    ids: set[str] = set()
    for task in tasks:
        if task.id in ids:
            raise UsageError(f"--tasks names two tasks called {task.id}", code="twice")
        ids.add(task.id)
        yield task


def names_or_tasks(selection: Tasks) -> str | tuple[TaskSchema, ...]:
    """Return names and files as one text with commas between; with a schema among them, schemas."""
    if isinstance(selection, str | Path):
        return str(selection)
    if isinstance(selection, TaskSchema):
        return (selection,)
    entries = tuple(selection)
    if entries and all(isinstance(each, str | Path) for each in entries):
        return ",".join(map(str, entries))
    return tuple(each if isinstance(each, TaskSchema) else pack.resolve(each) for each in entries)


def _named(name: str, seed: int) -> Iterable[TaskSchema]:
    if not name.startswith(DRAWN):
        return (pack.resolve(name),)
    return drawn_tasks(number_after(DRAWN, name), seed)


class StarPreset:
    """Tasks of the pack, or task files."""

    name = "star"
    format = "native"

    def plan(self, request: Request) -> StarPlan:
        """Return the plan of a run."""
        request.check(
            self.name,
            *("tasks", "scenario", "wizard_noise", "brief", "digress", "persons", "story"),
        )
        story = None if request.story is None else read_story(request.story)
        if story is not None and request.tasks is not None:
            raise UsageError("a story names its tasks; leave --tasks out", code="not-taken")
        names = ALL if request.tasks is None else request.tasks
        otherwise = "happy" if story is None else "multi"
        return StarPlan(
            tasks=tuple(load_tasks(names, request.seed) if story is None else story.tasks.values()),
            story=story,
            seed=request.seed,
            dialogues=request.number,
            scenario=otherwise if request.scenario is None else request.scenario,
            wizard_noise=request.wizard_noise,
            brief=BRIEF if request.brief is None else request.brief,
            digress=1.0 if request.digress is None else request.digress,
            persons=request.persons or "",
        )


PRESET = StarPreset()
"""The preset under its name in the registry."""
