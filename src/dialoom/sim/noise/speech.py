"""A language's keyboard, fillers and repair phrases for noise: `lang/<language>-noise.json`."""

from __future__ import annotations

from functools import cached_property, lru_cache

import msgspec

from dialoom.schema.lexicon import texts_of

STAGGER = (0.0, 0.25, 0.75)
"""Horizontal offset of each row of letters from the first one, in widths of a key."""

REACH = 1.26
"""Largest distance between the centres of keys that touch, in widths of a key: just above that of
the farther key in the next row, (1 + 0.75²)½ = 1.25."""


class NoiseWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """The noise of one language.

    `keyboard` has three rows of letters, from the top; `fillers` are filled pauses ("um"),
    `repairs` phrases before a restart ("no wait"), `rewordings` synonyms for the scripted
    translator.
    """

    keyboard: tuple[str, str, str]
    fillers: tuple[str, ...]
    repairs: tuple[str, ...]
    rewordings: dict[str, str] = {}

    @cached_property
    def neighbours(self) -> dict[str, str]:
        """Each letter, in both cases, and the letters whose keys touch its own."""
        keys = {
            letter: (column + shift, row)
            for row, (letters, shift) in enumerate(zip(self.keyboard, STAGGER, strict=True))
            for column, letter in enumerate(letters)
        }
        by_letter: dict[str, str] = {}
        for letter, (x, y) in keys.items():
            near = "".join(
                other
                for other, (u, v) in keys.items()
                if other != letter and (x - u) ** 2 + (y - v) ** 2 <= REACH**2
            )
            by_letter[letter] = near
            by_letter[letter.upper()] = "".join(map(_upper, near))
        return by_letter


def _upper(letter: str) -> str:
    return letter.upper() if len(letter.upper()) == 1 else letter


@lru_cache(maxsize=8)
def speech(language: str = "en") -> NoiseWords:
    """Return the noise of a language; `UnknownNameError` if there is none."""
    return texts_of(language, "noise", "noise", NoiseWords)
