"""The file that lists the copies of corpora which a user added.

$DIALOOM_HOME/corpora.json, else $XDG_DATA_HOME/dialoom/corpora.json,
else ~/.local/share/dialoom/corpora.json

{"version": 1, "copies": {"sgd": {"path": "/data/sgd", "format": "sgd", "corpus": "sgd",
                                  "counts": {"files": 113, "dialogues": 14388}}}}
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from dialoom.corpus.files import exists, read_json, write_atomic
from dialoom.errors import FormatError, UsageError

HOME, DATA_HOME = "DIALOOM_HOME", "XDG_DATA_HOME"
"""Environment variables that say where the file is."""

VERSION = 1


class Copy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A copy of a corpus.

    Attributes:
        corpus: Its name in the catalogue, if it is there.
        counts: Its counts at that time.
        whole: Whether that was all; None where the catalogue has no figures.
    """

    path: str
    format: str
    corpus: str | None = None
    counts: dict[str, int] = {}
    whole: bool | None = None


class _Registry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: int
    copies: dict[str, Copy] = {}


def registry() -> Path:
    """Return the file that copies are noted in; it need not be there."""
    if home := os.environ.get(HOME):
        return Path(home) / "corpora.json"
    data = os.environ.get(DATA_HOME) or ""
    base = Path(data) if Path(data).is_absolute() else Path("~/.local/share").expanduser()
    return base / "dialoom" / "corpora.json"


def copies() -> dict[str, Copy]:
    """Return the added copies by name; `FormatError` if their file is damaged."""
    file = registry()
    if not exists(file):
        return {}
    try:
        found = msgspec.convert(read_json(file), _Registry)
    except msgspec.ValidationError as error:
        raise FormatError(file, f"not a list of copies: {error}; remove it") from error
    if found.version != VERSION:
        raise FormatError(file, f"version {found.version}; this dialoom reads {VERSION}")
    return found.copies


def add(name: str, copy: Copy) -> Path:
    """Add or replace a copy, return the file; `UsageError` for a name like a path."""
    if not name or not name.isprintable() or set(name) & set("/\\") or name.startswith((".", "-")):
        raise UsageError(f"{name!r} is no name of a corpus: no slashes, no dot or dash first")
    known: Mapping[str, Copy] = {**copies(), name: copy}
    value = _Registry(VERSION, dict(sorted(known.items())))
    file = registry()
    write_atomic(file, msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")
    return file


def located(path: Path) -> Path:
    """Return `path`, or where the copy of that name lies if nothing does at `path`."""
    if len(path.parts) == 1 and not exists(path) and (copy := copies().get(str(path))):
        return Path(copy.path)
    return path
