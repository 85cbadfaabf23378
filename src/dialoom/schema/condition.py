"""Conditions of a task file: short sentences that compare a slot or output with something.

    read("fine is 0")                         # Condition("fine", "equal", ("0",))
    read("destination is not origin", {"origin"})   # Condition("destination", "not", (), "origin")
    read("mode is one of bus, train").holds({"mode": "bus"})                   # True

What stands after the comparison is a name of the task where it is one, unless it is quoted. The
comparisons are those of queries (`dialoom.dialogue.constraint`); of dates and times "greater" is
later. Nothing is evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from dialoom.dialogue.annotation import Struct, Value
from dialoom.dialogue.constraint import Operator

OPERATORS: dict[str, Operator] = {
    "is not": "not",
    "is one of": "one_of",
    "is at least": "at_least",
    "is at most": "at_most",
    "is less than": "less",
    "is greater than": "greater",
    "contains": "contains",
    "is": "equal",
}
"""How a comparison is written; what begins another one stands after it."""

SENTENCE = rf"([A-Za-z]\w*) ({'|'.join(OPERATORS)}) (\S.*)"
"""A name, a comparison, and what it is compared with."""

_WRITTEN = {operator: text for text, operator in OPERATORS.items()}
_ORDER: dict[Operator, tuple[int, ...]] = {
    "at_least": (0, 1),
    "at_most": (-1, 0),
    "less": (-1,),
    "greater": (1,),
}
"""Comparisons of values that have an order: how the first may stand to the second."""


class Condition(Struct, frozen=True):
    """One comparison.

    Attributes:
        name: The slot, input or output that is compared.
        operator: How.
        values: The canonical values that it is compared with; several with `one_of`.
        other: The slot, input or output that it is compared with instead.
    """

    name: str
    operator: Operator = "equal"
    values: tuple[Value, ...] = ()
    other: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The slots, inputs and outputs that it compares."""
        return (self.name,) if self.other is None else (self.name, self.other)

    def __str__(self) -> str:
        """The sentence that reads as it."""
        right = self.other or ", ".join(map(str, self.values))
        return f"{self.name} {_WRITTEN[self.operator]} {right}"

    def holds(self, known: Mapping[str, Any], declined: Collection[str] = ()) -> bool | None:
        """Tell whether it holds; None while that is open, since a value is unknown.

        Args:
            known: Name to canonical value; of several values one has to meet it.
            declined: Slots that the user has no wish for: nothing holds of these.
        """
        unknown = [name for name in self.names if name not in known]
        if unknown:
            return False if any(name in declined for name in unknown) else None
        right = self.values if self.other is None else _listed(known[self.other])
        return _compare(_listed(known[self.name]), self.operator, right)


def _listed(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list | tuple) else (value,)


def _compare(left: tuple[Any, ...], operator: Operator, right: tuple[Any, ...]) -> bool:
    if operator == "not":
        return not any(value in right for value in left)
    allowed = _ORDER.get(operator)
    if allowed is None:
        return any(value in right for value in left)
    return any(_sign(one, other) in allowed for one in left for other in right)


def _sign(one: Any, other: Any) -> int | None:
    """Return how a value stands to another: -1, 0 or 1; None where they have no order."""
    numbers = isinstance(one, int | float) and isinstance(other, int | float)
    if not numbers and not (isinstance(one, str) and isinstance(other, str)):
        return None
    return int(one > other) - int(one < other)


def read(text: str, names: Collection[str] = ()) -> Condition | None:
    """Read a sentence, or return None where it is none.

    Args:
        text: The sentence.
        names: What counts as a name after the comparison.
    """
    match = re.fullmatch(SENTENCE, text)
    if match is None:
        return None
    name, operator, right = match[1], OPERATORS[match[2]], match[3].strip()
    if right in names and operator != "one_of":
        return Condition(name, operator, (), right)
    values = right.split(",") if operator == "one_of" else [right]
    return Condition(name, operator, tuple(value.strip().strip('"') for value in values))


def all_hold(
    conditions: Iterable[Condition], known: Mapping[str, Any], declined: Collection[str] = ()
) -> bool | None:
    """Tell whether several conditions hold; None while that is open."""
    met = [condition.holds(known, declined) for condition in conditions]
    return False if False in met else None if None in met else True
