"""Lines of a bot, delexicalised: a template, and the entities that stood in it.

    reader = LineReader({"rome": "location", "bay_inn": "name"}, {"api_call"}, {})
    reader.line("how about bay_inn")        # Line("how about {name}", (("name", "bay_inn"),))
    reader.line("api_call thai rome")       # Line("api_call", (("", "thai"), ("location", "rome")))

What type a word has comes from the values of slots in task schemas (those of a knowledge base, see
`dialoom.bench.dstc6.knowledge`), and from the calls and results of the dialogues at hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from dialoom.dialogue import Event, Query, Result
from dialoom.models.base import Questions, Schemas

MARKS = ".,?!;:"
"""Punctuation that may follow a value."""

NAME = "name"
"""The type of an item's name, and its key in items."""


class Line(NamedTuple):
    """What a bot says or calls.

    Attributes:
        template: Its words with `{type}` for each entity; the API's name where it is a call.
        entities: Type and word of each entity; all values of a call, whose types may be unknown.
        is_call: Whether it is a call.
    """

    template: str
    entities: tuple[tuple[str, str], ...] = ()
    is_call: bool = False


class LineReader:
    """Reads lines of bots and users by the types of words.

    Args:
        types: Word to the slot or attribute whose value it is.
        apis: The names of the calls.
        layouts: How many values a call has to the slots that they are of, in order.
    """

    def __init__(
        self, types: dict[str, str], apis: set[str], layouts: dict[int, tuple[str, ...]]
    ) -> None:
        self.types, self.apis, self.layouts = types, apis, layouts
        self._known: dict[str, Line] = {}
        self._renaming: Mapping[str, str] = {}

    def copied(self) -> LineReader:
        """Return a reader that knows the same and may learn more."""
        return LineReader(dict(self.types), set(self.apis), dict(self.layouts))

    def learn(self, event: Event, types: dict[str, str]) -> None:
        """Learn what a call or a result tells of the types of words, where `types` has none."""
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
        """Learn the types of values from a call's text, by their places."""
        first, *values = text.split(" ")
        if first in self.apis:
            for slot, value in zip(self.layouts.get(len(values), ()), values, strict=False):
                self.types.setdefault(value, slot)

    def rename(self, renaming: Mapping[str, str]) -> None:
        """Read templates as others from now on."""
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
            return Line(first, tuple((self.types.get(v, ""), v) for v in values), is_call=True)
        words = [(word, word.rstrip(MARKS)) for word in text.split(" ")]
        entities = tuple((self.types[bare], bare) for _, bare in words if bare in self.types)
        bare_words = (
            f"{{{self.types[bare]}}}{word[len(bare) :]}" if bare in self.types else word
            for word, bare in words
        )
        template = " ".join(bare_words)
        return Line(self._renaming.get(template, template), entities)

    def call(self, query: Query) -> Line:
        """Return a query as a line."""
        return Line(query.api, tuple((c.slot, str(c.value)) for c in query.constraints), True)

    def mentions(self, text: str) -> tuple[tuple[str, str], ...]:
        """Return type and word of each entity in a user's text, in order."""
        return self.line(text).entities


def reader_of(
    questions: Questions, schemas: Schemas, learnt: LineReader | None = None
) -> LineReader:
    """Return the reader of some questions.

    It goes by their schemas, then by their calls and results, then by what was learnt before.
    Without schemas, values of candidates that are calls are those of the slots at their places.
    """
    reader = LineReader({}, set(), {}) if learnt is None else learnt.copied()
    types = {
        word: slot
        for task in schemas.values()
        for slot, known in task.slots.items()
        for word in known.values
    }
    reader.apis.update(name for task in schemas.values() for name in task.calls)
    events = {id(event): event for question in questions for event in question.history}
    for event in events.values():
        reader.learn(event, types)
    reader.types.update(types)
    if not schemas:
        for candidates in {id(q.asked): q.asked.candidates for q in questions}.values():
            for candidate in candidates:
                reader.learn_call(candidate.text or "")
    return reader
