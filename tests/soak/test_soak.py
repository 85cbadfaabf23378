"""Ten cycles of the soak with SQLite, and each kind once with PostgreSQL."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests import postgres
from tests.soak.cycles import KINDS, Soak

CYCLES = 10


def test_nothing_is_lost(tmp_path: Path) -> None:
    soak = Soak(tmp_path, seed=1)
    assert asyncio.run(soak.run(CYCLES)) == []
    assert len(soak.world.acknowledged) >= CYCLES
    assert soak.world.done["completed"]
    assert soak.world.shown and soak.cuts


def test_nothing_is_lost_with_postgresql(tmp_path: Path) -> None:
    for server in postgres.serve():
        soak = Soak(tmp_path, server.create(), seed=2)
        assert asyncio.run(soak.run(len(KINDS))) == []
        assert soak.world.acknowledged
