"""The selector: which candidate is most like the reply that training lets expect.

A dual encoder without a neural network. Texts are vectors of TF-IDF weights reduced by a singular
value decomposition; a ridge regression maps the last utterances, each at its own place, to the
reply that followed; candidates are ranked by their cosine with what it predicts. It stands in the
place of the transformer (ConveRT) behind the STAR paper's Figure 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

import numpy as np
import numpy.typing as npt
from msgspec import Meta

from dialoom.dialogue import Choice, Prediction, Question, Utterance
from dialoom.models.base import Examples, Kinds, Questions, Schemas, Seed, known, need

Matrix = npt.NDArray[np.float64]

RIDGE = 1.0
"""Weight of the penalty of large coefficients; vectors have length one."""


@dataclass
class Selector:
    """Ranks candidates by their likeness to the expected reply.

    Attributes:
        turns: How many of the last utterances are read.
        size: The length of a text's vector.
        seed: Of the decomposition.
    """

    name: ClassVar[str] = "selector"
    kinds: ClassVar[Kinds] = (Choice,)
    turns: Annotated[int, Meta(ge=1, le=100)] = 12
    size: Annotated[int, Meta(ge=2, le=1000)] = 128
    seed: Seed = 0
    _encoder: Any = field(default=None, init=False, repr=False)
    _weights: Any = field(default=None, init=False, repr=False)

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Learn vectors of texts, and which reply follows which utterances.

        Raises:
            UsageError: There are no examples.
        """
        from sklearn.linear_model import Ridge
        from threadpoolctl import threadpool_limits

        need(examples)
        replies = [_text(example.question, example.answer) for example in examples]
        with threadpool_limits(limits=1):
            self._encoder = self._vectors(replies, examples)
            read = self._read([example.question for example in examples])
            self._weights = Ridge(alpha=RIDGE).fit(read, self._encoder.transform(replies))

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[str]]:
        """Rank each question's candidates.

        Raises:
            UsageError: The model has not been fitted.
        """
        from threadpoolctl import threadpool_limits

        known(self._encoder is not None)
        if not questions:
            return []
        with threadpool_limits(limits=1):
            expected = self._weights.predict(self._read(questions))
            texts = sorted({c.text or "" for q in questions for c in q.asked.candidates})
            number = {text: n for n, text in enumerate(texts)}
            vectors = self._encoder.transform(texts)
        return [
            _ranked(question.asked, expected[n], vectors, number)
            for n, question in enumerate(questions)
        ]

    def _vectors(self, replies: Sequence[str], examples: Examples) -> Any:
        """Return what turns texts into vectors of length one."""
        from sklearn.decomposition import TruncatedSVD
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import Normalizer

        said = {text for e in examples for text in _last(e.question, self.turns)}
        texts = [*sorted({*replies, *said}), "empty"]
        weights = TfidfVectorizer(
            sublinear_tf=True, ngram_range=(1, 2), token_pattern=r"(?u)\b\w+\b"
        )
        counted = weights.fit_transform(texts)
        reduced = TruncatedSVD(min(self.size, *counted.shape), random_state=self.seed)
        return make_pipeline(weights, reduced.fit(counted), Normalizer())

    def _read(self, questions: Sequence[Question[Any]]) -> Matrix:
        """Return a row for each question: the vectors of its last utterances, the last first."""
        rows = [_last(question, self.turns) for question in questions]
        number = {text: n for n, text in enumerate(sorted({t for row in rows for t in row}))}
        vectors = self._encoder.transform(list(number)) if number else np.zeros((0, 0))
        size = len(self._encoder[1].components_)
        found = np.zeros((len(rows), self.turns, size))
        for place, row in enumerate(rows):
            for back, text in enumerate(row):
                found[place, back] = vectors[number[text]]
        return found.reshape(len(rows), -1)


def _last(question: Question[Any], turns: int) -> list[str]:
    """Return the last utterances before a question, the last one first."""
    said = [event.text for event in question.history if isinstance(event, Utterance)]
    return said[::-1][:turns]


def _text(question: Question[Any], answer: str) -> str:
    return next(c.text or "" for c in question.asked.candidates if c.id == answer)


def _ranked(
    asked: Choice, expected: Matrix, vectors: Matrix, number: dict[str, int]
) -> Prediction[str]:
    scores = {c.id: float(vectors[number[c.text or ""]] @ expected) for c in asked.candidates}
    order = sorted(scores, key=lambda name: -scores[name])  # equal ones keep their order
    return Prediction(order[0], tuple((name, round(scores[name], 6)) for name in order))
