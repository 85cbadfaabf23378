"""Lists of facts and of candidates next to the dialogues, kept as files of a task.

    1 resto_paris_cheap_italian_6stars R_price<TAB>cheap        dialog-babi-kb-all.txt
    1 prezzo R_price expensive                                  dialog-babi-task6-dstc2-kb.txt
    1 what do you think of this option: prezzo                  dialog-babi-candidates.txt

Every line is numbered 1. DSTC6's `extendedkb1.txt` is a list of facts too. The files belong to a
corpus, not to a dialogue; conversions preserve them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from dialoom.corpus.files import read_bytes, write_synced
from dialoom.corpus.listing import listed, plain, safe
from dialoom.corpus.traits import Companions
from dialoom.dialogue.event import Item
from dialoom.errors import FormatError, SchemaError
from dialoom.formats.babi.facts import Fact, is_stated, items, read_fact, spell
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
    paths = listed(folder, LISTS)
    files = {plain(file.relative_to(folder).as_posix()): _text(file) for file in paths}
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
            names = (name for file in files for name in _FACT.findall(read_bytes(file)))
            return Companions(entities=frozenset(name.decode(errors="replace") for name in names))
    return Companions()


def _text(file: Path) -> str:
    try:
        return content(file).decode()
    except UnicodeDecodeError as error:
        raise SchemaError(file, f"not UTF-8 at byte {error.start}", code="not-utf-8") from error


PREFIX = "R_"
NUMBER = "1 "

_WHOLE = re.compile(r"0|[1-9][0-9]{0,17}")


class KnowledgeBase(NamedTuple):
    """The items of a list of facts in order, values as text, and its separator: tab or blank."""

    items: tuple[Item, ...]
    separator: str

    def columns(self) -> dict[str, type[int] | type[str]]:
        """Return attribute to type: integer if all of its values are whole numbers, else text."""
        types: dict[str, type[int] | type[str]] = {}
        for item in self.items:
            for attribute, value in item.items():
                whole = types.get(attribute, int) is int and _WHOLE.fullmatch(str(value))
                types[attribute] = int if whole else str
        return types

    def rows(self) -> Iterator[Item]:
        """Yield the items, with values of the types of `columns`."""
        kinds = self.columns()
        for item in self.items:
            yield {attribute: kinds[attribute](value) for attribute, value in item.items()}


def load_kb(file: Path) -> KnowledgeBase:
    """Read a list of facts; `MissingDataError` or `FormatError` if it is none."""
    return read_kb(content(file), file)


def read_kb(data: bytes, file: Path) -> KnowledgeBase:
    """Parse a list of facts; `FormatError` for lines or an order that writing would change."""
    facts: list[Fact] = []
    separator = ""
    for number, line in enumerate(_lines(data, file), start=1):
        separator = separator or ("\t" if "\t" in line else " ")
        fact = read_fact(line.replace("\t", " ", 1), PREFIX)
        if fact is None or spell(fact, PREFIX, separator) != line:
            blank = "<TAB>" if separator == "\t" else " "
            what = f"states no fact; expected `1 name R_attribute{blank}value`"
            raise FormatError(file, what, line=number, code="bad-line")
        facts.append(fact)
    if not is_stated(facts):
        raise FormatError(
            file,
            "the facts of an item are not consecutive, with its name first",
            code="out-of-order",
        )
    return KnowledgeBase(items(facts), separator)


def read_candidates(data: bytes, file: Path) -> tuple[str, ...]:
    """Return the candidates of a list, in order; `FormatError` if it is not a numbered list."""
    return tuple(_lines(data, file))


def _lines(data: bytes, file: Path) -> list[str]:
    try:
        lines = data.decode().split("\n")
    except UnicodeDecodeError as error:
        raise FormatError(file, f"not UTF-8 at byte {error.start}", code="not-utf-8") from error
    if not lines[-1]:
        lines.pop()
    for place, line in enumerate(lines, start=1):
        if not line.startswith(NUMBER):
            what = f"does not begin with `{NUMBER}`"
            raise FormatError(file, what, line=place, code="bad-line")
    if not lines:
        raise FormatError(
            file, "empty file; expected a list of lines that begin with `1 `", code="empty"
        )
    return [line.removeprefix(NUMBER).removesuffix("\r") for line in lines]
