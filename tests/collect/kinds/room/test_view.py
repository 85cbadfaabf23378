from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.collect.kinds.room.messages import (
    Accomplish,
    Ask,
    Choose,
    FormCondition,
    Pick,
    Say,
    Suggest,
    SwitchTask,
)
from dialoom.collect.kinds.room.visible_events import seen_by
from dialoom.collect.log.record import (
    ROLES,
    Answered,
    Closed,
    Departed,
    RoomRole,
    decode_body,
    encode_body,
)
from dialoom.collect.message import Consent, Leave, MessageBody, Questionnaire, Refused
from dialoom.dialogue import Utterance
from tests.collect.rooms import TABLE, TWO, Played, answers, booked, scenario, state

# --- what each of them sees -----------------------------------------------------------------------

SECRET = ("ReservationStatus", "restaurant_ask", "ask_name", "candidates", "PartySize", "Help the")


def test_the_user_never_sees_the_wizards_side() -> None:
    played = booked()
    played.user("Thanks.")
    played.send("wizard", Suggest("anything else"))
    page = json.dumps([played.view("user"), played.room.events.since("user")])
    assert not [word for word in SECRET if word in page]
    assert "Get a table" not in json.dumps(played.view("wizard"))


def test_one_who_answered_does_not_show_it_to_the_other() -> None:
    played = booked()
    played.send("user", Accomplish())
    played.send("user", answers(played.room, "user", rating=1, comment="Rude."))
    assert "Rude" not in json.dumps(played.view("wizard"))
    assert [each["kind"] for each in played.room.events.since("wizard")][-1] == "accomplished"


def test_seats_count_without_gaps_and_know_their_own_messages() -> None:
    played = booked()
    for role in ROLES:
        events = played.room.events.since(role)
        assert len(events) == sum(role in seen_by(record.body) for record in played.records)
        assert [each["seq"] for each in events] == list(range(1, len(events) + 1))
        assert played.room.events.since(role, 3) == events[3:]
        assert played.room.events.since(role, 99) == []
        own = {r.client for r in played.records if r.author == role and r.client}
        assert {each["client"] for each in events if "client" in each} == own


def test_what_did_not_change_is_the_same_object() -> None:
    played = booked()
    before = played.view("wizard")
    assert played.view("wizard") is before
    played.user("Thanks.")
    after = played.view("wizard")
    assert after["your_turn"] and not before["your_turn"]
    assert [key for key in ("tasks", "items", "results") if after[key] is not before[key]] == []
    played.ask("restaurant_book", TABLE | {"Time": "20:30", "RequestType": "Check"})
    assert len(played.view("wizard")["results"]) == len(before["results"]) + 1 > 1
    assert played.view("wizard")["tasks"] is before["tasks"]


# --- replay ---------------------------------------------------------------------------------------

TEXTS = st.sampled_from(["Hi.", "A table for four at 8 pm.", "hello", "Yes", " "])
WISHES: st.SearchStrategy[MessageBody] = st.one_of(
    st.builds(Say, TEXTS, st.sampled_from([None, "because"])),
    st.builds(Suggest, TEXTS),
    st.builds(Pick, st.sampled_from(["hello", "ask_name"]), st.sampled_from([None, "so"])),
    st.builds(SwitchTask, st.sampled_from(["restaurant_book", "hotel_book", "weather"])),
    st.builds(
        lambda time: Ask(
            "restaurant_book",
            tuple(
                FormCondition(name, "equal", value)
                for name, value in (TABLE | {"Time": time, "RequestType": "Book"}).items()
            ),
        ),
        st.sampled_from(["19:30", "8 pm", "noon"]),
    ),
    st.builds(Choose, st.sampled_from(["primary", "secondary"]), st.sampled_from([None, 0, 1])),
    st.builds(Accomplish),
    st.builds(Leave),
    st.builds(Consent),
    st.just(Questionnaire({})),
)


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.sampled_from(ROLES), WISHES), max_size=40),
    st.booleans(),
    st.sampled_from(["off", "warn", "reason"]),
)
def test_a_replay_gives_the_same_room(
    sent: list[tuple[RoomRole, MessageBody]], several: bool, guard: str
) -> None:
    tasks = ("restaurant_book", "hotel_book") if several else ("restaurant_book",)
    played = Played(scenario(*tasks, instructions=TWO), guard=guard)
    for role, message in sent:
        if isinstance(message, Questionnaire):
            message = answers(played.room, role, rating=3 if role == "user" else None)
        try:
            played.send(role, message)
        except Refused:
            continue
    again = played.again()
    assert state(again) == state(played.room)
    assert again == played.room
    for record in played.records:
        assert decode_body(encode_body(record.body)) == record.body
    check_invariants(played)


def check_invariants(played: Played) -> None:
    lines = [r.body for r in played.records if isinstance(r.body, Utterance)]
    assert [body.agent for body in lines] == (["user", "system"] * len(lines))[: len(lines)]
    for role in ROLES:
        events = played.room.events.since(role)
        assert [each["seq"] for each in events] == list(range(1, len(events) + 1))
        mine = [record for record in played.records if role in seen_by(record.body)]
        assert [each["time"] for each in events] == [record.time for record in mine]
    hidden = {"turn", "ask", "result", "choose", "suggest", "override"}
    assert not hidden & {each["kind"] for each in played.room.events.since("user")}
    assert "instruction" not in {each["kind"] for each in played.room.events.since("wizard")}
    closed = [r for r in played.records if isinstance(r.body, Closed)]
    assert len(closed) == played.room.closed
    if closed:
        assert played.records[-1] is closed[0]
    assert len({r.client for r in played.records if r.client}) == len(
        [r for r in played.records if r.client]
    )
    assert not [
        r for r in played.records if isinstance(r.body, Answered | Departed) and not r.client
    ]
