"""Suggestions as questions: what was picked, folds of whole dialogues, tasks held out."""

from __future__ import annotations

from pathlib import Path

from dialoom.bench import PROTOCOLS
from dialoom.bench.protocols.star import targets
from dialoom.bench.protocols.suggestions import SUGGESTIONS
from dialoom.corpus import Corpus
from dialoom.dialogue import Candidate, Options, Query, Selected
from dialoom.errors import MissingDataError
from tests.bench import tiny
from tests.make import refuses

FOLDED = PROTOCOLS.get("star-suggestions")


def corpus(path: Path, number: int) -> Corpus:
    actions = ("hello", "query", "custom", "weather_ask")
    return tiny.memory(
        path, *(tiny.dialogue(n, *actions, task="weather", domain="weather") for n in range(number))
    )


def test_a_question_where_a_reply_was_picked_and_what_was_typed_is_seen() -> None:
    log = (
        tiny.user("Hi"),
        Options(text="hel", candidates=(Candidate("hello"),), choice="hello"),
        tiny.reply("hello"),
        Options(text="typed in vain"),
        Options(text="own words", selected=Selected({"Name": "Quay"})),
        tiny.reply("custom"),
        Options(text="then a query"),
        tiny.query(),
    )
    (only,) = targets(tiny.dialogue(1, task="weather", domain=None, log=log), SUGGESTIONS)
    assert (only.event, only.gold) == (1, "hello")
    assert only.seen[: only.position][-1] == Options(text="hel")
    assert Options(text="own words", selected=Selected({"Name": "Quay"})) in only.seen
    assert any(isinstance(event, Query) for event in only.seen)


def test_every_dialogue_is_asked_about_once_after_learning_from_the_others(tmp_path: Path) -> None:
    plan = tiny.plan(FOLDED, corpus(tmp_path, 11))
    assert [holdout.name for holdout in plan.holdouts] == [f"fold{n}" for n in range(1, 6)]
    folds = [{target.source for target in holdout.test} for holdout in plan.holdouts]
    assert sorted(name for names in folds for name in names) == sorted(map(str, range(11)))
    for names, holdout in zip(folds, plan.holdouts, strict=True):
        assert names | {target.source for target in holdout.train} == set(map(str, range(11)))
        assert names.isdisjoint(target.source for target in holdout.train)


def test_fewer_dialogues_than_folds_are_missing_data(tmp_path: Path) -> None:
    with refuses(MissingDataError, "too-few", "5"):
        tiny.plan(FOLDED, corpus(tmp_path, 4))


def test_a_task_is_held_out(tmp_path: Path) -> None:
    plan = tiny.plan(PROTOCOLS.get("star-zero-shot-suggestions"), tiny.star(tmp_path))
    for holdout in plan.holdouts:
        assert {target.asked.task for target in holdout.test} == {holdout.name}
        assert holdout.name not in {target.asked.task for target in holdout.train}
