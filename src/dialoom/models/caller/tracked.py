"""The baseline for calls: the values of the slot tracker, without learning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from msgspec.structs import replace

from dialoom.dialogue import USER, Constraint, Event, NextCall, Prediction, Query, Utterance
from dialoom.dialogue.constraint import canonical
from dialoom.flow.action_view import view_actions
from dialoom.learn.model import Kinds, Questions, Schemas, Unlearnt
from dialoom.reading.tracker import SlotTracker, Tracked
from dialoom.schema.call import Call
from dialoom.schema.flow import REQUESTS
from dialoom.schema.task import TaskSchema, resolve

REQUESTED = tuple(request for request in REQUESTS.values() if request)
"""The requests that a call may make, in the order in which dialogues make them."""


@dataclass
class TrackedCall(Unlearnt):
    """Gives each parameter the slot tracker's value for it, and leaves out those without one.

    Among several calls it makes the first whose required parameters are all known. Requests
    alternate: the first call checks, the next one books.
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
    """Return a task whose flow contains the slots that its questions ask for.

    Questions without slots are linked to inputs by shared words.
    """
    slots = {column.name: column.slot for column in task.call_inputs if column.slot}
    nodes = dict(task.flow.nodes)
    for action, parameter in view_actions(task).links.items():
        if action in nodes and parameter.name in slots and not nodes[action].asks:
            nodes[action] = replace(nodes[action], asks=(slots[parameter.name],))
    return replace(task, flow=replace(task.flow, nodes=nodes))


def _call(task: TaskSchema, history: Iterable[Event]) -> Query:
    tracker = SlotTracker(task)
    queries: list[tuple[int, Query]] = []
    spoken = 0
    for number, event in enumerate(history):
        tracker.observe(event)
        if isinstance(event, Query):
            queries.append((number, event))
        elif isinstance(event, Utterance) and event.agent == USER:
            spoken = number
    call = next((c for c in task.calls.values() if _complete(c, tracker.values)), None)
    call = call or next(iter(task.calls.values()), Call(name=""))
    last, before = next(((n, q) for n, q in reversed(queries) if q.api == call.name), (-1, None))
    inputs = _given(call, tracker.values, last, before)
    past = () if before is None else before.constraints
    again = before is not None and _inputs(call, inputs) == _inputs(call, past)
    request = REQUESTED[1 if again else 0]
    if again and spoken > last and not call.writes and not call.requests:
        inputs = _next(call, inputs)
    requests = (Constraint(name, "equal", (request,)) for name in call.requests)
    return Query(id="", api=call.name, constraints=(*inputs, *requests))


def _complete(call: Call, values: Mapping[str, Tracked]) -> bool:
    return all(column.slot in values for column in call.inputs if column.required and column.slot)


def _given(
    call: Call, values: Mapping[str, Tracked], last: int, before: Query | None
) -> tuple[Constraint, ...]:
    """Return the constraints of the last call, changed by later values; `last` is -1 for none."""
    past = {each.slot: each for each in before.constraints} if before else {}
    choices = []
    for column in call.inputs:
        entry = values.get(column.slot or "")
        if entry is None or entry.event <= last:
            if column.name in past and column.name not in call.requests:
                choices.append(past[column.name])
        elif isinstance(entry.value, list):
            choices.append(Constraint(column.name, "one_of", tuple(entry.value)))
        elif entry.value is not None:
            choices.append(Constraint(column.name, "equal", (entry.value,)))
    return tuple(choices)


def _inputs(call: Call, constraints: Iterable[Constraint]) -> frozenset[Any]:
    return frozenset((c.slot, *canonical(c)) for c in constraints if c.slot not in call.requests)


def _next(call: Call, terms: tuple[Constraint, ...]) -> tuple[Constraint, ...]:
    """Return the constraints of the next row if a number alone names the row.

    The same call would return the same row again.
    """
    if len(terms) != 1 or isinstance(terms[0].value, bool) or not isinstance(terms[0].value, int):
        return terms
    return (Constraint(terms[0].slot, "equal", (terms[0].value + 1,)),)
