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

The name of a file of instructions has role, collection and id, in various spellings; ids are
compared in lower case, with `-` for blanks and underscores. An id may be in two collections,
written by one person (self-dialogs) or spoken by two (2-person), with different instructions.

Taskmaster-2, 3 and 4 have this layout, too. Calls at an utterance (`apis`, or `annotations` named
`api_call`) are queries and results after it, and come back.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from dialoom.corpus.files import read_bytes, write_synced
from dialoom.corpus.traits import Companions, PublishedRow, Traits
from dialoom.dialogue import SYSTEM, USER
from dialoom.errors import FormatError
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.two_way import JsonFile, two_way
from dialoom.formats.taskmaster1 import dialogues, ontology

SPLITS = "train-dev-test"
INSTRUCTIONS = "instructions"

_FILE = re.compile(
    r"(user|agent)[-_ ]instru[a-z]*[-_ ](2-person|self-dialogs?)[-_ ](.+)\.txt", re.IGNORECASE
)
_JOINTS = re.compile(r"[\s_-]+")


class Instructions(NamedTuple):
    """The instructions in one file, for one role.

    Attributes:
        agent: The role: the user, or the system (agent in the file's name).
        collection: "self-dialogs" or "2-person".
    """

    agent: str
    collection: str
    text: str
    file: str


def splits(path: Path) -> dict[str, tuple[str, ...]]:
    """Return split lists' ids by name, of a corpus folder or a file in it."""
    folder = _root(path) / SPLITS
    return {file.stem: _ids(file) for file in sorted(folder.glob("*.csv")) if file.is_file()}


def write_splits(lists: Mapping[str, Sequence[str]], folder: Path) -> None:
    """Write the list of each split into a corpus folder."""
    for name, ids in lists.items():
        text = "".join(f"{id},\n" for id in ids)
        write_synced(folder / SPLITS / f"{name}.csv", text.encode())


def _ids(file: Path) -> tuple[str, ...]:
    lines = _text(file).splitlines()
    return tuple(name for line in lines if (name := line.partition(",")[0].strip()))


def instructions(path: Path) -> dict[str, tuple[Instructions, ...]]:
    """Return instructions by id, of a corpus folder or a file in it."""
    entries: dict[str, tuple[Instructions, ...]] = {}
    for file in sorted((_root(path) / INSTRUCTIONS).glob("*.txt")):
        match = _FILE.fullmatch(file.name)
        if match:
            agent = USER if match[1].lower() == "user" else SYSTEM
            collection = "2-person" if match[2].startswith("2") else "self-dialogs"
            entry = Instructions(agent, collection, _text(file), file.name)
            key = plain_id(match[3])
            entries[key] = (*entries.get(key, ()), entry)
    return entries


def companions(path: Path) -> Companions:
    """Return the ids of a corpus's instructions, and its split lists."""
    ids = frozenset(instructions(path)) or None
    return Companions(instructions=ids, splits=splits(path), same_id=plain_id)


def plain_id(name: str) -> str:
    """Return an instruction id normalised for comparison: "coffee 1" as "coffee-1"."""
    return _JOINTS.sub("-", name.strip()).lower()


def _root(path: Path) -> Path:
    return path if path.is_dir() else path.parent


def _text(file: Path) -> str:
    try:
        return read_bytes(file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(file, f"not UTF-8: {error}", code="not-utf-8") from error


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
