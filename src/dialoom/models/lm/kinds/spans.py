"""The prompt of Spans: the parts of the last utterance that slots have as values."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, ClassVar

from dialoom.dialogue import Prediction, Question, Span, Spans
from dialoom.dialogue.annotation import Struct
from dialoom.errors import clip
from dialoom.models.lm.prompt import UNREADABLE, Prompt, Shape, Tokens, UnreadableError


class LabelledText(Shape, frozen=True):
    """A part of the utterance with its label."""

    text: str
    label: str


class SpansAnswer(Shape, frozen=True):
    """The spans in their order."""

    spans: list[LabelledText]


class SpansPrompt(Prompt):
    """Asks for the spans of the last utterance."""

    kind: ClassVar[type[Struct]] = Spans
    shape: ClassVar[type[Shape]] = SpansAnswer
    sample: ClassVar[Shape] = SpansAnswer([LabelledText("two tickets", "number_of_tickets")])
    agents: ClassVar[tuple[str, ...]] = ()
    instruction: ClassVar[str] = (
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

    def write(self, question: Question[Any], answer: Sequence[Span]) -> Shape:
        """Return spans, one for each label."""
        said = question.utterances[-1].text
        found = sorted(answer, key=lambda span: (span.start, span.end))
        pairs = ((said[span.start : span.end], label) for span in found for label in span.labels)
        return SpansAnswer([LabelledText(text, label) for text, label in pairs])

    def read(self, question: Question[Any], given: SpansAnswer, tokens: Tokens) -> Any:
        """Return the spans: of equal texts each takes the next one."""
        said = question.utterances[-1].text.casefold()
        places: dict[tuple[str, str], int] = {}
        found = []
        for each in given.spans:
            text = each.text.casefold()
            start = said.find(text, places.get((text, each.label), 0)) if text else -1
            if start < 0:
                raise UnreadableError(f"{clip(each.text)!r} is not in the last utterance")
            if each.label not in self.labels(question):
                raise UnreadableError(f"{clip(each.label)!r} is none of the labels")
            places[text, each.label] = start + len(text)
            found.append(Span(start, start + len(text), (each.label,)))
        return Prediction(tuple(found))

    def unreadable(self, question: Question[Any]) -> tuple[Span, ...]:
        """Return a span with a label that is never right."""
        return (Span(0, 0, (UNREADABLE,)),)
