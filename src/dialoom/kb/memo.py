"""A cache of a function of constraints.

    bound = ByConstraint(bind)
    bound(constraint)               # bind(constraint), or what that was

A simulator makes a constraint once for each value and calls with it in thousands of dialogues:
benchmarks/simulate.py. Constraints are told apart as objects, since 1 and True are equal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from dialoom.dialogue.constraint import Constraint

T = TypeVar("T")

KEPT = 4096
"""Constraints remembered at most."""


class ByConstraint(Generic[T]):
    """A function of a constraint that remembers what it gave.

    Args:
        work: The function.
    """

    __slots__ = ("_kept", "_work")

    def __init__(self, work: Callable[[Constraint], T]) -> None:
        self._work = work
        self._kept: dict[int, tuple[Constraint, T]] = {}

    def __call__(self, constraint: Constraint) -> T:
        """Return what the function gives; what it raises is raised."""
        found = self._kept.get(id(constraint))
        if found is None:
            if len(self._kept) >= KEPT:
                self._kept.clear()
            # the constraint is kept too, so that no other object gets its id
            found = self._kept[id(constraint)] = (constraint, self._work(constraint))
        return found[1]
