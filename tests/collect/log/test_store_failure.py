"""The disk fails, the connection is lost, the writer is killed: nothing acknowledged is lost."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import Connection

from dialoom.collect.log.change import Change
from dialoom.collect.log.store import Point, Store, StoreFailed
from dialoom.collect.log.tables import SCHEMA
from dialoom.errors import FormatError, OutputError, UsageError
from tests.collect.log.faults import Faults
from tests.collect.log.stores import CHILD, execute, line, outcomes, said
from tests.full_disk import full_disk
from tests.make import refuses
from tests.postgres import Server

# --- failure --------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["full_disk", "read_only"])
def test_a_failure_of_the_disk(where: str, fault: str) -> None:
    with Store.open(where) as store:
        store.reached = Faults(fault, 2)
        store.submit(said("unit/1", 1)).result()
        big = Change(tuple(line("unit/1", seq, text="x" * 4000) for seq in range(2, 9)))
        error = store.submit(big).exception()
        assert isinstance(error, StoreFailed)
        assert where.startswith("postgresql") or where in str(error)
        assert store.failure is not None
        assert store.failure in str(error)
        assert outcomes([store.submit(said("unit/1", 2))]) == [StoreFailed]
        assert list(store.records()) == [line("unit/1", 1)]  # it can still be read
        store.recover()
        store.submit(said("unit/1", 2)).result()
        assert len(store.stream("unit/1")) == 2


def test_everything_that_waits_fails_with_the_group(tmp_path: Path) -> None:
    start, go = threading.Event(), threading.Event()

    def failing(point: Point, connection: Connection | None) -> None:
        if point == "before_commit":
            start.set()
            go.wait()
            raise RuntimeError("even what nobody thought of")

    with Store.open(tmp_path / "study.sqlite") as store:
        store.reached = failing
        first = store.submit(said("unit/1", 1))
        start.wait()
        rest = [store.submit(said("unit/1", seq)) for seq in (2, 3)]
        go.set()
        assert outcomes([first, *rest]) == [StoreFailed] * 3
        assert list(store.records()) == []


def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    for folder in full_disk(tmp_path / "disk", "512k"):
        with Store.open(folder / "study.sqlite") as store:
            total = 0
            while not (error := store.submit(said("unit/1", total + 1)).exception()):
                total += 1
            assert isinstance(error, StoreFailed)
            assert total > 10
            assert [r.seq for r in store.records()] == list(range(1, total + 1))
            grown = subprocess.run(["mount", "-o", "remount,size=4m", folder], check=False)
            assert grown.returncode == 0
            store.recover()
            store.submit(said("unit/1", total + 1)).result()
        with Store.open(folder / "study.sqlite") as store:
            assert [r.seq for r in store.records()] == list(range(1, total + 2))


def test_no_room_for_a_study_at_all(tmp_path: Path) -> None:
    for folder in full_disk(tmp_path / "disk", "16k"):
        with refuses(OutputError, "unwritable", "study.sqlite"):
            Store.open(folder / "study.sqlite")


def test_recovery_that_fails(tmp_path: Path) -> None:
    path = tmp_path / "study.sqlite"
    with Store.open(path) as store:
        store.reached = Faults("read_only")
        store.recover()  # there is nothing to recover from
        assert outcomes([store.submit(said("unit/1", 1))]) == [StoreFailed]
        execute(str(path), "UPDATE meta SET value = '99' WHERE key = 'schema'")
        with refuses(StoreFailed, "unwritable") as caught:
            store.recover()
        why = caught.value.__cause__
        assert isinstance(why, FormatError) and why.code == "wrong-version"
        assert outcomes([store.submit(said("unit/1", 1))]) == [StoreFailed]
        execute(str(path), f"UPDATE meta SET value = '{SCHEMA}' WHERE key = 'schema'")
        store.recover()
        store.submit(said("unit/1", 1)).result()


def test_a_lost_connection(postgresql: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    where = postgresql.create()
    with Store.open(where) as store:
        store.submit(said("unit/1", 1)).result()
        postgresql.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        error = store.submit(said("unit/1", 2)).exception()
        assert isinstance(error, StoreFailed)
        assert "\n" not in str(error)
        assert "by-the-sea" not in str(error)
        store.recover()
        store.submit(said("unit/1", 2)).result()
        monkeypatch.setattr("dialoom.collect.log.database.TIMEOUT", 0.01)
        with refuses(UsageError, "busy"):
            Store.open(where)  # it is owned again
        assert [r.seq for r in store.records()] == [1, 2]


# --- a writer that is killed ----------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["before_commit", "after_commit", "after_acknowledgement"])
def test_a_killed_writer_loses_nothing_it_acknowledged(where: str, fault: str) -> None:
    for number in range(3):
        done = subprocess.run(
            [sys.executable, "-m", CHILD, where, f"{fault}:{number * 7 + 3}"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == -9, done.stderr
        with Store.open(where) as store:
            records = list(store.records())
        clients = Counter(record.client for record in records)
        acknowledged = done.stdout.split()
        assert max(clients.values(), default=1) == 1
        assert set(acknowledged) <= set(clients)
        assert [r.seq for r in records] == list(range(1, len(records) + 1))
        if fault == "after_acknowledgement":
            assert acknowledged
