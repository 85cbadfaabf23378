"""Features of frame tracking: of each pair of an argument, or an act, and a candidate frame.

The pairs of one turn share the features of the turn and of its candidates (`FrameCandidates`).
Names of acts and slots are numbered in the order of training.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dialoom.dialogue import SYSTEM, USER, Act
from dialoom.dialogue.frames import CONSTRAINTS, MOREINFO, REJECTED
from dialoom.dialogue.references import NEW
from dialoom.learn.trees import Row
from dialoom.models.frames.turn import (
    ABSENT,
    NEVER,
    Fit,
    FrameHistory,
    UserTurn,
    contained,
    fit,
    most,
    tally,
)

LONG_AGO = 99.0
"""Age, in turns, of an event that has not happened: more than the turns of most dialogues."""

MENTIONED = 0.85
"""Least share of a value's trigrams in a text for the value to count as mentioned there."""

Mentions = frozenset[tuple[str, str]]


@dataclass
class NameNumbers:
    """Numbers of acts or slots, from 0, in the order of training; new names have none."""

    numbers: dict[str, int] = field(default_factory=dict)

    def learn(self, names: Iterator[str]) -> None:
        """Number new names."""
        for name in names:
            self.numbers.setdefault(name, len(self.numbers))

    def number(self, name: str) -> float:
        """Return the number of a name, `ABSENT` if it has none."""
        return float(self.numbers.get(name, ABSENT))

    def marks(self, acts: Sequence[Act]) -> Row:
        """Return for each known name whether some acts have it."""
        names = {act.name for act in acts}
        return [float(name in names) for name in self.numbers]


class FrameCandidates:
    """The candidate frames of a turn, and their features; `acts` and `slots` number names."""

    def __init__(self, turn: UserTurn, acts: NameNumbers, slots: NameNumbers) -> None:
        self.turn, self._acts, self._slots = turn, acts, slots
        self.frames = turn.candidates
        self._arguments = [(act, argument) for act in turn.acts for argument in act.arguments]
        self._fits = {
            frame: [fit(argument, history) for _, argument in self._arguments]
            for frame, history in turn.frames.items()
        }
        self._mentioned = {
            frame: _mentions(history, turn.text) for frame, history in turn.frames.items()
        }
        self._net = {
            frame: sum(each.matches - each.differs for each in fits)
            for frame, fits in self._fits.items()
        }
        self._turn = list(self._of_turn())
        self._frame = {frame: list(self._of_frame(frame)) for frame in self.frames}

    def act_rows(self, act: Act) -> list[Row]:
        """Return the features of an act as a whole with each candidate."""
        own = [n for n, (each, _) in enumerate(self._arguments) if each is act]
        about = [self._acts.number(act.name), float(len(own)), *self._turn]
        return [[*about, *self._frame[frame], *self._of_act(own, frame)] for frame in self.frames]

    def argument_rows(self, number: int) -> list[Row]:
        """Return the features of an argument, by its index in the turn, with each candidate."""
        about = [*self._of_argument(number), *self._turn]
        return [
            [*about, *self._frame[frame], *self._of_pair(number, frame)] for frame in self.frames
        ]

    def _of_argument(self, number: int) -> Iterator[float]:
        act, argument = self._arguments[number]
        system = [each for one in self.turn.system for each in one.arguments]
        slots = {each.slot for each in system if not each.references}
        twins = [n for n, each in enumerate(self._arguments) if each == (act, argument)]
        pairs = enumerate(self._arguments)
        siblings = [n for n, (one, a) in pairs if one is act and a.slot == argument.slot]
        yield self._acts.number(act.name)
        yield self._slots.number(argument.slot)
        yield float(len(act.arguments))
        yield float(bool(argument.values) and argument.values[0] is not None)
        yield float(argument.slot in slots)
        yield float(argument.slot in CONSTRAINTS)
        yield float(len(twins))
        yield float(twins.index(number))
        yield float(len(siblings))
        yield float(siblings.index(number))

    def _of_turn(self) -> Iterator[float]:
        turn, fits = self.turn, self._fits
        histories = turn.frames.values()
        yield float(turn.number)
        yield float(len(turn.frames))
        yield float(len(self._arguments))
        yield float(len(turn.text.split()))
        yield float(sum(map(self._fresh, histories)))
        yield float(sum(self._since(each.stated.get(SYSTEM, NEVER)) == 1 for each in histories))
        yield from tally(fits[turn.active])
        yield float(max(self._net.values()))
        yield float(any(all(each.matches for each in group) for group in fits.values() if group))
        for acts in (turn.acts, turn.system, turn.before):
            yield from self._acts.marks(acts)

    def _fresh(self, history: FrameHistory) -> bool:
        return self._since(history.made) == 1 and history.maker == SYSTEM

    def _since(self, turn: int) -> float:
        return float(self.turn.number - turn) if turn != NEVER else LONG_AGO

    def _of_frame(self, frame: int) -> Row:
        """Return the features of a candidate; `ABSENT` in place of a new frame's history."""
        turn, history = self.turn, self.turn.frames.get(frame)
        row = list(self._of_history(frame, history)) if history else [ABSENT] * _FRAME_COLUMNS
        return [float(frame == NEW), float(frame == turn.active), *row]

    def _of_history(self, frame: int, history: FrameHistory) -> Iterator[float]:
        turn, turns = self.turn, history.stated
        yield self._since(history.made)
        yield self._since(history.active)
        yield self._since(turns.get(SYSTEM, NEVER))
        yield self._since(turns.get(USER, NEVER))
        yield float(history.maker == USER)
        yield self._acts.number(history.act)
        yield float(self._fresh(history))
        yield float(history.place)
        yield float(history.times)
        yield float(len(turn.frames) - frame)
        yield float(history.frame.parent == turn.active)
        yield float(turn.frames[turn.active].frame.parent == frame)
        for mark in (REJECTED, MOREINFO):
            marks = history.frame.info.get(mark)
            yield float(bool(marks[-1].value)) if marks else ABSENT
        yield float(len(history.frame.info))
        yield float(len(history.stated_slots))
        yield from tally(self._fits[frame])
        yield float(self._net[frame] - self._net[turn.active])
        yield float(self._net[frame] - max(self._net.values()))
        yield float(sum(net >= self._net[frame] for f, net in self._net.items() if f > frame))
        yield from self._of_mentions(frame, history)

    def _of_mentions(self, frame: int, history: FrameHistory) -> Iterator[float]:
        here, active = self._mentioned[frame], self._mentioned[self.turn.active]
        others = (each for number, each in self._mentioned.items() if number != frame)
        yield float(len(here))
        yield float(len(here - active))
        yield float(len(active - here))
        yield float(len(here.difference(*others)))
        yield float(any(slot == "name" for slot, _ in here))
        yield float(any(slot == "dst_city" for slot, _ in here))
        yield float(len(_mentions(history, self.turn.said)))

    def _of_act(self, own: Sequence[int], frame: int) -> Sequence[float]:
        if frame == NEW:
            return (ABSENT,) * 5
        fits = [self._fits[frame][number] for number in own]
        return (*tally(fits), most(each.likeness for each in fits))

    def _of_pair(self, number: int, frame: int) -> Sequence[float]:
        act, _ = self._arguments[number]
        others = {f: fits[number] for f, fits in self._fits.items() if f != frame}
        elsewhere = most((each.likeness for each in others.values()), -1.0)
        if frame == NEW:
            return (*Fit(best=elsewhere), elsewhere, *(ABSENT,) * 10)
        own = [n for n, (each, _) in enumerate(self._arguments) if each is act and n != number]
        fits = self._fits[frame]
        mine, active = fits[number].likeness, self._fits[self.turn.active][number]
        return (
            *fits[number],
            elsewhere,
            float(sum(each.likeness >= mine for each in others.values())),
            float(sum(each.likeness >= mine for f, each in others.items() if f > frame)),
            active.best,
            mine - active.likeness,
            *tally([fits[n] for n in own]),
            fits[number - 1].likeness if number - 1 in own else ABSENT,
            fits[number + 1].likeness if number + 1 in own else ABSENT,
        )


_FRAME_COLUMNS = 30


def _mentions(history: FrameHistory, text: str) -> Mentions:
    return frozenset(
        (slot, each.value)
        for slot, values in history.frame.info.items()
        for each in values
        if isinstance(each.value, str)
        and len(each.value) > 2
        and contained(each.value, text) >= MENTIONED
    )
