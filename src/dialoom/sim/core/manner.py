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
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise

from dialoom.errors import UnknownNameError
from dialoom.schema.lexicon import texts_of

VALUE = "#"
"""The token of a value, a number or a name."""

START, END = "^", "$"
"""The tokens before and after a text."""

KEPT = 20_000

SCALE = 20_000
"""Weight of the best draft of a pool: those of all are drawn with one random number."""

_TOKEN = re.compile(r"\{[\w.]+\}|[^\W\d_]+(?:['’][^\W\d_]+)*|\d+|[^\w\s]")
_ACTS = re.compile(r"[A-Z][A-Z_+]*\|")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w'’]+(?: [A-Z][\w'’]+)*")


def masked(text: str) -> str:
    """Return a text with `#` for numbers and for names, which a capital in a sentence shows."""
    return re.sub(r"\d+", VALUE, _NAME.sub(VALUE, text))


def features(text: str) -> Iterator[str]:
    """Yield the words and marks of a text, and the pairs of neighbours, each once."""
    tokens = _tokens(text)
    pairs = pairwise([START, *tokens, END])
    yield from dict.fromkeys([*tokens, *(f"{a} {b}" for a, b in pairs)])
    yield _length(tokens)


def _tokens(text: str) -> list[str]:
    return [_token(found) for found in _TOKEN.findall(text)]


@lru_cache(maxsize=KEPT)
def _token(found: str) -> str:
    return VALUE if found[0] == "{" or found.isdigit() else found.lower()


def _length(tokens: Sequence[str]) -> str:
    return f"length {min(len(tokens) // 3, 10)}"


class Manner:
    """The manner of one kind of speaker.

    `weights` maps words or word pairs to weights (nats); `INFORM+SELECT|ok` is a further weight of
    "ok" in turns with these acts.
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        self.weights = {name: weight for name, weight in weights.items() if not _ACTS.match(name)}
        pairs = ((name.split(" "), w) for name, w in self.weights.items() if " " in name)
        self._pairs = {(first, second): weight for (first, second), weight in pairs}
        self._scores: dict[tuple[str, bool], float] = {}
        own: dict[str, dict[str, float]] = {}
        for name in weights.keys() - self.weights.keys():
            acts, _, each = name.partition("|")
            merged = own.setdefault(acts, dict(self.weights))
            merged[each] = merged.get(each, 0.0) + weights[name]
        self._own = {acts: Manner(merged) for acts, merged in own.items()}

    def score(self, text: str, *, whole: bool = True) -> float:
        """Return the log weight of a turn or of a part, the sum over its features (cached)."""
        key = text, whole
        found = self._scores.get(key)
        if found is None:
            if len(self._scores) > KEPT:
                self._scores.clear()
            found = self._scores[key] = self._sum(*key)
        return found

    def _sum(self, text: str, whole: bool) -> float:
        weights, pairs, tokens = self.weights, self._pairs, _tokens(text)
        found = [weights[token] for token in weights.keys() & {*tokens}]
        if whole:
            found.append(weights.get(_length(tokens), 0.0))
            tokens = [START, *tokens, END]
        # pairs, not texts: `benchmarks/simulate.py`
        found += [pairs[pair] for pair in pairs.keys() & {*pairwise(tokens)}]
        return math.fsum(found)

    def sums(self, drafts: Sequence[str], acts: str = "", *, whole: bool = True) -> array[int]:
        """Return the summed weights of drafts, for drawing among them in proportion to these."""
        if acts in self._own:
            return self._own[acts].sums(drafts)
        scores = [self.score(draft, whole=whole) for draft in drafts]
        best = max(scores)
        return array("Q", accumulate([1 + int(SCALE * math.exp(x - best)) for x in scores]))


@lru_cache(maxsize=8)
def manner(language: str, part: str) -> Manner | None:
    """Return the manner in `lang/<language>-<part>.json`, if there is such a file."""
    try:
        return Manner(texts_of(language, part, "a manner", dict[str, float]))
    except UnknownNameError:
        return None
