"""A metric, its score, and the signature that reproduces the score.

Counts stand apart from scores (as in sacrebleu): a metric first reduces gold and predicted labels
to counts, which add up, and only then makes a score of them. Slices, resampled dialogues and
means over hold-outs therefore all go through the same two functions.

    metric = WeightedF1()
    counts = metric.statistics(["ask_name", "query"], ["ask_name", "ask_name"])
    print(metric.score(counts))      # f1 33.33 (metric:f1|avg:weighted|...)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Protocol

from dialoom.dialogue.annotation import Struct

Counts = Counter[tuple[str, str]]
"""How often each pair of gold and predicted label occurred. Counts of two sets add up."""


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


class Metric(Protocol):
    """Reduces gold and predicted labels to counts, and counts to a score."""

    name: str

    @property
    def signature(self) -> Signature:
        """The metric's own options."""

    def statistics(self, gold: Sequence[str], prediction: Sequence[str]) -> Counts:
        """Count what the score is made of; labels are paired by position."""

    def value(self, counts: Counts) -> float:
        """Return the score in percent: the number alone, for resampling."""

    def score(self, counts: Counts) -> Score:
        """Return the score with its signature."""
