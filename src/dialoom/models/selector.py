"""The selector: ranks candidates by their similarity to the reply predicted from the history.

It is a dual encoder without a neural network. Texts are TF-IDF vectors reduced by a singular value
decomposition; a ridge regression maps the concatenated vectors of the last utterances to the vector
of the reply that followed; candidates are ranked by their cosine with the predicted vector. It
replaces the transformer (ConveRT) behind Figure 3 of the STAR paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

import numpy as np
from msgspec import Meta

from dialoom.dialogue import Choice, Prediction, Question
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, Seed, by_score, known, need
from dialoom.learn.text import TermWeights, WordTerms
from dialoom.learn.trees import Floats, one_thread

RIDGE = 1.0
"""Weight of the L2 penalty of the regression; vectors have length one."""


@dataclass
class Selector:
    """Ranks candidates by their similarity to the predicted reply.

    Attributes:
        turns: Number of last utterances that are read.
        size: Dimensions of a text's vector.
    """

    name: ClassVar[str] = "selector"
    kinds: ClassVar[Kinds] = (Choice,)
    turns: Annotated[int, Meta(ge=1, le=100)] = 12
    size: Annotated[int, Meta(ge=2, le=1000)] = 128
    seed: Seed = 0
    _terms: Any = field(default=None, init=False, repr=False)
    _reduced: Any = field(default=None, init=False, repr=False)
    _weights: Any = field(default=None, init=False, repr=False)

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Fit the vectors of texts, and the regression from histories to replies."""
        from sklearn.linear_model import Ridge

        need(examples)
        replies = [_text(example.question, example.answer) for example in examples]
        with one_thread():
            self._fit_vectors(replies, examples)
            read = self._read([example.question for example in examples])
            self._weights = Ridge(alpha=RIDGE).fit(read, self._vectors(replies))

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[str]]:
        """Rank each question's candidates."""
        known(self._terms is not None)
        if not questions:
            return []
        with one_thread():
            expected = self._weights.predict(self._read(questions))
            texts = sorted({c.text or "" for q in questions for c in q.asked.candidates})
            number = {text: n for n, text in enumerate(texts)}
            vectors = self._vectors(texts)
        return [
            by_score(
                {
                    c.id: float(vectors[number[c.text or ""]] @ row)
                    for c in question.asked.candidates
                }
            )
            for question, row in zip(questions, expected, strict=True)
        ]

    def _fit_vectors(self, replies: Sequence[str], examples: Examples) -> None:
        from sklearn.decomposition import TruncatedSVD
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import Normalizer

        contexts = {text for e in examples for text in _last(e.question, self.turns)}
        texts = [*sorted({*replies, *contexts}), "empty"]
        self._terms = TermWeights(WordTerms()).fit(texts)
        matrix = self._terms.transform(texts)
        reduced = TruncatedSVD(min(self.size, *matrix.shape), random_state=self.seed)
        self._reduced = make_pipeline(reduced, Normalizer()).fit(matrix)

    def _vectors(self, texts: Sequence[str]) -> Any:
        return self._reduced.transform(self._terms.transform(texts))

    def _read(self, questions: Sequence[Question[Any]]) -> Floats:
        """Return the vectors of each question's last utterances, the last one first.

        Shape (questions, turns * size); missing utterances are zeros.
        """
        rows = [_last(question, self.turns) for question in questions]
        number = {text: n for n, text in enumerate(sorted({t for row in rows for t in row}))}
        vectors = self._vectors(list(number)) if number else np.zeros((0, 0))
        size = len(self._reduced[0].components_)
        tensor = np.zeros((len(rows), self.turns, size))
        for place, row in enumerate(rows):
            for back, text in enumerate(row):
                tensor[place, back] = vectors[number[text]]
        return tensor.reshape(len(rows), -1)


def _last(question: Question[Any], turns: int) -> list[str]:
    texts = [utterance.text for utterance in question.utterances]
    return texts[::-1][:turns]


def _text(question: Question[Any], answer: str) -> str:
    return next(c.text or "" for c in question.asked.candidates if c.id == answer)
