"""Checks of a result file, including those that the challenge's script does not make.

E codes are errors of shape, with which a file cannot be scored; W codes are rankings that can be
scored, but probably not as they were meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from dialoom.errors import clip
from dialoom.formats.dstc6.results import rank_of
from dialoom.quality.lint import Finding
from dialoom.schema.findings import SEVERITIES

CODES = {
    "E001": "not a list of entries",
    "E002": "entry without a dialog_id",
    "E003": "entry without a list of candidates",
    "E004": "candidate without a candidate_id",
    "E005": "candidate without a rank from 1",
    "W001": "dialogue that the dialogue file does not have",
    "W002": "candidate that the dialogue does not have",
    "W003": "dialogue ranked twice",
    "W004": "candidate ranked twice",
    "W005": "rank given twice",
    "W006": "gap in the ranks",
    "W007": "candidate without a rank",
    "W008": "dialogue without a ranking",
}

Known = Mapping[str, frozenset[str]]


def check(raw: Any, file: str, reference: Known | None = None) -> Iterator[Finding]:
    """Yield the faults of a decoded result file; without `reference`, ids are not checked."""
    if not isinstance(raw, list):
        yield _finding("E001", file, "", "", "expected a list of {dialog_id, lst_candidate_id}")
        return
    ids: set[str] = set()
    for index, entry in enumerate(raw):
        for code, pointer, dialogue, what in _entry(entry, reference, ids):
            yield _finding(code, file, dialogue, f"/{index}{pointer}", what)
    for dialogue in reference or ():
        if dialogue not in ids:
            yield _finding("W008", file, dialogue, "", "has no ranking and counts as wrong")


Wrong = tuple[str, str, str, str]
"""Code, pointer within the entry, dialogue, and what is wrong."""


def _entry(entry: Any, dialogues: Known | None, ids: set[str]) -> Iterator[Wrong]:
    name = entry.get("dialog_id") if isinstance(entry, dict) else None
    if not isinstance(name, str):
        yield "E002", "", "", "expected an object with a text `dialog_id`"
        return
    if name in ids:
        yield "W003", "", name, "is ranked twice; the last ranking counts"
    ids.add(name)
    if dialogues is not None and name not in dialogues:
        yield "W001", "", name, "is in no dialogue of the file and is ignored"
    ranked = entry.get("lst_candidate_id")
    if not isinstance(ranked, list):
        yield "E003", "", name, "expected `lst_candidate_id` to be a list of {candidate_id, rank}"
        return
    pairs: list[tuple[str, int]] = []
    for place, candidate in enumerate(ranked):
        pointer = f"/lst_candidate_id/{place}"
        for code, what in _candidate(candidate, pairs):
            yield code, pointer, name, what
    for code, what in _ranks(pairs, dialogues.get(name) if dialogues is not None else None):
        yield code, "/lst_candidate_id", name, what


def _candidate(raw: Any, pairs: list[tuple[str, int]]) -> Iterator[tuple[str, str]]:
    """Yield a candidate's mistakes; without any, add it with its rank to `pairs`."""
    id_ = raw.get("candidate_id") if isinstance(raw, dict) else None
    if not isinstance(id_, str):
        yield "E004", "expected an object with a text `candidate_id`"
        return
    rank = rank_of(raw.get("rank"))
    if rank is None:
        yield "E005", f"the rank of {id_!r} is {raw.get('rank')!r}, expected a number from 1"
    else:
        pairs.append((id_, rank))


def _ranks(
    pairs: list[tuple[str, int]], candidates: frozenset[str] | None
) -> Iterator[tuple[str, str]]:
    names = Counter(name for name, _ in pairs)
    ranks = Counter(rank for _, rank in pairs)
    if candidates is not None:
        for name in names:
            if name not in candidates:
                yield "W002", f"{name!r} is no candidate of this dialogue"
        left = len(candidates - names.keys())
        if left:
            yield "W007", f"{left} of {len(candidates)} candidates have no rank"
    for name, n in names.items():
        if n > 1:
            yield "W004", f"{name!r} is ranked {n} times; the best rank counts"
    for rank, n in ranks.items():
        if n > 1:
            yield "W005", f"{n} candidates have the rank {rank}; the last counts"
    if ranks and max(ranks) > len(ranks):
        first = next(rank for rank in range(1, max(ranks)) if rank not in ranks)
        yield "W006", f"no candidate has the rank {first}, but one has the rank {max(ranks)}"


def _finding(code: str, file: str, dialogue: str, pointer: str, what: str) -> Finding:
    return Finding(
        code=code,
        severity=SEVERITIES[code[0]],
        file=file,
        pointer=pointer,
        message=clip(f"{CODES[code]}: {what}", 400),
        dialogue=dialogue,
    )
