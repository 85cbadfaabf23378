"""Each kind of the soak once with SQLite, and the kinds of a killed writer with PostgreSQL."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests import postgres
from tests.soak.cycles import KINDS, Soak

CYCLES, KILLED, MOST = len(KINDS), 4, 40
"""Cycles, those in which the writer is killed, and acknowledgements after which each has its fault;
`make soak` does more."""


@pytest.mark.long
def test_nothing_is_lost(tmp_path: Path) -> None:
    soak = Soak(tmp_path, seed=1, most=MOST)
    assert asyncio.run(soak.run(CYCLES)) == []
    assert len(soak.world.acknowledged) >= CYCLES
    assert soak.world.done["completed"]
    assert soak.world.shown and soak.cuts and soak.world.brought
    assert {"writer", "paraphraser", "rater", "tester"} <= {role for _, role in soak.world.shown}


@pytest.mark.long
def test_nothing_is_lost_with_postgresql(tmp_path: Path) -> None:
    for server in postgres.serve():
        soak = Soak(tmp_path, server.create(), seed=2, most=MOST)
        assert asyncio.run(soak.run(KILLED)) == []
        assert soak.world.acknowledged
