"""What formats promise beyond their layout, and what they keep beside the dialogues.

beside(corpus).entities      # the restaurants of extendedkb1.txt and extendedkb2.txt
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from dialoom.corpus import Corpus
from dialoom.corpus.files import read_bytes
from dialoom.formats.frames import acts as frames
from dialoom.formats.taskmaster1.instructions import instructions
from dialoom.schema.service import ACTS


class Habits(NamedTuple):
    """What a format promises beyond its layout.

    Attributes:
        pair: Whether nobody but user and system speaks.
        alternates: Whether user and system speak in turn.
        calls_are_turns: Whether a query stands for what the system would have said.
        calls_first: Whether a result is only ever the answer to a query.
        answers: Whether each query has a result; in the first tasks of bAbI and DSTC6 a call is the
            aim, and nothing comes of it.
        call: The word that calls begin with where they are lines of text.
        alike: Whether all calls of a dialogue have the same slots.
        noted: Whether its readers note what is missing or of another kind in `extra`.
        acts: The names of its dialogue acts; empty where any will do.
    """

    pair: bool = False
    alternates: bool = False
    calls_are_turns: bool = False
    calls_first: bool = False
    answers: bool = True
    call: str = ""
    alike: bool = False
    noted: bool = False
    acts: frozenset[str] = frozenset()


class Beside(NamedTuple):
    """What stands beside the dialogues of a corpus.

    Attributes:
        instructions: The plain ids of the instructions; None where there are no files of them.
        entities: The names of the knowledge base's items; None where there is no file of them.
    """

    instructions: frozenset[str] | None = None
    entities: frozenset[str] | None = None


NOTHING = Beside()
"""No files but those of the dialogues."""


SGD_ACTS = frozenset(ACTS)

HABITS: Mapping[str, Habits] = {
    "sgd": Habits(pair=True, alternates=True, calls_first=True, noted=True, acts=SGD_ACTS),
    "gem": Habits(pair=True, alternates=True, calls_first=True, noted=True, acts=SGD_ACTS),
    "dstc6": Habits(
        alternates=True, calls_are_turns=True, answers=False, call="api_call", alike=True
    ),
    "babi": Habits(alternates=True, calls_are_turns=True, answers=False, call="api_call"),
    "frames": Habits(pair=True, acts=frames.ACTS),
    "taskmaster1": Habits(pair=True),
    "frames-text": Habits(acts=frames.ACTS | {"null"}),  # an unlabelled sentence
    "iob": Habits(acts=frames.ACTS | {"null"}),
}
"""The habits of formats by name; the others have none."""

_FACT = re.compile(rb"^\d+ (\S+) [Rr]_\S+[ \t]", re.MULTILINE)
"""A line of a file of facts: number, item, attribute, value (bAbI, DSTC6)."""

_FACTS = "*kb*.txt"
"""The names of the files of facts."""


def beside(corpus: Corpus) -> Beside:
    """Return what stands beside a corpus, by its format.

    Raises:
        MissingDataError: A file there cannot be read.
        FormatError: A file there is not UTF-8.
    """
    if corpus.format in ("babi", "dstc6"):
        return Beside(entities=_entities(corpus.root))
    if corpus.format == "taskmaster1":
        return Beside(instructions=frozenset(instructions(corpus.path)) or None)
    return NOTHING


def _entities(root: Path) -> frozenset[str] | None:
    """Return the items of all files of facts in a folder, or in the one above where it has none."""
    for folder in (root, root.parent):
        files = sorted(file for file in folder.glob(_FACTS) if file.is_file())
        if files:
            found = (name for file in files for name in _FACT.findall(read_bytes(file)))
            return frozenset(name.decode(errors="replace") for name in found)
    return None
