"""Loops of checks that must not be empty."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

Found = TypeVar("Found")


def some(found: Iterable[Found]) -> Iterator[Found]:
    """Yield what was found; fail at the end if that was nothing, for then nothing was checked."""
    count = 0
    for each in found:
        count += 1
        yield each
    assert count, "nothing was found that could be checked"
