"""Delexicalised lines of a bot: templates with the entities that stood in them.

    reader = LineReader({"rome": "location", "bay_inn": "name"}, {"api_call"}, {})
    reader.line("how about bay_inn")        # Line("how about {name}", (("name", "bay_inn"),))
    reader.line("api_call thai rome")       # Line("api_call", (("", "thai"), ("location", "rome")))

The type of a word is the slot or attribute whose value it is, by task schemas (those made from a
knowledge base, see `dialoom.bench.dstc6.knowledge`), and by calls and results in the dialogues.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from dialoom.dialogue import Event, Query, Result
from dialoom.models.base import Questions, Schemas

MARKS = ".,?!;:"
"""Punctuation that may follow a value."""

NAME = "name"
"""The type of an item's name, and its key in items."""


class Line(NamedTuple):
    """An utterance or a call of a bot, delexicalised.

    Attributes:
        template: Its words with `{type}` for each entity; of a call, the API's name.
        entities: Type and word of each entity; of a call, all values, with "" for unknown types.
        is_call: Whether it is a call.
    """

    template: str
    entities: tuple[tuple[str, str], ...] = ()
    is_call: bool = False


class LineReader:
    """Delexicalises lines of bots and users by the types of words.

    Args:
        types: Word to the slot or attribute whose value it is.
        apis: The names of the calls.
        layouts: Number of values of a call to their slots, in order.
    """

    def __init__(
        self, types: dict[str, str], apis: set[str], layouts: dict[int, tuple[str, ...]]
    ) -> None:
        self.types, self.apis, self.layouts = types, apis, layouts
        self._fixed: frozenset[tuple[str, str]] = frozenset()
        self._known: dict[str, Line] = {}
        self._beginning: defaultdict[str, list[str]] | None = None
        self._renaming: Mapping[str, str] = {}

    def copied(self) -> LineReader:
        """Return an independent copy, without renamed templates."""
        copy = LineReader(dict(self.types), set(self.apis), dict(self.layouts))
        copy.fix(self._fixed)
        return copy

    def learn(self, event: Event, types: dict[str, str]) -> None:
        """Add the types of the values of a call or result to `types`, where it has none.

        Of a call, the API's name and the order of slots are learnt too.
        """
        if isinstance(event, Query):
            self.apis.add(event.api)
            self.layouts[len(event.constraints)] = tuple(c.slot for c in event.constraints)
            for constraint in event.constraints:
                types.setdefault(str(constraint.value), constraint.slot)
        elif isinstance(event, Result):
            for item in event.items:
                for slot, value in item.items():
                    types.setdefault(str(value), slot)

    def learn_call(self, text: str) -> None:
        """Learn the types of values from the text of a call, by their order."""
        first, *values = text.split(" ")
        if first in self.apis:
            for slot, value in zip(self.layouts.get(len(values), ()), values, strict=False):
                if not is_open(slot, value):
                    self.types.setdefault(value, slot)

    def fix(self, found: Iterable[tuple[str, str]]) -> None:
        """Read entities as plain words from now on.

        Args:
            found: Template and word of each such entity.
        """
        self._fixed |= frozenset(found)
        self._known.clear()

    def rename(self, renaming: Mapping[str, str]) -> None:
        """Replace templates in lines read from now on.

        Args:
            renaming: Template to the one in its place; replaces an earlier renaming.
        """
        self._renaming = renaming
        self._known.clear()

    def line(self, text: str) -> Line:
        """Return a bot's text as a line."""
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = self._read(text)
        return found

    def _read(self, text: str) -> Line:
        first, *values = text.split(" ")
        if first in self.apis:
            slots = self.layouts.get(len(values), tuple(self.types.get(v, "") for v in values))
            return Line(first, tuple(zip(slots, values, strict=True)), is_call=True)
        line = self._delexicalised(text, frozenset())
        fixed = frozenset(word for _, word in line.entities if (line.template, word) in self._fixed)
        if fixed:
            line = self._delexicalised(text, fixed)
        return line._replace(template=self._renaming.get(line.template, line.template))

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
        return Line(query.api, tuple((c.slot, str(c.value)) for c in query.constraints), True)

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


def is_open(slot: str, word: str) -> bool:
    """Tell whether a word in a call stands for no value: it ends with the slot's name (R_price)."""
    return word.endswith(slot)


def reader_of(
    questions: Questions, schemas: Schemas, learnt: LineReader | None = None
) -> LineReader:
    """Return the reader for the lines of some questions.

    The type of a word comes from the first of these that has it: the schemas, the questions' calls
    and results, the earlier reader, and calls among the candidates, by the order of values.

    Args:
        questions: The questions.
        schemas: The schemas of their tasks, by id.
        learnt: The reader of training; None for none.
    """
    reader = LineReader({}, set(), {}) if learnt is None else learnt.copied()
    types = {
        word: slot
        for task in schemas.values()
        for slot, known in task.slots.items()
        for word in known.values
    }
    reader.apis.update(name for task in schemas.values() for name in task.calls)
    dialogues = {id(question.dialogue): question.dialogue for question in questions}
    events = {id(event): event for dialogue in dialogues.values() for event in dialogue.events}
    for event in events.values():
        reader.learn(event, types)
    reader.types.update(types)
    for candidates in {id(q.asked): q.asked.candidates for q in questions}.values():
        for candidate in candidates:
            reader.learn_call(candidate.text or "")
    return reader
