"""Turns knowledge-base files (lists of facts) into task schemas that rankers read.

Every attribute that is not numeric is a slot, and so is the name. The challenge lets participants
read both knowledge bases (Boureau et al. 2017, section 4).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from dialoom.formats.babi.dialect import CALL
from dialoom.formats.babi.lists import TASK, KnowledgeBase, load_kb
from dialoom.schema.call import Call
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema

_LIST = re.compile(r".*kb.*\.txt")


def found_near(path: Path) -> dict[str, KnowledgeBase]:
    """Return the knowledge bases in a folder or its parent by file name; or `FormatError`."""
    folder = path if path.is_dir() else path.parent
    for place in (folder, folder.resolve().parent):
        files = sorted(file for file in place.glob("*.txt") if _LIST.fullmatch(file.name))
        if files:
            return {file.name: load_kb(file) for file in files}
    return {}


def schemas_of(bases: Iterable[KnowledgeBase]) -> dict[str, TaskSchema]:
    """Return the schema of the bookings that some knowledge bases serve; empty without any.

    A numeric attribute is no slot: users do not say ratings.
    """
    values: dict[str, dict[str, tuple[str, ...]]] = {}
    for base in bases:
        names = {name for name, kind in base.columns().items() if kind is str}
        for item in base.items:
            for name in names & item.keys():
                values.setdefault(name, {})[str(item[name])] = ()
    slots = {name: Slot(name=name, type="category", values=terms) for name, terms in values.items()}
    calls = {CALL: Call(name=CALL)}
    return {TASK: TaskSchema(id=TASK, slots=slots, calls=calls)} if slots else {}
