"""A cache of values that a corpus repeats; quicker than `lru_cache`, which tracks their order.

benchmarks/read_star.py and benchmarks/formats.py measure the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Kept(dict[K, V]):
    """A dictionary that makes values on first look-up, and is cleared beyond `most` values."""

    def __init__(self, make: Callable[[K], V], most: int) -> None:
        self.make, self.most = make, most

    def __missing__(self, key: K) -> V:
        value = self.make(key)
        if len(self) >= self.most:
            self.clear()
        self[key] = value
        return value
