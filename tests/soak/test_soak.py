"""Ten cycles of the soak with SQLite, and each kind once with PostgreSQL."""

from __future__ import annotations

import asyncio
from pathlib import Path

from dialoom.collect.log.change import Change
from dialoom.collect.log.record import STUDY, Record, Started
from dialoom.collect.log.store import Store
from tests import postgres
from tests.soak.cycles import KINDS, Soak
from tests.soak.invariants import violations

CYCLES = 10


def test_nothing_is_lost(tmp_path: Path) -> None:
    soak = Soak(tmp_path, seed=1)
    assert asyncio.run(soak.run(CYCLES)) == []
    assert len(soak.world.acknowledged) >= CYCLES
    assert soak.world.done["completed"]


def test_nothing_is_lost_with_postgresql(tmp_path: Path) -> None:
    for server in postgres.serve():
        soak = Soak(tmp_path, server.create(), seed=2)
        assert asyncio.run(soak.run(len(KINDS))) == []
        assert soak.world.acknowledged


def test_what_is_lost_is_found(tmp_path: Path) -> None:
    """The soak's own check can fail."""
    where = str(tmp_path / "study.sqlite")
    settings = {"tasks": ["hotel_book"]}
    with Store.open(where) as store:
        started = Record(STUDY, 1, 1, "server", "", Started(settings))
        store.submit(Change((started,))).result()
    found, records = violations(where, ["m-1"])
    assert found == ["message m-1 was acknowledged and is lost"]
    assert records == 1
