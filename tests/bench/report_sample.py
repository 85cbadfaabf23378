"""A run on the sample corpus, without any model: what the report's tests report on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import msgspec

from dialoom import formats
from dialoom.bench import PROTOCOLS
from dialoom.bench.core import published
from dialoom.bench.core.predictions import write_predictions
from dialoom.bench.core.protocol import Outcome, Plan
from dialoom.bench.core.results import Result, summarise
from dialoom.corpus import Corpus
from dialoom.dialogue import Prediction
from tests.bench import tiny

SAMPLE = Path(__file__).parents[2] / "examples" / "sample"

SLIP = "goodbye_1"
"""What the answers below are where they are wrong."""


@dataclass
class Thirds(tiny.Frequency):
    """Stands for the model of a run that no model made."""

    name: ClassVar[str] = "thirds"
    every: int = 3
    seed: int = 3


def plan_of(corpus: Corpus) -> Plan:
    return tiny.plan(PROTOCOLS.get("star-zero-shot-domain"), corpus)


def write_run(
    folder: Path, name: str = "run", *, corpus: Path = SAMPLE, predictions: bool = True
) -> Path:
    """Write a run in which every third answer is `SLIP`."""
    plan = plan_of(formats.load(corpus))
    outcomes = [
        Outcome(
            holdout.name,
            [
                Prediction(SLIP if number % 3 == 2 else target.gold)
                for number, target in enumerate(holdout.test)
            ],
            1.0,
        )
        for holdout in plan.holdouts
    ]
    result = summarise(plan, outcomes, Thirds(), samples=20)
    result = msgspec.structs.replace(result, published=published.of(plan.protocol, plan.options))
    path = folder / f"{name}.json"
    path.write_bytes(msgspec.json.encode(result))
    if predictions:
        path.with_suffix(".jsonl").write_bytes(write_predictions(plan, outcomes))
    return path


def change(path: Path, **fields: object) -> Result:
    """Change fields of a run file; returns what it holds then."""
    value = {**msgspec.json.decode(path.read_bytes()), **fields}
    path.write_bytes(msgspec.json.encode(value))
    return msgspec.convert(value, Result)
