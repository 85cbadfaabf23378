"""A seeded sample of a stream, independent of its order, that holds only the chosen items."""

from __future__ import annotations

from hashlib import blake2b
from heapq import heappush, heappushpop

from dialoom.quality.challenge.items import GenerationItem


class Sample:
    """Keeps the `size` items whose ids rank lowest under a hash.

    Args:
        size: How many to keep.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.offered = 0
        self._kept: list[tuple[int, int, GenerationItem]] = []

    def offer(self, item: GenerationItem, rank: int) -> None:
        """Look at an item; `rank` is that of its id."""
        self.offered += 1
        entry = (-rank, -self.offered, item)  # the heap gives up its smallest: the highest rank
        if len(self._kept) < self.size:
            heappush(self._kept, entry)
        else:
            heappushpop(self._kept, entry)

    @property
    def items(self) -> list[GenerationItem]:
        """The items kept, in the order in which they were offered."""
        return [item for _, _, item in sorted(self._kept, key=lambda entry: -entry[1])]


def rank_of(seed: int, name: str, item: str) -> int:
    """Return the hash of seed, name and item id by which items are ranked."""
    key = f"{seed}:{name}:{item}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(key, digest_size=8).digest(), "little")
