"""Text encoders behind one small interface: the similarity of texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from dialoom.learn.trees import Floats
from dialoom.registry import Registry


class Encoder(Protocol):
    """Gives the similarity of texts, from 0 to 1."""

    def fit(self, texts: Iterable[str]) -> None:
        """Learn the frequencies of terms; a frozen encoder ignores the texts."""

    def similarity(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        """Return the similarity of each text of `left` (rows) to each of `right` (columns)."""


class TfidfEncoder:
    """Cosines of TF-IDF vectors over words, pairs of words and character n-grams of words.

    The vectors equal those of scikit-learn's `TfidfVectorizer` with `sublinear_tf`, whose import
    takes two seconds; a server of a study imports this class instead.
    """

    def __init__(self) -> None:
        # whole words carry the meaning, letters forgive misspellings; both have the same weight
        self._parts = (TermWeights(WordTerms()), TermWeights(LetterTerms()))
        self._last: dict[str, tuple[tuple[str, ...], list[Any]]] = {}

    def fit(self, texts: Iterable[str]) -> None:
        """Learn the weights of terms."""
        corpus = sorted(set(texts))
        self._last = {}
        for part in self._parts:
            part.fit(corpus)

    def similarity(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        """Return the mean cosine of both kinds of vectors: shape (left, right)."""
        total = np.zeros((len(left), len(right)))
        if total.size and len(left) == 1:
            for part, weights in zip(self._parts, self._vectors("right", right), strict=True):
                total[0] += part.products(left[0], weights)
        elif total.size:
            rows, columns = self._vectors("left", left), self._vectors("right", right)
            for vectors, weights in zip(rows, columns, strict=True):
                total += (vectors @ weights).toarray()
        return total / len(self._parts)

    def _vectors(self, side: str, texts: Sequence[str]) -> list[Any]:
        """Return the vectors of texts, on the right as columns; a side's last ones are cached."""
        key, vectors = self._last.get(side, ((), []))
        if key != tuple(texts):
            vectors = [part.transform(texts) for part in self._parts]
            if side == "right":
                vectors = [each.T.tocsr() for each in vectors]
            self._last[side] = tuple(texts), vectors
        return vectors


@dataclass(frozen=True)
class WordTerms:
    """The words of a text, and n-grams of up to `longest` adjacent words.

    A word is a match of `pattern`; `lower` ignores case.
    """

    pattern: str = r"\w+"
    longest: int = 2
    lower: bool = True

    def __call__(self, text: str) -> Iterator[str]:
        """Yield the words of a text, then the n-grams of adjacent words."""
        words = re.findall(self.pattern, text.lower() if self.lower else text)
        yield from words
        for size in range(2, self.longest + 1):
            yield from map(" ".join, zip(*(words[at:] for at in range(size)), strict=False))


@dataclass(frozen=True)
class LetterTerms:
    """The n-grams of letters (2 to 4) of each word in lower case, with a space at both ends.

    A word shorter than an n-gram is one itself, as in scikit-learn's `char_wb`.
    """

    def __call__(self, text: str) -> Iterator[str]:
        """Yield the n-grams of letters of each word in turn."""
        for word in text.lower().split():
            spaced = f" {word} "
            for size in (2, 3, 4):
                yield from (spaced[at : at + size] for at in range(max(1, len(spaced) - size + 1)))
                if len(spaced) <= size:
                    break


class TermWeights:
    """TF-IDF vectors of texts, of length one: (1 + log count) of each known term, times its idf.

    The inverse document frequency is 1 + log((1 + texts) / (1 + texts with the term)):
    scikit-learn's smooth form. Terms in `least` or more texts count, at most the `most` common.
    """

    def __init__(
        self, terms: Callable[[str], Iterable[str]], least: int = 1, most: int | None = None
    ) -> None:
        self._terms, self._least, self._most = terms, least, most
        self._columns: dict[str, int] = {}
        self._rarity: Floats = np.zeros(0)

    @property
    def names(self) -> list[str]:
        """The known terms, in the order of columns."""
        return list(self._columns)

    def fit(self, texts: Sequence[str]) -> TermWeights:
        """Learn the terms and the inverse document frequency of each; return these vectors."""
        frequency = Counter(term for text in texts for term in set(self._terms(text)))
        terms = sorted(term for term, count in frequency.items() if count >= self._least)
        terms = sorted(sorted(terms, key=lambda term: -frequency[term])[: self._most])
        self._columns = {term: column for column, term in enumerate(terms)}
        counts = np.array([frequency[term] for term in terms], dtype=np.float64)
        self._rarity = np.log((1 + len(texts)) / (1 + counts)) + 1
        return self

    def transform(self, texts: Sequence[str]) -> Any:
        """Return a CSR matrix of shape (texts, terms)."""
        from scipy.sparse import csr_matrix

        return csr_matrix(self._rows(texts), (len(texts), len(self._columns)))

    def products(self, text: str, vectors: Any) -> Floats:
        """Return the products of a text's vector and others, columns of a CSR matrix.

        They equal the products of `transform`, in less than half the time.
        """
        weights, columns, _ = self._rows([text])
        starts = vectors.indptr[columns]
        sizes = vectors.indptr[1:][columns] - starts
        places = np.repeat(starts - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
        products = np.repeat(weights, sizes) * vectors.data[places]
        sums = np.bincount(vectors.indices[places], products, vectors.shape[1])
        return sums.astype(np.float64, copy=False)

    def _rows(self, texts: Sequence[str]) -> tuple[Floats, list[int], list[int]]:
        columns: list[int] = []
        counts: list[int] = []
        ends = [0]
        for text in texts:
            indices = map(self._columns.get, self._terms(text))
            tally = Counter(column for column in indices if column is not None)
            for column in sorted(tally):
                columns.append(column)
                counts.append(tally[column])
            ends.append(len(columns))
        weights = (np.log(np.array(counts, dtype=np.float64)) + 1) * self._rarity[columns]
        rows = np.repeat(np.arange(len(texts)), np.diff(ends))
        weights /= np.sqrt(np.bincount(rows, weights * weights, len(texts)))[rows]
        return weights, columns, ends


class TextClassifier:
    """Classifies texts by a logistic regression over TF-IDF vectors.

    `vectors` are fitted here; `strength` is the inverse weight of the L2 penalty.
    """

    def __init__(self, vectors: TermWeights, strength: float, seed: int = 0) -> None:
        from sklearn.linear_model import LogisticRegression

        self._vectors = vectors
        self._model = LogisticRegression(C=strength, max_iter=300, random_state=seed)
        self.classes: list[Any] = []

    def fit(self, texts: Sequence[str], labels: Sequence[Any]) -> TextClassifier:
        """Fit on texts with their classes; return this classifier."""
        self.classes = sorted(set(labels))
        if len(self.classes) > 1:
            self._model.fit(self._vectors.fit(texts).transform(texts), labels)
        return self

    def chance(self, label: Any, texts: Sequence[str]) -> Floats:
        """Return the probability of a class for each text: shape (texts,)."""
        if not texts or label not in self.classes or len(self.classes) == 1:
            return np.full(len(texts), float(label in self.classes))
        chances: Floats = self._model.predict_proba(self._vectors.transform(texts))
        return chances[:, self.classes.index(label)]

    def odds(self, texts: Sequence[str]) -> Floats:
        """Return the log odds of the second of two classes; 0 for a single class: (texts,)."""
        if len(self.classes) < 2:
            return np.zeros(len(texts))
        logits: Floats = self._model.decision_function(self._vectors.transform(texts))
        return logits

    def best(self, texts: Sequence[str]) -> list[Any]:
        """Return the likeliest class of each text."""
        if not texts or len(self.classes) == 1:
            return self.classes * len(texts)
        labels: list[Any] = self._model.predict(self._vectors.transform(texts)).tolist()
        return labels


encoders: Registry[Callable[[], Encoder]] = Registry(
    "encoder",
    "dialoom.encoders",
    {
        "tfidf": "dialoom.learn.text:TfidfEncoder",
        "minilm": "dialoom.learn.encodings:MiniLmEncoder",
    },
)
"""The text encoders, by name."""


def encoder_modules(*settings: Mapping[str, Any]) -> list[str]:
    """Return the modules of the encoders in settings of models and protocols, for `code_digest`.

    `UnknownNameError` if no encoder has such a name.
    """
    names = (each.get("encoder") for each in settings)
    return [encoders.module(name) for name in names if name]
