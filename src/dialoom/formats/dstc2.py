"""DSTC2 and DSTC3 as published (Henderson et al. 2014): a folder for each call, with two files.

    Mar13_S0A0/voip-01/log.json      what the system said, and what its recogniser heard
    {"session-id": "voip-01", "caller-id": "c", "turns": [{"turn-index": 0,
       "output": {"transcript": "How may I help you?", "dialog-acts":
          [{"act": "welcomemsg", "slots": []}], "start-time": 0.1, "end-time": 4.2},
       "input": {"live": {"asr-hyps": [{"asr-hyp": "cheap food", "score": -1.2}], …}}}]}

    Mar13_S0A0/voip-01/label.json    what the user said, and what the user wanted
    {"session-id": "voip-01", "task-information": {"goal": {"text": "…"}, …}, "turns":
       [{"turn-index": 0, "transcription": "cheap food", "semantics": {"json":
          [{"act": "inform", "slots": [["pricerange", "cheap"]]}], "cam": "…"},
         "goal-labels": {"pricerange": "cheap"}, "requested-slots": [], "method-label": "…"}]}

A turn has the system's utterance and the user's after it. Without labels (the test data of the
challenge) the user's utterance is the recogniser's best hypothesis, and `extra` says so. The fields
of a turn in which the user says nothing are in the `extra` of the system's utterance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dialoom.corpus.files import parse_json
from dialoom.corpus.listing import file_or_gz
from dialoom.dialogue import SYSTEM, USER, Dialogue, Event, Origin, Scenario
from dialoom.errors import FormatError
from dialoom.formats.base.codec import Place
from dialoom.formats.base.multi_file import content
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.turn_list import Annotation, Fields, reading, said, state_of
from dialoom.formats.base.values import Json, at, without
from dialoom.formats.woz import slot_acts

LABELS = "label.json"
HEARD = "recognised"
"""The mark of an utterance whose text is a hypothesis of the recogniser."""

SILENT = "silent user"
"""The key of a system's utterance with the fields of a turn in which the user says nothing."""


def _dialogue(raw: Fields, key: str, origin: Origin) -> Dialogue:
    name = raw.needed("session-id", str)
    labels = _labels(raw.place.file, name)
    events: list[Event] = []
    label_turns = iter(labels.objects("turns", "label", name) if labels else ())
    for turn in raw.objects("turns", "turn", name):
        marks, output = Annotation(), turn.object("output")
        slot_acts(output, "dialog-acts", marks)
        text = output.needed("transcript", str)
        speech = list(_user(turn, next(label_turns, None)))
        output.rest |= {} if speech else {SILENT: turn.rest}
        events += [said(SYSTEM, text, marks, output), *speech]
    task = labels.take("task-information", dict) if labels else {}
    text = at(task, str, "goal", "text")
    caller = raw.scalar("caller-id")
    if labels:
        further = [label.rest for label in label_turns]
        raw.rest["labels"] = labels.rest | ({"turns": further} if further else {})
    return raw.dialogue(
        name,
        events,
        origin,
        scenario=Scenario(user_task=text, goal=task) if text else None,
        workers={USER: caller} if caller else {},
    )


def _user(turn: Fields, label: Fields | None) -> Iterator[Event]:
    marks = Annotation()
    if label is not None and label.rest.get("transcription") == "":
        turn.rest |= without(label.rest, "turn-index")
        return
    if label is None:
        text = _hypothesis(turn.rest.get("input"))
        turn.rest[HEARD] = True
    else:
        text = label.needed("transcription", str)
        slot_acts(label.object("semantics", needed=False), "json", marks)
        requests = map(str, label.take("requested-slots", list))
        marks.state(None, state_of(label.take("goal-labels", dict), requested=requests))
        turn.rest |= without(label.rest, "turn-index")
    if text:
        yield said(USER, text, marks, turn)


def _hypothesis(speech: Any) -> str:
    try:
        text = speech["live"]["asr-hyps"][0]["asr-hyp"]
    except (KeyError, IndexError, TypeError):
        return ""
    return text if isinstance(text, str) else ""


def _labels(log: Path, name: str) -> Fields | None:
    file = file_or_gz(log.with_name(LABELS))
    if file is None:
        return None
    value: Json = parse_json(content(file), file)
    labels = Fields(value, Place(file, name), "labels")
    if labels.scalar("session-id") not in ("", name):
        raise FormatError(
            file, f"is about another call than {log.name} next to it", code="mismatch"
        )
    return labels


FORMAT = reading(
    "dstc2",
    _dialogue,
    Signs("turns[].output.transcript", "session-id"),
    owns=re.compile(r"(?:[^/]+/){0,4}log\.json"),
)
