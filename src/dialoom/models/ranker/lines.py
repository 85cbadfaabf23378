"""Delexicalised lines of a bot: templates with their entities.

    reader = LineReader({"rome": "location", "bay_inn": "name"}, {"api_call"}, {})
    reader.line("how about bay_inn")        # Line("how about {name}", (("name", "bay_inn"),))
    reader.line("api_call thai rome")       # Line("api_call", (("", "thai"), ("location", "rome")))

The type of a word is the slot or attribute whose value it is, by task schemas (those made from a
knowledge base, see `dialoom.bench.dstc6.knowledge`), and by calls and results in the dialogues.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from dialoom.dialogue import Query, Result
from dialoom.learn.model import Questions, Schemas

MARKS = ".,?!;:"
"""Punctuation that may follow a value."""

NAME = "name"
"""The type of an item's name, and its key in items."""


class Line(NamedTuple):
    """An utterance or a call of a bot, delexicalised.

    `template` has its words with `{type}` for each entity; for a call, the API's name. `entities`
    are types and words; for a call, all values, with "" for unknown types.
    """

    template: str
    entities: tuple[tuple[str, str], ...] = ()
    is_call: bool = False

    @property
    def is_plain(self) -> bool:
        """True if it is no call and names nothing."""
        return not (self.is_call or self.entities)


class LineReader:
    """Delexicalises lines of bots and users by the types of words (slots or attributes).

    `apis` are names of calls, `layouts` map their numbers of values to slots, in order. `slots`
    maps a slot of a call to the slot of its values, if another.
    """

    def __init__(
        self, types: dict[str, str], apis: set[str], layouts: dict[int, tuple[str, ...]]
    ) -> None:
        self.types, self.apis, self.layouts = types, apis, layouts
        self.slots: dict[str, str] = {}
        self._fixed: frozenset[tuple[str, str]] = frozenset()
        self._known: dict[str, Line] = {}
        self._beginning: defaultdict[str, list[str]] | None = None
        self._renaming: Mapping[str, str] = {}
        self._tied: Mapping[str, str] = {}

    def copied(self) -> LineReader:
        """Return an independent copy with the tied templates, without renamed ones."""
        copy = LineReader(dict(self.types), set(self.apis), dict(self.layouts))
        copy.fix(self._fixed)
        copy.tie(self._tied)
        return copy

    def learn_slots(self, queries: Sequence[Query], types: Mapping[str, str]) -> None:
        """Learn the slots of calls by the `types` of their values in the same dialogues.

        The slot name in a file may be no more than a guess from its place in the call.
        """
        votes: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for query in queries:
            for each in query.constraints:
                votes[each.slot][types.get(str(each.value), each.slot)] += 1
        usual = {slot: _most(counts) for slot, counts in votes.items()}
        if len(set(usual.values())) == len(usual):
            self.slots = {slot: name for slot, name in usual.items() if name != slot}
        for query in queries:
            line = self.call(query)
            self.apis.add(query.api)
            self.layouts[len(line.entities)] = tuple(slot for slot, _ in line.entities)
            self.types.update((value, slot) for slot, value in line.entities)
        self.types.update(types)

    def learn_layouts(self, texts: Iterable[str]) -> None:
        """Learn the slots of the values of calls in texts, by their places."""
        calls: defaultdict[int, list[list[str]]] = defaultdict(list)
        for text in texts:
            first, *values = text.split(" ")
            if first in self.apis and values:
                calls[len(values)].append(values)
        for size, rows in calls.items():
            usual = self.layouts.get(size) or tuple(f"slot {n}" for n in range(1, size + 1))
            votes = [
                Counter(self.types.get(word, slot) for word in column if not is_open(slot, word))
                for slot, column in zip(usual, zip(*rows, strict=True), strict=True)
            ]
            names = tuple(_most(counts) or slot for counts, slot in zip(votes, usual, strict=True))
            layout = self.layouts[size] = names if len({*names}) == size else usual
            for values in rows:
                for slot, value in zip(layout, values, strict=True):
                    if not is_open(slot, value):
                        self.types.setdefault(value, slot)

    def fix(self, entities: Iterable[tuple[str, str]]) -> None:
        """Read entities, given with their templates, as plain words from now on."""
        self._fixed |= frozenset(entities)
        self._known.clear()

    def rename(self, renaming: Mapping[str, str]) -> None:
        """Replace templates in lines read from now on; this replaces an earlier renaming."""
        self._renaming = renaming
        self._known.clear()

    def tie(self, tied: Mapping[str, str]) -> None:
        """Read templates as others from now on, before any renaming."""
        self._tied = tied
        self._known.clear()

    def line(self, text: str) -> Line:
        """Return a bot's text as a line."""
        entry = self._known.get(text)
        if entry is None:
            entry = self._known[text] = self._read(text)
        return entry

    def _read(self, text: str) -> Line:
        first, *values = text.split(" ")
        if first in self.apis:
            slots = self.layouts.get(len(values), tuple(self.types.get(v, "") for v in values))
            return Line(first, tuple(zip(slots, values, strict=True)), is_call=True)
        line = self._delexicalised(text, frozenset())
        fixed = frozenset(word for _, word in line.entities if (line.template, word) in self._fixed)
        if fixed:
            line = self._delexicalised(text, fixed)
        template = self._tied.get(line.template, line.template)
        return line._replace(template=self._renaming.get(template, template))

    def _delexicalised(self, text: str, fixed: frozenset[str]) -> Line:
        template, entities = [], []
        for word in text.split(" "):
            bare = word.rstrip(MARKS)
            slot = None if bare in fixed else self.types.get(bare)
            if slot is not None:
                entities.append((slot, bare))
            template.append(word if slot is None else f"{{{slot}}}{word[len(bare) :]}")
        return Line(" ".join(template), tuple(entities))

    def call(self, query: Query) -> Line:
        """Return a query as a line."""
        pairs = ((self.slots.get(c.slot, c.slot), str(c.value)) for c in query.constraints)
        return Line(query.api, tuple(pairs), is_call=True)

    def beginning(self, name: str) -> Sequence[str]:
        """Return the known values that begin with an item's name, such as `NAME_phone`."""
        if self._beginning is None:
            self._beginning = defaultdict(list)
            for word in self.types:
                for start in accumulate(word.split("_")[:-1], "{}_{}".format):
                    if self.types.get(start) == NAME:
                        self._beginning[start].append(word)
        return self._beginning.get(name, ())

    def mentions(self, text: str) -> tuple[tuple[str, str], ...]:
        """Return type and word of each entity in a user's text, in order."""
        return self.line(text).entities


def _most(counts: Counter[str]) -> str:
    return min(counts, key=lambda name: (-counts[name], name), default="")


def is_open(slot: str, word: str) -> bool:
    """True if a word in a call marks a missing value: it ends with the slot's name (R_price)."""
    return word.endswith(slot)


def reader_of(
    questions: Questions, schemas: Schemas, learnt: LineReader | None = None
) -> LineReader:
    """Return the reader for the lines of some questions; `learnt` is that of training.

    The type of a word comes from the first of these that has it: the schemas, the results, the
    calls, the earlier reader, and calls among the candidates, by the order of values.
    """
    reader = LineReader({}, set(), {}) if learnt is None else learnt.copied()
    types = {
        word: slot
        for task in schemas.values()
        for slot, entry in task.slots.items()
        for word in entry.values
    }
    dialogues = {id(question.dialogue): question.dialogue for question in questions}
    events = {id(event): event for dialogue in dialogues.values() for event in dialogue.events}
    for event in events.values():
        for item in event.items if isinstance(event, Result) else ():
            for slot, value in item.items():
                types.setdefault(str(value), slot)
    reader.apis.update(name for task in schemas.values() for name in task.calls)
    reader.learn_slots([event for event in events.values() if isinstance(event, Query)], types)
    lists = {id(q.asked.candidates): q.asked.candidates for q in questions}
    reader.learn_layouts(each.text or "" for candidates in lists.values() for each in candidates)
    return reader
