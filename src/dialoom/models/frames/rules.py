"""The baseline of frame tracking: rules that compare a turn's values with the frames."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from dialoom.dialogue import Argument, FrameOf, Prediction
from dialoom.dialogue.frames import CONSTRAINTS
from dialoom.dialogue.references import NEW, ActFrames
from dialoom.learn.model import Kinds, Questions, Schemas, Unlearnt
from dialoom.models.frames.fitting import fit
from dialoom.models.frames.turn import UserTurn

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
    informed = list(_informed(turn))
    if not any(_differs(turn, turn.active, argument) for argument in informed):
        return turn.active
    fitting = [frame for frame in turn.frames if all(_has(turn, frame, each) for each in informed)]
    return max(fitting, default=NEW if turn.new else max(turn.frames))


def _fit(turn: UserTurn, frame: int, switched: list[Argument]) -> tuple[int, int, int]:
    """Return the sort key of a frame to switch to: matching values, last turn about it, id."""
    turns = turn.frames[frame].stated
    return sum(_has(turn, frame, each) for each in switched), max(turns.values(), default=-1), frame


def _informed(turn: UserTurn) -> Iterator[Argument]:
    for act in turn.acts:
        if act.name == INFORM:
            yield from (each for each in act.arguments if each.slot in CONSTRAINTS)


def _has(turn: UserTurn, frame: int, argument: Argument) -> bool:
    return fit(argument, turn.frames[frame]).matches


def _differs(turn: UserTurn, frame: int, argument: Argument) -> bool:
    return fit(argument, turn.frames[frame]).differs
