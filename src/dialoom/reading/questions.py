"""Slots that a text asks for, in tasks whose flow has no questions: services, tools of agents.

    asked_slots(service, "In which city, and at what time?")     # {"city": 0.9, "time": 0.8}

Each slot gets a question in the words of its name, which is read by its description and the kind of
its values. The words of people's questions are known from other tasks (`function_scorer`).
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from dialoom.reading.function_scorer import function_of, function_scorer
from dialoom.reading.turn import TurnReader, turn_reader
from dialoom.reading.wording import wording_of
from dialoom.schema.flow import FlowGraph, Node
from dialoom.schema.lexicon import split_name
from dialoom.schema.once import once_for_each
from dialoom.schema.task import TaskSchema

ASKED = 0.5
"""Least probability at which a question counts as asking for a slot."""

_SYSTEM: Final = "system"
_REQUESTS = frozenset({"request", "options"})
_OPENING = "open"


@once_for_each
def question_reader(task: TaskSchema) -> TurnReader:
    """Return the reader of a task with a question for each slot in place of its flow (cached)."""
    asking = [
        Node(
            name=f"ask_{slot}",
            kind=_SYSTEM,
            asks=(slot,),
            texts=(f"{' '.join(split_name(slot))}?",),
        )
        for slot in task.slots
    ]
    opening = Node(name=_OPENING, kind="user", then=tuple(node.name for node in asking))
    flow = FlowGraph(nodes={node.name: node for node in (opening, *asking)})
    return turn_reader(replace(task, flow=flow), _SYSTEM)


def asked_slots(task: TaskSchema, text: str) -> dict[str, float]:
    """Return slot to the probability that a text of the system asks for it."""
    found: dict[str, float] = {}
    for act in question_reader(task).read(text).acts:
        labels = function_scorer(task.language, _SYSTEM).probabilities(
            wording_of(act.text, task.language)
        )
        asks = sum(share for name, share in labels.items() if function_of(name) in _REQUESTS)
        for slot in act.asks:
            found[slot] = max(found.get(slot, 0.0), asks * act.certainty)
    return found
