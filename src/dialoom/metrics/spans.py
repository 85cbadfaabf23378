"""Scores of labelled spans of an utterance: their places and their labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

from dialoom.dialogue import Question, Span, Spans
from dialoom.dialogue.annotation import Struct
from dialoom.metrics.base import Counts, Guess, Score
from dialoom.metrics.generation import normal
from dialoom.metrics.overlap import f1_scores, overlaps

UNITS = {
    "value": "label and text",
    "span": "label, start and end",
    "label": "label, once an utterance",
}
"""The units, and the parts that must be equal."""


class SpanMatch:
    """Micro F1 of labelled spans: by label and text, by label and place, and of labels alone.

    Equal spans of several annotators count once. Texts are compared as they are, but for white
    space. With `endings`, labels without these are scored as well: by their text.

    Args:
        endings: Endings of labels that say what came of a value.
        first: The unit that is reported first, and so the main one.
    """

    kind: ClassVar[type[Struct]] = Spans

    def __init__(self, endings: Sequence[str] = (), first: str = "value") -> None:
        self._endings = tuple(endings)
        bare = {"bare_value": "label without its ending, and text"} if endings else {}
        self._units = {first: UNITS[first], **UNITS, **bare}

    def statistics(
        self, question: Question[Any], gold: tuple[Span, ...], prediction: Guess[tuple[Span, ...]]
    ) -> Counts:
        """Count what is right, missing and too much of each unit."""
        said = question.utterances[-1].text
        right = self._found(said, gold)
        found = self._found(said, prediction.answer if prediction else ())
        units = [[Counter(each[unit]) for unit in self._units] for each in (right, found)]
        return overlaps(self._units, *units)

    def _found(self, said: str, spans: Iterable[Span]) -> dict[str, set[Any]]:
        found: dict[str, set[Any]] = {unit: set() for unit in self._units}
        for span, label in _labelled(spans):
            text = normal(said[span.start : span.end] if span.text is None else span.text)
            found["value"].add((label, text))
            found["span"].add((label, span.start, span.end))
            found["label"].add(label)
            if self._endings:
                found["bare_value"].add((self.bare(label), text))
        return found

    def bare(self, label: str) -> str:
        """Return a label without its ending."""
        return next((label.removesuffix(e) for e in self._endings if label.endswith(e)), label)

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return the F1 of each unit in percent."""
        return f1_scores(self._units, counts)


def _labelled(spans: Iterable[Span]) -> Iterator[tuple[Span, str]]:
    for span in spans:
        for label in span.labels:
            yield span, label
