"""A dialogue read as turns: what the user says, and what the system said before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from dialoom.dialogue import USER, Event, Layer, Part, State, Utterance
from dialoom.dialogue.annotation import LABELS
from dialoom.dialogue.views import gold, parts
from dialoom.models.tracker.words import root, stem, tokens


class SlotAct(NamedTuple):
    """An act with one slot and what it says of it, the values of the knowledge base last."""

    service: str
    act: str
    slot: str
    values: tuple[str, ...]


class TokenSpan(NamedTuple):
    """Words of a text that may be a value.

    Attributes:
        start: The first word.
        end: The one after the last.
        kind: Their kind.
        finders: By which means they were found: a bit each.
    """

    start: int
    end: int
    kind: str
    finders: int = 0


@dataclass(slots=True)
class Speech:
    """One utterance.

    Attributes:
        words: Its words.
        starts: The first character of each.
        ends: The character after each.
        stems: Its words as values are compared.
        roots: Its words as descriptions are compared.
        text: Its text.
        acts: Its acts; None where they are not known.
        spans: Where values stand, as annotated; None where that is not known.
        places: Where values stand, as found.
    """

    text: str
    words: list[str]
    starts: list[int]
    ends: list[int]
    stems: list[str]
    roots: list[str]
    acts: tuple[SlotAct, ...] | None = None
    spans: tuple[tuple[int, int, str, str], ...] | None = None
    places: list[TokenSpan] = field(default_factory=list)

    @classmethod
    def of(cls, utterance: Utterance) -> Speech:
        """Read an utterance."""
        found = tokens(utterance.text)
        words = [word for word, _, _ in found]
        stems = list(map(stem, words))
        speech = cls(
            utterance.text,
            words,
            [start for _, start, _ in found],
            [end for _, _, end in found],
            stems,
            list(map(root, stems)),
        )
        layer = (gold(utterance) or _unseen(utterance) or _EMPTY).parts
        if any(part.acts is not None for part in layer):
            speech.acts = tuple(_slot_acts(layer))
        if any(part.spans is not None for part in layer):
            speech.spans = tuple(
                (span.start, span.end, part.service or "", slot)
                for part in layer
                for span in part.spans or ()
                for slot in span.labels
            )
        return speech

    def inside(self, place: TokenSpan) -> bool:
        """Return whether some words are a part of a longer value that was found."""
        return any(
            other.start <= place.start
            and place.end <= other.end
            and other.end - other.start > place.end - place.start
            for other in self.places
        )

    def says(self, place: TokenSpan) -> str:
        """Return the text of some of its words."""
        return self.text[self.starts[place.start] : self.ends[place.end - 1]]


_EMPTY = Layer(LABELS)


def _unseen(utterance: Utterance) -> Layer | None:
    return next((layer for layer in utterance.layers if layer.source == LABELS), None)


EMPTY = Speech("", [], [], [], [], [])
"""What the system said before a dialogue begins."""


@dataclass(slots=True)
class TrackedTurn:
    """A user's utterance.

    Attributes:
        number: Its number among them.
        position: How many events there are up to it and with it.
        system: What the system said before.
        user: What the user says.
        services: The services it has a state of, in the order of the file.
        states: Their states, where they are known.
    """

    number: int
    position: int
    system: Speech
    user: Speech
    services: tuple[str, ...]
    states: dict[str, State]


def _slot_acts(layer: Iterable[Part]) -> Iterator[SlotAct]:
    for part in layer:
        for act in part.acts or ():
            service = part.service or ""
            if not act.arguments:
                yield SlotAct(service, act.name, "", ())
            for argument in act.arguments:
                values = (*argument.values, *(argument.canonical or ()))
                yield SlotAct(service, act.name, argument.slot, tuple(map(str, values)))


def turns(events: Iterable[Event]) -> Iterator[TrackedTurn]:
    """Yield the user's turns of a dialogue."""
    system, number = EMPTY, 0
    for index, event in enumerate(events):
        if not isinstance(event, Utterance):
            continue
        if event.agent != USER:
            system = Speech.of(event)
            continue
        layer = parts(event)
        states = {part.service or "": part.state for part in layer if part.state is not None}
        named = tuple(part.service or "" for part in layer)
        yield TrackedTurn(number, index + 1, system, Speech.of(event), named, states)
        system, number = EMPTY, number + 1
