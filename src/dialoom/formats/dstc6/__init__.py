"""DSTC6 track 1 (Boureau et al. 2017): a JSON list of items with a history and its candidates.

    [{"dialog_id": "7b1e", "candidates": [{"utterance": "i'm on it", "candidate_id": "04aa"}, …],
      "utterances": ["hi", "hello what can i help you with today", "a table for two", …,
                     "api_call thai tokyo two cheap casual", "bay r_price cheap", …, "<silence>"],
      "answer": {"utterance": "i'm on it", "candidate_id": "04aa"}}, …]
    dialog-task3OPTIONS-kb2_atmosphere_restrictions-distr0.5-tst1000.json      task, KB, more slots

Utterances alternate, with the user first; facts that the knowledge base returns are between them.
Test items have no answer; it is in `dialog-….answers.json` next to them, in the form of a result
file. Files as Python's `json.dumps` writes them come back byte for byte, others value for value.
The facts (`extendedkb1.txt`) are kept unchanged.
"""

from __future__ import annotations

import re

from dialoom.formats.babi import TRAITS
from dialoom.formats.babi.lists import read_lists, write_lists
from dialoom.formats.base.framing import LIST
from dialoom.formats.base.multi_file import FileFormat
from dialoom.formats.base.signs import Signs
from dialoom.formats.dstc6.dialogues import read, render
from dialoom.formats.dstc6.results import companions

OWNS = re.compile(r"(?:.*/)?dialog-(?!.*(?:answers?|results?)\b)[^/]*\.jsonl?", re.IGNORECASE)

FORMAT = FileFormat(
    name="dstc6",
    owns=OWNS,
    signs=Signs("dialog_id", "utterances|candidates", without=("lst_candidate_id",)),
    read=read,
    render=render,
    new_name="dialog-{:03d}.json".format,
    per_file=1000,
    forms=(LIST,),
    read_schemas=read_lists,
    write_schemas=write_lists,
    companions=companions,
    traits=TRAITS._replace(alike=True),
)
