"""A reply by which a person takes over."""

from __future__ import annotations

from dialoom.collect.kinds.room import rules
from dialoom.collect.kinds.room.messages import (
    Pick,
    Say,
    Suggest,
)
from dialoom.collect.log.record import ROLES
from dialoom.dialogue import (
    SYSTEM,
    Candidate,
    Completion,
    Utterance,
)
from dialoom.schema import pack
from tests.collect.rooms import Played, scenario


def test_a_reply_that_hands_over_ends_the_talk_for_both() -> None:
    tasks = {"bank_transfer": pack.load("bank_transfer")}
    played = Played(scenario("bank_transfer"), tasks, guard="off")
    played.user("Let me talk to your staff.")
    ranked = (Candidate("hand_over", "A colleague will take over from here."),)
    shown = rules.decide(played.room, "wizard", Suggest("a colleague"), played.now, ranked)
    played.put("wizard", shown, "c-suggest")
    said, over = played.send("wizard", Pick("hand_over"))
    assert isinstance(said, Utterance)
    assert over == Completion(agent=SYSTEM, time=played.now)
    for role in ROLES:
        assert played.room.events.since(role)[-1]["kind"] == "handed_over"
        assert played.view(role)["step"] == "questionnaire"
        assert played.refused(role, Say("Hello?")) == "not_now"
