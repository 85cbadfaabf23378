r"""Shared parts of formats whose files have many dialogues each.

    FORMAT = FileFormat(name="sgd", owns=re.compile(r"…\.json"), signs=Signs("turns[].utterance"),
                        read=…, render=…, new_name="dialogues_{:03d}.json".format, per_file=128)

Such a format consists of two functions: `read` returns the dialogues of a file's content, `render`
the content of dialogues. Files, names, order, detection, compression and frames (framing.py) are
the same for all.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from dialoom.corpus.archive import inflate, inflated
from dialoom.corpus.files import BOM, check_finite, read_bytes, reading, write_synced
from dialoom.corpus.format import PlainNames
from dialoom.corpus.listing import GZIP, UniqueNames, listed, numbered, once, plain, safe
from dialoom.corpus.traits import NO_TRAITS, Traits
from dialoom.dialogue import Dialogue
from dialoom.errors import DialoomError, MissingDataError, UsageError
from dialoom.formats.base.codec import marked, marks
from dialoom.formats.base.framing import FRAME, LINES, LIST, TEXT, form_of, framed, unframed
from dialoom.formats.base.signs import NO_SIGNS, Sight, Signs
from dialoom.schema.task import TaskSchema

HEADS = 1 << 16, 1 << 22
"""Number of bytes from the beginning of a file in which its fields are looked for; the second one
if they are not within the first."""

PIECE = 1 << 23
"""Bytes of the parts in which long JSON lines are read."""

LOOKED = 12
"""Number of files of a folder that are looked into if their names do not say what they hold; a
folder of dialogues has a few others (a database, an ontology, a list of splits)."""

TEXTS_LOOKED = 400
"""The same of texts, of which a project has many others (Rasa's demo has 90 files of YAML)."""

Read = Callable[[bytes, Path, str], Iterator[Dialogue]]
"""A function that yields the dialogues of a content; the path is for messages and for other files
next to it, the name is for `Origin.file`."""

ReadFrom = Callable[[bytes, Path, str, int], Iterator[Dialogue]]
"""The same, given the index of the first dialogue."""

SchemasOf = Callable[[Any, Path], dict[str, TaskSchema] | None]

Adapt = Callable[[Dialogue], Dialogue]
"""A function that returns a dialogue of another format in the form in which it is written."""


def _not_written(dialogues: Sequence[Dialogue]) -> bytes:
    raise UsageError(
        "this format is only read; convert to another one (--to native)", code="one-way"
    )


@dataclass(frozen=True, kw_only=True)
class FileFormat(PlainNames):
    """A format whose files have many dialogues each.

    Attributes:
        name: Its name.
        owns: Matches the names of its dialogue files, relative to the corpus and without .gz.
        named: Whether the name of a file says that it holds dialogues; if not, files without the
            first of the signs are left out of a folder.
        signs: The fields that only dialogues of this format have (signs.py), or several such sets,
            one for each spelling of them.
        sniff: Recognises a text of this format by its first bytes, since a text has no fields; None
            for JSON.
        read: Reads a file's content.
        read_from: Reads JSON lines whose first dialogue has the given index; None if it cannot.
        render: Writes a file's content; left out if the format is only read.
        forms: The forms of JSON that `read` takes, that of `render` first; none for text.
        new_name: Returns the name of the n-th file (from 1) of dialogues of another format.
        per_file: Dialogues of another format in each file.
        read_schemas: Reads the task schemas next to the dialogues.
        schemas_of: Returns the task schemas of a JSON value; None if it is none of this format.
        write_schemas: Writes them.
        adapt: Returns, for task schemas, a function that converts dialogues that follow task files.
        companions: Returns the files next to a dialogue file: name to content.
        traits: Its guarantees beyond its layout.
        repeats: Returns the file, if any, whose dialogues a file with this name repeats; the latter
            is left out if the former exists.
    """

    name: str
    owns: re.Pattern[str]
    read: Read
    read_from: ReadFrom | None = None
    render: Callable[[Sequence[Dialogue]], bytes] = _not_written
    new_name: Callable[[int], str] = str
    per_file: int = 1
    forms: tuple[str, ...] = ()
    named: bool = True
    signs: Signs | tuple[Signs, ...] = NO_SIGNS
    sniff: Callable[[bytes], bool] | None = None
    read_schemas: Callable[[Path], dict[str, TaskSchema]] = lambda path: {}
    schemas_of: SchemasOf = lambda value, file: None
    write_schemas: Callable[[Mapping[str, TaskSchema], Path], None] = lambda schemas, target: None
    adapt: Callable[[Mapping[str, TaskSchema]], Adapt] = lambda schemas: lambda dialogue: dialogue
    companions: Callable[[Sequence[Dialogue], str], dict[str, bytes]] = lambda dialogues, name: {}
    traits: Traits = NO_TRAITS
    repeats: Callable[[str], str | None] = lambda name: None

    def detect(self, path: Path) -> bool:
        """True if a file with a name of this format has the fields of its dialogues."""
        return self._lacking(path) == ""

    def doubt(self, path: Path) -> str:
        """Return what is missing if a file only begins like this format; else an empty text."""
        return self._lacking(path) or ""

    def _lacking(self, path: Path) -> str | None:
        """Return what a file lacks to be in this format; None if it does not begin like it."""
        try:
            most = LOOKED if self.sniff is None else TEXTS_LOOKED
            files = listed(path, self.owns, 1 if self.named else most)
            return _least(map(self._lacking_in, files))
        except DialoomError:
            return None

    def _lacking_in(self, file: Path) -> str | None:
        if self.sniff is not None:
            return "" if self.sniff(sight(file).head) else None
        several = self.signs if isinstance(self.signs, tuple) else (self.signs,)
        return _least(lacking(file, each) for each in several)

    def _begins(self, file: Path) -> bool:
        """True if a file may hold dialogues: it begins like this format, or is damaged."""
        if self.named or (self.sniff is None and sight(file).form == TEXT):
            return True
        return self._lacking_in(file) is not None

    def files(self, path: Path) -> list[Path]:
        """Return the dialogue files in natural order; `MissingDataError` if there are none."""
        paths = listed(path, self.owns)
        if not paths:
            raise MissingDataError(
                f"{path}: no files of the format {self.name} here", code="no-files"
            )
        if not path.is_file() and not self.named:
            paths = [file for file in paths if self._begins(file)] or paths
        names = {plain(file.as_posix()) for file in paths}
        return [file for file in paths if self.repeats(plain(file.as_posix())) not in names]

    def read_file(self, file: Path, root: Path) -> Iterator[Dialogue]:
        """Yield the dialogues of a file."""
        for _, dialogues in self.pieces(file, root):
            yield from dialogues

    def pieces(self, file: Path, root: Path) -> Iterator[tuple[bytes, Iterator[Dialogue]]]:
        """Yield parts of a file's content with their dialogues; most files are one part.

        Long JSON lines come in parts of `PIECE` bytes if the format can read them from any index,
        so that memory stays bounded.
        """
        name = plain(file.relative_to(root).as_posix())
        if self.read_from is None or file.suffix == GZIP or not _is_long(file):
            data = content(file)
            yield data, self.read_content(data, file, name)
            return
        lines = first = 0
        for data in blocks(file):
            text, frame = unframed(data, self.forms, name, file)
            empty = b"\n" * lines  # in place of the lines before, for the numbers in messages
            read = self.read_from(empty + text, file, name, first)
            dialogues = [self._marked(each, frame) if frame else each for each in read]
            yield data, iter(dialogues)
            lines, first = lines + data.count(b"\n"), first + len(dialogues)

    def read_content(self, data: bytes, file: Path, name: str) -> Iterator[Dialogue]:
        """Yield the dialogues of a content, in whatever frame; the path is for messages."""
        data, frame = unframed(data, self.forms, name, file)
        dialogues = self.read(data, file, name)
        return (self._marked(each, frame) for each in dialogues) if frame else dialogues

    def schemas(self, path: Path) -> dict[str, TaskSchema]:
        """Read the task schemas next to the dialogues; empty if there are none."""
        return self.read_schemas(path)

    def write(
        self, dialogues: Iterable[Dialogue], schemas: Mapping[str, TaskSchema], target: Path
    ) -> None:
        """Write the files that the dialogues came from, or new ones, and the schemas."""
        put = self.writer(schemas, target)
        for name, batch in self.batches(dialogues):
            put(name, batch)

    def writer(
        self, schemas: Mapping[str, TaskSchema], target: Path
    ) -> Callable[[str, Sequence[Dialogue]], None]:
        """Write the schemas; return a function that writes a file of dialogues next to them."""
        if self.traits.read_only:
            raise UsageError(
                f"{self.name} is only read; convert to another format (--to native)", code="one-way"
            )
        self.write_schemas(schemas, target)
        adapt = self.adapt(schemas)

        def put(name: str, batch: Sequence[Dialogue]) -> None:
            fit = list(map(adapt, batch))
            for each, data in ({name: self.render_file(fit)} | self.companions(fit, name)).items():
                write_synced(target / each, data)

        return put

    def render_file(self, dialogues: list[Dialogue]) -> bytes:
        """Return the content of a file with these dialogues, in the frame of the first one's."""
        data = (_not_written if self.traits.read_only else self.render)(dialogues)
        return framed(data, self._frame(dialogues[0])) if dialogues else data

    def batches(self, dialogues: Iterable[Dialogue]) -> Iterator[tuple[str, list[Dialogue]]]:
        """Yield each file's name and dialogues; those of one file stay together."""
        batch: list[Dialogue] = []
        home: str | None = None
        names, new = UniqueNames(), map(self.new_name, count(1))
        for dialogue in dialogues:
            here = self._home(dialogue)
            if batch and (here != home or (here is None and len(batch) == self.per_file)):
                yield names.first(numbered(home) if home else new), batch
                batch = []
            home = here
            batch.append(dialogue)
        if batch:
            yield names.first(numbered(home) if home else new), batch

    def _home(self, dialogue: Dialogue) -> str | None:
        """Return the file that a dialogue came from, if this format may write it.

        Lines of another format become the list of a file without the "l" of ".jsonl".
        """
        origin = dialogue.origin
        if origin is None or origin.index is None:
            return None
        name = origin.file
        if self.forms[:1] == (LIST,) and name.endswith(".jsonl") and not self._frame(dialogue):
            name = name.removesuffix("l")
        return name if safe(name) and self.owns.fullmatch(name) else None

    def _frame(self, dialogue: Dialogue) -> Mapping[str, Any]:
        noted = marks(dialogue.extra).get(FRAME)
        return noted if isinstance(noted, dict) and noted.get("format") == self.name else {}

    def _marked(self, dialogue: Dialogue, frame: Mapping[str, Any]) -> Dialogue:
        note = {"format": self.name, **frame}
        return replace(dialogue, extra=marked(dialogue.extra, **{FRAME: note}))


def content(file: Path) -> bytes:
    """Return a file's content, unpacked from .gz; `FormatError` if that fails."""
    data = read_bytes(file)
    return inflate(file, data) if file.suffix == GZIP else data


def blocks(file: Path) -> Iterator[bytes]:
    """Yield a file's whole lines, about `PIECE` bytes each; `MissingDataError` if unreadable."""
    with reading(file), file.open("rb") as source:
        while data := source.read(PIECE):
            yield data + source.readline()


def _is_long(file: Path) -> bool:
    if not file.is_file() or file.stat().st_size <= PIECE:
        return False
    with file.open("rb") as source:
        return form_of(source.read(PIECE).removeprefix(BOM)) == LINES


def _least(several: Iterable[str | None]) -> str | None:
    return min((each for each in several if each is not None), key=len, default=None)


def lacking(file: Path, signs: Signs) -> str | None:
    """Return what a file lacks of some signs; None if it does not begin like them."""
    gap: str | None = None
    for size in HEADS:
        view = sight(file, size)
        gap = signs.lacking(view)
        if gap == "" or not view.cut:
            break
    return gap


def sight(file: Path, size: int = HEADS[0]) -> Sight:
    """Return what a file's first bytes show; `MissingDataError` if it is unreadable."""
    return _sight(file, size, *once(_state, file))


def _state(file: Path) -> tuple[int, int]:
    with reading(file):
        status = file.stat()
    return status.st_size, status.st_mtime_ns


@lru_cache(maxsize=4 * LOOKED)
def _sight(file: Path, size: int, length: int, changed: int) -> Sight:
    start = head(file, size + 1)
    return Sight.of(start[:size], cut=len(start) > size)


def encoding_of(start: bytes) -> str:
    """Return the encoding other than UTF-8 of a text with its byte order mark; empty for others."""
    marks = {"UTF-32": (BOM_UTF32_LE, BOM_UTF32_BE), "UTF-16": (BOM_UTF16_LE, BOM_UTF16_BE)}
    encoding = next((name for name, pair in marks.items() if start.startswith(pair)), "")
    return encoding if encoding and any(map(str.isascii, start.decode(encoding, "ignore"))) else ""


def head(file: Path, size: int = HEADS[0]) -> bytes:
    """Return a file's first bytes, unpacked from .gz and without a byte order mark."""
    with reading(file):
        check_finite(file)
        with file.open("rb") as stream:
            start = inflated(file, stream, size) if file.suffix == GZIP else stream.read(size)
    return start.removeprefix(BOM)
