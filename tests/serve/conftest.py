"""Fixtures of the collection server's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dialoom.collect.settings import Settings
from tests.serve.served import Served, served

SINGLE = Settings(tasks=("restaurant_book", "hotel_book"), scenarios=6, target=50, seed=3)


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Served]:
    """A study of single tasks, served in this process."""
    with served(tmp_path / "study.sqlite", SINGLE) as study:
        yield study
