"""Fills the index of a corpus: facts and words first, then lint's findings; only changed files.

A corpus is read twice, so that it can be listed and searched before it is checked. Findings that
compare dialogues with each other see only the files that are checked together.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Literal

from dialoom.corpus import Corpus
from dialoom.corpus.filters import Facts, facts
from dialoom.corpus.patches import patched
from dialoom.dialogue import Dialogue, Utterance
from dialoom.dialogue.annotation import Struct
from dialoom.errors import DialoomError
from dialoom.learn.kept import alone
from dialoom.quality.lint import Finding, linter_for
from dialoom.studio.corpora.index import (
    END,
    FACTS,
    PLACES,
    SEPARATOR,
    TASK,
    CorpusIndex,
    Stamp,
    stamps,
    transaction,
    word_of,
)
from dialoom.studio.corpora.places import Place, places_of
from dialoom.studio.corpora.search import keep_facets

BATCH = 500
"""Dialogues that are written at a time, so that they can be listed while the rest is read."""

_RESERVED = re.compile(r"[\x00-\x1f\ue000]+")


class IndexState(Struct, frozen=True, kw_only=True):
    """The state of a corpus's index.

    Attributes:
        phase: "opening" until files are read; "done" if all is indexed; "failed".
        dialogues: The number of dialogues that can be listed.
        share: The part of the bytes of all files that this phase is done with, 0 to 1.
        what: Why it failed.
    """

    phase: Literal["opening", "reading", "checking", "done", "failed"]
    dialogues: int = 0
    share: float = 0.0
    what: str = ""


def build(index: CorpusIndex, corpus: Corpus) -> Generator[IndexState, None, None]:
    """Bring an index up to date, and yield the progress."""
    with alone(index.file), index.writing() as database:
        builder = _Builder(database, corpus)
        with transaction(database):
            builder.forget()
            yield from builder.read()
            database.execute("INSERT INTO said (said) VALUES ('optimize')")
            database.execute("ANALYZE")
            keep_facets(database)
        with transaction(database):
            yield from builder.check()
            keep_facets(database)
        yield IndexState(phase="done", dialogues=builder.listed, share=1.0)


class _Builder:
    def __init__(self, database: sqlite3.Connection, corpus: Corpus) -> None:
        self.database, self.corpus = database, corpus
        self.wanted: Mapping[str, Stamp] = stamps(corpus)
        self.listed = self._pending = 0

    def forget(self) -> None:
        """Remove files that are gone or changed, and add new ones; a changed one stays in place."""
        self.database.execute("DELETE FROM corpus")
        self.database.execute("INSERT INTO corpus (format) VALUES (?)", (self.corpus.format,))
        rows = self.database.execute("SELECT id, name, size, changed, read FROM file").fetchall()
        for number, name, size, changed, read in rows:
            if self.wanted.get(name) != (size, changed) or not read:
                _clear(self.database, number)
            if name not in self.wanted:
                self.database.execute("DELETE FROM file WHERE id = ?", (number,))
        self.database.executemany(
            "INSERT INTO file (name, size, changed) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE "
            "SET size = excluded.size, changed = excluded.changed, read = 0, linted = 0, "
            "error = NULL WHERE (size, changed) != (excluded.size, excluded.changed)",
            [(name, *stamp) for name, stamp in self.wanted.items()],
        )
        (self.listed,) = self.database.execute("SELECT count(*) FROM dialogue").fetchone()

    def read(self) -> Iterator[IndexState]:
        """Put facts and words of the files that are not read into the index."""
        total = sum(stamp.size for stamp in self.wanted.values()) or 1
        todo = self._todo("read")
        done = total - sum(self.wanted[name].size for _, name in todo)
        for number, name in todo:
            file = self.corpus.root / name
            places, many = places_of(file), 0
            for batch in self._batches(number, file, self.corpus, "read"):
                _add(self.database, number * PLACES + many, batch, places[many:])
                many += len(batch)
                self.listed += len(batch)
                start = places[many - 1][0] if many <= len(places) else 0
                share = (done + start) / total
                yield IndexState(phase="reading", dialogues=self.listed, share=share)
            if many != len(places):  # values that are no dialogues, or parts of one
                own = number * PLACES, number * PLACES + many
                self.database.execute(
                    "UPDATE dialogue SET start = NULL WHERE id BETWEEN ? AND ?", own
                )
            done += self.wanted[name].size

    def check(self) -> Iterator[IndexState]:
        """Put lint's findings in the files that are not checked into the index."""
        linter, corpus = linter_for(self.corpus), patched(self.corpus)
        (done,) = self.database.execute(
            "SELECT count(*) FROM dialogue WHERE findings IS NOT NULL"
        ).fetchone()
        for number, name in self._todo("linted"):
            many = 0
            for batch in self._batches(number, self.corpus.root / name, corpus, "linted"):
                for dialogue in batch:
                    findings = linter.check(dialogue, name)
                    set_findings(self.database, number * PLACES + many, findings)
                    many += 1
                done += len(batch)
                share = done / self.listed
                yield IndexState(phase="checking", dialogues=self.listed, share=share)

    def _todo(self, column: str) -> list[tuple[int, str]]:
        return self.database.execute(f"SELECT id, name FROM file WHERE NOT {column}").fetchall()

    def _batches(
        self, number: int, file: Path, corpus: Corpus, column: str
    ) -> Iterator[list[Dialogue]]:
        errors: list[str] = []
        dialogues = _until_error(corpus.read_file(file), errors)
        while batch := list(islice(dialogues, BATCH)):
            yield batch
            self._pending += len(batch)
            if self._pending >= BATCH:
                self._commit()
        self.database.execute(
            f"UPDATE file SET {column} = 1, error = ifnull(?, error) WHERE id = ?",
            (*errors, number) if errors else (None, number),
        )

    def _commit(self) -> None:
        self.database.execute("COMMIT")
        self.database.execute("BEGIN IMMEDIATE")
        self._pending = 0


def _until_error(dialogues: Iterator[Dialogue], errors: list[str]) -> Iterator[Dialogue]:
    try:
        yield from dialogues
    except DialoomError as error:
        errors.append(str(error))


def set_findings(database: sqlite3.Connection, number: int, findings: Iterable[Finding]) -> None:
    """Replace the findings of a dialogue."""
    rows = [(number, each.code, each.severity, each.pointer, each.message) for each in findings]
    database.execute("UPDATE dialogue SET findings = ? WHERE id = ?", (len(rows), number))
    database.execute("DELETE FROM finding WHERE dialogue = ?", (number,))
    database.executemany("INSERT INTO finding VALUES (?, ?, ?, ?, ?)", rows)


def _add(
    database: sqlite3.Connection, first: int, batch: Sequence[Dialogue], places: Sequence[Place]
) -> None:
    rows, words = [], []
    for number, dialogue in enumerate(batch, first):
        about = facts(dialogue)
        place = places[number - first] if number - first < len(places) else (None, None)
        rows.append((
            number, about.id, about.split, SEPARATOR.join(about.tasks), about.stage,
            about.outcome, about.turns, about.utterances, about.events, *place,
        ))  # fmt: skip
        words.append((number, said(dialogue), _words(about)))
    database.executemany(f"INSERT INTO dialogue VALUES ({'?, ' * 11}NULL)", rows)
    database.executemany("INSERT INTO said (rowid, text, facts) VALUES (?, ?, ?)", words)


def _words(about: Facts) -> str:
    single = ((fact, getattr(about, fact)) for fact in FACTS)
    pairs = [(fact, value) for fact, value in single if value is not None]
    pairs += [(TASK, task) for task in about.tasks]
    return " ".join(word_of(*each) for each in pairs)


def said(dialogue: Dialogue) -> str:
    """Return the searched text of a dialogue: its utterances, each after a word of its own."""
    texts = (event.text for event in dialogue.events if isinstance(event, Utterance))
    return f" {END} ".join(_RESERVED.sub(" ", text) for text in texts)


def _clear(database: sqlite3.Connection, file: int) -> None:
    own = file * PLACES, (file + 1) * PLACES - 1
    for column in ("said.rowid", "dialogue.id", "finding.dialogue"):
        table, _, key = column.partition(".")
        database.execute(f"DELETE FROM {table} WHERE {key} BETWEEN ? AND ?", own)
