"""Words as evidence: features of texts and of the places of values, and their weights.

`WordEvidence` is a naive Bayes classifier over a few examples (Manning et al. 2008, 13.2). The
probabilities of a label's words are smoothed towards those of all labels, and words that no example
has do not count.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from dialoom.schema.lexicon import cues

STEM = 6
"""Letters that words are cut to, so that most inflected forms of a word are one feature."""

SMOOTHING = 2.0
"""Weight of the word frequencies of all labels in those of one, in numbers of examples."""

BEFORE, AFTER = 3, 2
"""Words before and after a value that are features of its slot."""

KEPT = 50_000
"""Maximum number of texts with cached features."""

_TOKEN = re.compile(r"\{\w+\}|[^\W_]+(?:['.:][^\W_]+)*")


def tokens(text: str) -> list[str]:
    """Return the words of a text, cut to their stems, and its placeholders as they are."""
    matches = _TOKEN.findall(text.replace("’", "'"))
    return [each if each[0] == "{" else each.lower()[:STEM] for each in matches]


@lru_cache(maxsize=KEPT)
def features(text: str, language: str) -> frozenset[str]:
    """Return the words and placeholders of a text, and the cues that it shows."""
    signs = cues(re.sub(r"\{\w+\}", " ", text), language)
    return frozenset((*tokens(text), *(f"<{cue}>" for cue, there in signs.items() if there)))


def neighbours(tokens: Sequence[str], at: int) -> frozenset[str]:
    """Return the words near a token; the one before and the one after count once more."""
    near = [*tokens[max(0, at - BEFORE) : at], *tokens[at + 1 : at + 1 + AFTER]]
    before = [f"{tokens[at - 1]}>"] if at else []
    after = [f"<{tokens[at + 1]}"] if at + 1 < len(tokens) else []
    return frozenset("{}" if each[0] == "{" else each for each in (*near, *before, *after))


class WordEvidence:
    """Naive Bayes counts of features by label; `worth` returns a feature's weight, in words."""

    def __init__(self, worth: Callable[[str], float] = lambda _: 1.0) -> None:
        self._worth = worth
        self._counts: dict[str, Counter[str]] = defaultdict(Counter)
        self._whole: Counter[str] = Counter()
        self._examples: Counter[str] = Counter()

    def add(self, label: str, features: Iterable[str]) -> None:
        """Count the features of an example."""
        sample = tuple(features)
        self._counts[label].update(sample)
        self._whole.update(sample)
        self._examples[label] += 1

    def knows(self, features: Iterable[str]) -> bool:
        """Return True if any example has one of these features."""
        return any(map(self._whole.__contains__, features))

    def weight(self, label: str, features: Iterable[str]) -> float:
        """Return the log ratio of the features' probability with a label to that in all examples.

        Features that no example has are skipped. The sum does not depend on their order, which sets
        of words do not fix.
        """
        counts, total = self._counts[label], self._whole.total()
        size = counts.total()
        share = SMOOTHING * total / max(1, self._examples.total())
        return math.fsum(
            math.log((counts[each] * total / whole + share) / (size + share)) * self._worth(each)
            for each in features
            if (whole := self._whole[each])
        )
