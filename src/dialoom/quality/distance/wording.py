"""Measures of how turns are worded: vocabulary, repetition, values that are glued in, slips.

Each is a figure of simulated and one of real turns, with its 95 % interval by dialogue.

A value (a span of the annotation) is glued in if a colon or a word of its slot's name is directly
before it ("city: Lindholm", "day Friday"), or another value with no word between. Slips are those
of `lang/<language>-agreement.json`, and English articles of the wrong sound.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from math import exp, log, sqrt

from dialoom.dialogue import Utterance
from dialoom.dialogue.views import parts
from dialoom.errors import UnknownNameError
from dialoom.metrics.bootstrap import Z95, Bounds, percentiles
from dialoom.quality.distance.sample import SEED, Spoken, masked, resampled
from dialoom.quality.stats.analysis import Result
from dialoom.quality.stats.overview import TOKEN
from dialoom.schema.lexicon import Lexicon, lexicon, texts_of
from dialoom.sim.core.grammar import takes_an

ORDER = 4
"""Longest n-grams of self-BLEU, as in BLEU."""

COMPARED = 2000
"""Turns of a side at most among which each is looked for: self-BLEU grows with their number."""

HALVES = 50
"""Random halves of the dialogues that the interval of a vocabulary is taken from."""

_UNSEEN = 0.1
"""The count for no common n-gram (Chen & Cherry 2014, smoothing 1), so that a logarithm is."""

_ARTICLE = re.compile(r"(?:\ba|(?:^|[.!?] )A)(n?) (?!(?:an?|the)\b)(\w+)")
_WORDS = re.compile(r"[^\W\d_]+")
_LAST = re.compile(r"([^\W\d_]+) $")
_NO_WORD = re.compile(r"[\s,;/&-]*")

Count = tuple[float, float]
"""A count in a dialogue, and the total it is a part of."""


def wording(simulated: Spoken, real: Spoken, language: str | None) -> Iterator[Result]:
    """Yield a row for each measure: `what`, figure and interval of both sides."""
    size = min(sum(map(len, side)) for side in (simulated, real))

    def row(what: str, of: Callable[[Spoken], Result | None]) -> Result:
        return {"what": what, "simulated": of(simulated), "real": of(real)}

    def rate(what: str, scale: float, of: Callable[[Utterance], Count]) -> Result:
        return row(what, lambda side: _ratio([_summed(map(of, each)) for each in side], scale))

    yield row(f"different words in {size:,} turns", lambda side: _vocabulary(side, size))
    yield row("self-BLEU", lambda side: _ratio(_self_bleu(side, min(size, COMPARED)), 100))
    if (words := _lexicon(language)) is not None:
        yield rate("glued values, percent", 100, _glued(words))
    if slips := _slips(language):
        yield rate("agreement errors in 1,000 turns", 1000, _by(slips, language))


def _summed(counts: Iterable[Count]) -> Count:
    hits, total = zip(*counts, strict=True)
    return sum(hits), sum(total)


def _ratio(counts: Sequence[Count], scale: float) -> Result | None:
    def score(sums: Sequence[float]) -> float:
        return round(scale * sums[0] / sums[1], 4) if sums[1] else 0.0

    pairs = [each for each in counts if each[1]]
    if not pairs:
        return None
    return {"value": score([sum(column) for column in zip(*pairs, strict=True)]),
            "interval": percentiles(resampled(pairs, score)).bounds}  # fmt: skip


def _vocabulary(side: Spoken, size: int) -> Result | None:
    """Return the different words, masked, of so many turns.

    Its interval is that of random halves of the dialogues, without repeats, for drawing dialogues
    twice would lower every vocabulary; a half varies as much as the whole (Shao & Tu 1995, ch. 2).
    """
    texts = [[masked(turn.text).split() for turn in dialogue] for dialogue in side]

    def different(dialogues: Sequence[list[list[str]]], turns: int) -> int:
        return len(set(chain.from_iterable(list(chain.from_iterable(dialogues))[:turns])))

    if not size:
        return None
    rng, whole = random.Random(SEED), different(texts, size)
    sizes = [different(rng.sample(texts, len(texts) // 2), size // 2) for _ in range(HALVES)]
    mean = sum(sizes) / HALVES
    error = Z95 * sqrt(sum((each - mean) ** 2 for each in sizes) / (HALVES - 1))
    bounds: Bounds = round(whole - error, 1), round(whole + error, 1)
    return {"value": whole, "interval": bounds}


def _self_bleu(side: Spoken, size: int) -> list[Count]:
    """Return, for each dialogue, the BLEU of its turns against all others, summed, and the turns.

    Zhu et al. 2018: the higher, the more turns repeat each other. Names and numbers are masked.
    """
    turns = [
        (at, TOKEN.findall(masked(turn.text))) for at, each in enumerate(side) for turn in each
    ][:size]
    tables = [_Others([tokens for _, tokens in turns], n) for n in range(1, ORDER + 1)]
    bleus: dict[int, list[float]] = {}
    for place, (at, tokens) in enumerate(turns):
        rates = [table.share(place, tokens) for table in tables[: len(tokens)]]
        bleus.setdefault(at, []).append(exp(sum(map(log, rates)) / len(rates)) if rates else 0.0)
    return [(sum(scores), len(scores)) for scores in bleus.values()]


def _grams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[at:] for at in range(n)), strict=False))


class _Others:
    """The largest two counts of each n-gram in any turn.

    The length of a turn costs nothing, since among so many turns one is as long.
    """

    def __init__(self, turns: Sequence[Sequence[str]], n: int) -> None:
        self.n = n
        self._most: dict[tuple[str, ...], tuple[int, int, int]] = {}
        for place, tokens in enumerate(turns):
            for gram, times in _grams(tokens, n).items():
                first, owner, second = self._most.get(gram, (0, -1, 0))
                if times > first:
                    self._most[gram] = times, place, first
                elif times > second:
                    self._most[gram] = first, owner, times

    def share(self, place: int, tokens: Sequence[str]) -> float:
        grams = _grams(tokens, self.n)
        hits = 0
        for gram, times in grams.items():
            first, owner, second = self._most[gram]
            hits += min(times, second if owner == place else first)
        return (hits or _UNSEEN) / grams.total()


def _lexicon(language: str | None) -> Lexicon | None:
    try:
        return lexicon(language) if language else None
    except UnknownNameError:
        return None


def _glued(words: Lexicon) -> Callable[[Utterance], Count]:
    stop = frozenset({*words.stop, *words.places})

    def count(turn: Utterance) -> Count:
        spans = sorted({(span.start, span.end, tuple(span.labels)) for part in parts(turn)
                        for span in part.spans or ()})  # fmt: skip
        glued = sum(_is_named(turn.text[:start], labels, stop) for start, _, labels in spans)
        glued += sum(
            one[1] < other[0] and _NO_WORD.fullmatch(turn.text[one[1] : other[0]]) is not None
            for one, other in pairwise(spans)
        )
        return min(glued, len(spans)), len(spans)

    return count


def _is_named(before: str, labels: Sequence[str], stop: frozenset[str]) -> bool:
    """True if a text ends with a colon or with a word of these labels."""
    last = _LAST.search(before.lower())
    if last is None:
        return before.rstrip().endswith(":")
    return last[1] not in stop and any(last[1] in _WORDS.findall(each.lower()) for each in labels)


@lru_cache(maxsize=4)
def _slips(language: str | None) -> tuple[re.Pattern[str], ...]:
    try:
        rules = texts_of(language or "", "agreement", "agreement", dict[str, str])
    except UnknownNameError:
        return ()
    return tuple(re.compile(pattern) for pattern in rules.values())


def _by(slips: Sequence[re.Pattern[str]], language: str | None) -> Callable[[Utterance], Count]:
    def count(turn: Utterance) -> Count:
        errors = sum(len(pattern.findall(turn.text)) for pattern in slips)
        if language == "en":
            errors += sum(bool(n) != takes_an(word) for n, word in _ARTICLE.findall(turn.text))
        return errors, 1

    return count
