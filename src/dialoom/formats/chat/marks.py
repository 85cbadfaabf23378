"""Marks: what a chat file has beyond the data model, under one key of `extra`.

    {"chat": {"keys": {"weight": 1}, "layout": "compact"}}

`keys` are the keys of a message that no field names; the others say how something was spelled.
Only what stands under this key is written again, for a provider refuses keys it does not know.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from dialoom.corpus.files import check_depth
from dialoom.formats.base.values import Json, alike

MARKS = "chat"

AS_IT_IS = "name as it is"
"""The mark of a function whose name no provider would allow."""

_FOREIGN = re.compile(r"[^A-Za-z0-9_-]")

SPACED = "spaced"
"""The layout of JSON text in messages that come from elsewhere: that of Python's `json.dumps`, but
for letters beyond ASCII, which stay themselves."""

_LAYOUTS: dict[str, Callable[[Any], str]] = {
    SPACED: json.JSONEncoder(ensure_ascii=False).encode,
    "spaced ascii": json.JSONEncoder().encode,
    "compact": json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode,
    "compact ascii": json.JSONEncoder(separators=(",", ":")).encode,
    "indented by 2": json.JSONEncoder(ensure_ascii=False, indent=2).encode,
    "indented by 4": json.JSONEncoder(ensure_ascii=False, indent=4).encode,
}


def marks_of(extra: Mapping[str, Any]) -> Json:
    """Return the marks in an `extra`; none where it is from another format."""
    found = extra.get(MARKS)
    return found if isinstance(found, dict) else {}


def mark(marks: Mapping[str, Any], name: str) -> Json:
    """Return the mark of this name that is an object; empty without one."""
    found = marks.get(name)
    return found if isinstance(found, dict) else {}


def extra(marks: Json) -> Json:
    """Return the `extra` that holds these marks, but for empty ones."""
    held = {name: value for name, value in marks.items() if name != "keys" or value}
    return {MARKS: held} if held else {}


def function_name(name: str) -> str:
    """Return a call's name as one that the wire format allows: 64 letters, digits, _ and -."""
    return _FOREIGN.sub("_", name)[:64] or "_"


def parse(text: str) -> Any:
    """Return the value of a JSON text.

    Raises:
        ValueError: It is not JSON, or nested beyond reason.
    """
    try:
        value = msgspec.json.decode(text)
        check_depth(value)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise ValueError(str(error)) from error
    return value


def layout(value: Any, text: str) -> Json:
    """Return the marks with which `spell` gives this text again for this value."""
    for name, spelling in _LAYOUTS.items():
        if spelling(value) == text:
            return {} if name == SPACED else {"layout": name}
    return {"spelling": text}


def spell(value: Any, marks: Mapping[str, Any]) -> str:
    """Return a value as JSON text, in the layout its marks name while they are about this value."""
    text = marks.get("spelling")
    if isinstance(text, str):
        try:
            if alike(parse(text), value):
                return text
        except ValueError:
            pass  # a mark that somebody changed
    return _LAYOUTS.get(str(marks.get("layout")), _LAYOUTS[SPACED])(value)
