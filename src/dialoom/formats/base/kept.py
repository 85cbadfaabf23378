"""Values that a corpus repeats, made once: quicker than `lru_cache`, which keeps them in order.

Defended by benchmarks/read_star.py and benchmarks/formats.py.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Kept(dict[K, V]):
    """Values made from keys, each when it is first asked for.

    Args:
        make: Makes the value of a key.
        most: How many are kept; when there are more, all are forgotten.
    """

    def __init__(self, make: Callable[[K], V], most: int) -> None:
        self.make, self.most = make, most

    def __missing__(self, key: K) -> V:
        value = self.make(key)
        if len(self) >= self.most:
            self.clear()
        self[key] = value
        return value
