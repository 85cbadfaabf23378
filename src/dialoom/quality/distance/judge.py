"""A learned judge of whether a turn is simulated or real, and how often it is right.

It is a logistic regression on words, pairs of words and the characters of words. Each fifth of the
dialogues is judged by what the other four teach. The area under its ROC curve (AUROC) is 0.5 for
turns that nobody can tell apart and 1 for turns that give themselves away.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from dialoom.errors import needs_extra
from dialoom.metrics.bootstrap import SAMPLES, Interval, percentiles
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

SETTINGS = {"judge": f"logistic-regression-C{STRENGTH}-{FOLDS}-folds"}
"""The settings of the judge besides the corpora, for their signature."""


class Judged(NamedTuple):
    """Turns of both sides: their texts, labels (1 simulated), dialogues, and log odds."""

    texts: list[str]
    labels: np.ndarray
    dialogues: np.ndarray
    odds: np.ndarray


def judge(real: Spoken, simulated: Spoken) -> Result | None:
    """Return how well turns and dialogues are told apart; None for too few dialogues or words.

    Returns:
        `turn` and `dialogue`, each with its AUROC, the 95 % interval by dialogue of the judge as
        it is, and the AUROC of the first half of the real ones against the others (`within`); and
        the words that either side is known by.

    Raises:
        MissingExtraError: scikit-learn is not installed.
    """
    with needs_extra("the judge of simulated and real turns", "models"):
        import_module("sklearn")
    half = len(real) // 2
    told, within = _judged(real, simulated), _judged(real[:half], real[half:])
    if told is None:
        return None
    return {
        **{
            unit: {
                "auroc": round(_areas(told, by_dialogue=unit == "dialogue"), 4),
                "interval": _interval(told, by_dialogue=unit == "dialogue").bounds,
                "within": within and round(_areas(within, by_dialogue=unit == "dialogue"), 4),
            }
            for unit in ("turn", "dialogue")
        },
        "words": _words(told),
    }


def _judged(zeros: Spoken, ones: Spoken) -> Judged | None:
    import numpy as np
    from scipy.sparse import hstack
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold, cross_val_predict
    from threadpoolctl import threadpool_limits

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
    words = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, min_df=2)
    letters = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True, min_df=3)
    try:
        features = hstack([each.fit_transform(texts) for each in (words, letters)]).tocsr()
    except ValueError:  # no word is in two turns
        return None
    folds = list(GroupKFold(FOLDS).split(texts, labels, groups))
    if any(len(np.unique(labels[taught])) < 2 for taught, _ in folds):
        return None
    model = LogisticRegression(C=STRENGTH, max_iter=STEPS, class_weight="balanced")
    with threadpool_limits(1):  # several threads only wait for each other
        odds = cross_val_predict(model, features, labels, cv=folds, method="decision_function")
    return Judged(texts, labels, groups, odds)


def _areas(told: Judged, *, by_dialogue: bool) -> float:
    import numpy as np

    odds, labels, _ = _units(told, by_dialogue=by_dialogue)
    return _Curve(odds, labels).area(np.ones(len(odds)))


def _interval(told: Judged, *, by_dialogue: bool) -> Interval:
    """Return the interval of an area: dialogues of each side are drawn anew, their odds kept."""
    import numpy as np

    odds, labels, owners = _units(told, by_dialogue=by_dialogue)
    curve, rng = _Curve(odds, labels), np.random.default_rng(SEED)
    sides = [np.unique(owners[labels == label]) for label in (0, 1)]
    values = []
    for _ in range(SAMPLES):
        weights = np.zeros(owners.max() + 1)
        for side in sides:
            weights[side] = np.bincount(rng.integers(len(side), size=len(side)), None, len(side))
        values.append(curve.area(weights[owners]))
    return percentiles(values)


def _units(told: Judged, *, by_dialogue: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return log odds, labels and dialogues of the turns, or of the dialogues (means of turns)."""
    import numpy as np

    if not by_dialogue:
        return told.odds, told.labels, told.dialogues
    names, owners = np.unique(told.dialogues, return_inverse=True)
    means = np.bincount(owners, told.odds) / np.bincount(owners)
    return means, names % 2, names


class _Curve:
    """The ROC curve of odds, for any weights of their turns."""

    def __init__(self, odds: np.ndarray, labels: np.ndarray) -> None:
        import numpy as np

        _, self.places = np.unique(odds, return_inverse=True)
        self.labels = labels

    def area(self, weights: np.ndarray) -> float:
        """Return the share of pairs whose simulated one has the higher odds; equal ones halve."""
        import numpy as np

        zeros = np.bincount(self.places, weights * (self.labels == 0))
        ones = np.bincount(self.places, weights * (self.labels == 1))
        below = np.cumsum(zeros) - zeros / 2
        return float(ones @ below / (zeros.sum() * ones.sum()))


def _words(told: Judged) -> dict[str, list[str]]:
    """Return the words and pairs of words that speak most for either side, the strongest first."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    words = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, min_df=SEEN)
    try:
        features = words.fit_transform(told.texts)
    except ValueError:  # no word is in so many turns
        return {"simulated": [], "real": []}
    model = LogisticRegression(C=STRENGTH, max_iter=STEPS, class_weight="balanced")
    with threadpool_limits(1):
        weights = model.fit(features, told.labels).coef_[0]
    names: list[Any] = list(words.get_feature_names_out())
    ranked = sorted(range(len(names)), key=lambda at: weights[at])
    return {
        "simulated": [names[at] for at in ranked[::-1][:LISTED] if weights[at] > 0],
        "real": [names[at] for at in ranked[:LISTED] if weights[at] < 0],
    }
