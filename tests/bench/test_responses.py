"""STAR's replies as questions: picked ones in the hold-outs, a wizard's own words beside them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.making import NamedModel
from dialoom.bench.core.predictions import read_predictions, write_predictions
from dialoom.bench.core.protocol import Plan, questions
from dialoom.bench.core.results import Result, summarise
from dialoom.bench.core.run import run
from dialoom.bench.core.significance import compare_with, read_baselines
from dialoom.corpus import Corpus
from dialoom.dialogue import NextReply
from tests.bench import tiny
from tests.bench.tiny import talk

DOMAIN = PROTOCOLS.get("star-zero-shot-response-domain")


def corpus(path: Path) -> Corpus:
    bye = ("bye", "Thank you and goodbye.")
    return tiny.memory(
        path,
        talk(1, ("hello", "Well then."), bye, task="weather", domain="weather"),
        talk(2, ("hello", "Well then."), ("", "It rains!"), bye, task="weather", domain="weather"),
        talk(3, ("hello", "Well then."), ("trivia_ask", "Who?"), task="trivia", domain="trivia"),
    )


def result(path: Path, model: str = "majority") -> tuple[Plan, Result]:
    plan = tiny.plan(DOMAIN, corpus(path), form="published")
    make = NamedModel(model, {})
    return plan, summarise(plan, run(plan, make), make(), samples=5)


def test_every_system_utterance_is_asked_for(tmp_path: Path) -> None:
    plan, _ = result(tmp_path)
    weather, _ = plan.holdouts
    assert [t.gold for t in weather.test][2:] == [
        "Well then.",
        "It rains!",
        "Thank you and goodbye.",
    ]
    assert {t.asked for t in weather.test} == {NextReply("weather")}
    assert all(len(q.dialogue.events) == q.event for q in questions(weather.test))


def test_own_words_count_in_their_slice_alone(tmp_path: Path) -> None:
    _, summary = result(tmp_path)
    weather, trivia = summary.holdouts
    assert (weather.n, trivia.n) == (4, 2)
    assert [(part.name, part.n) for part in summary.slices] == [("custom", 1)]
    assert weather.scores["iem"].value == 100.0
    assert weather.scores["iem_all"].value == 50.0
    assert trivia.scores["iem"].value == 0.0


def test_the_entities_are_the_values_that_the_schemas_list(tmp_path: Path) -> None:
    _, summary = result(tmp_path)
    assert "entities:listed-values/0" in summary.scores["entity_f1"].signature
    assert summary.main == "iem"


def test_what_the_schema_gives_away_is_said(tmp_path: Path) -> None:
    for name in ("star-response", "star-zero-shot-response-domain"):
        star_plan = tiny.plan(PROTOCOLS.get(name), corpus(tmp_path))
        assert any("holds the templates of its replies" in note for note in star_plan.notes)


def test_predictions_are_texts_and_can_be_compared(tmp_path: Path) -> None:
    plan, _ = result(tmp_path)
    outcomes = list(run(plan, NamedModel("nearest", {})))
    file = tmp_path / "lines.jsonl"
    file.write_bytes(write_predictions(plan, outcomes))
    row = msgspec.json.decode(file.read_bytes().splitlines()[0])
    assert row == {
        "holdout": "weather",
        "dialogue": 1,
        "event": 1,
        "task": "weather",
        "gold": "Well then.",
        "predicted": "Well then.",
    }
    assert len(read_predictions(file)) == 7
    (baseline,) = read_baselines(file, plan.protocol)
    same = compare_with(plan, outcomes, baseline, samples=5)
    assert (same.n, same.difference) == (6, 0.0)


@pytest.mark.parametrize("name", ["star-response", "star-zero-shot-response-task"])
def test_the_hold_outs_are_those_of_next_action(name: str, tmp_path: Path) -> None:
    sibling = name.replace("-response-task", "-task").replace("star-response", "star-next-action")
    ours, theirs = (
        tiny.plan(PROTOCOLS.get(each), tiny.staged(tmp_path)) for each in (name, sibling)
    )
    assert [h.name for h in ours.holdouts] == [h.name for h in theirs.holdouts]
    for one, other in zip(ours.holdouts, theirs.holdouts, strict=True):
        assert {t.source for t in one.test} <= {t.source for t in other.test}
        assert {t.source for t in one.train} <= {t.source for t in other.train}
