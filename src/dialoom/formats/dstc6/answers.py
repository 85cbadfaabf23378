"""Answers that stand beside a test file: `dialog-….answers.json`, in the shape of a result file."""

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
"""What the file's name without `.json` is followed by."""


class Answers:
    """The answers beside a file, handed out one dialogue at a time."""

    def __init__(self, file: Path | None, suffix: str, known: dict[str, str]) -> None:
        self.file, self.suffix = file, suffix
        self._left = known

    def take(self, dialogue: str) -> str | None:
        """Return the id of the right candidate of a dialogue, if the file has it."""
        return self._left.pop(dialogue, None)

    def check_all_used(self) -> None:
        """Refuse answers to dialogues that are not there.

        Raises:
            FormatError: There are some.
        """
        if self._left and self.file is not None:
            first = next(iter(self._left))
            what = f"answers {len(self._left)} dialogues that the file beside it does not have"
            raise FormatError(self.file, f"{what}, the first being {first!r}")


def read_answers(file: Path) -> Answers:
    """Read the answers that stand beside a dialogue file; none where there is no such file.

    Raises:
        FormatError: It is not in the shape of a result file, or answers a dialogue twice.
    """
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


def beside(options: Options) -> str | None:
    """Return the suffix of the file that is to hold the answer, or None where it goes inside."""
    suffix = marks(options.extra).get("beside")
    return suffix if isinstance(suffix, str) and suffix in SUFFIXES else None


def companions(dialogues: Sequence[Dialogue], name: str) -> dict[str, bytes]:
    """Give the file of answers that stood beside these dialogues, if one did."""
    files: dict[str, dict[str, list[tuple[str, int]]]] = {}
    for dialogue in dialogues:
        options = dialogue.events[-1] if dialogue.events else None
        if isinstance(options, Options) and options.choice is not None:
            suffix = beside(options)
            if suffix is not None:
                held = files.setdefault(suffix, {})
                held.setdefault(dialogue.id, [(options.choice, 1)])
    stem = name.removesuffix(".json")
    return {f"{stem}{suffix}": render_results(held.items()) for suffix, held in files.items()}
