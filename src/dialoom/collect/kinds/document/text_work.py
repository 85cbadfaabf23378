"""Base of the kinds of work that type texts of a dialogue, which are compared word by word."""

from __future__ import annotations

import re
from collections.abc import Mapping
from statistics import fmean
from typing import Any

from dialoom.collect.kinds.document.dialogue_work import DialogueWork, utterances
from dialoom.dialogue import Dialogue, Utterance

RIGHT = "right"
"""The key of an utterance's `extra` for its right text in a gold item, or a list of right texts."""

_WORD = re.compile(r"\w+")


class TextWork(DialogueWork):
    """Base of the kinds of work whose parts have a `text`."""

    def with_answer(self, dialogue: Dialogue) -> Dialogue:
        """Return a dialogue as it is; `FormatError` if none of its texts has a right answer."""
        if not any(map(right_texts, utterances(dialogue))):
            raise self.no_answer(dialogue, f"`{RIGHT}` in the `extra` of an utterance")
        return dialogue

    def score(self, given: Dialogue, document: Mapping[str, Any]) -> float:
        """Return the mean similarity of the texts to their nearest right texts."""
        return fmean(
            max(similarity(_text(document, str(place)), each) for each in right)
            for place, said in enumerate(utterances(given))
            if (right := right_texts(said))
        )

    def agreement(self, given: Dialogue, one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
        """Return the mean similarity of the texts of two documents."""
        parts = one.keys() | other.keys()
        return fmean(similarity(_text(one, part), _text(other, part)) for part in parts or {""})


def right_texts(said: Utterance) -> tuple[str, ...]:
    """Return the right texts of an utterance of a gold item; empty if none is known."""
    right = said.extra.get(RIGHT, ())
    return (right,) if isinstance(right, str) else tuple(map(str, right))


def similarity(one: str, other: str) -> float:
    """Return one minus the edits of words as a share of the longer text, 0 to 1."""
    from rapidfuzz.distance import Levenshtein

    first, second = (_WORD.findall(text.lower()) for text in (one, other))
    return float(Levenshtein.normalized_similarity(first, second))


def _text(document: Mapping[str, Any], part: str) -> str:
    return str(document.get(part, {}).get("text", ""))
