"""Base of the kinds of work on an existing dialogue: of a corpus, or of another stage."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.collect.kinds.document.kind import ComparableKind
from dialoom.collect.kinds.document.work import index_of
from dialoom.collect.message import Refused
from dialoom.collect.settings import QUIZ, Settings, Stage
from dialoom.collect.unit import Data, Scenarios
from dialoom.dialogue import USER, Dialogue, Utterance
from dialoom.errors import FormatError, clip

if TYPE_CHECKING:
    from dialoom.corpus import Corpus

RIGHT = "right"
"""The key of an utterance's `extra` for its right text in a gold item, or a list of right texts."""

_WORD = re.compile(r"\w+")


class DialogueWork(ComparableKind):
    """Base of the kinds of work whose item is a dialogue, and whose parts are its utterances.

    A part is named by the index of its utterance among the utterances.
    """

    content = Dialogue

    def __init__(self, scenarios: Scenarios, settings: Settings, stage: Stage) -> None:
        super().__init__(scenarios, settings, stage)
        if self._corpus is not None:
            self.schemas = self._corpus.schemas

    @classmethod
    def unfit_source(cls, before: Stage) -> str:
        """Return what `of` may name, if an earlier stage makes no dialogues."""
        return "a stage that makes dialogues" if before.kind == QUIZ else ""

    @cached_property
    def _corpus(self) -> Corpus | None:
        from dialoom import formats

        return formats.load(self._stage.corpus) if self._stage.corpus else None

    def made(self) -> Iterator[tuple[Any, Any]]:
        """Yield the dialogues of the corpus."""
        if self._corpus is None:
            return
        for dialogue in islice(self._corpus.dialogues(), self._settings.scenarios):
            yield msgspec.to_builtins(dialogue), dialogue.id

    def known(self) -> Iterator[tuple[Any, Any]]:
        """Yield the dialogues of the corpus of gold items."""
        from dialoom import formats

        if self._stage.gold is not None:
            for dialogue in formats.load(self._stage.gold.items).dialogues():
                yield self.next_content(self.with_answer(dialogue)), ("gold", dialogue.id)

    def with_answer(self, dialogue: Dialogue) -> Dialogue:
        """Return a dialogue of the gold items as workers get it; `FormatError` without answers."""
        return dialogue

    def no_answer(self, dialogue: Dialogue, what: str) -> FormatError:
        """Return the error of a dialogue whose right answer is not known."""
        items = self._stage.gold.items if self._stage.gold else ""
        return FormatError(Path(items), f"dialogue {clip(dialogue.id)!r}: expected {what}")

    def added(self, value: Any) -> Iterator[tuple[Any, Any]]:
        """Yield the content of an item about a dialogue in the native format."""
        try:
            dialogue = msgspec.convert(value, Dialogue)
        except msgspec.ValidationError as error:
            raise Refused("bad_value", f"not a native dialogue: {error}") from error
        yield self.next_content(dialogue), dialogue.id


def utterances(dialogue: Dialogue) -> list[Utterance]:
    """Return the utterances of a dialogue."""
    return [event for event in dialogue.events if isinstance(event, Utterance)]


def lines(dialogue: Dialogue) -> list[Data]:
    """Return the utterances of a dialogue as JSON values for pages."""
    return [
        {"from": "user" if each.agent == USER else "system", "text": each.text}
        for each in utterances(dialogue)
    ]


def said_at(dialogue: Dialogue, part: str) -> Utterance:
    """Return the utterance of a part; `Refused` (`unknown`) if there is none."""
    turns = utterances(dialogue)
    place = index_of(part, len(turns))
    if place is None:
        raise Refused("unknown", f"there is no utterance {clip(part)}")
    return turns[place]


class TextWork(DialogueWork):
    """Base of the kinds of work whose parts have a `text`."""

    def with_answer(self, dialogue: Dialogue) -> Dialogue:
        """Return a dialogue as it is; `FormatError` if none of its texts has a right answer."""
        if not any(map(right_texts, utterances(dialogue))):
            raise self.no_answer(dialogue, f"`{RIGHT}` in the `extra` of an utterance")
        return dialogue

    def score(self, item: Dialogue, document: Mapping[str, Any]) -> float:
        """Return the mean similarity of the texts to their nearest right texts."""
        return fmean(
            max(similarity(_text(document, str(place)), each) for each in right)
            for place, utterance in enumerate(utterances(item))
            if (right := right_texts(utterance))
        )

    def agreement(self, item: Dialogue, one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
        """Return the mean similarity of the texts of two documents."""
        parts = one.keys() | other.keys()
        return fmean(similarity(_text(one, part), _text(other, part)) for part in parts or {""})


def right_texts(utterance: Utterance) -> tuple[str, ...]:
    """Return the right texts of an utterance of a gold item; empty if none is known."""
    right = utterance.extra.get(RIGHT, ())
    return (right,) if isinstance(right, str) else tuple(map(str, right))


def similarity(one: str, other: str) -> float:
    """Return one minus the edits of words as a share of the longer text, 0 to 1."""
    from rapidfuzz.distance import Levenshtein

    first, second = (_WORD.findall(text.lower()) for text in (one, other))
    return float(Levenshtein.normalized_similarity(first, second))


def _text(document: Mapping[str, Any], part: str) -> str:
    return str(document.get(part, {}).get("text", ""))
