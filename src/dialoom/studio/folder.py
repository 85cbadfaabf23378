"""The folder that the studio shows: paths inside it, and a list of what it contains."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Literal, NamedTuple

import msgspec

from dialoom.collect.message import Refused
from dialoom.errors import MissingDataError, clip

DEEPEST, MOST = 5, 2000
"""Levels of folders that are searched, and most entries of the list."""

SKIPPED = ("node_modules", "__pycache__", "venv")
"""Names of folders that are not searched, apart from those that begin with a dot."""

EntryKind = Literal[
    "task", "settings", "corpus", "run", "result", "study", "link", "unreadable", "other"
]


class Recognised(NamedTuple):
    """The kind of an entry, and the name of its format, agent or protocol."""

    kind: EntryKind
    name: str = ""


Recogniser = Callable[[Path], Recognised | None]
"""Returns the kind of a file or folder that a view opens; None for others."""


class EntryAt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request about a file or folder, by its path in the studio's folder."""

    path: str


class FolderEntry(msgspec.Struct, frozen=True):
    """A file or folder.

    Attributes:
        path: Its path from the studio's folder, with `/` between names.
        view: The view that opens it; empty where none does.
        kind: "link" leads out of the folder; "other" is not recognised.
        name: The name of its format, agent or protocol.
        changed: When it was last written (seconds since 1970).
    """

    path: str
    view: str
    kind: EntryKind
    name: str
    changed: float


class FolderListing(msgspec.Struct, frozen=True):
    """The content of a folder.

    Attributes:
        cut: True if there are more than `MOST` entries.
        walking: True if there may be entries that are not found yet.
        search: The number of the search that finds them all.
    """

    name: str
    path: str
    entries: list[FolderEntry]
    cut: bool
    walking: bool
    search: int


class _Walk:
    def __init__(self, number: int, entries: Iterator[FolderEntry]) -> None:
        self.number = number
        self.found: list[FolderEntry] = []
        self.whole = False
        self.ended = Event()
        self._entries = entries
        Thread(target=self._go, daemon=True).start()

    def _go(self) -> None:
        try:
            for entry in islice(self._entries, MOST):
                self.found.append(entry)
            self.whole = next(self._entries, None) is None
        finally:
            self.ended.set()


class StudioFolder:
    """A folder, and what recognises its entries for each view."""

    def __init__(self, root: Path, recognisers: Mapping[str, Recogniser] | None = None) -> None:
        if not root.is_dir():
            raise MissingDataError(f"{root}: no such folder")
        self.root = root.resolve()
        self._recognisers = dict(recognisers or {})
        self._lock = Lock()
        self._walk: _Walk | None = None
        self._last: list[FolderEntry] | None = None

    def inside(self, path: str) -> Path:
        """Return the path of a file or folder, which need not exist.

        Raises:
            Refused: It is not in the folder (`outside`), also by a link that leads out of it.
        """
        try:
            place = (self.root / path).resolve()
            place.exists()
        except (OSError, ValueError, RuntimeError):  # a name too long, a null, a link to itself
            place = None
        if place is None or not place.is_relative_to(self.root):
            raise Refused("outside", f"{clip(path)}: not in the folder {self.root.name}")
        return place

    def name(self, place: Path) -> str:
        """Return the path of a place from the folder, with `/` between names."""
        return place.relative_to(self.root).as_posix()

    def listing(self, seconds: float | None = None, search: int = 0) -> FolderListing:
        """Return what the folder contains, by path.

        Args:
            seconds: The time after which the entries of the last whole search are returned or,
                without one, those found so far. None waits for all.
            search: The number of the search that is waited for; by default one that begins now.
        """
        walk, search = self._searching(search)
        ended = walk.ended.wait(seconds)
        if ended:
            self._last = walk.found
            if walk.number < search:  # it was past some places when it was asked for
                return self.listing(seconds, search)
        return FolderListing(
            name=self.root.name,
            path=str(self.root),
            entries=list(walk.found if self._last is None else self._last),
            cut=ended and not walk.whole,
            walking=not ended,
            search=search,
        )

    def _searching(self, search: int) -> tuple[_Walk, int]:
        with self._lock:
            walk = self._walk
            search = search or (walk.number + 1 if walk else 1)
            if walk is None or (walk.ended.is_set() and walk.number < search):
                number = walk.number + 1 if walk else 1
                walk = self._walk = _Walk(number, self._below(self.root, 1))
            return walk, search

    @property
    def entries(self) -> list[FolderEntry]:
        """The entries at the last look at the folder; a first look if there was none."""
        return self.listing().entries if self._last is None else self._last

    def _below(self, folder: Path, depth: int) -> Iterator[FolderEntry]:
        try:
            entries = sorted(
                os.scandir(folder), key=lambda each: (each.is_dir(follow_symlinks=False), each.name)
            )
        except OSError:
            yield self._entry(folder, "", Recognised("unreadable"))
            return
        for each in entries:
            if each.name.startswith(".") or each.name in SKIPPED:
                continue
            yield from self._recognised(Path(each.path), depth)

    def _recognised(self, place: Path, depth: int) -> Iterator[FolderEntry]:
        try:
            self.inside(place.as_posix())
        except Refused:
            yield self._entry(place, "", Recognised("link"))
            return
        for view, recognise in self._recognisers.items():
            verdict = recognise(place)
            if verdict is not None:
                yield self._entry(place, view, verdict)
                return
        if not place.is_dir():
            yield self._entry(place, "", Recognised("other"))
        elif depth < DEEPEST and not place.is_symlink():
            yield from self._below(place, depth + 1)

    def _entry(self, place: Path, view: str, verdict: Recognised) -> FolderEntry:
        try:
            changed = place.lstat().st_mtime
        except OSError:
            changed = 0.0
        return FolderEntry(self.name(place), view, *verdict, changed)
