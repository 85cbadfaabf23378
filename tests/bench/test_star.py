"""STAR's dialogues as questions: which events, whose labels, and nothing to peek at."""

from __future__ import annotations

from pathlib import Path

import msgspec

from dialoom.bench.core.protocol import Data, examples, questions, source_id
from dialoom.bench.protocols.star import Happiness, actions, choose_form, id_order, targets
from dialoom.bench.visibility import system_log, visible
from dialoom.dialogue import (
    SYSTEM,
    Dialogue,
    Instruction,
    Options,
    Query,
    Selection,
    Utterance,
)
from dialoom.errors import MissingDataError
from tests.bench import tiny
from tests.found import some
from tests.make import refuses


def test_targets_are_queries_and_labelled_replies_at_their_index_in_the_file() -> None:
    custom = Utterance(agent=SYSTEM, text="Let me see.")
    log = (*tiny.events("hello"), custom, tiny.query("Book"), tiny.query("Check"), tiny.query())
    cases = list(targets(tiny.dialogue(1, task="weather", domain="weather", log=log)))
    assert [(t.event, t.gold) for t in cases] == [
        (3, "hello"),
        (6, "query_book"),
        (7, "query_check"),
        (8, "query"),
    ]
    assert {t.asked.task for t in cases} == {"weather"}
    assert all(type(t.seen[t.position]) is type(log[t.event]) for t in cases)


def test_the_task_of_a_question_is_the_one_selected_last() -> None:
    first, second = tiny.reply("hello"), tiny.reply("trivia_ask")
    log = (first, tiny.switch("trivia"), second, tiny.switch("weather"), tiny.query())
    cases = targets(tiny.dialogue(1, task="weather", domain=None, log=log, multi=True))
    assert [t.asked.task for t in cases] == ["weather", "trivia", "weather"]


def test_a_model_cannot_peek() -> None:
    """Neither the answer, nor what follows, nor the scenario, nor what the wizard typed for it."""
    dialogue = tiny.dialogue(7, "hello", "weather_ask", "query", task="weather", domain="weather")
    bare, _ = visible(dialogue, lambda event: system_log(event) or event)
    for target in some(targets(dialogue)):
        (question,) = questions([target])
        context = question.dialogue
        assert question.event == len(context.events)
        assert question.history == context.events
        assert context == Dialogue(id="0", events=context.events)
        assert all(e in bare[: target.event] for e in context.events)
        assert not any(isinstance(event, Instruction | Options) for event in context.events)
        assert b"typed for" not in msgspec.json.encode(context)


def test_an_item_selected_just_before_tells_nothing() -> None:
    primary = Selection(kind="primary")
    log = (tiny.user(), primary, tiny.switch("weather"), tiny.query())
    (target,) = targets(tiny.dialogue(1, task="weather", domain=None, log=log))
    (question,) = questions([target])
    assert question.history == (log[0], log[2])


def test_an_example_has_the_same_history_as_the_question() -> None:
    dialogue = tiny.dialogue(7, "hello", "query", "custom", task="weather", domain="weather")
    for target in targets(dialogue):
        (example,), (question,) = examples([target]), questions([target])
        assert example.question.history == question.history
        assert example.answer == target.gold
        assert example.question.dialogue.scenario is None
    assert isinstance(target.seen[-4], Query)


def test_the_id_list_speaks_of_stars_dialogues_only() -> None:
    happiness = Happiness(frozenset({1, 2}))
    one = tiny.dialogue(1, task="weather", domain="weather", happy=False)
    three = tiny.dialogue(3, task="weather", domain="weather", happy=True)
    assert (happiness(one), happiness(three)) == (True, False)
    simulated = msgspec.structs.replace(three, provenance="simulated")
    elsewhere = msgspec.structs.replace(three, id="run-3")
    assert happiness(simulated)
    assert happiness(elsewhere)
    assert Happiness()(three)
    assert not Happiness()(one)
    assert not Happiness()(Dialogue(id="9", events=()))


def test_the_form_follows_the_files_at_hand(tmp_path: Path) -> None:
    corpus = tiny.memory(tmp_path / "test")
    train = tiny.memory(tmp_path / "train")
    form, happy, notices = choose_form(Data(corpus), None)
    assert (form, happy.ids, len(notices)) == ("published", None, 1)
    with refuses(MissingDataError, "no-file", "sam_protocol.json"):
        choose_form(Data(corpus), "coded")
    train.path.mkdir()
    (train.path / "sam_protocol.json").write_bytes(tiny.PROTOCOL)
    form, happy, notices = choose_form(Data(corpus, train), None)
    assert (form, happy.ids, notices) == ("coded", frozenset({2, 3, 4}), [])
    form, happy, notices = choose_form(Data(corpus, train), "published")
    assert (form, happy.ids, notices) == ("published", None, [])


def test_ids_are_ordered_and_written_as_the_source_does() -> None:
    assert sorted(["10", "9", "b", "a1"], key=id_order) == ["9", "10", "a1", "b"]
    assert [source_id(i) for i in ("12", "007", "a")] == [12, "007", "a"]


def test_actions_are_what_sams_schema_leads_to_or_else_the_replies() -> None:
    assert actions(tiny.SCHEMAS["weather"]) == {"weather_ask", "query"}
    assert actions(tiny.SCHEMAS["trivia"]) == {"trivia_ask", "yes"}
