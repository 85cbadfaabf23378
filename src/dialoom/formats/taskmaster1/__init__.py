"""Taskmaster-1 to 4 (Byrne et al. 2019): lists of conversations with API-argument spans.

    taskmaster1/self-dialogs.json, woz-dialogs.json   a list of conversations
    taskmaster1/sample.json                           one of them; not read if the list is there
    taskmaster1/ontology.json                         the arguments of each vertical
    taskmaster1/train-dev-test/train.csv              ids of self-dialogs, each before a comma
    taskmaster1/instructions/*.txt                    the instructions of users and agents

    [
      {
        "conversation_id": "dlg-1",
        "instruction_id": "pizza-ordering-1",
        "utterances": [
          {"index": 0, "speaker": "USER", "text": "A large one.", "segments": [
            {"start_index": 2, "end_index": 7, "text": "large",
             "annotations": [{"name": "pizza_ordering.size.pizza"}]}]}

Keys are spelled as in the published data or as in its README (conversationId), and are written as
they were read. Files in a regular layout come back byte for byte, others value for value.
`segments` that are absent stay absent. Split lists and instructions are read from next to the
dialogues and not converted; the commands that select dialogues (`filter`, `sample`, `split`,
`merge`) write the lists of the selected ones.

Taskmaster-2, 3 and 4 have this layout, too. Calls at an utterance (`apis`, or `annotations` named
`api_call`) are queries and results after it, and come back.
"""

from __future__ import annotations

import re

from dialoom.corpus.traits import PublishedRow, Traits
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.two_way import JsonFile, two_way
from dialoom.formats.taskmaster1 import dialogues, ontology
from dialoom.formats.taskmaster1.instructions import companions, write_splits

_SIGNS = Signs(
    "conversation_id|conversationId",
    "utterances[].speaker",
    "utterances[].text",
    without=("utterances[].segments[].annotations[].annotationType", "utterances.speaker[]"),
)

_SAMPLE = re.compile(r"(.*/)?(?:[^/]+\.)?sample\.json")


def _repeats(name: str) -> str | None:
    match = _SAMPLE.fullmatch(name)
    return match and f"{match[1] or ''}self-dialogs.json"


FORMAT = two_way(
    "taskmaster1",
    JsonFile(dialogues.dialogue, dialogues.to_json),
    _SIGNS,
    owns=re.compile(r"(?:[^/]+/){0,3}(?!ontology\.json)[^/]+\.jsonl?"),
    new_name="dialogs-{:03d}.json",
    per_file=1000,
    read_schemas=ontology.read,
    schemas_of=ontology.schemas_of,
    write_schemas=ontology.write,
    repeats=_repeats,
    traits=Traits(
        pair=True,
        companions=companions,
        write_splits=write_splits,
        annotators=2,
        schema_files=("Taskmaster-1's ontology.json",),
        published=PublishedRow(13_215, 6, 6, 274_647, 21.99, 8.62, False, True, False, False),
    ),
)
