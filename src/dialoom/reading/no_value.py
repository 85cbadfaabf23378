"""Words near a mention that show that it is no value: a denial, a limit, a pronoun.

denied("anything but ", "en")                           # True
is_pronoun("the one with a pool", mention, "en")        # True of the mention of "one"
"""

from __future__ import annotations

import re
from functools import lru_cache

from dialoom.reading.word_evidence import KEPT
from dialoom.schema.lexicon import lexicon, words
from dialoom.schema.values import Mention

FOLLOWING = 40
"""Most characters after a value that may rule it out."""

_FIRST = re.compile(r"\w+|[^\w\s]")


@lru_cache(maxsize=KEPT)
def denied(before: str, language: str) -> bool:
    """Return True if the words before a value exclude it, as in "anything but Rome"."""
    spoken = words(before)
    leads = [words(phrase) for phrase in lexicon(language).without]
    ends = (spoken[: len(spoken) - skipped] for skipped in (0, 1))
    return any(lead and end[-len(lead) :] == lead for end in ends for lead in leads)


@lru_cache(maxsize=KEPT)
def ruled_out(after: str, language: str) -> bool:
    """Return True if the words after a value exclude it, as in "Rome is out of the question"."""
    follow = words(after[:FOLLOWING])
    ends = map(words, lexicon(language).ruled_out)
    return any(end and follow[: len(end)] == end for end in ends)


def is_pronoun(text: str, mention: Mention, language: str) -> bool:
    """Return True if a word for the number 1 refers to a thing: "the one with a pool"."""
    spoken = lexicon(language)
    if spoken.numbers.get(text[mention.start : mention.end].casefold()) != 1:
        return False
    follow = _FIRST.match(text[mention.end :].lstrip())
    noun = follow is not None and follow[0].isalpha() and follow[0].casefold() not in spoken.stop
    return (words(text[: mention.start])[-1:] or [""])[0] in spoken.articles and not noun


def says(lowered: str, form: str) -> bool:
    """Return True if a text in small letters has a form of a value as whole words."""
    at = form.casefold()
    return at in lowered and re.search(rf"(?<!\w){re.escape(at)}(?!\w)", lowered) is not None
