"""The baseline of slot filling: values found by the types of the schema's slots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dialoom.dialogue import Prediction, Span, Spans
from dialoom.learn.model import Kinds, Questions, Schemas, Unlearnt
from dialoom.schema.lexicon import split_name, words
from dialoom.schema.values.finding import best, find


@dataclass
class SpanRules(Unlearnt):
    """Finds values in the text by the types of slots.

    A value of several possible slots is assigned to the one whose name shares most words with the
    utterance before, which may ask for it.
    """

    name: ClassVar[str] = "span-rules"
    kinds: ClassVar[Kinds] = (Spans,)

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[tuple[Span, ...]]]:
        """Return the spans of values in the last utterance of each question."""
        found = []
        for question in questions:
            said = [utterance.text for utterance in question.utterances]
            task = schemas.get(question.asked.task)
            known = task.slots if task else {}
            slots = [known[name] for name in question.asked.labels if name in known]
            before = set(words(said[-2])) if len(said) > 1 else set()
            shared = {slot.name: len(before.intersection(split_name(slot.name))) for slot in slots}
            mentions = sorted(find(said[-1], slots), key=lambda m: -shared[m.slot])
            chosen = best({(m.start, m.end): m for m in reversed(mentions)}.values())
            found.append(Prediction(tuple(Span(m.start, m.end, (m.slot,)) for m in chosen)))
        return found
