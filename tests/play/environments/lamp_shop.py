"""A task whose calls an MCP server makes."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from typing import Any, ClassVar

from dialoom.dialogue import SYSTEM, Event, Query, Result, Utterance
from dialoom.play.agents.base import AgentSeat, PlainAgent
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.reading import read_text
from tests.play.environments import shop_server

COMMAND = shlex.join([sys.executable, shop_server.__file__])

HEAD = """
task: shop
briefing: {{policy: Cancel only orders that are pending.}}
environment:
  at: "mcp:{command}"
{keys}
"""

STATE = "  reset: start_over\n  state: dump"

GOALS = """
goals:
  - id: lamp
    says: You want to cancel the lamp of order o1.
    turns: [Please cancel the lamp of my order o1.]
    calls:
      - {name: find_order, arguments: {order: o1}}
      - {name: cancel, arguments: {order: o1, items: [lamp]}}
  - id: sent
    turns: [Please cancel the desk of my order o2.]
    calls: []
    reported: [is sent]
"""


def task_of(keys: str = STATE, goals: str = GOALS, fault: str = "") -> TaskSchema:
    command = " ".join(filter(None, (COMMAND, fault)))
    return read_text(HEAD.format(command=command, keys=keys) + goals)


class Scripted(PlainAgent):
    """An agent that makes some calls, says what refused them, and takes its leave."""

    reads_acts: ClassVar[bool] = False

    def __init__(self, *calls: tuple[str, dict[str, Any]]) -> None:
        super().__init__()
        self._calls = calls

    def join(self, seat: AgentSeat) -> Scripted:
        self._left = list(self._calls)
        self._seat = seat
        return self

    def reply(self, events: Sequence[Event]) -> tuple[Event, ...]:
        from dialoom.play.arguments import constraints_of

        if self._left:
            name, arguments = self._left.pop(0)
            constraints = tuple(constraints_of(self._seat.programs, name, arguments))
            return (Query(id=f"q{len(events)}", api=name, constraints=constraints),)
        refused = [e.extra["error"] for e in events if isinstance(e, Result) and e.extra]
        return (Utterance(agent=SYSTEM, text=" ".join((*refused, "Goodbye."))),)


LAMP = ("cancel", {"order": "o1", "items": ["lamp"]})

NOTE = ("note", {"text": "angry"})
