"""Fixtures of the tests of quality."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dialoom import formats
from dialoom.dialogue import Dialogue
from dialoom.quality.stats import Statistics
from dialoom.schema import pack
from dialoom.sim.presets.star import StarPlan


@pytest.fixture(scope="session")
def star_dialogues(star: Path) -> list[Dialogue]:
    """The dialogues of the real STAR, which take seconds to read."""
    return list(formats.load(star))


@pytest.fixture(scope="session")
def star_counts(star: Path, star_dialogues: list[Dialogue]) -> dict[str, Any]:
    """All counts over the real STAR."""
    corpus = formats.load(star)
    event_name = formats.get(corpus.format).event_name
    return Statistics(event_name, corpus.schemas, corpus.format).add_all(star_dialogues).result()


@pytest.fixture(scope="session")
def simulated_star() -> list[Dialogue]:
    """300 simulated dialogues of the bundled tasks."""
    tasks = tuple(pack.load(name) for name in pack.names())
    return list(
        map(StarPlan(tasks=tasks, seed=1, dialogues=300, scenario="mixed").source(), range(300))
    )
