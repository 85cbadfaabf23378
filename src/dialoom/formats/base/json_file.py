"""Files that are one JSON list of dialogues, or one dialogue: read one by one, written as laid out.

    LAYOUT = Layout(indent=2)           # as the corpus was published
    marks = LAYOUT.of(data)             # {"indent": 4, "end": "\\n"}: only what is otherwise
    LAYOUT.render(values, marks)

Regular layouts come back byte for byte: any indentation, one line as `json.dumps` writes it, one
object that is no list, a newline at the end, letters beyond ASCII escaped or not. One entry cut
out of an indented list is known as well (Taskmaster-1's sample.json):

    {
        "id": "1"
      }
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from json.encoder import encode_basestring_ascii
from pathlib import Path
from typing import Any

import msgspec

from dialoom.corpus.files import parse_json
from dialoom.errors import FormatError

_CLOSING = re.compile(rb"\n( *)\}\s*\Z")
_OPENING = re.compile(rb"[\[{]\n( {1,8})\S")
_RAWS = msgspec.json.Decoder(list[msgspec.Raw])
_ESCAPED = re.compile(r"[^\x00-\x7e]")
_COMPACT = (",", ":")


@dataclass(frozen=True)
class Layout:
    """How the files of a format are laid out.

    Attributes:
        indent: Blanks a level; 0 for one line with blanks between values, -1 for none.
        escaped: Whether letters beyond ASCII are escaped.
    """

    indent: int = 2
    escaped: bool = False

    def values(self, data: bytes, file: Path) -> Iterator[Any]:
        """Yield the values of the list that a file holds, or the one object, each when its turn.

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

    def of(self, data: bytes) -> dict[str, Any]:
        """Return marks for how a file is laid out; none for the published layout."""
        found: dict[str, Any] = {}
        indent = _indent(data)
        if data.startswith(b"{"):
            closing = _CLOSING.search(data[-200:])
            inner = len(closing[1]) if closing else 0
            found["file"] = "entry" if inner else "object"
            indent = inner or indent
        if indent != self.indent:
            found["indent"] = indent
        if data.endswith(b"\n"):
            found["end"] = "\n"
        if data.isascii() and b"\\u" in data:
            found["escaped"] = True
        elif not data.isascii():
            found["escaped"] = False
        if found.get("escaped") is self.escaped:
            del found["escaped"]
        return found

    def render(self, values: list[Any], marks: Any) -> bytes:
        """Return the file of these values, laid out as the marks of `of` say, if they are any."""
        marks = marks if isinstance(marks, dict) else {}
        indent = marks.get("indent", self.indent)
        if type(indent) is not int or not -1 <= indent <= 8:
            indent = self.indent
        kind = marks.get("file") if len(values) == 1 else None
        whole = values[0] if kind == "object" else values
        data = spell(whole, indent, escaped=marks.get("escaped", self.escaped) is True)
        if kind == "entry" and indent > 0:
            data = data[2 + indent : -2]  # the brackets of the list around it
        return data + b"\n" if marks.get("end") == "\n" else data


def spell(value: Any, indent: int, *, escaped: bool) -> bytes:
    """Return a value as JSON, numbers as Python writes them where it stands on one line."""
    if indent < 1:
        separators = _COMPACT if indent < 0 else None
        return json.dumps(value, ensure_ascii=escaped, separators=separators).encode()
    data = msgspec.json.format(msgspec.json.encode(value), indent=indent)
    return escape(data) if escaped else data


def _indent(data: bytes) -> int:
    opening = _OPENING.match(data)
    if opening:
        return len(opening[1])
    return 0 if b'": ' in data[:400] else -1


def escape(data: bytes) -> bytes:
    """Return a JSON text with letters beyond ASCII, and DEL, escaped as Python does."""
    if data.isascii() and b"\x7f" not in data:
        return data
    return _ESCAPED.sub(
        lambda match: encode_basestring_ascii(match[0])[1:-1], data.decode()
    ).encode()
