"""Slot filling and intents: which frames are asked about, what is seen, what is learnt from it."""

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
from dialoom.dialogue import USER, Layer, Utterance
from dialoom.errors import MissingDataError
from tests.bench import tiny
from tests.make import refuses


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a corpus root with simulated dialogues, those asked about of one more service."""
    root = tmp_path_factory.mktemp("corpora")
    for part, number, tasks in (("train", 80, "dining,coaches"), ("dev", 12, "dining,shows")):
        simulate(Simulated("sgd", number, len(part), tasks), root / "sgd" / part)
    return root


def test_spans_are_learnt_and_found_in_a_service_that_was_never_seen(root: Path) -> None:
    plan = tiny.planned("sgd-slots", root, root)
    learnt = tiny.measured(plan, "slot-spans")
    seen, unseen = (
        next(each for each in learnt.slices if each.name == name).scores
        for name in ("seen", "unseen")
    )
    assert seen["span_f1"].value > 70  # 73.2
    assert unseen["value_f1"].value > 67  # 71.4
    assert tiny.measured(plan, "span-rules").scores["span_f1"].value > 57  # 61.4


def test_a_question_ends_with_the_users_words_and_shows_nothing_else(root: Path) -> None:
    (holdout,) = tiny.planned("sgd-slots", root, root, sample=2).holdouts
    for target in holdout.test:
        last = target.seen[target.position - 1]
        assert isinstance(last, Utterance)
        assert last.agent == USER
        assert all(0 <= span.start < span.end <= len(last.text) for span in target.gold)
        assert {label for span in target.gold for label in span.labels} <= {*target.asked.labels}
        layers: list[Layer] = [
            layer for event in target.seen if isinstance(event, Utterance) for layer in event.layers
        ]
        assert all(
            part.spans is None and part.acts is None for layer in layers for part in layer.parts
        )


def test_predictions_are_lines_of_spans(root: Path) -> None:
    plan = tiny.planned("sgd-slots", root, root, sample=1, learn=5)
    outcomes = list(run(plan, NamedModel("span-rules", {})))
    rows = [json.loads(line) for line in write_predictions(plan, outcomes).splitlines()]
    assert len(rows) == len(plan.holdouts[0].test)
    assert {"turn", "gold", "predicted"} < rows[0].keys()


def test_intents_are_scored_alone_and_where_they_change(root: Path) -> None:
    plan = tiny.planned("sgd-intents", root, root)
    (holdout,) = plan.holdouts
    assert all({"kept", "changed"}.intersection(target.slices) for target in holdout.test)
    scored = tiny.measured(plan, "empty")
    assert list(scored.scores) == ["intent_accuracy"]
    assert scored.scores["intent_accuracy"].value < 10  # 4.2
    assert {"kept", "changed"} < {each.name for each in scored.slices}
    assert plan.title == "sgd-intents, utterances only"


def test_a_corpus_without_spans_is_one_line(tmp_path: Path) -> None:
    protocol = PROTOCOLS.get("sgd-slots")
    empty = tiny.memory(tmp_path, tiny.dialogue("x", task="x", domain=None))
    with refuses(MissingDataError, "nothing-to-ask", "spans"):
        protocol.plan(Data(empty), protocol.settings())
