"""A task as a value: what users may want, the calls that serve it, and how its dialogues go.

    TaskSchema(id="table_book", domain="restaurant",
               slots={"size": Slot(name="size", type="integer", minimum=1, maximum=12)},
               calls={"table_book": Call(name="table_book", effect="book", inputs=(…,))},
               flow=FlowGraph(nodes={"hello": Node(name="hello", kind="system", …), …}))

It has one shape, whatever it was read from: a task file, STAR's schemas, a service. Fields that
the source lacks are empty; data that only its format needs to write it back is its `source`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, get_args

from msgspec.structs import replace

from dialoom.dialogue.annotation import DefaultedStruct
from dialoom.dialogue.dialogue import Origin
from dialoom.errors import UnknownNameError
from dialoom.schema.call import Call, Column, Intent, Table
from dialoom.schema.condition import Condition
from dialoom.schema.environment import EnvironmentSpec
from dialoom.schema.flow import FlowGraph
from dialoom.schema.slot import Slot, SlotType
from dialoom.schema.source import Source


class TaskSchema(DefaultedStruct, frozen=True, kw_only=True, dict=True, gc=True):
    """One task's schema.

    Attributes:
        id: The identifier: STAR's folder name.
        name: The name printed in the schema file, which may differ.
        description: A description for people.
        texts: Instructions by side ("user", "wizard").
        slots: The slots of the user, by name.
        constraints: Constraints between the values of slots.
        intents: The intents of the user, by name; a task may leave it at its description.
        calls: The calls on the knowledge base, by name.
        tables: The tables of the knowledge base, by name.
        questions: Agent to the questions asked after the dialogue.
        out_of_scope: The system's reply to anything else.
        replies: Node to text: the system's replies and the markers of the flow graph.
        today: The day on which its dialogues take place, as 2026-11-27; empty where it is nothing.
        source: Data that the format needs to write it back; nothing else reads it.
        origins: Places in files: several splits may contain a service.
        environment: The environment of its calls, if that is not our knowledge base.
        goals: The users' goals, if the task states them (play/users/goals.py).
        extra: Further keys of the source.
    """

    id: str
    name: str | None = None
    domain: str = ""
    description: str = ""
    aliases: tuple[str, ...] = ()
    texts: dict[str, str] = {}
    slots: dict[str, Slot] = {}
    constraints: tuple[Condition, ...] = ()
    intents: dict[str, Intent] = {}
    calls: dict[str, Call] = {}
    tables: dict[str, Table] = {}
    flow: FlowGraph = FlowGraph()
    questions: dict[str, tuple[str, ...]] = {}
    out_of_scope: tuple[str, ...] = ()
    replies: dict[str, str] = {}
    language: str = "en"
    today: str = ""
    source: Source = None
    origins: tuple[Origin, ...] = ()
    environment: EnvironmentSpec | None = None
    goals: tuple[dict[str, Any], ...] = ()
    extra: dict[str, Any] = {}

    @property
    def is_service(self) -> bool:
        """True if the task has slots or calls but no flow."""
        return not self.flow and bool(self.slots or self.calls)

    def columns(self, call: Call) -> tuple[Column, ...]:
        """Return the columns of the table that a call works on; none where it is not known."""
        table = self.tables.get(call.table)
        return table.columns if table is not None else ()

    def result_columns(self, call: Call) -> tuple[Column, ...]:
        """Return the columns of a call's result: those of its table, then its outputs."""
        return (*self.columns(call), *call.outputs)

    @property
    def call_inputs(self) -> tuple[Column, ...]:
        """The inputs of all calls, in order; calls may have inputs of the same name."""
        return tuple(column for call in self.calls.values() for column in call.inputs)

    def broken(self, values: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
        """Yield each constraint that canonical `values` break, with slots and words."""
        for condition in self.constraints:
            if condition.holds(values) is False:
                yield condition.names, str(condition)
        for slot in self.dependent:
            for other, left in slot.depends_on.items():
                allowed = left.get(str(values.get(other)))
                fits = None if allowed is None else Condition(slot.name, "one_of", allowed)
                if fits is not None and fits.holds(values) is False:
                    yield (other, slot.name), f"{fits} where {other} is {values[other]}"

    @cached_property
    def dependent(self) -> tuple[Slot, ...]:
        """The slots whose values depend on another slot's."""
        return tuple(slot for slot in self.slots.values() if slot.depends_on)

    @property
    def constrained(self) -> bool:
        """Whether anything holds between the values of slots."""
        return bool(self.constraints or self.dependent)

    def purpose(self, call: Call) -> str:
        """Return what a call is for: the intents it serves, else the task's description."""
        served = [i.description for i in self.intents.values() if call.name in i.calls]
        return "; ".join(served) or self.description

    @property
    def inputs(self) -> tuple[Slot, ...]:
        """The inputs of calls, each as a slot under the input's name and title; no requests."""
        return tuple(self._input(each) for each in self.call_inputs if each.type != "request")

    def _input(self, column: Column) -> Slot:
        slot = self.slots.get(column.slot or "")
        if slot is not None:
            return replace(slot, name=column.name, description=column.title)
        kinds: tuple[SlotType, ...] = get_args(SlotType)
        kind = next((kind for kind in kinds if kind == column.type), kinds[2])
        values: dict[str, tuple[str, ...]] = {str(value): () for value in column.values}
        low, high = column.minimum, column.maximum
        return Slot(
            name=column.name,
            type=kind,
            description=column.title,
            values=values,
            minimum=low,
            maximum=high,
        )


def resolve(name: str, tasks: Mapping[str, TaskSchema]) -> str:
    """Return the id of a task by its id or printed name; `UnknownNameError` for others."""
    if name in tasks:
        return name
    for key, task in tasks.items():
        if name in (task.name, *task.aliases):
            return key
    raise UnknownNameError("task", name, tasks)
