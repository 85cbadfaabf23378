"""A language's prompt and phrases for paraphrases: `lang/<language>-paraphrases.json`."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from dialoom.schema.lexicon import texts_of


class ParaphraseTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The texts of one language.

    Attributes:
        instruct: The system prompt of a language model.
        ask: Template of one request, with the placeholders agent, persona, before, values and text.
        whole: Addition to the system prompt if a request is a whole dialogue.
        turn: Template of one turn of it, with number, agent, text and values.
        persona: Template of the speaker's description, with `{persona}`.
        nothing: Text for empty `{values}` and `{before}`.
        swaps: A phrase in lower case to its possible replacements.
    """

    language: str
    instruct: str
    ask: str
    whole: str
    turn: str
    persona: str
    nothing: str
    swaps: dict[str, tuple[str, ...]]


@lru_cache(maxsize=8)
def wording(language: str) -> ParaphraseTexts:
    """Return the texts of a language; `UnknownNameError` if there are none."""
    return texts_of(language, "paraphrases", "paraphrases", ParaphraseTexts)
