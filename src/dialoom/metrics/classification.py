"""Weighted F1 and accuracy over labels, from counts of (gold, predicted) pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from dialoom.errors import UsageError
from dialoom.metrics.base import Counts, Score, Signature


def pairs(gold: Sequence[str], prediction: Sequence[str]) -> Counts:
    """Count the pairs of gold and predicted label.

    Raises:
        UsageError: There are not as many predictions as gold labels.
    """
    if len(gold) != len(prediction):
        raise UsageError(f"{len(prediction)} predictions for {len(gold)} gold labels")
    return Counter(zip(gold, prediction, strict=True))


class WeightedF1:
    """F1 of each label, averaged with the labels' gold frequencies as weights.

    For label l with TP hits, S gold and P predicted occurrences, F1 = 2 TP / (S + P); the score
    is the mean of F1 weighted by S. This is scikit-learn's
    `f1_score(gold, predicted, average="weighted", zero_division=0)`, which the Schema Attention
    Model's code calls: a label that is only predicted has weight 0 but cost precision elsewhere.
    """

    name = "f1"

    @property
    def signature(self) -> Signature:
        """The metric's own options."""
        return Signature({"metric": "f1", "avg": "weighted", "labels": "gold+predicted"})

    def statistics(self, gold: Sequence[str], prediction: Sequence[str]) -> Counts:
        """Count what the score is made of; labels are paired by position."""
        return pairs(gold, prediction)

    def value(self, counts: Counts) -> float:
        """Return the score in percent; 0 where there is nothing to score."""
        support: Counter[str] = Counter()
        predicted: Counter[str] = Counter()
        for (true, guess), n in counts.items():
            support[true] += n
            predicted[guess] += n
        total = support.total()
        if not total:
            return 0.0
        weighted = sum(
            n * 2 * counts[label, label] / (n + predicted[label]) for label, n in support.items()
        )
        return 100 * weighted / total

    def score(self, counts: Counts) -> Score:
        """Return the score with its signature."""
        return Score(self.name, self.value(counts), self.signature)


class Accuracy:
    """The share of questions answered with the gold label."""

    name = "accuracy"

    @property
    def signature(self) -> Signature:
        """The metric's own options."""
        return Signature({"metric": "accuracy"})

    def statistics(self, gold: Sequence[str], prediction: Sequence[str]) -> Counts:
        """Count what the score is made of; labels are paired by position."""
        return pairs(gold, prediction)

    def value(self, counts: Counts) -> float:
        """Return the score in percent; 0 where there is nothing to score."""
        total = counts.total()
        hits = sum(n for (true, guess), n in counts.items() if true == guess)
        return 100 * hits / total if total else 0.0

    def score(self, counts: Counts) -> Score:
        """Return the score with its signature."""
        return Score(self.name, self.value(counts), self.signature)
