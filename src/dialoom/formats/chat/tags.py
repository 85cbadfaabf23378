"""Calls and results that are tagged text in a message, as models of the Hermes family spell them.

    Let me look. <tool_call>
    {"name": "find", "arguments": {"area": "north"}}
    </tool_call>
    <tool_response>
    [{"name": "Ada's"}]
    </tool_response>

The text is kept with the messages that are read from it, and written again if they give the same.
"""

from __future__ import annotations

import ast
import json
import re
from typing import Any

from dialoom.formats.base.values import Json, alike, at, without
from dialoom.formats.chat.marks import parse, spell, tool_call

TAGGED = "tagged"
"""The key of a message that was read from tagged text; it has the key of the text, and the text."""

_CALL = re.compile(r"<tool_call>\s*(.*?)\s*</tool_call>", re.DOTALL)
_RESULT = re.compile(r"<tool_response>\s*(.*?)\s*</tool_response>", re.DOTALL)
_SAYS = ("assistant", "gpt", "model", "bot")
_ANSWERS = ("tool", "user", "human", "observation", "function")


def _text(turn: Json) -> tuple[str, str]:
    key = "value" if "from" in turn else "content"
    content = turn.get(key)
    return key, content if isinstance(content, str) else ""


def _speaker(turn: Json) -> Any:
    return turn.get("from", turn.get("role"))


def calls(turn: Json, ids: list[str]) -> list[Json]:
    """Return the message of a message with tagged calls; nothing if it has none."""
    key, text = _text(turn)
    functions = _functions(text) if _speaker(turn) in _SAYS and "tool_calls" not in turn else []
    if not functions:
        return []
    requests = [tool_call(f"call_{n}", each) for n, each in enumerate(functions, len(ids) + 1)]
    content = _CALL.sub("", text).strip()
    marks: Json = {TAGGED: {"key": key, "text": text, "role": turn.get("role")}}
    message: Json = {"role": "assistant", "content": content or None, "tool_calls": requests}
    return [message | without(turn, "role", key) | marks]


def _functions(text: str) -> list[Json]:
    """Return the functions that a text calls; none if one of them is damaged."""
    functions = []
    for inner in _CALL.findall(text):
        try:
            value = _value(inner)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            return []
        if not isinstance(value, dict) or not isinstance(value.get("name"), str):
            return []
        functions.append(value)
    return functions


def _value(text: str) -> Any:
    """Return the value of a text in JSON, or of one that Python's `repr` wrote."""
    try:
        return parse(text)
    except ValueError:
        return parse(json.dumps(ast.literal_eval(text)))


def as_calls(messages: list[Json]) -> Json:
    """Return the message of a message with calls."""
    message, tagged = messages[0], at(messages[0], dict, TAGGED)
    if tagged.keys() < {"key", "text"}:
        return message  # a mark of a file's own
    functions = [call.get("function", {}) for call in message.get("tool_calls") or ()]
    content, text = message.get("content") or "", tagged["text"]
    if not alike(functions, _functions(text)) or _CALL.sub("", text).strip() != content:
        blocks = (f"<tool_call>\n{spell(each, {})}\n</tool_call>" for each in functions)
        text = "\n".join(filter(None, (content, *blocks)))
    return _back(message, tagged, text)


def _back(message: Json, tagged: Json, text: str) -> Json:
    rest = without(message, "role", "content", "tool_calls", "tool_call_id", TAGGED)
    role = {"role": tagged["role"]} if tagged.get("role") else {}
    return role | {tagged["key"]: text} | rest


def results(turn: Json, ids: list[str]) -> list[Json]:
    """Return the messages of a message with tagged results; nothing if it has none."""
    key, text = _text(turn)
    valid = _speaker(turn) in _ANSWERS and not _RESULT.sub("", text).strip()
    inner = _RESULT.findall(text) if valid else []
    if not inner or "tool_call_id" in turn:
        return []
    answered = [""] * (len(inner) - len(ids)) + ids[-len(inner) :]
    marks: Json = {TAGGED: {"key": key, "text": text, "role": turn.get("role")}}
    return [
        {"role": "tool", "tool_call_id": name, "content": each} | without(turn, "role", key) | marks
        for name, each in zip(answered, inner, strict=True)
    ]


def as_results(messages: list[Json]) -> Json:
    """Return the message of some messages with results."""
    message, tagged = messages[0], at(messages[0], dict, TAGGED)
    if tagged.keys() < {"key", "text"}:
        return message  # a mark of a file's own
    contents, text = [str(each.get("content") or "") for each in messages], tagged["text"]
    if contents != _RESULT.findall(text):
        text = "\n".join(f"<tool_response>\n{each}\n</tool_response>" for each in contents)
    return _back(message, tagged, text)
