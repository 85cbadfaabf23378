"""STAR's dialogues as questions: which events, whose labels, and nothing to peek at."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from dialoom.bench.protocol import actions, source_id
from dialoom.bench.star import Happiness, choose_form, id_order, targets
from dialoom.dialogue import (
    SYSTEM,
    Dialogue,
    Instruction,
    Options,
    Query,
    Selection,
    Utterance,
)
from dialoom.errors import MissingDataError, UnknownNameError
from tests.bench import tiny


def test_targets_are_queries_and_labelled_replies_at_their_index_in_the_file() -> None:
    custom = Utterance(agent=SYSTEM, text="Let me see.")
    log = (*tiny.events("hello"), custom, tiny.query("Book"), tiny.query("Check"), tiny.query())
    found = list(targets(tiny.dialogue(1, task="weather", domain="weather", log=log)))
    assert [(t.event, t.label) for t in found] == [
        (3, "hello"),
        (6, "query_book"),
        (7, "query_check"),
        (8, "query"),
    ]
    assert {t.task for t in found} == {"weather"}
    assert all(t.dialogue.events[t.position] == log[t.event] for t in found)


def test_the_task_of_a_question_is_the_one_selected_last() -> None:
    first, second = tiny.reply("hello"), tiny.reply("trivia_ask")
    log = (first, tiny.switch("trivia"), second, tiny.switch("weather"), tiny.query())
    found = targets(tiny.dialogue(1, task="weather", domain=None, log=log, multi=True))
    assert [t.task for t in found] == ["weather", "trivia", "weather"]


def test_a_model_cannot_peek() -> None:
    """Neither the answer, nor what follows, nor the scenario, nor what the wizard typed for it."""
    dialogue = tiny.dialogue(7, "hello", "weather_ask", "query", task="weather", domain="weather")
    for target in targets(dialogue):
        question = target.question()
        seen = question.dialogue
        assert question.event == len(seen.events)
        assert question.history == seen.events
        assert seen == Dialogue(id="7", events=seen.events)
        assert all(event in dialogue.events[: target.event] for event in seen.events)
        assert not any(isinstance(event, Instruction | Options) for event in seen.events)
        assert b"typed for" not in msgspec.json.encode(seen)


def test_an_item_selected_just_before_tells_nothing() -> None:
    primary = Selection(kind="primary")
    log = (tiny.user(), primary, tiny.switch("weather"), tiny.query())
    (target,) = targets(tiny.dialogue(1, task="weather", domain=None, log=log))
    assert target.question().history == (log[0], log[2])


def test_an_example_has_the_same_history_as_the_question() -> None:
    dialogue = tiny.dialogue(7, "hello", "query", "custom", task="weather", domain="weather")
    for target in targets(dialogue):
        example = target.example()
        assert example.question.history == target.question().history
        assert example.label == target.label
        assert example.question.dialogue.scenario is None
    assert isinstance(target.dialogue.events[-4], Query)


def test_the_id_list_speaks_of_stars_dialogues_only() -> None:
    listed = Happiness(frozenset({1, 2}))
    one = tiny.dialogue(1, task="weather", domain="weather", happy=False)
    three = tiny.dialogue(3, task="weather", domain="weather", happy=True)
    assert (listed(one), listed(three)) == (True, False)
    simulated = msgspec.structs.replace(three, provenance="simulated")
    elsewhere = msgspec.structs.replace(three, id="run-3")
    assert listed(simulated)
    assert listed(elsewhere)
    assert Happiness()(three)
    assert not Happiness()(one)
    assert not Happiness()(Dialogue(id="9", events=()))


def test_the_form_follows_the_files_at_hand(tmp_path: Path) -> None:
    corpus = tiny.memory(tmp_path / "test")
    train = tiny.memory(tmp_path / "train")
    forms = ("coded", "published")
    form, happy, notices = choose_form(tiny.sources(corpus), forms)
    assert (form, happy.ids, len(notices)) == ("published", None, 1)
    with pytest.raises(MissingDataError, match=r"--form coded needs sam_protocol\.json"):
        choose_form(tiny.sources(corpus, form="coded"), forms)
    train.path.mkdir()
    (train.path / "sam_protocol.json").write_bytes(tiny.PROTOCOL)
    form, happy, notices = choose_form(tiny.sources(corpus, train_corpus=train), forms)
    assert (form, happy.ids, notices) == ("coded", frozenset({2, 3, 4}), [])
    form, happy, notices = choose_form(
        tiny.sources(corpus, train_corpus=train, form="published"), forms
    )
    assert (form, happy.ids, notices) == ("published", None, [])
    with pytest.raises(UnknownNameError, match="unknown form 'codde': did you mean coded"):
        choose_form(tiny.sources(corpus, form="codde"), forms)


def test_ids_are_ordered_and_written_as_the_source_does() -> None:
    assert sorted(["10", "9", "b", "a1"], key=id_order) == ["9", "10", "a1", "b"]
    assert [source_id(i) for i in ("12", "007", "a")] == [12, "007", "a"]


def test_actions_are_what_sams_schema_leads_to_or_else_the_replies() -> None:
    assert actions(tiny.SCHEMAS["weather"]) == {"weather_ask", "query"}
    assert actions(tiny.SCHEMAS["trivia"]) == {"trivia_ask", "yes"}
