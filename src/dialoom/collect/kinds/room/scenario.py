"""Makes the scenarios of a study, texts and instructions for two people, with the simulator.

Each scenario comes from a simulated dialogue: the texts and instructions of its user and wizard
become those of the two people, with the instructions after the turns of the setting `guide`. Every
name in a text is therefore in the room's knowledge base. No two scenarios have the same texts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

from msgspec.structs import replace

from dialoom.collect.kinds.room.wizard import packages
from dialoom.collect.settings import Settings
from dialoom.dialogue import Dialogue, Instruction, Utterance, digest
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.event import USER
from dialoom.errors import UsageError
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.plan import Plan
from dialoom.sim.presets.frames import FramesPlan
from dialoom.sim.presets.star import StarPlan, load_tasks
from dialoom.sim.stories.reading import read_story


def reschedule(
    instructions: Sequence[tuple[int, str]], plan: Sequence[int]
) -> Iterator[tuple[int, str]]:
    """Yield instructions with the number of the user's turns after which they come.

    A set whose first instruction does not come at the start begins with the second number of the
    plan; in STAR's files that is one set in five.

    Args:
        instructions: The instructions with that number in the simulated dialogue.
        plan: The new numbers; a longer set continues with the plan's last distance. Empty to keep
            the numbers of the simulated dialogue.
    """
    places = _going_on(plan)
    if plan and instructions and plan[0] < 1 <= instructions[0][0]:
        next(places)
    for turn, text in instructions:
        yield next(places) if plan else turn, text


def _going_on(plan: Sequence[int]) -> Iterator[int]:
    yield from plan
    last, before = plan[-1], plan[-2] if len(plan) > 1 else plan[-1] - 1
    while True:
        last, before = last + (last - before), last
        yield last


ATTEMPTS = 50
"""The most dialogues simulated for each scenario: those that repeat a text are not used."""


class Scenario(Struct, frozen=True, kw_only=True):
    """The texts, tasks and instructions of one dialogue.

    Attributes:
        tasks: The ids of the wizard's tasks, in order.
        instructions: Further instructions for the user: after how many of their turns, and a text.
        happy: Whether the user follows the task without changes or complications (STAR).
        goal: The goal of the simulated user, as JSON values.
    """

    id: str
    kind: Literal["single", "multi"]
    tasks: tuple[str, ...]
    domains: tuple[str | None, ...]
    user_task: str
    wizard_task: str
    instructions: tuple[tuple[int, str], ...] = ()
    happy: bool = True
    seed: int = 0
    goal: Any = None

    @property
    def texts(self) -> str:
        """The digest of all texts for the user, so that nobody gets the same ones twice."""
        return digest((self.user_task, [text for _, text in self.instructions]))

    def state(self, task: str) -> dict[str, Any]:
        """Return how rows of a task differ at first, so that the names of the goal are there."""
        goals = self.goal.get("tasks", {}) if isinstance(self.goal, dict) else {}
        changes: dict[str, Any] = goals.get(task, {}).get("state", {})
        return changes


class ScenarioLibrary:
    """The tasks and scenarios that a study's settings describe.

    Raises:
        UnknownNameError: There is no task or story of a name.
        SchemaError: The story has errors.
        UsageError: The task `packages` (the search of Frames) is named together with others.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.tasks: Mapping[str, TaskSchema]
        self._searches = packages.TASK.id in settings.tasks
        self._story = read_story(settings.story) if settings.story else None
        if self._story is not None:
            self.tasks = self._story.tasks
        elif not settings.tasks:
            self.tasks = {}
        elif not self._searches:
            self.tasks = {task.id: task for task in load_tasks(",".join(settings.tasks))}
        elif len(settings.tasks) == 1:
            self.tasks = {packages.TASK.id: packages.TASK}
        else:
            raise UsageError(
                "the search for packages is a study of its own; name no other task", code="conflict"
            )

    @cached_property
    def _plans(self) -> tuple[Plan, ...]:
        settings, dialogues = self.settings, self.settings.scenarios * ATTEMPTS
        if self._searches:
            return (FramesPlan(seed=settings.seed, dialogues=dialogues),)
        spoken: dict[str, list[TaskSchema]] = {}
        for task in self.tasks.values():
            spoken.setdefault(task.language, []).append(task)
        return tuple(
            StarPlan(
                tasks=tuple(tasks),
                seed=settings.seed,
                dialogues=dialogues,
                scenario=settings.scenario if self._story is None else "multi",
                story=self._story,
            )
            for tasks in spoken.values()
        )

    def scenarios(self) -> Iterator[Scenario]:
        """Yield scenarios in alternating languages; they end early if no new text is found."""
        number, turns = 0, deque(map(self._different, self._plans))
        while turns and number < self.settings.scenarios:
            scenario = next(turns[0], None)
            if scenario is None:
                turns.popleft()
                continue
            turns.rotate(-1)
            number += 1
            yield replace(scenario, id=f"s{number}")

    def _different(self, plan: Plan) -> Iterator[Scenario]:
        dialogue, history = plan.source(), set[str]()
        for index in range(plan.dialogues):
            scenario = self._scenario(dialogue(index))
            if scenario.texts not in history:
                history.add(scenario.texts)
                yield scenario

    def _scenario(self, dialogue: Dialogue) -> Scenario:
        scenario = dialogue.scenario
        if scenario is None:  # cannot happen: simulated dialogues have a scenario
            raise TypeError(f"dialogue {dialogue.id} has no scenario")
        able = tuple(capability.task for capability in scenario.capabilities)
        guide = self.settings.guide
        plan = guide.multi if scenario.multi_task else guide.single
        return Scenario(
            id=dialogue.id,
            kind="multi" if scenario.multi_task else "single",
            tasks=able or tuple(self.tasks),
            domains=scenario.domains,
            user_task=scenario.user_task or "",
            wizard_task=scenario.system_task or "",
            instructions=tuple(reschedule(tuple(_instructions(dialogue)), plan)),
            happy=scenario.happy is not False,
            seed=self.settings.seed,
            goal=scenario.goal,
        )


def _instructions(dialogue: Dialogue) -> Iterator[tuple[int, str]]:
    turns = 0
    for event in dialogue.events:
        if isinstance(event, Utterance) and event.agent == USER:
            turns += 1
        elif isinstance(event, Instruction):
            yield turns, event.text
