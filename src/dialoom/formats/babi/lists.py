"""The lists next to the dialogues, kept as files of a task so that conversions preserve them.

`dialog-babi-candidates.txt` and `dialog-babi-kb-all.txt` belong to a corpus, not to a dialogue;
formats/babi/kb.py parses them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from dialoom.corpus.files import read_bytes, write_synced
from dialoom.corpus.listing import listed, plain, safe
from dialoom.corpus.traits import Companions
from dialoom.errors import SchemaError
from dialoom.formats.base.multi_file import content
from dialoom.schema.source import ListsSource
from dialoom.schema.task import TaskSchema

TASK = "restaurants"
"""The id of the task that has the lists as its files."""

LISTS = re.compile(
    r"(?:.*/)?(?:dialog-[^/]*(?:candidates|kb)[^/]*|[^/]*kb[0-9]+)\.txt", re.IGNORECASE
)
"""Pattern of the names of lists: bAbI's, and DSTC6's `extendedkb1.txt`."""


_FACT = re.compile(rb"^\d+ (\S+) [Rr]_\S+[ \t]", re.MULTILINE)
"""Pattern of a line of a list of facts: number, item, attribute, value."""


def read_lists(path: Path) -> dict[str, TaskSchema]:
    """Return the lists next to a file as files of a task; `SchemaError` if not UTF-8."""
    folder = path if path.is_dir() else path.parent
    found = listed(folder, LISTS)
    files = {plain(file.relative_to(folder).as_posix()): _text(file) for file in found}
    return {TASK: TaskSchema(id=TASK, source=ListsSource(files=files))} if files else {}


def write_lists(schemas: Mapping[str, TaskSchema], target: Path) -> None:
    """Write those files of tasks that have names of lists."""
    for task in schemas.values():
        files = task.source.files if isinstance(task.source, ListsSource) else {}
        for name, text in files.items():
            file = target / name
            if LISTS.fullmatch(name) and safe(name) and not file.exists():
                write_synced(file, text.encode("utf-8", "replace"))


def companions(path: Path) -> Companions:
    """Return the items of the lists of facts in a folder, or else in its parent."""
    root = path if path.is_dir() else path.parent
    for folder in (root, root.parent):
        files = sorted(file for file in folder.glob("*kb*.txt") if file.is_file())
        if files:
            found = (name for file in files for name in _FACT.findall(read_bytes(file)))
            return Companions(entities=frozenset(name.decode(errors="replace") for name in found))
    return Companions()


def _text(file: Path) -> str:
    try:
        return content(file).decode()
    except UnicodeDecodeError as error:
        raise SchemaError(file, f"not UTF-8 at byte {error.start}") from error
