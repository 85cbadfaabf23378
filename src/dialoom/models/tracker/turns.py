"""A dialogue as the user's turns, each with the system's utterance before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from dialoom.dialogue import USER, Event, Layer, Part, State, Utterance
from dialoom.dialogue.annotation import LABELS
from dialoom.dialogue.views import gold, parts
from dialoom.learn.crf import TokenSpan
from dialoom.learn.words import normal_text, root, stem, tokens

SAYS = frozenset({"INFORM", "OFFER", "CONFIRM", "RECOMMEND"})
"""Acts that give a slot a value."""

TEXT = "short text"
"""The kind of slots with free text."""


class SlotAct(NamedTuple):
    """An act with at most one slot; an act with several slots counts as several.

    Attributes:
        act: The act's name, in capitals.
        values: The slot's values as said, then the canonical ones of the knowledge base.
    """

    service: str
    act: str
    slot: str
    values: tuple[str, ...]

    def names(self, value: str, norm: str) -> bool:
        """True if a value is one of the act's, by its text or its normal form."""
        return value in self.values or norm in map(normal_text, self.values)


@dataclass(slots=True)
class Speech:
    """An utterance with its words and annotations.

    `stems` are for comparison of values, `roots` for that of descriptions. `acts` and `spans`
    (start, end, service, slot; in characters) are annotated, or None. `places` are the spans that
    finders found.
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
        """Return an utterance's words, with the acts and spans of its gold or its labels layer."""
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
        """True if a span is part of a longer one in `places`."""
        return any(
            other.start <= place.start
            and place.end <= other.end
            and other.end - other.start > place.end - place.start
            for other in self.places
        )

    def says(self, place: TokenSpan) -> str:
        """Return the text of a span."""
        return self.text[self.starts[place.start] : self.ends[place.end - 1]]


_EMPTY = Layer(LABELS)


def _unseen(utterance: Utterance) -> Layer | None:
    """Return the layer of labels for training, which questions do not show, or None."""
    return next((layer for layer in utterance.layers if layer.source == LABELS), None)


EMPTY = Speech("", [], [], [], [], [])
"""An empty utterance, if the system said nothing before a turn."""


@dataclass(slots=True)
class TrackedTurn:
    """A turn of the user; `number` is its index.

    `position` counts the events up to and including the user's utterance. `system` is the system's
    last utterance since the user's turn before, or `EMPTY`. `services` are those of the gold
    annotation, in the order of the file; `states` are annotated, as far as there is one.
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
            service, name = part.service or "", act.name.upper()
            if not act.arguments:
                yield SlotAct(service, name, "", ())
            for argument in act.arguments:
                values = (*argument.values, *(argument.canonical or ()))
                yield SlotAct(service, name, argument.slot, tuple(map(str, values)))


def turns(events: Iterable[Event]) -> Iterator[TrackedTurn]:
    """Yield the user's turns of a dialogue, in order."""
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
