"""The baseline of scope detection: the number of words of the user's turn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from dialoom.dialogue import InScope, Prediction
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, known, need
from dialoom.models.scope.deciding import Decision, learn
from dialoom.models.scope.reading import read
from dialoom.schema.lexicon import words

if TYPE_CHECKING:
    from dialoom.models.scope.deciding import Vector

MOST = 100
"""Number of words beyond which turns get the same score."""


@dataclass
class WordCount:
    """Scores whether a turn is out of scope by its number of words, longer ones higher."""

    name: ClassVar[str] = "word-count"
    kinds: ClassVar[Kinds] = (InScope,)
    _decision: Decision | None = field(default=None, init=False, repr=False)

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Fit the decision on training's turns."""
        need(examples)
        counts = _counted([example.question for example in examples])
        self._decision = learn(counts, [example.answer < 0.5 for example in examples])

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[float]]:
        """Answer each question."""
        return known(self._decision).answers(_counted(questions)) if questions else []


def _counted(questions: Questions) -> Vector:
    """Return the numbers of words as scores from 0 to 1: shape (questions,)."""
    lengths = [min(len(words(read(question).text)), MOST) / MOST for question in questions]
    return np.array(lengths)
