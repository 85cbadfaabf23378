"""Files that are one JSON list of dialogues, or one dialogue: read one by one, written as laid out.

    [                                   {
      {                                     "id": "1"
        "id": "1"                         }
      }
    ]

A list indented by two blanks without a newline at the end is what both formats were published in,
and needs no mark. The file on the right is one entry cut out of such a list (Taskmaster-1's
sample.json). Other layouts are marked where they are few: another indentation, one line, one
object, a newline at the end, letters beyond ASCII escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from dialoom.corpus.files import parse_json
from dialoom.errors import FormatError

INDENT = 2

_CLOSING = re.compile(rb"\n( *)\}\s*\Z")
_OPENING = re.compile(rb"[\[{]\n( {1,8})\S")
_BEYOND = re.compile(r"[^\x00-\x7f]")
_RAWS = msgspec.json.Decoder(list[msgspec.Raw])


def values(data: bytes, file: Path) -> Iterator[Any]:
    """Yield the values of the list that a file holds, or the one object, each read when its turn.

    Raises:
        FormatError: It is neither, or not JSON.
    """
    if data.lstrip()[:1] == b"[":
        try:
            raws = _RAWS.decode(data)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            raws = None
        if raws is not None:
            for raw in raws:
                yield parse_json(bytes(raw), file)
            return
    value = parse_json(data, file)
    if type(value) is not dict:
        raise FormatError(file, "expected a list of dialogues, or one dialogue")
    yield value


def layout(data: bytes) -> dict[str, Any]:
    """Return marks for how a file is laid out; none for the published layout."""
    found: dict[str, Any] = {}
    indent = _indent(data)
    if data.startswith(b"{"):
        closing = _CLOSING.search(data[-200:])
        inner = len(closing[1]) if closing else 0
        found["file"] = "entry" if inner else "object"
        indent = inner or indent
    if indent != INDENT:
        found["indent"] = indent
    if data.endswith(b"\n"):
        found["end"] = "\n"
    if data.isascii() and b"\\u" in data:
        found["ascii"] = True
    return found


def _indent(data: bytes) -> int:
    """Return the blanks a level; 0 for one line with blanks between values, -1 for none."""
    opening = _OPENING.match(data)
    if opening:
        return len(opening[1])
    return 0 if b'": ' in data[:400] else -1


def render(dialogues: list[Any], marks: Any) -> bytes:
    """Return the file of these JSON values, laid out as the marks of `layout` say, if it is any."""
    marks = marks if isinstance(marks, dict) else {}
    indent = marks.get("indent", INDENT)
    if type(indent) is not int or not -1 <= indent <= 8:
        indent = INDENT
    kind = marks.get("file") if len(dialogues) == 1 else None
    whole = dialogues[0] if kind == "object" else dialogues
    data = msgspec.json.format(msgspec.json.encode(whole), indent=indent)
    if kind == "entry" and indent > 0:
        data = data[2 + indent : -2]  # the brackets of the list around it
    if marks.get("ascii") is True:
        data = _BEYOND.sub(_escape, data.decode()).encode()
    return data + b"\n" if marks.get("end") == "\n" else data


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
