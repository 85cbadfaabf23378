"""Coins for many places at once, from a rng of random numbers."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from hashlib import blake2b

from dialoom.sim.core.rng import SeededRng

_WORDS = struct.Struct("<16I")


def event_rng(seed: int, dialogue: str, event: int, name: str) -> SeededRng:
    """Return the numbers for one event: they depend on nothing but these arguments."""
    key = b"%d:%d:" % (seed, event) + dialogue.encode("utf-8", "surrogatepass")
    return SeededRng(blake2b(key, digest_size=32).digest(), name.encode())


def hits(rng: SeededRng, places: int, rate: float) -> Iterator[int]:
    """Yield the places, of 0 to `places` - 1, whose coin of probability `rate` fell."""
    limit = round(rate * (1 << 32))
    for first in range(0, places, 16):
        words = _WORDS.unpack(rng.bytes())
        for place, word in enumerate(words[: places - first], first):
            if word < limit:
                yield place


def falls(rng: SeededRng, rate: float) -> bool:
    """Tell whether one coin of probability `rate` fell."""
    return next(hits(rng, 1, rate), None) is not None
