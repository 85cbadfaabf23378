"""An index of the values of several slots, which finds them in one pass over the words of a text.

index = ValueIndex([("mode", ListedValues(mode, "en")), ("time", TimeValues(time, "en"))])
list(index.find(Text("walking at 8 pm", "en")))   # Mention("mode", "Walking", 0, 7), …
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from dialoom.schema.values.likeness import LikenessIndex
from dialoom.schema.values.mention import Mention, SlotValues
from dialoom.schema.values.text import PhraseIndex, Text, Word

LIKE = 0.45
"""Confidence of a value of which only similar words, or half of its words, are mentioned."""


class ValueIndex:
    """Finds the values of several slots in a text."""

    def __init__(self, slots: Sequence[tuple[str, SlotValues]]) -> None:
        self._slots = slots
        self._phrases: PhraseIndex[tuple[int, str]] = PhraseIndex()
        self._likes: LikenessIndex[tuple[int, str]] = LikenessIndex()
        for number, (_, values) in enumerate(slots):
            for phrase, value in values.phrases():
                self._phrases.add(phrase, (number, value))
            for value, keys in values.keys().items():
                if keys:
                    self._likes.add((number, value), keys)

    def find(self, text: Text) -> Iterator[Mention]:
        """Yield the mentions of values in a text, in the order of the slots."""
        named: dict[int, list[Mention]] = defaultdict(list)
        for start, end, (number, value) in self._phrases.scan(text):
            named[number].append(Mention(self._slots[number][0], value, start, end))
        like: dict[int, list[Mention]] = defaultdict(list)

        def free(meaning: tuple[int, str], word: Word) -> bool:
            taken = named.get(meaning[0], ())
            return all(word.end <= each.start or each.end <= word.start for each in taken)

        for (number, value), said in self._likes.scan(text, free):
            mention = Mention(self._slots[number][0], value, said[0].start, said[-1].end, LIKE)
            like[number].append(mention)
        for number, (_, values) in enumerate(self._slots):
            yield from named.get(number, ())
            yield from values.find(text)
            if number in like:
                yield from sorted(like[number], key=lambda mention: mention.start)
