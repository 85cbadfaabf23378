"""Draw the samples of a corpus that its challenge sets are made of, and write the sets.

challenge_train_sample/items.jsonl      an item a line; seven such folders
number_of_acts/1.jsonl                  a subpopulation a file
act_type/REQUEST.jsonl
ids.json                                set to ids; family and subpopulation to ids
manifest.json                           settings, what each set was drawn from, counts, digests
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from hashlib import blake2b, sha256
from heapq import heappush, heappushpop
from pathlib import Path
from typing import Any

import msgspec

from dialoom.corpus.files import write_synced
from dialoom.corpus.shards import MANIFEST
from dialoom.dialogue import Dialogue
from dialoom.errors import MissingDataError, UnknownNameError, UsageError
from dialoom.quality.challenge.backtranslation import BACK_TRANSLATORS
from dialoom.quality.challenge.sets import (
    FIRST,
    LAST,
    SETS,
    SUBPOPULATIONS,
    TEST,
    ChallengeSet,
    ChallengeSettings,
    GenerationItem,
    PartName,
    items,
    part_of,
)
from dialoom.sim.noise.speech import speech


class Sample:
    """Keeps the `size` items whose ids rank lowest under a hash."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.offered = 0
        self._kept: list[tuple[int, int, GenerationItem]] = []

    def offer(self, item: GenerationItem, rank: int) -> None:
        """Offer an item with the rank of its id; it is kept if the rank is low enough."""
        self.offered += 1
        entry = (-rank, -self.offered, item)  # the heap gives up its smallest: the highest rank
        if len(self._kept) < self.size:
            heappush(self._kept, entry)
        else:
            heappushpop(self._kept, entry)

    @property
    def items(self) -> list[GenerationItem]:
        """The items kept, in the order in which they were offered."""
        return [item for _, _, item in sorted(self._kept, key=lambda entry: -entry[1])]


def rank_of(seed: int, name: str, item: str) -> int:
    """Return the hash of seed, name and item id by which items are ranked."""
    key = f"{seed}:{name}:{item}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(key, digest_size=8).digest(), "little")


WHOLE = "whole corpus"
"""The name of the whole corpus, which a set is drawn from where its own part is missing."""

POOL = "pool"
"""The sample of the test part that the subpopulations are made of."""

_ASKED: dict[str, tuple[PartName, ...]] = {s.name: s.parts for s in SETS} | {POOL: TEST}


class Drawing:
    """The samples of one corpus.

    Raises:
        UsageError: A size is not positive.
        UnknownNameError: There is no such back-translator, language or choice of an act.
    """

    def __init__(self, settings: ChallengeSettings, where: Path | str = "corpus") -> None:
        for name, size in (("size", settings.size), ("pool", settings.pool)):
            if size < 1:
                raise UsageError(
                    f"--{name} is a number of items, at least 1, not {size}", code="out-of-range"
                )
        if settings.act_type not in (FIRST, LAST):
            raise UnknownNameError("act type", settings.act_type, (FIRST, LAST))
        BACK_TRANSLATORS.get(settings.back_translator)
        speech(settings.language)
        self._settings, self._where = settings, where
        self._samples: dict[tuple[str, str], Sample] = {}
        self.parts: Counter[str] = Counter()
        """Items by the part of the corpus they are in; "none" if unknown."""

    def add_all(self, dialogues: Iterable[Dialogue]) -> None:
        """Offer every item of some dialogues to the samples."""
        for dialogue in dialogues:
            part = part_of(dialogue)
            for item in items(dialogue):
                self.parts[part or "none"] += 1
                for name, parts in _ASKED.items():
                    rank = rank_of(self._settings.seed, name, item.id)
                    self._sample(name, WHOLE).offer(item, rank)
                    if part in parts:
                        self._sample(name, part).offer(item, rank)

    def drawn(self, name: str) -> tuple[str, list[GenerationItem]]:
        """Return a set's part and its unchanged items; `MissingDataError` if there are none."""
        for part in (*_ASKED[name], WHOLE):
            if sample := self._samples.get((name, part)):
                return part, sample.items
        what = f"{self._where}: no system utterance has acts; the sets are made of those that do"
        raise MissingDataError(what, code="nothing-to-ask")

    def _sample(self, name: str, part: str) -> Sample:
        key = (name, part)
        if key not in self._samples:
            self._samples[key] = Sample(
                self._settings.pool if name == POOL else self._settings.size
            )
        return self._samples[key]


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
    data = b"".join(_ENCODER.encode(item) + b"\n" for item in items)
    write_synced(file, data)
    return sha256(data).hexdigest()[:16]
