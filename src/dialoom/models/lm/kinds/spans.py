"""The prompt of Spans: the parts of the last utterance that slots have as values."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from dialoom.dialogue import Prediction, Question, Span, Spans
from dialoom.dialogue.annotation import Struct
from dialoom.errors import clip
from dialoom.models.lm.prompt import UNREADABLE, Prompt, Tokens, UnreadableError


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
        said = question.utterances[-1].text
        found = sorted(answer, key=lambda span: (span.start, span.end))
        pairs = ((said[span.start : span.end], label) for span in found for label in span.labels)
        return [LabelledText(text, label) for text, label in pairs]

    def read(
        self, question: Question[Any], answer: Sequence[LabelledText], tokens: Tokens
    ) -> Prediction[tuple[Span, ...]]:
        """Return the spans: of equal texts each takes the next one."""
        said, ends = question.utterances[-1].text.casefold(), dict[LabelledText, int]()
        found = []
        for each in answer:
            start = said.find(each.text.casefold(), ends.get(each, 0)) if each.text else -1
            if start < 0 or each.label not in self.labels(question):
                what = f"{clip(each.text)!r}, {clip(each.label)!r}"
                raise UnreadableError(f"{what}: no part of the last utterance, or no label")
            ends[each] = start + len(each.text)
            found.append(Span(start, ends[each], (each.label,)))
        return Prediction(tuple(found))
