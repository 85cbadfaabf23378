"""Inflected or misspelt words, and values that are recognised by their distinctive words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Generic, TypeVar

from rapidfuzz import fuzz, process

from dialoom.schema.once import Kept
from dialoom.schema.values.text import Text, Word

T = TypeVar("T")

CLOSE = 85
"""Least similarity of a misspelling (rapidfuzz `fuzz.ratio`, 0 to 100): one letter in seven."""

LONG = 5
"""Fewest letters of a word that may be misspelt."""

APART = 4
"""Most words from one word of a mention to its next; a value named again is another mention."""

KEPT = 1 << 14
"""Most words whose similar words are cached."""


@lru_cache(maxsize=1 << 16)
def same(one: str, other: str) -> bool:
    """True if words are equal, inflections of one word, or misspellings of each other.

    >>> same("drive", "driving"), same("micheal", "michael"), same("north", "south")
    (True, True, False)
    """
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    if len(short) < 4:
        # short forms of days and months: three letters, at most half the word
        return len(short) == 3 and len(long) >= 6 and long.startswith(short)
    # inflections share all but the last letter of the shorter word
    root = short[:-1] if len(short) > 4 else short
    if long.startswith(root) and len(long) - len(root) <= 4:
        return True
    return len(short) >= LONG and fuzz.ratio(one, other) >= CLOSE


class LikenessIndex(Generic[T]):
    """Meanings with distinctive words; found where a text has half of these or similar ones."""

    def __init__(self) -> None:
        self._meanings: list[tuple[T, int]] = []
        self._keys: dict[str, list[int]] = defaultdict(list)
        self._begun: dict[str, list[str]] = defaultdict(list)
        self._long: list[str] = []
        self._short: dict[str, list[int]] = defaultdict(list)
        self._like = Kept(self._likes, KEPT)

    def add(self, meaning: T, keys: Sequence[str]) -> None:
        """Add a meaning with its distinctive words, at least one."""
        number = len(self._meanings)
        self._meanings.append((meaning, len(keys)))
        for key in keys:
            if key not in self._keys:
                self._begun[key[:3]].append(key)
                self._long += (key,) if len(key) >= LONG else ()
            self._keys[key].append(number)
        if len(keys) > 1:
            self._short["".join(key[0] for key in keys)].append(number)

    def scan(
        self, text: Text, free: Callable[[T, Word], bool] = lambda *_: True
    ) -> Iterator[tuple[T, list[Word]]]:
        """Yield the mentions of each meaning with their words; `free` may exclude words."""
        if not self._meanings:
            return
        hits: dict[int, list[list[Word]]] = defaultdict(list)
        last: dict[int, int] = {}
        for at, word in enumerate(text.words):
            for number in self._like[word.form]:
                if free(self._meanings[number][0], word):
                    if at - last.get(number, -APART - 1) > APART:
                        hits[number].append([])
                    hits[number][-1].append(word)
                    last[number] = at
        mentioned = {
            number: [run for run in runs if 2 * len(run) >= self._meanings[number][1]]
            for number, runs in hits.items()
        }
        for word in text.words:  # acronyms: the first letters of a meaning's words
            rare = word.form not in text.spoken.common  # "ok" is no Ostrava Keep
            for number in self._short.get(word.form, ()) if rare else ():
                if number not in hits and free(self._meanings[number][0], word):
                    mentioned.setdefault(number, []).append([word])
        for number in sorted(mentioned):
            yield from ((self._meanings[number][0], run) for run in mentioned[number])

    def _likes(self, word: str) -> frozenset[int]:
        # inflections share the first three letters, misspellings may not
        near = list(self._begun.get(word[:3], ()))
        if len(word) >= LONG:
            close = process.extract_iter(word, self._long, scorer=fuzz.ratio, score_cutoff=CLOSE)
            near += (key for key, *_ in close)
        return frozenset(n for key in near if same(word, key) for n in self._keys[key])
