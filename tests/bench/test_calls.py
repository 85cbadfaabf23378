"""The calls of STAR as questions: the hold-outs of next action, answers in lines, kept answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.lines import write_lines
from dialoom.bench.core.making import NamedModel
from dialoom.bench.core.run import run
from dialoom.corpus import Corpus
from dialoom.dialogue import Constraint, Query
from dialoom.errors import UsageError
from tests.bench import tiny

DOMAIN = PROTOCOLS.get("star-zero-shot-call-domain")


def two(path: Path) -> Corpus:
    """Return two domains with a query each."""
    return tiny.memory(
        path,
        tiny.dialogue(2, "query", task="weather", domain="weather"),
        tiny.dialogue(3, "hello", "query", task="trivia", domain="trivia"),
    )


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
        kept = [h.name for h in theirs.holdouts if any("query" in t.gold for t in h.test)]
        assert [holdout.name for holdout in ours.holdouts] == kept


def test_a_mask_is_of_actions_only(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="mask"):
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
    told = [prediction.__class__(answer) for prediction in outcomes[0].predictions]
    first = outcomes[0].__class__(outcomes[0].holdout, told, 0.0)
    lines = [json.loads(line) for line in write_lines(plan, [first, *outcomes[1:]]).splitlines()]
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
