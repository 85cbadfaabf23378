"""Fixtures of the command line's tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.runner import alone


@pytest.fixture(scope="session")
def dstc6(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of DSTC 6 with twenty items each."""
    folder = tmp_path_factory.mktemp("simulated") / "made"
    done = alone("simulate", "--preset", "dstc6", "-n", "20", "--seed", "3", "--out", folder)
    assert done.code == 0
    assert "500 dialogues" in done.out
    return folder
