"""What can be wrong with the database of a study is said in one line."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import sqlite3
import subprocess
import time
from pathlib import Path
from types import SimpleNamespace

import psycopg
import pytest
from sqlalchemy import Connection

from dialoom.collect.log.change import Change
from dialoom.collect.log.database import shown
from dialoom.collect.log.record import Record
from dialoom.collect.log.store import Store
from dialoom.collect.log.tables import metadata
from dialoom.dialogue import Utterance
from dialoom.errors import DialoomError, FormatError, MissingDataError, OutputError, UsageError
from tests.postgres import Server

HI = Change((Record("unit/1", 1, 1, "user", "", Utterance(agent="user", text="Hi")),))


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A study with one record."""
    path = tmp_path / "study.sqlite"
    with Store.open(path) as store:
        store.submit(HI).result()
    return path


def refusal(
    where: str | Path, kind: type[DialoomError], *, create: bool = True, readonly: bool = False
) -> str:
    """Return the line that says why a store is not opened."""
    with pytest.raises(kind) as caught:
        Store.open(where, create=create, readonly=readonly)
    line = str(caught.value)
    assert "\n" not in line
    return line


def test_where_there_is_nothing(tmp_path: Path) -> None:
    path = tmp_path / "study.sqlite"
    assert "no such study" in refusal(path, MissingDataError, create=False)
    assert "no such study" in refusal(path, MissingDataError, readonly=True)
    assert str(tmp_path / "a") in refusal(tmp_path / "a" / "b", MissingDataError)
    assert list(tmp_path.iterdir()) == []


def test_only_its_owner_may_read_a_study(tmp_path: Path) -> None:
    before = os.umask(0)  # nothing but the store keeps others out
    try:
        with Store.open(tmp_path / "study.sqlite") as store:
            store.submit(HI).result()
            modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert modes.keys() > {"study.sqlite", "study.sqlite.lock", "study.sqlite-wal"}
    assert set(modes.values()) == {0o600}


def test_an_empty_database_is_no_study(tmp_path: Path) -> None:
    path = tmp_path / "study.sqlite"
    path.touch()
    assert "no study in it" in refusal(path, MissingDataError, create=False)
    assert "no study in it" in refusal(path, MissingDataError, readonly=True)
    Store.open(path).close()  # to be filled


def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", Path("/dev/zero")):
        assert "not a file" in refusal(path, UsageError)


def test_a_file_of_another_kind(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("a" * 5000, encoding="utf-8")
    assert str(path) in refusal(path, FormatError)
    assert path.read_text(encoding="utf-8") == "a" * 5000


def test_a_damaged_file(study: Path) -> None:
    data = bytearray(study.read_bytes())
    data[100:3000] = bytes(2900)
    study.write_bytes(data)
    assert str(study) in refusal(study, FormatError)


def test_another_programs_database(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE bookings (id)")
    before = path.read_bytes()
    assert "other tables" in refusal(path, FormatError)
    assert path.read_bytes() == before  # not even its journal is another one


@pytest.mark.parametrize(("schema", "when"), [("99", "newer"), ("1", "older"), ("x", "older")])
def test_another_layout(study: Path, schema: str, when: str) -> None:
    with contextlib.closing(sqlite3.connect(study)) as connection, connection:
        connection.execute("UPDATE meta SET value = ? WHERE key = 'schema'", [schema])
    assert f"{when} dialoom" in refusal(study, FormatError)
    assert f"{when} dialoom" in refusal(study, FormatError, readonly=True)


@pytest.mark.parametrize("create", [True, False])
def test_next_to_what_is_refused_nothing_is_left(tmp_path: Path, create: bool) -> None:
    notes, other, older = (tmp_path / name for name in ("notes.txt", "other.db", "older.sqlite"))
    notes.write_text("a" * 5000, encoding="utf-8")
    with contextlib.closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE bookings (id)")
    with contextlib.closing(sqlite3.connect(older)) as connection, connection:
        for table in metadata.tables:
            connection.execute(f"CREATE TABLE {table} (key, value)")
        connection.execute("INSERT INTO meta VALUES ('schema', '1')")
    for path in (notes, other, older):
        refusal(path, FormatError, create=create)
    assert set(tmp_path.iterdir()) == {notes, other, older}


def test_one_process_owns_a_study(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dialoom.collect.log.database.TIMEOUT", 0.01)
    with Store.open(where) as store:
        assert "another dialoom collect" in refusal(where, UsageError)
        with Store.open(where, readonly=True) as reader:
            store.submit(HI).result()
            assert list(reader.records()) == list(HI.records)
            assert reader.secret() == store.secret()
            assert isinstance(reader.submit(HI).exception(), OutputError)
    Store.open(where).close()


def test_a_lock_that_a_killed_server_left_to_its_child_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = tmp_path / "study.sqlite"
    left = os.open(f"{study}.lock", os.O_RDWR | os.O_CREAT)
    fcntl.flock(left, fcntl.LOCK_EX)
    clock = SimpleNamespace(monotonic=time.monotonic, sleep=lambda _: os.close(left))
    monkeypatch.setattr("dialoom.collect.log.database.time", clock)
    Store.open(study).close()


def test_the_owner_of_a_link_is_the_owner(study: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(study)
    with Store.open(study):
        refusal(tmp_path / "link", UsageError)


def test_a_store_that_was_not_opened_holds_no_lock(where: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dialoom.collect.log.store.prepare", _fail)  # it has the lock by then
        refusal(where, FormatError)
    Store.open(where).close()


def _fail(connection: Connection, place: str, *, create: bool) -> None:
    raise FormatError(place, "found to be none after it was locked")


def test_another_program_writes(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dialoom.collect.log.database.TIMEOUT", 0.01)
    with (
        contextlib.closing(sqlite3.connect(study, isolation_level=None)) as other,
        Store.open(study) as store,
    ):
        other.execute("BEGIN IMMEDIATE")
        next_one = Change((Record("unit/1", 2, 1, "user", "", HI.records[0].body),))
        error = store.submit(next_one).exception()
        assert isinstance(error, OutputError)
        assert "another program holds it" in str(error)
        other.execute("ROLLBACK")
        store.recover()
        store.submit(next_one).result()


def test_a_read_only_disk(study: Path, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "tmpfs", str(disk)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("may not mount a file system")
    try:
        shutil.copy(study, disk)
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        assert "study.sqlite: Read-only file system" in refusal(disk / study.name, OutputError)
        with Store.open(disk / study.name, readonly=True) as store:
            assert list(store.records()) == list(HI.records)
    finally:
        subprocess.run(["umount", disk], check=True)


@pytest.mark.parametrize("url", ["mysql://a/b", "postgresql://[::1", "://", "http://x/"])
def test_urls_of_something_else(url: str) -> None:
    assert "postgresql://USER:PASSWORD@HOST/NAME" in refusal(url, UsageError)


def test_a_url_of_sqlite(study: Path) -> None:
    with Store.open(f"sqlite:///{study}") as store:
        assert list(store.records()) == list(HI.records)
    with Store.open("sqlite://") as store:
        assert list(store.records()) == []


@pytest.mark.parametrize("name", ["a b?c#d%20.sqlite", "ünï.db", "mode=ro&x"])
def test_any_file_name(tmp_path: Path, name: str) -> None:
    for readonly in (False, True):
        Store.open(tmp_path / name, readonly=readonly).close()
    beside = {f"{name}{end}" for end in ("", ".lock", "-wal", "-shm")}
    assert {name} < {path.name for path in tmp_path.iterdir()} <= beside


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    url = f"postgresql://anna:secret@/study?host={tmp_path}"
    for line in (refusal(url, UsageError), refusal(url, UsageError, readonly=True)):
        assert "anna" in line
        assert "secret" not in line


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://anna@/study?password=q7x/k9z&host={}",
        "postgresql://anna@/study?host={}&PASSWORD=q7xk9z",
        "postgresql://anna@/study?sslpassword=q7xk9z&host={}",
        "postgresql://anna:q7x:k9z@/study?host={}",
        "postgresql://anna:q7x@k9z@/study?host={}",
        "postgresql://anna:q7x/k9z@/study?host={}",
        "postgresql:/anna:q7xk9z@{}/study",
        "postgresql:anna:q7xk9z@{}/study",
        "postgresql//anna:q7xk9z@{}/study",
        "mysql://anna:q7xk9z@{}/study",
        "postgresql://anna:q7xk9z@[::1/study?host={}",
    ],
)
def test_no_message_has_a_password(tmp_path: Path, url: str) -> None:
    url = url.format(tmp_path)
    lines = [refusal(url, DialoomError), refusal(url, DialoomError, readonly=True)]
    for line in lines:
        assert "q7x" not in line and "k9z" not in line


def test_what_is_shown_of_an_address() -> None:
    assert shown("study.sqlite") == shown(Path("study.sqlite")) == "study.sqlite"
    assert shown("postgresql://anna@host/study") == "postgresql://anna@host/study"
    assert shown("postgresql://anna:s@host/study?a=b") == "postgresql://anna:***@host/study?a=b"
    hidden = "postgresql://anna@host/study?a=b&password=***&c=d"
    assert shown(hidden.replace("***", "secret")) == hidden


def test_a_wrong_password(postgresql: Server) -> None:
    line = refusal(postgresql.url(password="guessed"), UsageError)
    assert "password authentication failed" in line
    assert "guessed" not in line


def test_a_database_that_is_not_there(postgresql: Server) -> None:
    assert "does not exist" in refusal(postgresql.url("nowhere"), UsageError)


def test_readers_of_postgresql_cannot_write(postgresql: Server) -> None:
    where = postgresql.create()
    refusal(where, MissingDataError, readonly=True)
    refusal(where, MissingDataError, create=False)
    Store.open(where).close()
    Store.open(where, readonly=True).close()


def test_a_database_that_cannot_hold_every_text(postgresql: Server) -> None:
    postgresql.run("CREATE DATABASE old ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    assert "UTF8" in refusal(postgresql.url("old"), UsageError)


def test_studies_of_one_server_have_their_own_owners(postgresql: Server) -> None:
    with Store.open(postgresql.create()), Store.open(postgresql.create()):
        pass


def test_a_table_that_is_locked(postgresql: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dialoom.collect.log.database.TIMEOUT", 0.01)
    where = postgresql.create()
    with Store.open(where) as store, psycopg.connect(where) as other:
        other.execute("LOCK TABLE record IN ACCESS EXCLUSIVE MODE")
        error = store.submit(HI).exception()
        assert isinstance(error, OutputError)
        other.rollback()
        store.recover()
        store.submit(HI).result()
