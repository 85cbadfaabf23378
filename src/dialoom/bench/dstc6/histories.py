"""Items made of the bot turns within histories: the DSTC6-history protocol.

The published test files have no answers, but what the bot said earlier in each history is known.
Each such turn becomes an item: the events before it, and candidates drawn as in the published files
as far as these show how: the true turn; the same turn with one entity changed (a value of a call,
the restaurant, phone number or address in a reply); and candidates of the file's other items, drawn
in proportion to how often they occur. Scores on these items are not those of the challenge.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from random import Random

from msgspec.structs import replace

from dialoom.bench.dstc6.items import item_of
from dialoom.dialogue import SYSTEM, Candidate, Dialogue, Event, Options, Query, Result, Utterance
from dialoom.dialogue.constraint import Constraint
from dialoom.formats.babi.calls import call_text
from dialoom.formats.dstc6.dialogues import dialect_of

CANDIDATES = 11
"""Candidates of a published test item."""

TRIES = 200
"""Draws with repetition; after so many, the distinct texts that are left are drawn from instead."""

CHANGED = 6
"""Candidates of an item that differ from the true one in one entity, at most."""

Pool = dict[str, list[str]]
"""Slot or attribute to the values that a file has for it, in order of appearance."""


class Histories:
    """Makes items of the bot turns within the histories of a file."""

    def __init__(self, dialogues: Iterable[Dialogue], seed: int) -> None:
        self.seed = seed
        self.dialogues = list(dialogues)
        values: dict[str, dict[str, None]] = defaultdict(dict)
        offered: list[str] = []
        replies: dict[str, None] = {}
        for dialogue in self.dialogues:
            offered += [text for _, text in item_of(dialogue).candidates]
            for event in dialogue.events:
                if _is_bot(event):
                    replies[_text(event, dialogue)] = None
                for slot, value in _entities(event):
                    values[slot][value] = None
        self.pool: Pool = {slot: list(choices) for slot, choices in values.items()}
        self.kinds = {value: slot for slot, choices in self.pool.items() for value in choices}
        self.offered = offered or list(replies)
        self.distinct = list(dict.fromkeys([*offered, *replies]))

    def turns(self, *, last: bool = False) -> Iterator[tuple[Dialogue, int, Options]]:
        """Yield dialogue, event's index and candidates of each (or the `last`) bot turn."""
        for dialogue in self.dialogues:
            places = [place for place, event in enumerate(dialogue.events) if _is_bot(event)]
            for place in places[-1:] if last else places:
                yield dialogue, place, self._options(dialogue, place)

    def items(self, *, last: bool = False) -> Iterator[Dialogue]:
        """Yield an item, as a dialogue, for each bot turn or (`last`) for each history's last."""
        for dialogue, place, options in self.turns(last=last):
            events = (*dialogue.events[:place], options)
            yield replace(dialogue, id=_name(dialogue, place), events=events, extra={})

    def _options(self, dialogue: Dialogue, place: int) -> Options:
        name = _name(dialogue, place)
        random = Random(f"{self.seed}/{name}")
        event, before = dialogue.events[place], dialogue.events[:place]
        true = _text(event, dialogue)
        texts = list(dict.fromkeys([true, *self._changed(event, true, dialogue, before, random)]))
        texts = self._filled(texts, random)
        random.shuffle(texts)
        candidates = tuple(Candidate(f"{name}-{n}", text) for n, text in enumerate(texts))
        return Options(candidates=candidates, choice=candidates[texts.index(true)].id)

    def _changed(
        self, event: Event, true: str, dialogue: Dialogue, before: Sequence[Event], random: Random
    ) -> list[str]:
        """Return texts of the turn with one entity changed, entities of the history first."""
        if isinstance(event, Query):
            variants = list(self._calls(event, dialogue))
            random.shuffle(variants)
        else:
            variants = list(self._sayings(true, before, random))
        return [text for text in dict.fromkeys(variants) if text != true][:CHANGED]

    def _calls(self, query: Query, dialogue: Dialogue) -> Iterator[str]:
        """Yield texts of the call with each of its values replaced by each other of the slot."""
        for place, constraint in enumerate(query.constraints):
            for value in self.pool[constraint.slot]:
                changed = list(query.constraints)
                changed[place] = Constraint(constraint.slot, "equal", (value,))
                yield _text(replace(query, constraints=tuple(changed)), dialogue)

    def _sayings(self, true: str, before: Sequence[Event], random: Random) -> Iterator[str]:
        """Yield the line with each entity replaced by another, those of the history first."""
        results = [event for event in before if isinstance(event, Result)]
        near = [pair for result in results for pair in _entities(result)]
        words = true.split(" ")
        for place, word in enumerate(words):
            slot = self.kinds.get(word)
            if slot is None:
                continue
            pool = self.pool[slot]
            alike = [value for attribute, value in near if attribute == slot]
            for value in (*alike, *random.sample(pool, min(CHANGED, len(pool)))):
                yield " ".join([*words[:place], value, *words[place + 1 :]])

    def _filled(self, texts: list[str], random: Random) -> list[str]:
        candidates = dict.fromkeys(texts)
        for _ in range(TRIES):
            if len(candidates) >= CANDIDATES:
                return list(candidates)
            candidates[random.choice(self.offered)] = None
        left = [text for text in self.distinct if text not in candidates]
        more = random.sample(left, min(len(left), CANDIDATES - len(candidates)))
        return [*candidates, *more]


def _name(dialogue: Dialogue, place: int) -> str:
    return f"{dialogue.id}-{place}"


def _is_bot(event: Event) -> bool:
    return isinstance(event, Query | Utterance) and event.agent == SYSTEM


def _text(event: Event, dialogue: Dialogue) -> str:
    if isinstance(event, Query):
        return call_text(event, dialect_of(dialogue))
    return event.text if isinstance(event, Utterance) else ""


def _entities(event: Event) -> Iterator[tuple[str, str]]:
    """Yield slot and value of a call, or of a result's items the values that the bot names.

    The files' phone numbers and addresses begin with the restaurant's name.
    """
    if isinstance(event, Query):
        for constraint in event.constraints:
            yield constraint.slot, str(constraint.value)
    elif isinstance(event, Result):
        for item in event.items:
            name = str(item.get("name", ""))
            for attribute, value in item.items():
                if name and isinstance(value, str) and value.startswith(name):
                    yield attribute, value
