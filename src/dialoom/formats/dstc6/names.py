"""The name of a challenge file: task, knowledge base, and the slots of its calls.

about("tst4/dialog-task3OPTIONS-kb2_atmosphere_restrictions-distr0.5-tst1000.json")
    # About(task="task3OPTIONS", kb="kb2", slots=("atmosphere", "restrictions"), part="tst1000")
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from dialoom.dialogue import Dialogue
from dialoom.formats.babi.dialect import BASE, Dialect

MORE = ("atmosphere", "restrictions")
"""Slots that the challenge adds to bAbI's, in the order of a call."""

_NAME = re.compile(
    r"(?:.*/)?dialog-(task[^-/]+)-([A-Za-z0-9]+)((?:_[A-Za-z0-9]+)*)-(?:[^/]*-)?([^-/]+)\.json"
)


class About(NamedTuple):
    """The parts of a file's name."""

    task: str
    kb: str
    slots: tuple[str, ...]
    part: str


def about(name: str) -> About | None:
    """Return the parts of a file's name; None if it is not one of the challenge's."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    return About(match[1], match[2], tuple(match[3].split("_")[1:]), match[4])


@lru_cache(maxsize=64)
def dialect(name: str) -> Dialect:
    """Return the spelling of calls: bAbI's four slots, and those in a file's name, if any."""
    facts = about(name)
    extras = facts.slots if facts else ()
    slots = [*BASE, *(slot for slot in dict.fromkeys((*extras, *MORE)) if slot not in BASE)]
    layouts = tuple(tuple(slots[:size]) for size in range(len(BASE), len(slots) + 1))
    return Dialect(prefix="r_", silence="<silence>", layouts=layouts, partial=False)


def dialect_of(dialogue: Dialogue) -> Dialect:
    """Return the spelling of a dialogue's calls: that of the file it was read from."""
    origin = dialogue.origin
    return dialect(origin.file if origin is not None and origin.index is not None else "")
