"""The calls of STAR as questions: the hold-outs of next action, answers in lines, kept answers."""

from __future__ import annotations

import json
from pathlib import Path

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.making import NamedModel
from dialoom.bench.core.predictions import CallLine, write_predictions
from dialoom.bench.core.protocol import Outcome
from dialoom.bench.core.run import run
from dialoom.bench.core.significance import compare_with, read_baselines
from dialoom.dialogue import Constraint, Prediction, Query
from dialoom.errors import FormatError, UsageError
from dialoom.schema.call import Call, Column, requested
from dialoom.schema.task import TaskSchema
from tests.bench import tiny
from tests.bench.tiny import two
from tests.make import refuses

DOMAIN = PROTOCOLS.get("star-zero-shot-call-domain")


def test_each_query_is_a_question_and_its_call_the_answer(tmp_path: Path) -> None:
    plan = tiny.plan(DOMAIN, tiny.three(tmp_path))
    places = {h.name: [(target.source, target.event) for target in h.test] for h in plan.holdouts}
    assert places == {"ride": [("3", 2), ("3", 4)], "weather": [("2", 2), ("2", 4)]}
    assert all(t.gold == Query(id="", api="table") for h in plan.holdouts for t in h.test)


def test_calls_have_the_hold_outs_of_next_action(tmp_path: Path) -> None:
    for calls, actions in (
        ("star-call", "star-next-action"),
        ("star-zero-shot-call-domain", "star-zero-shot-domain"),
        ("star-zero-shot-call-task", "star-zero-shot-task"),
    ):
        corpus = tiny.three(tmp_path)
        ours, theirs = (tiny.plan(PROTOCOLS.get(name), corpus) for name in (calls, actions))
        names = [h.name for h in theirs.holdouts if any("query" in t.gold for t in h.test)]
        assert [holdout.name for holdout in ours.holdouts] == names


def test_a_mask_is_of_actions_only(tmp_path: Path) -> None:
    with refuses(UsageError, "not-taken", "mask"):
        tiny.plan(DOMAIN, tiny.star(tmp_path), form="mask")


def test_answers_are_kept_and_written_a_line_each(tmp_path: Path) -> None:
    plan = tiny.plan(DOMAIN, two(tmp_path))
    make = NamedModel("tracked", {})
    outcomes = list(run(plan, make, cache=tmp_path / "kept"))
    assert list(run(plan, make, cache=tmp_path / "kept")) == outcomes
    answer = Query(
        id="",
        api="table",
        constraints=(
            Constraint("City", "one_of", ("York", "Bath")),
            Constraint("Stars", "at_least", (3,)),
        ),
    )
    answers = [prediction.__class__(answer) for prediction in outcomes[0].predictions]
    first = outcomes[0].__class__(outcomes[0].holdout, answers, 0.0)
    lines = [
        json.loads(line) for line in write_predictions(plan, [first, *outcomes[1:]]).splitlines()
    ]
    assert lines[0] == {
        "holdout": plan.holdouts[0].name,
        "dialogue": 2,
        "event": 2,
        "api": "table",
        "request": None,
        "constraints": [
            {"parameter": "City", "operator": "one_of", "value": ["York", "Bath"]},
            {"parameter": "Stars", "operator": "at_least", "value": 3},
        ],
    }


def test_a_run_is_tested_against_lines_of_another(tmp_path: Path) -> None:
    plan = tiny.plan(DOMAIN, two(tmp_path))
    outcomes = list(run(plan, NamedModel("tracked", {})))
    file = tmp_path / "calls.jsonl"
    file.write_bytes(write_predictions(plan, outcomes))
    (baseline,) = read_baselines(file, plan.protocol)
    same = compare_with(plan, outcomes, baseline, samples=20)
    assert (same.n, same.difference, same.p) == (sum(len(h.test) for h in plan.holdouts), 0.0, 1.0)
    gold = [Outcome(h.name, [Prediction(t.gold) for t in h.test], 0.0) for h in plan.holdouts]
    file.write_bytes(write_predictions(plan, gold))
    (right,) = read_baselines(file, plan.protocol)
    assert compare_with(plan, gold, right, samples=20).theirs == 100.0
    file.write_text('{"holdout":"weather","dialogue":2,"event":2,"gold":"x","predicted":"x"}')
    with refuses(FormatError, "wrong-type", "next-call"):
        read_baselines(file, plan.protocol)


def test_a_request_of_a_line_is_the_calls_own_parameter() -> None:
    call = Call(
        name="table", inputs=(Column(name="RequestType", type="request"), Column(name="City"))
    )
    city = {"parameter": "City", "operator": "equal", "value": "Y"}
    line = CallLine("x", 1, 2, "table", [city], "Book")
    schemas = {"table": TaskSchema(id="table", calls={"table": call})}
    query = line.prediction(schemas).answer
    assert [each.slot for each in query.constraints] == ["RequestType", "City"]
    assert requested(call, query.constraints) == "Book"
