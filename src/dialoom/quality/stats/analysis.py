"""The interface of the analyses of a corpus, and functions they share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Protocol

from dialoom.dialogue import COMPLETE, Argument, Completion, Dialogue, Scenario, Utterance
from dialoom.dialogue.annotation import Value
from dialoom.dialogue.views import parts, tasks

OF_GOALS = ("reached", "missed")
"""Outcomes of played and judged dialogues: whether the goal was reached."""

UNKNOWN = "unknown"
"""The stage of a dialogue whose source does not say it."""

LARGEST = 1e6
"""The largest number that counts as a rating."""

Result = dict[str, Any]
"""An analysis as JSON values."""


class Analysis(Protocol):
    """An analysis of a corpus, in memory that does not depend on the corpus's size."""

    def add(self, dialogue: Dialogue) -> None:
        """Count one dialogue."""

    def result(self) -> Result | None:
        """Return the counts as JSON values, or None where the corpus has nothing of the kind."""


def complete(dialogue: Dialogue) -> bool:
    """True if a dialogue is complete; true where its source does not say.

    Dialogues played here are complete if somebody ended them; judged runs of other benchmarks are.
    """
    if dialogue.outcome in OF_GOALS and dialogue.provenance != "imported":
        return any(isinstance(event, Completion) for event in dialogue.events[-1:])
    return dialogue.outcome in (COMPLETE, None, *OF_GOALS)


def difficulty(scenario: Scenario) -> str:
    """Return happy, unhappy or multi-task (STAR), or unknown if the source does not say."""
    if scenario.multi_task:
        return "multi-task"
    return {True: "happy", False: "unhappy", None: UNKNOWN}[scenario.happy]


def services_of(dialogue: Dialogue, names: Collection[str]) -> tuple[str, ...]:
    """Return the tasks or services a dialogue is about, each once.

    They are those its scenario or its head names and those its annotation is of; where there are
    none, the `names` ones that its spans' labels begin with (Taskmaster-1's verticals).
    """
    services = dict.fromkeys(tasks(dialogue))
    labelled: dict[str, None] = {}
    for event in dialogue.events:
        if isinstance(event, Utterance):
            for part in parts(event):
                if part.service:
                    services[part.service] = None
                elif part.spans and not services:
                    for span in part.spans:
                        labelled.update(dict.fromkeys(label.split(".")[0] for label in span.labels))
    return tuple(services or (name for name in labelled if name in names))


def said(arguments: Iterable[Argument]) -> Iterator[tuple[str, tuple[Value, ...]]]:
    """Yield the slots and values that an act's arguments name, also in references."""
    for argument in arguments:
        if not argument.references:
            yield argument.slot, argument.values
        for reference in argument.references:
            yield from said(reference.arguments or ())


def owned(owner: str | None, name: str) -> str:
    """Return a name after that of its owner, if it has one."""
    return f"{owner}.{name}" if owner else name


def number(value: Value) -> float | None:
    """Return an answer that is a rating as a number: none that is too large to be one."""
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > LARGEST:
        return None
    return float(value)


def ratio(total: float, count: int) -> float | None:
    """Return the mean to four decimals; None of nothing."""
    return round(total / count, 4) if count else None


def ordered(counter: Mapping[str, int]) -> dict[str, int]:
    """Return counts, the frequent ones first and without those of none."""
    return {
        name: n for name, n in sorted(counter.items(), key=lambda item: (-item[1], item[0])) if n
    }


def spread(histogram: Counter[int]) -> Result:
    """Return the statistics of a histogram of whole numbers: n, mean, median, quartiles, extremes.

    A quantile is the smallest value that at least this share of the cases does not exceed.
    """
    n = histogram.total()
    if not n:
        return {"n": 0}
    return {
        "n": n,
        "mean": ratio(sum(value * times for value, times in histogram.items()), n),
        "min": min(histogram),
        "quartiles": [_quantile(histogram, n, share) for share in (0.25, 0.5, 0.75)],
        "max": max(histogram),
    }


def _quantile(histogram: Counter[int], n: int, share: float) -> int:
    passed = 0
    for value in sorted(histogram):
        passed += histogram[value]
        if passed >= share * n:
            return value
    return max(histogram)


def histogram(values: Counter[int]) -> Result:
    """Return the statistics of a histogram, and the histogram itself."""
    return {**spread(values), "histogram": by_value(values)}


def by_value(histogram: Counter[int]) -> dict[str, int]:
    """Return a histogram with its values in order, as JSON has them: as text."""
    return {str(value): histogram[value] for value in sorted(histogram)}
