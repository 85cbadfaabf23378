"""Baselines: the most frequent answer, that of the nearest history, candidates by similarity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar

import numpy as np

from dialoom.dialogue import (
    Choice,
    Event,
    NextAction,
    NextReply,
    Prediction,
    Query,
    Question,
    Result,
    Utterance,
    digest,
)
from dialoom.learn.model import (
    KEPT,
    RANKED,
    Examples,
    Kinds,
    Questions,
    Schemas,
    Seed,
    Unlearnt,
    known,
    need,
)
from dialoom.learn.text import TfidfEncoder
from dialoom.models.history import text


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


@dataclass
class RandomOrder(Unlearnt):
    """Ranks candidates in an order drawn with `seed` and the question's texts."""

    name: ClassVar[str] = "random"
    kinds: ClassVar[Kinds] = (Choice,)
    seed: Seed = 0

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[str]]:
        """Rank each question's candidates."""
        answers = []
        for question in questions:
            names = [candidate.id for candidate in question.asked.candidates]
            texts = [candidate.text for candidate in question.asked.candidates]
            Random(digest((self.seed, _history(question), texts))).shuffle(names)
            answers.append(ranked(names))
        return answers


@dataclass
class Tfidf:
    """Ranks candidates by the cosine of their TF-IDF vectors with the history's.

    Inverse document frequencies are from training histories; without training, all words have the
    same weight.
    """

    name: ClassVar[str] = "tfidf"
    kinds: ClassVar[Kinds] = (Choice,)
    _vectoriser: Any = field(default=None, init=False, repr=False)

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Count in how many of the dialogues each word occurs."""
        from sklearn.feature_extraction.text import HashingVectorizer, TfidfTransformer
        from sklearn.pipeline import make_pipeline

        # hashed words that training lacks have the greatest weight
        words = HashingVectorizer(alternate_sign=False, norm=None if examples else "l2")
        self._vectoriser = make_pipeline(words, TfidfTransformer()) if examples else words
        if examples:
            self._vectoriser.fit([_history(example.question) for example in examples])

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[str]]:
        """Rank each question's candidates; `UsageError` if the model has not been fitted."""
        histories = known(self._vectoriser).transform(map(_history, questions))
        texts = ([c.text or "" for c in question.asked.candidates] for question in questions)
        return [
            ranked([question.asked.candidates[place].id for place in order])
            for question, order in zip(
                questions, by_likeness(histories, texts, self._vectoriser), strict=True
            )
        ]


def _history(question: Question[Choice]) -> str:
    return " ".join(map(text_of, question.history))


def ranked(names: Sequence[str]) -> Prediction[str]:
    """Return candidates in a given order; the score of a place is its inverse.

    If there are more than `RANKED` candidates, the first `KEPT` are kept.
    """
    top = names if len(names) <= RANKED else names[:KEPT]
    ranking = tuple((name, 1 / place) for place, name in enumerate(top, start=1))
    return Prediction(names[0] if names else "", ranking)


def by_likeness(histories: Any, texts: Iterator[list[str]], vectoriser: Any) -> Iterator[list[int]]:
    """Yield the indices of each history's texts in descending order of similarity to it.

    Similarity is the dot product of vectors; ties keep their order. `histories` is a sparse matrix
    with a row for each, `vectoriser` turns texts into such vectors.
    """
    last: list[str] = []
    vectors = None
    for index, each in enumerate(texts):
        if not each:
            yield []
            continue
        if each != last:  # many questions may have one list of candidates
            last, vectors = each, vectoriser.transform(each)
        likeness = (vectors @ histories[index].T).toarray().ravel()
        yield np.argsort(-likeness, kind="stable").tolist()


def text_of(event: Event) -> str:
    """Return an event as text: an utterance, a call with its values, or items with theirs."""
    if isinstance(event, Utterance):
        return event.text
    if isinstance(event, Query):
        return " ".join([event.api, *(str(constraint.value) for constraint in event.constraints)])
    if isinstance(event, Result):
        return " ".join(f"{name} {value}" for item in event.items for name, value in item.items())
    return ""
