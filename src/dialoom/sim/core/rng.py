"""Random numbers that are the same everywhere: hashes of a seed, one block after another.

    rng = SeededRng(seed_of(7, 41), b"goal")  # run 7, dialogue 41
    rng.below(6)                            # 0 to 5
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


@lru_cache(maxsize=2)
def seed_of(run: int, index: int) -> bytes:
    """Return the seed of dialogue `index` of a run."""
    return blake2b(b"%d:%d" % (run, index), digest_size=32).digest()


class SeededRng:
    """Numbers drawn from a seed; streams with other names do not disturb one another."""

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

    def once_in(self, times: int) -> bool:
        """Return true once in so many times on average; never where `times` is 0."""
        return times > 0 and self.below(times) == 0

    def bytes(self) -> bytes:
        """Return 64 random bytes, for what needs many small numbers of little weight."""
        digest = blake2b(self._key, salt=self._block.to_bytes(8, "little")).digest()
        self._block += 1
        return digest
