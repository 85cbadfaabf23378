"""Converts a dialogue to a conversation of chat messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET

from dialoom.dialogue import Dialogue, Instruction, Query, Result, Utterance
from dialoom.dialogue.event import SYSTEM, USER
from dialoom.formats.base.values import Json, alike, at
from dialoom.formats.chat import arguments
from dialoom.formats.chat.content import GUIDE_NAME, KB_NAME, put_items, put_text
from dialoom.formats.chat.marks import AS_IT_IS, OWN, UNNAMED, marks_of, own_of, parse, spell
from dialoom.schema.tools import function_name

Name = Callable[[Query], str]
"""A function that returns the name of the function that a query calls."""


_ROLES = {SYSTEM: "assistant", USER: USER}


def called(query: Query) -> str:
    """Return the name of the function that a query calls, without a schema."""
    as_it_is = AS_IT_IS in marks_of(query.extra)
    return query.api if as_it_is else function_name(query.api)


def conversation(dialogue: Dialogue, name: Name, tools: list[Json]) -> Json:
    """Return the value of a dialogue's line.

    Args:
        name: Returns the function's name for a query of another format.
        tools: The tools, used if the dialogue has none of its own.
    """
    marks = marks_of(dialogue.extra)
    value: Json = {} if UNNAMED in marks else {"id": dialogue.id}
    if "id" in marks and dialogue.id == ("null" if marks["id"] is None else str(marks["id"])):
        value["id"] = marks["id"]
    value["messages"] = _Messages(dialogue, name).found
    if "tools" in marks:
        value["tools"] = marks["tools"]
    elif tools and "no tools" not in marks:
        value["tools"] = tools
    return value | _keys(marks, dialogue.extra)


class _Messages:
    def __init__(self, dialogue: Dialogue, name: Name) -> None:
        self.name = name
        self.found: list[Json] = []
        self.calls: set[str] = set()
        self.open: list[str] = []
        self.joins = ""
        """The agent whose call may be added to the last message."""
        answers = {event.query for event in dialogue.events if isinstance(event, Result)}
        for event in dialogue.events:
            match event:
                case Query():
                    self._query(event, event.id in answers)
                case Result():
                    self._result(event)
                case Utterance():
                    self._say(_utterance(event), joins=event.agent)
                case Instruction():
                    self._say(_instruction(event))
                case _:
                    pass  # options, selections and completions are no messages
        if self.found and "tool_calls" not in self.found[-1]:
            self._answer()

    def _say(self, message: Json, *, joins: str = "") -> None:
        """Add a message, after empty answers to calls without a result."""
        self._answer()
        self.found.append(message)
        self.joins = joins

    def _answer(self) -> None:
        for name in self.open:
            self.found.append({"role": "tool", "tool_call_id": name, "content": ""})
        self.open = []

    def _query(self, query: Query, answered: bool) -> None:
        marks = marks_of(query.extra)
        agent = USER if query.agent == USER else SYSTEM
        if self.joins != agent or "apart" in marks:
            inner = at(marks, dict, "message")
            message: Json = {"role": _ROLES[agent]}
            put_text(message, "", {"content": None} | inner)
            self._say(message | _keys(inner, query.extra), joins=agent)
        self.found[-1].setdefault("tool_calls", []).append(_call(query, marks, self.name))
        self.calls.add(query.id)
        if not answered and "unanswered" not in marks:
            self.open.append(query.id)

    def _result(self, result: Result) -> None:
        marks = marks_of(result.extra)
        if result.query in self.calls or marks.get("role") == "tool":
            message: Json = {"role": "tool"}
            if result.query:
                message["tool_call_id"] = result.query
        else:
            message = {"role": "system", "name": KB_NAME}
        put_items(message, result, marks)
        self.found.append(message | _keys(marks, result.extra))
        self.joins = ""


def _call(query: Query, marks: Json, name: Name) -> Json:
    if "call" in marks:
        raw: Json = marks["call"]
        return raw
    call: Json = {} if UNNAMED in marks else {"id": query.id}
    if "untyped" not in marks:
        call["type"] = "function"
    function: Json = {"name": name(query)}
    value = _arguments(query, marks)
    if value is not UNSET:
        function["arguments"] = value
    function |= at(marks, dict, "function")
    return call | {"function": function} | at(marks, dict, "keys")


def _arguments(query: Query, marks: Json) -> Any:
    """Return a call's arguments as the call spells them; UNSET if it has none."""
    if not query.constraints and "unread" in marks:
        return marks["unread"]
    if not query.constraints and marks.get("arguments") == "absent":
        return UNSET
    value = arguments.write(query.constraints)
    original = marks.get("written")
    if original is not None and _means(original, value):
        return original
    as_object = marks.get("arguments") == "object" or isinstance(original, dict)
    return value if as_object else spell(value, marks)


def _means(original: Any, value: Json) -> bool:
    try:
        read = parse(original) if isinstance(original, str) else original
    except ValueError:
        return False
    return isinstance(read, dict) and alike(arguments.write(arguments.read(read)), value)


def _utterance(utterance: Utterance) -> Json:
    marks = marks_of(utterance.extra)
    role = _ROLES.get(utterance.agent)
    message: Json = {"role": role or marks.get("role", USER)}
    put_text(message, utterance.text, marks)
    if role is None and "role" not in marks:  # after the text, where reading puts this key
        message["name"] = function_name(utterance.agent)
    return message | _keys(marks, utterance.extra)


def _instruction(instruction: Instruction) -> Json:
    marks = marks_of(instruction.extra)
    role = marks.get("role")
    message: Json = {"role": role} if role else {"role": "system", "name": GUIDE_NAME}
    put_text(message, instruction.text, marks)
    return message | _keys(marks, instruction.extra)


def _keys(marks: Json, extra: Mapping[str, Any]) -> Json:
    own = own_of(extra)
    return at(marks, dict, "keys") | ({OWN: own} if own else {})
