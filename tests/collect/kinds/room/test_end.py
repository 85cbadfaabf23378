"""Rooms: how a dialogue ends, and who is idle."""

from __future__ import annotations

import pytest

from dialoom.collect.kinds.room import rules
from dialoom.collect.kinds.room.messages import (
    Accomplish,
    Pick,
    Say,
    Suggest,
)
from dialoom.collect.log.record import ROLES, Closed
from dialoom.collect.message import (
    Leave,
    Questionnaire,
)
from dialoom.dialogue import (
    SYSTEM,
    Candidate,
    Completion,
    Utterance,
)
from dialoom.schema import pack
from tests.collect.rooms import Played, answers, booked, scenario


def _closed(played: Played) -> str:
    """Return how a room ended, by its last record."""
    body = played.records[-1].body
    assert isinstance(body, Closed)
    return body.outcome


def test_both_answer_and_the_dialogue_is_complete() -> None:
    played = booked()
    played.send("user", Accomplish())
    assert played.refused("user", Say("More!")) == "not_now"
    assert played.room.completion_level == "DisconnectDuringQuestionnaire"
    assert played.refused("user", Questionnaire({"understood": True}, 4)) == "incomplete"
    assert played.refused("user", answers(played.room, "user")) == "incomplete"
    assert played.refused("user", answers(played.room, "user", rating=9)) == "bad_value"
    assert played.refused("wizard", answers(played.room, "wizard", rating=4)) == "unknown"
    stray = Questionnaire({**answers(played.room, "user").answers, "x": True}, 4)
    assert played.refused("user", stray) == "unknown"
    played.send("user", answers(played.room, "user", rating=4, comment=" Good. "))
    assert played.refused("user", answers(played.room, "user", rating=4)) == "not_now"
    assert not played.room.over
    played.send("wizard", answers(played.room, "wizard"))
    assert _closed(played) == "Complete"
    assert played.records[-1].author == "server"
    assert played.room.closed
    assert played.refused("user", Say("Bye.")) == "not_now"
    replies = {(a.agent, a.question): a.answer for a in played.room.dialogue().answers}
    assert replies["user", "userSurveyRating"] == 4
    assert replies["user", "comment"] == "Good."
    assert replies["system", "Did the user make clear what they wanted?"] is True
    assert replies["user", "Do you have a table now?"] is True


@pytest.mark.parametrize(
    ("exchanges", "outcome"),
    [
        (0, "EarlyDisconnectDuringDialogue"),
        (2, "EarlyDisconnectDuringDialogue"),
        (3, "DisconnectDuringDialogue"),
    ],
)
def test_who_leaves_a_talk_ends_it(exchanges: int, outcome: str) -> None:
    played = Played()
    for turn in range(exchanges):
        played.user(f"Turn {turn}.")
        played.send("wizard", Say("Yes."))
    played.send("user", Leave())
    assert played.room.closed
    assert played.room.completion_level == outcome == played.room.dialogue().outcome


def test_five_utterances_are_not_early() -> None:
    played = Played()
    for turn in range(2):
        played.user(f"Turn {turn}.")
        played.send("wizard", Say("Yes."))
    played.user("Five.")
    played.send("wizard", Leave())
    assert played.room.completion_level == "DisconnectDuringDialogue"


def test_who_stays_may_still_answer() -> None:
    played = booked()
    played.send("user", Accomplish())
    played.send("wizard", Leave())
    assert played.room.step == "questionnaire"
    played.send("user", answers(played.room, "user", rating=5))
    assert played.room.closed
    assert played.room.completion_level == "DisconnectDuringQuestionnaire"


def test_who_leaves_last_closes_the_room() -> None:
    played = booked()
    played.send("user", Accomplish())
    played.send("user", answers(played.room, "user", rating=5))
    played.send("wizard", Leave())
    assert _closed(played) == "DisconnectDuringQuestionnaire"


def test_whoever_lets_the_other_wait_gets_an_idle_warning_and_is_idle_then() -> None:
    played = Played()
    assert played.room.idleness(played.now + 89_999) == (None, None, played.now)
    assert played.room.idleness(played.now + 90_000) == ("user", None, played.now)
    assert played.room.idleness(played.now + 299_999).warned == "user"
    assert played.room.idleness(played.now + 300_000) == (None, "user", played.now)
    played.user("Hi.")
    assert played.room.idleness(played.now + 90_000).warned == "wizard"
    played.send("wizard", Suggest("hello"), seconds=80)
    assert played.room.idleness(played.now + 80_000).warned is None
    assert played.view("wizard")["idle_warning_at"] == played.now + 90_000
    assert played.view("user")["idle_warning_at"] is None


def test_whoever_does_not_answer_the_questions_is_idle() -> None:
    played = booked()
    played.send("user", Accomplish())
    done = played.now
    played.send("user", answers(played.room, "user", rating=5), seconds=200)
    assert played.room.idleness(done + 300_000) == (None, "wizard", done)
    played.send("wizard", answers(played.room, "wizard"))
    assert played.room.idleness(done + 900_000) == (None, None, done)


# --- a person takes over --------------------------------------------------------------------------


def test_a_reply_that_hands_over_ends_the_talk_for_both() -> None:
    tasks = {"bank_transfer": pack.load("bank_transfer")}
    played = Played(scenario("bank_transfer"), tasks, guard="off")
    played.user("Let me talk to your staff.")
    ranked = (Candidate("hand_over", "A colleague will take over from here."),)
    options = rules.decide(played.room, "wizard", Suggest("a colleague"), played.now, ranked)
    played.put("wizard", options, "c-suggest")
    reply, over = played.send("wizard", Pick("hand_over"))
    assert isinstance(reply, Utterance)
    assert over == Completion(agent=SYSTEM, time=played.now)
    for role in ROLES:
        assert played.room.events.since(role)[-1]["kind"] == "handed_over"
        assert played.view(role)["step"] == "questionnaire"
        assert played.refused(role, Say("Hello?")) == "not_now"
