"""A run on the sample corpus, without any model: what the report's tests report on."""

from __future__ import annotations

from pathlib import Path

import msgspec

from dialoom import formats
from dialoom.bench import PROTOCOLS, published
from dialoom.bench.protocol import Plan, Sources
from dialoom.bench.results import Result, lines, summarise
from dialoom.bench.run import Outcome
from dialoom.corpus import Corpus
from dialoom.dialogue import Prediction

SAMPLE = Path(__file__).parents[2] / "examples" / "sample"

SLIP = "goodbye_1"
"""What the answers below are where they are wrong."""


def plan_of(corpus: Corpus) -> Plan:
    return PROTOCOLS.get("star-zero-shot-domain").plan(Sources(corpus))


def write_run(
    folder: Path, name: str = "run", *, corpus: Path = SAMPLE, predictions: bool = True
) -> Path:
    """Write a run in which every third answer is `SLIP`."""
    plan = plan_of(formats.load(corpus))
    outcomes = [
        Outcome(
            holdout.name,
            [
                Prediction(SLIP if number % 3 == 2 else target.label)
                for number, target in enumerate(holdout.test)
            ],
            1.0,
        )
        for holdout in plan.holdouts
    ]
    result = summarise(plan, outcomes, model="thirds", settings={"every": 3}, samples=20)
    result = msgspec.structs.replace(result, published=list(published.of(plan.protocol)))
    path = folder / f"{name}.json"
    path.write_bytes(msgspec.json.encode(result))
    if predictions:
        path.with_suffix(".jsonl").write_bytes(lines(plan, outcomes))
    return path


def change(path: Path, **fields: object) -> Result:
    """Change fields of a run file; returns what it holds then."""
    value = {**msgspec.json.decode(path.read_bytes()), **fields}
    path.write_bytes(msgspec.json.encode(value))
    return msgspec.convert(value, Result)
