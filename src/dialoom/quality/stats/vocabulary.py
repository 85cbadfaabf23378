"""The vocabulary of users, counted as near to the STAR paper's count as possible.

The paper names no dictionary and does not define entities. So there are three counts, each a part
of the one before: words; those without names, which are words that both sides write with a capital
more often than not, where no sentence begins; of these, the words in two dialogues or more.
"""

from __future__ import annotations

import re
from collections import Counter

from dialoom.dialogue import SYSTEM, USER, Dialogue, Utterance
from dialoom.quality.stats.analysis import Result

MOST = 500_000
"""Most distinct words that are counted, so that memory is bounded: some 50 MB."""

_WORD = re.compile(r"((?:^|[.!?:\"“(])\s*)?([^\W\d_]+(?:['’][^\W\d_]+)*)")
"""A word, after what begins a sentence, if anything does."""

_SINGLE = re.compile(r"[^\W\d_](?:['’].*)?")
"""A word of one letter, shortened ones too (I, I'm), whose capital marks no name."""


class UserVocabulary:
    """Counts at most `most` distinct words of users' utterances."""

    def __init__(self, published: int | None = None, most: int = MOST) -> None:
        self._published, self._most = published, most
        self._dialogues: Counter[str] = Counter()
        self._cased: Counter[str] = Counter()

    def add(self, dialogue: Dialogue) -> None:
        """Count one dialogue's words."""
        if len(self._dialogues) > self._most:
            return
        used = set()
        for event in dialogue.events:
            if isinstance(event, Utterance) and event.agent in (USER, SYSTEM):
                for begins, spelt in _WORD.findall(event.text):
                    word = spelt.lower()
                    if event.agent == USER:
                        used.add(word)
                    if not begins:
                        self._cased[word] += 1 if spelt[0].isupper() else -1
        self._dialogues.update(used)

    def result(self) -> Result | None:
        """Return the three counts, and the published one."""
        if not self._dialogues:
            return None
        complete = len(self._dialogues) <= self._most
        counts = [
            n for w, n in self._dialogues.items() if self._cased[w] <= 0 or _SINGLE.fullmatch(w)
        ]
        return {
            "words": len(self._dialogues) if complete else None,
            "without_entities": len(counts) if complete else None,
            "again": sum(n > 1 for n in counts) if complete else None,
            **({"published": self._published} if self._published else {}),
        }
