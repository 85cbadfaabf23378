"""The grammar of a task file's slots, and the shapes of names, lists and texts everywhere in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dialoom.schema.condition import SENTENCE
from dialoom.schema.yaml.scalars import (
    API_NAME,
    CLOCK,
    DATE,
    LONGEST_NAME,
    NAME,
    Flag,
    Number,
    Shape,
    Text,
)
from dialoom.schema.yaml.shapes import Choice, Listed, Mapped, Record


def name(what: str, **more: Any) -> Text:
    """Return the shape of a name in lower_snake_case."""
    return Text(what, pattern=NAME, longest=LONGEST_NAME, **more)


def slot_name(what: str, **more: Any) -> Text:
    """Return the shape of a slot's name, which variants of a schema rename."""
    return name(what, holds="name", **more)


def api_name(what: str, **more: Any) -> Text:
    """Return the shape of the name of a column, input or output."""
    return Text(what, pattern=API_NAME, longest=LONGEST_NAME, holds="name", **more)


def listed(what: str, item: Shape, **more: Any) -> Listed:
    """Return the shape of a list, whose only element needs no brackets."""
    return Listed(what, item, lone=True, **more)


def texts(what: str, **more: Any) -> Listed:
    """Return the shape of some texts."""
    return listed(what, Text("the text"), **more)


def templates(what: str) -> Listed:
    """Return the shape of some templates."""
    return listed(what, Text("the text", holds="placeholders"), least=1)


def conditions(what: str) -> Listed:
    """Return the shape of some conditions."""
    text = Text("the condition", pattern=SENTENCE, holds="condition")
    return listed(what, text, least=1)


_NEED = Text("whether it must be given", words=("required", "optional"))

DRAFTED: dict[str, Shape] = {"drafted": Flag("whether it is a draft that a person has to check")}
"""The mark of what an importer made up: a slot's values, a table's rows, a node's texts."""

_SLOT: dict[str, Shape] = {
    "type": Text("the slot's type", required=True),
    "description": Text("what the slot is, for people", required=True),
    "need": Record("a need", {"unless": slot_name("the other slot", required=True)}, word=_NEED),
    **DRAFTED,
}

_VALUES = Mapped(
    "the values with their spoken variants",
    key=Text("the value", longest=200),
    item=listed("the spoken variants", Text("the spoken variant", longest=200)),
    least=1,
    bare=True,
    required=True,
)

_LISTED_VALUES: dict[str, Shape] = {
    "values": _VALUES,
    "depends_on": Mapped(
        "another slot with the values that each of its own allows",
        key=slot_name("the other slot"),
        item=Mapped(
            "its values",
            key=Text("its value", longest=200),
            item=listed("the values that are left", Text("the value", longest=200), least=1),
            least=1,
        ),
        least=1,
    ),
}

RANGE: dict[str, Shape] = {
    "minimum": Number("the least value", required=True),
    "maximum": Number("the greatest value", required=True),
    "step": Number("the distance of values", least=0.01),
}


def limits(pattern: str, step: str) -> dict[str, Shape]:
    """Return the shapes of the first and the last date or time and their distance."""
    return {
        "from": Text("the first value", pattern=pattern, required=True),
        "to": Text("the last value", pattern=pattern, required=True),
        "step": Number(step, whole=True, least=1),
    }


_EXAMPLES = {"examples": texts("values for simulated users", least=1, required=True)}

_TYPES: dict[str, Mapping[str, Shape]] = {
    "category": _LISTED_VALUES,
    "categories": _LISTED_VALUES,
    "short text": _EXAMPLES,
    "long text": _EXAMPLES,
    "integer": RANGE,
    "boolean": {},
    "date": limits(DATE, "the distance of dates in days"),
    "time": limits(CLOCK, "the distance of times in minutes"),
    "amount": {**RANGE, "unit": Text("what is counted", longest=40)},
}

SLOTS = Choice(
    "a slot",
    {
        name: Record(f"{'an' if name[0] in 'aeiou' else 'a'} {name} slot", {**_SLOT, **own})
        for name, own in _TYPES.items()
    },
    "type",
)
