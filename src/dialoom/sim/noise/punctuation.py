"""The punctuation that ends an utterance is left out, where there is any."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dialoom.dialogue import Span
from dialoom.sim.noise.kind import Draw, Edit, TextKind

_FINAL = re.compile(r"[.!?…,;:。．！？；：，、؟۔।‼⁇⁈⁉]+(?=\s*\Z)")


def edits(text: str, spans: Sequence[Span], draw: Draw) -> Iterator[Edit]:
    """Yield the final marks, all of them at once."""
    mark = _FINAL.search(text)
    if mark and draw.rng.happens(draw.rate):
        yield Edit(mark.start(), mark.end(), "")


PUNCTUATION = TextKind("punctuation", "utterances", 1.0, edits)
"""The kind under its name in the registry."""
