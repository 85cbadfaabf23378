"""Micro F1 of the parts of answers: acts, acts of the next turn, labelled spans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from dialoom.dialogue import Acts, NextActs, Prediction, Question, ServiceAct, Spans
from dialoom.dialogue.annotation import Act, Argument, Span, Struct, Value
from dialoom.dialogue.references import best, dereferenced, frames_of
from dialoom.metrics.base import Counts, Guess, Score, share, signed
from dialoom.metrics.generation import normal

OUTCOMES = ("right", "missing", "extra")

ACTS = {
    "slot": "slot and value",
    "act": "name of an act, once a turn",
    "item": "act, slot and value",
}
"""The units of acts, and the parts that must be equal."""

FRAMED = {"frame": "act, slot, value and frame", **ACTS}
"""The same if acts have the frames they refer to."""

NEXT_ACTS = {
    "act_slot": "service, act and slot",
    "act": "service and act, once a turn",
    "item": "service, act, slot and values",
}
"""Unit of the next turn's acts to the parts that must be equal."""

EXACT = "exact_set"

SPANS = {
    "value": "label and text",
    "span": "label, start and end",
    "label": "label, once an utterance",
}
"""Unit of spans to the parts that must be equal."""


def overlaps(
    units: Iterable[str], gold: Iterable[Counter[Any]], guesses: Iterable[Counter[Any]]
) -> Counts:
    """Count what is right, missing and too much of each unit, as multisets."""
    counts: Counts = Counter()
    for unit, right, guess in zip(units, gold, guesses, strict=True):
        sizes = (right & guess).total(), (right - guess).total(), (guess - right).total()
        for outcome, size in zip(OUTCOMES, sizes, strict=True):
            counts[unit, outcome] += size
    return counts


class UnitMatch:
    """Micro F1 of units; `units` maps each to the parts that must be equal."""

    def __init__(self, units: Mapping[str, str]) -> None:
        self.units = units

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return the F1 of each unit in percent."""
        figures: dict[str, Score] = {}
        for unit, equal in self.units.items():
            right, missing, extra = (counts[unit, outcome] for outcome in OUTCOMES)
            value = share(2 * right, 2 * right + missing + extra)
            figures |= signed({f"{unit}_f1": value}, equal=equal, avg="micro")
        return figures


class ActMatch(UnitMatch):
    """Micro F1 of acts, of slots with values, and of both together.

    Multisets of a turn are compared, and its set of acts; letters of values are lower-cased. With
    `frames`, acts have references, and an argument is right where its frame is too.
    """

    kind: ClassVar[type[Struct]] = Acts

    def __init__(self, *, frames: bool = False) -> None:
        super().__init__(FRAMED if frames else ACTS)

    def statistics(
        self, question: Question[Any], gold: tuple[Act, ...], prediction: Guess[tuple[Act, ...]]
    ) -> Counts:
        """Count what is right, missing and too much of each unit."""
        return overlaps(self.units, self._items(gold), self._items(_answer(prediction)))

    def _items(self, acts: tuple[Act, ...]) -> Iterator[Counter[Any]]:
        frames = frames_of(acts, None, _Every())
        items = [
            (act.name, argument.slot, *_plain(argument.values[:1] or (None,)), best(shares))
            for act, frame in zip(dereferenced(acts), frames, strict=True)
            for argument, shares in zip(act.arguments, frame.arguments, strict=True)
        ]
        if "frame" in self.units:
            yield Counter(items)
        yield Counter((slot, value) for _, slot, value, _ in items)
        yield Counter({act.name for act in acts})
        yield Counter(item[:3] for item in items)


class _Every(frozenset[int]):
    def __contains__(self, frame: object) -> bool:
        return True


def _answer(prediction: Prediction[Any] | None) -> tuple[Any, ...]:
    return prediction.answer if prediction else ()


def _plain(values: Sequence[Value]) -> tuple[str, ...]:
    return tuple("" if value is None else str(value).strip().lower() for value in values)


class NextActMatch(UnitMatch):
    """Micro F1 of acts with slots, of acts, of acts with slots and values; share of exact turns.

    Multisets of a turn are compared, and its set of acts. A turn is exact where its acts with their
    slots are those that were done, no more and no fewer. Values are compared in lower case.
    """

    kind: ClassVar[type[Struct]] = NextActs

    def __init__(self) -> None:
        super().__init__(NEXT_ACTS)

    def statistics(
        self,
        question: Question[NextActs],
        gold: tuple[ServiceAct, ...],
        prediction: Guess[tuple[ServiceAct, ...]],
    ) -> Counts:
        """Count what is right, missing and too much of each unit, and whether all is right."""
        right, guess = list(self._items(gold)), list(self._items(_answer(prediction)))
        counts = overlaps(self.units, right, guess)
        counts[EXACT, prediction is not None and right[0] == guess[0]] += 1
        return counts

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return the scores in percent; 0 where there is nothing to score."""
        exact = counts[EXACT, True]
        whole = {EXACT: share(exact, exact + counts[EXACT, False])}
        about = {"equal": "all acts and slots of the turn"}
        return super().scores(counts) | signed(whole, "accuracy", **about)

    def _items(self, acts: Iterable[ServiceAct]) -> Iterator[Counter[Any]]:
        items = [
            (entry.service, entry.act.name, each.slot, _plain(values))
            for entry in acts
            for each in entry.act.arguments or (Argument(""),)
            for values in (each.values if each.canonical is None else each.canonical,)
        ]
        yield Counter(item[:3] for item in items)
        yield Counter({item[:2] for item in items})
        yield Counter(items)


class SpanMatch(UnitMatch):
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
        super().__init__({first: SPANS[first], **SPANS, **bare})

    def statistics(
        self, question: Question[Any], gold: tuple[Span, ...], prediction: Guess[tuple[Span, ...]]
    ) -> Counts:
        """Count what is right, missing and too much of each unit."""
        speech = question.utterances[-1].text
        sides = (self._found(speech, spans) for spans in (gold, _answer(prediction)))
        return overlaps(self.units, *([Counter(each[u]) for u in self.units] for each in sides))

    def _found(self, speech: str, spans: Iterable[Span]) -> dict[str, set[Any]]:
        sets: dict[str, set[Any]] = {unit: set() for unit in self.units}
        for span, label in ((each, label) for each in spans for label in each.labels):
            text = normal(speech[span.start : span.end] if span.text is None else span.text)
            sets["value"].add((label, text))
            sets["span"].add((label, span.start, span.end))
            sets["label"].add(label)
            if self._endings:
                sets["bare_value"].add((self.bare(label), text))
        return sets

    def bare(self, label: str) -> str:
        """Return a label without its ending."""
        return next((label.removesuffix(e) for e in self._endings if label.endswith(e)), label)
