"""GEM's version of SGD (Gehrmann et al. 2021): parallel lists, with integers for acts and speakers.

    {"dialogue_id": "1_00000", "services": ["Cafes_1"], "turns": {
     "frames": [{"actions": [{"act": [4], "canonical_values": [["2"]], "slot": ["seats"],
       "values": [["two"]]}], "service": ["Cafes_1"], "slots": [{"exclusive_end": [15],
       "slot": ["seats"], "start": [12]}], "service_call": […], "state": […], …}],
     "speaker": [0], "utterance": ["A table for two?"]}}

There is a dialogue on each line, or a JSON list if the file was one. Services may be in
schema.json, as in SGD. Empty calls and states, by which the lists represent missing ones, are read
as missing. Lists of actions or spans may differ in length: the objects at the end then lack a key.
Other lists than the data card's are refused. The lists have no place for values of other types than
SGD's: they are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec

from dialoom.dialogue import Dialogue, Origin
from dialoom.errors import FormatError
from dialoom.formats.base.framing import LINES, LIST, values
from dialoom.formats.base.multi_file import FileFormat
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.values import BrokenError, Json
from dialoom.formats.sgd import TRAITS, lenient
from dialoom.formats.sgd.flow_acts import adapt
from dialoom.formats.sgd.schemas import VARIANTS, read_schemas, write_schemas
from dialoom.formats.sgd.writing import to_json
from dialoom.schema.service import ACTS

SPEAKERS = ("USER", "SYSTEM")
"""The numbers of speakers, as positions in a tuple."""

_TURN = ("frames", "speaker", "utterance")
_ACTION: Json = {"act": "", "canonical_values": [], "slot": "", "values": []}
_SLOT: Json = {"exclusive_end": 0, "slot": "", "start": 0}
_FRAME = {"actions", "service", "service_call", "service_results", "slots", "state"}
_PARAMETERS = ("parameter_canonical_value", "parameter_slot_name")
_ENTITY = ("service_canonical_value", "service_slot_name")
_VALUES = ("slot_value_list", "slot_name")
_RESULTS = "service_results_list"

_NO_CALL = {"method": "", "parameters": {key: [] for key in _PARAMETERS}}
_NO_RESULTS: Json = {_RESULTS: []}
_NO_STATE = {
    "active_intent": "",
    "requested_slots": [],
    "slot_values": {key: [] for key in _VALUES},
}

_ABSENT = object()


def to_sgd(value: Any) -> Any:
    """Return a dialogue of GEM's form in SGD's; `BrokenError` for what the card has not."""
    if not isinstance(value, dict):
        raise BrokenError("a dialogue is not a JSON object")
    turns = value.get("turns")
    if not isinstance(turns, dict) or not all(isinstance(turns.get(k), list) for k in _TURN):
        raise BrokenError("turns is not an object with the lists frames, speaker and utterance")
    others = ", ".join(sorted(turns.keys() - set(_TURN)))
    if others:
        raise BrokenError(f"turns has more lists than the card documents: {others}")
    if len(turns["speaker"]) != len(turns["utterance"]):
        raise BrokenError("the lists speaker and utterance of the turns differ in length")
    if len(turns["frames"]) > len(turns["speaker"]):
        raise BrokenError("the turns have more frames than utterances")
    rows = zip_longest(turns["frames"], turns["speaker"], turns["utterance"], fillvalue=_ABSENT)
    return value | {"turns": [_turn(*row) for row in rows]}


def _turn(frames: Any, speaker: Any, utterance: Any) -> Json:
    if type(speaker) is int and 0 <= speaker < len(SPEAKERS):
        speaker = SPEAKERS[speaker]
    elif not isinstance(speaker, str) or speaker in SPEAKERS:
        raise BrokenError("a speaker is neither 0 (USER) nor 1 (SYSTEM) nor another's name")
    turn: Json = {"speaker": speaker, "utterance": utterance}
    if frames is not _ABSENT:
        turn["frames"] = [_frame(row) for row in _rows("frames", frames)]
    return turn


def _rows(name: str, lists: Any) -> list[Json]:
    """Return the objects of parallel lists; the last ones may lack a key."""
    columns = lists.values() if isinstance(lists, dict) else [None]
    if not all(isinstance(column, list) for column in columns):
        raise BrokenError(f"{name} is not an object of lists")
    rows = zip_longest(*columns, fillvalue=_ABSENT)
    return [
        {key: cell for key, cell in zip(lists, row, strict=True) if cell is not _ABSENT}
        for row in rows
    ]


def _pairs(lists: Any, values: str, names: str) -> Json:
    keys, cells = (lists.get(names), lists.get(values)) if isinstance(lists, dict) else (0, 0)
    if not isinstance(keys, list) or not isinstance(cells, list) or len(keys) != len(cells):
        raise BrokenError(f"{names} and {values} are not lists of one length")
    if not all(isinstance(key, str) for key in keys):
        raise BrokenError(f"{names} has something that is no name")
    twice = next((key for place, key in enumerate(keys) if key in keys[:place]), None)
    if twice is not None:
        raise BrokenError(f"{names} has {twice!r} twice; a name has one entry in {values}")
    return dict(zip(keys, cells, strict=True))


def _frame(row: Json) -> Json:
    if row.keys() != _FRAME:
        raise BrokenError(f"a frame has not the lists {', '.join(sorted(_FRAME))}")
    frame: Json = {
        "actions": _rows("actions", row["actions"]),
        "service": row["service"],
        "slots": _rows("slots", row["slots"]),
    }
    for action in frame["actions"]:
        number = action.get("act")
        if type(number) is int and 0 <= number < len(ACTS):
            action["act"] = ACTS[number]
    call, results, state = row["service_call"], row["service_results"], row["state"]
    if call != _NO_CALL:
        frame["service_call"] = _with_pairs(call, "parameters", _PARAMETERS)
    if call != _NO_CALL or results != _NO_RESULTS:
        items = results.get(_RESULTS) if isinstance(results, dict) else None
        if not isinstance(items, list):
            raise BrokenError(f"service_results has no list {_RESULTS}")
        frame["service_results"] = [_pairs(item, *_ENTITY) for item in items]
    if state != _NO_STATE:
        frame["state"] = _with_pairs(state, "slot_values", _VALUES)
    return frame


def _with_pairs(value: Any, key: str, lists: tuple[str, str]) -> Json:
    if not isinstance(value, dict):
        raise BrokenError(f"what should have {key} is not a JSON object")
    return value | {key: _pairs(value[key], *lists)} if key in value else value


def from_sgd(value: Json) -> Json:
    """Return a dialogue of SGD's published form in GEM's form."""
    turns = value["turns"]
    frames = [turn.get("frames", _ABSENT) for turn in turns]
    while frames and frames[-1] is _ABSENT:
        frames.pop()
    flat = {
        "frames": [_flat_frames(_objects(each)) for each in frames],
        "speaker": [_numbered(turn["speaker"], SPEAKERS) for turn in turns],
        "utterance": [turn["utterance"] for turn in turns],
    }
    return value | {"turns": flat}


def _numbered(name: Any, names: tuple[str, ...]) -> Any:
    return names.index(name) if name in names else name


def _objects(value: Any) -> list[Json]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _flat(rows: list[Json], absent: Json) -> Json:
    """Return objects as parallel lists; only the last values of a list may be missing."""
    others = sorted({key for row in rows for key in row} - absent.keys())
    lists: Json = {}
    for key in [*absent, *others]:
        column = [row.get(key, _ABSENT) for row in rows]
        while column and column[-1] is _ABSENT:
            column.pop()
        lists[key] = [absent.get(key) if cell is _ABSENT else cell for cell in column]
    return lists


def _flat_frames(frames: list[Json]) -> Json:
    actions = [_flat(_objects(frame.get("actions")), _ACTION) for frame in frames]
    for lists in actions:
        lists["act"] = [_numbered(act, ACTS) for act in lists["act"]]
    results = [_objects(frame.get("service_results")) for frame in frames]
    return {
        "actions": actions,
        "service": [frame.get("service", "") for frame in frames],
        "service_call": [
            _flat_within(frame.get("service_call"), "parameters", _PARAMETERS) or _NO_CALL
            for frame in frames
        ],
        "service_results": [
            {_RESULTS: [_flat_pairs(item, _ENTITY) for item in items]} for items in results
        ],
        "slots": [_flat(_objects(frame.get("slots")), _SLOT) for frame in frames],
        "state": [
            _flat_within(frame.get("state"), "slot_values", _VALUES) or _NO_STATE
            for frame in frames
        ],
    }


def _flat_pairs(pairs: Any, lists: tuple[str, str]) -> Json:
    mapping = pairs if isinstance(pairs, dict) else {}
    return {lists[0]: list(mapping.values()), lists[1]: list(mapping)}


def _flat_within(value: Any, key: str, lists: tuple[str, str]) -> Json:
    """Return an object with the pairs under a key as lists; empty for a value of another type."""
    if not isinstance(value, dict) or key not in value:
        return value if isinstance(value, dict) else {}
    return value | {key: _flat_pairs(value[key], lists)}


PER_FILE = 1000
"""Dialogues of another format in each file."""

_OWNS = re.compile(rf"(?!(?:.*/)?{VARIANTS}/)(?:.*/)?(?!schema\.json)[^/]+\.jsonl?")
_ENCODER = msgspec.json.Encoder()


def read(data: bytes, file: Path, name: str) -> Iterator[Dialogue]:
    """Yield the dialogues of a JSON list or lines; `FormatError` for anything else."""
    for index, value in enumerate(values(data, file)):
        identity = value.get("dialogue_id") if isinstance(value, dict) else None
        place = identity if isinstance(identity, str) else f"{index} of the file"
        try:
            sgd = to_sgd(value)
        except BrokenError as error:
            raise FormatError(file, str(error), dialogue=place) from error
        yield lenient.dialogue(sgd, file, Origin(name, index))


def render(dialogues: Sequence[Dialogue]) -> bytes:
    """Return the content of a file: a JSON list if they were read from one, else lines."""
    lines = [_ENCODER.encode(from_sgd(to_json(dialogue))) for dialogue in dialogues]
    origin = dialogues[0].origin if dialogues else None
    if origin is not None and origin.index is not None and origin.file.endswith(".json"):
        return b"[\n" + b",\n".join(lines) + b"\n]\n"
    return b"".join(line + b"\n" for line in lines)


FORMAT = FileFormat(
    name="gem",
    owns=_OWNS,
    signs=Signs(
        "turns.speaker", "dialogue_id", "turns.utterance", without=("turns.dialogue_acts",)
    ),
    read=read,
    render=render,
    new_name="dialogues_{:03d}.jsonl".format,
    named=False,
    per_file=PER_FILE,
    forms=(LINES, LIST),
    read_schemas=read_schemas,
    write_schemas=write_schemas,
    adapt=adapt,
    traits=TRAITS,
)
