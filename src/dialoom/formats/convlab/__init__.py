"""ConvLab-3's unified format (Zhu et al. 2022): many corpora in one layout.

    [{"dataset": "camrest", "data_split": "train", "dialogue_id": "camrest-train-0",
      "original_id": 0, "domains": ["restaurant"], "goal": {"description": "…", "inform":
      {"restaurant": {"area": "south"}}, "request": {"restaurant": {}}}, "turns": [
      {"speaker": "user", "utterance": "One in the south.", "utt_idx": 0, "dialogue_acts":
        {"categorical": [{"intent": "inform", "domain": "restaurant", "slot": "area",
                          "value": "south"}],
         "non-categorical": [{…, "value": "Ada's", "start": 3, "end": 8}],
         "binary": [{"intent": "request", "domain": "restaurant", "slot": "phone"}]},
       "state": {"restaurant": {"area": "south", "food": ""}}},
      {"speaker": "system", …, "db_results": {"restaurant": [{…}]}, "service_call": {…}}]}]

The dialogues of a corpus are `dialogues.json`, in `data.zip` next to an ontology; `dummy_data.json`
has a few. Values come back, in whatever order of keys and white space. Results (`db_results`, and
what was `booked`) and calls (`service_call`, `db_query`) come before the system's utterance.
"""

from __future__ import annotations

import re

from dialoom.corpus.traits import Traits
from dialoom.formats.base.framing import LIST
from dialoom.formats.base.multi_file import FileFormat
from dialoom.formats.base.signs import Sign, Signs
from dialoom.formats.base.turn_list import lists
from dialoom.formats.convlab import ontology
from dialoom.formats.convlab.dialogues import dialogue, render

FORMAT = FileFormat(
    name="convlab",
    owns=re.compile(r"(?:[^/]+/){0,3}(?!ontology\.json)[^/]+\.jsonl?"),
    signs=Signs("turns[].utt_idx", Sign("turns[].speaker", "user", "system"), "turns[].utterance"),
    named=False,
    read=lists(dialogue),
    render=render,
    new_name=lambda number: "dialogues.json" if number == 1 else f"dialogues_{number}.json",
    per_file=10_000,
    forms=(LIST,),
    read_schemas=ontology.read,
    schemas_of=ontology.schemas_of,
    write_schemas=ontology.write,
    traits=Traits(pair=True, schema_files=("ConvLab's ontology.json",)),
)
