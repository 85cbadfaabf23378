"""Files that are a JSON list of dialogues, or one dialogue; their layout is kept.

    LAYOUT = Layout(indent=2)           # as the corpus was published
    marks = LAYOUT.of(data)             # {"indent": 4, "end": "\\n"}: differences from LAYOUT
    LAYOUT.render(values, marks)

Regular layouts come back byte for byte: any indentation, one line as `json.dumps` writes it, one
object instead of a list, a newline at the end, non-ASCII letters escaped or not. An entry that was
cut out of an indented list is also recognised (Taskmaster-1's sample.json):

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

from dialoom.corpus.files import BOM, NOT_JSON, parse_json
from dialoom.errors import FormatError

_CLOSING = re.compile(rb"\n( *)\}\s*\Z")
_OPENING = re.compile(rb"[\[{]\n( {1,8})\S")
RAWS = msgspec.json.Decoder(list[msgspec.Raw])
_ESCAPED = re.compile(r"[^\x00-\x7e]")
_COMPACT = (",", ":")


class _Key(str):
    """A key of an object that is decoded by `RawsByKey`."""


class RawsByKey:
    """A decoder of an object whose values stay texts; a repeated key is a `ValidationError`."""

    def decode(self, data: bytes) -> dict[str, msgspec.Raw]:
        """Return the texts of the values by key."""
        keys: set[str] = set()

        def once(kind: type, key: str) -> _Key:
            if key in keys:
                raise ValueError(f"the key {key!r} is there twice")
            keys.add(key)
            return _Key(key)

        raws = msgspec.json.Decoder(dict[_Key, msgspec.Raw], dec_hook=once).decode(data)
        return {str(key): raw for key, raw in raws.items()}


RAWS_BY_KEY = RawsByKey()


def check_keys(data: bytes, file: Path) -> None:
    """Raise `FormatError` if a JSON object has a key twice; those inside are not checked."""
    try:
        RAWS_BY_KEY.decode(data.removeprefix(BOM))
    except msgspec.ValidationError as error:
        raise FormatError(file, str(error.__cause__), code="twice") from error


@dataclass(frozen=True)
class Layout:
    """The layout of a format's files.

    Attributes:
        indent: Blanks for each level; 0 for one line with blanks between values, -1 without blanks.
        escaped: Whether non-ASCII letters are escaped.
    """

    indent: int = 2
    escaped: bool = False

    def values(self, data: bytes, file: Path) -> Iterator[Any]:
        """Yield the values of a JSON list, or the only object; `FormatError` otherwise."""
        if data.lstrip()[:1] == b"[":
            try:
                raws = RAWS.decode(data)
            except NOT_JSON:
                raws = None
            if raws is not None:
                for raw in raws:
                    yield parse_json(bytes(raw), file)
                return
        value = parse_json(data, file)
        if type(value) is not dict:
            raise FormatError(file, "expected a list of dialogues, or one dialogue")
        check_keys(data, file)
        yield value

    def of(self, data: bytes) -> dict[str, Any]:
        """Return the differences of a file's layout from this one; empty if there are none."""
        changes: dict[str, Any] = {}
        indent = _indent(data)
        if data.startswith(b"{"):
            closing = _CLOSING.search(data[-200:])
            inner = len(closing[1]) if closing else 0
            changes["file"] = "entry" if inner else "object"
            indent = inner or indent
        if indent != self.indent:
            changes["indent"] = indent
        if data.endswith(b"\n"):
            changes["end"] = "\n"
        if data.isascii() and b"\\u" in data:
            changes["escaped"] = True
        elif not data.isascii():
            changes["escaped"] = False
        if changes.get("escaped") is self.escaped:
            del changes["escaped"]
        return changes

    def render(self, values: list[Any], marks: Any) -> bytes:
        """Return the file of some values, in the layout of the marks that `of` returned."""
        marks = marks if isinstance(marks, dict) else {}
        indent = marks.get("indent", self.indent)
        if type(indent) is not int or not -1 <= indent <= 8:
            indent = self.indent
        kind = marks.get("file") if len(values) == 1 else None
        whole = values[0] if kind == "object" else values
        data = spell(whole, indent, escaped=marks.get("escaped", self.escaped) is True)
        if kind == "entry" and indent > 0:
            data = data[2 + indent : -2]  # without the brackets of the list
        return data + b"\n" if marks.get("end") == "\n" else data


INDENTED = Layout()
"""The layout of most published files, and of new ones."""


def spell(value: Any, indent: int, *, escaped: bool) -> bytes:
    """Return a value as JSON; on one line, numbers are spelled as Python does."""
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
    """Return a JSON text with non-ASCII letters, and DEL, escaped as Python does."""
    if data.isascii() and b"\x7f" not in data:
        return data
    return _ESCAPED.sub(
        lambda match: encode_basestring_ascii(match[0])[1:-1], data.decode()
    ).encode()
