"""Whoever is erased can be read no longer, in no file; all others can."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import Any

import psycopg
import pytest

from dialoom.collect.log.change import Change, Claim, Given, Paid, Seat
from dialoom.collect.log.person import PersonKeys, skeleton
from dialoom.collect.log.record import (
    SUMS,
    Answered,
    Body,
    Closed,
    Entered,
    Erased,
    Offered,
    Record,
    Started,
    is_erased,
    kind,
)
from dialoom.collect.log.store import Store
from dialoom.dialogue import Utterance
from tests import postgres
from tests.collect.log.stores import execute, line

NOW = 1_700_000_000_000


def entered(number: int, worker: str) -> Record:
    body = Entered(worker=worker, stage="single", source={"PROLIFIC_PID": f"pid-{worker}"})
    return Record(f"assignment/{number}", 1, NOW, "server", "", body, (worker,))


def said(number: int, *workers: str) -> Record:
    body = Utterance(agent="user", text=f"I am {' and '.join(workers)} of the hill.")
    return Record(f"unit/{number}", 1, NOW, "user", f"c-{number}", body, workers)


def rows(where: str, query: str) -> list[Any]:
    if where.startswith("postgresql"):
        with psycopg.connect(where) as other:
            return other.execute(query.encode()).fetchall()
    with contextlib.closing(sqlite3.connect(where)) as other:
        return other.execute(query).fetchall()


def files(where: str, request: pytest.FixtureRequest) -> bytes:
    """Return all that a database's files hold."""
    if not where.startswith("postgresql"):
        place = Path(where)
        return b"\0".join(file.read_bytes() for file in place.parent.glob(f"{place.name}*"))
    server: postgres.Server = request.getfixturevalue("postgresql")
    server.run("CHECKPOINT")
    paths = [file for file in (server.folder / "data/base").rglob("*") if file.is_file()]
    return b"\0".join(file.read_bytes() for file in paths)


def test_one_of_many_is_erased(where: str, request: pytest.FixtureRequest) -> None:
    many = 200 if "://" in where else 2000
    workers = [f"worker-{number:05}-x" for number in range(many)]
    one = workers[many // 3]
    records = [entered(n, worker) for n, worker in enumerate(workers, 1)]
    records += [said(n, worker) for n, worker in enumerate(workers, 1)]
    claims: list[Claim] = [Given(worker=worker, digest="d") for worker in workers]
    claims += [Paid(key=f"pay/{n}", worker=worker, cents=5) for n, worker in enumerate(workers)]
    claims.append(Seat(unit=1, role="user", assignment=many // 3 + 1, worker=one))
    with Store.open(where) as store:
        store.submit(Change(tuple(records), tuple(claims))).result()
        number = many // 3 + 1
        [[key]] = rows(where, f"SELECT key FROM person WHERE number = {number}")
        assert list(store.of(one)) == [r for r in records if one in r.of]
        content = files(where, request)
        assert bytes(key) in content
        for trace in (one, "of the hill", "pid-worker"):  # even before, a copy tells nothing
            assert trace.encode() not in content
        store.erase([one]).result()
        assert bytes(key) not in files(where, request)
        assert rows(where, f"SELECT key, id FROM person WHERE number = {number}") == [(None, None)]
        after = list(store.records())
        assert [r for r in after if not r.of or not is_erased(r.of[0])] == [
            r for r in records if one not in r.of
        ]
        mine = [r.body for r in after if r.of == (f"person:{number}",)]
        assert mine == [Entered(worker=f"person:{number}", stage="single"), Erased()]
        assert list(store.of(one)) == []
    with Store.open(where) as store:
        assert list(store.records()) == after
        if "://" not in where:
            execute(where, "VACUUM")
        assert bytes(key) not in files(where, request)


def test_who_comes_back_is_somebody_else(where: str) -> None:
    with Store.open(where) as store:
        store.submit(Change((entered(1, "anna"),))).result()
        store.erase(["anna", "nobody"]).result()
        store.submit(Change((entered(2, "anna"), said(1, "anna")))).result()
        assert [r.of for r in store.records()] == [("person:1",), ("anna",), ("anna",)]
        with Store.open(where, readonly=True) as reader:
            store.submit(Change((entered(3, "ben"),))).result()
            assert [r.of[0] for r in reader.records()] == ["person:1", "anna", "anna", "ben"]


def test_what_two_made_is_erased_with_either(where: str) -> None:
    with Store.open(where) as store:
        store.submit(Change((said(1, "anna", "ben"), said(2, "ben")))).result()
        store.erase(["anna"]).result()
        first, second = store.records()
        assert (first.body, first.of) == (Erased(), ("person:1", "ben"))
        assert second == said(2, "ben")


def test_lists_of_workers_go_by_alias(where: str) -> None:
    settings = {"wizards": ["anna", "ben"], "stages": [{"name": "a", "only": ["ben"]}]}
    content = {"id": "i", "content": "x", "participants": ["ben", "anna"], "digest": "d"}
    lines = (
        Record("study", 1, NOW, "server", "", Started(settings)),
        Record("study", 2, NOW, "server", "", Offered(content), ("ben", "anna")),
    )
    with Store.open(where) as store:
        store.submit(Change(lines)).result()
        assert tuple(store.records()) == lines
        store.erase(["ben"]).result()
        first, second = (record.body for record in store.records())
    stages = [{"name": "a", "only": ["person:2"]}]
    assert first == Started({"wizards": ["anna", "person:2"], "stages": stages})
    left = {"content": None, "digest": "", "target": 0, "participants": ["person:2", "anna"]}
    assert second == Offered({**content, **left})


@pytest.mark.parametrize(
    "body",
    [
        Answered(role="user", answers={"natural": True}, rating=4, comment="So so."),
        Closed(outcome="Complete", result={"1": {"text": "Hello"}}),
    ],
)
def test_what_a_unit_came_to_is_left(body: Body) -> None:
    left = skeleton(body)
    assert type(left) is type(body)
    assert kind(left) in {kind(each) for each in SUMS}
    assert "So so" not in str(left)
    assert "Hello" not in str(left)


def test_a_record_is_bound_to_its_place() -> None:
    from cryptography.exceptions import InvalidTag

    keys = PersonKeys(lambda: ())
    keys.meet(["anna", "bot:1", "person:7"])
    assert [row.number for row in keys.unwritten] == [1]
    sealed = keys.seal(b"text", ["anna"], b"unit/1 1")
    assert keys.open(sealed, [1], b"unit/1 1") == b"text"
    assert sealed != keys.seal(b"text", ["anna"], b"unit/1 1")
    with pytest.raises(InvalidTag):
        keys.open(sealed, [1], b"unit/1 2")


def test_what_is_nobodys_own_stays_as_it_is(store: Store) -> None:
    store.submit(Change((line("unit/1", 1),))).result()
    assert list(store.records()) == [line("unit/1", 1)]
