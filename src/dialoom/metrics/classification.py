"""Weighted F1 and accuracy of labels, from counts of (right, predicted) pairs."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

from dialoom.dialogue import NextAction, Question
from dialoom.dialogue.annotation import Struct
from dialoom.metrics.base import Counts, Guess, Score, Signature, share

F1 = Signature({"metric": "f1", "avg": "weighted", "labels": "gold+predicted"})
ACCURACY = Signature({"metric": "accuracy"})


class Classification:
    """F1 of each label averaged with the labels' gold frequencies as weights, and accuracy.

    For label l with TP hits, S gold and P predicted occurrences, F1 = 2 TP / (S + P); the score
    is the mean of F1 weighted by S. This is scikit-learn's
    `f1_score(gold, predicted, average="weighted", zero_division=0)`, which the Schema Attention
    Model's code calls: a label that is only predicted has weight 0 but cost precision elsewhere.
    """

    kind: ClassVar[type[Struct]] = NextAction

    def statistics(self, question: Question[Any], gold: str, prediction: Guess[str]) -> Counts:
        """Count the pair of right and predicted label; no answer is the empty label."""
        return Counter(((gold, prediction.answer if prediction else ""),))

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return `f1` and `accuracy` in percent; 0 where there is nothing to score."""
        support: Counter[str] = Counter()
        predicted: Counter[str] = Counter()
        hits: Counter[str] = Counter()
        for (true, guess), n in counts.items():
            support[true] += n
            predicted[guess] += n
            if true == guess:
                hits[true] += n
        weighted = sum(n * 2 * hits[label] / (n + predicted[label]) for label, n in support.items())
        asked = support.total()
        return {
            "f1": Score("f1", share(weighted, asked), F1),
            "accuracy": Score("accuracy", share(hits.total(), asked), ACCURACY),
        }
