"""The law of values on the schemas of published corpora: what is said of a value is found again.

DIALOOM_CORPORA=/data/corpora pytest -rP tests/schema/values/test_law_of_corpora.py

Each slot of every SGD service, of its SGD-X variants and of STAR's tasks is tried on some values,
chosen by a seed, and by `make fuzz` on a hundred. A sentence is a rendering alone or in a text.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.formats.sgd.schemas import read_schemas
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import render, samples
from tests.schema.values.sentences import SENTENCES, misses
from tests.strategies import EXAMPLES

VARIANTS = ("v1", "v2", "v3", "v4", "v5")
MOST = max(1, EXAMPLES // 10)
"""Values of a slot that are tried."""


def tasks(corpora: Path, source: str) -> Iterator[TaskSchema]:
    """Yield the tasks of STAR, or the services of SGD as published or as a variant has them."""
    if source == "star":
        index = formats.load(corpora / "star").schemas
    else:
        index = read_schemas(corpora / "sgd" / ("" if source == "sgd" else f"sgd_x/data/{source}"))
    yield from index.values()


@pytest.mark.corpus
@pytest.mark.fuzz
@pytest.mark.parametrize("source", ["sgd", *VARIANTS, "star"])
def test_what_is_said_is_found_again(corpora: Path, source: str) -> None:
    slots = values = sentences = 0
    missed: list[tuple[str, str, str]] = []
    for task in tasks(corpora, source):
        for slot in task.slots.values():
            every = list(samples(slot))
            chance = random.Random(f"{source} {task.id} {slot.name}")
            tried = chance.sample(every, min(MOST, len(every)))
            slots, values = slots + 1, values + len(tried)
            for value in tried:
                sentences += len(render(slot, value, task.language)) * len(SENTENCES)
                texts = misses(slot, value, task.slots, task.language)
                missed += [(task.id, slot.name, text) for text in texts]
    print(f"{source}: {slots} slots, {values} values, {sentences} sentences, {len(missed)} missed")
    assert missed == []
    assert min(slots, values, sentences) > 50
