"""Turns that only their place in the flow explains."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from dialoom.dialogue import SYSTEM, USER, Constraint, Event, Query, Result, State, Utterance
from dialoom.dialogue.event import Item
from dialoom.flow.program import program_of
from dialoom.reading.awaited import NEXT, awaited, invited
from dialoom.reading.dialogue import DOUBTFUL, DialogueReading
from dialoom.reading.spoken import SpokenTurn
from dialoom.schema import pack
from tests.make import utterance

LIBRARY = program_of(pack.load("library_loan"))
DEMAND = (
    utterance(SYSTEM, "No luck. Again?", "say_down"),
    utterance(USER, "No, a person, please.", "second_level"),
)
NAMED = State(values={"name": ("Ida Lund",)})


def read(task: str, events: Iterable[Event], text: str) -> SpokenTurn:
    """Return the reading of a turn of the system after some events."""
    reading = DialogueReading(pack.load(task))
    for event in (*events, utterance(SYSTEM, text)):
        reading.observe(event)
    return reading.turn


def called(api: str, item: Item | None, **inputs: str) -> tuple[Event, ...]:
    """Return a call after an opening, and its result: an item or none."""
    constraints = tuple(Constraint(name, "equal", (value,)) for name, value in inputs.items())
    items = () if item is None else (item,)
    return (
        utterance(SYSTEM, "Good morning!"),
        utterance(USER, "Go ahead.", "go_ahead"),
        Query(id="q1", api=api, constraints=constraints),
        Result(query="q1", items=items, total=len(items)),
    )


def checked(**item: str) -> tuple[Event, ...]:
    return called("hotel_book", item, Name="Quarry Suites", RequestType="Check")


@pytest.mark.parametrize(
    ("text", "read_so"),
    [
        ("Which volume?", True),
        ("And the volume is…?", True),
        ("What is the colour of your grandmother's bicycle?", False),
    ],
)
def test_a_short_question_is_the_one_that_the_flow_awaits(text: str, read_so: bool) -> None:
    reply = awaited(LIBRARY, text, ["ask_book", "say_no_loan"])
    assert (reply is not None and reply.action == "ask_book") is read_so


def test_nothing_is_awaited_where_the_flow_leads_to_several_questions() -> None:
    assert awaited(LIBRARY, "Which volume?", ["ask_book", "ask_payment"]) is None


@pytest.mark.parametrize(
    ("text", "read_so"),
    [
        ("You can leave a word for the recipient.", True),
        ("Green dreams sleep furiously.", False),
        ("Thank you for your patience.", False),
    ],
)
def test_a_statement_may_invite_an_answer(text: str, read_so: bool) -> None:
    bank = program_of(pack.load("bank_transfer"))
    assert (invited(bank, text, ["ask_reference"], {"ask_reference": NEXT}) is not None) is read_so


@pytest.mark.parametrize("text", ["Bicycles (optional):", "Bicycles, if any:"])
def test_the_label_of_a_form_is_the_awaited_question(text: str) -> None:
    turn = read("train_journey", [utterance(USER, "By the window.", "give_seat")], text)
    assert turn.asks == ("bicycles",)


@pytest.mark.parametrize(
    "text",
    ["All their beds are gone. Shall we find something else?", "Nix free there, sorry. Go on?"],
)
def test_a_result_is_reported_before_anything_else(text: str) -> None:
    turn = read("hotel_book", checked(Message="Unavailable"), text)
    assert turn.action == "hotel_unavailable"


def test_a_wait_after_a_result_reports_nothing() -> None:
    events = checked(Message="Unavailable")
    assert read("hotel_book", events, "One moment, please.").action is None


def test_a_result_without_a_row_ruled_out_is_placed_by_the_users_turn() -> None:
    constraints = tuple(Constraint(name, "equal", ("Dorn",)) for name in ("From", "To"))
    reading = DialogueReading(pack.load("train_journey"))
    for event in (
        utterance(SYSTEM, "Would that train do?", "offer_direct"),
        utterance(USER, "Another one, please.", "ask_another"),
        Query(id="q1", api="train_search", constraints=constraints),
        Result(query="q1", items=(), total=0),
    ):
        reading.observe(event)
    assert [name for name, bonus in reading.expected().items() if bonus > 0] == ["say_no_other"]


def _named(*more: Event) -> tuple[Utterance | Event, ...]:
    return (
        utterance(SYSTEM, "Hello!", "hello"),
        utterance(USER, "A meeting, please.", "open"),
        utterance(SYSTEM, "What shall I call you?", "ask_name"),
        utterance(USER, "Ida Lund.", "give_name", state=NAMED),
        *more,
    )


def test_a_question_that_fits_two_slots_asks_for_the_open_one() -> None:
    assert read("meeting_schedule", _named(), "So who is it for?").asks == ("guest",)
    assert read("meeting_schedule", _named(), "What shall I call you?").asks == ("name",)


@pytest.mark.parametrize(
    ("task", "text"),
    [
        ("hotel_book", "On what date do you check out of the hotel?"),
        ("library_loan", "Which book would you like?"),
    ],
)
def test_a_sure_question_that_keeps_coming_is_read_otherwise(task: str, text: str) -> None:
    prompt, answer = utterance(SYSTEM, text), utterance(USER, "The sixth.")
    turns = [read(task, (utterance(SYSTEM, "Hi!"), *(prompt, answer) * n), text) for n in range(4)]
    assert turns[0].action == turns[1].action
    assert len({turn.action for turn in turns}) > 1


def test_a_question_asks_for_no_given_slot_besides_its_own() -> None:
    day = State(values={"day": ("2021-05-04",)})
    events = [utterance(USER, "Two bikes.", "give_bicycles", state=day)]
    text = "Will you need the way back, and for what date?"
    assert read("train_journey", events, text).asks == ("back",)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("Righto, escalating to the night shift.", "hand_over"),
        ("Okay.", None),
        ("Sorry, I did not get that.", "pardon"),
    ],
)
def test_a_turn_that_can_only_hand_over_does(text: str, action: str | None) -> None:
    assert read("it_support", DEMAND, text).action == action


def test_a_refusal_does_not_hand_over() -> None:
    assert read("it_support", DEMAND, "I cannot connect you, sorry.").certainty < DOUBTFUL
