"""Parses, renders and finds values of any slot, with the module for the type of the slot.

The confidence of a mention is a product. An unambiguous form counts 1; numbers, hours and names
without a clear sign of their type count less (the constants of each module). A mention inside a
longer one counts half; a number or similar word inside a time of the day is left out, whether or
not a slot has that time. Slots that could have the same characters as a value share the confidence:
a time counts 0.5 for each of two slots of times.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from dialoom.schema.lexicon import lexicon
from dialoom.schema.slot import Slot
from dialoom.schema.values.choices import BooleanValues, Kind, ListedValues
from dialoom.schema.values.clock import TimeValues, formed
from dialoom.schema.values.dates import DateValues
from dialoom.schema.values.likeness import LikenessIndex
from dialoom.schema.values.mention import Mention, SlotValues, disjoint
from dialoom.schema.values.names import TextValues
from dialoom.schema.values.numbers import NumberValues
from dialoom.schema.values.ranges import samples
from dialoom.schema.values.text import PhraseIndex, Text, Word, text_of

INSIDE = 0.5
"""Factor on the confidence of a mention inside a longer one."""

SURE = 0.55
"""Least confidence with which an answer is taken to mention a name."""

LIKE = 0.45
"""Confidence of a value of which only similar words, or half of its words, are mentioned."""

KEPT = 4096
"""Most slots, and sets of slots, whose values and indexes are cached."""

_TYPES: dict[str, type[Any]] = {
    "category": ListedValues,
    "categories": ListedValues,
    "short text": TextValues,
    "long text": TextValues,
    "integer": NumberValues,
    "amount": NumberValues,
    "boolean": BooleanValues,
    "date": DateValues,
    "time": TimeValues,
}

TEXTS = frozenset({"short text", "long text"})
"""The types of slots that take any text."""

_KINDS: dict[str, Kind] = {
    "short text": "name",
    "long text": "text",
    "integer": "number",
    "amount": "number",
    "boolean": "boolean",
    "date": "date",
    "time": "time",
}


class ValueIndex:
    """Finds the values of several slots in a text, in one pass over its words."""

    def __init__(self, slots: Sequence[tuple[str, SlotValues]]) -> None:
        self._slots = slots
        self._phrases: PhraseIndex[tuple[int, str]] = PhraseIndex()
        self._likes: LikenessIndex[tuple[int, str]] = LikenessIndex()
        for number, (_, values) in enumerate(slots):
            for phrase, value in values.phrases():
                self._phrases.add(phrase, (number, value))
            for value, keys in values.keys().items():
                if keys:
                    self._likes.add((number, value), keys)

    def find(self, text: Text) -> Iterator[Mention]:
        """Yield the mentions of values in a text, in the order of the slots."""
        mentions: dict[int, list[Mention]] = defaultdict(list)
        for start, end, (number, value) in self._phrases.scan(text):
            mentions[number].append(Mention(self._slots[number][0], value, start, end))
        like: dict[int, list[Mention]] = defaultdict(list)

        def free(meaning: tuple[int, str], word: Word) -> bool:
            rivals = mentions.get(meaning[0], ())
            return all(word.end <= each.start or each.end <= word.start for each in rivals)

        for (number, value), words in self._likes.scan(text, free):
            mention = Mention(self._slots[number][0], value, words[0].start, words[-1].end, LIKE)
            like[number].append(mention)
        for number, (_, values) in enumerate(self._slots):
            yield from mentions.get(number, ())
            yield from values.find(text)
            if number in like:
                yield from sorted(like[number], key=lambda mention: mention.start)


_indexes: dict[tuple[tuple[int, ...], str], tuple[tuple[Slot, ...], ValueIndex]] = {}
"""Cache: (ids of slots, language) to the slots, which keeps the ids valid, and their index."""

_made: dict[tuple[int, str], tuple[Slot, SlotValues]] = {}
"""Cache by the slot's id, since a slot holds dictionaries and has no hash."""


def values_of(slot: Slot, language: str = "en") -> SlotValues:
    """Return the values of a slot in a language (cached)."""
    entry = _made.get((id(slot), language))
    if entry is None:
        if len(_made) >= KEPT:
            _made.clear()
        values: SlotValues = _TYPES[slot.type](slot, language)
        entry = _made[id(slot), language] = (slot, values)
    return entry[1]


def plain(value: Any, language: str = "en", slot: Slot | None = None) -> str:
    """Return the plain form of a value: its first rendering.

    Without a slot, a list is joined by commas and a boolean becomes a word for yes or no.
    """
    if slot is not None and value is not None and not isinstance(value, list | tuple):
        return next(iter(values_of(slot, language).render(value)))
    if isinstance(value, bool):
        spoken = lexicon(language)
        return (spoken.yes if value else spoken.no)[0]
    if isinstance(value, list | tuple):
        return ", ".join(plain(item, language) for item in value)
    return str(value)


def render(slot: Slot, value: Any, language: str = "en") -> tuple[str, ...]:
    """Return the texts that express a value of a slot, the plain form first; never empty."""
    if value is None:
        return (plain(value, language),)
    if not isinstance(value, list | tuple):
        return tuple(dict.fromkeys(values_of(slot, language).render(value)))
    ways = [render(slot, each, language) for each in value]
    lines = ([way[n % len(way)] for way in ways] for n in range(max(map(len, ways), default=1)))
    return tuple(dict.fromkeys(_joined(line, language) for line in lines))


def _joined(texts: list[str], language: str) -> str:
    parts = (", ".join(texts[:-1]), *texts[-1:])
    return lexicon(language).last.join(filter(None, parts))


def find(text: str, slots: Iterable[Slot], language: str = "en") -> tuple[Mention, ...]:
    """Return the mentions of values of some slots in a text, in the order of their places.

    A part of a text that may be several values, or a value of several slots, has a mention for
    each; a mention inside a longer one is returned too. Both have a lower confidence.
    """
    read = text_of(text, language)
    return _weighed(_outside_times(_index(tuple(slots), language).find(read), read))


def _outside_times(mentions: Iterable[Mention], text: Text) -> Iterable[Mention]:
    """Leave out uncertain mentions that are part of a time: the 12 of "at 12 pm"."""
    times = [(each.start, each.end) for each in text.read(formed)]
    if not times:
        return mentions
    return [m for m in mentions if m.confidence == 1 or not _inside((m.start, m.end), times)]


def _index(slots: tuple[Slot, ...], language: str) -> ValueIndex:
    key = (tuple(map(id, slots)), language)
    entry = _indexes.get(key)
    if entry is None:
        if len(_indexes) >= KEPT:
            _indexes.clear()
        pairs = [(slot.name, values_of(slot, language)) for slot in slots]
        entry = _indexes[key] = (slots, ValueIndex(pairs))
    return entry[1]


def parse(slot: Slot, text: str, language: str = "en") -> Any:
    """Return the value that an answer to a question for a slot gives, or None if it gives none.

    For a slot of the type categories it is a list. For a name or free text it is the answer without
    phrases such as "my name is".
    """
    mentions = find(text, (slot,), language)
    if slot.type in TEXTS:
        mentions = tuple(mention for mention in mentions if mention.confidence >= SURE)
    choices = best(mentions)
    if slot.type == "categories":
        return list(dict.fromkeys(mention.value for mention in choices)) or None
    if choices:
        return max(choices, key=lambda mention: mention.confidence).value
    return values_of(slot, language).answer(text_of(text, language))


def read(slot: Slot, text: str, language: str = "en") -> Any:
    """Return the value of a slot that a whole text expresses, or None; free text is itself."""
    if slot.type in TEXTS:
        return text.strip() or None
    whole = (len(text) - len(text.lstrip()), len(text.rstrip()))
    mentions = (m for m in find(text, (slot,), language) if m.confidence > LIKE)
    matches = [mention for mention in mentions if (mention.start, mention.end) == whole]
    return max(matches, key=lambda mention: mention.confidence).value if matches else None


def kind(slot: Slot, language: str = "en") -> Kind:
    """Return the kind of a slot's values."""
    values = values_of(slot, language)
    return values.kind if isinstance(values, ListedValues) else _KINDS[slot.type]


def best(mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    """Return non-overlapping mentions in text order: the longest first, then the most confident."""
    choices = disjoint(sorted(mentions, key=lambda m: (m.start - m.end, -m.confidence)))
    return tuple(sorted(choices, key=lambda mention: mention.start))


def _weighed(mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    by_key: dict[tuple[Any, ...], Mention] = {}
    for each in mentions:
        key = (each.slot, each.value, each.start, each.end)
        if key not in by_key or by_key[key].confidence < each.confidence:
            by_key[key] = each
    owners: dict[tuple[int, int], set[str]] = defaultdict(set)
    for each in by_key.values():
        owners[each.start, each.end].add(each.slot)
    nested = set(_nested(owners))
    shares = {
        place: (INSIDE if place in nested else 1.0) / len(slots) for place, slots in owners.items()
    }
    weighed = (
        each
        if (share := shares[each.start, each.end]) == 1
        else replace(each, confidence=each.confidence * share)
        for each in by_key.values()
    )
    return tuple(sorted(weighed, key=lambda m: (m.start, -m.end, -m.confidence)))


def _nested(places: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    reached = -1
    for place in sorted(places, key=lambda each: (each[0], -each[1])):
        if place[1] <= reached:
            yield place
        reached = max(reached, place[1])


def _inside(place: tuple[int, int], places: Iterable[tuple[int, int]]) -> bool:
    return any(each != place and each[0] <= place[0] and place[1] <= each[1] for each in places)


def said_values(slot: Slot, language: str, most: int) -> list[dict[str, Any]]:
    """Return at most `most` values, evenly spaced, each with its renderings, the plain one first.

    A value is `{"value": "17:30", "renderings": ("5:30 pm", "17:30", …)}`.
    """
    values = list(samples(slot))
    if len(values) > most:
        values = [values[place * len(values) // most] for place in range(most)]
    return [{"value": each, "renderings": render(slot, each, language)} for each in values]
