"""What acts sound like: a language's templates, made ready for one service.

    book = Phrasebook(provider, wording("en"), names={}, own={})
    book.lists["CONFIRM"]           # ways to list slots with their values
    book.intents["BookTable"]       # {"INFORM_INTENT": ("I would like to book a table.", …), …}

Templates are split once into what stands before and after a value; in the run texts are only put
together (`Speech`), which knows where each value stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dialoom.dialogue import Span
from dialoom.schema.service_words import ServiceWords, spoken_name
from dialoom.sim.policies.agenda.provider import Provider
from dialoom.sim.policies.agenda.slots import ANYTHING, SlotOf, SurfaceForm
from dialoom.sim.policies.agenda.wording import Way, Wording

VALUE, LIST, SLOT, INTENT = "{value}", "<list>", "<slot>", "<intent>"


Halves = tuple[str, str]
"""What stands before a value, and after it."""


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """One way to list slots of one service."""

    around: Halves
    items: Mapping[str, Halves]
    examples: Mapping[str, Halves]
    yes: Mapping[str, str]
    no: Mapping[str, str]
    any: Mapping[str, str]


class Phrasebook:
    """One service in one language.

    Attributes:
        wording: The language's templates.
        lists: Kind of list to the ways to say it.
        intents: Intent to the acts about it and the ways to say them.
        slots: Slot to its name as it is said.
        answers: The ways to answer with nothing but a value.
    """

    def __init__(
        self,
        provider: Provider,
        wording: Wording,
        names: Mapping[str, str],
        own: Mapping[str, str],
    ) -> None:
        self.wording = wording
        self.slots = {name: names.get(name) or _spoken(name, wording) for name in provider.slots}
        self.lists = {
            kind: tuple(self._listing(way, own) for way in ways)
            for kind, ways in wording.lists.items()
        }
        words = ServiceWords(provider.language)
        self.intents = {
            intent.name: {
                act: tuple(text.replace(INTENT, words.intent(intent)) for text in side[act])
                for side, act in (
                    (wording.user, "INFORM_INTENT"),
                    (wording.system, "OFFER_INTENT"),
                )
            }
            for intent in provider.intents
        }
        self.answers = tuple(map(halves, wording.answer))

    def _listing(self, way: Way, own: Mapping[str, str]) -> Listing:
        def filled(text: str) -> dict[str, str]:
            return {name: text.replace(SLOT, said) for name, said in self.slots.items()}

        items = filled(way.item)
        if way.own:
            items |= own
        before, _, after = way.wrap.partition(LIST)
        return Listing(
            around=(before, after),
            items={name: halves(text) for name, text in items.items()},
            examples={name: halves(text) for name, text in filled(way.example).items()},
            yes=filled(way.yes),
            no=filled(way.no),
            any=filled(way.any),
        )


def halves(text: str) -> Halves:
    """Split a text at its value."""
    before, _, after = text.partition(VALUE)
    return before, after


def _spoken(name: str, wording: Wording) -> str:
    words = spoken_name(name).split()
    return " ".join(words[1:] if len(words) > 1 and words[0] in wording.cut else words)


class Speech:
    """An utterance while it is put together.

    Attributes:
        spans: Service to the spans of values in it.
    """

    __slots__ = ("_at", "_texts", "spans")

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._at = 0
        self.spans: dict[str, list[Span]] = {}

    @property
    def text(self) -> str:
        """What is said."""
        return "".join(self._texts)

    def _put(self, text: str) -> None:
        self._texts.append(text)
        self._at += len(text)

    def say(self, sentence: str) -> None:
        """Add a sentence."""
        self._put(f" {sentence}" if self._at else sentence)

    def value(self, service: str, slot: SlotOf, text: str, around: Halves) -> None:
        """Add a value and what stands around it."""
        self._put(around[0])
        start = self._at
        self._put(text)
        if not slot.categorical:
            span = Span(start, self._at, (slot.name,))
            self.spans.setdefault(service, []).append(span)
        self._put(around[1])

    def answer(self, service: str, slot: SlotOf, said: SurfaceForm, around: Halves) -> None:
        """Add a sentence that is nothing but an answer."""
        if self._at:
            self._put(" ")
        self.value(service, slot, said.text, around)

    def listing(
        self,
        service: str,
        way: Listing,
        entries: Iterable[tuple[SlotOf, tuple[SurfaceForm, ...]]],
        wording: Wording,
    ) -> None:
        """Add a sentence that lists slots, each with its values; a slot alone has none."""
        held = list(entries)
        if self._at:
            self._put(" ")
        self._put(way.around[0])
        last = len(held) - 1
        for place, (slot, values) in enumerate(held):
            if place:
                self._put(wording.last if place == last else wording.between)
            self._entry(service, way, slot, values, wording)
        self._put(way.around[1])

    def _entry(
        self,
        service: str,
        way: Listing,
        slot: SlotOf,
        values: tuple[SurfaceForm, ...],
        wording: Wording,
    ) -> None:
        name = slot.name
        if not values:
            self._put(way.yes[name] if slot.flag else way.items[name][0])
        elif len(values) > 1:
            before, after = way.examples[name]
            self._put(before)
            last = len(values) - 1
            for place, said in enumerate(values):
                gap = wording.between if place < last - 1 else wording.either
                self.value(service, slot, said.text, ("", gap if place < last else after))
        elif values[0].canonical == ANYTHING:
            self._put(way.any[name])
        elif slot.flag:
            self._put((way.yes if values[0].canonical in slot.yes else way.no)[name])
        else:
            self.value(service, slot, values[0].text, way.items[name])
