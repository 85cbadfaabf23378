"""A story as a value (file format: docs/how-to/stories.md).

read_story("travel_day").sequences[0]        # (("plane_book",), ("ride_book",), …)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from dialoom.dialogue.annotation import Struct
from dialoom.schema.condition import Condition
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema

Sequence = tuple[tuple[str, ...], ...]
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
    sequences: tuple[Sequence, ...] = ()
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
