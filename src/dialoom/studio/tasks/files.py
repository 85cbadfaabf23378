"""Reads and saves task files; a file that changed on the disk since is not overwritten."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from dialoom.collect.message import Refused
from dialoom.corpus.files import BOM, locked, write_atomic
from dialoom.errors import UsageError
from dialoom.schema import pack
from dialoom.schema.lexicon import languages
from dialoom.schema.places import read_text
from dialoom.schema.yaml.grammar import json_schema
from dialoom.serve.responses import Nothing
from dialoom.studio.folder import Recognised, StudioFolder

HEAD = 65_536
"""Bytes of a file in which its first keys are looked for."""

STARTER, EMPTY = "starter", "empty"
"""Templates of new tasks that are no bundled tasks."""

CRLF = b"\r\n"


class AskedFile(msgspec.Struct, frozen=True):
    """A task file; if there is none yet, it begins with the text of a bundled task."""

    path: str
    template: str = ""


class SavedFile(msgspec.Struct, frozen=True):
    """A text to save.

    Attributes:
        tag: The tag of the content that the page has read; empty for a new file.
        anyway: Whether to overwrite a file that changed since.
    """

    path: str
    text: str
    tag: str
    anyway: bool = False


def head(path: Path) -> bytes:
    """Return the first `HEAD` bytes of a YAML file; empty for others."""
    if path.suffix not in pack.SUFFIXES or not path.is_file():
        return b""
    try:
        with path.open("rb") as file:
            return file.read(HEAD)
    except OSError:
        return b""


def recognise(path: Path) -> Recognised | None:
    """Recognise a task file; return None for any other file."""
    return Recognised("task") if re.search(rb"^task:", head(path), re.MULTILINE) else None


def read(
    folder: StudioFolder, request: AskedFile, starter: Callable[[str, str], str] | None = None
) -> dict[str, str]:
    """Return a file's text and tag; for a file that is not there, a template and no tag.

    Args:
        starter: Returns the text of a new file by name and template; that of a task by default.
    """
    place = _place(folder, request.path)
    if place.exists():
        text, tag = read_text(place).replace("\r\n", "\n"), _tag(place)
    else:
        text, tag = (starter or _begun)(place.stem, request.template), ""
    return {"text": text, "tag": tag}


def save(folder: StudioFolder, saved: SavedFile) -> dict[str, str]:
    """Write a text whole, and return its tag.

    Line ends and the byte order mark of the file stay.

    Raises:
        Refused: The file is not the one that was read (`changed`), and `anyway` is false.
        OutputError: It cannot be written; the earlier content is unchanged.
    """
    place = _place(folder, saved.path)
    with locked(folder.root):
        if _tag(place) != saved.tag and not saved.anyway:
            what = f"{saved.path} was changed by another program since it was read."
            raise Refused("changed", what)
        before = place.read_bytes() if place.exists() else b""
        data = saved.text.encode()
        if CRLF in before:
            data = data.replace(b"\n", CRLF)
        write_atomic(place, (BOM if before.startswith(BOM) else b"") + data)
        return {"tag": _tag(place)}


def templates(folder: StudioFolder, _: Nothing) -> list[str]:
    """Return the names of the bundled tasks that a new one can begin with."""
    return sorted(name for each in pack.PACKS for name in pack.names(each))


def grammar(folder: StudioFolder, _: Nothing) -> dict[str, Any]:
    """Return the JSON Schema of task files, with the known languages."""
    schema = json_schema()
    schema["properties"]["language"]["examples"] = languages()
    return schema


def _place(folder: StudioFolder, path: str) -> Path:
    if Path(path).suffix not in pack.SUFFIXES:
        raise UsageError(f"{path}: right would be a file that ends in .yaml or .yml")
    return folder.inside(path)


def _begun(name: str, template: str) -> str:
    text = pack.starter(name)
    if template == EMPTY:
        return ""
    if template in ("", STARTER):
        return text
    return re.sub(r"^task:.*$", f"task: {name}", pack.text(template), count=1, flags=re.MULTILINE)


def _tag(place: Path) -> str:
    try:
        return hashlib.sha256(place.read_bytes()).hexdigest()
    except FileNotFoundError:
        return ""
