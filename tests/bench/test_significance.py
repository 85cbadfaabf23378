"""Paired tests with prediction files: ours, and the ones released with SAM."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.predictions import Key, PredictionLine, write_predictions
from dialoom.bench.core.protocol import Outcome, Plan
from dialoom.bench.core.results import PublishedPredictions
from dialoom.bench.core.run import run
from dialoom.bench.core.significance import (
    compare_with,
    published_predictions,
    read_baselines,
)
from dialoom.dialogue import Prediction
from dialoom.errors import FormatError, UsageError
from dialoom.metrics.ranking import RecallAtK
from tests.bench import tiny
from tests.make import refuses

DOMAIN = PROTOCOLS.get("star-zero-shot-domain")


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return tiny.plan(DOMAIN, tiny.star(tmp_path))


def right(plan: Plan) -> list[Outcome]:
    return [Outcome(h.name, [Prediction(t.gold) for t in h.test], 0.0) for h in plan.holdouts]


def sam_file(plan: Plan, path: Path) -> Path:
    """Write SAM's file with all of SAM right, all of BERT+S wrong, and one row uncertain."""
    rows = [
        {
            "dialog_id": int(target.source),
            "event": target.event,
            "domain": holdout.name,
            "task": target.asked.task,
            "gold": target.gold,
            "sam": target.gold,
            "exact": target.event != 3,
            "berts": "never",
        }
        for holdout in plan.holdouts
        for target in holdout.test
    ]
    file = path / "sam_turn_predictions.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def test_a_run_against_itself(plan: Plan, tmp_path: Path) -> None:
    outcomes = list(run(plan, tiny.Frequency))
    file = tmp_path / "run.jsonl"
    file.write_bytes(write_predictions(plan, outcomes))
    (baseline,) = read_baselines(file, plan.protocol)
    verdict = compare_with(plan, outcomes, baseline, samples=50)
    assert (verdict.system, verdict.n, verdict.holdouts) == ("run.jsonl", 9, 2)
    assert (verdict.difference, verdict.p) == (0.0, 1.0)


def test_sams_file_holds_two_systems_on_certain_rows_and_on_all(plan: Plan, tmp_path: Path) -> None:
    baselines = read_baselines(sam_file(plan, tmp_path), plan.protocol)
    assert [(r.system, r.rows) for r in baselines] == [
        ("SAM", "exact"),
        ("SAM", "all"),
        ("BERT+S", "exact"),
        ("BERT+S", "all"),
    ]
    verdicts = [compare_with(plan, right(plan), baseline, samples=50) for baseline in baselines]
    assert [c.n for c in verdicts] == [6, 9, 6, 9]
    assert [c.difference for c in verdicts] == [0.0, 0.0, 100.0, 100.0]
    assert published_predictions(plan) == PublishedPredictions(
        "SAM", "sam_turn_predictions.jsonl", {"weather": 100.0, "trivia": 100.0}
    )


def test_sams_predictions_are_of_one_protocol(plan: Plan, tmp_path: Path) -> None:
    with refuses(UsageError, "mismatch", "star-zero-shot-domain"):
        read_baselines(sam_file(plan, tmp_path), "star-zero-shot-task")


def test_without_the_file_nothing_stands_beside(plan: Plan) -> None:
    assert published_predictions(plan) is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", ("empty",)),
        (b"{}\n", ("wrong-type", "line 1")),
        (b'{"dialog_id": 1}\n', ("wrong-type", "line 1", "SAM's")),
        (b"\xff\xfe", ("wrong-type", "line 1")),
    ],
)
def test_files_that_are_neither(content: bytes, message: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_bytes(content)
    with refuses(FormatError, *message):
        read_baselines(file, "star-zero-shot-domain")


def test_other_questions_or_other_right_answers(plan: Plan, tmp_path: Path) -> None:
    row = {"holdout": "weather", "dialogue": 2, "event": 3, "task": "weather", "gold": "bye"}
    file = tmp_path / "x.jsonl"
    file.write_text(json.dumps({**row, "predicted": "bye"}))
    (baseline,) = read_baselines(file, plan.protocol)
    with refuses(UsageError, "mismatch", "2", "3", "bye"):
        compare_with(plan, right(plan), baseline)
    file.write_text(json.dumps({**row, "event": 4, "predicted": "bye"}))
    (baseline,) = read_baselines(file, plan.protocol)
    with refuses(UsageError, "mismatch"):
        compare_with(plan, right(plan), baseline)


def test_kinds_without_paired_tests_are_named(tmp_path: Path) -> None:
    with refuses(UsageError, "wrong-kind", "state", "next-action", "next-call"):
        read_baselines(tmp_path / "x.jsonl", "sgd-tracking")


def test_what_the_intervals_cover_and_the_least_p(plan: Plan, tmp_path: Path) -> None:
    baseline = read_baselines(sam_file(plan, tmp_path), plan.protocol)[-1]
    verdict = compare_with(plan, right(plan), baseline, samples=50)
    assert verdict.across == (100.0, 100.0)  # two domains that differ in nothing
    assert verdict.spelt_p == "<= 0.0196"
    same = compare_with(plan, right(plan), replace(baseline, answers=own(plan)), samples=50)
    assert (same.difference, same.spelt_p) == (0.0, "1.0000")


def own(plan: Plan) -> dict[Key, PredictionLine]:
    lines = [
        PredictionLine(holdout.name, target.source, target.event, target.gold, target.gold)
        for holdout in plan.holdouts
        for target in holdout.test
    ]
    return {line.key: line for line in lines}


def test_rankings_are_compared_and_lines_without_them_refused(plan: Plan, tmp_path: Path) -> None:
    ranked = replace(plan, metrics=(RecallAtK(),))
    outcomes = [
        Outcome(h.name, [Prediction(t.gold, ((t.gold, 0.9), ("no", 0.1))) for t in h.test], 0.0)
        for h in plan.holdouts
    ]
    file = tmp_path / "run.jsonl"
    file.write_bytes(write_predictions(ranked, outcomes))
    (baseline,) = read_baselines(file, plan.protocol)
    comparison = compare_with(ranked, outcomes, baseline, samples=50)
    assert (comparison.ours, comparison.theirs, comparison.p) == (100.0, 100.0, 1.0)
    file.write_bytes(write_predictions(plan, outcomes))
    (baseline,) = read_baselines(file, plan.protocol, "a/run.jsonl")
    with refuses(UsageError, "no-key", "a/run.jsonl", "`ranking`"):
        compare_with(ranked, outcomes, baseline, samples=50)
