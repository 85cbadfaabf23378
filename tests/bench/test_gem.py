"""GEM's generation task: which utterances are asked for, and what is seen of their dialogue."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.making import NamedModel
from dialoom.bench.core.predictions import write_predictions
from dialoom.bench.core.protocol import Data, questions
from dialoom.bench.core.results import summarise
from dialoom.bench.core.run import run
from dialoom.dialogue import (
    SYSTEM,
    Dialogue,
    Realise,
    ServiceAct,
    Utterance,
)
from dialoom.errors import MissingDataError
from tests.bench import tiny
from tests.bench.gem_sample import OFFER, data, said
from tests.make import refuses

PROTOCOL = PROTOCOLS.get("gem-generation")


def test_every_utterance_of_the_system_with_acts_is_asked_for(tmp_path: Path) -> None:
    (holdout,) = PROTOCOL.plan(data(tmp_path), PROTOCOL.settings()).holdouts
    one, two = holdout.test
    assert (one.event, one.asked) == (1, Realise((ServiceAct(OFFER, "Cafes_1"),)))
    assert (two.event, two.gold) == (4, "Blue Door it is. What else?")
    assert one.slices == ("acts-1", "type-OFFER")
    assert two.slices == ("acts-2", "type-REQ_MORE")


def test_the_users_acts_are_not_seen_and_the_systems_are(tmp_path: Path) -> None:
    (holdout,) = PROTOCOL.plan(data(tmp_path), PROTOCOL.settings()).holdouts
    _, question = questions(holdout.test)
    user, system = (e for e in question.history[:2] if isinstance(e, Utterance))
    assert [part.acts for layer in user.layers for part in layer.parts] == [None]
    assert [part.acts for layer in system.layers for part in layer.parts] == [(OFFER,)]


def test_without_context_models_see_the_acts_alone(tmp_path: Path) -> None:
    plan = PROTOCOL.plan(data(tmp_path), PROTOCOL.settings(context=False))
    (holdout,) = plan.holdouts
    assert [question.history for question in questions(holdout.test)] == [(), ()]
    assert [target.seen for target in holdout.train] == [(), ()]
    assert plan.options == {"context": "no"}
    (outcome,) = run(plan, NamedModel("retrieve", {}))
    texts = [each.answer for each in outcome.predictions]
    assert texts == ["How about Blue Door?", "Blue Door it is. What else?"]


def test_a_run_is_scored_and_its_texts_are_written(tmp_path: Path) -> None:
    plan = PROTOCOL.plan(data(tmp_path), PROTOCOL.settings())
    make = NamedModel("retrieve", {})
    outcomes = list(run(plan, make))
    summary = summarise(plan, outcomes, make(), samples=5)
    assert summary.main == "bleu_uncased"
    assert summary.scores["bleu"].value == pytest.approx(100.0)
    assert summary.scores["slot_error_rate"].value == 0.0
    assert summary.scores["bleu"].interval is None  # of one dialogue
    assert [part.name for part in summary.slices] == [
        "acts-1",
        "acts-2",
        "type-OFFER",
        "type-REQ_MORE",
    ]
    lines = [msgspec.json.decode(line) for line in write_predictions(plan, outcomes).splitlines()]
    assert [(line["dialogue"], line["turn"], line["predicted"]) for line in lines] == [
        ("1_1", 1, "How about Blue Door?"),
        ("1_1", 4, "Blue Door it is. What else?"),
    ]


def test_challenge_sets_count_alone_beside_what_they_were_made_from(tmp_path: Path) -> None:
    settings = PROTOCOL.settings(challenge=True, size=2)
    plan = PROTOCOL.plan(data(tmp_path), settings)
    (holdout,) = plan.holdouts
    aside = [target for target in holdout.test if target.aside]
    assert len(holdout.test) - len(aside) == 2
    by_slice = {target.slices[0]: target for target in aside if target.event == 4}
    assert {name.removesuffix("_parent") for name in by_slice} == {
        "challenge_train_sample",
        "challenge_test_backtranslation",
        "challenge_test_bfp02",
        "challenge_test_bfp05",
        "challenge_test_nopunc",
        "challenge_test_scramble",
    }
    spoken = [question.history for question in questions([by_slice["challenge_test_nopunc"]])]
    assert [e.text for e in spoken[0] if isinstance(e, Utterance)][2:] == ["Fine", "Well."]
    scrambled = by_slice["challenge_test_scramble"]
    assert sorted(act.act.name for act in scrambled.asked.acts) == ["OFFER", "REQ_MORE"]
    (line,) = [
        msgspec.json.decode(line)
        for line in write_predictions(plan, run(plan, NamedModel("retrieve", {}))).splitlines()
        if b"challenge_test_bfp05_parent" in line and b'"turn":1' in line
    ]
    assert line["set"] == "challenge_test_bfp05_parent"


def test_a_corpus_without_acts_has_nothing_to_ask(tmp_path: Path) -> None:
    silent = tiny.memory(tmp_path, Dialogue(id="1", events=(said(SYSTEM, "Hello."),)))
    with refuses(MissingDataError, "nothing-to-ask", "acts"):
        PROTOCOL.plan(Data(silent), PROTOCOL.settings())
