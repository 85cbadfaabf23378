"""Fit the weights of a grammar's ways by a judge that tells its texts from those of people.

A round simulates dialogues whose turns show the ways they were made by (`dyed.py`), and trains a
judge on these turns and real ones. A ridge regression of the log odds of a turn being real on its
ways gives what each way adds to them, other ways being equal. A way's weight is multiplied by e to
the power of what it adds, relative to the mean of its symbol: a step of gradient descent on the
divergence of the turns from real ones, which only tells ways of one symbol apart.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from math import exp
from pathlib import Path
from typing import NamedTuple

import numpy as np
from dyed import GrammarFile
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict

from dialoom import formats
from dialoom.dialogue import Utterance
from dialoom.quality.distance.sample import masked

LARGEST = 3.0
"""The largest log odds of a turn, and the smallest, negated: a judge is often too sure."""

DOUBT = 10
"""Penalty of the ridge regression: so many uses with no effect are added to those of each way."""

STEP = 0.7
"""Share of a way's log odds by which a round moves its weight."""

RAREST = 0.1
"""A way's share of its symbol stays above this part of an equal share, so that variety stays."""

SUM = 20
"""Least sum of a symbol's weights for each of its ways, since weights are whole numbers."""


class DyedTurn(NamedTuple):
    """A simulated turn, and the numbers of the ways that it was made by."""

    text: str
    ways: Sequence[int]


class Effect(NamedTuple):
    """How often a way is used, and what it adds to the log odds, relative to its symbol's mean."""

    uses: int
    added: float


UNUSED = Effect(0, 0.0)


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


def log_odds(real: Sequence[str], made: Sequence[str]) -> tuple[np.ndarray, float]:
    """Return the log odds of each made turn being real, and the judge's AUROC, both held out."""
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
    bounded = np.clip(found[len(real) :], -LARGEST, LARGEST)
    return bounded, float(roc_auc_score(labels, found))


def effects(file: GrammarFile, turns: Sequence[DyedTurn], odds: np.ndarray) -> dict[int, Effect]:
    """Return the uses of each used way, and what it adds to the log odds of being real."""
    rows = [at for at, turn in enumerate(turns) for _ in turn.ways]
    columns = [number for turn in turns for number in turn.ways]
    shape = len(turns), len(file.ways)
    uses = csr_matrix((np.ones(len(rows)), (rows, columns)), shape=shape)
    added = Ridge(alpha=DOUBT, solver="sparse_cg").fit(uses, odds).coef_
    numbers = np.asarray(uses.sum(axis=0)).ravel().astype(int)
    means: dict[str, float] = {}
    for symbol in file.symbols:
        own = [at for at, (name, _) in enumerate(file.ways) if name == symbol]
        if total := numbers[own].sum():
            means[symbol] = float(added[own] @ numbers[own] / total)
    return {
        at: Effect(int(numbers[at]), float(added[at]) - means[symbol])
        for at, (symbol, _) in enumerate(file.ways)
        if numbers[at]
    }


def moved(file: GrammarFile, found: dict[int, Effect]) -> dict[str, dict[str, int]]:
    """Return the weights of the symbols that were used, after a round."""
    numbers = {way: at for at, way in enumerate(file.ways)}
    weights: dict[str, dict[str, int]] = {}
    for symbol, ways in file.symbols.items():
        own = [found.get(numbers[symbol, way], UNUSED) for way in ways]
        if len(ways) > 1 and any(each.uses for each in own):
            weights[symbol] = whole(ways, [exp(STEP * each.added) for each in own])
    return weights


def whole(ways: dict[str, int], ratios: Sequence[float]) -> dict[str, int]:
    """Return weights times ratios, as whole numbers; 0, the last resort, stays."""
    shares = [w * ratio for w, ratio in zip(ways.values(), ratios, strict=True)]
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
        odds, area = log_odds(real[: 2 * len(turns)], [turn.text for turn in turns])
        shown = sum(bool(turn.ways) for turn in turns) / len(turns)
        print(f"round {number}: AUROC {area:.3f}; {shown:.1%} of {len(turns):,} turns are dyed")
        found = effects(file, turns, odds)
        file.write(moved(file, found))
        if number == rounds - 1:
            _print(file, found)
        file = GrammarFile(file.path)


def _print(file: GrammarFile, found: dict[int, Effect]) -> None:
    """Print the ways that the judge recognises most, and those it takes for real."""
    ranked = sorted((n for n in found if found[n].uses >= DOUBT), key=lambda n: found[n].added)
    for title, numbers in (("recognised", ranked[:40]), ("taken for real", ranked[:-41:-1])):
        print(f"{title} (log odds that it adds, uses):")
        for number in numbers:
            symbol, way = file.ways[number]
            print(f"   {found[number].added:+.2f} {found[number].uses} <{symbol}> {way!r}")
