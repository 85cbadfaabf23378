"""Chooses the tasks of one dialogue: a story's, or related ones.

    chooser = TaskChooser(tasks, bundled())
    story, chosen = chooser.draw(rng, 3)       # a story that has task 3, and the tasks' numbers

Tasks without a story come with tasks of their domain, or with a slot of the same name and type.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dialoom.schema.task import TaskSchema
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.stories.story import Sequence as Order
from dialoom.sim.stories.story import TaskStory

FEWEST, MOST = 2, 5
"""Least and most tasks of a dialogue with several (STAR, appendix A)."""


class TaskChooser:
    """Chooses the tasks of dialogues over several tasks; ignores stories of other tasks by these
    names.
    """

    def __init__(self, tasks: Sequence[TaskSchema], stories: Iterable[TaskStory]) -> None:
        self._tasks = tasks
        self._numbers = {task.id: number for number, task in enumerate(tasks)}
        self._kin: dict[int, list[int]] = {}
        self._orders: list[list[tuple[TaskStory, Order]]] = [[] for _ in tasks]
        for story in stories:
            same = {name for name, task in story.tasks.items() if self._has(task)}
            for sequence in story.sequences:
                places = [tuple(name for name in names if name in same) for names in sequence]
                order = tuple(filter(None, places))
                if len(order) >= FEWEST:
                    for name in {name for names in order for name in names}:
                        self._orders[self._numbers[name]].append((story, order))

    def _has(self, task: TaskSchema) -> bool:
        number = self._numbers.get(task.id)
        return number is not None and self._tasks[number] == task

    def draw(self, rng: SeededRng, which: int) -> tuple[TaskStory, list[int]]:
        """Return a story (empty if none has task number `which`) and its tasks' numbers."""
        if not self._orders[which]:
            return TaskStory(name=""), self._related(rng, which)
        story, order = rng.choice(self._orders[which])
        own = self._tasks[which].id
        names = [own if own in names else rng.choice(names) for names in order]
        return story, [self._numbers[name] for name in dict.fromkeys(names)]

    def _related(self, rng: SeededRng, which: int) -> list[int]:
        if which not in self._kin:
            own, others = self._tasks[which], [n for n in range(len(self._tasks)) if n != which]
            kin = [n for n in others if related(own, self._tasks[n])]
            spoken = [n for n in others if self._tasks[n].language == own.language]
            self._kin[which] = kin or spoken or others
        kin = rng.shuffle([*self._kin[which]])
        many = FEWEST + rng.below(min(MOST, 1 + len(kin)) - FEWEST + 1)
        return [which, *kin[: many - 1]]


def related(one: TaskSchema, other: TaskSchema) -> bool:
    """Return True if two tasks share a domain, or a slot of the same name and type."""
    if one.language != other.language:
        return False
    return one.domain == other.domain or any(
        name in other.slots and other.slots[name].type == slot.type
        for name, slot in one.slots.items()
    )
