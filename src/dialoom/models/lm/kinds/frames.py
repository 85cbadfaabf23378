"""The prompt of FrameOf: the frames that acts and their arguments refer to."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, ClassVar

import msgspec

from dialoom.dialogue import Frame, FrameOf, Prediction, Question
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.references import NEW, ActFrames, best
from dialoom.models.frames.turn import UserTurn
from dialoom.models.lm.prompt import Prompt, Shape, Tokens, UnreadableError
from dialoom.models.lm.text import acts_text

NOWHERE = -1
"""The number of a frame that no dialogue has."""


class ActFramesAnswer(Shape, frozen=True):
    """The frame of each argument of an act, and the frames of the act as a whole."""

    arguments: list[int]
    act: list[int]


class FramesAnswer(Shape, frozen=True):
    """The frames of each act, in order."""

    acts: list[ActFramesAnswer]


class FramesPrompt(Prompt):
    """Asks which frames the acts of the last utterance refer to."""

    kind: ClassVar[type[Struct]] = FrameOf
    shape: ClassVar[type[Shape]] = FramesAnswer
    sample: ClassVar[Shape] = FramesAnswer([ActFramesAnswer([1, 1], [1])])
    agents: ClassVar[tuple[str, ...]] = ()
    instruction: ClassVar[str] = (
        "The user compares several sets of constraints and offers, called frames. You are given "
        "the dialogue so far, the frames before the last utterance, and its acts. Write for each "
        f"act, in order, the frame of each of its arguments and the frames of the act; {NEW} is a "
        "frame that the utterance makes, by a value that differs from those of the active frame. "
        "An act is about the active frame unless it names another."
    )

    def asked(self, question: Question[Any]) -> str:
        """Return the frames and the acts."""
        acts = (f"{n}. {acts_text((act,))}" for n, act in enumerate(question.asked.acts, start=1))
        return "\n".join((frames_text(question), "Acts:", *acts))

    def write(self, question: Question[Any], answer: Sequence[ActFrames]) -> Shape:
        """Return the likeliest frames."""
        return FramesAnswer([_written(each) for each in answer])

    def read(self, question: Question[Any], given: FramesAnswer, tokens: Tokens) -> Any:
        """Return the frames; all must be there, and as many as there are acts and arguments."""
        acts = question.asked.acts
        if len(given.acts) != len(acts):
            raise UnreadableError(f"there are {len(acts)} acts, not {len(given.acts)}")
        known = turn_of(question).candidates
        found = []
        for act, each in zip(acts, given.acts, strict=True):
            size = len(act.arguments)
            if len(each.arguments) != size:
                raise UnreadableError(
                    f"act {act.name} has {size} arguments, not {len(each.arguments)}"
                )
            check_known((*each.arguments, *each.act), known)
            whole = {frame: float(frame in each.act) for frame in known}
            found.append(ActFrames(tuple({frame: 1.0} for frame in each.arguments), whole))
        return Prediction(tuple(found))

    def unreadable(self, question: Question[Any]) -> tuple[ActFrames, ...]:
        """Return frames that no dialogue has."""
        nowhere = {NOWHERE: 1.0}
        acts = question.asked.acts
        return tuple(ActFrames((nowhere,) * len(act.arguments), nowhere) for act in acts)


def _written(found: ActFrames) -> ActFramesAnswer:
    whole = [frame for frame, chance in found.act.items() if chance > 0.5]
    return ActFramesAnswer([best(shares) for shares in found.arguments], whole)


def turn_of(question: Question[Any]) -> UserTurn:
    """Return the turn that a question is about, with the frames before it."""
    acts = question.asked.acts if isinstance(question.asked, FrameOf) else ()
    return UserTurn(msgspec.structs.replace(question, asked=FrameOf(acts)))


def check_known(frames: Collection[int], known: Collection[int]) -> None:
    """Check that frames exist.

    Raises:
        UnreadableError: One does not.
    """
    for frame in frames:
        if frame not in known:
            raise UnreadableError(f"frame {frame} is none of {', '.join(map(str, known))}")


def frames_text(question: Question[Any]) -> str:
    """Return the frames before a turn as lines of text."""
    turn = turn_of(question)
    lines = []
    for number, history in turn.frames.items():
        active = ", active" if number == turn.active else ""
        lines.append(f"frame {number}{active}: {_info(history.frame)}")
    return "\n".join(lines)


def _info(frame: Frame) -> str:
    return ", ".join(
        f"{slot}={'not ' * value.negated}{value.value}"
        for slot, values in frame.info.items()
        for value in values
    )
