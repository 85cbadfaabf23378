"""Caches of what is derived from one task or one text: computed once, then looked up.

Tasks are found by their identity: they are large values, whose hash would cost more than the cached
result saves.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
P = ParamSpec("P")
R = TypeVar("R")

KEPT = 256
"""Capacity of each cache of `once_for_each`; there are fewer bundled tasks and services."""

LATEST = 20_000
"""Default capacity of a `Kept`."""


class Kept(dict[K, R]):
    """The results of a function by its argument; all are dropped when there are too many.

    Quicker than `lru_cache`, which tracks their order (benchmarks/read_star.py).
    """

    def __init__(self, work: Callable[[K], R], most: int = LATEST) -> None:
        super().__init__()
        self._work, self._most = work, most

    def __missing__(self, key: K) -> R:
        if len(self) >= self._most:
            self.clear()
        result = self[key] = self._work(key)
        return result


class KeptById(Generic[T, R]):
    """The results of a function by the identity of its argument, as `once_for_each`.

    All are dropped when there are `most`.
    """

    __slots__ = ("_kept", "_most", "_work")

    def __init__(self, work: Callable[[T], R], most: int) -> None:
        self._work, self._most = work, most
        self._kept: dict[int, tuple[T, R]] = {}

    def __call__(self, item: T) -> R:
        """Return the result of the work on an item, computed once while the item is kept."""
        entry = self._kept.get(id(item))
        if entry is None:
            if len(self._kept) >= self._most:
                self._kept.clear()
            # keeps the argument alive, so that no other object gets its id
            entry = self._kept[id(item)] = (item, self._work(item))
        return entry[1]


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
