"""A user's turn before its frames are tracked, and how its arguments fit the frames."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from dialoom.dialogue import SYSTEM, USER, Act, Argument, Frame, FrameOf, Question, Utterance
from dialoom.dialogue.annotation import Part, Value
from dialoom.dialogue.frames import ID, START
from dialoom.dialogue.references import NEW
from dialoom.dialogue.views import parts

NEVER = -1
"""The turn of an event that has not happened."""


@dataclass(slots=True)
class FrameHistory:
    """The history of a frame; turns are counted from 0.

    `maker` is the agent of the turn that created it (`made`); of the first frame, the user. `act`
    is the first act that refers to it, `place` its index among the frames of that turn. `active` is
    the last turn after which it was active, or `NEVER`, `times` their number. `stated` maps agents
    to their last turn about the frame, `stated_slots` slots to values in the system's last turn, or
    None if it asked.
    """

    frame: Frame
    made: int = 0
    maker: str = USER
    act: str = ""
    place: int = 0
    active: int = NEVER
    times: int = 0
    stated: dict[str, int] = field(default_factory=dict)
    stated_slots: dict[str, Value] = field(default_factory=dict)


class UserTurn:
    """A user's turn whose frames are to be predicted.

    `number` counts the turns before it. `frames` are existing candidates, `active` is the frame
    before the turn. `system` and `said` are acts and text of the system's last turn, `before` the
    acts of the user's turn before. `new` is False if the question shows the turn's frames.
    """

    def __init__(self, question: Question[FrameOf]) -> None:
        *earlier, now = question.utterances
        self.acts: Sequence[Act] = question.asked.acts
        self.text, self.number = now.text, len(earlier)
        self.frames = {frame.id: FrameHistory(frame) for frame in START.frames}
        self.active = START.active
        self.system: Sequence[Act] = ()
        self.before: Sequence[Act] = ()
        self.said = ""
        for number, event in enumerate(earlier):
            part = _tracked(event)
            if part is not None:
                self._follow(number, event, part)
        leaked = _tracked(now)
        self.new = leaked is None
        if leaked is not None:
            self._update(self.number, USER, leaked)

    @property
    def candidates(self) -> list[int]:
        """The frames that an act may refer to; `NEW` comes last."""
        return [*self.frames, NEW] if self.new else [*self.frames]

    def _follow(self, number: int, event: Utterance, part: Part) -> None:
        acts = part.acts or ()
        self._update(number, event.agent, part)
        if event.agent == SYSTEM:
            self.system, self.said = acts, event.text
            for each in self.frames.values():
                each.stated_slots = {}
        else:
            self.before = acts
        self._refer(number, event.agent, acts)
        if part.active_frame in self.frames:
            self.active = part.active_frame
        history = self.frames[self.active]
        history.active, history.times = number, history.times + 1

    def _update(self, number: int, agent: str, part: Part) -> None:
        place = 0
        for frame in part.frames or ():
            history = self.frames.get(frame.id)
            if history is not None:
                history.frame = frame
            else:
                self.frames[frame.id] = FrameHistory(frame, number, agent, place=place)
                place += 1

    def _refer(self, number: int, agent: str, acts: Sequence[Act]) -> None:
        for act in acts:
            frame_id = next((a.values[0] for a in act.arguments if a.slot == ID and a.values), None)
            plain = [a for a in act.arguments if not a.references and a.slot != ID]
            references = {
                each.frame: each.arguments or () for a in act.arguments for each in a.references
            }
            if frame_id is not None and frame_id in self.frames:
                references[int(frame_id)] = tuple(plain)
            elif agent == SYSTEM:
                self._record(self.active, plain)
            for frame, arguments in references.items():
                each = self.frames.get(frame)
                if each is None:
                    continue
                each.stated[agent] = number
                each.act = each.act or act.name
                if agent == SYSTEM:
                    self._record(frame, arguments)

    def _record(self, frame: int, arguments: Iterable[Argument]) -> None:
        self.frames[frame].stated_slots.update(
            (a.slot, a.values[0] if a.values else None) for a in arguments
        )


def _tracked(event: Utterance) -> Part | None:
    return next((part for part in parts(event) if part.frames is not None), None)


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


class Fit(NamedTuple):
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


def fit(argument: Argument, history: FrameHistory) -> Fit:
    """Return the fit of an argument with a frame."""
    facts = [each.value for each in history.frame.info.get(argument.slot, ())]
    value = argument.values[0] if argument.values else None
    recent = ABSENT
    if argument.slot in history.stated_slots:
        stated = history.stated_slots[argument.slot]
        recent = BARE if stated is None or value is None else alike(value, stated)
    if value is None:
        return Fit(stated=recent, held=bool(facts))
    others = (each.value for values in history.frame.info.values() for each in values)
    return Fit(
        best=most(alike(value, each) for each in facts),
        inside=most(contained(value, each) for each in facts),
        around=most(contained(each, value) for each in facts),
        numbers=most(numbers_alike(value, each) for each in facts),
        elsewhere=most(alike(value, each) for each in others),
        stated=recent,
        held=bool(facts),
    )


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
