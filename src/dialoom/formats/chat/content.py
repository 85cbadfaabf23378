"""The content of a message: its text, or the items of a tool's answer.

"For two."                                   text
[{"type": "text", "text": "For two."}]       parts; those of other types are kept as they are
{"type": "text", "text": "For two."}, ["For", " two."]      one part, and parts that are texts
'[{"name": "Ada\\'s", "stars": 4}]'           the items of a tool's answer
'{"total": 12, "items": [{"name": "Ada\\'s"}]}'
'{"name": "Ada\\'s"}', "It rains."            a tool's answer as one object, or as plain text
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from dialoom.dialogue import Result
from dialoom.formats.base.values import Json, unfit, without
from dialoom.formats.chat.marks import layout, parse, spell

KB_NAME, GUIDE_NAME = "kb", "guide"
"""Names of system messages: for results without a query, and for instructions to the user."""

TEXT = "text"
"""The attribute of an item for a tool's plain text."""

_VALUE = "value"
"""The mark of a tool's answer that is a value, not the text of one."""


@dataclass(frozen=True)
class Text:
    """The text of a message, and the marks of its form."""

    text: str
    marks: Json = field(default_factory=dict)


def text_of(message: Mapping[str, Any]) -> Text:
    """Return the text of a message; the texts of several parts are joined.

    Raises:
        UnfitError: The content is neither a text nor parts.
    """
    if "content" not in message:
        return Text("", {"no content": True})
    content = message["content"]
    if isinstance(content, str):
        return Text(content)
    if content is None:
        return Text("", {"content": None})
    is_part = isinstance(content, dict) and not content.keys().isdisjoint(("type", TEXT))
    several = [content] if is_part else content
    if not isinstance(several, list) or not all(isinstance(part, dict | str) for part in several):
        raise unfit(content, "a text, or a list of texts and of objects with a 'type'")
    texts = [_said(part) for part in several]
    parts = [
        None if isinstance(part, str) else part if text is None else without(part, TEXT)
        for part, text in zip(several, texts, strict=True)
    ]
    lengths = [None if text is None else len(text) for text in texts]
    marks = {"parts": parts, "lengths": lengths} | ({"one part": True} if is_part else {})
    return Text("".join(text or "" for text in texts), marks)


def _said(part: Any) -> str | None:
    text = part.get(TEXT) if isinstance(part, dict) else part
    return text if isinstance(text, str) else None


def with_text(message: Json) -> Json:
    """Return a message with the text of its content if that is in parts."""
    if isinstance(message.get("content"), str | None):
        return message
    answers = message.get("role") == "tool" or message.get("name") == KB_NAME
    return message | {"content": (_answer if answers else text_of)(message).text}


def put_text(message: Json, text: str, marks: Mapping[str, Any]) -> None:
    """Set the text of a message, in the form of its marks if they fit the text."""
    if "no content" in marks and not text:
        return
    parts, lengths = marks.get("parts"), marks.get("lengths")
    if isinstance(parts, list) and isinstance(lengths, list):
        places = [
            index
            for index, (part, length) in enumerate(zip(parts, lengths, strict=False))
            if isinstance(part, dict | None) and isinstance(length, int)
        ]
        if places or not text:
            new = _parts(text, parts, lengths, places)
            message["content"] = new[0] if new and "one part" in marks else new
            return
    message["content"] = marks["content"] if "content" in marks and not text else text


def _parts(text: str, parts: list[Any], lengths: list[Any], places: list[int]) -> list[Any]:
    """Return the parts with a new text, cut at the old lengths; the last part gets the rest."""
    dealt = list(parts)
    start = 0
    for index in places:
        end = len(text) if index == places[-1] else start + lengths[index]
        cut = text[start:end]
        dealt[index] = cut if parts[index] is None else {**parts[index], TEXT: cut}
        start = end
    return dealt


def items_of(message: Mapping[str, Any]) -> tuple[Result, Json]:
    """Return the result in the content of a tool's message, and the marks of its form."""
    text = _answer(message)
    if not text.text:
        return Result(), text.marks or {"shape": TEXT}
    try:
        value = parse(text.text)
    except ValueError:
        value = text.text
    if isinstance(value, list) and all(isinstance(item, dict) for item in value):
        return Result(items=tuple(value)), text.marks | layout(value, text.text)
    if not isinstance(value, dict):
        return Result(items=({TEXT: text.text},)), text.marks | {"shape": TEXT}
    marks = text.marks | layout(value, text.text)
    if (result := _counted(value)) is not None:
        return result, marks
    return Result(items=(value,)), marks | {"shape": "object"}


def _answer(message: Mapping[str, Any]) -> Text:
    """Return the text of a tool's message; of a value that is neither text nor parts, as JSON."""
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    has_text = all(isinstance(part, dict) for part in parts) and any(TEXT in part for part in parts)
    spoken = isinstance(content, str | None) or has_text
    return text_of(message) if spoken else Text(spell(content, {}), {_VALUE: True})


def _counted(value: Json) -> Result | None:
    """Return the result of an object that `put_items` wrote with a total or a call."""
    items, total, api = value.get("items"), value.get("total"), value.get("api")
    extras = [key for key, field in (("total", total), ("api", api)) if field is not None]
    if not extras or set(value) != {"items", *extras}:
        return None
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        return None
    if isinstance(total, bool) or not isinstance(total, int | None):
        return None
    return Result(items=tuple(items), total=total, api=api) if isinstance(api, str | None) else None


def put_items(message: Json, result: Result, marks: Mapping[str, Any]) -> None:
    """Set the content of a message to a result, in the form of its marks if they fit the result."""
    put_text(message, _spelled(result, marks), marks)
    if _VALUE in marks and isinstance(message.get("content"), str):
        with suppress(ValueError):  # a mark that was changed by hand
            message["content"] = parse(message["content"])


def _spelled(result: Result, marks: Mapping[str, Any]) -> str:
    items, plain = result.items, result.total is None and result.api is None
    shape = marks.get("shape")
    if plain and not items and (shape == TEXT or not _STATED.isdisjoint(marks)):
        return ""
    if plain and len(items) == 1:
        words = items[0].get(TEXT)
        if shape == TEXT and len(items[0]) == 1 and isinstance(words, str):
            return words
        if shape == "object":
            return spell(items[0], marks)
    if plain:
        return spell(list(items), marks)
    more: Json = {} if result.total is None else {"total": result.total}
    more |= {} if result.api is None else {"api": result.api}
    return spell(more | {"items": list(items)}, marks)


_STATED = frozenset({"no content", "content", "parts"})
"""Marks of a content that is no text; they are used only if the result is empty."""
