"""Fit the weights of a grammar's ways by a judge that tells its texts from those of people.

A round simulates dialogues whose turns show the ways they were made by (`dyed.py`), and trains a
judge on these turns and real ones. The odds of a turn being real, as the judge sees it, estimate
how much oftener people say such a thing. A way's weight is multiplied by the mean odds of the turns
it is used in, relative to all ways of its symbol: a step of importance weighting, towards weights
under which the turns are distributed as real ones.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from dyed import GrammarFile
from scipy.sparse import hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict

from dialoom import formats
from dialoom.dialogue import Utterance
from dialoom.quality.distance.sample import masked

LARGEST = 8.0
"""The odds of a turn are at most this, and at least its inverse: a judge is often too sure."""

DOUBT = 10
"""Uses with the mean odds of its symbol that a way is given beforehand: few uses prove little."""

STEP = 0.7
"""The power of the odds by which a round moves the weights."""

RAREST = 0.1
"""A way's share of its symbol stays above this part of an equal share, so that variety stays."""

SUM = 20
"""Least sum of a symbol's weights for each of its ways, since weights are whole numbers."""


class DyedTurn(NamedTuple):
    """A simulated turn, and the numbers of the ways that it was made by."""

    text: str
    ways: Sequence[int]


def simulated(file: GrammarFile, side: str, options: Sequence[str]) -> list[DyedTurn]:
    """Simulate dialogues with a grammar, and return the turns of one side."""
    dyed = Path(__file__).with_name("dyed.py")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "dyed"
        command = [sys.executable, str(dyed), str(file.path), "simulate", *options]
        command += ["--workers", "1", "--to", "native", "--out", str(out)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        found = []
        for dialogue in formats.load(out, None).dialogues():
            for event in dialogue.events:
                if isinstance(event, Utterance) and event.agent == side and event.text.strip():
                    text, ways = file.read(event.text)
                    found.append(DyedTurn(text.strip(), ways))
    return found


def odds(real: Sequence[str], made: Sequence[str]) -> tuple[np.ndarray, float]:
    """Return the odds of each made turn being real, and the AUROC of the judge, both held out."""
    texts = [masked(text) for text in (*real, *made)]
    labels = np.array([1] * len(real) + [0] * len(made))
    vectors = hstack([
        TfidfVectorizer(
            ngram_range=(1, 3), sublinear_tf=True, min_df=3, token_pattern=r"\w+|[^\w\s]"
        ).fit_transform(texts),
        TfidfVectorizer(
            analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True, min_df=5
        ).fit_transform(texts),
    ]).tocsr()  # fmt: skip
    judge = LogisticRegression(C=1, max_iter=300, class_weight="balanced")
    found = cross_val_predict(judge, vectors, labels, cv=5, method="decision_function")
    bounded = np.exp(np.clip(found[len(real) :], -np.log(LARGEST), np.log(LARGEST)))
    return bounded, float(roc_auc_score(labels, found))


def moved(
    file: GrammarFile, turns: Sequence[DyedTurn], weighed: np.ndarray
) -> tuple[dict[str, dict[str, int]], dict[int, tuple[int, float]]]:
    """Return the weights after a round, and the uses and the relative odds of each way."""
    uses: dict[int, int] = defaultdict(int)
    sums: dict[int, float] = defaultdict(float)
    for turn, odd in zip(turns, weighed, strict=True):
        for number in turn.ways:
            uses[number] += 1
            sums[number] += float(odd)
    numbers: dict[str, list[int]] = defaultdict(list)
    for number, (symbol, _) in enumerate(file.ways):
        numbers[symbol].append(number)
    weights: dict[str, dict[str, int]] = {}
    ratios: dict[int, tuple[int, float]] = {}
    for symbol, own in numbers.items():
        total = sum(uses[number] for number in own)
        if total and len(own) > 1:
            mean = sum(sums[number] for number in own) / total
            for number in own:
                known = (sums[number] + DOUBT * mean) / (uses[number] + DOUBT)
                ratios[number] = uses[number], known / mean
            weights[symbol] = whole(file.symbols[symbol], [ratios[number][1] for number in own])
    return weights, ratios


def whole(ways: dict[str, int], ratios: Sequence[float]) -> dict[str, int]:
    """Return weights that are moved by ratios, as whole numbers; 0, the last resort, stays."""
    shares = [w * ratio**STEP for w, ratio in zip(ways.values(), ratios, strict=True)]
    scale = max(sum(ways.values()), SUM * len(ways)) / (sum(shares) or 1)
    least = RAREST * scale * sum(shares) / len(ways)
    return {
        way: max(round(share * scale), round(least), 1) if share else 0
        for way, share in zip(ways, shares, strict=True)
    }


def fit(
    file: GrammarFile, real: Sequence[str], side: str, options: Sequence[str], *, rounds: int
) -> None:
    """Write the weights of a grammar after some rounds; print AUROC, and what moved in the last."""
    for number in range(rounds):
        turns = simulated(file, side, [*options, "--seed", str(1000 + number)])
        weighed, area = odds(real[: 2 * len(turns)], [turn.text for turn in turns])
        shown = sum(bool(turn.ways) for turn in turns) / len(turns)
        print(
            f"round {number}: AUROC {area:.3f}; {shown:.1%} of {len(turns):,} turns are made by it"
        )
        weights, ratios = moved(file, turns, weighed)
        file.write(weights)
        if number == rounds - 1:
            _print(file, ratios)
        file = GrammarFile(file.path)


def _print(file: GrammarFile, ratios: dict[int, tuple[int, float]]) -> None:
    """Print the ways that the judge recognises most, and those it takes for real."""
    ranked = sorted((n for n in ratios if ratios[n][0] >= DOUBT), key=lambda n: ratios[n][1])
    for title, numbers in (("recognised", ranked[:40]), ("taken for real", ranked[:-41:-1])):
        print(f"{title} (odds relative to the symbol's, uses):")
        for number in numbers:
            symbol, way = file.ways[number]
            uses, ratio = ratios[number]
            print(f"   {ratio:.2f} {uses} <{symbol}> {way!r}")
