"""GEM's version of SGD (Gehrmann et al. 2021): parallel lists, with integers for acts and speakers.

    {"dialogue_id": "1_00000", "services": ["Cafes_1"], "turns": {
     "frames": [{"actions": [{"act": [4], "canonical_values": [["2"]], "slot": ["seats"],
       "values": [["two"]]}], "service": ["Cafes_1"], "slots": [{"exclusive_end": [15],
       "slot": ["seats"], "start": [12]}], "service_call": […], "state": […], …}],
     "speaker": [0], "utterance": ["A table for two?"]}}

There is a dialogue on each line, or a JSON list if the file was one. Services may be in
schema.json, as in SGD. Empty calls and states, by which the lists represent missing ones, are read
as missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from dialoom.dialogue import Dialogue, Origin
from dialoom.errors import FormatError
from dialoom.formats.base.framing import LINES, LIST, values
from dialoom.formats.base.multi_file import FileFormat
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.values import BrokenError
from dialoom.formats.gem.nesting import from_sgd, to_sgd
from dialoom.formats.sgd import TRAITS, lenient
from dialoom.formats.sgd.flow_acts import adapt
from dialoom.formats.sgd.schemas import VARIANTS, read_schemas, write_schemas
from dialoom.formats.sgd.writing import to_json

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
