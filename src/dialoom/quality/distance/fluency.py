"""Fluency of simulated users: perplexity of their turns under a model of real users' turns.

One n-gram model (`dialoom.models.ngram`) judges both sides. It learns from every second
real dialogue; the others are judged like the simulated ones. Its unknown words are one class, so
that a name that no real user says weighs no more than another one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from dialoom.dialogue import USER, Dialogue, Utterance
from dialoom.metrics.bootstrap import percentiles
from dialoom.models.ngram import ORDER, NgramModel
from dialoom.quality.distance.sample import resampled
from dialoom.quality.stats.analysis import Result
from dialoom.quality.stats.overview import TOKEN

SETTINGS = {"fluency": f"{ORDER}-gram-kneser-ney", "unknown": "first-occurrence"}
"""The settings of the perplexities besides the corpora, for their signature."""

Count = tuple[float, int, int, int]


def tokens(text: str) -> list[str]:
    """Return the words and signs of a text in lower case."""
    return TOKEN.findall(text.lower())


def compare(
    simulated: Callable[[], Iterable[Dialogue]], real: Callable[[], Iterable[Dialogue]]
) -> dict[str, Result]:
    """Return the perplexity of the user's turns of simulated and of held-out real dialogues.

    `ratio` is how many times as perplexing the simulated ones are, with its interval by dialogue.

    Args:
        real: Gives the real ones, twice: the first, the third and so on are learnt, and the others
            are judged.
    """
    judge = NgramModel()
    for place, dialogue in enumerate(real()):
        if place % 2 == 0:
            for text in _turns(dialogue):
                judge.learn(tokens(text))
    judge.freeze()
    holdout = (dialogue for place, dialogue in enumerate(real()) if place % 2)
    counts = [[_counts(judge, each) for each in side] for side in (simulated(), holdout)]
    return {**dict(zip(("simulated", "real"), map(_judged, counts), strict=True)),
            "ratio": _ratio(*counts)}  # fmt: skip


def _turns(dialogue: Dialogue) -> Iterator[str]:
    for event in dialogue.events:
        if isinstance(event, Utterance) and event.agent == USER:
            yield event.text


def _counts(judge: NgramModel, dialogue: Dialogue) -> Count:
    judged = [judge.bits(tokens(text)) for text in _turns(dialogue)]
    bits, words, unknown = (sum(column) for column in zip((0.0, 0, 0), *judged, strict=True))
    return bits, words, unknown, len(judged)


def _judged(counts: Iterable[Count]) -> Result:
    bits, words, unknown, turns = (sum(each) for each in zip((0.0, 0, 0, 0), *counts, strict=True))
    return {
        "turns": turns,
        "words": words,
        "unknown": round(unknown / words, 4) if words else None,
        "perplexity": round(2 ** (bits / words), 1) if words else None,
    }


def _ratio(simulated: Sequence[Count], real: Sequence[Count]) -> Result:
    sides = [[each[:2] for each in side if each[1]] for side in (simulated, real)]
    if not all(sides):
        return {"value": None, "interval": None}
    whole = [_entropy([sum(column) for column in zip(*side, strict=True)]) for side in sides]
    draws = zip(*(resampled(side, _entropy, seed) for seed, side in enumerate(sides)), strict=True)
    bounds = percentiles([2 ** (one - other) for one, other in draws]).bounds
    return {"value": round(2 ** (whole[0] - whole[1]), 4), "interval": bounds}


def _entropy(sums: Sequence[float]) -> float:
    return sums[0] / sums[1]
