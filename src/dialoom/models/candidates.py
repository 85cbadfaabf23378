"""Baselines that rank candidates: in random order, or by similarity to the history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from dialoom.dialogue import Choice, Event, Prediction, Query, Result, Utterance
from dialoom.errors import UsageError
from dialoom.learn.model import KEPT, RANKED, Kinds, Questions, Schemas, Seed, Unlearnt


@dataclass
class RandomOrder(Unlearnt):
    """Ranks candidates in an order drawn with `seed`."""

    name: ClassVar[str] = "random"
    kinds: ClassVar[Kinds] = (Choice,)
    seed: Seed = 0

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[str]]:
        """Rank each question's candidates."""
        names = ([candidate.id for candidate in q.asked.candidates] for q in questions)
        return [ranked(order) for order in shuffled(names, self.seed)]


@dataclass
class Tfidf(Unlearnt):
    """Ranks candidates by the cosine of their TF-IDF vectors with the history's.

    Inverse document frequencies are those of the histories of the questions.
    """

    name: ClassVar[str] = "tfidf"
    kinds: ClassVar[Kinds] = (Choice,)

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[str]]:
        """Rank each question's candidates.

        Raises:
            UsageError: No history has a word.
        """
        histories = [" ".join(map(text_of, question.history)) for question in questions]
        texts = ([c.text or "" for c in question.asked.candidates] for question in questions)
        orders = by_likeness(histories, texts)
        return [
            ranked([question.asked.candidates[place].id for place in order])
            for question, order in zip(questions, orders, strict=True)
        ]


def ranked(names: Sequence[str]) -> Prediction[str]:
    """Return candidates in a given order as a prediction; the score of a place is its inverse.

    Of more than `RANKED` candidates, the first `KEPT` are kept.
    """
    kept = names if len(names) <= RANKED else names[:KEPT]
    ranking = tuple((name, 1 / place) for place, name in enumerate(kept, start=1))
    return Prediction(names[0] if names else "", ranking)


def shuffled(names: Iterator[list[str]], seed: int) -> Iterator[list[str]]:
    """Yield lists of names, each in an order drawn with `seed`."""
    random = Random(seed)
    for each in names:
        random.shuffle(each)
        yield each


def by_likeness(histories: Sequence[str], texts: Iterator[list[str]]) -> Iterator[list[int]]:
    """Yield the indices of each history's texts in descending order of similarity to it.

    Similarity is the cosine of TF-IDF vectors, where each history is one document, with
    scikit-learn's defaults: words of at least two letters in lower case, smoothed inverse document
    frequency, vectors of length one. Texts of equal similarity keep their order.

    Args:
        histories: The text of each history.
        texts: The texts to rank for each history.

    Raises:
        UsageError: No history has a word.
    """
    import numpy
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectoriser = TfidfVectorizer()
    try:
        documents = vectoriser.fit_transform(histories)
    except ValueError as error:
        raise UsageError("no history has a word to weight") from error
    last: list[str] = []
    vectors = None
    for index, each in enumerate(texts):
        if not each:
            yield []
            continue
        if each != last:  # many questions may have one list of candidates
            last, vectors = each, vectoriser.transform(each)
        likeness = (vectors @ documents[index].T).toarray().ravel()
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
