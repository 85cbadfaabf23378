r"""The frame around the dialogues of a file: its byte order mark, and a JSON list or JSON lines.

    data, frame = unframed(b'{"id": 1}\n{"id": 2}\n', ("list",), "a.json", file)
    data                  # b'[{"id": 1},{"id": 2}]'
    frame                 # {"form": "lines", "indent": 0, "end": "\n"}
    framed(data, frame)   # the lines again

A format reads and writes one form. A file in another form is converted before it is read, and
converted back after it is written; the frame is noted with its dialogues.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from dialoom.corpus.files import BOM, NOT_JSON, parse_json
from dialoom.errors import FormatError
from dialoom.formats.base.json_file import INDENTED, RAWS, spell

LIST, LINES, OBJECT, TEXT = "list", "lines", "object", "text"
"""The forms of a file: a JSON list, JSON lines, one JSON object, or anything else."""

FRAME = "framing"
"""The mark of a frame in the layout of a dialogue's `extra`."""

_RAW = msgspec.json.Decoder(msgspec.Raw)
_START, _TAIL = 1 << 10, 1 << 6


def form_of(data: bytes) -> str:
    """Return the form of a content. Lines are several values, the first of them on one line."""
    form = {b"[": LIST, b"{": OBJECT}.get(data[:_START].lstrip()[:1], TEXT)
    return LINES if form != TEXT and _in_lines(data) else form


def _in_lines(data: bytes) -> bool:
    line, _, rest = data.lstrip().partition(b"\n")
    return bool(rest) and not rest.isspace() and _is_json(line)


def _is_json(data: bytes) -> bool:
    try:
        _RAW.decode(data)
    except NOT_JSON:
        return False
    return True


def unframed(
    data: bytes, forms: Sequence[str], name: str, file: Path
) -> tuple[bytes, dict[str, Any]]:
    """Return a content in a form of `forms`, and its frame, which is empty if usual."""
    frame: dict[str, Any] = {}
    if data.startswith(BOM):
        data, frame["bom"] = data[len(BOM) :], True
    if not forms:
        return data, frame
    form = form_of(data)
    tail = data[-_TAIL:]
    end = tail[len(tail.rstrip()) :]
    if end.count(b"\n") > 1:
        frame["end"] = end.decode("latin-1")
    if form == TEXT:
        return data, frame
    if form == OBJECT and LINES in forms and b"\n" not in data.strip():
        form = LINES
    own = form in forms
    if own and (form == LINES) == name.endswith(".jsonl"):
        return data, frame
    layout = {key: value for key, value in INDENTED.of(data).items() if key != "file"}
    converted = data if own else _converted(data, form, forms[0], file)
    return converted, {"form": form, **layout, **frame}


def _converted(data: bytes, form: str, target: str, file: Path) -> bytes:
    """Return a content in another form; damaged JSON unchanged, for the reader to report."""
    if form == LINES:
        return b"[" + b",".join(_lines(data, file)) + b"]"
    try:
        raws = RAWS.decode(data) if form == LIST else [_RAW.decode(data)]
    except NOT_JSON:
        return data
    if target == LIST:
        return b"[" + b",".join(map(bytes, raws)) + b"]"
    return b"".join(msgspec.json.format(bytes(raw), indent=-1) + b"\n" for raw in raws)


def _lines(data: bytes, file: Path) -> list[bytes]:
    lines = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.strip():
            if not _is_json(line):
                parse_json(line, Path(f"{file}, line {number}"))
                raise FormatError(file, "not JSON", line=number, code="not-json")
            lines.append(line)
    return lines


def values(data: bytes, file: Path) -> list[Any]:
    """Return the values of a JSON list or of JSON lines; `FormatError` if it is not JSON."""
    data = data.removeprefix(BOM)
    if _in_lines(data):
        return [parse_json(line, file) for line in _lines(data, file)]
    value = parse_json(data, file)
    return value if isinstance(value, list) else [value]


def framed(data: bytes, frame: Any) -> bytes:
    """Return a content in a noted frame; as it is if there is no such note."""
    if not isinstance(frame, dict):
        return data
    form = frame.get("form", TEXT)
    if form in (LIST, LINES, OBJECT) and form != form_of(data):
        entries = values(data, Path("file"))
        if form == LINES:
            indent = 0 if frame.get("indent", 0) == 0 else -1
            escaped = frame.get("escaped") is True
            data = b"".join(spell(each, indent, escaped=escaped) + b"\n" for each in entries)
        else:
            data = INDENTED.render(entries, {**frame, "file": form})
    end = frame.get("end", "")
    if isinstance(end, str) and end.count("\n") > 1 and not end.strip():
        data = data.rstrip() + end.encode()
    return BOM + data if frame.get("bom") is True else data
