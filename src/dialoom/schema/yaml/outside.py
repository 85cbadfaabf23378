"""The grammar of what a task needs outside of it: environment, goals of its own, policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dialoom.schema.environment import ADDRESS
from dialoom.schema.findings import Report
from dialoom.schema.places import Pointer
from dialoom.schema.yaml.scalars import LONGEST_POLICY, Json, Scalar, Shape, Text
from dialoom.schema.yaml.shapes import Listed, Mapped, Record

MOST_GOALS = 5000
"""Limit on the goals of a task, as on any list of a task file."""


@dataclass(frozen=True)
class Anything(Shape):
    """The shape of any JSON value."""

    def fit(self, value: Any, report: Report, at: Pointer) -> Any:
        """Return the value."""
        return value

    def schema(self) -> Json:
        """Return the shape as JSON Schema."""
        return {}


def _texts(what: str, one: str) -> Listed:
    return Listed(what, Text(one, longest=LONGEST_POLICY), lone=True)


def _call(what: str, word: Text | None = None) -> Record:
    arguments = Mapped(
        "its arguments", key=Text("the argument"), item=Anything("the argument's value")
    )
    fields: dict[str, Shape] = {"name": Text("the tool", required=True), "arguments": arguments}
    return Record(what, fields, word=word)


def _route(what: str) -> Record:
    return _call(what, Text(what))


ENVIRONMENT = Record(
    "where the calls are made",
    {
        "at": Text(
            "mcp:COMMAND, mcp:URL or http:URL", pattern=ADDRESS, longest=2000, required=True
        ),
        "reset": _route("the tool or route that restores the first state"),
        "state": _route("the tool or route that returns the state"),
        "writes": Listed("the tools that change the state", Text("the tool")),
        "hands_over": Listed("the tools that hand the user over to a person", Text("the tool")),
    },
    word=Text("where the calls are made", pattern=ADDRESS, longest=2000),
)

GOALS = Listed(
    "what users come for",
    Record(
        "a goal",
        {
            "id": Text("the goal's name", required=True),
            "says": Text("instructions for the user", longest=LONGEST_POLICY),
            "turns": _texts("what a simulated user says, turn by turn", "a turn"),
            "values": Mapped(
                "the values of the user", key=Text("the slot"), item=Scalar("its value")
            ),
            "calls": Listed("the calls that lead to the right end", _call("an expected call")),
            "reported": _texts("words that the agent has to say", "the words"),
        },
    ),
    most=MOST_GOALS,
)

POLICY = Record(
    "what agents have to keep to",
    {"file": Text("a text file in the task file's folder", longest=200, required=True)},
    word=Text("what agents have to keep to", longest=LONGEST_POLICY),
)

WAIVED = ("domain", "language", "description", "slots", "flow")
"""Keys that a task with an environment may leave out."""
