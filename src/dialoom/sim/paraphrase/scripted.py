"""Paraphrases by a list of phrases: no model is needed, and every run gives the same words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from dialoom.errors import UsageError
from dialoom.sim.core.rng import event_rng
from dialoom.sim.noise.kind import Edit, apply
from dialoom.sim.paraphrase.paraphraser import ParaphraseOptions, SourceLine, wording

_FINE = 10_000
"""Denominator of the share that is compared with drawn whole numbers."""


class Scripted:
    """Swaps phrases of lines by `lang/<language>-paraphrases.json`.

    `UnknownNameError` for languages without the file, `UsageError` for a share outside 0 to 1.
    """

    def __init__(self, options: ParaphraseOptions) -> None:
        if not 0 <= options.share <= 1:
            raise UsageError(f"a share is from 0 to 1, not {options.share}", code="out-of-range")
        self._options = options
        self._swaps = wording(options.language).swaps
        phrases = sorted(self._swaps, key=len, reverse=True)
        self._phrase = re.compile(rf"\b(?:{'|'.join(map(re.escape, phrases))})\b", re.IGNORECASE)

    @property
    def settings(self) -> dict[str, Any]:
        """Language, seed and share."""
        options = self._options
        return {"language": options.language, "seed": options.seed, "share": options.share}

    def paraphrase(self, lines: Sequence[SourceLine]) -> list[str]:
        """Return each line with some of its phrases swapped; values are left alone."""
        return [apply(line.text, list(self._edits(line))) for line in lines]

    def _edits(self, line: SourceLine) -> Iterator[Edit]:
        name = f"paraphrase {line.attempt}"
        rng = event_rng(self._options.seed, line.dialogue, line.event, name)
        for match in self._phrase.finditer(line.text):
            start, end = match.span()
            if any(start < kept_end and kept_start < end for kept_start, kept_end in line.kept):
                continue
            other = rng.choice(self._swaps[match[0].lower()])
            if rng.below(_FINE) < self._options.share * _FINE:
                yield Edit(start, end, _cased(other, match[0]))


def _cased(phrase: str, like: str) -> str:
    return phrase[:1].upper() + phrase[1:] if like[:1].isupper() else phrase
