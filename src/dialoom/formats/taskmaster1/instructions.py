"""The split lists and instructions next to Taskmaster-1's dialogues.

    train-dev-test/train.csv        an id on each line before a comma; self-dialogues only
    instructions/user_instructions_self-dialogs_coffee-ordering 1.txt
    instructions/agent-instrucitons_2-person_pizza-ordering-1.txt

The name of a file of instructions has role, collection and id, in various spellings; ids are
compared in lower case, with `-` for blanks and underscores. An id may be in two collections,
written by one person (self-dialogs) or spoken by two (2-person), with different instructions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from dialoom.corpus.files import read_bytes, write_synced
from dialoom.corpus.traits import Companions
from dialoom.dialogue import SYSTEM, USER
from dialoom.errors import FormatError

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
