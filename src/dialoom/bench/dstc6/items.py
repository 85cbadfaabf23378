"""Items of the challenge: a history, the candidates for the bot's next turn, and the right one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from dialoom.dialogue import Dialogue, Options
from dialoom.errors import FormatError, MissingDataError
from dialoom.formats.dstc6 import FORMAT
from dialoom.formats.dstc6.dialogues import history, text
from dialoom.formats.dstc6.results import Ranking, load_results


class Item(NamedTuple):
    """One question of the challenge: lines so far, candidates by id, and the answer's id."""

    id: str
    history: tuple[str, ...]
    candidates: tuple[tuple[str, str], ...]
    answer: str | None


def item_of(dialogue: Dialogue) -> Item:
    """Return the question that a dialogue ends with."""
    last = dialogue.events[-1] if dialogue.events else None
    options = last if isinstance(last, Options) else Options()
    pairs = tuple((candidate.id, text(candidate)) for candidate in options.candidates)
    return Item(dialogue.id, tuple(history(dialogue)), pairs, options.choice)


def load(file: Path) -> Iterator[Item]:
    """Yield the items of a dialogue file; `FormatError` for other content."""
    return map(item_of, FORMAT.read_file(file, file.parent))


def read_truth(file: Path) -> dict[str, str]:
    """Return each dialogue's right candidate, from answers or dialogues; or `FormatError`."""
    if FORMAT.detect(file):
        known = {item.id: item.answer for item in load(file)}
        truth = {name: answer for name, answer in known.items() if answer is not None}
    else:
        truth = {ranking.dialogue: _best(ranking, file) for ranking in load_results(file)}
    if not truth:
        raise MissingDataError(f"{file}: there are no answers in it; name a file that has some")
    return truth


def _best(ranking: Ranking, file: Path) -> str:
    best = ranking.best()
    if best is None:
        raise FormatError(file, "has no candidate of rank 1", dialogue=ranking.dialogue)
    return best
