"""Out-of-domain detection: which turns are asked about, what is drawn, and what lines say."""

from __future__ import annotations

import json
from pathlib import Path

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.making import NamedModel
from dialoom.bench.core.predictions import write_predictions
from dialoom.bench.core.protocol import questions
from dialoom.bench.core.results import summarise
from dialoom.bench.core.run import run
from dialoom.bench.protocols.out_of_domain import scope
from dialoom.corpus import Corpus
from dialoom.dialogue import SYSTEM, Dialogue, Utterance
from dialoom.errors import MissingDataError
from tests.bench import tiny
from tests.make import refuses

DOMAIN = PROTOCOLS.get("star-zero-shot-out-of-domain")
TYPED = Utterance(agent=SYSTEM, text="That I cannot say.")


def talk(number: int, task: str, *said: str) -> Dialogue:
    """Return a dialogue whose user's first turn is in scope, the second out of it, and so on."""
    log = [
        event
        for place, text in enumerate(said)
        for event in (tiny.user(text), tiny.reply("out_of_scope" if place % 2 else "hello"))
    ]
    return tiny.dialogue(number, task=task, domain=task, log=tuple(log))


def two(path: Path) -> Corpus:
    return tiny.memory(
        path,
        talk(1, "weather", "Will it rain in the north?", "Do you like rain yourself?", "Sure."),
        talk(2, "weather", "Is there any snow in town?", "My dog loves snow a lot.", "Fine."),
        talk(3, "trivia", "Ask me the next question please.", "I had eggs for breakfast.", "One."),
        talk(4, "trivia", "I want to play a round now.", "Have you got a dog at home?", "Two."),
    )


def test_the_wizards_next_label_tells_what_is_out_of_scope() -> None:
    replies = (
        (tiny.reply("hello"), 1.0, 1.0),
        (tiny.reply("out_of_scope"), 0.0, 0.0),
        (tiny.reply("custom"), 0.0, 0.0),
        (tiny.query(), 1.0, 1.0),
        (TYPED, 0.0, None),
        (tiny.user(), None, None),
    )
    for reply, with_typed, without in replies:
        log = (tiny.user(), tiny.switch("weather"), reply)
        assert scope(log, 0) == with_typed
        assert scope(log, 0, typed=False) == without
    assert scope((tiny.user(),), 0) is None
    assert scope((TYPED, tiny.reply("hello")), 0) is None


def test_the_turn_itself_is_seen_and_nothing_after_it(tmp_path: Path) -> None:
    plan = tiny.plan(DOMAIN, two(tmp_path))
    (weather, _) = plan.holdouts
    texts = [q.history[-1].text for q in questions(weather.test) if q.history]  # type: ignore[union-attr]
    assert texts[:3] == ["Will it rain in the north?", "Do you like rain yourself?", "Sure."]
    assert [target.gold for target in weather.test[:3]] == [1.0, 0.0, 1.0]


def test_what_is_drawn_is_a_turn_of_another_domain(tmp_path: Path) -> None:
    plan = tiny.plan(DOMAIN, two(tmp_path), drawn=True)
    for holdout in plan.holdouts:
        for part in (holdout.train, holdout.test):
            out = [target for target in part if target.gold == 0.0]
            assert len(out) == (2 if part is holdout.test else 0)
            assert len(part) == 4
    (entry, *_) = plan.record["drawn"]["weather"]
    assert entry["at"][0] in (1, 2)
    assert entry["turn"] in ([3, 0], [4, 0])
    again = tiny.plan(DOMAIN, two(tmp_path), drawn=True)
    assert again.record == plan.record
    assert plan.title.endswith("drawn")


def test_answers_are_kept_scored_and_written_a_line_each(tmp_path: Path) -> None:
    plan = tiny.plan(DOMAIN, two(tmp_path))
    make = NamedModel("scope", {})
    outcomes = list(run(plan, make, cache=tmp_path / "kept"))
    assert list(run(plan, make, cache=tmp_path / "kept")) == outcomes
    lines = [json.loads(line) for line in write_predictions(plan, outcomes).splitlines()]
    assert [line["gold"] for line in lines[:3]] == ["in", "out", "in"]
    assert all(0 <= line["probability"] <= 1 for line in lines)
    first = {key: lines[0][key] for key in ("holdout", "dialogue", "event", "task")}
    assert first == {"holdout": "weather", "dialogue": 1, "event": 0, "task": "weather"}
    result = summarise(plan, outcomes, make(), samples=10)
    assert set(result.scores) == {"auroc", "fpr@95", "macro_f1"}


def test_the_stages_are_those_of_next_action(tmp_path: Path) -> None:
    staged = PROTOCOLS.get("star-out-of-domain")
    plan = tiny.plan(staged, two(tmp_path))
    assert [holdout.name for holdout in plan.holdouts] == ["happy"]
    assert plan.record["split"]["happy"]["test"]
    variant = tiny.plan(staged, two(tmp_path), typed=False, drawn=True)
    assert variant.options["positive"] == "drawn, labels only"


def test_a_hold_out_with_turns_of_one_side_alone_is_left_out_and_told(tmp_path: Path) -> None:
    alone = talk(5, "hotel", "A room for two nights please.")
    plan = tiny.plan(DOMAIN, tiny.memory(tmp_path, *two(tmp_path).dialogues(), alone))
    assert [holdout.name for holdout in plan.holdouts] == ["weather", "trivia"]
    assert plan.notices[-1].startswith("left out: hotel, which do not have both turns in scope")
    with refuses(MissingDataError, "nothing-to-ask"):
        tiny.plan(DOMAIN, tiny.memory(tmp_path, alone, talk(6, "weather", "Is it cold?")))
