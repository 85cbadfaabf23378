r"""Turns of ChatML.

list(turns("<|im_start|>user\nHi.<|im_end|>\n"))    # [("user", "Hi.")]
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dialoom.errors import clip

START = "<|im_start|>"

_TURN = re.compile(r"<\|im_start\|>(\w+)\r?\n(.*?)(?:<\|im_end\|>\s*|\Z)", re.DOTALL)


def turns(text: str) -> Iterator[tuple[str, str]]:
    """Yield the roles and texts of turns; the last one may be open.

    Raises:
        ValueError: A part of the text belongs to no turn, or a role has attributes.
    """
    at = len(text) - len(text.lstrip())
    while at < len(text):
        match = _TURN.match(text, at)
        if match is None or START in match[2]:
            place = clip(text[at : at + 120], 60)
            raise ValueError(f"{place!r} is no turn; expected {START}role, a text and <|im_end|>")
        yield match[1], match[2]
        at = match.end()
