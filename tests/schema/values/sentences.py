"""Sentences in which values are looked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dialoom.schema.slot import Slot
from dialoom.schema.values import find, render

SENTENCES = (
    "{}",
    "I would like {} please",
    "Is {} possible?",
    "it should be {}, thanks",
    "No, {}!",
    "What about the {}, or something else?",
)


def misses(slot: Slot, value: Any, every: Mapping[str, Slot], language: str) -> Iterator[str]:
    for text in render(slot, value, language):
        for sentence in SENTENCES:
            start = sentence.index("{}")
            place = (slot.name, value, start, start + len(text))
            mentions = find(sentence.format(text), every.values(), language)
            if place not in [(m.slot, m.value, m.start, m.end) for m in mentions]:
                yield sentence.format(text)
