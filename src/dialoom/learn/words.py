"""Tokens, stems and normal forms of texts and names, and hash codes of words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from math import log
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from dialoom.schema.lexicon import lexicon, split_name

Codes = npt.NDArray[np.uint64]
"""Hash codes of words: CRC-32 of the mark in the high 32 bits, of the word in the low ones."""

_WORD_BITS = 0xFFFFFFFF

_TOKEN = re.compile(r"\d+(?:[.,:]\d+)+|\w+(?:'\w+)?|[^\w\s]")
_DIGITS = re.compile(r"\d+")
_ENDINGS = ("ing", "ies", "ed", "es", "s", "e")
_ROOT = 6
"""Most letters of a root."""

_SHORT = 3
"""Least letters of a stem after an ending is removed, and of a prefix."""


def tokens(text: str) -> list[tuple[str, int, int]]:
    """Return the words and punctuation marks of a text as (token, start, end) in characters."""
    return [(match[0], match.start(), match.end()) for match in _TOKEN.finditer(text)]


@cache
def stem(word: str) -> str:
    """Return a word in lower case without a common ending; number words become digits."""
    low = word.lower()
    number = lexicon("en").numbers.get(low)
    if number is not None:
        return str(number)
    for ending in _ENDINGS:
        if low.endswith(ending) and len(low) - len(ending) >= _SHORT:
            return low[: -len(ending)]
    return low


@cache
def root(stem: str) -> str:
    """Return the first `_ROOT` letters of a stem, which inflected and derived forms share."""
    return stem[:_ROOT]


@cache
def beginnings(stem: str) -> tuple[str, ...]:
    """Return the root of a stem and its shorter prefixes, such as "bed" of "bedroom"."""
    return root(stem), *(stem[:n] for n in range(_SHORT, min(_ROOT, len(stem))))


@cache
def shape(word: str) -> str:
    """Return the shape of a word: with "#" for runs of digits, else "Xx" (capitalised) or "x"."""
    if any(letter.isdigit() for letter in word):
        return _DIGITS.sub("#", word.lower())
    return "Xx" if word[:1].isupper() else "x"


@cache
def code(word: str, mark: str = "") -> int:
    """Return the hash code of a word with a mark, such as its position or its kind."""
    return crc32(mark.encode()) << 32 | crc32(word.encode())


def codes(words: Iterable[str], mark: str = "") -> Codes:
    """Return the hash codes of words with the same mark: shape (words,)."""
    return np.fromiter((code(word, mark) for word in words), dtype=np.uint64)


def unmarked(words: Codes) -> frozenset[int]:
    """Return the hash codes that have no mark."""
    return frozenset(words[words <= _WORD_BITS].tolist())


def content(*texts: str) -> list[str]:
    """Return the distinct roots of names and descriptions, without stop words and punctuation."""
    stop = lexicon("en").stop
    words = (word for text in texts for part in split_name(text) for word, _, _ in tokens(part))
    terms = (word for word in words if word.isalnum() and word not in stop)
    return list(dict.fromkeys(root(stem(word)) for word in terms))


def normal(words: Sequence[Any]) -> str:
    """Return the normal form of a value's words, by which values are compared: stems, joined."""
    return " ".join(map(stem, words))


@cache
def normal_text(text: str) -> str:
    """Return the normal form of a value's text."""
    return normal([word for word, _, _ in tokens(text)])


def stem_idf(descriptions: Collection[Sequence[str]]) -> dict[str, float]:
    """Return stem to its inverse document frequency: log(1 + descriptions / those with it)."""
    count = Counter(stem for stems in descriptions for stem in set(stems))
    return {stem: log(1 + len(descriptions) / n) for stem, n in count.items()}
