"""The prompt of FrameOf: the frames that acts and their arguments refer to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from dialoom.dialogue import FrameOf, Prediction, Question
from dialoom.dialogue.event_lines import describe_act
from dialoom.dialogue.references import NEW, ActFrames
from dialoom.models.frames.turn import UserTurn
from dialoom.models.lm.prompt import Prompt, Tokens, UnreadableError

NOWHERE = {-1: 1.0}
"""A frame that no dialogue has."""


class FramesPrompt(Prompt):
    """Asks which frames the acts of the last utterance refer to."""

    kind = FrameOf
    answer = tuple[ActFrames, ...]
    sample = (ActFrames(({1: 1.0}, {2: 0.9, 1: 0.1}), {1: 1.0}),)
    instruction = (
        "The user compares several sets of constraints and offers, called frames. You are given "
        "the dialogue so far, the frames before the last utterance, and its acts. Write for each "
        "act, in order, the frame of each of its arguments, and the frames of the act itself, each "
        f"with its probability; {NEW} is a frame that the utterance makes, by a value that differs "
        "from the active frame's. An act is about the active frame unless it names another."
    )

    def asked(self, question: Question[Any]) -> str:
        """Return the frames and the acts."""
        acts = (f"{n}. {describe_act(act)}" for n, act in enumerate(question.asked.acts, start=1))
        return "\n".join((*frames_lines(question), "Acts:", *acts))

    def read(
        self, question: Question[Any], answer: Sequence[ActFrames], tokens: Tokens
    ) -> Prediction[Sequence[ActFrames]]:
        """Return the frames; all must be there, for as many acts and arguments as asked about."""
        sizes = [len(act.arguments) for act in question.asked.acts]
        if [len(each.arguments) for each in answer] != sizes:
            raise UnreadableError(f"the acts have {', '.join(map(str, sizes))} arguments")
        known = UserTurn(question).candidates
        for shares in (shares for each in answer for shares in (*each.arguments, each.act)):
            if not shares.keys() <= set(known):
                raise UnreadableError(f"the frames are {', '.join(map(str, known))}")
        return Prediction(answer)

    def unreadable(self, question: Question[Any]) -> tuple[ActFrames, ...]:
        """Return frames that no dialogue has."""
        sizes = [len(act.arguments) for act in question.asked.acts]
        return tuple(ActFrames((NOWHERE,) * size, NOWHERE) for size in sizes)


def frames_lines(question: Question[Any]) -> Iterator[str]:
    """Yield the frames before a turn as lines of text."""
    turn = UserTurn(replace(question, asked=FrameOf(getattr(question.asked, "acts", ()))))
    for number, history in turn.frames.items():
        info = (
            f"{slot}={'not ' * value.negated}{value.value}"
            for slot, values in history.frame.info.items()
            for value in values
        )
        yield f"frame {number}{', active' * (number == turn.active)}: {', '.join(info)}"
