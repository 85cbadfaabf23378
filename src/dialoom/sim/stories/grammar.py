"""The shape of story files, from which their errors of form are found."""

from __future__ import annotations

from typing import get_args

from dialoom.schema.yaml.grammar import OUTCOMES
from dialoom.schema.yaml.scalars import NAME, Number, Scalar, Shape, Text
from dialoom.schema.yaml.shapes import Listed, Mapped, Record
from dialoom.sim.stories.story import Kind

REFERENCE = r"[a-z][a-z0-9_]*\.[A-Za-z][A-Za-z0-9_]*"
"""Pattern of a slot or output of a task: task.name."""

MOST_TASKS = 12
"""Most tasks of a sequence: STAR's dialogues have at most five."""

_TASK = Text("a task or task file", longest=200)


def _name(what: str, *, required: bool = False) -> Text:
    return Text(what, pattern=NAME, longest=60, required=required)


def _texts(what: str, *, required: bool = False) -> Listed:
    return Listed(what, Text(what), least=1, lone=True, required=required)


_LIMIT = Scalar("the first or last value")

_SLOT = Record(
    "the values of a slot",
    {"values": _texts("the values"), "from": _LIMIT, "to": _LIMIT},
)

_TOLD: dict[str, Shape] = {
    "happens": Text("what happens"),
    "instruct": _texts("the user's instruction"),
    "say": _texts("the user's words"),
}

_WORDS = tuple(dict.fromkeys(word for words in OUTCOMES.values() for word in words))

_BRIDGE = Record(
    "a bridge",
    {
        "from": _name("the task that ends"),
        "to": _name("the task that begins", required=True),
        "when": Listed("the outcomes", Text("an outcome", words=_WORDS), least=1, lone=True),
        **_TOLD,
    },
)

_INSTRUCTION = Record(
    "an instruction",
    {
        "kind": Text("the kind", words=get_args(Kind), required=True),
        "task": _name("the task during which it comes"),
        "slot": _name("the slot that it is about"),
        "once_in": Number("in one of how many dialogues it comes", whole=True, least=1, most=1000),
        **_TOLD,
    },
)

STORY_FILE = Record(
    "a story",
    {
        "story": _name("the name of the story", required=True),
        "about": Text("what it is about"),
        "language": Text("the language", longest=20),
        "sequences": Listed(
            "the sequences of tasks",
            Listed(
                "a sequence",
                Listed("a task, or tasks of which one comes", _TASK, least=1, lone=True),
                least=2,
                most=MOST_TASKS,
            ),
            least=1,
            required=True,
        ),
        "topics": Mapped("tasks and their texts for the user", Text("the text"), key=_TASK),
        "slots": Mapped(
            "slots and their values in this story", _SLOT, key=Text("the slot", pattern=REFERENCE)
        ),
        "shared": Mapped(
            "names and the slots that have the same value",
            Listed("the slots", Text("a slot or output", pattern=REFERENCE), least=2),
            key=_name("the name"),
        ),
        "constraints": Listed("the constraints", Text("a constraint")),
        "bridges": Listed("the bridges", _BRIDGE),
        "instructions": Listed("the instructions", _INSTRUCTION),
        "personas": _texts("the personas"),
    },
)
"""The shape of a whole story file."""
