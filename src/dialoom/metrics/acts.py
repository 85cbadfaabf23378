"""F1 of the acts of utterances: names, slots with values, and their frames."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from dialoom.dialogue import Act, Acts, Question
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.references import best, dereferenced, frames_of
from dialoom.metrics.base import Counts, Guess, Score
from dialoom.metrics.overlap import f1_scores, overlaps

UNITS = {
    "slot": "slot and value",
    "act": "name of an act, once a turn",
    "item": "act, slot and value",
}
"""The units, and the parts that must be equal."""

FRAMED = {"frame": "act, slot, value and frame", **UNITS}
"""The same if acts have the frames they refer to."""


class ActMatch:
    """Micro F1 of acts, of slots with values, and of both together.

    Multisets of a turn are compared, and its set of acts; letters of values are lower-cased. With
    `frames`, acts have references, and an argument is right where its frame is too.
    """

    kind: ClassVar[type[Struct]] = Acts

    def __init__(self, *, frames: bool = False) -> None:
        self._units = FRAMED if frames else UNITS

    def statistics(
        self, question: Question[Any], gold: tuple[Act, ...], prediction: Guess[tuple[Act, ...]]
    ) -> Counts:
        """Count what is right, missing and too much of each unit."""
        answer = prediction.answer if prediction else ()
        return overlaps(self._units, self._items(gold), self._items(answer))

    def _items(self, acts: tuple[Act, ...]) -> Iterator[Counter[Any]]:
        items = list(_arguments(acts))
        if "frame" in self._units:
            yield Counter(items)
        yield Counter((slot, value) for _, slot, value, _ in items)
        yield Counter({act.name for act in acts})
        yield Counter(item[:3] for item in items)

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return the F1 of each unit in percent."""
        return f1_scores(self._units, counts)


def _arguments(acts: Iterable[Act]) -> Iterator[tuple[str, str, str, int]]:
    acts = tuple(acts)
    frames = frames_of(acts, None, _Every())
    for act, found in zip(dereferenced(acts), frames, strict=True):
        for argument, shares in zip(act.arguments, found.arguments, strict=True):
            value = argument.values[0] if argument.values else None
            spelled = "" if value is None else str(value).strip().lower()
            yield act.name, argument.slot, spelled, best(shares)


class _Every(frozenset[int]):
    def __contains__(self, frame: object) -> bool:
        return True
