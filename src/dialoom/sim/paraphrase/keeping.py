"""The values that a paraphrase must keep, and their places in it.

    places = kept(utterance)                       # ((12, 20),) of "A table for two, please"
    judge = Judge(schemas, "en")
    judge.align(utterance, places, paraphrase)     # where they are now, or why it is refused

These are the texts under spans, and the values of acts that occur verbatim. A paraphrase must have
each of them as often as the line; it must not add a number or a listed value of the schemas, nor
equal a template of another node of a task's flow. A line with two equal texts with different labels
is never paraphrased, since they could be swapped without notice (`Judge.barred`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType

from dialoom.dialogue import Utterance
from dialoom.dialogue.views import label
from dialoom.schema.lexicon import lexicon
from dialoom.schema.services import contract
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import PLACEHOLDER
from dialoom.schema.values import find
from dialoom.sim.noise.kind import Edit, apply, spans_of

Place = tuple[int, int]
"""Start and end (exclusive)."""

NOTHING_SETTLED: Mapping[int, int] = MappingProxyType({})

MOST, FREE = 3, 80
"""Most characters of a paraphrase: the line's times the first number, plus the second."""

_GAP, _MARKS = "{}", ".!?"
"""Placeholder of a value in comparisons with templates, and the final marks to ignore."""

_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"\w+")


class Refusal(StrEnum):
    """Why a paraphrase is not taken."""

    FORM = "form"
    """Empty, too long (`MOST`, `FREE`), or with a line break or another unprintable character."""
    VALUES = "values"
    """A value is missing, or occurs more often than before."""
    NUMBERS = "numbers"
    """A number was added or is missing."""
    OTHERS = "other values"
    """A listed value of the schemas was added."""
    ACT = "another act"
    """It equals a template of another node of the flow."""
    ALIKE = "alike"
    """Two values of the line have the same text and other labels; it is not paraphrased."""
    SPANS = "odd spans"
    """A span is empty or ends beyond the text; the line is not paraphrased."""


def kept(utterance: Utterance) -> tuple[Place, ...]:
    """Return the places of an utterance's values; overlapping ones are merged."""
    text = utterance.text
    mentions = {place for value in _named(utterance) for place in occurrences(value, text)}
    return _merged(_spanned(utterance) | mentions)


def covered(utterance: Utterance) -> tuple[Place, ...]:
    """Return the places under spans of an utterance; overlapping ones are merged."""
    return _merged(_spanned(utterance))


def _spanned(utterance: Utterance) -> set[Place]:
    return {(span.start, span.end) for span in spans_of(utterance)}


def _merged(places: Iterable[Place]) -> tuple[Place, ...]:
    merged: list[Place] = []
    for start, end in sorted(places):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif start < end:
            merged.append((start, end))
    return tuple(merged)


def _named(utterance: Utterance) -> set[str]:
    return {
        str(value)
        for layer in utterance.layers
        for part in layer.parts
        for act in part.acts or ()
        for argument in act.arguments
        for value in (*argument.values, *(argument.canonical or ()))
        if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value)
    }


def occurrences(value: str, text: str) -> Iterator[Place]:
    """Yield the places of a value in a text where it begins and ends with a word."""
    at = text.find(value)
    while at >= 0:
        end = at + len(value)
        inside = (at > 0 and value[0].isalnum() and text[at - 1].isalnum()) or (
            end < len(text) and value[-1].isalnum() and text[end].isalnum()
        )
        if not inside:
            yield at, end
        at = text.find(value, at + 1 if inside else end)


class Judge:
    """Checks paraphrases against their lines; `UnknownNameError` without a lexicon of the language.

    `schemas` are the tasks or services with their listed values.
    """

    def __init__(self, schemas: Mapping[str, TaskSchema], language: str) -> None:
        spoken = lexicon(language)
        self._numbers = {word for word, number in spoken.numbers.items() if number > 1}
        plain = {*spoken.stop, *spoken.common, *spoken.yes, *spoken.no, *self._numbers}
        choices = (value for task in schemas.values() for value in _listed(task))
        values: dict[str, tuple[str, ...]] = dict.fromkeys(
            (value for value in choices if not plain.issuperset(_words(value))), ()
        )
        self._listed = (Slot(name="listed", type="category", values=values),)
        self._language = language
        self._nodes: dict[str, set[str]] = {}
        for task in schemas.values():
            for node in task.flow.nodes.values():
                for text in node.texts:
                    shape = folded(PLACEHOLDER.sub(_GAP, text))
                    self._nodes.setdefault(shape, set()).add(node.name)

    def barred(self, utterance: Utterance, places: Iterable[Place]) -> Refusal | None:
        """Return the reason why a line cannot be paraphrased, if any."""
        length = len(utterance.text)
        if any(not 0 <= span.start < span.end <= length for span in spans_of(utterance)):
            return Refusal.SPANS
        return Refusal.ALIKE if self._alike(utterance, places) else None

    def _alike(self, utterance: Utterance, places: Iterable[Place]) -> bool:
        labelled: dict[str, frozenset[tuple[int, int, tuple[str, ...]]]] = {}
        for place in places:
            labels = frozenset(_inside(utterance, place))
            if labelled.setdefault(utterance.text[slice(*place)], labels) != labels:
                return True
        return False

    def align(
        self, utterance: Utterance, places: tuple[Place, ...], new: str
    ) -> list[Place] | Refusal:
        """Return the new places of the values in a paraphrase, or the reason for refusal."""
        old = utterance.text
        odd = any(not letter.isprintable() and letter not in old for letter in new)
        if odd or not new.strip() or len(new) > MOST * len(old) + FREE:
            return Refusal.FORM
        there = places_of([old[start:end] for start, end in places], new)
        if any(len(each) != 1 for each in there):
            return Refusal.VALUES
        spots = [place for [place] in there]
        if self._numbers_in(old) != self._numbers_in(new):
            return Refusal.NUMBERS
        if not self._values(new) <= self._values(old):
            return Refusal.OTHERS
        nodes = self._nodes.get(_shape(new, spots))
        return Refusal.ACT if nodes and label(utterance) not in nodes else spots

    def _numbers_in(self, text: str) -> Counter[str]:
        numbers = Counter(_DIGITS.findall(text))
        numbers.update(word for word in _words(text) if word in self._numbers)
        return numbers

    def _values(self, text: str) -> set[str]:
        mentions = find(text, self._listed, self._language)
        return {mention.value for mention in mentions if mention.confidence == 1}


def places_of(
    values: Sequence[str], text: str, starts: Mapping[int, int] = NOTHING_SETTLED
) -> list[tuple[Place, ...]]:
    """Return the possible places of each value in a text, longer values first.

    `starts` maps the index of a value to its settled beginning in the text. A value has its only
    place; several if the text has it more often than `values`; none if less often.
    """
    places: list[tuple[Place, ...]] = [() for _ in values]
    spans: list[Place] = []
    for index, start in starts.items():
        place = (start, start + len(values[index]))
        if text[slice(*place)] == values[index]:
            places[index] = (place,)
            spans.append(place)
    for value in sorted(dict.fromkeys(values), key=len, reverse=True):
        equals = [index for index, each in enumerate(values) if each == value and not places[index]]
        free = [
            (start, end)
            for start, end in occurrences(value, text)
            if all(end <= first or last <= start for first, last in spans)
        ]
        for number, index in enumerate(equals):
            if len(free) == len(equals):
                places[index] = (free[number],)
                spans.append(free[number])
            elif len(free) > len(equals):
                places[index] = tuple(free)
    return places


def _shape(text: str, places: Iterable[Place]) -> str:
    return folded(apply(text, [Edit(start, end, _GAP) for start, end in sorted(places)]))


def folded(text: str) -> str:
    """Return a text as it is compared: in lower case, with single spaces, without final marks."""
    return " ".join(text.casefold().split()).rstrip(_MARKS)


def _inside(utterance: Utterance, place: Place) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    start, end = place
    for span in spans_of(utterance):
        if start <= span.start and span.end <= end:
            yield span.start - start, span.end - start, span.labels


def _listed(task: TaskSchema) -> Iterator[str]:
    for slot in task.slots.values():
        for value, variants in slot.values.items():
            yield from (value, *variants)
    for each in contract(task).slots if task.is_service else ():
        yield from (str(value) for value in each.possible_values)
    yield from (
        value for each in task.call_inputs for value in each.values if isinstance(value, str)
    )


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.lower()))
