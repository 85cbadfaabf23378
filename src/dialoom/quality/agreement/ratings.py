"""Compares the annotation of the same utterances by several annotators, and with pre-annotation.

The layers of an utterance are its annotators; a format whose one layer holds the labels of several
(Taskmaster-1) does not separate its annotators: the n-th of them gets the marks that occur n times
or more. Without repeated marks, such a layer is the work of one annotator. Annotators decide about
units of each label: the words of utterances for spans, else utterances. A unit without a label is a
decision as well. Work that a study's review rejected is left out. An adjudicator, who saw what
they marked, is compared with single annotators only.

Formats leave out empty annotation: an annotator who marks a span in a dialogue has read all of it,
and one who gives an utterance acts has read all utterances of its speaker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Self

from dialoom.corpus.traits import NO_TRAITS, Traits
from dialoom.dialogue import Dialogue, Layer, Utterance
from dialoom.dialogue.annotation import GOLD, PRELABELS, SETTLED, TOKEN
from dialoom.dialogue.views import annotators, rejected, utterances
from dialoom.metrics.base import Counts
from dialoom.quality.agreement.kinds import IN_EACH, KINDS, THERE, Mark, Place, marks_of

FATES = ("kept", "changed", "removed", "added")


class Fates:
    """Counts of pre-annotated marks that annotators kept, changed or removed, and of those added.

    A mark is kept where an annotator has the same. It is changed where they have another value in
    its place, or, of a span, another span or label that shares characters with it; what is left of
    theirs is added. Each annotator counts.
    """

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str, str]] = Counter()

    def add(self, dialogue: Dialogue) -> None:
        """Count a dialogue."""
        unfit = rejected(dialogue)
        for event, utterance in utterances(dialogue):
            layers = [layer for layer in utterance.layers if layer.source == PRELABELS]
            for before in layers:
                for after in annotators(utterance):
                    if after.source not in unfit:
                        self._compare(event, before, after)

    def _compare(self, event: int, before: Layer, after: Layer) -> None:
        for kind in KINDS:
            old, new = _marks(kind, event, before), _marks(kind, event, after)
            overlap = old & new
            left = new - overlap
            for mark in sorted(overlap):
                self._count(kind, mark, "kept")
            for mark in sorted(old - overlap):
                other = next((each for each in sorted(left) if _same_place(mark, each)), None)
                self._count(kind, mark, "changed" if other else "removed")
                left -= {other} if other else set()
            for mark in sorted(left):
                self._count(kind, mark, "added")

    def _count(self, kind: str, mark: Mark, fate: str) -> None:
        self.counts[kind, mark[0].label, fate] += 1

    def table(self) -> dict[str, dict[str, dict[str, int]]]:
        """Return kind of annotation to label to the counts (kept, changed, …), as JSON values."""
        figures: dict[str, Any] = {}
        for kind, label, _ in sorted(self.counts):
            fates = {fate: self.counts[kind, label, fate] for fate in FATES}
            figures.setdefault(kind, {})[label] = fates
        return figures


def _marks(kind: str, event: int, layer: Layer) -> set[Mark]:
    return {mark for part in layer.parts for mark in marks_of(kind, event, part) or ()}


def _same_place(one: Mark, other: Mark) -> bool:
    old, new = one[0], other[0]
    if old.end:
        return old.start < new.end and new.start < old.end
    return old == new


ABSENT = ""
"""The value of a unit without a label by an annotator who read it."""

ONE = "one annotator"
"""The name of the annotator of layers that could hold the labels of several, but do not."""

SELDOM = 20
"""Annotators who are not separated gave at least one mark in so many alike; of Taskmaster-1's two,
most are. A layer with fewer marks that are there twice holds one annotation, with slips."""

Values = dict[str, str]
"""Annotator to the value given to something, in the order of the annotators' names."""


class Disagreement(NamedTuple):
    """A place that annotators marked differently, with what each says; empty for nothing."""

    dialogue: str
    place: Place
    text: str
    values: Values


class AnnotatorMarks:
    """An annotator's marks of one kind: those that occur more than `more_than` times."""

    def __init__(self, marks: dict[int, Counter[Mark]], more_than: int = 0) -> None:
        self.marks = marks
        self._least = more_than + 1

    def items(self, event: int) -> dict[Place, str]:
        """Return the marked places of an utterance, each with its value."""
        marks = self.marks.get(event, Counter())
        return {place: value for (place, value), times in marks.items() if times >= self._least}

    def words(self, event: int, text: str) -> dict[Place, str]:
        """Return the words of an utterance that are in a span of a label, for each label."""
        covered: Counter[Place] = Counter()
        for (place, _), times in self.marks.get(event, Counter()).items():
            for word in TOKEN.finditer(text):
                if word.start() < place.end and place.start < word.end():
                    covered[place._replace(start=word.start(), end=word.end())] += times
        return {place: THERE for place, times in covered.items() if times >= self._least}


class Ratings:
    """Counts of annotators' decisions, added up dialogue by dialogue.

    Args:
        only: The annotators to compare; all where it is empty.

    Attributes:
        separable: Whether the format says which annotator gave a mark.
        annotators: The dialogues that each has annotated.
        dependent: The sources that saw the others' marks, which count in pairs only.
        counts: Kind of annotation to counts of each dialogue that two or more annotated:
            ("size", annotators) units that these decided about, for each label;
            ("unit", label, values) units with a label, by what their annotators say;
            ("item", label, values) places that are marked, likewise.
            Values are pairs of an annotator and a value.
        disagreements: Kind of annotation to the places that were not marked alike.
        fates: The fates of the marks that annotators started from.
    """

    def __init__(self, traits: Traits = NO_TRAITS, only: Sequence[str] = ()) -> None:
        self.separable = traits.annotators == 1
        self.annotators: Counter[str] = Counter()
        self.dependent: frozenset[str] = frozenset()
        self.counts: dict[str, list[Counts]] = {}
        self.disagreements: dict[str, list[Disagreement]] = {}
        self.fates = Fates()
        self._traits = traits
        self._only = frozenset(only)
        self._marks = self._twice = 0

    def add_all(self, dialogues: Iterable[Dialogue]) -> Self:
        """Count dialogues; return itself."""
        for dialogue in dialogues:
            self.annotators.update({who for kind in KINDS for who in self._add(kind, dialogue)})
            self.fates.add(dialogue)
            if SETTLED in dialogue.extra and not self._only:
                self.dependent = frozenset({GOLD})
        if not self.separable and self._twice * SELDOM < self._marks:
            self._one_only()
        return self

    def _one_only(self) -> None:
        """Take a corpus whose layers hold a single annotation as the work of one annotator."""
        self.counts.clear()
        self.disagreements.clear()
        self.annotators = Counter({ONE: max(self.annotators.values(), default=0)})

    def _add(self, kind: str, dialogue: Dialogue) -> Iterable[str]:
        marked_by = self._marked_by(kind, dialogue)
        counts: Counts = Counter()
        for event, utterance in utterances(dialogue):
            here = {who: each for who, each in marked_by.items() if event in each.marks}
            if len(here) > 1:
                items = _together({who: each.items(event) for who, each in here.items()})
                units, size = items, 1
                if kind == "spans":
                    text = utterance.text
                    units = _together({who: each.words(event, text) for who, each in here.items()})
                    size = sum(1 for _ in TOKEN.finditer(text))
                counts["size", tuple(here)] += size
                counts.update(_outcomes("unit", units))
                counts.update(_outcomes("item", items))
                self._disagree(kind, dialogue.id, utterance.text, items)
        if counts:
            self.counts.setdefault(kind, []).append(counts)
        return marked_by

    def _marked_by(self, kind: str, dialogue: Dialogue) -> dict[str, AnnotatorMarks]:
        marks: dict[str, dict[int, Counter[Mark]]] = {}
        left_out = {PRELABELS, *self._traits.derived, *rejected(dialogue)}
        for event, utterance in utterances(dialogue):
            for who, batch in self._said(kind, event, utterance, left_out):
                marks.setdefault(who, {}).setdefault(event, Counter()).update(batch)
        if kind not in IN_EACH:
            for each in marks.values():
                for event in _read(kind, dialogue, set(each)):
                    each.setdefault(event, Counter())
        if self.separable:
            return {who: AnnotatorMarks(marks[who]) for who in sorted(marks)}
        several = self._traits.annotators
        for times in (
            n for each in marks.values() for tally in each.values() for n in tally.values()
        ):
            self._marks += 1
            self._twice += times > 1
        return {
            f"{n + 1} of {several}": AnnotatorMarks(each, n)
            for each in marks.values()
            for n in range(several)
        }

    def _said(
        self, kind: str, event: int, utterance: Utterance, left_out: Container[str]
    ) -> Iterator[tuple[str, Iterator[Mark]]]:
        for layer in utterance.layers:
            who = layer.source
            if who not in left_out and (not self._only or who in self._only):
                for part in layer.parts:
                    if (marks := marks_of(kind, event, part)) is not None:
                        yield who, marks

    def _disagree(self, kind: str, id: str, text: str, items: dict[Place, Values]) -> None:
        for place, values in items.items():
            if len(set(values.values())) > 1:
                piece = text[place.start : place.end] if place.end else text
                dispute = Disagreement(id, place, piece, values)
                self.disagreements.setdefault(kind, []).append(dispute)


def _read(kind: str, dialogue: Dialogue, events: set[int]) -> Iterator[int]:
    speakers = {utterance.agent for event, utterance in utterances(dialogue) if event in events}
    return (
        event
        for event, utterance in utterances(dialogue)
        if kind == "spans" or utterance.agent in speakers
    )


def _together(marked: dict[str, dict[Place, str]]) -> dict[Place, Values]:
    places = sorted({place for each in marked.values() for place in each})
    return {
        place: {who: each.get(place, ABSENT) for who, each in marked.items()} for place in places
    }


def _outcomes(what: str, places: dict[Place, Values]) -> Counts:
    return Counter((what, place.label, tuple(values.items())) for place, values in places.items())
