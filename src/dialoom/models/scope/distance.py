"""The baseline of scope: the distance of the user's turn to the task's own texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from dialoom.dialogue import InScope, Prediction
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, known, need
from dialoom.learn.text import Encoder, encoders
from dialoom.models.scope.deciding import Decision, learn
from dialoom.models.scope.reading import NOTHING, TurnReading, read, words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.models.scope.deciding import Vector


@dataclass
class ScopeDistance:
    """Scores a turn by its distance to the nearest text of the task's users and wizards.

    Attributes:
        encoder: The text encoder, by name.
    """

    name: ClassVar[str] = "scope-distance"
    kinds: ClassVar[Kinds] = (InScope,)
    encoder: str = "tfidf"
    _decision: Decision | None = field(default=None, init=False, repr=False)

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Learn probabilities and a threshold from distances."""
        need(examples)
        scores = self._scores([read(example.question) for example in examples], schemas)
        self._decision = learn(scores, [example.answer < 0.5 for example in examples])

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[float]]:
        """Answer each question."""
        decision = known(self._decision)
        return decision.answers(self._scores([read(each) for each in questions], schemas))

    def _scores(self, turns: Sequence[TurnReading], schemas: Schemas) -> Vector:
        words = words_of(schemas)
        encoder = encoders.get(self.encoder)()
        encoder.fit(text for own in words.values() for text in (*own.users, *own.wizards))
        scores = np.ones(len(turns))
        for task in sorted({turn.task for turn in turns}):
            own = words.get(task, NOTHING)
            places = [place for place, turn in enumerate(turns) if turn.task == task]
            texts = [turns[place].text for place in places]
            scores[places] = 1 - nearest(encoder, texts, (*own.users, *own.wizards))
        return scores


def nearest(encoder: Encoder, texts: Sequence[str], others: Sequence[str]) -> Vector:
    """Return the similarity of each text to the nearest of others: shape (texts,).

    It is 0 where there are no others.
    """
    if not others or not texts:
        return np.zeros(len(texts))
    found: Vector = encoder.similarity(texts, others).max(axis=1)
    return found
