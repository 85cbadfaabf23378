"""A story as a value (file format: docs/how-to/stories.md).

read_story("travel_day").sequences[0]        # (("plane_book",), ("ride_book",), …)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from dialoom.dialogue.annotation import Struct
from dialoom.schema.condition import Condition
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.rng import SeededRng

Order = tuple[tuple[str, ...], ...]
"""Tasks in order; at each place one of some tasks."""

Kind = Literal["chat", "negation", "change", "event", "back", "over", "under"]
"""The act that an instruction asks for, as of unhappy users (policies/flow/unhappy.py)."""


class Bridge(Struct, frozen=True, kw_only=True):
    """A transition from one task to the next.

    Attributes:
        when: Required outcomes of the last call of `source`, one of them; empty for any.
        happens: An event in between, for the user's instruction.
        instruct: Templates of the instruction; by default the language's.
        say: Templates of the user's words before the first turn of `target`.
    """

    source: str = ""
    target: str
    when: tuple[str, ...] = ()
    happens: str = ""
    instruct: tuple[str, ...] = ()
    say: tuple[str, ...] = ()


class StoryInstruction(Struct, frozen=True, kw_only=True):
    """An instruction that users get during a dialogue.

    Attributes:
        task: The task during which it comes; empty for any.
        slot: Its slot; empty for any. An event without one is only mentioned.
        once_in: One of so many dialogues has it.
        instruct: Templates of the instruction; by default the language's.
        say: Templates of the user's text; of an event, its mention.
    """

    kind: Kind
    task: str = ""
    slot: str = ""
    once_in: int = 1
    happens: str = ""
    instruct: tuple[str, ...] = ()
    say: tuple[str, ...] = ()


class TaskStory(Struct, frozen=True, kw_only=True):
    """Tasks that belong together.

    Attributes:
        about: Its topic, for the user; may be empty.
        tasks: The tasks by id, with the story's values of their slots.
        sequences: The possible orders of tasks.
        topics: Task to the user's text on it, if not the task's own.
        shared: Name to slots and outputs ("task.name") that have the same value.
        constraints: Constraints between slots of different tasks.
        bridges: Transitions from one task to the next.
        instructions: Instructions to users during the dialogue.
        personas: Descriptions of people, one of whom the user plays.
    """

    name: str
    about: str = ""
    language: str = "en"
    tasks: dict[str, TaskSchema] = {}
    sequences: tuple[Order, ...] = ()
    topics: dict[str, str] = {}
    shared: dict[str, tuple[str, ...]] = {}
    constraints: tuple[Condition, ...] = ()
    bridges: tuple[Bridge, ...] = ()
    instructions: tuple[StoryInstruction, ...] = ()
    personas: tuple[str, ...] = ()

    def slot(self, reference: str) -> Slot | None:
        """Return the slot named by "task.name"; None for an output."""
        task, _, name = reference.partition(".")
        return self.tasks[task].slots.get(name)


def outputs(task: TaskSchema) -> Iterable[str]:
    """Yield the names of the outputs of a task's calls."""
    return (column.name for call in task.calls.values() for column in task.result_columns(call))


def of_task(references: Iterable[str], task: str) -> list[str]:
    """Return the names of those references ("task.name") that belong to a task."""
    return [name for each in references for of, _, name in [each.partition(".")] if of == task]


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
