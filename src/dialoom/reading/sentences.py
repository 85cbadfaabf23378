"""Splitting of a text into sentences, with their places.

sentences("Sure! Who is dr. Hill? He's in.")    # ("Sure!", "Who is dr. Hill?", "He's in.")
"""

from __future__ import annotations

import re
from functools import lru_cache

from dialoom.reading.wording import plain_text

MOST = 8
"""Most sentences that a text is split into; the rest stays in the last one."""

_END = re.compile(r"(?<=[.!?…。！？])[\"'”’)]*\s+(?=\S)|\s*[\r\n]+\s*")
_SHORT = re.compile(r"(?:\b[A-Za-z]|\b(?:dr|mr|mrs|ms|st|no|vs|approx|nr|prof|bzw|ca))\.$", re.I)


@lru_cache(maxsize=4096)
def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text, without markdown and emoji; a line ends a sentence."""
    found: list[str] = []
    for part in _END.split(text):
        bare = plain_text(part)
        if not bare:
            continue
        if found and (_SHORT.search(found[-1]) or len(found) == MOST):
            found[-1] += f" {bare}"
        else:
            found.append(bare)
    return tuple(found)
