"""A cache of a function of one constraint.

    bound = ByConstraint(bind)
    bound(constraint)               # bind(constraint), computed once

A simulator makes each constraint once and uses it in thousands of dialogues (measured by
benchmarks/simulate.py). The cache compares by identity, since 1 and True are equal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from dialoom.dialogue.constraint import Constraint

T = TypeVar("T")

KEPT = 4096
"""Most constraints in a cache."""


class ByConstraint(Generic[T]):
    """A function of a constraint with a cache of its results."""

    __slots__ = ("_kept", "_work")

    def __init__(self, work: Callable[[Constraint], T]) -> None:
        self._work = work
        self._kept: dict[int, tuple[Constraint, T]] = {}

    def __call__(self, constraint: Constraint) -> T:
        """Return the result of the function, cached by constraint."""
        found = self._kept.get(id(constraint))
        if found is None:
            if len(self._kept) >= KEPT:
                self._kept.clear()
            # keeps the constraint alive, so that no other object gets its id
            found = self._kept[id(constraint)] = (constraint, self._work(constraint))
        return found[1]
