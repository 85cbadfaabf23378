"""The parameters of a call in formats that have no operators: slots with their values.

    {"area": "north", "day": ["Monday", "Tuesday"]}

A value means equality, a list one of its values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from dialoom.dialogue.constraint import Constraint
from dialoom.formats.base.values import SCALAR, Json

_CALL = re.compile(r"\s*api\.[a-z_]+\(")
"""The beginning of a constraint in STAR's grammar."""


def read(parameters: Mapping[str, Any]) -> Iterator[Constraint]:
    """Yield the constraints of an object; none for a value of another kind."""
    for slot, value in parameters.items():
        if type(value) in SCALAR.types:
            yield Constraint(slot, "equal", (value,))
        elif type(value) is list and all(type(each) in SCALAR.types for each in value):
            yield Constraint(slot, "one_of", tuple(value))


def write(constraints: Iterable[Constraint]) -> Json:
    """Return the object of some constraints, with the first one of each slot.

    Constraints with another operator or without a value are left out: what they exclude would be
    read back as what they ask for. A text that is no constraint stays as it is.
    """
    parameters: Json = {}
    for each in constraints:
        if each.operator == "equal" and each.values:
            parameters.setdefault(each.slot, each.value)
        elif each.operator == "one_of":
            parameters.setdefault(each.slot, list(each.values))
        elif each.operator is None and each.raw is not None and not _CALL.match(each.raw):
            parameters.setdefault(each.slot, each.raw)
    return parameters
