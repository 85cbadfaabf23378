"""A metric, its scores, and the signature that reproduces a score.

Counts are separate from scores (as in sacrebleu): a metric reduces each answer to counts, which add
up, and only then makes scores of them. Slices, resampled dialogues and means over hold-outs all go
through the same two functions.

    metric = Classification()
    counts = metric.statistics(question, "query", Prediction("ask_name"))
    print(metric.scores(counts)["f1"])      # f1 0.00 (metric:f1|avg:weighted|...)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol, TypeVar, runtime_checkable

from dialoom.dialogue import Prediction, Question
from dialoom.dialogue.annotation import Struct
from dialoom.learn.code_digest import version

Counts = Counter[tuple[Any, ...]]
"""How often each outcome occurred: what an outcome is, each metric says. Counts of two sets add up.

The values of one metric's outcomes can be put in order.
"""

T = TypeVar("T")

Guess = Prediction[T] | None
"""A prediction; None for a question without an answer."""


class Signature(Struct, frozen=True):
    """Key and value of everything a score depends on, in the order they were named."""

    fields: dict[str, str] = {}

    def extended(self, more: Mapping[str, object]) -> Signature:
        """Return a signature with more fields; those whose value is None drop out."""
        added = {key: str(value) for key, value in more.items() if value is not None}
        return Signature({**self.fields, **added})

    def __str__(self) -> str:
        # Not `dialoom.__version__`: this layer may not import the package above it.
        fields = {**self.fields, "version": version("dialoom")}
        return "|".join(f"{key}:{value}" for key, value in fields.items())


class Score(Struct, frozen=True):
    """A number in percent, with the signature that reproduces it."""

    name: str
    value: float
    signature: Signature = Signature()

    def __str__(self) -> str:
        return f"{self.name} {self.value:.2f} ({self.signature})"


def signed(values: Mapping[str, float], metric: str = "", /, **about: object) -> dict[str, Score]:
    """Return scores whose signatures have the metric, by default the name, and further fields."""
    return {
        name: Score(name, value, Signature({"metric": metric or name}).extended(about))
        for name, value in values.items()
    }


class Metric(Protocol):
    """Reduces answers to one kind of question to counts, and counts to scores.

    One whose `resampled` is False is of a corpus as a whole (how many words differ, …): it has no
    interval over dialogues. `of_dialogues` may name scores of whole dialogues, which slices and
    samples of the questions do not have.
    """

    kind: ClassVar[type[Struct]]

    def statistics(self, question: Question[Any], gold: Any, prediction: Guess[Any]) -> Counts:
        """Count the outcomes of one answer; None is a question that was not answered."""

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return the scores by name, in percent; 0 where there is nothing to score."""


@runtime_checkable
class Condenses(Protocol):
    """A metric that is resampled by other units than the dialogues that were asked about."""

    def condense(self, dialogues: Sequence[Counts]) -> list[Counts]:
        """Return the counts of the units, from those of the dialogues."""


def share(hits: float, total: float) -> float:
    """Return a share in percent; 0 of nothing."""
    return 100 * hits / total if total else 0.0
