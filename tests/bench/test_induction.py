"""Induced schemas under test: halves, what models read, right answers, and what is measured."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.protocol import Data, Plan
from dialoom.corpus import Corpus
from dialoom.learn.text import encoders
from dialoom.models.induction.wording import matched
from dialoom.schema import pack
from dialoom.sim.policies.flow.simulator import Simulator
from tests.bench import tiny

PROTOCOL = PROTOCOLS.get("star-induction")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Simulated dialogues of two domains."""
    tasks = {name: pack.load(name) for name in ("weather", "trivia")}
    dialogues = [
        replace(Simulator(task, 3).dialogue(number), id=f"{name}-{number}")
        for name, task in tasks.items()
        for number in range(60)
    ]
    sample = tiny.memory(tmp_path_factory.mktemp("two"), *dialogues)
    sample.schemas = tasks
    return sample


def planned(corpus: Corpus, **settings: object) -> Plan:
    return PROTOCOL.plan(Data(corpus), PROTOCOL.settings(**settings))


def test_a_schema_is_induced_from_what_is_not_asked_about(corpus: Corpus) -> None:
    plan = planned(corpus)
    assert {holdout.name for holdout in plan.holdouts} == {"weather", "trivia"}
    for holdout in plan.holdouts:
        sources = {target.source for target in holdout.test}
        assert sources.isdisjoint(map(str, plan.record["induced_from"][holdout.name]))
        assert sources


def test_models_learn_from_released_schemas_and_are_tested_on_induced_ones(corpus: Corpus) -> None:
    plan = planned(corpus)
    assert plan.train_schemas["weather"] == corpus.schemas["weather"]
    assert plan.schemas["weather"].flow != corpus.schemas["weather"].flow
    assert {"schema", "train-schema"} <= plan.digests.keys()
    gold = planned(corpus, schema="gold")
    assert gold.schemas["weather"] == corpus.schemas["weather"]
    assert [h.test for h in gold.holdouts] == [h.test for h in plan.holdouts]


def test_models_may_learn_from_schemas_made_as_those_tested(corpus: Corpus) -> None:
    plan = planned(corpus, learn="tested")
    assert plan.train_schemas == plan.schemas
    (trivia,) = (h for h in plan.holdouts if h.name == "trivia")
    (weather,) = (h for h in plan.holdouts if h.name == "weather")
    assert {t.source for t in trivia.train} == {t.source for t in weather.test}
    assert plan.options["learn"] == "tested"


def test_flows_are_measured(corpus: Corpus) -> None:
    measures = {
        name: planned(corpus, schema=name).record["flows"]["weather"]
        for name in ("gold", "supported", "line", "every")
    }
    assert measures["gold"]["edge_f1"] == 100.0
    assert measures["supported"]["edge_f1"] > 63
    assert measures["supported"]["flow_f1"] > 82
    assert measures["every"]["edge_recall"] >= measures["supported"]["edge_recall"]
    assert measures["supported"]["fudge"] < measures["line"]["fudge"]
    assert "edge F1" in planned(corpus).notes[-1]


def test_without_labels_answers_are_the_groups_that_stand_for_them(corpus: Corpus) -> None:
    plan = planned(corpus, labels=False)
    (weather,) = (h for h in plan.holdouts if h.name == "weather")
    golds = {target.gold for target in weather.test}
    assert "query" in golds
    assert len(golds & set(plan.schemas["weather"].flow.nodes)) > 3
    assert plan.options["see"] == "no-labels"


def test_actions_are_matched_by_what_is_said() -> None:
    actions = {"name_please": ("Your name, please?",), "query": (), "bye_now": ("Bye now.",)}
    gold = {"ask_name": ("What is your name?",), "query": (), "tell_price": ("It costs ten.",)}
    assert matched(actions, gold, encoders.get("tfidf")()) == {
        "query": "query",
        "ask_name": "name_please",
    }
