"""Write a corpus's challenge sets to a folder.

challenge_train_sample/items.jsonl      an item a line; seven such folders
number_of_acts/1.jsonl                  a subpopulation a file
act_type/REQUEST.jsonl
ids.json                                set to ids; family and subpopulation to ids
manifest.json                           settings, what each set was drawn from, counts, digests
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from dialoom.corpus.files import write_synced
from dialoom.corpus.shards import MANIFEST
from dialoom.quality.challenge.drawing import POOL, Drawing
from dialoom.quality.challenge.items import GenerationItem
from dialoom.quality.challenge.sets import SETS, SUBPOPULATIONS, ChallengeSet, ChallengeSettings

ITEMS = "items.jsonl"

IDS = "ids.json"

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}")
_ENCODER = msgspec.json.Encoder()


def write(
    drawing: Drawing, settings: ChallengeSettings, source: Mapping[str, Any], folder: Path
) -> dict[str, Any]:
    """Write every set into a staged folder and return the manifest."""
    ids: dict[str, Any] = {}
    sets: dict[str, Any] = {}
    for each in SETS:
        ids[each.name], sets[each.name] = _write_set(each, drawing, settings, folder)
    families: dict[str, Any] = {}
    part, pool = drawing.drawn(POOL)
    for family, name_of in SUBPOPULATIONS.items():
        groups = _groups(pool, partial(name_of, settings=settings))
        ids[family] = {name: [item.id for item in members] for name, members in groups.items()}
        records = _write_groups(groups, folder / family)
        families[family] = {"from": part, "items": len(pool), "subpopulations": records}
    manifest = {
        "source": dict(source),
        "settings": msgspec.to_builtins(settings),
        "parts": dict(sorted(drawing.parts.items())),
        "sets": sets,
        "families": families,
        "ids": IDS,
    }
    write_synced(folder / IDS, _ENCODER.encode(ids) + b"\n")
    text = msgspec.json.format(_ENCODER.encode(manifest), indent=2)
    write_synced(folder / MANIFEST, text + b"\n")
    return manifest


def _write_set(
    each: ChallengeSet, drawing: Drawing, settings: ChallengeSettings, folder: Path
) -> tuple[list[str], dict[str, Any]]:
    part, sample = drawing.drawn(each.name)
    changed = each.change(sample, settings)
    record = {
        "from": part,
        **each.made(settings),
        "items": len(sample),
        "changed": sum(old != new for old, new in zip(sample, changed, strict=True)),
        "digest": _write_items(changed, folder / each.name / ITEMS),
    }
    return [item.id for item in sample], record


def _groups(
    items: Iterable[GenerationItem], name_of: Callable[[GenerationItem], str]
) -> dict[str, list[GenerationItem]]:
    def order(name: str) -> tuple[int, str]:
        return (len(name) if name.isdecimal() else 0), name

    groups: dict[str, list[GenerationItem]] = defaultdict(list)
    for item in items:
        groups[name_of(item)].append(item)
    return {name: groups[name] for name in sorted(groups, key=order)}


def _write_groups(groups: Mapping[str, list[GenerationItem]], folder: Path) -> dict[str, Any]:
    """Write a file for each subpopulation; one whose name makes no file name is numbered."""
    records: dict[str, Any] = {}
    stems: set[str] = set()
    for number, (name, members) in enumerate(groups.items(), start=1):
        plain = _PLAIN.fullmatch(name) and name.casefold() not in stems
        stem = name if plain else f"{number}-"
        stems.add(stem.casefold())
        digest = _write_items(members, folder / f"{stem}.jsonl")
        records[name] = {"file": f"{stem}.jsonl", "items": len(members), "digest": digest}
    return records


def _write_items(items: Iterable[GenerationItem], file: Path) -> str:
    """Write items one a line; return the first 16 hex digits of their SHA-256."""
    data = b"".join(_ENCODER.encode(item) + b"\n" for item in items)
    write_synced(file, data)
    return sha256(data).hexdigest()[:16]
