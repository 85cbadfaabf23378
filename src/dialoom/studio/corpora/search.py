"""Lists and searches the dialogues of an index.

Words match whole words in upper or lower case, with or without accents; several are all wanted.
Quoted words follow one another in one utterance, and a word with `*` at its end matches those that
begin like it. A dialogue whose id is the text is found, too.
"""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from dialoom.errors import UnknownNameError
from dialoom.studio.corpora.index import END, SEPARATOR, TASK, word_of

PAGE = 50
"""Most dialogues of a page."""

OPEN, CLOSE = "\x02", "\x03"
"""Around each matched word of an excerpt; no text of an index has them."""

LONGEST = 2**31
"""More turns than a dialogue has."""

AROUND = 60
"""Characters of an excerpt before and after the first match."""

COLUMNS: dict[str, str] = {
    "": "id",
    "id": "name",
    "split": "split",
    "tasks": "tasks",
    "stage": "stage",
    "outcome": "outcome",
    "turns": "turns",
    "findings": "findings",
}
"""Name of an order of lists to its column; the empty name is the order of the files."""

MATCHES = "said MATCH ?"
"""The condition of a search in the index of words."""

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
    """The number of dialogues found, and those of a page."""

    total: int
    rows: tuple[DialogueRow, ...]


def search(database: sqlite3.Connection, query: Wanted) -> FoundDialogues:
    """Return the dialogues that are wanted; `UnknownNameError` for another column to sort by.

    The set of their numbers is made once; an index in the wanted order is read until the page is
    full, which takes a tenth of the time of sorting them.
    """
    way = "DESC" if query.sort.startswith("-") else "ASC"
    name = query.sort.removeprefix("-")
    if name not in COLUMNS:
        raise UnknownNameError("column", name, [each for each in COLUMNS if each])
    column, tests = COLUMNS[name], _tests(query)
    table = "said" if MATCHES in tests else "dialogue NOT INDEXED"
    tested = " AND ".join(tests)
    clause = f"WITH found (id) AS (SELECT rowid FROM {table} {tested and f'WHERE {tested}'})"
    order = f"INDEXED BY dialogue_{column}" if name else "NOT INDEXED"
    among = f"WHERE {'+' if name else ''}id IN found" if tests else ""  # + keeps the order
    values = [value for several in tests.values() for value in several]
    total, *rows = database.execute(
        f"{clause} SELECT count(*){', NULL' * 8} FROM found "
        "UNION ALL SELECT * FROM (SELECT id, name, split, tasks, stage, outcome, turns, findings, "
        "(SELECT count(*) FROM dialogue AS other WHERE other.name = dialogue.name) "
        f"FROM dialogue {order} {among} ORDER BY {column} {way}, id {way} LIMIT ? OFFSET ?)",
        (*values, max(1, min(query.page, PAGE)), max(0, query.first)),
    )
    excerpts = _excerpts(database, query.text, [row[0] for row in rows])
    return FoundDialogues(total[0], tuple(_row(row, excerpts) for row in rows))


def _tests(query: Wanted) -> dict[str, Sequence[Any]]:
    """Return what the number of a dialogue must fulfil, with the values of each test."""
    tests: dict[str, Sequence[Any]] = {}
    if words := _words(query):
        tests[MATCHES] = (words,)
    if query.least is not None or query.most is not None:
        most = LONGEST if query.most is None else query.most
        test = "turns BETWEEN ? AND ?"
        among = f"+rowid IN (SELECT id FROM dialogue NOT INDEXED WHERE {test})"
        tests[among if words else test] = query.least or 0, most
    if query.finding == "any":
        tests["+rowid IN (SELECT dialogue FROM finding)"] = ()
    elif query.finding:
        tests["+rowid IN (SELECT dialogue FROM finding WHERE code = ?)"] = (query.finding,)
    return tests


def _words(query: Wanted) -> str:
    parts = []
    if text := query.text.strip():
        parts.append(f"(text : ({expression(text)}) OR facts : {word_of('id', text)})")
    facts = {TASK: query.task, "split": query.split}
    facts |= {"stage": query.stage, "outcome": query.outcome}
    parts += [f"facts : {word_of(fact, value)}" for fact, value in facts.items() if value]
    return " AND ".join(parts)


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
    source = "|".join(_pattern(*each) for each in _PIECE.findall(_plain(text)) if any(each))
    if not source or not numbers:
        return {}
    pattern, places = re.compile(source, re.IGNORECASE), ", ".join("?" * len(numbers))
    rows = database.execute(f"SELECT rowid, text FROM said WHERE rowid IN ({places})", numbers)
    return {number: _excerpt(content, pattern) for number, content in rows}


def _pattern(phrase: str, word: str) -> str:
    words = re.findall(r"[^\W_]+", phrase or word)
    return r"\b" + r"[\W_]+".join(words) + ("" if word.endswith("*") else r"\b") if words else "$^"


def _excerpt(content: str, pattern: re.Pattern[str]) -> str:
    plain = _plain(content)
    first = pattern.search(plain)
    if first is None:
        return ""
    start = content.rfind(" ", 0, max(0, first.start() - AROUND)) + 1
    end = content.find(" ", first.end() + AROUND)
    end = len(content) if end < 0 else end
    pieces, now = [], start
    for match in pattern.finditer(plain, start, end):
        pieces += [content[now : match.start()], OPEN, content[slice(*match.span())], CLOSE]
        now = match.end()
    text = "".join((*pieces, content[now:end])).replace(END, "/")
    return f"{'…' if start else ''}{text}{'…' if end < len(content) else ''}"


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
    facets = msgspec.json.encode(_counted(database)).decode()
    database.execute("UPDATE corpus SET facets = ?", (facets,))


def _counted(database: sqlite3.Connection) -> Facets:
    queries = {
        "finding": "SELECT code, count(DISTINCT dialogue) FROM finding GROUP BY 1",
        **{
            column: f"SELECT {column}, count(*) FROM dialogue GROUP BY 1"
            for column in ("tasks", "split", "stage", "outcome")
        },
    }
    counts = {name: Counter(dict(database.execute(query))) for name, query in queries.items()}
    tasks = counts[TASK] = Counter()
    for several, number in counts.pop("tasks").items():
        tasks.update(dict.fromkeys(several.split(SEPARATOR), number))
    return {name: _frequent_first(tally) for name, tally in counts.items()}


def _frequent_first(counts: Counter[str]) -> dict[str, int]:
    pairs = [(value, number) for value, number in counts.items() if value]
    return dict(sorted(pairs, key=lambda each: (-each[1], each[0])))
