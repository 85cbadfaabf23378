"""The index of a corpus: a SQLite file with the facts, findings and words of its dialogues.

The number of a dialogue is its file's number and its position there, so that the order of numbers
is that of the files and stays when a file is renewed. A corpus is identified by its path, a file by
its name, size and time of change.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from dialoom.corpus import Corpus
from dialoom.corpus.files import reading
from dialoom.learn.kept import cache_folder

VERSION = 4
"""Version of the tables; an index of another version is built again."""

PLACES = 1 << 32
"""The number of a dialogue is its file's number times this, plus its position in the file."""

BUSY_SECONDS = 60.0
"""Seconds to wait for another process that writes the same index."""

END = "\ue000"
"""Separates utterances in the indexed text: a word of its own, so that no phrase spans two."""

SEPARATOR = "\x1f"
"""Separates the tasks of a dialogue in its row."""

FACTS, TASK = ("id", "split", "stage", "outcome"), "task"
"""Facts that a search can ask for: those with one value, and the tasks."""

_TABLES = f"""
CREATE TABLE corpus (format TEXT, facets TEXT);
CREATE TABLE file (
    id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, size INTEGER, changed INTEGER,
    read INTEGER DEFAULT 0, linted INTEGER DEFAULT 0, error TEXT
);
CREATE TABLE dialogue (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, split TEXT, tasks TEXT, stage TEXT, outcome TEXT,
    turns INTEGER, utterances INTEGER, events INTEGER, start INTEGER, length INTEGER,
    findings INTEGER
);
CREATE INDEX dialogue_turns ON dialogue (turns);
CREATE INDEX dialogue_name ON dialogue (name);
CREATE INDEX dialogue_split ON dialogue (split);
CREATE INDEX dialogue_tasks ON dialogue (tasks);
CREATE INDEX dialogue_stage ON dialogue (stage);
CREATE INDEX dialogue_outcome ON dialogue (outcome);
CREATE INDEX dialogue_findings ON dialogue (findings);
CREATE TABLE finding (dialogue INTEGER, code TEXT, severity TEXT, pointer TEXT, message TEXT);
CREATE INDEX finding_code ON finding (code, dialogue);
CREATE INDEX finding_dialogue ON finding (dialogue);
CREATE VIRTUAL TABLE said USING fts5 (text, facts, tokenize = "unicode61 remove_diacritics 2");
PRAGMA user_version = {VERSION};
"""


def word_of(fact: str, value: str) -> str:
    """Return the word that the column `facts` of `said` has for a value of a fact.

    One search in the index of words finds dialogues by words and facts together, which takes a
    tenth of the time of a join.
    """
    return fact + hashlib.blake2b(value.encode(errors="replace"), digest_size=8).hexdigest()


class Stamp(NamedTuple):
    """A file's size in bytes and its time of change in nanoseconds."""

    size: int
    changed: int


class CorpusIndex:
    """The index of the corpus at a path.

    Args:
        path: The corpus: a folder or file.
        folder: The folder of indexes; by default `studio` in the user's cache folder.
    """

    def __init__(self, path: Path, folder: Path | None = None) -> None:
        self.path = path.resolve()
        key = hashlib.sha256(os.fsencode(self.path)).hexdigest()[:16]
        home = cache_folder() or Path(tempfile.gettempdir()) / "dialoom"
        self.file = (folder or home / "studio") / f"{self.path.name[:50]}-{key}.sqlite"

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection that cannot write."""
        with self.writing() as database:
            database.execute("PRAGMA query_only = 1")
            yield database

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Yield a connection, to write in transactions."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        database = self._opened()
        if database is None:  # damaged, or of another version
            for end in ("", "-wal", "-shm"):
                Path(f"{self.file}{end}").unlink(missing_ok=True)
            database = self._opened()
        assert database is not None
        try:
            yield database
        finally:
            database.close()

    def _opened(self) -> sqlite3.Connection | None:
        database = sqlite3.connect(self.file, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = OFF")  # what is lost is indexed again
            (version,) = database.execute("PRAGMA user_version").fetchone()
            if version == 0:
                database.execute("BEGIN IMMEDIATE")
                if database.execute("PRAGMA user_version").fetchone() == (0,):
                    for statement in _TABLES.strip().split(";\n"):
                        database.execute(statement)
                database.execute("COMMIT")
                version = VERSION
        except sqlite3.DatabaseError as error:
            database.close()
            if isinstance(error, sqlite3.OperationalError):
                raise
            return None
        if version == VERSION:
            return database
        database.close()
        return None

    def format(self) -> str | None:
        """Return the format that the corpus was indexed in; None where it was not."""
        if not self.file.is_file():
            return None
        with self.reading() as database:
            row = database.execute("SELECT format FROM corpus").fetchone()
        return None if row is None else str(row[0])

    def changed(self, corpus: Corpus) -> bool:
        """True if a file of the corpus is new, gone, other than indexed, or not yet indexed."""
        with self.reading() as database:
            rows = database.execute("SELECT name, size, changed, read AND linted FROM file")
            entries = {name: (Stamp(size, at), done) for name, size, at, done in rows}
        return entries != {name: (stamp, 1) for name, stamp in stamps(corpus).items()}


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Commit what the block writes together, or nothing of it if the block fails."""
    database.execute("BEGIN IMMEDIATE")
    with database:
        yield


def stamps(corpus: Corpus) -> dict[str, Stamp]:
    """Return the name below the corpus of each of its files, with size and time of change."""
    entries = {}
    for file in corpus.files:
        with reading(file):
            status = file.stat()
        name = file.relative_to(corpus.root).as_posix()
        entries[name] = Stamp(status.st_size, status.st_mtime_ns)
    return entries
