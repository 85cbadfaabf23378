"""Reading of a corpus in which faulty dialogues are set aside, each with the reason.

    rejects = Rejects()
    corpus = formats.load(Path("data.jsonl"), rejects=rejects)
    list(corpus)                # without the faulty dialogues
    list(rejects)               # [{"file": "data.jsonl", "index": 3, "reason": …, "value": {…}}]

A file is read as usual up to the first fault, then dialogue by dialogue. A file whose dialogues
cannot be separated, since it is damaged or a text, is read on if the format's reader is a `map`,
which goes on after an error. Else it is set aside as a whole: the reason says so, and the text of a
file of up to `KEPT` bytes is included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace as rebound
from itertools import count
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import msgspec
from msgspec.structs import replace

from dialoom.corpus.archive import named
from dialoom.corpus.files import BOM, NOT_JSON
from dialoom.corpus.format import Format
from dialoom.corpus.listing import plain
from dialoom.dialogue import Dialogue
from dialoom.errors import DialoomError, FormatError
from dialoom.formats.base.framing import LINES, LIST, OBJECT, form_of
from dialoom.formats.base.json_file import RAWS, RAWS_BY_KEY
from dialoom.formats.base.multi_file import FileFormat, content

KEPT = 1 << 20
"""Most bytes of a file that is kept as a whole."""

_FIRST = re.compile(r"(number )?0( of the file)?")
"""The names in messages of the first dialogue of a file, if it has none of its own."""

Pieces = list[tuple[int | None, bytes]]
"""The JSON texts of dialogues, and the lines of a file of JSON lines that they are on."""


class Rejects:
    """Dialogues that were set aside, each once however often its file is read."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, int | None], dict[str, Any]] = {}

    def add(self, file: Path, index: int | None, reason: str, raw: bytes | None) -> None:
        """Keep a dialogue: its index in the file, why it cannot be read, and its text."""
        record: dict[str, Any] = {"file": named(str(file)), "index": index, "reason": reason}
        if raw is not None:
            record["text"] = raw.decode("utf-8", "replace")
        if raw is not None and index is not None:
            with suppress(*NOT_JSON):
                record["value"] = msgspec.json.decode(raw)
                del record["text"]
        self._found.setdefault((record["file"], index), record)

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return iter(self._found.values())


@runtime_checkable
class ByContent(Protocol):
    """A format that reads a dialogue from the JSON text of it alone."""

    def read_content(self, data: bytes, file: Path, name: str) -> Iterator[Dialogue]:
        """Yield the dialogues of a content; the path is for messages."""


class Tolerant:
    """A format that sets faulty dialogues aside in reading."""

    def __init__(self, format: Format, rejects: Rejects) -> None:
        self._format, self._rejects = format, rejects
        self.name, self.traits = format.name, format.traits
        self.detect, self.files = format.detect, format.files
        self.write, self.render_file = format.write, format.render_file
        self.event_name, self.schemas = format.event_name, format.schemas

    def read_file(self, file: Path, root: Path) -> Iterator[Dialogue]:
        """Yield the dialogues of a file that can be read."""
        done = 0
        try:
            for dialogue in self._format.read_file(file, root):
                yield dialogue
                done += 1
        except FormatError as error:
            pieces = _pieces(file)
            if pieces is not None:
                yield from self._each(file, root, pieces, done)
            elif (reader := _lasting(self._format, file, root)) is not None:
                yield from self._after(file, reader, done)
            else:
                reason = f"{error}; the rest of the file was not read, only {done} dialogues before"
                self._rejects.add(file, None, reason, _small(file))

    def _each(self, file: Path, root: Path, pieces: Pieces, done: int) -> Iterator[Dialogue]:
        for index, (line, raw) in enumerate(pieces[done:], start=done):
            try:
                yield read_one(self._format, file, root, raw, index)
            except FormatError as error:
                self._rejects.add(file, index, str(_placed(error, file, index, line)), raw)

    def _after(self, file: Path, reader: Iterator[Dialogue], done: int) -> Iterator[Dialogue]:
        for index in count():
            try:
                dialogue = next(reader)
            except StopIteration:
                return
            except FormatError as error:
                self._rejects.add(file, index, str(error), None)
            else:
                if index >= done:
                    yield dialogue


def _lasting(format: Format, file: Path, root: Path) -> Iterator[Dialogue] | None:
    """Return an iterator over a file's dialogues that goes on after an error; None if none does."""
    if not isinstance(format, ByContent):
        return None
    try:
        reader = format.read_content(content(file), file, _name(file, root))
    except DialoomError:
        return None
    return reader if isinstance(reader, map) else None


def _name(file: Path, root: Path) -> str:
    return plain(file.relative_to(root).as_posix())


def _placed(error: FormatError, file: Path, index: int, line: int | None) -> FormatError:
    """Return the error of a dialogue that was read alone, with its place in the file."""
    if not error.path.startswith(str(file)):
        return error
    name = error.dialogue
    if name is not None and (first := _FIRST.fullmatch(name)):
        name = f"{first[1] or ''}{index}{first[2] or ''}"
    return FormatError(file, error.what, line=line, dialogue=name, event=error.event)


def read_one(format: Format, file: Path, root: Path, raw: bytes, index: int) -> Dialogue:
    """Return the dialogue of a file that `separated` has at an index; `FormatError` if faulty."""
    if not isinstance(format, ByContent):
        raise FormatError(file, "is not read dialogue by dialogue", code="one-way")
    if isinstance(format, FileFormat) and (read := format.read_from) is not None:
        format = rebound(format, read=lambda data, file, name: read(data, file, name, index))
    dialogues = list(format.read_content(raw, file, _name(file, root)))
    if len(dialogues) != 1:
        raise FormatError(file, f"expected one dialogue here, not {len(dialogues)}")
    (dialogue,) = dialogues
    if dialogue.origin is None or dialogue.origin.index is None:
        return dialogue
    return replace(dialogue, origin=replace(dialogue.origin, index=index))


def _keyed(data: bytes) -> list[bytes] | None:
    """Return each entry of an object of dialogues as such an object; None if it is a dialogue."""
    raws = {key: bytes(raw) for key, raw in RAWS_BY_KEY.decode(data).items()}
    objects = sum(raw.lstrip()[:1] == b"{" for raw in raws.values())
    if len(raws) < 2 or objects <= len(raws) / 2:
        return None
    return [b"{%s:%s}" % (msgspec.json.encode(key), raw) for key, raw in raws.items()]


def separated(file: Path) -> list[bytes] | None:
    """Return the JSON texts of a file's dialogues; None if they cannot be separated."""
    pieces = _pieces(file)
    return None if pieces is None else [raw for _, raw in pieces]


def _pieces(file: Path) -> Pieces | None:
    try:
        data = content(file).removeprefix(BOM)
        form = form_of(data)
        if form == LINES:
            lines = enumerate(data.split(b"\n"), start=1)
            return [(number, line) for number, line in lines if line.strip()]
        raws: list[Any] = RAWS.decode(data) if form == LIST else []
        if form == OBJECT:
            raws = _keyed(data) or []
        return [(None, bytes(raw)) for raw in raws] or None
    except (FormatError, *NOT_JSON):
        return None


def _small(file: Path) -> bytes | None:
    try:
        data = content(file)
    except DialoomError:
        return None
    return data if len(data) <= KEPT else None
