"""Fixtures of the tests of quality."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dialoom import formats
from dialoom.quality.stats import Statistics


@pytest.fixture(scope="session")
def star_counts(star: Path) -> dict[str, Any]:
    """All counts over the real STAR, which take seconds."""
    corpus = formats.load(star)
    event_name = formats.get(corpus.format).event_name
    return Statistics(event_name, corpus.schemas, corpus.format).add_all(corpus).result()
