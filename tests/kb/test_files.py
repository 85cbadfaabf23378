"""A knowledge base in a file: kept, opened again, and refused in one line."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from dialoom.errors import FormatError, OutputError, UsageError
from dialoom.kb import KnowledgeBase
from dialoom.kb.database import Database
from tests.kb.sample import TASK, asking, filled, free
from tests.make import refuses


def test_a_file_keeps_rows_and_calls(tmp_path: Path) -> None:
    file = tmp_path / "kb.sqlite"
    first = KnowledgeBase(file)
    first.populate(TASK, 1)
    assert first.call("table_book", asking(**free(first))).outcome == "done"
    digest = first.snapshot().digest
    first.close()
    second = KnowledgeBase(file)
    assert second.snapshot().digest == digest
    assert second.call("hotel_search", asking(Area="North")) == filled().call(
        "hotel_search", asking(Area="North")
    )
    second.close()


def test_the_file_is_plain_sqlite(tmp_path: Path) -> None:
    kb = KnowledgeBase(tmp_path / "kb.sqlite")
    kb.populate(TASK, 1)
    kb.close()
    plain = sqlite3.connect(tmp_path / "kb.sqlite")
    [(count, price)] = plain.execute('SELECT count(*), max("Price") FROM hotels').fetchall()
    plain.close()
    assert (count, price) == (40, 20)


def test_a_file_of_another_kind(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("These are notes, and rather long ones.\n" * 200, encoding="utf-8")
    with refuses(FormatError, "other-format", "notes.txt"):
        KnowledgeBase(file)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with refuses(OutputError, "unwritable"):
        KnowledgeBase(tmp_path / "missing" / "kb.sqlite")


@pytest.mark.parametrize("text", ["{", '{"domain": 3}', "5"])
def test_a_task_schema_that_cannot_be_read(tmp_path: Path, text: str) -> None:
    file = tmp_path / "kb.sqlite"
    plain = sqlite3.connect(file)
    plain.execute('CREATE TABLE ":tasks" (seed INTEGER, task TEXT)')
    plain.execute('INSERT INTO ":tasks" VALUES (1, ?)', [text])
    plain.commit()
    plain.close()
    with refuses(FormatError, "damaged"):
        KnowledgeBase(file)


def test_a_file_that_is_refused_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "kb.sqlite"
    with closing(sqlite3.connect(file)) as plain:
        plain.execute('CREATE TABLE ":tasks" (seed INTEGER, task TEXT)')
        plain.execute("INSERT INTO \":tasks\" VALUES (1, '{')")
        plain.commit()
    closed: list[str] = []
    close = Database.close

    def recorded(self: Database) -> None:
        closed.append(self.path)
        close(self)

    monkeypatch.setattr(Database, "close", recorded)
    with pytest.raises(FormatError):
        KnowledgeBase(file)
    assert closed == [str(file)]


def test_another_process_holds_the_file(tmp_path: Path) -> None:
    file = tmp_path / "kb.sqlite"
    kb = KnowledgeBase(file, timeout=0)
    kb.populate(TASK, 1)
    key = asking(**free(kb))
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with refuses(OutputError, "busy") as caught:
        kb.call("table_book", key)
    assert "\n" not in str(caught.value)
    other.execute("ROLLBACK")
    assert kb.call("table_book", key).outcome == "done"
    kb.close()
    other.close()


def test_a_dialogue_that_cannot_be_kept_is_undone(tmp_path: Path) -> None:
    file = tmp_path / "kb.sqlite"
    kb = KnowledgeBase(file, timeout=0)
    kb.populate(TASK, 1)
    before = kb.snapshot().digest
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN")
    other.execute("SELECT count(*) FROM hotels").fetchall()
    with refuses(OutputError, "busy"), kb.dialogue(keep=True):
        kb.call("table_book", asking(**free(kb)))
    other.execute("ROLLBACK")
    assert kb.snapshot().digest == before
    other.close()
    kb.close()


def test_what_one_books_is_taken_for_the_other(tmp_path: Path) -> None:
    file = tmp_path / "kb.sqlite"
    one = KnowledgeBase(file)
    one.populate(TASK, 1)
    other = KnowledgeBase(file)
    key = asking(**free(one))
    assert other.call("table_search").total == 3
    assert one.call("table_book", key).outcome == "done"
    assert other.call("table_book", key).outcome == "failed"
    assert other.call("table_search").total == 4
    one.close()
    other.close()


def test_tables_of_somebody_else_are_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "kb.sqlite"
    plain = sqlite3.connect(file)
    plain.execute("CREATE TABLE hotels (a)")
    plain.close()
    kb = KnowledgeBase(file)
    assert kb.tables == ()
    with refuses(UsageError, "cannot-work", "hotels"):
        kb.populate(TASK)
    kb.close()
