"""dialoom's own format: a folder with a manifest, task schemas, and dialogues as JSON lines.

    corpus/manifest.json            counts, digests, licence; no time, host or path
    corpus/schemas/weather.json     a task schema in each file
    corpus/dialogues-00000.jsonl    at most SHARD dialogues in each; .jsonl.gz is read as well

A line is a dialogue in the fields of the data model. Shards are written in order and never
changed.
"""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from pathlib import Path

import msgspec

from dialoom.corpus.files import BOM, NOT_JSON, check_depth, parse_json, read_bytes, reading
from dialoom.corpus.format import PlainNames
from dialoom.corpus.listing import file_or_gz, once
from dialoom.corpus.shards import (
    MANIFEST,
    SHARD,
    VERSION,
    Manifest,
    Shard,
    line_digest,
    render_lines,
    write_manifest,
    write_schemas,
    write_shard,
)
from dialoom.corpus.traits import Traits
from dialoom.dialogue import Dialogue, Result, decode
from dialoom.errors import DialoomError, FormatError, MissingDataError, SchemaError
from dialoom.formats.base.framing import LIST, values
from dialoom.formats.base.multi_file import content, lacking, sight
from dialoom.formats.base.signs import Signs
from dialoom.schema.task import TaskSchema

LINE = 64 << 20
"""Longest line in bytes; a dialogue usually has a few thousand."""

_SHARD = re.compile(r"(?!\.)[^/\\\x00-\x1f]{1,200}\.jsonl(\.gz)?")
"""Pattern of a shard's name in the manifest; names that lead to another folder are refused."""

_SIGNS = Signs("events", "id", "events[].type")


class NativeFormat(PlainNames):
    """Reads and writes dialoom's own corpus folder."""

    name = "native"
    traits = Traits(collected=True)

    def detect(self, path: Path) -> bool:
        """True if `path` has a manifest, or is a file that begins with a native dialogue."""
        if path.is_dir():
            return (path / MANIFEST).is_file()
        try:
            return path.is_file() and lacking(path, _SIGNS) == ""
        except DialoomError:
            return False

    def manifest(self, path: Path) -> Manifest:
        """Read the manifest of the corpus at `path`; `FormatError` if it is not valid."""
        file = path / MANIFEST
        if not file.is_file():
            raise MissingDataError(
                f"{path}: no native corpus here ({MANIFEST} is missing)", code="no-files"
            )
        value = parse_json(read_bytes(file), file)
        try:
            manifest = msgspec.convert(value, Manifest)
        except msgspec.ValidationError as error:
            raise FormatError(file, f"not a native manifest: {error}") from error
        if manifest.native != VERSION:
            what = f"version {manifest.native} of the native format; this dialoom reads {VERSION}"
            raise FormatError(file, what, code="wrong-version")
        return manifest

    def files(self, path: Path) -> list[Path]:
        """Return the shards that the manifest lists, in its order."""
        if path.is_file():
            return [path]
        manifest = self.manifest(path)
        paths = [self._shard(path, name) for name in manifest.shards]
        counts = [once(_count, file) for file in paths]
        if None not in counts and (number := sum(filter(None, counts))) != manifest.dialogues:
            raise _mismatch(path, manifest, number, paths)
        return paths

    def _shard(self, path: Path, name: str) -> Path:
        if not _SHARD.fullmatch(name):
            raise FormatError(path / MANIFEST, f"{name!r} is no name of a shard", code="outside")
        file = file_or_gz(path / name)
        if file is None or not file.is_file():
            raise MissingDataError(
                f"{path / name}: the manifest names this shard, but it is missing"
            )
        return file

    def read_file(self, file: Path, root: Path) -> Iterator[Dialogue]:
        """Yield the dialogues of a shard, line by line; those of a JSON list all at once."""
        lines = 0
        if file.suffix == ".json" and sight(file).form == LIST:
            for number, each in enumerate(values(content(file), file), start=1):
                yield _decode(msgspec.json.encode(each), file, number)
            return
        for number, line in _lines(file):
            lines += 1
            yield _decode(_whole(line, file, number), file, number)
        if not lines:
            raise FormatError(file, "empty file; expected a dialogue a line", code="empty")

    def read_content(self, data: bytes, file: Path, name: str) -> Iterator[Dialogue]:
        """Yield the dialogue of a line."""
        yield _decode(data, file, 1)

    def schemas(self, path: Path) -> dict[str, TaskSchema]:
        """Read `schemas/*.json`.

        Raises:
            SchemaError: A file is not a valid schema, or has the same task as another file.
            MissingDataError: A schema that the manifest lists does not exist.
        """
        folder = (path if path.is_dir() else path.parent) / "schemas"
        tasks: dict[str, TaskSchema] = {}
        for file in sorted(folder.glob("*.json")):
            try:
                task = msgspec.json.decode(read_bytes(file), type=TaskSchema)
            except NOT_JSON as error:
                raise SchemaError(file, f"not a native task schema: {error}") from error
            if task.id in tasks:
                raise SchemaError(
                    file, f"another file has the task {task.id!r} already", code="twice"
                )
            tasks[task.id] = task
        for task_id in self.manifest(path).schemas if path.is_dir() else ():
            if task_id not in tasks:
                what = f"the manifest names the schema of {task_id}, but it is missing"
                raise MissingDataError(f"{folder}: {what}")
        return tasks

    def write(
        self, dialogues: Iterable[Dialogue], schemas: Mapping[str, TaskSchema], target: Path
    ) -> None:
        """Write shards, schemas and manifest into `target`, without loss."""
        shards: list[Shard] = []
        stream = iter(dialogues)
        while batch := list(islice(stream, SHARD)):
            lines = self.render_file(batch)
            shards.append(write_shard(target, len(shards), lines, len(batch)))
        write_manifest(target, shards, write_schemas(schemas, target))

    def render_file(self, dialogues: list[Dialogue]) -> bytes:
        """Return the lines of a shard."""
        return render_lines(dialogues)


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    with _open(file) as stream:
        try:
            for number, line in enumerate(iter(partial(stream.readline, LINE), b""), start=1):
                text = line.removeprefix(BOM) if number == 1 else line
                if len(line) == LINE or (text and not text.isspace()):
                    yield number, text
        except (OSError, EOFError, zlib.error) as error:
            raise FormatError(
                file, f"cannot be read to its end: {error}", code="damaged"
            ) from error


def _count(file: Path) -> int | None:
    """Return the number of lines with a dialogue; None for a shard whose reading will fail."""
    try:
        number = 0
        for place, line in _lines(file):
            _whole(line, file, place)
            number += 1
    except DialoomError:
        return None
    return number or None


def _mismatch(path: Path, manifest: Manifest, number: int, shards: list[Path]) -> FormatError:
    digests = zip(shards, manifest.shards.values(), strict=True)
    changed = [file.name for file, digest in digests if line_digest(content(file)) != digest]
    what = f'names {manifest.dialogues} dialogues, but the shards have {number}; set "dialogues" to'
    what = f"{what} {number} if that is wanted, else restore the changed shards: "
    return FormatError(path / MANIFEST, what + ", ".join(changed), code="mismatch")


def _whole(line: bytes, file: Path, number: int) -> bytes:
    """Return a line if it is complete; the last line of a file may lack its line break."""
    if len(line) == LINE:
        what = f"has more than {LINE >> 20} MiB; it was refused"
        raise FormatError(file, what, line=number, code="too-large")
    if not line.endswith((b"\n", b"}")):
        what = "is cut off; the file is truncated"
        raise FormatError(file, what, line=number, code="truncated")
    return line


def _decode(line: bytes, file: Path, number: int) -> Dialogue:
    dialogue = decode(line, path=file, number=number)
    try:
        for event in dialogue.events:
            if event.extra:
                check_depth(event.extra)
            if isinstance(event, Result):
                check_depth(list(event.items))
    except RecursionError as error:
        raise FormatError(file, str(error), line=number, code="too-deep") from error
    return dialogue


def _open(file: Path) -> io.BufferedIOBase:
    with reading(file):
        return gzip.open(file, "rb") if file.suffix == ".gz" else file.open("rb")


FORMAT = NativeFormat()
