"""A cache of what is derived from one task: compiled once, found again by the task's identity.

    @once_for_each
    def reader_of(task: TaskSchema) -> TaskReader: ...

Tasks are large values, whose hash would cost more than the cached result saves.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")
R = TypeVar("R")

KEPT = 256
"""Most results that each cache keeps; the bundled tasks and services are fewer."""


def once_for_each(make: Callable[Concatenate[T, P], R]) -> Callable[Concatenate[T, P], R]:
    """Cache a function's results by the identity of its first argument; others are hashed.

    An entry keeps its object, so that no other object gets the same identity meanwhile.
    """
    results: dict[tuple[Hashable, ...], tuple[Any, R]] = {}

    @wraps(make)
    def cached(item: T, /, *args: P.args, **options: P.kwargs) -> R:
        key = (id(item), *args, *options.items())
        entry = results.get(key)
        if entry is None:
            if len(results) >= KEPT:
                results.clear()
            entry = results[key] = (item, make(item, *args, **options))
        return entry[1]

    return cached
