"""Random numbers that are the same everywhere: hashes of a seed, one block after another.

    rng = SeededRng(seed_of(7, 41), b"goal")  # run 7, dialogue 41
    rng.below(6)                              # 0 to 5
    rng.choice(("north", "south"))

Python's own generator takes 9 us to start, which is much for the dozen numbers that a dialogue
needs, and `hash()` differs from run to run.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")

_WORDS = struct.Struct("<16I")

_WIDE = 1 << 20
"""Limits from here on take two words, lest small numbers be favoured."""

_FINE = 1 << 32
"""Steps in which `hits` tells a probability."""


@lru_cache(maxsize=2)
def seed_of(run: int, index: int) -> bytes:
    """Return the seed of dialogue `index` of a run."""
    return blake2b(b"%d:%d" % (run, index), digest_size=32).digest()


def event_rng(seed: int, dialogue: str, event: int, name: str) -> SeededRng:
    """Return the random numbers for one event of a dialogue, which depend on nothing else."""
    key = b"%d:%d:" % (seed, event) + dialogue.encode("utf-8", "surrogatepass")
    return SeededRng(blake2b(key, digest_size=32).digest(), name.encode())


class SeededRng:
    """Numbers drawn from a seed; generators with other names do not disturb one another."""

    __slots__ = ("_block", "_key", "_words")

    def __init__(self, seed: bytes, name: bytes) -> None:
        self._key = seed + name
        self._block = 0
        self._words: Iterator[int] = iter(())

    def below(self, limit: int) -> int:
        """Return a number from 0 to `limit` - 1."""
        for word in self._words:
            if limit < _WIDE:
                return word % limit
            return (word << 32 | next(self._words, 0)) % limit
        self._refill()
        return self.below(limit)

    def choice(self, values: Sequence[T]) -> T:
        """Return one of the values."""
        many = len(values)
        if many == 1:
            return values[0]
        for word in self._words:
            return values[word % many]
        self._refill()
        return self.choice(values)

    def _refill(self) -> None:
        self._words = iter(_WORDS.unpack(self.bytes()))

    def another(self, values: Sequence[T], value: T) -> T:
        """Return one of several different values that is not the given one."""
        place = self.below(len(values) - 1)
        return values[place] if values[place] != value else values[-1]

    def weighted(self, weights: Sequence[int]) -> int:
        """Return the place of one of the weights, each as often as it says."""
        left = self.below(sum(weights))
        for place, weight in enumerate(weights):
            left -= weight
            if left < 0:
                return place
        return len(weights) - 1

    def shuffle(self, values: list[T]) -> list[T]:
        """Put a list in random order (Fisher and Yates) and return it."""
        for last in range(len(values) - 1, 0, -1):
            other = self.below(last + 1)
            values[last], values[other] = values[other], values[last]
        return values

    def once_in(self, times: int) -> bool:
        """Return true once in so many times on average; never where `times` is 0."""
        return times > 0 and self.below(times) == 0

    def hits(self, places: int, rate: float) -> Iterator[int]:
        """Yield each of the places 0 to `places` - 1 with probability `rate`."""
        limit = round(rate * _FINE)
        for first in range(0, places, 16):
            words = _WORDS.unpack(self.bytes())
            for place, word in enumerate(words[: places - first], first):
                if word < limit:
                    yield place

    def happens(self, rate: float) -> bool:
        """Return true with probability `rate`."""
        return next(self.hits(1, rate), None) is not None

    def uuid(self) -> str:
        """Return an id of 32 hex digits in five groups."""
        digits = self.bytes().hex()
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:32]))

    def bytes(self) -> bytes:
        """Return 64 random bytes, for what needs many small numbers of little weight."""
        digest = blake2b(self._key, salt=self._block.to_bytes(8, "little")).digest()
        self._block += 1
        return digest
