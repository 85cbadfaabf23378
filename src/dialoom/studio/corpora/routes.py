"""The routes of the view of corpora: lists, a dialogue, progress of indexing, patches."""

from __future__ import annotations

import getpass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dialoom import formats
from dialoom.collect.message import Refused
from dialoom.corpus import Corpus
from dialoom.corpus.patches import Overlay, Patch, overlay_of
from dialoom.dialogue import Dialogue, digest
from dialoom.errors import clip
from dialoom.quality.lint import linter_for
from dialoom.studio.corpora.building import IndexState, set_findings
from dialoom.studio.corpora.dialogue_view import ShownDialogue, remarks_of, shown
from dialoom.studio.corpora.index import PLACES, CorpusIndex, transaction
from dialoom.studio.corpora.indexing import Indexing
from dialoom.studio.corpora.mending import MendForm, change
from dialoom.studio.corpora.places import read_again
from dialoom.studio.corpora.search import Wanted, facets, keep_facets, search
from dialoom.studio.folder import EntryAt, StudioFolder
from dialoom.studio.routes import acts, reads
from dialoom.studio.watching import polled

BUSY, IDLE = 0.3, 3.0
"""Seconds between two reports of progress, and between two looks at an indexed corpus."""


class Listing(Wanted, frozen=True, kw_only=True):
    """The dialogues of a corpus that are wanted."""

    path: str


class DialogueAt(EntryAt, frozen=True, kw_only=True):
    """A dialogue, by its number or, where that is None, by its id."""

    number: int | None = None
    id: str = ""


class Mend(EntryAt, frozen=True, kw_only=True):
    """A change of an annotation.

    Attributes:
        version: The version of the dialogue that the change was made of.
        pointer: The annotation, or the event that gets another one.
        form: The new annotation; None to remove it.
        who: The author.
        undo: Take the dialogue's last patch back instead.
    """

    number: int
    version: str
    who: str
    pointer: str = ""
    form: MendForm | None = None
    note: str = ""
    undo: bool = False


class OpenDialogue(msgspec.Struct, frozen=True, kw_only=True):
    """A dialogue with its place in the corpus.

    Attributes:
        before: The number of the dialogue before it; None for the first.
        same: The numbers of all dialogues with its id.
        who: The suggested author of patches.
        overlay: The file that patches are written to, below the studio's folder; empty where none
            can be written.
    """

    number: int
    file: str
    dialogue: ShownDialogue
    before: int | None
    after: int | None
    same: list[int]
    who: str
    overlay: str


class NotIndexedError(Refused):
    """A dialogue that is not in the index of its corpus."""


def _place(folder: StudioFolder, path: str) -> Path:
    place = folder.inside(path)
    if not place.exists():
        raise Refused("unknown", f"{clip(path)}: there is no such file or folder")
    return place


def dialogues(folder: StudioFolder, request: Listing) -> Any:
    """Return a page of the dialogues of a corpus."""
    index = CorpusIndex(_place(folder, request.path))
    with index.reading() as database:
        errors = database.execute("SELECT error FROM file WHERE error IS NOT NULL LIMIT 20")
        return {
            "format": index.format(),
            "errors": [error for (error,) in errors],
            **msgspec.structs.asdict(search(database, request)),
        }


def values(folder: StudioFolder, request: EntryAt) -> Any:
    """Return the values of filters with their numbers of dialogues."""
    with CorpusIndex(_place(folder, request.path)).reading() as database:
        return facets(database)


class _Source:
    def __init__(self, path: Path, address: DialogueAt) -> None:
        self.path, self.index = path, CorpusIndex(path)
        key, value = ("name", address.id) if address.number is None else ("id", address.number)
        with self.index.reading() as database:
            row = database.execute(
                "SELECT dialogue.id, dialogue.name, start, length, file.name, (SELECT count(*) "
                "FROM dialogue AS other WHERE other.name = dialogue.name AND other.id "
                f"BETWEEN dialogue.id / {PLACES} * {PLACES} AND dialogue.id - 1) FROM dialogue "
                f"JOIN file ON file.id = dialogue.id / {PLACES} WHERE dialogue.{key} = ? "
                "ORDER BY dialogue.id LIMIT 1",
                (value,),
            ).fetchone()
            stamp = database.execute("SELECT max(changed), count(*) FROM file").fetchone()
            kind = database.execute("SELECT format FROM corpus").fetchone()
        if row is None or kind is None:
            what = clip(address.id or f"number {address.number}")
            raise NotIndexedError("unknown", f"{path.name}: has no dialogue {what} in its index")
        self.number, self.id, start, length, self.file, self.nth = row
        self.corpus = _corpus(path, kind[0], stamp)
        place = None if start is None else (start, length)
        file, position = self.corpus.root / self.file, self.number % PLACES
        self.dialogue = read_again(self.corpus, file, position, place, self.id)
        self.overlay = Overlay(overlay_of(path))

    def opened(self, folder: StudioFolder) -> OpenDialogue:
        with self.index.reading() as database:
            remarks = remarks_of(database, self.number)
            one = "SELECT {}(id) FROM dialogue WHERE id {} ?"
            (before,) = database.execute(one.format("max", "<"), (self.number,)).fetchone()
            (after,) = database.execute(one.format("min", ">"), (self.number,)).fetchone()
            same = database.execute("SELECT id FROM dialogue WHERE name = ?", (self.id,))
            numbers = [number for (number,) in same]
        return OpenDialogue(
            number=self.number,
            file=self.file,
            dialogue=shown(self.dialogue, remarks, self.overlay, self.nth),
            before=before,
            after=after,
            same=numbers,
            who=_user(),
            overlay=folder.name(self.overlay.file) if self.writable(folder) else "",
        )

    def writable(self, folder: StudioFolder) -> bool:
        """True if patches can be written inside the studio's folder."""
        return self.overlay.file.is_relative_to(folder.root)

    def mended(self, folder: StudioFolder, mend: Mend) -> OpenDialogue:
        """Write a patch, check the dialogue again, and return it."""
        if not self.writable(folder):
            above = "patches lie next to a corpus: open the studio on the folder above it"
            raise Refused("outside", f"{self.path.name}: {above}")
        with self.overlay.locked():
            now = self.overlay.applied(self.dialogue, self.nth)
            if digest(now) != mend.version:
                raise Refused("changed", "the dialogue changed meanwhile; here it is as it is now")
            mended = self.overlay.append(now, self._patch(now, mend))
        findings = linter_for(self.corpus).check(mended, self.file)
        with self.index.writing() as database, transaction(database):
            set_findings(database, self.number, findings)
            keep_facets(database)
        return self.opened(folder)

    def _patch(self, now: Dialogue, mend: Mend) -> Patch:
        who = clip(mend.who)
        if not who:
            raise Refused("nobody", "a patch needs the name of its author")
        when = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        if not mend.undo:
            patch = change(now, mend.pointer, mend.form, who, when, clip(mend.note, 1000))
            return replace(patch, nth=self.nth)
        patches = self.overlay.of(self.dialogue, self.nth)
        if not patches:
            raise Refused("unknown", f"dialogue {clip(self.id)} has no patches")
        return patches[-1].undone(who, when)


@lru_cache(maxsize=8)
def _corpus(path: Path, format: str, stamp: tuple[Any, ...]) -> Corpus:
    """Return a corpus, with its schemas in memory; `stamp` is another one when its files change."""
    return formats.load(path, format)


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # no name for the number of this user
        return ""


def dialogue(folder: StudioFolder, request: DialogueAt) -> OpenDialogue | None:
    """Return a dialogue as the page shows it; None if it is not in the index, perhaps not yet."""
    path = _place(folder, request.path)
    try:
        return _Source(path, request).opened(folder)
    except NotIndexedError:
        return None


def mend(folder: StudioFolder, request: Mend) -> OpenDialogue:
    """Write a patch of a dialogue next to its corpus."""
    at = DialogueAt(path=request.path, number=request.number)
    return _Source(_place(folder, request.path), at).mended(folder, request)


async def progress(request: Request) -> Response:
    """Send the state of a corpus's index as it changes; index what is new or changed."""
    folder: StudioFolder = request.app.state.folder
    place = _place(folder, request.query_params.get("path", ""))
    indexing: Indexing = request.app.state.indexing
    return polled(request, "index", lambda: indexing.look(place), _pause)


def _pause(state: IndexState) -> float:
    return IDLE if state.phase in ("done", "failed") else BUSY


ROUTES = [
    reads("/api/corpora/dialogues", Listing, dialogues),
    reads("/api/corpora/values", EntryAt, values),
    reads("/api/corpora/dialogue", DialogueAt, dialogue),
    acts("/api/corpora/mend", Mend, mend),
    Route("/api/corpora/progress", progress),
]
