"""The files of a native corpus: shards of dialogues, task schemas and the manifest that lists them.

Large simulations write these; formats/native.py reads them, and shows the layout.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from dialoom.corpus.files import write_synced
from dialoom.corpus.listing import is_name
from dialoom.dialogue import Dialogue, digest, encode
from dialoom.schema.task import TaskSchema

SHARD = 1000
"""Dialogues a shard: one is some 10 MB, small enough to hold in memory."""

VERSION = 1

MANIFEST = "manifest.json"

COLLECTED = "collected"
"""The manifest's key for the settings of the study that collected the dialogues."""


class Manifest(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The manifest of a native corpus."""

    native: int
    dialogues: int
    shards: dict[str, str]
    """File name to the first 16 hex digits of the SHA-256 of its lines."""
    schemas: dict[str, str] = {}
    """Task to the digest of its schema."""
    licence: str | None = None
    citation: str | None = None
    extra: dict[str, Any] = {}


class Shard(msgspec.Struct, frozen=True):
    """One shard that has been written: its file, its digest, how many dialogues it has."""

    name: str
    digest: str
    dialogues: int


def render_lines(dialogues: Iterable[Dialogue]) -> bytes:
    """Return dialogues as the lines of a shard."""
    return b"".join(encode(dialogue) + b"\n" for dialogue in dialogues)


def shard_name(number: int) -> str:
    """Return the file name of a shard."""
    return f"dialogues-{number:05d}.jsonl"


def line_digest(lines: bytes) -> str:
    """Return the digest of a shard's lines, as the manifest has it."""
    return hashlib.sha256(lines).hexdigest()[:16]


def write_shard(folder: Path, number: int, lines: bytes, dialogues: int) -> Shard:
    """Write a shard into a staged folder."""
    name = shard_name(number)
    write_synced(folder / name, lines)
    return Shard(name, line_digest(lines), dialogues)


def write_schemas(schemas: Mapping[str, TaskSchema], folder: Path) -> dict[str, str]:
    """Write a file for each task, named or else numbered; return their digests by task."""
    for number, (task, schema) in enumerate(sorted(schemas.items())):
        name = f"{task}.json"
        file = folder / "schemas" / (name if is_name(name) else f"{number}.schema.json")
        write_synced(file, msgspec.json.format(msgspec.json.encode(schema), indent=2))
    return {task: digest(schema) for task, schema in sorted(schemas.items())}


def write_manifest(
    folder: Path,
    shards: Iterable[Shard],
    schemas: Mapping[str, str],
    extra: Mapping[str, Any] | None = None,
) -> Manifest:
    """Write the manifest of the shards and schemas in `folder`."""
    shards = list(shards)
    manifest = Manifest(
        native=VERSION,
        dialogues=sum(shard.dialogues for shard in shards),
        shards={shard.name: shard.digest for shard in shards},
        schemas=dict(schemas),
        extra=dict(extra or {}),
    )
    write_synced(folder / MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
    return manifest


def note(folder: Path, extra: Mapping[str, Any]) -> None:
    """Add to what the manifest in `folder` records of the dialogues."""
    file = folder / MANIFEST
    manifest = msgspec.json.decode(file.read_bytes(), type=Manifest)
    manifest = msgspec.structs.replace(manifest, extra={**manifest.extra, **extra})
    write_synced(file, msgspec.json.format(msgspec.json.encode(manifest)))
