"""Answers to a test file, in a file `dialog-….answers.json` with the form of a result file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dialoom.corpus.files import exists, parse_json
from dialoom.corpus.listing import GZIP, plain
from dialoom.dialogue import Dialogue, Options
from dialoom.errors import FormatError
from dialoom.formats.base.codec import marks
from dialoom.formats.base.multi_file import content
from dialoom.formats.dstc6.results import read_results, render_results

SUFFIXES = (".answers.json", ".json.answers.json")
"""Suffixes of a file of answers, one of which replaces the `.json` of the dialogue file."""


class Answers:
    """The answers in a file, each taken once."""

    def __init__(self, file: Path | None, suffix: str, known: dict[str, str]) -> None:
        self.file, self.suffix = file, suffix
        self._left = known

    def take(self, dialogue: str) -> str | None:
        """Return the id of a dialogue's right candidate; None if the file has none."""
        return self._left.pop(dialogue, None)

    def check_all_used(self) -> None:
        """Raise `FormatError` if there are answers to dialogues that do not exist."""
        if self._left and self.file is not None:
            first = next(iter(self._left))
            what = f"answers {len(self._left)} dialogues that the file of dialogues does not have"
            raise FormatError(self.file, f"{what}, the first being {first!r}")


def read_answers(file: Path) -> Answers:
    """Read the answers next to a file, if any; `FormatError` if two are to one dialogue."""
    stem = plain(file.name).removesuffix(".json")
    for suffix in SUFFIXES:
        for name in (f"{stem}{suffix}", f"{stem}{suffix}{GZIP}"):
            found = file.with_name(name)
            if found != file and exists(found):
                return Answers(found, suffix, _first(found))
    return Answers(None, SUFFIXES[0], {})


def _first(file: Path) -> dict[str, str]:
    known: dict[str, str] = {}
    for ranking in read_results(parse_json(content(file), file), file):
        best = ranking.best()
        if best is None:
            raise FormatError(file, "has no candidate of rank 1", dialogue=ranking.dialogue)
        if ranking.dialogue in known:
            raise FormatError(file, "answers it twice", dialogue=ranking.dialogue)
        known[ranking.dialogue] = best
    return known


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
                held = files.setdefault(suffix, {})
                held.setdefault(dialogue.id, [(options.choice, 1)])
    stem = name.removesuffix(".json")
    return {f"{stem}{suffix}": render_results(held.items()) for suffix, held in files.items()}
