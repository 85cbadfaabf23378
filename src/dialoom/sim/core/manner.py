"""Manners of wording: weights of word pairs, by which drafts are chosen.

    manner = Manner({"ok": 0.8, "shall i": -1.2})
    manner.score("Ok, {name} then.")            # log weight of a draft: the sum over its features

A draft is a text of the grammar with `{name}` where values go. Weights are fitted by
`training/manner.py` on counts of words and word pairs in real turns: they are the parameters of
an exponential tilt, under which the texts of the grammar have these features as often as real
turns do (Della Pietra et al. 1997, "Inducing features of random fields").
"""

from __future__ import annotations

import math
import re
from array import array
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import accumulate, pairwise

from dialoom.errors import UnknownNameError
from dialoom.schema.lexicon import texts_of
from dialoom.schema.once import Kept

VALUE = "#"
"""The token of a value, a number or a name."""

START, END = "^", "$"
"""The tokens before and after a text."""

LONGEST = 10
"""Highest class of lengths: texts of 30 tokens and more."""

SCALE = 20_000
"""Weight of the best draft of a pool: those of all are drawn with one random number."""

MOST_TURNS = 60_000
"""Scores of turns kept in memory: 4,000 dialogues of STAR's tasks have 20,000 different ones."""

LONG, LARGEST = 48, 5
"""Drafts with more characters weigh at most so many times the mean of the others in their pool:
nobody notices that "yes" recurs, but a long sentence in every tenth dialogue."""

_TOKEN = re.compile(r"\{[\w.]+\}|[^\W\d_]+(?:['’][^\W\d_]+)*|\d+|[^\w\s]")
_ACTS = re.compile(r"[A-Z][A-Z_+]*\|")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w'’]+(?: [A-Z][\w'’]+)*")


def masked(text: str) -> str:
    """Return a text with `#` for numbers and for names, which a capital in a sentence shows."""
    return re.sub(r"\d+", VALUE, _NAME.sub(VALUE, text))


def features(text: str) -> Iterator[str]:
    """Yield the words and marks of a text, the pairs of neighbours, and `links`, each once."""
    tokens = tokens_of(text)
    pairs = pairwise([START, *tokens, END])
    yield from dict.fromkeys([*tokens, *(f"{a} {b}" for a, b in pairs), *links(tokens)])
    yield f"length {_length(tokens)}"


def links(tokens: Sequence[str]) -> set[str]:
    """Return pairs of words that marks or single letters separate: "great~thank", "yes~need"."""
    words = [(at, word) for at, word in enumerate(tokens) if len(word) > 1 or word == VALUE]
    return {f"{a}~{b}" for (at, a), (then, b) in pairwise(words) if then > at + 1}


def tokens_of(text: str) -> list[str]:
    """Return the words and marks of a text in small letters, with `#` for values."""
    return [*map(_TOKENS.__getitem__, _TOKEN.findall(text))]


_TOKENS: Kept[str, str] = Kept(
    lambda word: VALUE if word[0] == "{" or word.isdigit() else word.lower()
)


def _length(tokens: Sequence[str]) -> int:
    return min(len(tokens) // 3, LONGEST)


def is_long(text: str) -> bool:
    """Return True if a draft has a limited share of its pool."""
    return len(text) > LONG


class Manner:
    """The manner of one kind of speaker.

    `weights` maps words or word pairs to weights (nats); `INFORM+SELECT|ok` is a further weight of
    "ok" in turns with these acts.
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        self.weights = {name: weight for name, weight in weights.items() if not _ACTS.match(name)}
        # by word, and by pair of words, not by texts: `benchmarks/simulate.py`
        self._words = defaultdict(float, self.weights)
        pairs = ((name.split(" "), w) for name, w in self.weights.items() if " " in name)
        self._pairs = defaultdict(float, {(a, b): weight for (a, b), weight in pairs})
        self._lengths = [self._words[f"length {number}"] for number in range(LONGEST + 1)]
        self._turns = Kept(partial(self._sum, whole=True), MOST_TURNS)
        self._parts = Kept(partial(self._sum, whole=False))
        own: dict[str, dict[str, float]] = {}
        for name in weights.keys() - self.weights.keys():
            acts, _, each = name.partition("|")
            merged = own.setdefault(acts, dict(self.weights))
            merged[each] = merged.get(each, 0.0) + weights[name]
        self._own = {acts: Manner(merged) for acts, merged in own.items()}

    def score(self, text: str, *, whole: bool = True) -> float:
        """Return the log weight of a turn or of a part, the sum over its features (cached)."""
        return (self._turns if whole else self._parts)[text]

    def _sum(self, text: str, *, whole: bool) -> float:
        tokens = tokens_of(text)
        terms = [*map(self._words.__getitem__, {*tokens} | links(tokens))]
        if whole:
            terms.append(self._lengths[_length(tokens)])
            tokens = [START, *tokens, END]
        terms += map(self._pairs.__getitem__, {*pairwise(tokens)})
        return math.fsum(terms)

    def sums(self, drafts: Sequence[str], acts: str = "", *, whole: bool = True) -> array[int]:
        """Return the summed weights of drafts, for drawing among them in proportion to these."""
        if acts in self._own:
            return self._own[acts].sums(drafts)
        scores = [*map((self._turns if whole else self._parts).__getitem__, drafts)]
        best = max(scores)
        shares = [math.exp(x - best) for x in scores]
        total, part = sum(shares), LARGEST / len(shares)
        for at, text in enumerate(drafts):
            if is_long(text):
                shares[at] = min(shares[at], part * (total - shares[at]))
        return array("Q", accumulate([1 + int(SCALE * share) for share in shares]))


@lru_cache(maxsize=8)
def manner(language: str, part: str) -> Manner | None:
    """Return the manner in `lang/<language>-<part>.json`, if there is such a file."""
    try:
        return Manner(texts_of(language, part, "a manner", dict[str, float]))
    except UnknownNameError:
        return None
