from __future__ import annotations

import json

import pytest

from dialoom.collect.kinds.room import rules
from dialoom.collect.kinds.room.messages import (
    Accomplish,
    Ask,
    Choose,
    Pick,
    Say,
    Suggest,
    SwitchTask,
)
from dialoom.collect.kinds.room.room import tally
from dialoom.collect.log.record import Override, Tally
from dialoom.collect.message import (
    LONGEST_TEXT,
    Consent,
    Questionnaire,
    Refused,
    cleaned,
)
from dialoom.dialogue import (
    Instruction,
    Options,
    Query,
    Result,
    Selection,
    Utterance,
)
from dialoom.dialogue.views import label
from tests.collect.rooms import TABLE, TWO, Played, booked, scenario


def test_replies_actions_and_answer_times_are_counted() -> None:
    played = Played(scenario("restaurant_book", "trip_directions"), guard="off")
    played.user("I want a table.")
    played.send("wizard", SwitchTask("restaurant_book"))
    played.wizard("what name?", "ask_name")
    played.send("user", Say("Ann"), seconds=9)
    played.send("wizard", Say("Good evening."), seconds=3)
    counts = tally(played.room.log)
    assert counts.actions == ("ask_name",)
    assert (counts.replies, counts.custom) == (2, 1)
    assert counts.topics == ("restaurant_book",)
    assert counts.gaps["user"] == (9000,)
    assert counts.gaps["wizard"][-1] == 3000


def test_a_room_ends_with_its_tally() -> None:
    played = Played()
    played.user("Hi.")
    played.send("wizard", Say("Hello."))
    played.send("user", Accomplish())
    assert played.room.close("Complete").tally == tally(played.records)
    assert tally([]) == Tally(gaps={"user": (), "wizard": ()})


def test_the_server_s_absence_is_no_answering_time() -> None:
    played = Played()
    played.user("Hi.")
    played.send("wizard", Say("Hello."), seconds=8 * 3600)
    played.send("user", Say("A table."), seconds=7)
    counts = played.room.close("Complete").tally
    assert counts is not None and counts.gaps == {"user": (7000,), "wizard": (0,)}


def kinds(played: Played) -> list[str]:
    return [type(record.body).__name__ for record in played.records]


# --- turns ----------------------------------------------------------------------------------------


def test_the_user_speaks_first_and_turns_are_strict() -> None:
    played = Played()
    assert played.refused("wizard", Say("Hello?")) == "not_your_turn"
    assert played.refused("wizard", Suggest("hello")) == "not_your_turn"
    played.user("Hi.")
    assert played.refused("user", Say("Anybody there?")) == "not_your_turn"
    played.send("wizard", Suggest("hello"))
    played.send("wizard", Suggest("who"))
    assert played.view("wizard")["your_turn"]
    played.send("wizard", Say("Good day!"))
    assert played.room.turn == "user"


def test_nobody_does_what_the_other_one_does() -> None:
    played = Played()
    assert played.refused("user", Ask("restaurant_book")) == "not_yours"
    assert played.refused("user", Suggest("hello")) == "not_yours"
    played.user("Hi.")
    assert played.refused("wizard", Accomplish()) == "not_yours"
    assert played.refused("wizard", Consent()) == "not_now"
    assert played.refused("wizard", Questionnaire({})) == "not_now"


def test_what_is_said_has_words_and_no_control_characters() -> None:
    played = Played()
    assert played.refused("user", Say(" \n\t")) == "malformed"
    assert played.refused("user", Say("\u200b\u2060")) == "malformed"
    assert played.refused("user", Say("x" * 2001)) == "too_long"
    assert cleaned(" a\x00b\ud800 \u200d👩\n") == "a b  \u200d👩"


def test_a_text_that_is_too_long_is_refused_with_its_length_and_never_cut() -> None:
    with pytest.raises(Refused) as refused:
        cleaned(" " + "\U0001f600" * 2001)
    assert refused.value.detail == {"length": 2001, "most": LONGEST_TEXT}
    assert len(cleaned("\U0001f600" * 2000)) == LONGEST_TEXT
    played = Played(guard="reason")
    played.user("Hello.")
    assert played.refused("wizard", Say("Hi.", "x" * 2001)) == "too_long"


# --- instructions, and when the task is accomplished ----------------------------------------------


def test_instructions_come_by_plan_and_only_to_the_user() -> None:
    played = Played(scenario("restaurant_book", instructions=TWO))
    played.user("One.")
    played.send("wizard", Say("a"))
    played.user("Two.")
    assert kinds(played) == [
        *("Opened", "Instruction", "Utterance", "Options", "Utterance"),
        *("Utterance", "Instruction"),
    ]
    texts = [
        each["text"] for each in played.room.events.since("user") if each["kind"] == "instruction"
    ]
    assert texts == ["Be brief. [instruction 1 of 2]", "Change the time. [instruction 2 of 2]"]
    assert "nstruction" not in json.dumps(played.view("wizard"))
    assert [r.author for r in played.records if isinstance(r.body, Instruction)] == ["guide"] * 2


@pytest.mark.parametrize(
    ("plan", "turns", "lacks"),
    [
        ((), 0, "turns"),
        ((), 1, None),
        (((0, "a"),), 0, "turns"),
        (((0, "a"),), 1, None),
        (((1, "a"),), 0, "instructions"),
        (((1, "a"),), 1, "turns"),
        (((1, "a"),), 2, None),
        (TWO, 1, "instructions"),
        (TWO, 2, "turns"),
        (TWO, 3, None),
        (((9, "a"),), 3, "instructions"),
    ],
)
def test_when_the_task_can_be_accomplished(
    plan: tuple[tuple[int, str], ...], turns: int, lacks: str | None
) -> None:
    played = Played(scenario("restaurant_book", instructions=plan))
    for turn in range(turns):
        played.user(f"Turn {turn}.")
        assert rules.lacks(played.room) == "turn"
        assert not played.view("user")["can_accomplish"]
        assert played.refused("user", Accomplish()) == "not_yet"
        played.send("wizard", Say("Well."))
    assert rules.lacks(played.room) == lacks
    if lacks is None:
        played.send("user", Accomplish())
        assert played.room.step == "questionnaire"
    else:
        with pytest.raises(Refused) as refused:
            played.send("user", Accomplish())
        assert refused.value.code == "not_yet"
        assert refused.value.detail == {"why": lacks}


# --- the wizard's page ----------------------------------------------------------------------------


def test_a_query_adds_its_item_and_makes_it_primary() -> None:
    played = Played()
    played.user("Hi.")
    query, result = played.ask("restaurant_book", TABLE | {"RequestType": "Check"})
    assert isinstance(query, Query)
    assert isinstance(result, Result)
    view = played.view("wizard")
    assert view["items"][0]["item"]["ReservationStatus"] == "Available"
    assert (view["primary"], view["secondary"]) == (0, None)
    played.ask("restaurant_book", TABLE | {"Time": "8 pm", "RequestType": "Check"})
    played.send("wizard", Choose("secondary", 0))
    view = played.view("wizard")
    assert (len(view["items"]), view["primary"], view["secondary"]) == (2, 1, 0)
    played.send("wizard", Choose("primary", None))
    assert played.view("wizard")["primary"] is None
    assert played.refused("wizard", Choose("primary", 7)) == "unknown"
    assert played.refused("wizard", Choose("secondary", 0)) == "bad_value"  # it is there already
    assert [record.author for record in played.records[2:4]] == ["wizard", "kb"]
    assert [record.client != "" for record in played.records[2:4]] == [True, False]


def test_what_was_booked_is_taken_in_this_room_only() -> None:
    first = booked()
    first.user("And another one.")
    first.ask("restaurant_book", TABLE | {"RequestType": "Check"})
    assert first.room.items[-1].item["ReservationStatus"] == "Unavailable"
    other = Played()
    other.user("Hi.")
    other.ask("restaurant_book", TABLE | {"RequestType": "Check"})
    assert other.room.items[-1].item["ReservationStatus"] == "Available"


def test_a_picked_suggestion_is_labelled_and_a_custom_reply_is_logged_as_typed() -> None:
    played = Played()
    played.user("Hi.")
    played.wizard("hello", "hello")
    reply = played.records[-1].body
    assert isinstance(reply, Utterance)
    assert label(reply) == "hello"
    played.user("A table.")
    played.send("wizard", Say("Which evening?"))
    typed, reply = (record.body for record in played.records[-2:])
    assert typed == Options(text="Which evening?", time=played.now)
    assert isinstance(reply, Utterance)
    assert label(reply) is None
    played.user("Tonight.")
    played.send("wizard", Suggest("Fine so far"))
    before = len(played.records)
    played.send("wizard", Say("Fine so far"))
    assert len(played.records) == before + 1  # the typed text is there already


def test_only_what_is_shown_now_can_be_picked() -> None:
    played = Played()
    played.user("Hi.")
    assert played.refused("wizard", Pick("hello")) == "unknown"
    played.send("wizard", Suggest("hello"))
    assert played.refused("wizard", Pick("nothing")) == "unknown"
    played.ask("restaurant_book", TABLE | {"RequestType": "Check"})
    assert played.view("wizard")["suggestions"] is None
    assert played.refused("wizard", Pick("hello")) == "unknown"


def test_three_suggestions_for_one_task_and_six_for_several() -> None:
    played = Played()
    played.user("Hi.")
    played.send("wizard", Suggest("hello"))
    assert len(played.view("wizard")["suggestions"]["candidates"]) == 3
    played = Played(scenario("restaurant_book", "hotel_book"))
    played.user("Hi.")
    played.send("wizard", SwitchTask("hotel_book"))
    played.send("wizard", Suggest("hello"))
    assert len(played.view("wizard")["suggestions"]["candidates"]) == 6


def test_a_wizard_of_several_tasks_turns_to_one_first() -> None:
    played = Played(scenario("restaurant_book", "hotel_book"))
    played.user("Hi.")
    assert played.view("wizard")["task"] is None
    assert played.refused("wizard", Suggest("hello")) == "no_task"
    assert played.refused("wizard", Ask("hotel_book")) == "no_task"
    assert played.refused("wizard", SwitchTask("weather")) == "unknown"
    played.send("wizard", SwitchTask("hotel_book"))
    assert played.refused("wizard", SwitchTask("hotel_book")) == "bad_value"
    assert played.refused("wizard", Ask("restaurant_book")) == "unknown"
    assert isinstance(played.records[-1].body, Selection)
    assert played.view("wizard")["task"] == "hotel_book"


# --- the flow guard -------------------------------------------------------------------------------


@pytest.mark.parametrize(("guard", "reason"), [("warn", "-"), ("reason", "they had said it all")])
def test_the_flow_guard_asks_once_and_notes_the_override(guard: str, reason: str) -> None:
    played = Played(guard=guard)
    played.user("Hi.")
    played.send("wizard", Suggest("goodbye and bring a good appetite"))
    with pytest.raises(Refused) as refused:
        played.send("wizard", Pick("goodbye_1"))
    assert refused.value.code == "off_flow"
    assert [each["id"] for each in refused.value.detail["expected"]] == ["hello"]
    if guard == "reason":
        assert played.refused("wizard", Pick("goodbye_1", " - ")) == "off_flow"
    played.send("wizard", Pick("goodbye_1", reason))
    override, reply = (record.body for record in played.records[-2:])
    assert override == Override(
        action="goodbye_1", expected=("hello",), reason=reason if guard == "reason" else None
    )
    assert isinstance(reply, Utterance)
    event = played.room.dialogue().events[-1]
    assert event.extra["Override"]["Expected"] == ["hello"]
    assert all(each["kind"] != "override" for each in played.room.events.since("user"))


def test_a_reason_is_asked_for_replies_in_the_wizards_own_words() -> None:
    played = Played(guard="reason")
    played.user("Hi.")
    with pytest.raises(Refused) as refused:
        played.send("wizard", Say("Good morning to you!"))
    assert (refused.value.code, refused.value.detail["action"]) == ("off_flow", None)
    assert refused.value.detail["reason_wanted"]
    played.send("wizard", Say("Good morning to you!", "they sound sad"))
    assert Override(action=None, expected=("hello",), reason="they sound sad") in [
        record.body for record in played.records
    ]
    override = played.room.dialogue().events[-1].extra["Override"]
    assert override == {"Expected": ["hello"], "Reason": "they sound sad"}


def test_a_warned_wizard_may_say_what_they_like() -> None:
    played = Played(guard="warn")
    played.user("Hi.")
    played.send("wizard", Say("Good morning to you!"))
    assert "Override" not in kinds(played)


def test_without_the_guard_anything_may_be_picked() -> None:
    played = Played(guard="off")
    played.user("Hi.")
    played.wizard("goodbye and bring a good appetite", "goodbye_1")
    assert "Override" not in kinds(played)
