"""METEOR of two texts (Banerjee & Lavie 2005), by words and their stems, without synonyms.

Words are aligned one to one, first where they are the same, then where their Porter stems are. With
P and R the shares of aligned words in text and reference, the mean is P R / (0.9 P + 0.1 R), less
the share 0.5 (chunks / aligned)^3, where a chunk is a run that is in the same order in both.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

ALPHA, BETA, GAMMA = 0.9, 3.0, 0.5

_WORD = re.compile(r"[a-z0-9]+")


def meteor(text: str, reference: str) -> float:
    """Return the METEOR of a text, from 0 to 1."""
    said, wanted = words(text), words(reference)
    pairs = _aligned(said, wanted)
    if not pairs:
        return 0.0
    precision, recall = len(pairs) / len(said), len(pairs) / len(wanted)
    mean = precision * recall / (ALPHA * precision + (1 - ALPHA) * recall)
    chunks = 1 + sum((b - a, y - x) != (1, 1) for (a, x), (b, y) in pairwise(pairs))
    return mean * (1 - GAMMA * float((chunks / len(pairs)) ** BETA))


def words(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return _WORD.findall(text.lower())


def stemmed(text: str) -> list[str]:
    """Return the Porter stems of a text's words; short words stay, as in rouge-score."""
    return [_stem(word) if len(word) > 3 else word for word in words(text)]


def _aligned(said: list[str], wanted: list[str]) -> list[tuple[int, int]]:
    """Return the aligned words, ordered: the same words first, then the same stems.

    A word with several possible places takes the one right after that of the word before it, else
    the first.
    """
    taken: dict[int, int] = {}
    free = set(range(len(wanted)))
    for read in (str, _stem):
        spelled = [read(word) for word in wanted]
        for place, word in enumerate(said):
            if place in taken:
                continue
            fits = [n for n in sorted(free) if spelled[n] == read(word)]
            if fits:
                after = taken.get(place - 1, -2) + 1
                taken[place] = after if after in fits else fits[0]
                free.remove(taken[place])
    return sorted(taken.items())


@cache
def _stemmer() -> Any:
    from nltk.stem.porter import PorterStemmer

    return PorterStemmer()


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    return str(_stemmer().stem(word))
