"""Databases of studies: SQLite's, and PostgreSQL's where it is installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dialoom.collect.log.store import Store
from tests import postgres
from tests.collect.log.stores import Gate


@pytest.fixture(scope="session")
def postgresql() -> Iterator[postgres.Server]:
    """A PostgreSQL server; skips without one, fails under CI."""
    yield from postgres.serve()


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a study may be made: a path or a URL of an empty database."""
    if request.param == "sqlite":
        return str(tmp_path / "study.sqlite")
    server: postgres.Server = request.getfixturevalue("postgresql")
    return server.create()


@pytest.fixture
def gate() -> Gate:
    """What holds the writer up."""
    return Gate()


@pytest.fixture
def store(where: str, gate: Gate) -> Iterator[Store]:
    """An empty store, whose writer can be held up."""
    with Store.open(where) as store:
        store.reached = gate
        yield store
