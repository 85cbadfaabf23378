"""Texts of acts: a language's templates with the words of one service.

book = Phrasebook(provider, wording("en"), names={}, own={})
book.intents["BookTable"]       # {"INFORM_INTENT": ("I would like to book a table.", …), …}
speech = SpokenText()
speech.listing(book, way, entries)      # knows where each value stands
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from dialoom.dialogue import Span
from dialoom.schema.act_wording import ActWording, Way
from dialoom.schema.service import ANYTHING
from dialoom.schema.service_words import ServiceWords, spoken_name
from dialoom.schema.values.forms import SurfaceForm
from dialoom.sim.policies.agenda.provider import Provider
from dialoom.sim.policies.agenda.slots import SlotOf

VALUE, LIST, SLOT, INTENT = "{value}", "<list>", "<slot>", "<intent>"

Entry = tuple[SlotOf, tuple[SurfaceForm, ...]]
"""A slot with its values: none where it is asked for, else one or several."""


class Phrasebook:
    """One service in one language.

    Attributes:
        service: The service.
        wording: The language's templates.
        intents: Intent to the acts about it and the ways to say them.
        slots: Slot to its name as it is said.
        own: Slot to what is said of it in a list, where a way to list allows that.
    """

    def __init__(
        self,
        provider: Provider,
        wording: ActWording,
        names: Mapping[str, str],
        own: Mapping[str, str],
    ) -> None:
        self.service, self.wording, self.own = provider.name, wording, own
        self.slots = {name: names.get(name) or _spoken(name, wording) for name in provider.slots}
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

    def carry(self, template: str, slots: Sequence[str]) -> str:
        """Return a sentence that takes values over from another service."""
        *before, last = (self.slots[name] for name in slots)
        listed = self.wording.between.join(before) + (self.wording.last if before else "")
        return template.replace(LIST, listed + last)

    def element(self, way: Way, slot: SlotOf, values: Sequence[SurfaceForm]) -> str:
        """Return the text of a slot in one way to list; `VALUE` in it stands for the values."""
        text = way.item
        if len(values) > 1:
            text = way.example
        elif not values:
            text = way.yes if slot.flag else way.item
        elif values[0].canonical == ANYTHING:
            text = way.any
        elif slot.flag:
            text = way.yes if values[0].canonical in slot.yes else way.no
        elif way.own:
            text = self.own.get(slot.name, way.item)
        return text.replace(SLOT, self.slots[slot.name])


def _spoken(name: str, wording: ActWording) -> str:
    words = spoken_name(name).split()
    return " ".join(words[1:] if len(words) > 1 and words[0] in wording.cut else words)


class SpokenText:
    """An utterance under construction.

    Attributes:
        text: The text so far.
        spans: Service to the spans of its values in the text.
    """

    def __init__(self) -> None:
        self.text = ""
        self.spans: defaultdict[str, list[Span]] = defaultdict(list)

    def say(self, sentence: str) -> None:
        """Add a sentence."""
        self.text += f" {sentence}" if self.text else sentence

    def answer(self, book: Phrasebook, entry: Entry, template: str) -> None:
        """Add a sentence that is nothing but an answer."""
        self.say("")
        self._fill(book, template, *entry)

    def listing(self, book: Phrasebook, way: Way, entries: Sequence[Entry]) -> None:
        """Add a sentence that lists slots, each with its values, if it has any."""
        before, _, after = way.wrap.partition(LIST)
        self.say(before)
        for place, (slot, values) in enumerate(entries):
            self.text += _gap(place, len(entries), book.wording.between, book.wording.last)
            self._fill(book, book.element(way, slot, values), slot, values)
        self.text += after

    def _fill(
        self, book: Phrasebook, template: str, slot: SlotOf, values: Sequence[SurfaceForm]
    ) -> None:
        before, found, after = template.partition(VALUE)
        self.text += before
        for place, said in enumerate(values if found else ()):
            self.text += _gap(place, len(values), book.wording.between, book.wording.either)
            start = len(self.text)
            self.text += said.text
            if not slot.categorical:
                span = Span(start, len(self.text), (slot.name,))
                self.spans[book.service].append(span)
        if values or not found:
            self.text += after


def _gap(place: int, many: int, between: str, last: str) -> str:
    """Return the separator before element `place` of a list of `many`."""
    if not place:
        return ""
    return last if place == many - 1 else between
