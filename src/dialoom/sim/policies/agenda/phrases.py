"""Texts of acts: the grammars of users and systems with the words of one service.

    book = Phrasebook(provider, contract(task), wording("en"))
    speech = SpokenText()
    speech.add(book, "INFORM_INTENT", intent="BookTable")
    speech.add(book, "INFORM", entries)
    speech.say(world.drafts[USER], rng)     # text and spans: "Can you book a table for 2 people?"

A turn is worded as a whole: its acts and slots are drafted without values, and the manner of the
side chooses one of several drafts (`sim/core/manner.py`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dialoom.dialogue import SYSTEM, USER, Span
from dialoom.schema.act_wording import ActWording
from dialoom.schema.service import ANYTHING, Service
from dialoom.schema.values.forms import SurfaceForm
from dialoom.sim.core.grammar import Pool, filled, speech, tidy
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.agenda.drafting import SlotItem, drafted
from dialoom.sim.policies.agenda.provider import Provider
from dialoom.sim.policies.agenda.slots import NO_METADATA, ServiceMetadata, SlotOf
from dialoom.sim.policies.agenda.words import RoleWords, Values, intent_ways, slot_words, user_ways

Entry = tuple[SlotOf, tuple[SurfaceForm, ...]]
"""A slot with its values; without any in a question."""

POOLS, POOL = 8, 6
"""Pools of drafts for the same acts and slots, and drafts of a pool."""

IN_WORDS = 2
"""One in so many small numbers of categorical slots is said as a word by users."""

UNMARKED = {USER: 12}
"""One in so many turns of a side has no mark at its end, as 8 % of those of SGD's users."""

MERGED = {"INFORM_INTENT": "INFORM", "AFFIRM_INTENT": "INFORM", "NEGATE": "INFORM"}
"""Act to the act after it whose slots it takes into its own sentence."""

SAID_APART = {"NEGATE_MORE": "NEGATE", "SELECT_ONE": "SELECT", "INFORM_COUNT_ONE": "INFORM_COUNT"}
"""Symbol to the act that it says in some of its uses."""

THANKED = ("NEGATE_MORE", "THANK_YOU")
"""Acts that share one sentence."""


class Phrasebook:
    """One service in one language.

    `intents` maps side and intent to the grammar's values, in one or several ways; `slots` maps
    slots to roles and words.
    """

    def __init__(
        self,
        provider: Provider,
        contract: Service,
        wording: ActWording,
        metadata: ServiceMetadata = NO_METADATA,
    ) -> None:
        described = {slot.name: slot.description or "" for slot in contract.slots}
        self.service, self.wording = provider.name, wording
        self.slots: dict[str, RoleWords] = {
            name: slot_words(
                slot,
                described.get(name, ""),
                metadata.names.get(name, ""),
                wording,
                metadata.say.get(name, ""),
            )
            for name, slot in provider.slots.items()
        }
        self.intents: dict[str, dict[str, tuple[Values, ...]]] = {
            side: {intent.name: ways(intent, wording) for intent in provider.intents}
            for side, ways in ((USER, user_ways), (SYSTEM, intent_ways))
        }


class ActPiece(NamedTuple):
    """An act of a turn with its slots: the symbol, and further values and marks for it."""

    symbol: str
    book: Phrasebook
    entries: tuple[Entry, ...] = ()
    intent: str = ""
    values: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        """The key of the drafts of the piece."""
        items = [(slot.name, mood(slot, values)) for slot, values in self.entries]
        return repr((self.symbol, self.book.service, self.intent, self.values, items))

    @property
    def items(self) -> list[SlotItem]:
        """The slots as the grammar takes them."""
        slot_items = []
        for number, (slot, values) in enumerate(self.entries):
            words = self.book.slots[slot.name]
            how = mood(slot, values)
            if how == "ask" and self.symbol == "INFORM_INTENT":
                how = "same"
            slot_items.append(SlotItem(number, words.role, how, words.values))
        return slot_items


class ActDraft(NamedTuple):
    """The common parts of all drafts of an act.

    `ways` are the grammar's values for the intent, in one or several ways; `places` maps `{v0}` and
    `{u0}` to the places of the values and the unit of slot 0 in the turn.
    """

    symbol: str
    items: list[SlotItem]
    ways: tuple[Mapping[str, str], ...]
    places: Mapping[str, str]


def acts_of(pieces: Sequence[ActPiece]) -> str:
    """Return the names of the acts of a turn, as weights of the manner name them."""
    names = set()
    for piece in pieces:
        symbol, _, thanks = piece.symbol.partition(".")
        names.add(SAID_APART.get(symbol, symbol))
        if thanks:
            names.add(THANKED[1])
        if symbol in MERGED and any(values for _, values in piece.entries):
            names.add("INFORM")
    return "+".join(sorted(names))


def mood(slot: SlotOf, values: Sequence[SurfaceForm]) -> str:
    """Return the mood of a slot: asked, or given as a value, yes, no, any or several values."""
    if not values:
        return "ask"
    if len(values) > 1:
        return "several"
    if values[0].canonical == ANYTHING:
        return "any"
    if slot.flag:
        return "yes" if values[0].canonical in slot.yes else "no"
    return "value"


class SpokenText:
    """An utterance under construction."""

    def __init__(self) -> None:
        self.pieces: list[ActPiece] = []

    def add(
        self,
        book: Phrasebook,
        symbol: str,
        entries: Sequence[Entry] = (),
        intent: str = "",
        **values: str,
    ) -> None:
        """Add an act; slots after an intent, a yes or a no join its sentence."""
        last = self.pieces[-1] if self.pieces else None
        piece = ActPiece(symbol, book, tuple(entries), intent, tuple(values.items()))
        if last and (last.symbol, symbol) == THANKED:
            self.pieces[-1] = last._replace(symbol=f"{last.symbol}.thanks")
        elif last and last.book is book and MERGED.get(last.symbol) == symbol:
            self.pieces[-1] = last._replace(entries=(*last.entries, *piece.entries))
        else:
            self.pieces.append(piece)

    def say(self, drafts: Drafts, rng: SeededRng) -> tuple[str, dict[str, list[Span]]]:
        """Return the text and, by service, the spans of the values in it."""
        return drafts.say(self.pieces, rng) if self.pieces else ("", {})


class Drafts:
    """The ways in which one side, user or system, words turns."""

    def __init__(self, side: str, wording: ActWording, language: str) -> None:
        self._grammar = speech(language, f"acts-{side}")
        self._wording, self._words = wording, wording.words if side == USER else {}
        self._article = f"{wording.determiners[2]} "
        self._days = {day for days in wording.days.values() for day in days}
        self._one = next(iter(wording.words.items()))
        self._side, self._unmarked = side, UNMARKED.get(side)
        self._pools: dict[tuple[str, int], Pool] = {}

    def say(self, pieces: Sequence[ActPiece], rng: SeededRng) -> tuple[str, dict[str, list[Span]]]:
        """Return the text of a turn and, by service, the spans of the values in it."""
        template = self._template(pieces, rng)
        values: dict[str, str] = {}
        labels: dict[str, tuple[str, str]] = {}
        for number, piece in enumerate(pieces):
            for place, (slot, forms) in enumerate(piece.entries):
                texts = self._said(slot, forms, rng)
                fillings = {f"v{number}.{place}.{n}": text for n, text in enumerate(texts)}
                template = self._smooth(template, fillings)
                if not slot.categorical:
                    labels |= dict.fromkeys(fillings, (piece.book.service, slot.name))
                unit = piece.book.slots[slot.name].unit
                single = len(texts) == 1 and texts[0] in self._one
                values |= {**fillings, f"u{number}.{place}": unit[0] if single else unit[1]}
        rendered = filled(template, values)
        spans: defaultdict[str, list[Span]] = defaultdict(list)
        for spot in rendered.places:
            if spot.slot in labels:
                service, name = labels[spot.slot]
                spans[service].append(Span(spot.start, spot.end, (name,)))
        return rendered.text, spans

    def _smooth(self, template: str, values: Mapping[str, str]) -> str:
        for name, text in values.items():
            if text in self._days:
                template = template.replace(f"{self._wording.undated} {{{name}}}", f"{{{name}}}")
            if _NTH_OF.match(text):
                template = template.replace(f"{{{name}}}", f"{self._article}{{{name}}}")
            if text.startswith(self._article.capitalize()):
                template = template.replace(f"{self._article}{{{name}}}", f"{{{name}}}")
            template = template.replace(f"{{{name}}} {text.split(' ')[-1]} ", f"{{{name}}} ")
        return template

    def _said(self, slot: SlotOf, forms: Sequence[SurfaceForm], rng: SeededRng) -> list[str]:
        texts = [form.text for form in forms]
        if slot.categorical and texts and texts[0] in self._words and rng.once_in(IN_WORDS):
            texts[0] = self._words[texts[0]]
        return texts

    def _template(self, pieces: Sequence[ActPiece], rng: SeededRng) -> str:
        manner = self._grammar.manner
        if manner is None:
            return self._draft(self._acts(pieces), rng)
        key = "|".join([piece.key for piece in pieces]), rng.below(POOLS)
        if key not in self._pools:
            own = SeededRng(repr(key).encode(), b"drafts")
            acts = self._acts(pieces)
            drafts = [self._draft(acts, own) for _ in range(POOL)]
            scored = [_UNIT.sub(lambda m: _unit(pieces, m), draft) for draft in drafts]
            self._pools[key] = drafts, manner.sums(scored, acts_of(pieces))
        drafts, sums = self._pools[key]
        return drafts[bisect_right(sums, rng.below(sums[-1]))]

    def _acts(self, pieces: Sequence[ActPiece]) -> list[ActDraft]:
        acts, where = [], "first"
        for number, piece in enumerate(pieces):
            intents = piece.book.intents[self._side].get(piece.intent) or ({},)
            own = {**dict(piece.values), where: ""}
            ways = tuple([{**intent, **own} for intent in intents])
            places: dict[str, str] = {}
            for slot, (_, forms) in enumerate(piece.entries):
                many = len(forms)
                values = (f"{self.gap(n, many)}{{v{number}.{slot}.{n}}}" for n in range(many))
                places |= {f"{{v{slot}}}": "".join(values), f"{{u{slot}}}": f"{{u{number}.{slot}}}"}
            acts.append(ActDraft(piece.symbol, piece.items, ways, places))
            where = "next"
        return acts

    def _draft(self, acts: Sequence[ActDraft], rng: SeededRng) -> str:
        texts = []
        for symbol, items, ways, places in acts:
            text = drafted(self._grammar, symbol, items, rng.choice(ways), rng)
            for name, place in places.items():
                text = text.replace(name, place)
            texts.append(text)
        text = tidy(" ".join(texts))
        return text.rstrip(".?") if self._unmarked and rng.once_in(self._unmarked) else text

    def gap(self, place: int, many: int) -> str:
        """Return the separator before element `place` of several values to choose from."""
        if not place:
            return ""
        return self._wording.either if place == many - 1 else self._wording.between


_NTH_OF = re.compile(r"\d+[^\W\d]+ of ")
_UNIT = re.compile(r"\{u(\d+)\.(\d+)\}")


def _unit(pieces: Sequence[ActPiece], match: re.Match[str]) -> str:
    piece = pieces[int(match[1])]
    return piece.book.slots[piece.entries[int(match[2])][0].name].unit[1]
