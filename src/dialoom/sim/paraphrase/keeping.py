"""The values that a line has to keep, and where a paraphrase has them.

    places = kept(utterance)                       # ((12, 20),) of "A table for two, please"
    judge = Judge(schemas, "en")
    judge.align(utterance, places, paraphrase)     # where they are now, or why it is refused

Kept are what spans cover, and what acts name that is said letter by letter. A paraphrase has each
of them as often as the line has, no number and no listed value of the schemas that the line has
not, and is no template of another node of a task's flow. Values that read alike but are labelled
otherwise could change their places unseen: such lines are not given away at all (`Judge.barred`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType

from dialoom.dialogue import Span, Utterance
from dialoom.dialogue.views import label
from dialoom.schema.lexicon import lexicon
from dialoom.schema.services import contract
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import PLACEHOLDER
from dialoom.schema.values import find

Place = tuple[int, int]
"""Start and end (exclusive)."""

NOTHING_SETTLED: Mapping[int, int] = MappingProxyType({})

MOST, FREE = 3, 80
"""A paraphrase may be so many times as long as the line, and so many characters more."""

_GAP, _MARKS = "{}", ".!?"
"""What stands for a value in a template, and what may be missing at its end."""

_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"\w+")


class Refusal(StrEnum):
    """Why a paraphrase is not taken."""

    FORM = "form"
    """Empty, far too long, or with a new line or another sign that is not printed."""
    VALUES = "values"
    """A value is missing, or is there more often than it was."""
    NUMBERS = "numbers"
    """A number is there that was not, or the other way round."""
    OTHERS = "other values"
    """A listed value of the schemas is there that was not."""
    ACT = "another act"
    """It is word by word what another node of the flow says."""
    ALIKE = "alike"
    """Two values of the line read alike; it is not given away."""
    SPANS = "odd spans"
    """A span covers nothing, or what lies beyond the text; it is not given away."""


def kept(utterance: Utterance) -> tuple[Place, ...]:
    """Return where the values of an utterance are: those that overlap are put together."""
    text = utterance.text
    named = {place for value in _named(utterance) for place in occurrences(value, text)}
    return _merged(_spanned(utterance) | named)


def covered(utterance: Utterance) -> tuple[Place, ...]:
    """Return what spans cover in an utterance; those that overlap are put together."""
    return _merged(_spanned(utterance))


def _spanned(utterance: Utterance) -> set[Place]:
    return {(span.start, span.end) for span in spans(utterance)}


def _merged(places: Iterable[Place]) -> tuple[Place, ...]:
    merged: list[Place] = []
    for start, end in sorted(places):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif start < end:
            merged.append((start, end))
    return tuple(merged)


def spans(utterance: Utterance) -> Iterator[Span]:
    """Yield every span of every source."""
    for layer in utterance.layers:
        for part in layer.parts:
            yield from part.spans or ()


def _named(utterance: Utterance) -> set[str]:
    """Return the texts that acts name as values."""
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
    """Yield where a value stands in a text as words of its own."""
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
    """Tells whether a paraphrase keeps what it has to.

    Args:
        schemas: The tasks or services, for the values they list.
        language: The language of the utterances.

    Raises:
        UnknownNameError: Nothing is known of the language.
    """

    def __init__(self, schemas: Mapping[str, TaskSchema], language: str) -> None:
        spoken = lexicon(language)
        self._numbers = {word for word, number in spoken.numbers.items() if number > 1}
        plain = {*spoken.stop, *spoken.common, *spoken.yes, *spoken.no, *self._numbers}
        listed = (value for task in schemas.values() for value in _listed(task))
        values: dict[str, tuple[str, ...]] = dict.fromkeys(
            (value for value in listed if not plain.issuperset(_words(value))), ()
        )
        self._listed = (Slot(name="listed", type="category", values=values),)
        self._language = language
        self._nodes: dict[str, set[str]] = {}
        for task in schemas.values():
            for node in task.flow.nodes.values():
                for text in node.texts:
                    shape = _folded(PLACEHOLDER.sub(_GAP, text))
                    self._nodes.setdefault(shape, set()).add(node.name)

    def barred(self, utterance: Utterance, places: Iterable[Place]) -> Refusal | None:
        """Return why a line is not given away, if it is not."""
        if any(not 0 <= span.start < span.end <= len(utterance.text) for span in spans(utterance)):
            return Refusal.SPANS
        return Refusal.ALIKE if self._alike(utterance, places) else None

    def _alike(self, utterance: Utterance, places: Iterable[Place]) -> bool:
        """Tell whether two of the values read alike and are labelled otherwise."""
        labelled: dict[str, frozenset[tuple[int, int, tuple[str, ...]]]] = {}
        for place in places:
            found = frozenset(_inside(utterance, place))
            if labelled.setdefault(utterance.text[slice(*place)], found) != found:
                return True
        return False

    def align(
        self, utterance: Utterance, places: tuple[Place, ...], new: str
    ) -> list[Place] | Refusal:
        """Return where in a paraphrase the values are, one for each place, or why it is refused."""
        old = utterance.text
        odd = any(not letter.isprintable() and letter not in old for letter in new)
        if odd or not new.strip() or len(new) > MOST * len(old) + FREE:
            return Refusal.FORM
        there = places_of([old[start:end] for start, end in places], new)
        if any(len(each) != 1 for each in there):
            return Refusal.VALUES
        found = [place for [place] in there]
        if self._said(old) != self._said(new):
            return Refusal.NUMBERS
        if not self._values(new) <= self._values(old):
            return Refusal.OTHERS
        nodes = self._nodes.get(_shape(new, found))
        return Refusal.ACT if nodes and label(utterance) not in nodes else found

    def _said(self, text: str) -> Counter[str]:
        """Return the numbers in a text, in digits or words."""
        numbers = Counter(_DIGITS.findall(text))
        numbers.update(word for word in _words(text) if word in self._numbers)
        return numbers

    def _values(self, text: str) -> set[str]:
        """Return the listed values in a text that are there to the letter."""
        found = find(text, self._listed, self._language)
        return {mention.value for mention in found if mention.confidence == 1}


def places_of(
    values: Sequence[str], text: str, starts: Mapping[int, int] = NOTHING_SETTLED
) -> list[tuple[Place, ...]]:
    """Return where each value may be in a text, the longest looked for first.

    Args:
        values: What is looked for; the same one may be there several times.
        text: The text.
        starts: Value's index to where it begins, of those that somebody settled.

    Returns:
        Each one's only place; several where it is there more often than it is looked for; none
        where it is there less often.
    """
    found: list[tuple[Place, ...]] = [() for _ in values]
    taken: list[Place] = []
    for index, start in starts.items():
        place = (start, start + len(values[index]))
        if text[slice(*place)] == values[index]:
            found[index] = (place,)
            taken.append(place)
    for value in sorted(dict.fromkeys(values), key=len, reverse=True):
        wanted = [index for index, each in enumerate(values) if each == value and not found[index]]
        free = [
            (start, end)
            for start, end in occurrences(value, text)
            if all(end <= first or last <= start for first, last in taken)
        ]
        for number, index in enumerate(wanted):
            if len(free) == len(wanted):
                found[index] = (free[number],)
                taken.append(free[number])
            elif len(free) > len(wanted):
                found[index] = tuple(free)
    return found


def _shape(text: str, places: Iterable[Place]) -> str:
    """Return a text with gaps in the places of its values, as templates are kept."""
    pieces: list[str] = []
    at = 0
    for start, end in sorted(places):
        pieces += text[at:start], _GAP
        at = end
    return _folded("".join((*pieces, text[at:])))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(_MARKS)


def _inside(utterance: Utterance, place: Place) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    start, end = place
    for span in spans(utterance):
        if start <= span.start and span.end <= end:
            yield span.start - start, span.end - start, span.labels


def _listed(task: TaskSchema) -> Iterator[str]:
    """Yield the values that a task or service lists, and how they are said."""
    for slot in task.slots.values():
        for value, variants in slot.values.items():
            yield from (value, *variants)
    for each in contract(task).slots if task.is_service else ():
        yield from (str(value) for value in each.possible_values)
    columns = (column for call in task.calls.values() for column in call.inputs)
    yield from (value for each in columns for value in each.values if isinstance(value, str))


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.lower()))
