"""Prompts of Acts, FrameOf and Spans, about the last utterance; of NextActs, about the next one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from dialoom.dialogue import (
    SYSTEM,
    USER,
    Act,
    Acts,
    Argument,
    FrameOf,
    NextActs,
    Prediction,
    Question,
    Reference,
    ServiceAct,
    Span,
    Spans,
)
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.event_lines import describe_act
from dialoom.dialogue.references import NEW, ActFrames
from dialoom.dialogue.views import parts
from dialoom.errors import clip
from dialoom.models.frames.turn import UserTurn
from dialoom.models.lm.prompt import UNREADABLE, Prompt, Tokens, UnreadableError, json_text
from dialoom.schema.service import ACTS

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
        frames = UserTurn(question).candidates
        for shares in (shares for each in answer for shares in (*each.arguments, each.act)):
            if not shares.keys() <= set(frames):
                raise UnreadableError(f"the frames are {', '.join(map(str, frames))}")
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


CITY = Argument("city", ("Oslo",))

FRAMED = Act("inform", (Argument("ref", references=(Reference(2, (CITY,)),)),))


class ActsPrompt(Prompt):
    """Asks for the acts of the last utterance."""

    kind = Acts
    answer = tuple[Act, ...]
    sample = (Act("inform", (CITY,)), Act("request", (Argument("price"),)))
    wrong = (Act(UNREADABLE),)
    instruction = (
        "You are given the dialogue so far. Write the dialogue acts of the last utterance with "
        "their slots, and the values as they are said; a slot that is asked for has no value."
    )

    def listed(self, question: Question[Any]) -> str:
        """Return the acts of training with their slots."""
        return f"Acts with their slots: {self.inventory.acts_text()}"

    def asked(self, question: Question[Any]) -> str:
        """Return the utterance, and the frames if acts refer to them."""
        lines = [f"Last utterance: {question.utterances[-1].text}"]
        if self.inventory.framed:
            about = f"Each argument is given with its frame ({NEW} is a new one), in this form:"
            lines += (*frames_lines(question), about, json_text(FRAMED))
        return "\n".join(lines)


class NextActsPrompt(Prompt):
    """Asks for the next acts of an agent."""

    kind = NextActs
    answer = tuple[ServiceAct, ...]
    sample = (ServiceAct(Act("OFFER", (Argument("hotel_name", ("Alder Inn",)),)), "Hotels_1"),)
    wrong = (ServiceAct(Act(UNREADABLE)),)
    instruction = (
        "You are given the dialogue so far, with acts, states, calls and results. Write the acts "
        "of the next utterance, with their slots and values; a slot that is asked for has none."
    )
    agents = (SYSTEM, USER)

    def tasks(self, question: Question[Any]) -> Sequence[str]:
        """Return the services of the goal and of the dialogue so far."""
        services = (part.service for event in question.utterances for part in parts(event))
        goal = (each.service for each in question.asked.goal)
        return [name for name in dict.fromkeys((*goal, *services)) if name is not None]

    def listed(self, question: Question[Any]) -> str:
        """Return the acts of training with their slots, else those of SGD."""
        return f"Acts: {self.inventory.acts_text() or ', '.join(ACTS)}"

    def asked(self, question: Question[Any]) -> str:
        """Return the speaker and its goal."""
        goals = (f"The user's goal: {json_text(each)}" for each in question.asked.goal)
        return "\n".join((*goals, f"The {question.asked.agent} speaks next."))


class LabelledText(Struct, frozen=True):
    """A part of the utterance with its label."""

    text: str
    label: str


class SpansPrompt(Prompt):
    """Asks for the spans of the last utterance."""

    kind = Spans
    answer = tuple[LabelledText, ...]
    sample = (LabelledText("two tickets", "number_of_tickets"),)
    wrong = (Span(0, 0, (UNREADABLE,)),)
    instruction = (
        "You are given the dialogue so far and labels. Find the parts of the last utterance that "
        "have one of these labels, in their order. Copy each part letter by letter, as short as "
        "possible; an utterance may have none."
    )

    def labels(self, question: Question[Any]) -> Collection[str]:
        """Return the labels: those of the question, else those of training."""
        return question.asked.labels or self.inventory.spans

    def listed(self, question: Question[Any]) -> str:
        """Return the labels."""
        return f"Labels: {', '.join(self.labels(question))}"

    def asked(self, question: Question[Any]) -> str:
        """Return the utterance."""
        return f"Last utterance: {question.utterances[-1].text}"

    def write(self, question: Question[Any], answer: Sequence[Span]) -> list[LabelledText]:
        """Return spans as texts, one for each label."""
        source = question.utterances[-1].text
        spans = sorted(answer, key=lambda span: (span.start, span.end))
        pairs = ((source[span.start : span.end], label) for span in spans for label in span.labels)
        return [LabelledText(text, label) for text, label in pairs]

    def read(
        self, question: Question[Any], answer: Sequence[LabelledText], tokens: Tokens
    ) -> Prediction[tuple[Span, ...]]:
        """Return the spans: of equal texts each takes the next one."""
        source, ends = question.utterances[-1].text.casefold(), dict[LabelledText, int]()
        spans = []
        for each in answer:
            start = source.find(each.text.casefold(), ends.get(each, 0)) if each.text else -1
            if start < 0 or each.label not in self.labels(question):
                what = f"{clip(each.text)!r}, {clip(each.label)!r}"
                raise UnreadableError(f"{what}: no part of the last utterance, or no label")
            ends[each] = start + len(each.text)
            spans.append(Span(start, ends[each], (each.label,)))
        return Prediction(tuple(spans))
