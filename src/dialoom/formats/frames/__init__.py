"""Frames (El Asri et al. 2017): a list of dialogues, with all frames at each turn.

    [{"user_id": "U1", "turns": [
        {"text": "To Oslo, please.", "labels": {
           "acts": [{"args": [{"val": "Oslo", "key": "dst_city"}], "name": "inform"}],
           "acts_without_refs": […], "active_frame": 1, "frames": [{"frame_id": 1, …}]},
         "author": "user", "timestamp": 1471272019730.0},
        {"db": {"result": [[{…}]], "search": [{…}]}, "author": "wizard", …}],
      "wizard_id": "U2", "id": "f-1", "labels": {"userSurveyRating": 5.0, …}}]

The published file is one line, as Python's `json.dumps` writes it. As on the corpus's page,
`frames` may be next to `labels` rather than in it, and the rating at the top rather than in the
labels. Files in a regular layout come back byte for byte, with the order of their keys; others
value for value.

Dialogues that follow task files get Frames' acts and frames. Acts are derived from the functions of
the flow's nodes in the task file; an utterance whose act Frames does not have gets none, and the
loss report counts it. Values of the user and of queries are in the active frame. Another value of a
slot, results and offers make new frames; each task has its own. The text and IOB forms of Frames
get the same acts.
"""

from __future__ import annotations

import re

from dialoom.corpus.traits import MeanAndMost, PublishedFrames, PublishedRow, Traits
from dialoom.formats.base.json_file import Layout
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.two_way import JsonFile, two_way
from dialoom.formats.frames import dialogues
from dialoom.formats.frames.acts import ACTS
from dialoom.formats.frames.flow_acts import adapt

PUBLISHED = PublishedRow(1_369, 1, 1, 19_986, 14.60, 12.60, False, True, False, True)

PAGE = PublishedFrames(
    source="Frames page",
    dialogues=1_369,
    turns=19_986,
    turns_per_dialogue=15,
    rating=4.58,
    participants=12,
    frame_changes=MeanAndMost(3.58, 16),
    frames=MeanAndMost(6.71, 35),
)
"""The statistics of the corpus's page (Microsoft Maluuba).

docs/reference/statistics.md lists the counts that could not be reproduced.
"""

_FILE = JsonFile(dialogues.dialogue, dialogues.to_json, Layout(indent=0, escaped=True))
"""The layout of the published file is that of Python's `json.dumps`."""

FORMAT = two_way(
    "frames",
    _FILE,
    Signs("turns[].author", "turns[].text"),
    owns=re.compile(r"(?:[^/]+/){0,3}(?!observed_values|ontology)[^/]+\.jsonl?"),
    new_name="frames-{:03d}.json",
    adapt=adapt,
    traits=Traits(
        pair=True,
        collected=True,
        acts=ACTS,
        published=PUBLISHED,
        frames=PAGE,
        derived=frozenset({dialogues.WITHOUT}),
    ),
)
