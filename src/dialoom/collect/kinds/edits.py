"""Edits between two texts, word by word: what was inserted, deleted and replaced.

edits("a tabel for tow", "a table for two, please")
# (TextEdit("replace", 2, "tabel", "table"), TextEdit("replace", 12, "tow", "two, please"))
edited(before, edits(before, after)) == after
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Literal

from dialoom.dialogue.annotation import Struct

_WORD = re.compile(r"\s+|\S+")


class TextEdit(Struct, frozen=True):
    """One edit: at the code point `at` of the first text, `before` was replaced by `after`."""

    op: Literal["insert", "delete", "replace"]
    at: int
    before: str = ""
    after: str = ""


def edits(before: str, after: str) -> tuple[TextEdit, ...]:
    """Return the edits that turn the text `before` into `after`, in order."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    starts = [0, *accumulate(map(len, old))]
    found: list[TextEdit] = []
    same = SequenceMatcher(None, old, new, autojunk=False)
    for op, start, end, first, last in same.get_opcodes():
        if op != "equal":
            was, became = "".join(old[start:end]), "".join(new[first:last])
            found.append(TextEdit(op, starts[start], was, became))
    return tuple(found)


def edited(before: str, changes: Sequence[TextEdit]) -> str:
    """Return a text with edits carried out."""
    text = before
    for each in reversed(changes):
        text = text[: each.at] + each.after + text[each.at + len(each.before) :]
    return text
