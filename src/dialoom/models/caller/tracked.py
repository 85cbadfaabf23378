"""The baseline for calls: the values of the slot tracker, without learning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from msgspec.structs import replace

from dialoom.dialogue import Constraint, Event, NextCall, Prediction, Query
from dialoom.flow.action_view import view_actions
from dialoom.models.base import Kinds, Questions, Schemas, Unlearnt
from dialoom.schema.call import Call
from dialoom.schema.flow import REQUESTS
from dialoom.schema.task import TaskSchema, resolve
from dialoom.tracking import SlotTracker, Tracked

REQUESTED = tuple(request for request in REQUESTS.values() if request)
"""The requests that a call may make, in the order in which dialogues make them."""


@dataclass
class TrackedCall(Unlearnt):
    """Gives each parameter the slot tracker's value for it, and leaves out those without one.

    Of several calls it makes the first whose required parameters are all known. Requests alternate:
    the first call checks, the next one books.
    """

    name: ClassVar[str] = "tracked"
    kinds: ClassVar[Kinds] = (NextCall,)

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[Query]]:
        """Answer each question with the call by the tracked values."""
        tasks = {name: linked(task) for name, task in schemas.items()}
        return [
            Prediction(_call(tasks[resolve(question.asked.task, tasks)], question.history))
            for question in questions
        ]


def linked(task: TaskSchema) -> TaskSchema:
    """Return a task whose flow tells the slots that its questions ask for.

    Where the task does not tell it, questions are linked to inputs by shared words.
    """
    slots = {column.name: column.slot for column in task.call_inputs if column.slot}
    nodes = dict(task.flow.nodes)
    for action, parameter in view_actions(task).links.items():
        if action in nodes and parameter.name in slots and not nodes[action].asks:
            nodes[action] = replace(nodes[action], asks=(slots[parameter.name],))
    return replace(task, flow=replace(task.flow, nodes=nodes))


def _call(task: TaskSchema, history: Iterable[Event]) -> Query:
    tracker = SlotTracker(task)
    made: list[Query] = []
    for event in history:
        tracker.observe(event)
        if isinstance(event, Query):
            made.append(event)
    values = tracker.values
    call = next((c for c in task.calls.values() if _complete(c, values)), None)
    call = call or next(iter(task.calls.values()), Call(name=""))
    return Query(id="", api=call.name, constraints=tuple(_constraints(call, values, made)))


def _complete(call: Call, values: Mapping[str, Tracked]) -> bool:
    return all(column.slot in values for column in call.inputs if column.required and column.slot)


def _constraints(
    call: Call, values: Mapping[str, Tracked], made: Iterable[Query]
) -> Iterable[Constraint]:
    times = sum(query.api == call.name for query in made)
    for column in call.inputs:
        known = values.get(column.slot or "")
        if column.type == "request":
            yield Constraint(column.name, "equal", (REQUESTED[times % len(REQUESTED)],))
        elif known is not None and isinstance(known.value, list):
            yield Constraint(column.name, "one_of", tuple(known.value))
        elif known is not None and known.value is not None:
            yield Constraint(column.name, "equal", (known.value,))
