"""The learnt policy: the probability of each class of lines in a state.

A logistic regression over named features gives it, reduced by an action mask.

expected = policy.expected(read_questions(questions, reader), asking, reader)
expected[0].probability(reader.line("how about bay_inn"), asking)
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import NamedTuple

from dialoom.models.ranker.features import Features, SlotQuestions, features, line_class
from dialoom.models.ranker.lines import Line, LineReader
from dialoom.models.ranker.reading import ReadQuestion
from dialoom.models.ranker.state import HistoryState

WEIGHTS = 4_000_000
"""Most weights (classes times features) of a regression: beyond it, rare ones are left out."""

STRENGTH, STEPS = 10.0, 300

MASKED = 0.01
"""Factor of the probability of a class that training never has under a condition."""

ENOUGH = 5
"""Least training examples of a condition for its mask to apply."""


class ActionMask:
    """An action mask: reduces the probability of classes never seen under a condition.

    `found` has the conditions and the class of each training example.
    """

    def __init__(self, examples: Iterable[tuple[Sequence[str], str]]) -> None:
        self._seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for conditions, label in examples:
            for condition in conditions:
                self._seen[condition][label] += 1

    def applied(self, conditions: Sequence[str], chances: Mapping[str, float]) -> dict[str, float]:
        """Return masked probabilities of classes under conditions; they no longer add up to 1."""
        weights = dict(chances)
        for condition in conditions:
            counts = self._seen.get(condition, Counter())
            if counts.total() >= ENOUGH:
                for label in weights.keys() - counts.keys():
                    weights[label] *= MASKED
        return weights


Counted = Counter[tuple[frozenset[str], str]]
"""Counts: the features and the class of an example to the number of such examples."""


def _small_enough(counts: Counted) -> Counted:
    classes = Counter(label for _, label in counts.elements())
    features = Counter(name for names, _ in counts for name in names)
    least = 1
    while _common(classes, least) * _common(features, least) > WEIGHTS:
        least += 1
    subset: Counted = Counter()
    for (names, label), count in counts.items():
        if classes[label] >= least:
            subset[frozenset(name for name in names if features[name] >= least), label] += count
    return subset


def _common(counts: Counter[str], least: int) -> int:
    return sum(count >= least for count in counts.values())


class Regression:
    """A multinomial logistic regression over named features, with L2 regularisation.

    Equal examples are fitted as one, with the weight 1 + log(number of them). `found` has the
    features and the class of each.
    """

    def __init__(self, examples: Iterable[tuple[Features, str]]) -> None:
        from sklearn.feature_extraction import DictVectorizer
        from sklearn.linear_model import LogisticRegression

        counts = _small_enough(Counter((frozenset(names), label) for names, label in examples))
        labels = [label for _, label in counts]
        self._classes = sorted(set(labels))
        self._table, self._model = DictVectorizer(), LogisticRegression(C=STRENGTH, max_iter=STEPS)
        if len(self._classes) > 1:
            rows = [dict.fromkeys(sorted(names), 1.0) for names, _ in counts]
            weights = [1 + log(count) for count in counts.values()]
            self._model.fit(self._table.fit_transform(rows), labels, sample_weight=weights)

    def probabilities(self, rows: Sequence[Features]) -> list[dict[str, float]]:
        """Return the probability of each class for each row."""
        if len(self._classes) < 2 or not rows:
            return [dict.fromkeys(self._classes, 1.0) for _ in rows]
        chances = self._model.predict_proba(self._table.transform(rows))
        return [dict(zip(self._classes, map(float, row), strict=True)) for row in chances]


class Expected(NamedTuple):
    """The probabilities of classes of lines in a state; `missing` slots are in asking order."""

    state: HistoryState
    missing: Sequence[str]
    classes: Mapping[str, float]

    def probability(self, line: Line, asking: SlotQuestions) -> float:
        """Return the probability of a line, by the slots that templates ask for."""
        return self.classes.get(line_class(line, self.state, self.missing, asking), 0.0)


class Policy:
    """A regression over the features of states, with an action mask.

    `answers` are the bot's lines at the training questions, `asking` the slots that templates ask
    for, in order.
    """

    def __init__(
        self,
        read: Iterable[ReadQuestion],
        answers: Iterable[Line],
        asking: SlotQuestions,
        reader: LineReader,
    ) -> None:
        rows: list[tuple[Features, str]] = []
        conditions: list[tuple[Sequence[str], str]] = []
        for question, line in zip(read, answers, strict=True):
            missing = asking.missing(question.state, question.required)
            premises, names = features(question.state, missing, asking, reader)
            label = line_class(line, question.state, missing, asking)
            rows.append((names, label))
            conditions.append((premises, label))
        self._regression, self._mask = Regression(rows), ActionMask(conditions)

    def expected(
        self, read: Sequence[ReadQuestion], asking: SlotQuestions, reader: LineReader
    ) -> list[Expected]:
        """Return the expectations at each question; `asking` includes slots of another wording."""
        missing = [asking.missing(each.state, each.required) for each in read]
        rows = [
            features(each.state, slots, asking, reader)
            for each, slots in zip(read, missing, strict=True)
        ]
        chances = self._regression.probabilities([names for _, names in rows])
        return [
            Expected(each.state, slots, self._mask.applied(conditions, classes))
            for each, slots, (conditions, _), classes in zip(
                read, missing, rows, chances, strict=True
            )
        ]
