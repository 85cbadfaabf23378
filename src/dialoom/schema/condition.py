"""Conditions of a task file: short sentences that compare a slot or output with something.

    read("fine is 0")                         # Condition("fine", "equal", ("0",))
    read("destination is not origin", {"origin"})   # Condition("destination", "not", (), "origin")
    read("mode is one of bus, train").holds({"mode": "bus"})                   # True

The text after the comparison is a name of the task if the task has it, unless it is quoted. The
comparisons are those of queries (`dialoom.dialogue.constraint`); of dates and times "greater" is
later. Nothing is evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from dialoom.dialogue.annotation import DefaultedStruct, Value
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
"""Comparison to its operator; "is" comes after those that begin with it, for `SENTENCE`."""

SENTENCE = rf"([A-Za-z]\w*) ({'|'.join(OPERATORS)}) (\S.*)"
"""Pattern of a condition: a name, a comparison, and the right-hand side."""

_WRITTEN = {operator: text for text, operator in OPERATORS.items()}
_ORDER: dict[Operator, tuple[int, ...]] = {
    "at_least": (0, 1),
    "at_most": (-1, 0),
    "less": (-1,),
    "greater": (1,),
}
"""Operator to the signs of (first - second) for which it holds."""


class Condition(DefaultedStruct, frozen=True):
    """One comparison with canonical `values` (several with `one_of`), or with `other`'s."""

    name: str
    operator: Operator = "equal"
    values: tuple[Value, ...] = ()
    other: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The slots, inputs and outputs that it compares."""
        return (self.name,) if self.other is None else (self.name, self.other)

    def __str__(self) -> str:
        right = self.other or ", ".join(map(str, self.values))
        return f"{self.name} {_WRITTEN[self.operator]} {right}"

    def holds(self, state: Mapping[str, Any], declined: Collection[str] = ()) -> bool | None:
        """Return True if it holds; None if a value is unknown.

        One value of a list has to meet it. A slot in `declined`, without a preference, meets none.
        """
        unknown = [name for name in self.names if name not in state]
        if unknown:
            return False if any(name in declined for name in unknown) else None
        right = self.values if self.other is None else _listed(state[self.other])
        return _compare(_listed(state[self.name]), self.operator, right)


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
    """Return the sign of one value minus another: -1, 0 or 1; None where they have no order."""
    numbers = isinstance(one, int | float) and isinstance(other, int | float)
    if not numbers and not (isinstance(one, str) and isinstance(other, str)):
        return None
    return int(one > other) - int(one < other)


def read(text: str, names: Collection[str] = ()) -> Condition | None:
    """Parse a condition, else None; a name in `names` after the comparison is no value."""
    match = re.fullmatch(SENTENCE, text)
    if match is None:
        return None
    name, operator, right = match[1], OPERATORS[match[2]], match[3].strip()
    if right in names and operator != "one_of":
        return Condition(name, operator, (), right)
    values = right.split(",") if operator == "one_of" else [right]
    return Condition(name, operator, tuple(value.strip().strip('"') for value in values))


def all_hold(
    conditions: Iterable[Condition], state: Mapping[str, Any], declined: Collection[str] = ()
) -> bool | None:
    """Return True if all conditions hold; None if that depends on an unknown value."""
    met = [condition.holds(state, declined) for condition in conditions]
    return False if False in met else None if None in met else True
