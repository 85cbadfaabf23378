"""The nearest-neighbour baseline: the answer after the most similar history of training."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from dialoom.dialogue import NextAction, NextReply, Prediction
from dialoom.learn.model import RANKED, Examples, Kinds, Questions, Schemas, known, need
from dialoom.learn.text import TfidfEncoder
from dialoom.models.history import text

BATCH = 512
"""Questions compared at a time, so that memory stays small."""


@dataclass
class Nearest:
    """Answers as after the training history with the most similar last events (TF-IDF)."""

    name: ClassVar[str] = "nearest"
    kinds: ClassVar[Kinds] = (NextAction, NextReply)
    _encoder: TfidfEncoder = field(default_factory=TfidfEncoder, init=False, repr=False)
    _texts: list[str] = field(default_factory=list, init=False, repr=False)
    _learnt: list[str] = field(default_factory=list, init=False, repr=False)

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Store the examples."""
        need(examples)
        self._texts = [text(example.question) for example in examples]
        self._learnt = [example.answer for example in examples]
        self._encoder.fit(self._texts)

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[str]]:
        """Rank answers by the similarity of the most similar history of each."""
        known(self._texts)
        texts = [text(question) for question in questions]
        return [
            answer
            for start in range(0, len(texts), BATCH)
            for answer in self._answers(texts[start : start + BATCH])
        ]

    def _answers(self, texts: list[str]) -> Iterator[Prediction[str]]:
        for row in self._encoder.similarity(texts, self._texts):
            best: dict[str, float] = {}
            for place in np.argsort(-row, kind="stable"):
                if len(best) == RANKED:
                    break
                best.setdefault(self._learnt[place], round(float(row[place]), 6))
            yield Prediction(next(iter(best)), tuple(best.items()))
