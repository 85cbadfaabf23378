"""Frame tracking by boosted trees over pairs of an argument, or an act, and a frame; by rules.

The pairs of one turn share the features of the turn and of its candidates (`FrameCandidates`).
Names of acts and slots are numbered in the order of training.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
from msgspec import Meta

from dialoom.dialogue import SYSTEM, USER, Act, Argument, FrameOf, Prediction, Question
from dialoom.dialogue.frames import CONSTRAINTS, MOREINFO, REJECTED
from dialoom.dialogue.references import NEW, ActFrames, Shares
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, Seed, Unlearnt, known, need
from dialoom.learn.trees import FittedTrees, Row, Trees
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


INFORM, SWITCH = "inform", "switch_frame"


@dataclass
class FrameRules(Unlearnt):
    """Tracks frames by rules: a baseline without learning.

    A switch selects the frame with most of the act's values, the latest mentioned one in a tie. A
    turn with a value that differs from the active frame selects the latest frame that has all its
    values, else a new one. Any other turn refers to the active frame.
    """

    name: ClassVar[str] = "frame-rules"
    kinds: ClassVar[Kinds] = (FrameOf,)

    def predict(
        self, questions: Questions, schemas: Schemas
    ) -> list[Prediction[tuple[ActFrames, ...]]]:
        """Answer each question with the frame that the turn makes active, the same for all acts.

        A switch with arguments does not refer to the frame as a whole, only its arguments do.
        """
        return [Prediction(_answer(UserTurn(question))) for question in questions]


def _answer(turn: UserTurn) -> tuple[ActFrames, ...]:
    active = _active(turn)
    shares = {frame: float(frame == active) for frame in turn.candidates}
    return tuple(
        ActFrames(
            (shares,) * len(act.arguments),
            dict.fromkeys(shares, 0.0) if act.name == SWITCH and act.arguments else shares,
        )
        for act in turn.acts
    )


def _active(turn: UserTurn) -> int:
    switched = [argument for act in turn.acts if act.name == SWITCH for argument in act.arguments]
    others = [frame for frame in turn.frames if frame != turn.active]
    if others and any(act.name == SWITCH for act in turn.acts):
        return max(others, key=lambda frame: _fit(turn, frame, switched))
    facts = (each for act in turn.acts if act.name == INFORM for each in act.arguments)
    informed = [each for each in facts if each.slot in CONSTRAINTS]
    if not any(fit(argument, turn.frames[turn.active]).differs for argument in informed):
        return turn.active
    fitting = [frame for frame in turn.frames if all(_has(turn, frame, each) for each in informed)]
    return max(fitting, default=NEW if turn.new else max(turn.frames))


def _fit(turn: UserTurn, frame: int, switched: list[Argument]) -> tuple[int, int, int]:
    """Return the sort key of a frame to switch to: matching values, last turn about it, id."""
    turns = turn.frames[frame].stated
    return sum(_has(turn, frame, each) for each in switched), max(turns.values(), default=-1), frame


def _has(turn: UserTurn, frame: int, argument: Argument) -> bool:
    return fit(argument, turn.frames[frame]).matches


TREES = Trees(rate=0.1, penalty=1.0, bins=63, share=0.4)
"""Further settings of the trees, chosen on the folds by user (docs/reference/protocols.md)."""


class FrameQuery(NamedTuple):
    """An act as a whole, or an argument of one, with a row of features for each candidate frame.

    `act` and `argument` are indices; `argument` is None for the act as a whole.
    """

    act: int
    argument: int | None
    frames: Sequence[int]
    rows: list[Row]


@dataclass
class FrameTrees:
    """Tracks frames with two sets of boosted trees: of arguments, and of acts as a whole.

    Attributes:
        iterations: Boosting rounds of each set.
        leaves: Most leaves of a tree.
    """

    name: ClassVar[str] = "frame-trees"
    kinds: ClassVar[Kinds] = (FrameOf,)
    iterations: Annotated[int, Meta(ge=1, le=100_000)] = 200
    leaves: Annotated[int, Meta(ge=2, le=100_000)] = 31
    seed: Seed = 0
    _acts: NameNumbers = field(default_factory=NameNumbers, init=False, repr=False)
    _slots: NameNumbers = field(default_factory=NameNumbers, init=False, repr=False)
    _trees: dict[bool, FittedTrees] = field(default_factory=dict, init=False, repr=False)

    @staticmethod
    def variants() -> list[dict[str, Any]]:
        """Return the settings to select from on training's own dialogues."""
        return [{}, {"iterations": 100, "leaves": 15}]

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Fit the trees on pairs of an argument or act and a frame, referred to or not."""
        need(examples)
        acts = [act for example in examples for act in example.question.asked.acts]
        self._acts, self._slots = NameNumbers(), NameNumbers()
        self._acts.learn(act.name for act in acts)
        self._slots.learn(argument.slot for act in acts for argument in act.arguments)
        tables: dict[bool, list[Row]] = {True: [], False: []}
        marks: dict[bool, list[bool]] = {True: [], False: []}
        for example in examples:
            for unit in self._units(example.question):
                answer: ActFrames = example.answer[unit.act]
                whole = unit.argument is None
                gold = answer.act if unit.argument is None else answer.arguments[unit.argument]
                tables[whole] += unit.rows
                marks[whole] += [frame in gold for frame in unit.frames]
        settings = replace(TREES, rounds=self.iterations, leaves=self.leaves)
        self._trees = {}
        for whole, rows in tables.items():
            if any(marks[whole]):
                table = np.array(rows)
                table[:, np.isnan(table).all(axis=0)] = 0
                self._trees[whole] = settings.fit(table, marks[whole], self.seed)

    def predict(
        self, questions: Questions, schemas: Schemas
    ) -> list[Prediction[tuple[ActFrames, ...]]]:
        """Return the frames of each question's acts."""
        known(self._trees)
        units = [list(self._units(question)) for question in questions]
        chances = {
            whole: iter(self._chances(whole, [u for each in units for u in each]))
            for whole in (True, False)
        }
        return [
            Prediction(
                tuple(_answers(each, [next(chances[unit.argument is None]) for unit in each]))
            )
            for each in units
        ]

    def _chances(self, whole: bool, units: Sequence[FrameQuery]) -> Iterator[Shares]:
        subset = [unit for unit in units if (unit.argument is None) is whole]
        rows = [row for unit in subset for row in unit.rows]
        trees = self._trees.get(whole)
        even = [0.5] * len(rows)
        chances = iter(even if trees is None else trees.chance(True, np.array(rows)).tolist())
        for unit in subset:
            yield {frame: next(chances) for frame in unit.frames}

    def _units(self, question: Question[FrameOf]) -> Iterator[FrameQuery]:
        turn = UserTurn(question)
        candidates = FrameCandidates(turn, self._acts, self._slots)
        frames, number = candidates.frames, 0
        for place, act in enumerate(turn.acts):
            for argument in range(len(act.arguments)):
                yield FrameQuery(place, argument, frames, candidates.argument_rows(number))
                number += 1
            yield FrameQuery(place, None, frames, candidates.act_rows(act))


def _answers(units: Sequence[FrameQuery], chances: Sequence[Shares]) -> Iterator[ActFrames]:
    arguments: list[Shares] = []
    for unit, shares in zip(units, chances, strict=True):
        if unit.argument is None:
            yield ActFrames(tuple(arguments), shares)
            arguments = []
        else:
            total = sum(shares.values())
            arguments.append({frame: chance / total for frame, chance in shares.items()})
