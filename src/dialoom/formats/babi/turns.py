"""Conversion between events and lines of the user, the bot and the knowledge base."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from dialoom.dialogue import KB, SYSTEM, USER, Event, Query, Result, Utterance
from dialoom.formats.babi.calls import call_text, read_call
from dialoom.formats.babi.dialect import NO_RESULT, Dialect
from dialoom.formats.babi.facts import is_stated, items, read_fact, spell, state

Line = tuple[str, str]
"""An agent (USER, SYSTEM or KB), and the text of its line."""


def to_lines(events: Iterable[Event], dialect: Dialect) -> Iterator[Line]:
    """Yield the lines of a dialogue; other events are left out."""
    for event in events:
        if isinstance(event, Utterance):
            if event.agent in (USER, SYSTEM, KB):
                yield event.agent, event.text
        elif isinstance(event, Query):
            yield SYSTEM, call_text(event, dialect)
        elif isinstance(event, Result):
            facts = [spell(fact, dialect.prefix) for fact in state(event.items)]
            yield from ((KB, fact) for fact in facts)
            if not event.items:
                yield KB, NO_RESULT


class Reader:
    """Converts the lines of one dialogue to events; its calls are numbered."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.calls = 0

    def said(self, agent: str, text: str) -> Event:
        """Return the event of a line of the user or the bot."""
        if agent == SYSTEM:
            query = read_call(text, str(self.calls + 1), self.dialect)
            if query is not None:
                self.calls += 1
                return query
        return Utterance(agent=agent, text=text)

    def answered(self, lines: Sequence[str]) -> Result | None:
        """Return the result of consecutive facts; None if it would not be written so again."""
        query = str(self.calls) if self.calls else ""
        if list(lines) == [NO_RESULT]:
            return Result(query=query)
        facts = [fact for line in lines if (fact := read_fact(line, self.dialect.prefix))]
        if len(facts) < len(lines) or not is_stated(facts):
            return None
        return Result(query=query, items=items(facts))
