"""Converts a conversation of chat messages to a dialogue."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from dialoom.dialogue import Dialogue, Instruction, Origin, Query, Result, Utterance
from dialoom.dialogue.event import SYSTEM, USER, Event
from dialoom.errors import FormatError, clip
from dialoom.formats.base.codec import marked
from dialoom.formats.base.values import Json, UnfitError, alike, at, without
from dialoom.formats.chat import arguments
from dialoom.formats.chat.content import GUIDE_NAME, KB_NAME, Text, items_of, text_of
from dialoom.formats.chat.dialects import FROM, plain
from dialoom.formats.chat.marks import (
    AS_IT_IS,
    OWN,
    UNNAMED,
    extra,
    layout,
    marks_of,
    parse,
    positional,
)
from dialoom.formats.chat.writing import called, conversation
from dialoom.schema.tools import function_name

_SPEAKERS = {"assistant": SYSTEM, "user": USER}
ROLES = (*_SPEAKERS, "system", "developer", "tool", "function")
"""The roles of chat messages; others are read, too, if the format is named."""

_NAMED = ("role", "content")
_ANSWER = ("role", "tool_call_id", "content")


def dialogue(value: Any, path: Path, origin: Origin) -> Dialogue:
    """Return the dialogue of a line's value; `FormatError` if it is not a conversation."""
    value = plain(value) if isinstance(value, dict) else value
    number = (origin.index or 0) + 1
    place = f"{path}, {'line' if origin.file.endswith('.jsonl') else 'conversation'} {number}"
    if not isinstance(value, dict) or not isinstance(value.get("messages"), list):
        raise FormatError(place, 'must be a JSON object with a list of "messages"')
    keys = without(value, "messages", "id", "tools", OWN)
    marks: Json = {"keys": keys}
    name = value.get("id")
    if "id" not in value:
        marks[UNNAMED] = True
        name = positional(origin.file, number)
    elif not isinstance(name, str):
        marks["id"] = name
        name = "null" if name is None else str(name)
    events = _events(value["messages"], place, name)
    if "tools" in value:
        marks["tools"] = value["tools"]
    elif any(isinstance(event, Query) for event in events):
        marks["no tools"] = True
    note = marked(extra(marks), **{OWN: at(value, dict, OWN)})
    return Dialogue(id=name, events=events, origin=origin, extra=note)


def _events(messages: list[Any], place: str, name: str) -> tuple[Event, ...]:
    """Return the events of messages.

    Empty answers are no events if writing adds them again. If that would not give the same
    messages, every message becomes an event, and calls without a result are marked.
    """
    events = _Events(place, name, drops=True)
    for message in messages:
        events.add(message)
    if not events.dropped and not events.unanswered():
        return tuple(events.found)
    same = Dialogue(id=name, events=tuple(events.found))
    if alike(conversation(same, called, [])["messages"], messages):
        return same.events
    events = _Events(place, name, drops=False)
    for message in messages:
        events.add(message)
    open = events.unanswered()
    return tuple(
        replace(event, extra=event.extra | extra(marks_of(event.extra) | {"unanswered": True}))
        if isinstance(event, Query) and event.id in open
        else event
        for event in events.found
    )


class _Events:
    def __init__(self, place: str, dialogue: str, *, drops: bool) -> None:
        self.place, self.dialogue, self.drops = place, dialogue, drops
        self.found: list[Event] = []
        self.dropped = False
        self.calls: set[str] = set()
        self.messages = 0

    def add(self, message: Any) -> None:
        role = message.get("role") if isinstance(message, dict) else None
        if not isinstance(role, str):
            at_event: Json = {"dialogue": self.dialogue, "event": self.messages}
            if (speaker := at(message, str, "from")) not in ("", *FROM):
                what = f"speaker {clip(speaker, 40)!r}; expected {', '.join(FROM)}"
                raise FormatError(self.place, what, code="no-speaker", **at_event)
            what = 'a message must be a JSON object with a text "role"'
            raise FormatError(self.place, what, **at_event)
        self.messages += 1
        if role == "tool" and self.drops and self._adds_nothing(message):
            self.dropped = True
            return
        first, own = len(self.found), at(message, dict, OWN)
        try:
            self._add(without(message, OWN), role)
        except UnfitError as error:
            what, number = f"'content' {error}", self.messages - 1
            raise FormatError(self.place, what, dialogue=self.dialogue, event=number) from error
        if own:
            event = self.found[first]
            self.found[first] = replace(event, extra=marked(event.extra, **{OWN: own}))

    def _add(self, message: Json, role: str) -> None:
        if role == "tool":
            self.found.append(self._result(message))
        elif role in _SPEAKERS:
            self.found += self._said(message, role)
        elif role == "system" and message.get("name") == KB_NAME:
            self.found.append(_facts(message))
        elif role in ("system", "developer"):
            self.found.append(_instruction(message, role))
        else:
            self.found.append(_utterance(message, role))

    def unanswered(self) -> set[str]:
        return self.calls - {e.query for e in self.found if isinstance(e, Result)}

    def _adds_nothing(self, message: Json) -> bool:
        if len(message) != len(_ANSWER) or message.get("content") != "":
            return False
        name = message.get("tool_call_id")
        return isinstance(name, str) and name in self.calls

    def _said(self, message: Json, role: str) -> Iterator[Event]:
        """Yield what an agent says, and its calls; users call tools of their own in tau2-bench."""
        calls = message.get("tool_calls")
        if not isinstance(calls, list) or not calls:
            yield _utterance(message, role)
            return
        agent = _SPEAKERS[role]
        message = without(message, "tool_calls")
        text = text_of(message)
        first: Json = {}
        if text.text:
            yield _utterance(message, role)
        else:
            marks = text.marks or {"content": ""}
            marks = {key: mark for key, mark in marks.items() if (key, mark) != ("content", None)}
            keys = without(message, *_NAMED)
            first = {"message": marks | ({"keys": keys} if keys else {})} if marks or keys else {}
            last = self.found[-1] if self.found else None
            if isinstance(last, Query | Utterance) and last.agent == agent:
                first["apart"] = True
        for call in calls:
            yield self._query(call, agent, first)
            first = {}

    def _query(self, call: Any, agent: str, marks: Json) -> Query:
        name = call.get("id") if isinstance(call, dict) else None
        marks = dict(marks)
        if not isinstance(name, str):
            name = f"unnamed {len(self.calls) + 1}"
            marks[UNNAMED] = True
        self.calls.add(name)
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            return Query(id=name, api="", agent=agent, extra=extra(marks | {"call": call}))
        keys = {
            key: note
            for key, note in call.items()
            if key != "function" and (key, note) not in (("id", name), ("type", "function"))
        }
        if "type" not in call:
            marks["untyped"] = True
        if keys:
            marks["keys"] = keys
        if function_name(function["name"]) != function["name"]:
            marks[AS_IT_IS] = True
        if more := without(function, "name", "arguments"):
            marks["function"] = more
        constraints, spelling = _constraints(function)
        note = extra(marks | spelling)
        api = function["name"]
        return Query(id=name, api=api, agent=agent, constraints=constraints, extra=note)

    def _result(self, message: Json) -> Result:
        name = message.get("tool_call_id")
        has_name = isinstance(name, str) and bool(name)
        keys = without(message, *_NAMED, *(("tool_call_id",) if has_name else ()))
        marks: Json = {"keys": keys}
        if not has_name or name not in self.calls:
            marks["role"] = "tool"
        result, form = items_of(message)
        return replace(result, query=str(name) if has_name else "", extra=extra(marks | form))


def _constraints(function: Json) -> tuple[tuple[Any, ...], Json]:
    if "arguments" not in function:
        return (), {"arguments": "absent"}
    raw = function["arguments"]
    value = raw
    if isinstance(raw, str):
        try:
            value = parse(raw)
        except ValueError:
            return (), {"unread": raw}
    if not isinstance(value, dict):
        return (), {"unread": raw}
    constraints = arguments.read(value)
    if not alike(arguments.write(constraints), value):
        return constraints, {"written": raw}
    return constraints, layout(value, raw) if isinstance(raw, str) else {"arguments": "object"}


def _facts(message: Json) -> Result:
    result, form = items_of(message)
    return replace(result, extra=extra({"keys": without(message, *_NAMED, "name")} | form))


def _instruction(message: Json, role: str) -> Instruction:
    text: Text = text_of(message)
    is_guide = role == "system" and message.get("name") == GUIDE_NAME
    keys = without(message, *_NAMED, *(("name",) if is_guide else ()))
    marks: Json = {"keys": keys} | text.marks
    if not is_guide:
        marks["role"] = role
    return Instruction(text=text.text, extra=extra(marks))


def _utterance(message: Json, role: str) -> Utterance:
    text = text_of(message)
    marks: Json = {"keys": without(message, *_NAMED)} | text.marks
    if role not in _SPEAKERS:
        marks["role"] = role
    return Utterance(agent=_SPEAKERS.get(role, role), text=text.text, extra=extra(marks))
