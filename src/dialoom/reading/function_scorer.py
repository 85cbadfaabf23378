"""The function of a sentence by a log-linear model, and evidence that it is a reply of a task.

The model's weights are in `lang/<language>-reading.json`, learned by `make reading` from sentences
of our own. A language without that file is read with the English weights of concepts, kinds of
values and question marks (`SHARED`), since the groups of `lang/<language>-concepts.json` have the
same numbers in every language. A language without concepts has only values and question marks.

Each number of `evidence` is from 0 to 1, or the logarithm of a probability. Shared words and
concepts are weighted by the number of the task's replies that have them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from functools import lru_cache

import msgspec

from dialoom.errors import UnknownNameError
from dialoom.reading.profile import SEVERAL, Bag, Bags, Profiles, Reply, T
from dialoom.reading.wording import KEPT, SentenceWords
from dialoom.schema.lexicon import texts_of
from dialoom.schema.once import KeptById

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
    `evidence` maps `NAMES` to weights.
    """

    labels: tuple[str, ...] = ()
    bias: tuple[float, ...] = ()
    features: dict[str, dict[int, int]] = {}
    evidence: dict[str, float] = {}


class FunctionScorer:
    """Gives the probability of each function of a sentence; of a template, the `greater` ones."""

    def __init__(self, weights: ReadingWeights) -> None:
        self._labels, self._bias = weights.labels, weights.bias
        self._features = {
            name: tuple((number, weight / 100) for number, weight in row.items())
            for name, row in weights.features.items()
        }
        self.greater = KeptById(self._greater, KEPT)
        self._last: tuple[SentenceWords, Mapping[str, float]] | None = None

    def _greater(self, wording: SentenceWords) -> Mapping[str, float]:
        whole = self.probabilities(wording).items()
        return {label: share for label, share in whole if share >= SMALL}

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
        chances = {label: share / whole for label, share in zip(self._labels, shares, strict=True)}
        self._last = wording, chances
        return chances


def features_of(wording: SentenceWords) -> Iterator[tuple[str, float]]:
    """Yield the features of a sentence with values: stems, pairs, first and last, concepts."""
    stems = wording.stems
    names = {f"w {stem}" for stem in stems}
    names |= {f"b {one} {other}" for one, other in itertools.pairwise(stems)}
    if stems:
        names |= {f"f {stems[0]}", f"s {' '.join(stems[:2])}", f"e {stems[-1]}"}
    names |= {f"c {number}" for number in wording.concepts}
    yield from ((name, 1.0) for name in sorted(names))
    yield "long", min(len(stems), LONGEST) / LONGEST


def shared(feature: str) -> bool:
    """Return True if a feature means the same in every language."""
    return feature.startswith(("c ", "w <", "w ?")) or feature == "long"


def function_of(label: str) -> str:
    """Return the function in a label: "request" of "request:time"."""
    return label.partition(":")[0]


def by_function(labels: Mapping[str, float]) -> dict[str, float]:
    """Return function to probability, given those of labels."""
    functions: dict[str, float] = {}
    for label, probability in labels.items():
        function = function_of(label)
        functions[function] = functions.get(function, 0.0) + probability
    return functions


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


NAMES = (
    "words of a template",
    "concepts of a template",
    "words of the reply",
    "concepts of the reply",
    "words of the slot",
    "concepts of the slot",
    "words of answers",
    "concepts of answers",
    "concepts explained",
    "template's words said",
    "template's concepts said",
    "values of the slot",
    "words of stated values",
    "concepts of stated values",
    "open text",
    "unexplained words, open",
    "function",
    "function and kind",
    "values",
    "question",
    "same functions",
    "same words",
)
"""The kinds of evidence, in order."""

UNSEEN = 1e-3
"""Added to each probability before its logarithm is taken."""

UNDECIDED = 0.05
"""Probability of the function of a reply for which the flow does not decide one."""

LONG = 12
"""Number of words from which on unexplained words count in full."""


def evidence(
    profiles: Profiles, wording: SentenceWords, scorer: FunctionScorer
) -> dict[str, tuple[float, ...]]:
    """Return the evidence for each reply of a task; `scorer` is that of its language."""
    fine = scorer.probabilities(wording)
    coarse = by_function(fine)
    words, concepts = profiles.words_in(wording.words), profiles.concepts_in(wording.concepts)
    unexplained = 1 - words.covered(profiles.known)
    length = min(len(wording.words), LONG) / LONG
    same = {
        action: _same_functions(reply, fine, scorer) for action, reply in profiles.replies.items()
    }
    return {
        action: (
            *_shared(words, profiles.words[action], concepts, profiles.concepts[action]),
            *_stated(reply, words, profiles.words[action], concepts, profiles.concepts[action]),
            float(reply.open),
            reply.open * unexplained * length,
            _function(reply, coarse, same[action]),
            _log(max((fine[each] for each in reply.labels if each in fine), default=None)),
            *_form(reply, wording),
            same[action],
            float(any(t.stems == wording.stems for t in reply.templates)),
        )
        for action, reply in profiles.replies.items()
    }


def _shared(
    tokens: Bag[str], words: Bags[str], ideas: Bag[int], concepts: Bags[int]
) -> tuple[float, ...]:
    return (
        max(map(tokens.likeness, words.templates), default=0.0),
        max(map(ideas.likeness, concepts.templates), default=0.0),
        tokens.likeness(words.whole),
        ideas.likeness(concepts.whole),
        _named(tokens, words.slots),
        _named(ideas, concepts.slots),
        tokens.covered(words.answered),
        ideas.covered(concepts.answered),
        ideas.covered(concepts.whole),
        max((each.covered(tokens) for each in words.templates), default=0.0),
        max((each.covered(ideas) for each in concepts.templates), default=0.0),
    )


def _named(bag: Bag[T], slots: tuple[Bag[T], ...]) -> float:
    """Return the degree to which a text names a slot, or all slots of a node with several."""
    shares = (x.covered(bag) if len(slots) >= SEVERAL else bag.likeness(x) for x in slots)
    return sum(shares) / max(len(slots), 1)


def _stated(
    reply: Reply, tokens: Bag[str], words: Bags[str], ideas: Bag[int], concepts: Bags[int]
) -> tuple[float, ...]:
    return (
        len(reply.listed & tokens.items.keys()) / max(len(tokens.items), 1),
        max(map(tokens.covered, words.stated), default=0.0),
        max(map(ideas.likeness, concepts.stated), default=0.0),
    )


def _form(reply: Reply, wording: SentenceWords) -> tuple[float, float]:
    templates = reply.templates
    if not templates:
        return 0.0, 0.5
    questions = sum(t.question == wording.question for t in templates)
    return max(_values(wording, t) for t in templates), questions / len(templates)


def _values(one: SentenceWords, other: SentenceWords) -> float:
    most = max(sum(one.values.values()), sum(other.values.values()))
    if not most:
        return 1.0
    return sum(min(count, other.values.get(kind, 0)) for kind, count in one.values.items()) / most


def _function(reply: Reply, coarse: Mapping[str, float], same: float) -> float:
    """Return the likelihood of a reply's function, by its place in the flow or its templates."""
    own = coarse.get(function_of(reply.label))
    return _log(own and max(own, same))


def _same_functions(reply: Reply, fine: Mapping[str, float], scorer: FunctionScorer) -> float:
    return max(
        (
            sum(min(fine[label], share) for label, share in scorer.greater(template).items())
            for template in reply.templates
        ),
        default=0.0,
    )


def _log(probability: float | None) -> float:
    return math.log(UNDECIDED if probability is None else probability + UNSEEN)
