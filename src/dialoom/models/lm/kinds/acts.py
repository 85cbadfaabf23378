"""The prompt of Acts: the dialogue acts of the last utterance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from dialoom.dialogue import Act, Acts, Argument, Prediction, Question
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.references import NEW, ActFrames, best, dereferenced, frames_of
from dialoom.models.frames.reader import referring
from dialoom.models.lm.kinds.frames import check_known, frames_text, turn_of
from dialoom.models.lm.prompt import UNREADABLE, Prompt, Shape, Tokens


class SaidArgument(Shape, frozen=True):
    """A slot that is said, with its value if it has one, and its frame if there are frames."""

    slot: str
    value: str | None
    frame: int | None


class SaidAct(Shape, frozen=True):
    """An act, its arguments, and the frames that it refers to as a whole."""

    act: str
    arguments: list[SaidArgument]
    frames: list[int]


class ActsAnswer(Shape, frozen=True):
    """The acts in order."""

    acts: list[SaidAct]


class ActsPrompt(Prompt):
    """Asks for the acts of the last utterance."""

    kind: ClassVar[type[Struct]] = Acts
    shape: ClassVar[type[Shape]] = ActsAnswer
    sample: ClassVar[Shape] = ActsAnswer(
        [SaidAct("inform", [SaidArgument("city", "Oslo", None)], [])]
    )
    agents: ClassVar[tuple[str, ...]] = ()
    instruction: ClassVar[str] = (
        "You are given the dialogue so far. Write the dialogue acts of the last utterance with "
        "their slots, and the values as they are said; a slot that is asked for has no value. If "
        f"frames are listed, write the frame of each argument and the frames of each act; {NEW} is "
        "a new one."
    )

    def listed(self, question: Question[Any]) -> str:
        """Return the acts of training with their slots."""
        known = (f"{name}({', '.join(slots)})" for name, slots in self.inventory.acts.items())
        return "\n".join(("Acts with their slots:", *known))

    def asked(self, question: Question[Any]) -> str:
        """Return the frames, if acts refer to them, and the utterance."""
        lines = [frames_text(question)] if self.inventory.framed else []
        return "\n".join((*lines, f"Last utterance: {question.utterances[-1].text}"))

    def write(self, question: Question[Any], answer: Sequence[Act]) -> Shape:
        """Return acts."""
        acts = dereferenced(answer)
        frames = frames_of(answer, None, turn_of(question).frames)
        return ActsAnswer(
            [
                SaidAct(
                    act.name,
                    [
                        SaidArgument(each.slot, _value(each), self._frame(shares))
                        for each, shares in zip(act.arguments, found.arguments, strict=True)
                    ],
                    list(found.act) if self.inventory.framed else [],
                )
                for act, found in zip(acts, frames, strict=True)
            ]
        )

    def _frame(self, shares: dict[int, float]) -> int | None:
        return best(shares) if self.inventory.framed else None

    def read(self, question: Question[Any], given: ActsAnswer, tokens: Tokens) -> Any:
        """Return the acts; all frames must be there."""
        acts = tuple(
            Act(each.act, tuple(Argument(a.slot, _values(a)) for a in each.arguments))
            for each in given.acts
        )
        if not self.inventory.framed:
            return Prediction(acts)
        turn = turn_of(question)
        frames = [
            ActFrames(
                tuple({turn.active if a.frame is None else a.frame: 1.0} for a in each.arguments),
                dict.fromkeys(each.frames, 1.0),
            )
            for each in given.acts
        ]
        for found in frames:
            named = [*found.act, *(frame for shares in found.arguments for frame in shares)]
            check_known(named, turn.candidates)
        return Prediction(referring(acts, frames))

    def unreadable(self, question: Question[Any]) -> tuple[Act, ...]:
        """Return an act that is never right."""
        return (Act(UNREADABLE),)


def _value(argument: Argument) -> str | None:
    return str(argument.values[0]) if argument.values and argument.values[0] is not None else None


def _values(argument: SaidArgument) -> tuple[str, ...]:
    return () if argument.value is None else (argument.value,)
