"""A database of an older layout is refused, migrated, and opened with all that it holds."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path

import pytest
from msgspec.structs import replace

from dialoom.collect.log.migration import migrate
from dialoom.collect.log.store import Store
from dialoom.collect.log.tables import SCHEMA
from dialoom.collect.settings import Settings, Stage, Times
from dialoom.collect.studies import open_study, settings_of
from dialoom.errors import FormatError, MissingDataError, UsageError
from tests.make import refuses

WRITE = Stage(name="write", kind="self_dialogue", tasks=("coffee_ordering",))
TRIGGER = "SELECT sql FROM sqlite_master WHERE name = 'record_update'"
GIVEN = Settings(stages=(WRITE,), scenarios=2, times=Times(idle_warning=42.0))


def older(path: Path) -> Path:
    """Make a study as layout 6 had it."""
    open_study(path, GIVEN, 0).close()
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        [trigger] = connection.execute(TRIGGER).fetchone()
        connection.execute("DROP TRIGGER record_update")
        [text] = connection.execute("SELECT body FROM record WHERE kind = 'started'").fetchone()
        body = json.loads(text)
        body["settings"]["times"]["nudge"] = body["settings"]["times"].pop("idle_warning")
        connection.execute("UPDATE record SET body = ? WHERE kind = 'started'", [json.dumps(body)])
        connection.execute(trigger)
        connection.execute("UPDATE meta SET value = '6' WHERE key = 'schema'")
    return path


def test_an_older_study_is_migrated_with_its_settings(tmp_path: Path) -> None:
    path = older(tmp_path / "study.sqlite")
    with refuses(FormatError, "wrong-version", "dialoom collect migrate"):
        Store.open(path)
    assert migrate(path) == (6, SCHEMA)
    assert migrate(path) == (SCHEMA, SCHEMA)
    with contextlib.closing(sqlite3.connect(path)) as base, pytest.raises(sqlite3.IntegrityError):
        base.execute("UPDATE record SET time = 0")
    with Store.open(path, create=False, readonly=True) as store:
        settings = settings_of(store, "the store")
    assert settings == replace(GIVEN, times=Times(idle_warning=42.0))


@pytest.mark.parametrize("layout", ["1", "99", "x"])
def test_other_layouts_stay_as_they_are(tmp_path: Path, layout: str) -> None:
    path = older(tmp_path / "study.sqlite")
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE meta SET value = ? WHERE key = 'schema'", [layout])
    with pytest.raises(FormatError):
        migrate(path)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone() == (
            layout,
        )


def test_a_database_of_another_program_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "books.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE book (title TEXT)")
    before = path.read_bytes()
    with refuses(FormatError, "other-format", "not a study"):
        migrate(path)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_only_a_study_that_nobody_serves_is_migrated(tmp_path: Path) -> None:
    path = tmp_path / "study.sqlite"
    with pytest.raises(MissingDataError):
        migrate(path)
    with open_study(path, GIVEN, 0), pytest.raises(UsageError):
        migrate(path)
    other = tmp_path / "other.sqlite"
    with contextlib.closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE bookings (id)")
    with pytest.raises(FormatError):
        migrate(other)
