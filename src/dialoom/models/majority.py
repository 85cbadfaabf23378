"""The majority baseline: the most frequent answer of training."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import ClassVar

from dialoom.dialogue import NextAction, NextReply, Prediction
from dialoom.learn.model import RANKED, Examples, Kinds, Questions, Schemas, known, need


@dataclass
class Majority:
    """Answers with the most frequent label or reply; alphabetical order breaks ties."""

    name: ClassVar[str] = "majority"
    kinds: ClassVar[Kinds] = (NextAction, NextReply)
    _ranking: tuple[tuple[str, float], ...] = field(default=(), init=False, repr=False)

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Count the answers."""
        need(examples)
        counts = Counter(example.answer for example in examples)
        ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:RANKED]
        self._ranking = tuple((answer, count / len(examples)) for answer, count in ordered)

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[str]]:
        """Answer each question with the same ranking; scores are shares of training."""
        known(self._ranking)
        return [Prediction(self._ranking[0][0], self._ranking) for _ in questions]
