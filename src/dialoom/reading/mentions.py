"""Chooses the mentions of values in a user's text, each for one slot.

    chooser = chooser_of(pack.load("hotel_book"))
    chosen = chooser.choose("From the third to the ninth, please.", {"arrival"})
    chosen.values             # {"arrival": "2021-05-03", "departure": "2021-05-09"}
    chosen.text               # "From {arrival} to {departure}, please."

Each place of a text that may be a value belongs to the slot with the highest log odds; it is no
value if these are not above 0. The odds add up: whether the system asked for the slot, the words
near the value, its form, the order of a range, an earlier value.

The weights were set by hand, then each to 0 and doubled. In brackets: exact calls of the model
`tracked` on STAR (46.1 % with the values below) and 360 unhappy users that `flow` serves (91.4 %).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from math import inf, log
from typing import Any, NamedTuple

from msgspec.structs import replace

from dialoom.reading.slot_words import (
    KEPT,
    SlotWords,
    denied,
    fixed,
    is_pronoun,
    led_places,
    neighbours,
    ruled_out,
    says,
    tokens,
)
from dialoom.reading.wording import around
from dialoom.schema.lexicon import lexicon, words
from dialoom.schema.once import Kept, once_for_each
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import (
    TEXTS,
    Mention,
    best,
    by_place,
    disjoint,
    find,
    kind,
    render,
    values_of,
)
from dialoom.schema.values.finding import LIKE
from dialoom.schema.values.names import CAPITAL, INTRODUCED
from dialoom.schema.values.text import text_of

ASKED, REPEATED, SURE = 3.5, 2.0, 2.5
"""Log odds added for a slot that was asked for (46.0, 90.6; 45.4, 91.4), that had this value before
(45.9, 90.8; 44.7, 91.4), or that alone can have such a value (32.9, 90.6; 46.0, 91.4)."""

FORMLESS = 1.0
"""Log odds subtracted for a value of ambiguous form, such as a bare number (45.7, 90.6; 46.1,
91.4)."""

INTRO = 1.0
"""Log odds added for a name after "my name is" and the like if a listed value resembles it too: any
of 0 to 1 gives the same; with 2.5 "This is Quarry Court" is a guest."""

ALONE = 2.0
"""Log odds added for a name that was asked for and is all that its sentence says."""

LEAST = 0.5
"""Least confidence of a sure mention; others may only resemble a value (0: 44.8, 85.0)."""

LED, RANGED = 2.5, 3.0
"""Log odds added for a place after a word that leads to places of its slot ("to": STAR the same,
but of 2,065 states of SGD 12.5 % in place of 19.7 % are right without), and for the values of a
range ("the 3rd to the 9th"; 44.5, 91.4; 46.1, 91.4)."""

FLOOR = -2.0
"""Least log odds of the words near a value that alone can be of its slot: they speak for slots that
cannot have it (STAR's calls stay the same with any from -99 to -1). For a requested slot it is 0:
"On Friday" may answer "When do you return?" even if all examples of departures say "on"."""

SENTENCE = re.compile(r"(?<=[.!?:…]) +")
"""The blanks after the end of a sentence, or after a colon or an ellipsis."""

_ENDED = re.compile(r"(?<=\w{4})[.!?;] |(?<=\w)[!?;] ")
"""The end of a sentence in a free-text value: four letters before the full stop, so that a title
("Dr.") is none."""

_NUMBERED = re.compile(r"\{(\d+)\}")
_JOINT = re.compile(r"\w+|[^\w\s]")

Places = tuple[tuple[Mention, ...], ...]
"""The places of a text, each with the mentions of the slots that it may belong to."""


class WeighedMention(NamedTuple):
    """A mention, the number of its place in the text, and the log odds of each kind of evidence."""

    mention: Mention
    place: int
    evidence: Mapping[str, float]

    @property
    def odds(self) -> float:
        """The log odds that the mention counts."""
        return sum(self.evidence.values())


class ChosenValues(NamedTuple):
    """The mentions that count, slot to value, and the text with the slots in their places."""

    mentions: tuple[Mention, ...]
    values: dict[str, Any]
    text: str


class MentionChooser:
    """Chooses among the mentions of a task's slots."""

    def __init__(self, task: TaskSchema) -> None:
        self.task, self.language = task, task.language
        slots = dict.fromkeys(column.slot for column in task.call_inputs if column.slot)
        self._order = {slot: n for n, slot in enumerate(slots)}
        self._words = SlotWords(task)
        self._places = Kept(self._apart, KEPT)

    def choose(
        self, text: str, open_slots: Collection[str], state: Mapping[str, Any] | None = None
    ) -> ChosenValues:
        """Return the values in a text, each for the slot with the highest log odds.

        `open_slots` are the slots of open questions, `state` maps slots to their values so far.
        """
        state = state or {}
        values: dict[str, Any] = {}
        owners: dict[int, Mention] = {}
        for mention, place, _ in self.weighed(text, open_slots, state):
            several = self.task.slots[mention.slot].type == "categories"
            old = state.get(mention.slot, self)
            fresh = values.get(mention.slot, self) == old != mention.value
            if place in owners:
                continue
            if mention.slot in values and not several and not fresh:
                if mention.value == values[mention.slot]:  # said again
                    owners[place] = mention
                continue
            owners[place] = mention
            before = values.get(mention.slot, [])
            values[mention.slot] = [*before, mention.value] if several else mention.value
        places = self.places(text)
        corrected = tuple(self._corrected(text, values, state))
        for number, owner in list(owners.items()):
            if any(
                owner.value == state[new.slot] or (new.start < owner.end and owner.start < new.end)
                for new in corrected
            ):
                values.pop(owners.pop(number).slot, None)
        values |= {mention.slot: mention.value for mention in corrected}
        template = _NUMBERED.sub(
            lambda m: self._shown(text, owners.get(int(m[1])), places[int(m[1])][0]),
            _numbered(text, places),
        )
        mentions = (*corrected, *(owners[number] for number in sorted(owners)))
        return ChosenValues(mentions, values, template)

    def _shown(self, text: str, owner: Mention | None, first: Mention) -> str:
        if owner is not None:
            return f"{{{owner.slot}}}"
        return text[first.start : first.end] if self._bare_truth(text, first) else " "

    def weighed(
        self, text: str, open_slots: Collection[str], state: Mapping[str, Any]
    ) -> list[WeighedMention]:
        """Return the mentions with log odds above 0, the likeliest first."""
        places = self.places(text)
        if any(self.task.slots[slot].type in TEXTS for slot in open_slots):
            places = tuple(tuple(self._answering(text, place, open_slots)) for place in places)
        weighed = [each for each in self._weighed(text, places, open_slots, state) if each.odds > 0]
        return sorted(weighed, key=lambda each: -each.odds)

    def named(self, text: str) -> frozenset[str]:
        """Return the slots that a text names by a word of theirs: "the price"."""
        return frozenset(slot for word in words(text) for slot in self._words.named(word))

    def is_wording(self, text: str) -> bool:
        """Return True if a text has only words that name no value: those of the flow's texts."""
        return self._words.literals.issuperset(words(text))

    def _corrected(
        self, text: str, values: Mapping[str, Any], state: Mapping[str, Any]
    ) -> Iterator[Mention]:
        """Yield the values that share a sentence with the old ones: "Friday, not Monday"."""
        start = 0
        for sentence in SENTENCE.split(text) if state else ():
            start, lowered = text.index(sentence, start), sentence.casefold()
            for slot, old in ((self.task.slots[name], old) for name, old in state.items()):
                if values.get(slot.name, old) != old or old is None:
                    continue
                if not any(says(lowered, form) for form in render(slot, old, self.language)):
                    continue
                mentions = best(find(sentence, (slot,), self.language))
                others = [
                    m
                    for m in mentions
                    if m.value != old
                    and m.confidence > LIKE
                    and not is_pronoun(sentence, m, self.language)
                ]
                if len(others) == 1:
                    first, end = others[0].start + start, others[0].end + start
                    yield replace(others[0], start=first, end=end)

    def places(self, text: str) -> Places:
        """Return the places of values in a text, of overlapping ones the longest (cached)."""
        return self._places[text]

    def _apart(self, text: str) -> Places:
        mentions = [_within(m) for m in find(text, self.task.slots.values(), self.language)]
        places = by_place([*mentions, *self._led(text)])
        firsts = (
            group[0]
            for (start, end), group in places.items()
            if not self._vocabulary(text[start:end], group)
        )
        ranked = sorted(firsts, key=lambda first: not self._marked(places[first.start, first.end]))
        apart = sorted(disjoint(ranked), key=lambda mention: (mention.start, mention.end))
        return tuple(tuple(places[first.start, first.end]) for first in apart)

    def _marked(self, place: Sequence[Mention]) -> bool:
        """Return True if a place is more than a run of capitals, which may be any name."""
        share = len({mention.slot for mention in place})
        return any(m.confidence * share > CAPITAL + 1e-6 for m in place)

    def _vocabulary(self, text: str, mentions: Sequence[Mention]) -> bool:
        """Return True if mentions are unsure and consist of words of the task's own texts."""
        share = len({mention.slot for mention in mentions})
        unsure = all(mention.confidence * share < LEAST for mention in mentions)
        return unsure and self.is_wording(text)

    def _answering(
        self, text: str, place: Sequence[Mention], slots: Collection[str]
    ) -> Iterator[Mention]:
        """Yield the mentions of a place; for a requested name, also the whole answer."""
        yield from place
        first, own = place[0], {mention.slot for mention in place}
        words = text[first.start : first.end]
        if self._bare_truth(text, first):
            return
        for slot in (s for s in self.task.slots.values() if s.name in slots and s.name not in own):
            whole = values_of(slot, self.language).answer(text_of(text, self.language))
            if slot.type in TEXTS and words == whole:
                yield replace(first, slot=slot.name, value=words)

    def _led(self, text: str) -> Iterator[Mention]:
        """Yield the places that follow a word for the names of slots: "to the old mill"."""
        for lead, start, end in led_places(text, self.language):
            for slot in self._words.leads(lead):
                yield Mention(slot, text[start:end], start, end, INTRODUCED)

    def _weighed(
        self, text: str, places: Places, requests: Collection[str], state: Mapping[str, Any]
    ) -> Iterator[WeighedMention]:
        pieces = tokens(_numbered(text, places))
        ranged = dict(self._ranges(text, places))
        wording = [fixed(self.task, text, place[0].start, place[0].end) for place in places]
        slots = {m.slot for place, w in zip(places, wording, strict=True) if not w for m in place}
        for at, number in (
            (at, int(each[1:-1])) for at, each in enumerate(pieces) if each[0] == "{"
        ):
            first = places[number][0]
            before, after = around(text, first.start, first.end)
            if denied(before, self.language) or ruled_out(after, self.language):
                continue
            if is_pronoun(text, first, self.language):
                continue
            near, lead = neighbours(pieces, at), (words(before)[-1:] or [""])[0]
            since = places[number - 1][0].end if number else 0
            led = SENTENCE.split(text[since : first.start])[-1]
            for mention in places[number]:
                slot = mention.slot
                if wording[number] and (slot in slots or slot not in requests):
                    continue
                if slot not in requests and self._bare_truth(text, mention):
                    continue
                if requests and slot not in requests and self._is_deed(text, mention, lead):
                    continue
                if slot not in requests and self._is_weekday(text, mention):
                    continue
                form = self._form(text, mention, places[number], slot in requests)
                odds, floor = self._words.near(slot, near, led), FLOOR if form >= SURE / 2 else -inf
                evidence = {
                    "near": max(odds, 0.0 if slot in requests else floor),
                    "form": form,
                    "asked": ASKED if slot in requests else 0.0,
                    "repeated": REPEATED if state.get(slot, self) == mention.value else 0.0,
                    "range": RANGED if ranged.get(number) == slot else 0.0,
                    "alone": ALONE if self._alone(text, mention, slot in requests) else 0.0,
                    "direction": LED if slot in self._words.leads(lead) else 0.0,
                }
                yield WeighedMention(mention, number, evidence)

    def _alone(self, text: str, mention: Mention, is_due: bool) -> bool:
        if not is_due or self.task.slots[mention.slot].type not in TEXTS:
            return False
        before, after = around(text, mention.start, mention.end)
        lead, rest = SENTENCE.split(before)[-1], SENTENCE.split(f"_{after}")[0][1:]
        return self.is_wording(f"{lead} {rest}")

    def _form(self, text: str, mention: Mention, place: Sequence[Mention], is_due: bool) -> float:
        surest = max(other.confidence for other in place)
        share = len({other.slot for other in place})
        free = self.task.slots[mention.slot].type in TEXTS
        odds = mention.confidence - surest
        odds += log(min(1.0, surest * share)) if not is_due and not free else 0.0
        formed = [each for each in place if self._has_form(each, share)]
        if mention in formed:
            rivals = {other.slot for other in formed if other.confidence > surest / 2}
            return odds + (SURE if len(rivals) == 1 else INTRO if free else 0.0)
        spoken = words(text[mention.start : mention.end])
        numeric = kind(self.task.slots[mention.slot], self.language) == "number"
        vague = not numeric or not lexicon(self.language).common.isdisjoint(spoken)
        return odds - (FORMLESS if vague and not is_due else 0.0)

    def _ranges(self, text: str, places: Places) -> Iterator[tuple[int, str]]:
        """Yield the numbers of the places of ranges ("3 to 9"), each with its slot."""
        spoken = lexicon(self.language)
        joints, articles = [[each] for each in spoken.ranges], spoken.articles
        for number, (first, last) in enumerate(pairwise(places)):
            between = _JOINT.findall(text[first[0].end : last[0].start].casefold())
            if [each for each in between if each not in articles] not in joints:
                continue
            shared = {m.slot for m in first} & {m.slot for m in last}
            last_place = len(self._order)
            pair = sorted(shared, key=lambda slot: (self._order.get(slot, last_place), slot))
            if len(pair) == 2:
                yield number, pair[0]
                yield number + 1, pair[1]

    def _bare_truth(self, text: str, mention: Mention) -> bool:
        return lexicon(self.language).truth(text[mention.start : mention.end]) is not None

    def _is_deed(self, text: str, mention: Mention, lead: str) -> bool:
        """Return True if a text may be a verb after "to", as in "a train to catch".

        A place in small letters without an article looks the same; the system can ask for it.
        """
        phrase = text[mention.start : mention.end]
        familiar = mention.value != phrase or phrase in self.task.slots[mention.slot].examples
        return mention.slot in self._words.leads(lead) and phrase[:1].islower() and not familiar

    def _is_weekday(self, text: str, mention: Mention) -> bool:
        if self.task.slots[mention.slot].type not in TEXTS:
            return False
        return text[mention.start : mention.end].lower() in lexicon(self.language).weekdays

    def _has_form(self, mention: Mention, share: int) -> bool:
        """Return True if a value's form shows its type; `share` mentions share the confidence."""
        slot = self.task.slots[mention.slot]
        if slot.type in TEXTS:
            first = str(mention.value).partition(" ")[0]
            introduced = mention.confidence * share >= INTRODUCED
            is_name = introduced and first not in lexicon(self.language).stop
            return is_name or mention.value in slot.examples
        if slot.type == "amount":
            return mention.confidence == 1
        return kind(slot, self.language) not in ("number", "boolean")


def _within(mention: Mention) -> Mention:
    if not isinstance(mention.value, str):
        return mention
    cut = _ENDED.search(mention.value)
    if cut is None or mention.end - mention.start != len(mention.value):
        return mention
    head = mention.value[: cut.start()]
    return replace(mention, value=head, end=mention.start + len(head))


def _numbered(text: str, places: Places) -> str:
    """Return a text with each place replaced by its number in braces; it has no others."""
    plain = text.replace("{", "(")
    output, at = "", 0
    for number, (mention, *_) in enumerate(places):
        output += f"{plain[at : mention.start]}{{{number}}}"
        at = mention.end
    return output + plain[at:]


chooser_of = once_for_each(MentionChooser)
"""Returns the chooser of a task (cached)."""
