"""Random numbers that are the same on every machine: BLAKE2b hashes of a seed and a counter.

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
"""Limits from which on `below` uses 64 bits of the hash in place of 32: the remainder of 32 bits
would make small numbers more likely by up to one part in 4,096."""

_FINE = 1 << 32
"""Denominator of the probabilities of `hits`: the range of a 32-bit word."""


@lru_cache(maxsize=2)
def seed_of(run: int, index: int) -> bytes:
    """Return the seed of dialogue `index` of a run, 32 bytes."""
    return blake2b(b"%d:%d" % (run, index), digest_size=32).digest()


def event_rng(seed: int, dialogue: str, event: int, name: str) -> SeededRng:
    """Return a generator that depends only on the seed, the dialogue's id, the event and a name."""
    key = b"%d:%d:" % (seed, event) + dialogue.encode("utf-8", "surrogatepass")
    return SeededRng(blake2b(key, digest_size=32).digest(), name.encode())


class SeededRng:
    """A random generator with a seed and a name; other names give independent numbers."""

    __slots__ = ("_block", "_key", "_words")

    def __init__(self, seed: bytes, name: bytes) -> None:
        self._key = seed + name
        self._block = 0
        self._words: Iterator[int] = iter(())

    def below(self, limit: int) -> int:
        """Return a whole number from 0 to `limit` - 1, uniformly drawn."""
        for word in self._words:
            if limit < _WIDE:
                return word % limit
            return (word << 32 | next(self._words, 0)) % limit
        self._refill()
        return self.below(limit)

    def choice(self, values: Sequence[T]) -> T:
        """Return one of the values, uniformly drawn."""
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
        """Return one of several different values other than the given one."""
        place = self.below(len(values) - 1)
        return values[place] if values[place] != value else values[-1]

    def weighted(self, weights: Sequence[int]) -> int:
        """Return the index of one of the weights, drawn in proportion to them."""
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
        """Return True with probability 1 / `times`; never if `times` is 0."""
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
        """Return the next 64 random bytes."""
        digest = blake2b(self._key, salt=self._block.to_bytes(8, "little")).digest()
        self._block += 1
        return digest
