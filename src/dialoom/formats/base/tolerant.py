"""Reading of a corpus in which faulty dialogues are set aside, each with the reason.

    rejects = Rejects()
    corpus = formats.load(Path("data.jsonl"), rejects=rejects)
    list(corpus)                # without the faulty dialogues
    list(rejects)               # [{"file": "data.jsonl", "index": 3, "reason": …, "value": {…}}]

A file is read as usual up to the first fault, then dialogue by dialogue. A file whose dialogues
cannot be separated, since it is damaged or a text, is set aside as a whole, without its value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import msgspec
from msgspec.structs import replace

from dialoom.corpus.archive import named
from dialoom.corpus.files import NOT_JSON
from dialoom.corpus.format import Format
from dialoom.corpus.listing import plain
from dialoom.dialogue import Dialogue
from dialoom.errors import FormatError
from dialoom.formats.base.framing import LINES, LIST, OBJECT, form_of
from dialoom.formats.base.json_file import RAWS, RAWS_BY_KEY
from dialoom.formats.base.multi_file import content


class Rejects:
    """Dialogues that were set aside, each once however often its file is read."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, int | None], dict[str, Any]] = {}

    def add(self, file: Path, index: int | None, error: FormatError, raw: bytes | None) -> None:
        """Keep a dialogue: its index in the file, why it cannot be read, and its JSON."""
        held: dict[str, Any] = {"file": named(str(file)), "index": index, "reason": str(error)}
        if raw is not None:
            try:
                held["value"] = msgspec.json.decode(raw)
            except NOT_JSON:
                held["text"] = raw.decode("utf-8", "replace")
        self._found.setdefault((held["file"], index), held)

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
            pieces = separated(file)
            if pieces is None:
                self._rejects.add(file, None, error, None)
                return
            yield from self._each(file, root, pieces, done)

    def _each(self, file: Path, root: Path, pieces: list[bytes], done: int) -> Iterator[Dialogue]:
        for index, raw in enumerate(pieces[done:], start=done):
            try:
                yield read_one(self._format, file, root, raw, index)
            except FormatError as error:
                self._rejects.add(file, index, error, raw)


def read_one(format: Format, file: Path, root: Path, raw: bytes, index: int) -> Dialogue:
    """Return the dialogue of a file that `separated` has at an index; `FormatError` if faulty."""
    if not isinstance(format, ByContent):
        raise FormatError(file, "is not read dialogue by dialogue", code="one-way")
    name = plain(file.relative_to(root).as_posix())
    (dialogue,) = format.read_content(raw, file, name)
    if dialogue.origin is None or dialogue.origin.index is None:
        return dialogue
    return replace(dialogue, origin=replace(dialogue.origin, index=index))


def _keyed(data: bytes) -> list[bytes] | None:
    """Return each entry of an object of dialogues as such an object; None if it is a dialogue."""
    raws = RAWS_BY_KEY.decode(data)
    if len(raws) < 2 or not all(bytes(raw).lstrip()[:1] == b"{" for raw in raws.values()):
        return None
    return [b"{%s:%s}" % (msgspec.json.encode(key), bytes(raw)) for key, raw in raws.items()]


def separated(file: Path) -> list[bytes] | None:
    """Return the JSON texts of a file's dialogues; None if they cannot be separated."""
    try:
        data = content(file)
        form = form_of(data)
        if form == LINES:
            return [line for line in data.split(b"\n") if line.strip()]
        if form == LIST:
            return list(map(bytes, RAWS.decode(data)))
        if form == OBJECT:
            return _keyed(data)
    except (FormatError, *NOT_JSON):
        pass
    return None
