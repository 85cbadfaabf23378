"""The bAbI dialog tasks (Bordes et al. 2017): numbered lines, a blank one after each dialogue.

    1 hello<TAB>hello what can i help you with today
    2 a table for two in paris<TAB>i'm on it
    3 <SILENCE><TAB>api_call italian paris two cheap
    4 resto_paris_cheap_italian_6stars R_price cheap
    5 <SILENCE><TAB>what do you think of this option: resto_paris_cheap_italian_6stars

A line has the user's words, a tab and the bot's; one without a tab is a fact that the knowledge
base returns. Beside the dialogues stand lists of all candidates and of all facts
(`dialog-babi-candidates.txt`, `dialog-babi-kb-all.txt`), which a corpus keeps as it finds them.
Files of consecutive numbers, one blank line after each dialogue and no carriage returns come back
byte for byte, others line for line.
"""

from __future__ import annotations

import re

from dialoom.corpus.traits import Traits
from dialoom.formats.babi.dialect import CALL
from dialoom.formats.babi.lists import companions, read_lists, write_lists
from dialoom.formats.babi.reading import looks_like, read
from dialoom.formats.babi.writing import render
from dialoom.formats.base.multi_file import FileFormat

OWNS = re.compile(r"(?:.*/)?dialog-(?!.*(?:candidates|kb))[^/]*\.txt", re.IGNORECASE)

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
    traits=TRAITS,
)
"""The format, as the registry knows it."""
