"""The function of a sentence, by a log-linear model over its words.

    scorer = function_scorer("en", "system")
    scorer.probabilities(wording_of("Anything else?", "en"))["more"]      # 0.9…

The model's weights are in `lang/<language>-reading.json`, learned by `make reading` from sentences
of our own. A language without that file is read with the English weights of concepts, kinds of
values and question marks (`SHARED`), since the groups of `lang/<language>-concepts.json` have the
same numbers in every language. A language without concepts has only values and question marks.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from functools import lru_cache

import msgspec

from dialoom.errors import UnknownNameError
from dialoom.reading.wording import KEPT, SentenceWords
from dialoom.schema.lexicon import texts_of

SMALL = 0.01
"""Probability of a function below which it is left out when two sentences are compared."""

LONGEST = 30
"""Most stems that the length of a sentence counts for."""


SHARED = "{speaker}, any language"
"""Name of the weights that a language without its own has."""


class ReadingWeights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights learned by `make reading`.

    `labels` are functions, a request with the requested kind of value; `bias` has a weight for
    each. `features` maps features of a sentence to label numbers to weights, in hundredths;
    `evidence` maps names of evidence.py to weights.
    """

    labels: tuple[str, ...] = ()
    bias: tuple[float, ...] = ()
    features: dict[str, dict[int, int]] = {}
    evidence: dict[str, float] = {}


class FunctionScorer:
    """Gives the probability of each function of a sentence."""

    def __init__(self, weights: ReadingWeights) -> None:
        self._labels, self._bias = weights.labels, weights.bias
        self._features = {
            name: tuple((number, weight / 100) for number, weight in held.items())
            for name, held in weights.features.items()
        }
        self._kept: dict[int, tuple[SentenceWords, Mapping[str, float]]] = {}
        self._last: tuple[SentenceWords, Mapping[str, float]] | None = None

    def kept(self, wording: SentenceWords) -> Mapping[str, float]:
        """Return the greater probabilities of a template, which are computed once."""
        held = self._kept.get(id(wording))
        if held is None or held[0] is not wording:
            if len(self._kept) > KEPT:
                self._kept.clear()
            whole = self.probabilities(wording).items()
            greater = {label: share for label, share in whole if share >= SMALL}
            held = self._kept[id(wording)] = (wording, greater)
        return held[1]

    def probabilities(self, wording: SentenceWords) -> Mapping[str, float]:
        """Return label to probability; labels are `Reply.label`. The last sentence's are kept."""
        if not self._labels:
            return {}
        last = self._last
        if last is not None and last[0] is wording:
            return last[1]
        scores = list(self._bias)
        for name, value in features_of(wording):
            for number, weight in self._features.get(name, ()):
                scores[number] += weight * value
        highest = max(scores)
        shares = [math.exp(score - highest) for score in scores]
        whole = sum(shares)
        found = {label: share / whole for label, share in zip(self._labels, shares, strict=True)}
        self._last = wording, found
        return found


def features_of(wording: SentenceWords) -> Iterator[tuple[str, float]]:
    """Yield the features of a sentence with values: stems, pairs, first and last, concepts."""
    stems = wording.stems
    seen = {f"w {stem}" for stem in stems}
    seen |= {f"b {one} {other}" for one, other in itertools.pairwise(stems)}
    if stems:
        seen |= {f"f {stems[0]}", f"s {' '.join(stems[:2])}", f"e {stems[-1]}"}
    seen |= {f"c {number}" for number in wording.concepts}
    yield from ((name, 1.0) for name in sorted(seen))
    yield "long", min(len(stems), LONGEST) / LONGEST


def shared(feature: str) -> bool:
    """Return True if a feature means the same in every language."""
    return feature.startswith(("c ", "w <", "w ?")) or feature == "long"


def function_of(label: str) -> str:
    """Return the function in a label: "request" of "request:time"."""
    return label.partition(":")[0]


@lru_cache(maxsize=8)
def reading_weights(language: str, speaker: str) -> ReadingWeights:
    """Return the weights of a language and a speaker; without a file, the shared ones."""
    try:
        learned = texts_of(language, "reading", "reading", dict[str, ReadingWeights])
        return learned.get(speaker, ReadingWeights())
    except UnknownNameError:
        return reading_weights("en", SHARED.format(speaker=speaker))


@lru_cache(maxsize=8)
def function_scorer(language: str, speaker: str) -> FunctionScorer:
    """Return the scorer of a language and a speaker (cached)."""
    return FunctionScorer(reading_weights(language, speaker))
