"""File formats of published corpora; each is read and written without loss.

corpus = load(Path("star"))             # the format is detected
corpus = load(Path("out"), "native")
corpus = load(Path("sgd.zip"))
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from dialoom.corpus.archive import SUFFIXES, is_archive, opened
from dialoom.corpus.corpus import Corpus
from dialoom.corpus.files import exists, parse_json
from dialoom.corpus.format import Format
from dialoom.corpus.listing import GZIP, listed, walking_once
from dialoom.corpus.parts import FolderParts
from dialoom.corpus.traits import NO_TRAITS, PublishedOrder, Traits
from dialoom.errors import DialoomError, FormatError, LeftOutWarning, MissingDataError, SchemaError
from dialoom.formats.base.framing import LINES, TEXT, form_of, values
from dialoom.formats.base.multi_file import (
    HEADS,
    LOOKED,
    FileFormat,
    content,
    encoding_of,
    head,
    sight,
)
from dialoom.formats.base.tolerant import Rejects, Tolerant
from dialoom.formats.base.yaml_file import SUFFIXES as SUFFIXES_YAML
from dialoom.formats.base.yaml_file import parsed
from dialoom.formats.left_out import DATA, left_out, summary
from dialoom.formats.unread import PARQUET, compression, layout_of, sighted, text_layout
from dialoom.registry import Registry
from dialoom.schema.task import TaskSchema

FORMATS: Registry[Format] = Registry(
    "format",
    "dialoom.formats",
    {
        "abcd": "dialoom.formats.abcd:FORMAT",
        "airdialogue": "dialoom.formats.airdialogue:FORMAT",
        "babi": "dialoom.formats.babi:FORMAT",
        "bfcl": "dialoom.formats.bfcl:FORMAT",
        "bitod": "dialoom.formats.bitod:FORMAT",
        "camrest": "dialoom.formats.camrest:FORMAT",
        "convlab": "dialoom.formats.convlab:FORMAT",
        "crosswoz": "dialoom.formats.crosswoz:FORMAT",
        "dialogstudio": "dialoom.formats.dialogstudio:FORMAT",
        "dstc2": "dialoom.formats.dstc2:FORMAT",
        "dstc6": "dialoom.formats.dstc6:FORMAT",
        "chat": "dialoom.formats.chat:FORMAT",
        "html": "dialoom.formats.html:FORMAT",
        "frames": "dialoom.formats.frames:FORMAT",
        "frames-text": "dialoom.formats.frames_text:FORMAT",
        "iob": "dialoom.formats.iob:FORMAT",
        "gem": "dialoom.formats.gem:FORMAT",
        "gem-generation": "dialoom.formats.gem.generation:FORMAT",
        "kvret": "dialoom.formats.kvret:FORMAT",
        "m2m": "dialoom.formats.m2m:FORMAT",
        "messages": "dialoom.formats.messages:FORMAT",
        "multiwoz": "dialoom.formats.multiwoz:FORMAT",
        "multiwoz-columns": "dialoom.formats.sgd.columns:FORMAT",
        "native": "dialoom.formats.native:FORMAT",
        "parquet": "dialoom.formats.parquet:FORMAT",
        "rasa": "dialoom.formats.rasa:FORMAT",
        "scripts": "dialoom.formats.scripts:FORMAT",
        "sdialog": "dialoom.formats.sdialog:FORMAT",
        "star": "dialoom.formats.star:FORMAT",
        "table": "dialoom.formats.table:FORMAT",
        "taskmaster1": "dialoom.formats.taskmaster1:FORMAT",
        "tau": "dialoom.formats.tau:FORMAT",
        "tau2": "dialoom.formats.tau2:FORMAT",
        "text": "dialoom.formats.text:FORMAT",
        "turns": "dialoom.formats.turns:FORMAT",
        "sgd": "dialoom.formats.sgd:FORMAT",
        "utterances": "dialoom.formats.utterances:FORMAT",
        "woz": "dialoom.formats.woz:FORMAT",
    },
)

FALLBACK = "utterances"
"""The format of files that no other format recognises."""

MOST_PARTS = 20
"""Most folders that are looked into to see whether a folder holds the parts of one corpus."""

MOST_FILES = 200_000
"""Most files in a folder; the largest published corpus has 16 thousand."""


def get(name: str) -> Format:
    """Return a format by name; the error for an unknown name lists the known ones."""
    return FORMATS.get(name)


def traits(name: str) -> Traits:
    """Return the traits of a format by name; empty ones if there is no such format."""
    return FORMATS.get(name).traits if name in FORMATS else NO_TRAITS


@cache
def published_orders() -> Mapping[str, PublishedOrder]:
    """Return task to what is published of the order of its questions, in whatever format."""
    return {task: order for name in FORMATS for task, order in traits(name).orders.items()}


@walking_once()
def detect(path: Path | str) -> Format:
    """Return the format that the files at `path` have; `FormatError` for an unknown one."""
    place = _present(path)
    if place.suffix == GZIP and place.is_file():
        head(place)  # raises the error that says what is wrong with it
    others = (name for name in FORMATS if name != FALLBACK)
    claims = [name for name in others if FORMATS.get(name).detect(place)]
    if not claims and FORMATS.get(FALLBACK).detect(place):
        claims = [FALLBACK]
    if len(claims) > 1 and place.is_file():
        raise FormatError(
            path,
            f"looks like {' and '.join(claims)}; name the format (--from)",
            code="unknown-format",
        )
    if claims in ([], [FALLBACK]) and place.is_dir():
        claims = [*_part_folders(place), *claims]
    if claims:
        return FORMATS.get(claims[0])
    layout, words = _content(place)
    holds = [f"it holds {words}"] if words else []
    doubts = [] if layout else _doubts(place, FORMATS)
    why = "; ".join([*holds, *doubts, f"known: {', '.join(FORMATS)}"])
    raise FormatError(path, f"looks like none of the known formats: {why}", code="unknown-format")


def _part_folders(folder: Path) -> dict[str, list[Path]]:
    """Return the formats in which all folders below a folder are; each with these folders."""
    below = sorted(each for each in folder.iterdir() if each.is_dir() and each.name[0] != ".")
    return {
        name: below
        for name in FORMATS
        if name != FALLBACK
        and below
        and all(FORMATS.get(name).detect(each) for each in below[:MOST_PARTS])
    }


def _doubts(place: Path, names: Iterable[str]) -> list[str]:
    """Return what the files lack to be in the formats that they begin like."""
    formats = [(name, FORMATS.get(name)) for name in names]
    return [
        f"{name} would need {lacking}"
        for name, format in formats
        if isinstance(format, FileFormat) and (lacking := format.doubt(place))
    ]


def _content(place: Path) -> tuple[str, str]:
    """Return the layout of a file if it is recognised and not read, and its content in words.

    For a folder they are those of the file that says most (`_foremost`).
    """
    if place.is_dir():
        if next(place.iterdir(), None) is None:
            raise MissingDataError(f"{place}: is an empty folder", code="empty")
        layout, words, file = _foremost(place)
        return layout, f"{file.relative_to(place).as_posix()}, which is {words}" if words else ""
    if is_archive(place):
        return "", "an archive; it is unpacked if its own path is given"
    start = head(place)
    if not start.strip():
        raise MissingDataError(f"{place}: is an empty file", code="empty")
    if start.startswith(PARQUET):
        return "Parquet", "a Parquet table not of dialoom's; save its rows as lines of JSON"
    if method := compression(start):
        return "", f"compressed with {method}; what is unpacked here: .gz, {', '.join(SUFFIXES)}"
    if encoding := encoding_of(start):
        return encoding, f"text in {encoding}; save it as UTF-8"
    form = form_of(start)
    if place.suffix != ".json" and form == TEXT:
        label = text_layout(start)
        return label, label
    data = content(place)
    first = parse_json(data.lstrip().partition(b"\n")[0] if form == LINES else data, place)
    keys = ("JSON lines, the first is " if form == LINES else "") + sighted(first)
    label = next(filter(None, (layout_of(sight(place, size)) for size in HEADS)), "")
    return label, f"{label}: {keys}" if label else keys


def _foremost(folder: Path) -> tuple[str, str, Path]:
    """Return layout, content and path of a folder's file that is most like dialogues.

    Files that have a format, under another name, or begin like one come first, then recognised
    layouts, and archives last. A file that cannot be read raises its error unless there is one of
    the first.
    """
    files = listed(folder, re.compile(rf"{DATA.pattern}|.*\.parquet", re.IGNORECASE))
    entries, errors = [], []
    for file in [each for each in files if each.stat().st_size][:LOOKED] or files[:1]:
        try:
            name = _claim(file, FORMATS)
            words = (name, f"{name}; give its own path") if name else _content(file)
            entries.append((*words, file))
        except DialoomError as error:
            errors.append(error)
    matches = [each for each in entries if each[0] in FORMATS or _doubts(each[2], FORMATS)]
    if errors and not matches:
        raise errors[0]
    entries.sort(key=lambda each: (each not in matches, is_archive(each[2]), not each[0]))
    return next((each for each in entries if each[1]), ("", "", folder))


def _left_out(corpus: Corpus, format: Format, explicit: bool) -> list[str]:
    names = [format.name] if explicit else list(FORMATS)
    repeats = format.repeats if isinstance(format, FileFormat) else lambda name: None
    return list(left_out(corpus, lambda file: _claim(file, names), repeats, explicit))


def _claim(file: Path, names: Iterable[str]) -> str:
    return next((name for name in names if FORMATS.get(name).detect(file)), "")


@walking_once()
def load(path: Path | str, name: str | None = None, rejects: Rejects | None = None) -> Corpus:
    """Open the corpus at `path`, in the named format or the detected one.

    With `rejects`, dialogues that cannot be read are left out and collected there.

    Warns of data files within it that are not read (`LeftOutWarning`).

    Raises:
        MissingDataError: `path` does not exist, or has no file of the format.
        FormatError: The format cannot be detected, or the files only begin like the named one.
    """
    format = get(name) if name else detect(path)
    place = _present(path)
    if name and (lacking := _doubts(place, [name])):
        raise FormatError(path, f"is not {name}: {lacking[0]}", code="other-format")
    parts = {}
    if place.is_dir() and not format.detect(place):
        parts = _part_folders(place)
    own = parts.get(format.name)
    reader = format if rejects is None else Tolerant(format, rejects)
    corpus = FolderParts(place, reader, own) if own else Corpus(place, reader)
    _ = corpus.files
    if others := _left_out(corpus, format, explicit=name is not None):
        what = f"also holds {summary(others)}, not read (each can be opened by its own path)"
        warnings.warn(f"{path}: is read as {format.name}; it {what}", LeftOutWarning, stacklevel=3)
    return corpus


def schemas(path: Path | str) -> dict[str, TaskSchema]:
    """Read the schemas of a corpus, folder or file; `MissingDataError` if there are none."""
    place = _present(path)
    if place.is_file():
        return _schemas_of_file(place)
    own = get("native")
    formats = [get(name) for name in FORMATS if traits(name).schema_files]
    read = [each.schemas(place) for each in ([own] if own.detect(place) else formats)]
    if not any(read) and place.is_dir():
        of_parts = (FolderParts(place, get(n), on) for n, on in _part_folders(place).items())
        read = [corpus.schemas for corpus in of_parts]
    tasks = min(filter(None, read), key=_depth, default=None) or _of_dialogues(place)
    if not tasks:
        what = f"no such folder of task schemas: it needs {_schema_files()}"
        raise MissingDataError(f"{path}: {what}")
    return tasks


def _of_dialogues(place: Path) -> dict[str, TaskSchema]:
    read = (get(name).schemas(place) for name in FORMATS if get(name).detect(place))
    return next(filter(None, read), {})


def _depth(tasks: Mapping[str, TaskSchema]) -> int:
    """Return how many folders below a folder the nearest file of its schemas is."""
    files = (origin.file for task in tasks.values() for origin in task.origins)
    return min((file.count("/") for file in files), default=0)


def _schema_files() -> str:
    names = (each for name in FORMATS for each in traits(name).schema_files)
    return ", or ".join(dict.fromkeys(names))


def _schemas_of_file(file: Path) -> dict[str, TaskSchema]:
    data = content(file)
    value: Any
    if file.suffix in SUFFIXES_YAML:
        value = parsed(data, file)
    else:
        value = values(data, file) if form_of(data) == LINES else parse_json(data, file)
    if not value:
        raise MissingDataError(f"{file}: holds no task; it needs {_schema_files()}", code="no-task")
    for format in map(FORMATS.get, FORMATS):
        tasks = format.schemas_of(value, file) if isinstance(format, FileFormat) else None
        if tasks is not None:
            return tasks
    if tasks := _of_dialogues(file):
        return tasks
    raise SchemaError(
        file, f"{sighted(value)} is no schema of a task; it needs {_schema_files()}", code="no-task"
    )


def _present(path: Path | str) -> Path:
    path = Path(path)
    if not exists(path):
        raise MissingDataError(f"{path}: no such file or folder")
    if path.is_dir():
        _check_size(path)
    return opened(path) if is_archive(path) else path


def _check_size(folder: Path) -> None:
    """Refuse to search a folder of too many files, such as a whole disk."""
    count = 0
    for _, _, files in os.walk(folder):
        count += len(files)
        if count > MOST_FILES:
            raise MissingDataError(
                f"{folder}: holds more than {MOST_FILES:,} files; name a corpus folder",
                code="too-large",
            )


def locate(root: Path, name: str) -> Path:
    """Return `root/name`, or `root` if that does not exist; `MissingDataError` without `root`."""
    if not exists(root):
        raise MissingDataError(f"{root}: no such folder; --corpus names a corpus root")
    below = root / name
    return below if below.is_dir() else root
