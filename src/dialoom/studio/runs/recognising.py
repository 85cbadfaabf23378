"""Recognises runs, results and studies in a folder, and finds the admin page of a study."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

import msgspec

from dialoom.collect.log.serving import served_at
from dialoom.collect.message import Refused
from dialoom.corpus.shards import MANIFEST
from dialoom.errors import DialoomError, clip
from dialoom.play.results.run import KIND
from dialoom.studio.folder import EntryAt, EntryKind, Recognised, StudioFolder
from dialoom.studio.routes import reads

HEAD = 4096
"""Bytes of a file in which its first keys are looked for."""

_RESULT = re.compile(rb'\s*{\s*"protocol":\s*"([^"]{1,100})",\s*"title":')
_SQLITE = b"SQLite format 3\0"


def recognise(path: Path) -> Recognised | None:
    """Recognise a run, a result or a study; return None for other files and folders."""
    try:
        status = (path / MANIFEST if path.is_dir() else path).stat()
    except OSError:
        return None
    return _recognised(path, status.st_mtime_ns, status.st_size)


def place_of(folder: StudioFolder, name: str, kind: EntryKind) -> Path:
    """Return the path of a run, result or study; `Refused` for what is none."""
    path = folder.inside(name)
    verdict = recognise(path)
    if verdict is None or verdict.kind != kind:
        raise Refused("unknown", f"{clip(name)}: is no {kind}")
    return path


@lru_cache(maxsize=4096)
def _recognised(path: Path, changed: int, size: int) -> Recognised | None:
    try:
        return _played(path) if path.is_dir() else _file(path)
    except (OSError, DialoomError, msgspec.MsgspecError, ValueError, sqlite3.Error):
        return None


def _played(path: Path) -> Recognised | None:
    manifest = msgspec.json.decode((path / MANIFEST).read_bytes())
    settings = manifest.get("extra", {}).get(KIND) if isinstance(manifest, dict) else None
    if not isinstance(settings, dict):
        return None
    return Recognised("run", clip(str(settings.get("agent")), 40))


def _file(path: Path) -> Recognised | None:
    with path.open("rb") as stream:
        head = stream.read(HEAD)
    if header := _RESULT.match(head):
        return Recognised("result", header[1].decode("utf-8", "replace"))
    return Recognised("study") if head.startswith(_SQLITE) and _is_study(path) else None


def _is_study(path: Path) -> bool:
    with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as database:
        names = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    return {"meta", "record", "lease"} <= names


def study(folder: StudioFolder, request: EntryAt) -> dict[str, str | None]:
    """Return the link of a study's admin; null if no program serves the study."""
    return {"admin": served_at(place_of(folder, request.path, "study"))}


ROUTES = [reads("/api/runs/study", EntryAt, study)]
