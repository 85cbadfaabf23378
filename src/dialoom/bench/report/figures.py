"""Figures from predictions of labels: confusions, scores of each label, a sample of errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dialoom.bench.core.predictions import PredictionLine


@dataclass(frozen=True, slots=True)
class Confusion:
    """The number (`n`) of predictions of one label where another is right."""

    gold: str
    predicted: str
    n: int


@dataclass(frozen=True, slots=True)
class HoldOutErrors:
    """The errors on one hold-out with `n` questions; `top` are the most frequent confusions."""

    name: str
    n: int
    errors: int
    top: tuple[Confusion, ...]


@dataclass(frozen=True, slots=True)
class LabelScore:
    """The counts of one label over all hold-outs; precision, recall and F1 are in percent."""

    label: str
    gold: int
    predicted: int
    hits: int

    @property
    def precision(self) -> float | None:
        """The share of hits among predictions; None where it was never predicted."""
        return 100 * self.hits / self.predicted if self.predicted else None

    @property
    def recall(self) -> float | None:
        """The share of hits among right answers; None where it is never right."""
        return 100 * self.hits / self.gold if self.gold else None

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return 200 * self.hits / (self.gold + self.predicted)


def errors_by_holdout(lines: Iterable[PredictionLine], limit: int) -> list[HoldOutErrors]:
    """Return each hold-out's most frequent confusions, `limit` of them, in the lines' order."""
    totals: Counter[str] = Counter()
    wrong: dict[str, Counter[tuple[str, str]]] = {}
    for line in lines:
        totals[line.holdout] += 1
        confused = wrong.setdefault(line.holdout, Counter())
        if line.gold != line.predicted:
            confused[line.gold, line.predicted] += 1
    errors = []
    for name, confused in wrong.items():
        ordered = sorted(confused.items(), key=lambda item: (-item[1], item[0]))
        top = tuple(Confusion(gold, predicted, n) for (gold, predicted), n in ordered[:limit])
        errors.append(HoldOutErrors(name, totals[name], confused.total(), top))
    return errors


def label_scores(lines: Iterable[PredictionLine]) -> list[LabelScore]:
    """Return the score of every label, the frequent ones first."""
    gold: Counter[str] = Counter()
    predicted: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    for line in lines:
        gold[line.gold] += 1
        predicted[line.predicted] += 1
        hits[line.gold] += line.gold == line.predicted
    labels = sorted({*gold, *predicted}, key=lambda label: (-gold[label], label))
    return [LabelScore(name, gold[name], predicted[name], hits[name]) for name in labels]


def samples(lines: Sequence[PredictionLine], limit: int) -> list[PredictionLine]:
    """Return up to `limit` errors of each hold-out, one of each of its most frequent confusions.

    Errors in dialogues from which none was taken yet are preferred.
    """
    picks: list[PredictionLine] = []
    places: set[tuple[str, int | str]] = set()
    for holdout in errors_by_holdout(lines, limit):
        for confusion in holdout.top:
            fitting = [
                line
                for line in lines
                if (line.holdout, line.gold, line.predicted)
                == (holdout.name, confusion.gold, confusion.predicted)
            ]
            fresh = (line for line in fitting if (line.holdout, line.dialogue) not in places)
            line = next(fresh, fitting[0])
            places.add((line.holdout, line.dialogue))
            picks.append(line)
    return picks
