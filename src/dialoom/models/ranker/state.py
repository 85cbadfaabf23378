"""The dialogue state that a bot's next line depends on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from dialoom.dialogue import SYSTEM, USER, Event, Query, Result, Utterance
from dialoom.dialogue.event import Item
from dialoom.models.ranker.lines import NAME, Line, LineReader

RATING = "rating"
"""The attribute by which bots offer items, in descending order."""


class Mentioned(NamedTuple):
    """The values of one slot in one text, in order."""

    text: str
    values: tuple[str, ...]


class SystemLine(NamedTuple):
    """A line of the bot, and the user's text before it: None for silence."""

    user: str | None
    line: Line


@dataclass
class HistoryState:
    """The state of a dialogue.

    `user` is the text since the last bot turn, `reply` that right after the bot named an item; None
    for silence. `said` are a slot's values in the user's last text with any, `called` those of the
    last call (None before any). `found` counts the items of the last result; `items` are those of
    the last result with any, `met` of all, by name. `owners` map item names, and values that begin
    with one, to the name. `offered` are items named since the result; `named` and `wanted` are the
    last items named by the bot and by the user.
    """

    turns: list[SystemLine] = field(default_factory=list)
    user: str | None = None
    said: dict[str, Mentioned] = field(default_factory=dict)
    called: dict[str, str] | None = None
    calls: int = 0
    found: int | None = None
    items: dict[str, Item] = field(default_factory=dict)
    met: dict[str, Item] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)
    offered: list[str] = field(default_factory=list)
    named: str | None = None
    wanted: str | None = None
    reply: str | None = None

    def lines(self) -> list[Line]:
        """Return the bot's lines."""
        return [turn.line for turn in self.turns]

    def user_texts(self) -> Iterator[str]:
        """Yield the user's texts; silence is left out."""
        for text in (*(turn.user for turn in self.turns), self.user):
            if text is not None:
                yield text

    def known(self) -> set[str]:
        """Return the entities that have come up."""
        mentions = (value for mentioned in self.said.values() for value in mentioned.values)
        items = (str(value) for item in self.met.values() for value in item.values())
        inputs = (self.called or {}).values()
        return {*mentions, *inputs, *items, *self.owners, *filter(None, [self.wanted])}

    def changed(self) -> bool:
        """True if the user wants another value than the last call had."""
        inputs = self.called or {}
        return any(
            inputs[slot] not in self.said[slot].values for slot in inputs if slot in self.said
        )

    def left(self) -> list[str]:
        """Return the names of items not yet offered, by descending rating."""
        names = [name for name in self.items if name not in self.offered]
        return sorted(names, key=lambda name: -_number(self.items[name].get(RATING)))

    def relation(self, slot: str, value: str, name: str | None) -> str:
        """Return the relation of a value in a line to the state; `name` is the line's item.

        With an item: "fact" if it has the value, "other" if another, else "unknown". Without:
        "said" if the user mentioned it last, "called" if the last call has it, else "other".
        """
        if name is not None:
            fact = self.met.get(name, {}).get(slot)
            return "unknown" if fact is None else "fact" if str(fact) == value else "other"
        mention = self.said.get(slot)
        if mention is not None and value in mention.values:
            return "said"
        return "called" if (self.called or {}).get(slot) == value else "other"

    def role(self, entity: str) -> str:
        """Return the role of the item that an entity is the name or a value of.

        "next" or "left" if not yet offered, "last", "previous", "first" or "earlier" if offered,
        "named" if only named; empty for none of these. " wanted" is added if the user named the
        item last.
        """
        name = self.owners.get(entity, entity)
        left, offered = self.left(), self.offered
        holds = {
            "next": left[:1] == [name],
            "left": name in left[1:],
            "last": offered[-1:] == [name],
            "previous": offered[-2:-1] == [name],
            "first": offered[:1] == [name],
            "earlier": name in offered,
            "named": name == self.named,
        }
        rank = next((role for role, is_so in holds.items() if is_so), "")
        return f"{rank} wanted" if name == self.wanted else rank


def read_state(history: Sequence[Event], reader: LineReader) -> HistoryState:
    """Return the state after some events."""
    state = HistoryState()
    for event in history:
        if isinstance(event, Query):
            call = reader.call(event)
            _add_system_line(state, call, reader)
            state.called = dict(call.entities)
            state.calls += 1
        elif isinstance(event, Result):
            _add_result(state, event)
        elif isinstance(event, Utterance) and event.agent == USER:
            _add_user_text(state, event.text, reader)
        elif isinstance(event, Utterance) and event.agent == SYSTEM:
            _add_system_line(state, reader.line(event.text), reader)
    return state


def _add_system_line(state: HistoryState, line: Line, reader: LineReader) -> None:
    state.turns.append(SystemLine(state.user, line))
    state.user = None
    for slot, word in () if line.is_call else line.entities:
        if slot == NAME and word not in state.owners:
            state.owners |= dict.fromkeys((word, *reader.beginning(word)), word)
        name = state.owners.get(word)
        if name is not None:
            state.named = name
            if name not in state.offered:
                state.offered.append(name)


def _add_result(state: HistoryState, result: Result) -> None:
    items = {str(item[NAME]): item for item in result.items if NAME in item}
    state.found = len(items)
    if items:
        state.items, state.offered, state.reply = items, [], None
        state.met |= items
        state.owners |= {
            str(value): name
            for name, item in items.items()
            for value in item.values()
            if str(value).startswith(name)
        }


def _add_user_text(state: HistoryState, text: str, reader: LineReader) -> None:
    if is_silence(text):
        return
    has_name = any(slot == NAME for turn in state.turns[-1:] for slot, _ in turn.line.entities)
    if has_name and state.user is None:
        state.reply = text
    state.user = text if state.user is None else f"{state.user} {text}"
    values: dict[str, list[str]] = {}
    for slot, word in reader.mentions(text):
        if slot == NAME:
            state.wanted = word
        else:
            values.setdefault(slot, []).append(word)
    for slot, words in values.items():
        state.said[slot] = Mentioned(text, tuple(dict.fromkeys(words)))


def is_silence(text: str) -> bool:
    """True if a user's line is a marker such as `<silence>`."""
    return text.startswith("<") and text.endswith(">")


def _number(value: object) -> float:
    try:
        return float(str(value))
    except ValueError:
        return 0.0
