"""A learned judge of whether a turn is simulated or real, and how often it is right.

It is a logistic regression on words, pairs of words and the characters of words. Each fifth of the
dialogues is judged by what the other four teach. The area under its ROC curve (AUROC) is 0.5 for
turns that cannot be separated and 1 for turns that always can.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from dialoom.errors import needs_extra
from dialoom.metrics.bootstrap import SAMPLES, percentiles
from dialoom.quality.distance.sample import SEED, Spoken, masked
from dialoom.quality.stats.analysis import Result

if TYPE_CHECKING:
    import numpy as np

FOLDS = 5
"""Parts of the dialogues, each judged by what the others teach."""

STRENGTH, STEPS = 4, 300
"""Inverse strength of the penalty (scikit-learn's C), and most steps of the solver."""

FEWEST = 10
"""Dialogues of either side below which nothing is judged."""

LISTED, SEEN = 25, 5
"""Words that are listed as giving a side away, and turns that they must be in."""

WORD = r"\w\w+"
"""Pattern of a word: two letters or more."""

SETTINGS = {"judge": f"logistic-regression-C{STRENGTH}-{FOLDS}-folds"}
"""The settings of the judge besides the corpora, for their signature."""


class Judged(NamedTuple):
    """Turns of both sides: their texts, labels (1 simulated), dialogues, and log odds."""

    texts: list[str]
    labels: np.ndarray
    dialogues: np.ndarray
    odds: np.ndarray


def judge(real: Spoken, simulated: Spoken) -> Result | None:
    """Return how well turns and dialogues are separated; None for too few dialogues or words.

    Returns:
        `turn` and `dialogue`, each with its AUROC, the 95 % interval by dialogue of the judge as
        it is, and the AUROC of the first half of the real ones against the others (`within`); and
        the words that are typical of either side.

    Raises:
        MissingExtraError: scikit-learn is not installed.
    """
    with needs_extra("the judge of simulated and real turns", "models"):
        import_module("sklearn")
    half = len(real) // 2
    judged, within = _judged(real, simulated), _judged(real[:half], real[half:])
    if judged is None:
        return None
    report: Result = {"words": _words(judged)}
    for unit in ("turn", "dialogue"):
        whole, *areas = _areas(judged, by_dialogue=unit == "dialogue")
        yardstick = within and next(_areas(within, by_dialogue=unit == "dialogue"))
        report[unit] = {
            "auroc": round(whole, 4),
            "interval": percentiles(areas).bounds,
            "within": yardstick and round(yardstick, 4),
        }
    return report


def _judged(zeros: Spoken, ones: Spoken) -> Judged | None:
    import numpy as np
    from scipy.sparse import hstack
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold, cross_val_predict
    from threadpoolctl import threadpool_limits

    from dialoom.learn.text import LetterTerms, TermWeights, WordTerms

    if min(len(zeros), len(ones)) < FEWEST:
        return None
    rows = [
        (masked(turn.text), label, 2 * at + label)
        for label, side in enumerate((zeros, ones))
        for at, dialogue in enumerate(side)
        for turn in dialogue
    ]
    texts = [text for text, _, _ in rows]
    labels = np.array([label for _, label, _ in rows])
    groups = np.array([group for _, _, group in rows])
    words = TermWeights(WordTerms(WORD), least=2).fit(texts)
    if not words.names:  # no word is in two turns
        return None
    letters = TermWeights(LetterTerms(), least=3).fit(texts)
    features = hstack([each.transform(texts) for each in (words, letters)]).tocsr()
    folds = list(GroupKFold(FOLDS).split(texts, labels, groups))
    if any(len(np.unique(labels[taught])) < 2 for taught, _ in folds):
        return None
    model = LogisticRegression(C=STRENGTH, max_iter=STEPS, class_weight="balanced")
    with threadpool_limits(1):  # several threads only wait for each other
        odds = cross_val_predict(model, features, labels, cv=folds, method="decision_function")
    return Judged(texts, labels, groups, odds)


def _areas(judged: Judged, *, by_dialogue: bool) -> Iterator[float]:
    """Yield the area under the curve, then those of dialogues of each side that are drawn anew.

    The area is the share of pairs whose simulated one has the higher odds; equal odds count half.
    """
    import numpy as np

    odds, labels, owners = judged.odds, judged.labels, judged.dialogues
    names, numbers = np.unique(owners, return_inverse=True)
    if by_dialogue:  # the mean of its turns
        odds, labels, owners = np.bincount(numbers, odds) / np.bincount(numbers), names % 2, names
    _, places = np.unique(odds, return_inverse=True)
    weights, rng = np.ones(names.max() + 1), np.random.default_rng(SEED)
    for _ in range(1 + SAMPLES):
        weighed = weights[owners]
        zeros, ones = (np.bincount(places, weighed * (labels == label)) for label in (0, 1))
        below = np.cumsum(zeros) - zeros / 2
        yield float(ones @ below / (zeros.sum() * ones.sum()))
        for label in (0, 1):
            side = names[names % 2 == label]
            weights[side] = np.bincount(rng.integers(len(side), size=len(side)), None, len(side))


def _words(judged: Judged) -> dict[str, list[str]]:
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    from dialoom.learn.text import TermWeights, WordTerms

    words = TermWeights(WordTerms(WORD), least=SEEN).fit(judged.texts)
    names = words.names
    if not names:  # no word is in so many turns
        return {"simulated": [], "real": []}
    features = words.transform(judged.texts)
    model = LogisticRegression(C=STRENGTH, max_iter=STEPS, class_weight="balanced")
    with threadpool_limits(1):
        weights = model.fit(features, judged.labels).coef_[0]
    ranked = sorted(range(len(names)), key=lambda at: weights[at])
    return {
        "simulated": [names[at] for at in ranked[::-1][:LISTED] if weights[at] > 0],
        "real": [names[at] for at in ranked[:LISTED] if weights[at] < 0],
    }
