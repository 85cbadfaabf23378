"""Finding a corpus's files: by name, in natural order, hidden ones left out."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Hashable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, partial
from itertools import chain, count, islice
from pathlib import Path, PurePath, PurePosixPath
from typing import Any, TypeVar

from dialoom.corpus.files import exists

_NATURAL = re.compile(r"(\d+)", re.ASCII)
_PART = r"[^/\\\x00-\x1f.][^/\\\x00-\x1f]{0,150}"
_SAFE = re.compile(rf"(?:{_PART}/){{0,4}}{_PART}")
_LONGEST = 200  # bytes; file systems allow 255, and what is being written has a longer name
GZIP = ".gz"

_MOST: ContextVar[int | None] = ContextVar("most", default=None)

T = TypeVar("T")

Names = list[tuple[str, str]]
"""Relative names of files without `.gz`, each with its full one."""

_WALKED: ContextVar[dict[Hashable, Any] | None] = ContextVar("walked", default=None)


def listed(path: Path, owns: re.Pattern[str], most: int | None = None) -> list[Path]:
    """List the files below `path` whose name relative to it `owns` matches; `path` if it is a file.

    A name is matched without `.gz`. Numbers in names count as numbers: 2 comes before 10. With
    `most`, only so many are listed.
    """
    if path.is_file():
        return [path]
    return [path / full for full in islice(_owned(path, owns), most)]


def first_listed(path: Path, owns: re.Pattern[str]) -> Path | None:
    """Return the first file that `listed` lists; None where there is none."""
    return next(iter(listed(path, owns, 1)), None)


def _owned(folder: Path, owns: re.Pattern[str]) -> Iterator[str]:
    last = ""
    for name, full in _names_below(folder):
        if name != last and owns.fullmatch(name):
            yield full
            last = name


@contextmanager
def glancing(most: int) -> Iterator[None]:
    """List only so many files of each folder inside the block: enough to recognise a format."""
    token = _MOST.set(most)
    try:
        yield
    finally:
        _MOST.reset(token)


@contextmanager
def walking_once() -> Iterator[None]:
    """List each folder and look at each file once inside the block; none may change meanwhile."""
    if _WALKED.get() is not None:
        yield
        return
    token = _WALKED.set({})
    try:
        yield
    finally:
        _WALKED.reset(token)


def once(find: Callable[[Path], T], path: Path) -> T:
    """Return what `find` returns; inside `walking_once`, it is called once for each path."""
    walked = _WALKED.get()
    if walked is None:
        return find(path)
    key = find, path
    if key not in walked:
        walked[key] = find(path)
    result: T = walked[key]
    return result


def _names_below(folder: Path) -> Names:
    """Return the files in a folder and its subfolders, but unsafe names, in natural order."""
    return once(_names if (most := _MOST.get()) is None else _first_names(most), folder)


def _names(folder: Path, most: int | None = None) -> Names:
    names = [(name, full) for full in _walk(folder, most) if safe(name := plain(full))]
    names.sort(key=lambda each: (natural(each[0]), each))
    return names


@cache
def _first_names(most: int) -> Callable[[Path], Names]:
    return partial(_names, most=most)


def _walk(folder: Path, most: int | None) -> Iterator[str]:
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        if most is not None:
            folders[:], files = sorted(folders)[:most], sorted(files)[:most]
        within = PurePath(os.path.relpath(place, folder)).as_posix()
        yield from files if within == "." else [f"{within}/{name}" for name in files]


def file_or_gz(file: Path) -> Path | None:
    """Return a file, or the same name with `.gz`; None if there is neither."""
    return next((each for each in (file, file.with_name(file.name + GZIP)) if exists(each)), None)


def natural(name: str) -> list[tuple[int, str]]:
    """Return a sort key of a file name that compares its numbers as numbers."""
    parts = _NATURAL.split(name)  # every second one is a number
    return [(int(part), "") if index % 2 else (-1, part) for index, part in enumerate(parts)]


def plain(name: str) -> str:
    """Return a file's name without `.gz`."""
    return name.removesuffix(GZIP)


def safe(name: str) -> bool:
    """True if a relative name stays below its folder: no hidden parts, no `..`, no root."""
    return _SAFE.fullmatch(name) is not None


def is_name(name: str) -> bool:
    """True if a text can be a file's name as it is: safe, no folder in it, not too long."""
    return safe(name) and "/" not in name and len(name.encode()) <= _LONGEST


def numbered(name: str) -> Iterator[str]:
    """Yield a name, and after it that name with 2, 3, … before its suffix."""
    path = PurePosixPath(name)
    yield name
    for number in count(2):
        yield path.with_name(f"{path.stem}_{number}{path.suffix}").as_posix()


def free(name: str, names: Container[str]) -> str:
    """Return a name, with 2, 3, … after it if it is taken."""
    others = (f"{name}_{number}" for number in count(2))
    return next(each for each in chain([name], others) if each not in names)


class UniqueNames:
    """The names of a corpus's files, each given once; `key` is the form that must differ."""

    def __init__(self, key: Callable[[str], str] = str) -> None:
        self._key = key
        self._taken: set[str] = set()

    def first(self, names: Iterable[str]) -> str:
        """Return the first name of an endless series that no file has yet."""
        name = next(each for each in names if self._key(each) not in self._taken)
        self._taken.add(self._key(name))
        return name
