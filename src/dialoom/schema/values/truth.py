"""Booleans: "yes" and "no", and other words with the same meaning.

truth = BooleanValues(Slot(name="balcony", type="boolean"), "en")
tuple(truth.render(True))                        # ("yes", "yeah", "yep")
tuple(truth.find(Text("Nope, none.", "en")))     # (Mention("balcony", False, 0, 4),)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from dialoom.schema.lexicon import lexicon
from dialoom.schema.slot import Slot
from dialoom.schema.values.mention import Mention, SlotValues
from dialoom.schema.values.text import PhraseIndex, Text


class BooleanValues(SlotValues):
    """The values of a boolean slot, True and False."""

    def __init__(self, slot: Slot, language: str) -> None:
        self._slot, self._spoken = slot, lexicon(language)

    def render(self, value: Any) -> Iterator[str]:
        """Yield the words for True or False."""
        return iter(self._spoken.yes if value else self._spoken.no)

    def find(self, text: Text) -> Iterator[Mention]:
        """Yield the words for yes and no in a text."""
        for start, end, value in text.read(readings):
            yield Mention(self._slot.name, value, start, end)


def readings(text: Text) -> Iterator[tuple[int, int, bool]]:
    """Yield start, end and meaning of the words for yes and no in a text."""
    return _phrases(text.language).scan(text)


@lru_cache(maxsize=8)
def _phrases(language: str) -> PhraseIndex[bool]:
    spoken, index = lexicon(language), PhraseIndex[bool]()
    meanings = dict.fromkeys(spoken.yes, True) | dict.fromkeys(spoken.no, False) | spoken.literals
    for word, value in meanings.items():
        index.add(word, value)
    return index
