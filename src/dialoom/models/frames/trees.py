"""Frame tracking by boosted trees over pairs of an argument, or an act, and a frame; by rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
from msgspec import Meta

from dialoom.dialogue import Argument, FrameOf, Prediction, Question
from dialoom.dialogue.frames import CONSTRAINTS
from dialoom.dialogue.references import NEW, ActFrames, Shares
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, Seed, Unlearnt, known, need
from dialoom.learn.trees import FittedTrees, Row, Trees
from dialoom.models.frames.features import FrameCandidates, NameNumbers
from dialoom.models.frames.turn import UserTurn, fit

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
    """Yield the frames of each act of a turn; probabilities of an argument add up to 1."""
    arguments: list[Shares] = []
    for unit, shares in zip(units, chances, strict=True):
        if unit.argument is None:
            yield ActFrames(tuple(arguments), shares)
            arguments = []
        else:
            total = sum(shares.values())
            arguments.append({frame: chance / total for frame, chance in shares.items()})
