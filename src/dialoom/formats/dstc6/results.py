"""Result files: the candidates of each dialogue with their ranks.

    [{"dialog_id": "7b1e", "lst_candidate_id": [{"candidate_id": "04aa", "rank": 1}, …]}, …]

Ranks begin at 1; they may be numbers or texts of digits, as in the challenge's scripts. The answers
to a test file, in a file `dialog-….answers.json` next to it, have the same form.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dialoom.corpus.files import exists, parse_json
from dialoom.corpus.listing import GZIP, plain
from dialoom.dialogue import Dialogue, Options
from dialoom.errors import FormatError
from dialoom.formats.base.codec import marks
from dialoom.formats.base.multi_file import content

MAX_RANK = 10**9
"""Largest rank; no list of candidates is that long."""


class Ranking(NamedTuple):
    """The candidates of a dialogue with their ranks, in the order of the file."""

    dialogue: str
    candidates: tuple[tuple[str, int], ...]

    def best(self) -> str | None:
        """Return the candidate of rank 1; of several the last, as the challenge's scripts do."""
        return next((name for name, rank in reversed(self.candidates) if rank == 1), None)


def load_results(file: Path) -> list[Ranking]:
    """Read a file of results or answers; `FormatError` if it is in another form."""
    return list(read_results(parse_json(content(file), file), file))


def read_results(raw: Any, file: Path) -> Iterator[Ranking]:
    """Yield the rankings of a decoded result file; `FormatError` for another value."""
    if not isinstance(raw, list):
        raise FormatError(file, "expected a list of {dialog_id, lst_candidate_id}")
    for index, entry in enumerate(raw):
        place = f"{file}, entry {index}"
        if not isinstance(entry, dict) or not isinstance(entry.get("dialog_id"), str):
            raise FormatError(place, "expected an object with a text `dialog_id`")
        ranked = entry.get("lst_candidate_id")
        if not isinstance(ranked, list):
            what = "expected `lst_candidate_id` to be a list of {candidate_id, rank}"
            raise FormatError(file, what, dialogue=entry["dialog_id"])
        pairs = tuple(_pair(one, file, entry["dialog_id"]) for one in ranked)
        yield Ranking(entry["dialog_id"], pairs)


def _pair(raw: Any, file: Path, dialogue: str) -> tuple[str, int]:
    if not isinstance(raw, dict) or not isinstance(raw.get("candidate_id"), str):
        raise FormatError(file, "expected a text `candidate_id` in each", dialogue=dialogue)
    rank = rank_of(raw.get("rank"))
    if rank is None:
        what = f"the rank of {raw['candidate_id']!r} is {raw.get('rank')!r}, expected one from 1"
        raise FormatError(file, what, dialogue=dialogue)
    return raw["candidate_id"], rank


def rank_of(value: Any) -> int | None:
    """Return a rank given as a number or a text of digits; None if it is no rank."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 1 <= value <= MAX_RANK else None


def render_results(rankings: Iterable[tuple[str, Sequence[tuple[str, int]]]]) -> bytes:
    """Return the content of a result file."""
    entries = (
        json.dumps(
            {
                "dialog_id": dialogue,
                "lst_candidate_id": [{"candidate_id": c, "rank": rank} for c, rank in candidates],
            }
        )
        for dialogue, candidates in rankings
    )
    return f"[{', '.join(entries)}]".encode()


SUFFIXES = (".answers.json", ".json.answers.json")
"""Suffixes of a file of answers, one of which replaces the `.json` of the dialogue file."""


class Answers:
    """The answers in a file, each taken once."""

    def __init__(self, file: Path | None, suffix: str, answers: dict[str, str]) -> None:
        self.file, self.suffix = file, suffix
        self._left = answers

    def take(self, dialogue: str) -> str | None:
        """Return the id of a dialogue's right candidate; None if the file has none."""
        return self._left.pop(dialogue, None)

    def check_all_used(self) -> None:
        """Raise `FormatError` if there are answers to dialogues that do not exist."""
        if self._left and self.file is not None:
            first = next(iter(self._left))
            what = f"answers {len(self._left)} dialogues that the file of dialogues does not have"
            raise FormatError(self.file, f"{what}, the first being {first!r}", code="not-asked")


def read_answers(file: Path) -> Answers:
    """Read the answers next to a file, if any; `FormatError` if two are to one dialogue."""
    stem = plain(file.name).removesuffix(".json")
    for suffix in SUFFIXES:
        for name in (f"{stem}{suffix}", f"{stem}{suffix}{GZIP}"):
            path = file.with_name(name)
            if path != file and exists(path):
                return Answers(path, suffix, _first(path))
    return Answers(None, SUFFIXES[0], {})


def _first(file: Path) -> dict[str, str]:
    answers: dict[str, str] = {}
    for ranking in read_results(parse_json(content(file), file), file):
        best = ranking.best()
        if best is None:
            raise FormatError(
                file, "has no candidate of rank 1", dialogue=ranking.dialogue, code="no-key"
            )
        if ranking.dialogue in answers:
            raise FormatError(file, "answers it twice", dialogue=ranking.dialogue, code="twice")
        answers[ranking.dialogue] = best
    return answers


def answer_suffix(options: Options) -> str | None:
    """Return the suffix of the file for the answer; None if the answer is in the item itself."""
    suffix = marks(options.extra).get("beside")
    return suffix if isinstance(suffix, str) and suffix in SUFFIXES else None


def companions(dialogues: Sequence[Dialogue], name: str) -> dict[str, bytes]:
    """Return the file of answers for these dialogues, if they were read with one."""
    files: dict[str, dict[str, list[tuple[str, int]]]] = {}
    for dialogue in dialogues:
        options = dialogue.events[-1] if dialogue.events else None
        if isinstance(options, Options) and options.choice is not None:
            suffix = answer_suffix(options)
            if suffix is not None:
                answers = files.setdefault(suffix, {})
                answers.setdefault(dialogue.id, [(options.choice, 1)])
    stem = name.removesuffix(".json")
    return {f"{stem}{suffix}": render_results(answers.items()) for suffix, answers in files.items()}
