"""Hand-overs to a person, judged as a change: a dialogue has to end by one where its goal says so.

    with_hand_over(programs, events, {})        # {"hand-over": {"added": [{"to": "person"}]}}

A hand-over is one of the changes of the database for targets, verdicts and pages. It counts if a
reply of the agent is surely read as one, among the turns about a task whose flow has one, and the
agent makes no calls after it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dialoom.dialogue import SYSTEM, Event, Query, Utterance
from dialoom.flow.program import TaskProgram
from dialoom.play.judging.target import by_task
from dialoom.reading.dialogue import DOUBTFUL, DialogueReading
from dialoom.reading.spoken import SpokenAct

HAND_OVER = "hand-over"
"""Its name among the tables, whose names have no hyphen."""

HANDED: Mapping[str, Any] = {HAND_OVER: {"added": [{"to": "person"}]}}


def with_hand_over(
    programs: Sequence[TaskProgram], events: Sequence[Event], changed: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the changes of a dialogue, with the hand-over if it has one."""
    shares = by_task([program.task for program in programs], events)
    handed = any(_hands_over(program, shares[program.task]) for program in programs)
    return {**changed, **(HANDED if handed else {})}


def _hands_over(program: TaskProgram, events: Sequence[Event]) -> bool:
    if not any(node.hands_over for node in program.schema.flow.nodes.values()):
        return False
    reading, handed_over = DialogueReading(program.schema), False
    for event in events:
        reading.observe(event)
        is_system = isinstance(event, Utterance) and event.agent == SYSTEM
        if isinstance(event, Query):
            handed_over = False
        elif is_system and any(_is_one(program, act) for act in reading.turn.acts):
            handed_over = True
    return handed_over


def _is_one(program: TaskProgram, act: SpokenAct) -> bool:
    node = program.schema.flow.nodes.get(act.action or "")
    hands_over = act.function == "hand_over" if node is None else node.hands_over
    return hands_over and act.certainty >= DOUBTFUL
