"""The learnt policy: the probability of each class of lines in a state.

expected = policy.expected(read_questions(questions, reader), asking, reader)
expected[0].probability(reader.line("how about bay_inn"), asking)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from dialoom.models.ranker.features import SlotQuestions, features, line_class
from dialoom.models.ranker.learning import ActionMask, Features, Regression
from dialoom.models.ranker.lines import Line, LineReader
from dialoom.models.ranker.reading import ReadQuestion
from dialoom.models.ranker.state import HistoryState


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
        found: list[tuple[Features, str]] = []
        conditions: list[tuple[Sequence[str], str]] = []
        for question, line in zip(read, answers, strict=True):
            missing = asking.missing(question.state, question.required)
            held, names = features(question.state, missing, asking, reader)
            label = line_class(line, question.state, missing, asking)
            found.append((names, label))
            conditions.append((held, label))
        self._regression, self._mask = Regression(found), ActionMask(conditions)

    def expected(
        self, read: Sequence[ReadQuestion], asking: SlotQuestions, reader: LineReader
    ) -> list[Expected]:
        """Return the expectations at each question; `asking` includes slots of another wording."""
        missing = [asking.missing(each.state, each.required) for each in read]
        found = [
            features(each.state, slots, asking, reader)
            for each, slots in zip(read, missing, strict=True)
        ]
        chances = self._regression.probabilities([names for _, names in found])
        return [
            Expected(each.state, slots, self._mask.applied(conditions, classes))
            for each, slots, (conditions, _), classes in zip(
                read, missing, found, chances, strict=True
            )
        ]
