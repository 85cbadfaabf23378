"""Items of the challenge: a history, the candidates for the bot's next turn, and the right one.

They are printed as plain text and counted as the challenge's dialogue walker does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from dialoom.dialogue import Dialogue, Options
from dialoom.errors import FormatError, MissingDataError
from dialoom.formats.dstc6 import FORMAT
from dialoom.formats.dstc6.dialogues import history, text
from dialoom.formats.dstc6.results import load_results

_WORD = re.compile(r"\b\w\w+\b")
"""A word as scikit-learn's vectorisers, which the challenge's script uses, define it."""


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
        answers = {item.id: item.answer for item in load(file)}
        truth = {name: answer for name, answer in answers.items() if answer is not None}
    else:
        truth = {}
        for ranking in load_results(file):
            best = ranking.best()
            if best is None:
                raise FormatError(
                    file, "has no candidate of rank 1", dialogue=ranking.dialogue, code="no-key"
                )
            truth[ranking.dialogue] = best
    if not truth:
        raise MissingDataError(f"{file}: there are no answers in it; name a file that has some")
    return truth


def plain(item: Item) -> Iterator[str]:
    """Yield the lines of an item: history, candidates with their ids, answer or None."""
    yield f"dialog_id: {item.id}"
    yield "Utterances:"
    yield from (f" * {line}" for line in item.history)
    yield "Candidates:"
    yield from (f" * {name} - {text}" for name, text in item.candidates)
    yield "Answer:"
    if item.answer is None:
        yield "None"
    else:
        yield f" * {item.answer} - {dict(item.candidates).get(item.answer, '')}"
    yield ""


def figures(items: Sequence[Item]) -> dict[str, object]:
    """Return the counts of a file by name; the stop words are scikit-learn's."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    utterances = sum(len(item.history) for item in items)
    texts = {line for item in items for line in item.history}
    words = {word for text in texts for word in _WORD.findall(text.lower())}
    return {
        "dialogues": len(items),
        "utterances": utterances,
        "utterances_distinct": len(texts),
        "utterances_per_dialogue": round(utterances / max(1, len(items)), 4),
        "candidates": sum(len(item.candidates) for item in items),
        "answers": sum(item.answer is not None for item in items),
        "vocabulary": len(words),
        "vocabulary_without_stop_words": len(words - ENGLISH_STOP_WORDS),
    }
