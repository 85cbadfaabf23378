"""The fit of an argument with a frame: similarity of its value to the frame's values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from dialoom.dialogue import Argument
from dialoom.dialogue.annotation import Value
from dialoom.models.frames.turn import FrameHistory

ABSENT = float("nan")
"""The similarity if there is nothing to compare: a missing value for trees."""

_SPLIT = re.compile(r"[^a-z0-9.]+")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@lru_cache(maxsize=100_000, typed=True)
def trigrams(value: Value) -> frozenset[str]:
    """Return the character trigrams of a value in lower case, with blanks at its ends."""
    words = _SPLIT.sub(" ", str(value).lower()).strip(" .")
    padded = f" {words} "
    return frozenset(padded[n : n + 3] for n in range(len(padded) - 2))


@lru_cache(maxsize=200_000, typed=True)
def alike(one: Value, other: Value) -> float:
    """Return the Dice coefficient of two values' trigrams, from 0 to 1."""
    a, b = trigrams(one), trigrams(other)
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else float(one == other)


@lru_cache(maxsize=200_000, typed=True)
def contained(one: Value, other: Value) -> float:
    """Return the share of the trigrams of `one` that `other` has, from 0 to 1."""
    a, b = trigrams(one), trigrams(other)
    return len(a & b) / len(a) if a else 0.0


@lru_cache(maxsize=100_000, typed=True)
def numbers(value: Value) -> frozenset[float]:
    """Return the numbers in a value."""
    return frozenset(map(float, _NUMBER.findall(str(value))))


def numbers_alike(one: Value, other: Value) -> float:
    """Return the Jaccard coefficient of two values' numbers; `ABSENT` if either has none."""
    a, b = numbers(one), numbers(other)
    return len(a & b) / len(a | b) if a and b else ABSENT


SAME = 0.6
"""Least similarity of two values that are taken to be the same."""

BARE = 2.0
"""The similarity to a slot that was asked for, or is given, without a value: above all others."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The fit of an argument with a frame: similarities, 0 to 1, `ABSENT` with nothing to compare.

    `best` is the similarity to the frame's most similar value of the slot. `inside` is the greatest
    share of the value's trigrams in one of these, `around` that of theirs in the value, `numbers`
    that of common numbers. `elsewhere` compares with any slot, `stated` with the value in the
    system's last turn (or `BARE`).
    """

    best: float = ABSENT
    inside: float = ABSENT
    around: float = ABSENT
    numbers: float = ABSENT
    elsewhere: float = ABSENT
    stated: float = ABSENT
    held: bool = False

    @property
    def likeness(self) -> float:
        """The similarity of numbers if there are any, else the best one; -1 for none."""
        if self.numbers == self.numbers:
            return self.numbers
        return most((self.best, self.inside, self.around), -1.0)

    @property
    def matches(self) -> bool:
        """True if the frame has the value: the likeness is at least `SAME`."""
        return self.likeness >= SAME

    @property
    def differs(self) -> bool:
        """True if the frame has only other values of the slot."""
        return self.best == self.best and not self.matches

    @property
    def row(self) -> tuple[float, ...]:
        """The features of the fit."""
        return (
            self.best,
            self.inside,
            self.around,
            self.numbers,
            self.elsewhere,
            self.stated,
            float(self.held),
        )


def fit(argument: Argument, history: FrameHistory) -> Fit:
    """Return the fit of an argument with a frame."""
    known = [each.value for each in history.frame.info.get(argument.slot, ())]
    value = argument.values[0] if argument.values else None
    recent = _recent_similarity(argument.slot, value, history)
    if value is None:
        return Fit(stated=recent, held=bool(known))
    others = (each.value for values in history.frame.info.values() for each in values)
    return Fit(
        best=most(alike(value, each) for each in known),
        inside=most(contained(value, each) for each in known),
        around=most(contained(each, value) for each in known),
        numbers=most(numbers_alike(value, each) for each in known),
        elsewhere=most(alike(value, each) for each in others),
        stated=recent,
        held=bool(known),
    )


def _recent_similarity(slot: str, value: Value, history: FrameHistory) -> float:
    if slot not in history.stated_slots:
        return ABSENT
    recent = history.stated_slots[slot]
    return BARE if recent is None or value is None else alike(value, recent)


def most(values: Iterable[float], default: float = ABSENT) -> float:
    """Return the greatest of the values that are not NaN; the default if there is none."""
    return max((value for value in values if value == value), default=default)


def tally(fits: Sequence[Fit]) -> tuple[float, ...]:
    """Count arguments by fit: same value, other values of the slot, no slot, just mentioned."""
    return (
        float(sum(each.matches for each in fits)),
        float(sum(each.differs for each in fits)),
        float(sum(each.best != each.best for each in fits)),
        float(sum(each.stated >= SAME for each in fits)),
    )
