"""Baselines that rank candidates: in random order, or by similarity to the history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar

from dialoom.dialogue import Choice, Event, Prediction, Query, Question, Result, Utterance, digest
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
)


@dataclass
class RandomOrder(Unlearnt):
    """Ranks candidates in an order drawn with `seed` and the question's texts."""

    name: ClassVar[str] = "random"
    kinds: ClassVar[Kinds] = (Choice,)
    seed: Seed = 0

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[str]]:
        """Rank each question's candidates."""
        return [ranked(self._order(question)) for question in questions]

    def _order(self, question: Question[Choice]) -> list[str]:
        names = [candidate.id for candidate in question.asked.candidates]
        texts = [candidate.text for candidate in question.asked.candidates]
        seed = digest((self.seed, _history(question), texts))
        Random(seed).shuffle(names)
        return names


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
    kept = names if len(names) <= RANKED else names[:KEPT]
    ranking = tuple((name, 1 / place) for place, name in enumerate(kept, start=1))
    return Prediction(names[0] if names else "", ranking)


def by_likeness(histories: Any, texts: Iterator[list[str]], vectoriser: Any) -> Iterator[list[int]]:
    """Yield the indices of each history's texts in descending order of similarity to it.

    Similarity is the dot product of vectors; ties keep their order. `histories` is a sparse matrix
    with a row for each, `vectoriser` turns texts into such vectors.
    """
    import numpy

    last: list[str] = []
    vectors = None
    for index, each in enumerate(texts):
        if not each:
            yield []
            continue
        if each != last:  # many questions may have one list of candidates
            last, vectors = each, vectoriser.transform(each)
        likeness = (vectors @ histories[index].T).toarray().ravel()
        yield [int(place) for place in numpy.argsort(-likeness, kind="stable")]


def text_of(event: Event) -> str:
    """Return an event as text: an utterance, a call with its values, or items with theirs."""
    if isinstance(event, Utterance):
        return event.text
    if isinstance(event, Query):
        return " ".join([event.api, *(str(constraint.value) for constraint in event.constraints)])
    if isinstance(event, Result):
        return " ".join(f"{name} {value}" for item in event.items for name, value in item.items())
    return ""
