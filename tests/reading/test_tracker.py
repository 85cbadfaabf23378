"""Slots and their values from the events of a dialogue, with where they came from."""

from __future__ import annotations

from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Act,
    Argument,
    Constraint,
    Event,
    Layer,
    Part,
    Query,
    Result,
    Utterance,
)
from dialoom.reading.tracker import SlotTracker, Tracked
from dialoom.schema import pack
from tests.make import utterance

BOOK = pack.load("restaurant_book")
SEARCH = pack.load("restaurant_search")


def after(*events: Event, task: str = "restaurant_book") -> SlotTracker:
    tracker = SlotTracker(pack.load(task))
    for event in events:
        tracker.observe(event)
    return tracker


def test_said_and_answered() -> None:
    tracker = after(
        utterance(USER, "The Juniper, please."),
        utterance(SYSTEM, "?", "restaurant_ask_size"),
        utterance(USER, "12"),
    )
    assert tracker.values == {
        "restaurant": Tracked("Juniper", "said", 0, "The Juniper"),
        "guests": Tracked(12, "answered", 2, "12"),
    }
    assert tracker.fresh == {"guests": Tracked(12, "answered", 2, "12")}


def test_a_question_without_a_label_is_read() -> None:
    question = Utterance(agent=SYSTEM, text="Sure! And how many people will there be?")
    tracker = after(question)
    assert tracker.asked == ("guests",)
    tracker.observe(utterance(USER, "12"))
    assert tracker.values["guests"] == Tracked(12, "answered", 1, "12")


def test_calls_of_another_task_give_required_values_until_the_user_does() -> None:
    query = Query(
        id="q",
        api="another_book",
        constraints=(Constraint("CustomerName", "equal", ("Ada Quill",)),),
    )
    row = Result(items=({"Name": "Juniper", "PartySize": 4000},))
    tracker = after(query, row)
    assert {n: (t.value, t.origin) for n, t in tracker.values.items()} == {
        "name": ("Ada Quill", "elsewhere"),
        "restaurant": ("Juniper", "elsewhere"),
    }
    tracker.observe(utterance(USER, "At the Copper Pan."))
    assert tracker.values["restaurant"].value == "Copper Pan"


def test_yes_and_no_answer_what_was_asked() -> None:
    question = next(n for n, node in SEARCH.flow.nodes.items() if node.asks == ("delivery",))
    yes = after(
        utterance(SYSTEM, "?", question), utterance(USER, "Yes, please."), task="restaurant_search"
    )
    assert yes.values == {"delivery": Tracked(True, "answered", 1, "Yes")}
    question = next(n for n, node in SEARCH.flow.nodes.items() if node.asks == ("location",))
    no = after(
        utterance(SYSTEM, "?", question), utterance(USER, "No, anywhere."), task="restaurant_search"
    )
    assert no.values == {"location": Tracked(None, "denied", 1)}
    assert after(utterance(USER, "Yes"), task="restaurant_search").values == {}


def test_what_was_queried_and_what_was_said_before() -> None:
    constraints = (Constraint("PartySize", "equal", (4,)), Constraint("Time", "equal", ("19:30",)))
    api = next(iter(BOOK.calls))
    tracker = after(utterance(USER, "at 7:30 pm"), Query(id="q", api=api, constraints=constraints))
    assert tracker.values["time"] == Tracked("19:30", "said", 0, "7:30 pm")
    assert tracker.values["guests"] == Tracked(4, "queried", 1)


def test_what_was_offered_and_accepted() -> None:
    call = next(each for each in SEARCH.calls.values() if each.effect == "search")
    table = SEARCH.tables[call.table]
    name = next(column.name for column in table.columns if column.slot == "restaurant")
    result = Result(query="q", items=({name: "Tiger Lily"},))
    offer = Utterance(agent=SYSTEM, text="How about the Tiger Lily?")
    query = Query(id="q", api=call.name)
    tracker = after(query, result, offer, utterance(USER, "Yes, fine"), task="restaurant_search")
    assert tracker.values == {"restaurant": Tracked("Tiger Lily", "offered", 3)}
    assert after(query, result, offer, utterance(USER, "Hm"), task="restaurant_search").values == {}


def test_acts_come_before_the_words() -> None:
    acts = (Act("inform", (Argument("time", ("half eight",), ("19:30",)),)),)
    event = Utterance(agent=USER, text="half eight", layers=(Layer(GOLD, (Part(None, acts),)),))
    assert after(event).values == {"time": Tracked("19:30", "said", 0, "half eight")}


def test_values_are_snapshots() -> None:
    tracker = after(utterance(USER, "The Juniper"))
    before = tracker.values
    tracker.observe(utterance(USER, "at 8 pm"))
    assert before == {"restaurant": Tracked("Juniper", "said", 0, "The Juniper")}
    assert set(tracker.values) == {"restaurant", "time"}


def test_what_acts_offer_stands_until_the_user_agrees() -> None:
    offer = Act("CONFIRM", (Argument("time", ("7 pm",), ("19:00",)),))
    layer = Layer(GOLD, (Part(None, acts=(offer,)),))
    offered = Utterance(agent=SYSTEM, text="At 7 pm?", layers=(layer,))
    assert "time" not in after(offered, utterance(USER, "Who else comes?")).values
    values = after(
        offered, utterance(USER, "Who else comes?"), utterance(USER, "That sounds good.")
    ).values
    assert values["time"] == Tracked("19:00", "offered", 2, "7 pm")
