"""The kind of a slot's values, by the grammar's names.

value_kind(slot, program)            # "name", "weekday", "category", …
"""

from __future__ import annotations

import re

from dialoom.flow.program import TaskProgram
from dialoom.schema.lexicon import lexicon
from dialoom.schema.slot import Slot, is_truth

CHOSEN = frozenset({"category", "weekday", "time", "amount"})
"""Kinds of values that people choose, so that they may name unwanted ones: nobody does for their
name, their date of birth or a number that they read."""

_WORD = re.compile(r"[\w']+")


def value_kind(slot: Slot, program: TaskProgram) -> str:
    """Return the kind of a slot's values, by the names of the grammar's symbols."""
    spoken = lexicon(program.language)
    words = _WORD.findall(slot.name.replace("_", " ").lower())
    values = [str(value).lower() for value in slot.values]
    if slot.type == "short text" and spoken.people and set(words) <= set(spoken.people):
        return "name"
    if values and all(value in spoken.weekdays for value in values):
        return "weekday"
    if is_truth(slot, program.language):
        return "truth"
    return slot.type.replace(" ", "-")
