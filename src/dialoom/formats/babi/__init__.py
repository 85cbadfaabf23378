"""The bAbI dialog tasks (Bordes et al. 2017): numbered lines, with a blank one between dialogues.

    1 hello<TAB>hello what can i help you with today
    2 a table for two in paris<TAB>i'm on it
    3 <SILENCE><TAB>api_call italian paris two cheap
    4 resto_paris_cheap_italian_6stars R_price cheap
    5 <SILENCE><TAB>what do you think of this option: resto_paris_cheap_italian_6stars

A line has the user's utterance, a tab and the bot's; a line without a tab is a fact that the
knowledge base returns. Lists of all candidates and of all facts (`dialog-babi-candidates.txt`,
`dialog-babi-kb-all.txt`) are next to the dialogues; a corpus keeps them unchanged. Files with
consecutive numbers, one blank line after each dialogue and no carriage returns come back byte for
byte, others line for line.
"""

from __future__ import annotations

import re

from dialoom.corpus.traits import Traits
from dialoom.formats.babi.dialect import CALL
from dialoom.formats.babi.dialogues import looks_like, read, render
from dialoom.formats.babi.lists import companions, read_lists, write_lists
from dialoom.formats.base.multi_file import FileFormat

OWNS = re.compile(r"(?:.*/)?dialog-(?!.*(?:candidates|kb))[^/]*\.txt", re.IGNORECASE)

_PART = re.compile(r"dialog-babi-task([1-6])(?:-dstc2)?-?(trn|dev|tst|tst-OOV)\.txt(?:\.gz)?", re.I)

PARTS = {"trn": "train", "dev": "dev", "tst": "test", "tst-oov": "test-OOV"}
"""Part of the corpus as in file names to its usual name."""


def task_and_part(name: str) -> tuple[str, str] | None:
    """Return the task and the part in a file's name; None if it has neither."""
    match = _PART.fullmatch(name)
    return (f"task{match[1]}", PARTS[match[2].lower()]) if match else None


def part_of(name: str) -> str:
    """Return the part in a file's name; empty if it has none."""
    pair = task_and_part(name)
    return pair[1] if pair else ""


TRAITS = Traits(
    alternates=True, calls_are_turns=True, answers=False, call=CALL, companions=companions
)

FORMAT = FileFormat(
    name="babi",
    owns=OWNS,
    sniff=looks_like,
    read=read,
    render=render,
    new_name="dialog-{:03d}.txt".format,
    per_file=1000,
    read_schemas=read_lists,
    write_schemas=write_lists,
    traits=TRAITS._replace(part=part_of),
)
