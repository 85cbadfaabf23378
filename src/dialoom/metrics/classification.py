"""Weighted F1 and accuracy of labels; detection of out-of-scope turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, ClassVar

from dialoom.dialogue import InScope, NextAction, Question
from dialoom.dialogue.annotation import Struct
from dialoom.metrics.base import Counts, Guess, Score, share, signed


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
        questions = support.total()
        f1 = signed({"f1": share(weighted, questions)}, avg="weighted", labels="gold+predicted")
        return f1 | signed({"accuracy": share(hits.total(), questions)})


STEPS = 10_000
"""Resolution of counted probabilities: parts of 1."""

RECALL = 0.95
"""The recall at which false alarms are counted."""

IN, OUT = "in", "out"
"""A model's decision on a turn, in scope or not: the first of its ranking."""


class Detection:
    """Area under the ROC curve, false positive rate at 95 % recall, and macro F1.

    Positive is a turn out of scope. An outcome is whether it is, the probability of that in steps
    of 1/10,000, and what the model decides: the first of its ranking, else what is likelier. The
    area is the chance that a positive has a higher probability than a negative, ties counted half
    (Fawcett 2006, section 7); the rate is that of the highest threshold which finds at least 95 %
    of the positives (Hendrycks & Gimpel 2017 count the like); F1 is the mean over both classes.
    """

    kind: ClassVar[type[Struct]] = InScope

    def statistics(self, question: Question[Any], gold: float, prediction: Guess[float]) -> Counts:
        """Count what is right, the probability and the decision.

        No answer is a sure "in", an unreadable one a sure wrong decision.
        """
        out = 0.0 if prediction is None else 1 - prediction.answer
        decided = out > 0.5
        if prediction is not None and prediction.record and prediction.record.unreadable:
            out, decided = (0.0, False) if gold < 0.5 else (1.0, True)
        elif prediction is not None and prediction.ranking:
            decided = prediction.ranking[0][0] == OUT
        return Counter(((gold < 0.5, round(out * STEPS), decided),))

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return `auroc`, `fpr@95` and `macro_f1` in percent; 0 where there is nothing to score."""
        sides: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
        table = Counter[tuple[bool, bool]]()
        for (true, step, decided), n in counts.items():
            sides[true][step] += n
            table[true, decided] += n
        area, alarms = _curve(*sides)
        macro_f1 = sum(_f1(table, label) for label in (False, True)) / 2
        return signed({"auroc": area, "fpr@95": alarms, "macro_f1": macro_f1}, steps=STEPS)


def _curve(negatives: Counter[int], positives: Counter[int]) -> tuple[float, float]:
    total, others = positives.total(), negatives.total()
    hits = alarms = 0
    area, at_recall = 0.0, None
    for step in sorted({*positives, *negatives}, reverse=True):
        area += negatives[step] * (hits + positives[step] / 2)
        hits += positives[step]
        alarms += negatives[step]
        if at_recall is None and hits >= RECALL * total:
            at_recall = alarms
    return share(area, total * others), share(at_recall or 0, others)


def _f1(table: Counter[tuple[bool, bool]], label: bool) -> float:
    wrong: Iterable[int] = (table[label, not label], table[not label, label])
    hits = 2 * table[label, label]
    return share(hits, hits + sum(wrong))
