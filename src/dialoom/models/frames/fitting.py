"""How an argument fits a frame: what its value has in common with what the frame holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dialoom.dialogue import Argument
from dialoom.dialogue.annotation import Value
from dialoom.models.frames.turn import FrameHistory
from dialoom.models.frames.values import ABSENT, alike, contained, numbers_alike

SAME = 0.6
"""From which likeness on two values are taken for one."""

BARE = 2.0
"""Stands for the likeness to a slot that was asked or is given without a value."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How an argument fits a frame; each from 0 to 1, ABSENT where there is nothing to compare.

    Attributes:
        best: The likeness of its value to the frame's likest one of that slot.
        inside: How much of the value is in one of the frame's.
        around: How much of one of the frame's is in the value.
        numbers: The share of common numbers, at best.
        elsewhere: The likeness to the frame's likest value of any slot.
        told: The likeness to what the system's last turn told of the frame, or BARE.
        held: Whether the frame has the slot.
    """

    best: float = ABSENT
    inside: float = ABSENT
    around: float = ABSENT
    numbers: float = ABSENT
    elsewhere: float = ABSENT
    told: float = ABSENT
    held: bool = False

    @property
    def likeness(self) -> float:
        """The best of what tells that the frame has the value; -1 where nothing does."""
        if self.numbers == self.numbers:
            return self.numbers
        return most((self.best, self.inside, self.around), -1.0)

    @property
    def matches(self) -> bool:
        """Whether the frame has the value."""
        return self.likeness >= SAME

    @property
    def differs(self) -> bool:
        """Whether the frame has other values only."""
        return self.best == self.best and not self.matches

    @property
    def row(self) -> tuple[float, ...]:
        """The numbers that trees read."""
        return (
            self.best,
            self.inside,
            self.around,
            self.numbers,
            self.elsewhere,
            self.told,
            float(self.held),
        )


def fit(argument: Argument, history: FrameHistory) -> Fit:
    """Tell how well the value of an act's argument fits what a frame holds of its slot."""
    known = [each.value for each in history.frame.info.get(argument.slot, ())]
    value = argument.values[0] if argument.values else None
    told = _told(argument.slot, value, history)
    if value is None:
        return Fit(told=told, held=bool(known))
    others = (each.value for values in history.frame.info.values() for each in values)
    return Fit(
        best=most(alike(value, each) for each in known),
        inside=most(contained(value, each) for each in known),
        around=most(contained(each, value) for each in known),
        numbers=most(numbers_alike(value, each) for each in known),
        elsewhere=most(alike(value, each) for each in others),
        told=told,
        held=bool(known),
    )


def _told(slot: str, value: Value, history: FrameHistory) -> float:
    if slot not in history.told_slots:
        return ABSENT
    told = history.told_slots[slot]
    return BARE if told is None or value is None else alike(value, told)


def most(values: Iterable[float], default: float = ABSENT) -> float:
    """Return the greatest of the values that are there."""
    return max((value for value in values if value == value), default=default)


def tally(fits: Sequence[Fit]) -> tuple[float, ...]:
    """Count how many arguments a frame has, has otherwise, does not have, and was just told."""
    return (
        float(sum(each.matches for each in fits)),
        float(sum(each.differs for each in fits)),
        float(sum(each.best != each.best for each in fits)),
        float(sum(each.told >= SAME for each in fits)),
    )
