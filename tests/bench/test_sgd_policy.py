"""The system's policy: which turns are asked about, what is seen, and what is learnt from it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.making import NamedModel
from dialoom.bench.core.predictions import write_predictions
from dialoom.bench.core.protocol import Data
from dialoom.bench.core.run import run
from dialoom.bench.suite.experiments import Simulated
from dialoom.bench.suite.running import simulate
from dialoom.dialogue import SYSTEM, NextActs, NextCall, Query, Utterance
from dialoom.errors import MissingDataError
from tests.bench import tiny
from tests.make import refuses

TASKS = "dining,coaches"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a corpus root with simulated dialogues of services."""
    root = tmp_path_factory.mktemp("corpora")
    for part, number, seed in (("train", 60, 1), ("dev", 15, 2)):
        simulate(Simulated("sgd", number, seed, TASKS), root / "sgd" / part)
    return root


def test_the_policy_learns_what_follows_what(root: Path) -> None:
    plan = tiny.planned("sgd-policy", root, root)
    learnt, followed = tiny.measured(plan, "act-policy"), tiny.measured(plan, "act-rules")
    assert learnt.scores["act_f1"].value > 93  # 95.6
    assert learnt.scores["act_slot_f1"].value > 90  # 91.3: what is offered besides a name is drawn
    for name in ("act_slot_f1", "act_f1", "exact_set"):
        assert learnt.scores[name].value > followed.scores[name].value
    assert 86 < followed.scores["act_f1"].value < 95  # 89.6
    assert {"seen"} < {each.name for each in learnt.slices}


def test_calls_are_made_when_nothing_is_missing(root: Path) -> None:
    plan = tiny.planned("sgd-calls", root, root)
    (holdout,) = plan.holdouts
    assert {bool(target.gold.api) for target in holdout.test} == {True, False}
    for model in ("call-policy", "call-rules"):
        assert tiny.measured(plan, model).scores["exact_match"].value > 97  # 98.9


def test_questions_end_before_the_call_and_before_the_words(root: Path) -> None:
    (acts,), (calls,) = (
        tiny.planned(name, root, root, sample=3).holdouts for name in ("sgd-policy", "sgd-calls")
    )
    assert len({target.source for target in acts.test}) == 3
    for target in acts.test:
        assert isinstance(target.asked, NextActs)
        after = target.seen[target.position]
        assert isinstance(after, Utterance)
        assert after.agent == SYSTEM
    for target in calls.test:
        assert isinstance(target.asked, NextCall)
        after = target.seen[target.position]
        assert isinstance(after, Query) == bool(target.gold.api)


def test_groups_of_services_are_left_out_of_training(root: Path) -> None:
    plan = tiny.planned("sgd-policy", root, root, leave=2, sample=4, learn=5)
    assert [holdout.name for holdout in plan.holdouts] == ["group1", "group2"]
    assert plan.title == "sgd-policy, leave 2"
    for holdout in plan.holdouts:
        assert len({target.source for target in holdout.test}) <= 4
        assert any("unseen" in target.slices for target in holdout.test)
        assert all("unseen" not in target.slices for target in holdout.train)


def test_predictions_are_lines_of_acts(root: Path) -> None:
    plan = tiny.planned("sgd-policy", root, root, learn=10, sample=1)
    outcomes = list(run(plan, NamedModel("act-rules", {})))
    row = json.loads(write_predictions(plan, outcomes).splitlines()[0])
    assert row["turn"] == plan.holdouts[0].test[0].event
    assert row["gold"][0]["service"] == plan.holdouts[0].test[0].gold[0].service


@pytest.mark.parametrize(
    ("name", "told"),
    [("sgd-policy", ("nothing-to-ask",)), ("sgd-calls", ("nothing-to-ask",))],
)
def test_a_corpus_without_services_is_one_line(
    tmp_path: Path, name: str, told: tuple[str, ...]
) -> None:
    protocol = PROTOCOLS.get(name)
    with refuses(MissingDataError, *told):
        protocol.plan(
            Data(tiny.memory(tmp_path, tiny.dialogue("x", task="x", domain=None))),
            protocol.settings(),
        )
