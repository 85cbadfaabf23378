"""SGD (Rastogi et al. 2020): schema-guided dialogues, several in a file, with their services.

    [{"dialogue_id": "1_00000", "services": ["Cafes_1"], "turns": [
      {"frames": [{"actions": [{"act": "INFORM", "canonical_values": ["2"], "slot": "seats",
                                "values": ["two"]}], "service": "Cafes_1", "slots": [
        {"exclusive_end": 15, "slot": "seats", "start": 12}]}],
       "speaker": "USER", "utterance": "A table for two?"}]}]

A corpus is a folder with a folder for each split (`train/dialogues_001.json` …,
`train/schema.json`), one such folder, or one file. The published files have one regular layout,
which is written byte for byte: keys sorted, two blanks of indentation, non-ASCII letters escaped.

Dialogues that follow task files become dialogues with services: a task is a service, and the
functions of its nodes become SGD's acts, greetings none. Consecutive utterances of one agent become
one turn; a categorical slot has one value and no span. The same holds for GEM's version of SGD.

MultiWOZ 2.2 (Zang et al. 2020) and KETOD have this layout, too. The acts of MultiWOZ's
`dialog_acts.json` are a layer of their own, which is not written; its one schema.json, above the
parts, serves all parts; a slot that was said of another one (`copy_from`) has no span.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from dialoom.corpus.files import NOT_JSON, parse_json
from dialoom.corpus.traits import PublishedRow, Traits
from dialoom.dialogue import Dialogue, Origin
from dialoom.errors import FormatError
from dialoom.formats.base.framing import LIST
from dialoom.formats.base.multi_file import FileFormat
from dialoom.formats.base.signs import Sign, Signs
from dialoom.formats.sgd import dialog_acts, lenient, raw, reading, writing
from dialoom.formats.sgd.flow_acts import adapt
from dialoom.formats.sgd.schemas import VARIANTS, read_schemas, schemas_of, write_schemas
from dialoom.schema.service import ACTS

PER_FILE = 128
"""Dialogues in each file, as published."""

PIECE = 50_000
"""Least number of bytes that are decoded at once: some three dialogues."""

_DECODER = msgspec.json.Decoder(list[raw.Dialogue])
_OPEN, _BEGIN, _END, _CLOSE = b"[\n  ", b"{\n    ", b"\n  }", b"\n]\n"
_KEY, _BETWEEN = b'"dialogue_id"', _END + b",\n  " + _BEGIN
_FIRST, _LAST = _OPEN + _BEGIN + _KEY, _END + _CLOSE
_OWNS = re.compile(rf"(?!(?:.*/)?{VARIANTS}/)(?:.*/)?dialogues[^/]*\.jsonl?")
_SIGNS = Signs(
    "turns[]", "dialogue_id", Sign("turns[].speaker", "USER", "SYSTEM"), "turns[].utterance"
)


def read(data: bytes, file: Path, name: str) -> Iterator[Dialogue]:
    """Yield the dialogues of a content, with the acts next to it; `FormatError` if not SGD's."""
    dialogues, acts = _read(data, file, name), dialog_acts.acts_file(file)
    return dialogues if acts is None else acts.added(dialogues)


def _read(data: bytes, file: Path, name: str) -> Iterator[Dialogue]:
    """Yield the dialogues of a content; lenient.py reads what the typed records refuse."""
    done = 0
    with suppress(*NOT_JSON):
        for piece in _pieces(data):
            for record in _DECODER.decode(piece):
                dialogue = reading.dialogue(record, Origin(name, done))
                done += 1
                yield dialogue
        return
    value = parse_json(data, file)  # raises the error that says what is wrong
    if not isinstance(value, list):
        raise FormatError(file, "not a list of SGD dialogues")
    for index in range(done, len(value)):
        yield lenient.dialogue(value[index], file, Origin(name, index))


def _pieces(data: bytes) -> Iterator[bytes]:
    """Yield a file in pieces of a few dialogues if it has the regular layout, else as a whole.

    Small pieces stay in the processor's cache, which makes reading a third faster. A key at this
    place of a line is never within a text; if a piece is not a list of whole objects all the same,
    decoding refuses it.
    """
    if not (data.startswith(_FIRST) and data.endswith(_LAST)):
        yield data
        return
    start = len(_OPEN)
    at = data.find(_KEY, start + PIECE)
    while at >= 0:
        if data[at - len(_BETWEEN) : at] == _BETWEEN:
            yield b"[" + data[start : at - len(_BETWEEN) + len(_END)] + b"]"
            start = at - len(_BEGIN)
            at += PIECE
        at = data.find(_KEY, at + len(_KEY))
    yield b"[" + data[start : -len(_CLOSE)] + b"]"


TRAITS = Traits(
    pair=True,
    alternates=True,
    calls_first=True,
    noted=True,
    acts=frozenset(ACTS),
    schema_files=("SGD's schema.json",),
    published=PublishedRow(16_142, 16, 16, 329_964, 20.44, 9.75, False, True, False, True),
)
"""The published row is for the training split only."""

FORMAT = FileFormat(
    name="sgd",
    owns=_OWNS,
    signs=_SIGNS,
    read=read,
    render=writing.to_bytes,
    new_name="dialogues_{:03d}.json".format,
    per_file=PER_FILE,
    forms=(LIST,),
    read_schemas=read_schemas,
    schemas_of=schemas_of,
    write_schemas=write_schemas,
    adapt=adapt,
    traits=TRAITS,
)
