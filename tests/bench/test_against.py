"""Paired tests with prediction files: ours, and the ones released with SAM."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dialoom.bench import PROTOCOLS
from dialoom.bench.against import beside, contest, read_rivals
from dialoom.bench.protocol import Plan
from dialoom.bench.results import lines
from dialoom.bench.run import Outcome, run
from dialoom.dialogue import Prediction
from dialoom.errors import FormatError, UsageError
from tests.bench import tiny

DOMAIN = PROTOCOLS.get("star-zero-shot-domain")


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return DOMAIN.plan(tiny.sources(tiny.star(tmp_path)))


def right(plan: Plan) -> list[Outcome]:
    return [Outcome(h.name, [Prediction(t.label) for t in h.test], 0.0) for h in plan.holdouts]


def sam_file(plan: Plan, path: Path) -> Path:
    """Write SAM's file with all of SAM right, all of BERT+S wrong, and one row uncertain."""
    rows = [
        {
            "dialog_id": int(target.source),
            "event": target.event,
            "domain": holdout.name,
            "task": target.task,
            "gold": target.label,
            "sam": target.label,
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
    file.write_bytes(lines(plan, outcomes))
    (rival,) = read_rivals(file, plan.protocol)
    found = contest(plan, outcomes, rival, samples=50)
    assert (found.system, found.n, found.holdouts) == ("run.jsonl", 9, 2)
    assert (found.difference, found.p) == (0.0, 1.0)


def test_sams_file_holds_two_systems_on_certain_rows_and_on_all(plan: Plan, tmp_path: Path) -> None:
    rivals = read_rivals(sam_file(plan, tmp_path), plan.protocol)
    assert [(r.system, r.rows) for r in rivals] == [
        ("SAM", "exact"),
        ("SAM", "all"),
        ("BERT+S", "exact"),
        ("BERT+S", "all"),
    ]
    found = [contest(plan, right(plan), rival, samples=50) for rival in rivals]
    assert [c.n for c in found] == [6, 9, 6, 9]
    assert [c.difference for c in found] == [0.0, 0.0, 100.0, 100.0]
    assert beside(plan) == {
        "system": "SAM",
        "source": "sam_turn_predictions.jsonl",
        "f1": {"weather": 100.0, "trivia": 100.0},
    }


def test_sams_predictions_are_of_one_protocol(plan: Plan, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="are of star-zero-shot-domain"):
        read_rivals(sam_file(plan, tmp_path), "star-zero-shot-task")


def test_without_the_file_nothing_stands_beside(plan: Plan) -> None:
    assert beside(plan) is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty file"),
        (b"{}\n", "line 1: not a prediction"),
        (b'{"dialog_id": 1}\n', "line 1: not SAM's row"),
        (b"\xff\xfe", "line 1: not a prediction"),
    ],
)
def test_files_that_are_neither(content: bytes, message: str, tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_bytes(content)
    with pytest.raises(FormatError, match=message):
        read_rivals(file, "star-zero-shot-domain")


def test_other_questions_or_other_right_answers(plan: Plan, tmp_path: Path) -> None:
    row = {"holdout": "weather", "dialogue": 2, "event": 3, "task": "weather", "gold": "bye"}
    file = tmp_path / "x.jsonl"
    file.write_text(json.dumps({**row, "predicted": "bye"}))
    (rival,) = read_rivals(file, plan.protocol)
    with pytest.raises(UsageError, match="another right answer for dialogue 2, event 3: 'bye'"):
        contest(plan, right(plan), rival)
    file.write_text(json.dumps({**row, "event": 4, "predicted": "bye"}))
    (rival,) = read_rivals(file, plan.protocol)
    with pytest.raises(UsageError, match="no question in common"):
        contest(plan, right(plan), rival)
