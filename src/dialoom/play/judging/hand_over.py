"""Hand-overs to a person, judged as a change: a dialogue has to end by one where its goal says so.

    with_hand_over(programs, events, {})        # {"hand-over": {"added": [{"to": "person"}]}}

A hand-over stands among the changes of the database, so that targets, verdicts and pages treat it
as one of them. It counts where a reply of the agent is read as one, in a task whose flow has one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dialoom.dialogue import SYSTEM, Event, Utterance
from dialoom.flow.program import TaskProgram
from dialoom.reading.dialogue import DialogueReading

HAND_OVER = "hand-over"
"""Its name among the tables, whose names have no hyphen."""

HANDED: Mapping[str, Any] = {HAND_OVER: {"added": [{"to": "person"}]}}
"""The change that a hand-over is."""


def with_hand_over(
    programs: Iterable[TaskProgram], events: Sequence[Event], changed: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the changes of a dialogue, with the hand-over if it has one."""
    handed = any(_hands_over(program, events) for program in programs)
    return {**changed, **(HANDED if handed else {})}


def _hands_over(program: TaskProgram, events: Sequence[Event]) -> bool:
    if not any(node.hands_over for node in program.schema.flow.nodes.values()):
        return False
    reading = DialogueReading(program.schema)
    for event in events:
        reading.observe(event)
        said = isinstance(event, Utterance) and event.agent == SYSTEM
        if said and any(_is_one(program, act.action, act.function) for act in reading.turn.acts):
            return True
    return False


def _is_one(program: TaskProgram, action: str | None, function: str) -> bool:
    node = program.schema.flow.nodes.get(action or "")
    return function == "hand_over" if node is None else node.hands_over
