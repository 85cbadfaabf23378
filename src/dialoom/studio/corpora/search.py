"""Lists and searches the dialogues of an index.

    found = search(database, Wanted(text='"two rooms" cheap', task="hotel_book", sort="-turns"))
    found.total, found.rows[0].id, found.rows[0].excerpt

Words match whole words in upper or lower case, with or without accents; several are all wanted.
Quoted words follow one another in one utterance, and a word with `*` at its end matches those that
begin like it. A dialogue whose id is the text is found, too.
"""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from dialoom.errors import UnknownNameError
from dialoom.studio.corpora.index import END, SEPARATOR

PAGE = 50
"""Most dialogues of a page."""

OPEN, CLOSE = "\x02", "\x03"
"""Around each matched word of an excerpt; no text of an index has them."""

COUNTED = 100_000
"""Most dialogues that are counted."""

AROUND = 60
"""Characters of an excerpt before and after the first match."""

COLUMNS: dict[str, str] = {
    "": "dialogue.id",
    "id": "name",
    "split": "split",
    "tasks": "tasks",
    "stage": "stage",
    "outcome": "outcome",
    "turns": "turns",
    "findings": "findings",
}
"""Name of an order of lists to its column; the empty name is the order of the files."""

_PIECE = re.compile(r'"([^"]*)"?|([^\s"]+)')


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """The dialogues that are wanted; what is empty or None does not restrict them.

    Attributes:
        finding: A code of lint; "any" for dialogues with any finding.
        least: Least number of turns.
        most: Most turns.
        sort: A key of `COLUMNS`, after `-` from large to small.
        first: How many dialogues come before those of the page.
    """

    text: str = ""
    split: str = ""
    task: str = ""
    stage: str = ""
    outcome: str = ""
    finding: str = ""
    least: int | None = None
    most: int | None = None
    sort: str = ""
    first: int = 0
    page: int = PAGE


class DialogueRow(msgspec.Struct, frozen=True, kw_only=True):
    """A dialogue in a list.

    Attributes:
        number: Its number in the index.
        unique: True if no other dialogue has its id.
        findings: The number of findings; None before it is checked.
        excerpt: Words around those that were searched for, which are between OPEN and CLOSE.
    """

    number: int
    id: str
    split: str
    tasks: tuple[str, ...]
    stage: str | None
    outcome: str | None
    turns: int
    findings: int | None
    unique: bool
    excerpt: str = ""


class FoundDialogues(msgspec.Struct, frozen=True):
    """The number of dialogues found (`more` if there are more than `COUNTED`), and a page's."""

    total: int
    more: bool
    rows: tuple[DialogueRow, ...]


def search(database: sqlite3.Connection, wanted: Wanted) -> FoundDialogues:
    """Return the dialogues that are wanted; `UnknownNameError` for another column to sort by."""
    query, values = _query(database, wanted)
    down = wanted.sort.startswith("-")
    column = wanted.sort.removeprefix("-")
    if column not in COLUMNS:
        raise UnknownNameError("column", column, [name for name in COLUMNS if name])
    (total,) = database.execute(
        f"SELECT count(*) FROM (SELECT 1 {query} LIMIT {COUNTED + 1})", values
    ).fetchone()
    way = "DESC" if down else "ASC"
    order = f"{COLUMNS[column]} {way}, dialogue.id {way}" if column else f"dialogue.id {way}"
    rows = database.execute(
        "SELECT dialogue.id, name, split, tasks, stage, outcome, turns, findings, "
        "(SELECT count(*) FROM dialogue AS other WHERE other.name = dialogue.name) "
        f"{query} ORDER BY {order} LIMIT ? OFFSET ?",
        (*values, max(1, min(wanted.page, PAGE)), max(0, wanted.first)),
    ).fetchall()
    excerpts = _excerpts(database, wanted.text, [row[0] for row in rows])
    return FoundDialogues(
        min(total, COUNTED), total > COUNTED, tuple(_row(row, excerpts) for row in rows)
    )


def _query(database: sqlite3.Connection, wanted: Wanted) -> tuple[str, list[Any]]:
    """Return the FROM and WHERE of a search, and their values."""
    conditions, values = _conditions(wanted)
    table, text = "dialogue", wanted.text.strip()
    if text:
        known = "SELECT 1 FROM dialogue WHERE name = ? LIMIT 1"
        if database.execute(known, (text,)).fetchone():
            among = "dialogue.id IN (SELECT rowid FROM said WHERE said MATCH ?)"
            conditions, values = [f"({among} OR name = ?)", *conditions], [text, *values]
        else:  # in the order of the words' own index, which is that of the numbers
            table = "said CROSS JOIN dialogue ON dialogue.id = said.rowid"
            conditions = ["said MATCH ?", *conditions]
        values = [expression(text), *values]
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return f"FROM {table}{where}", values


def _row(row: tuple[Any, ...], excerpts: Mapping[int, str]) -> DialogueRow:
    number, name, split, tasks, stage, outcome, turns, findings, same = row
    return DialogueRow(
        number=number,
        id=name,
        split=split,
        tasks=tuple(filter(None, tasks.split(SEPARATOR))),
        stage=stage,
        outcome=outcome,
        turns=turns,
        findings=findings,
        unique=same == 1,
        excerpt=excerpts.get(number, ""),
    )


def _conditions(wanted: Wanted) -> tuple[list[str], list[Any]]:
    found: list[tuple[str, list[Any]]] = []
    if wanted.task:
        found.append(("dialogue.id IN (SELECT dialogue FROM task WHERE name = ?)", [wanted.task]))
    if wanted.finding == "any":
        found.append(("findings > 0", []))
    elif wanted.finding:
        among = "dialogue.id IN (SELECT dialogue FROM finding WHERE code = ?)"
        found.append((among, [wanted.finding]))
    for column in ("split", "stage", "outcome"):
        if value := getattr(wanted, column):
            found.append((f"{column} = ?", [value]))
    if wanted.least is not None:
        found.append(("turns >= ?", [wanted.least]))
    if wanted.most is not None:
        found.append(("turns <= ?", [wanted.most]))
    return [each for each, _ in found], [value for _, values in found for value in values]


def expression(text: str) -> str:
    """Return a text to search for as an FTS5 expression."""
    return " ".join(_pieces(text)) or '""'


def _pieces(text: str) -> Iterator[str]:
    for phrase, word in _PIECE.findall(text.replace(END, " ").replace("\0", " ")):
        piece = phrase or word.rstrip("*")
        if piece:
            yield f'"{piece}"' + ("*" if word.endswith("*") else "")


def _excerpts(database: sqlite3.Connection, text: str, numbers: list[int]) -> dict[int, str]:
    """Return the words around the first match in each dialogue; FTS5's own are far slower."""
    wanted = "|".join(_pattern(*each) for each in _PIECE.findall(_plain(text)) if any(each))
    if not wanted or not numbers:
        return {}
    pattern, places = re.compile(wanted, re.IGNORECASE), ", ".join("?" * len(numbers))
    rows = database.execute(f"SELECT rowid, text FROM said WHERE rowid IN ({places})", numbers)
    return {number: _excerpt(said, pattern) for number, said in rows}


def _pattern(phrase: str, word: str) -> str:
    words = re.findall(r"[^\W_]+", phrase or word)
    return r"\b" + r"[\W_]+".join(words) + ("" if word.endswith("*") else r"\b") if words else "$^"


def _excerpt(said: str, pattern: re.Pattern[str]) -> str:
    plain = _plain(said)
    first = pattern.search(plain)
    if first is None:
        return ""
    start = said.rfind(" ", 0, max(0, first.start() - AROUND)) + 1
    end = said.find(" ", first.end() + AROUND)
    end = len(said) if end < 0 else end
    found, now = [], start
    for match in pattern.finditer(plain, start, end):
        found += [said[now : match.start()], OPEN, said[slice(*match.span())], CLOSE]
        now = match.end()
    text = "".join((*found, said[now:end])).replace(f" {END} ", " / ")
    return f"{'…' if start else ''}{text}{'…' if end < len(said) else ''}"


def _plain(text: str) -> str:
    """Return a text of the same length without accents."""
    if text.isascii():
        return text
    return "".join(unicodedata.normalize("NFD", sign)[0] for sign in text)


Facets = dict[str, dict[str, int]]
"""The values of each filter, with their numbers of dialogues, the frequent ones first."""


def facets(database: sqlite3.Connection) -> Facets:
    """Return the values of filters: as kept, or as they are while a corpus is read."""
    row = database.execute("SELECT facets FROM corpus").fetchone()
    if row is None or row[0] is None:
        return _counted(database)
    return msgspec.json.decode(row[0], type=Facets)


def keep_facets(database: sqlite3.Connection) -> None:
    """Count the values of filters, and keep them for later lists."""
    kept = msgspec.json.encode(_counted(database)).decode()
    database.execute("UPDATE corpus SET facets = ?", (kept,))


def _counted(database: sqlite3.Connection) -> Facets:
    queries = {
        "task": "SELECT name, count(*) FROM task GROUP BY 1",
        "finding": "SELECT code, count(DISTINCT dialogue) FROM finding GROUP BY 1",
        **{
            column: f"SELECT {column}, count(*) FROM dialogue GROUP BY 1"
            for column in ("split", "stage", "outcome")
        },
    }
    return {
        name: {value: n for value, n in database.execute(f"{query} ORDER BY 2 DESC, 1") if value}
        for name, query in queries.items()
    }
