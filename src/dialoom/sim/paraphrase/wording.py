"""A language's words for paraphrases: what a model is told, and phrases that stand for others.

No word of any language stands in the code; `lang/<language>-paraphrases.json` holds them.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from dialoom.schema.lexicon import texts_of


class ParaphraseTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The texts of one language.

    Attributes:
        language: Its code.
        instruct: What a language model is told to do.
        ask: Template of one request, with the places agent, before, values and text.
        nothing: Stands for no values, or nothing said before.
        swaps: A phrase in lower case to phrases that may stand in its place.
    """

    language: str
    instruct: str
    ask: str
    nothing: str
    swaps: dict[str, tuple[str, ...]]


@lru_cache(maxsize=8)
def wording(language: str) -> ParaphraseTexts:
    """Return the texts of a language.

    Raises:
        UnknownNameError: There are none for it.
    """
    return texts_of(language, "paraphrases", "paraphrases", ParaphraseTexts)
