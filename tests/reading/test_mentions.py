"""Which mentions in a user's text count, by each kind of evidence."""

from __future__ import annotations

import pytest

from dialoom.reading.mentions import MentionChooser, chooser_of
from dialoom.reading.statements import stated
from dialoom.schema import pack
from dialoom.schema.call import Call, Column
from dialoom.schema.flow import FlowGraph, Node
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema

SLOTS = (
    Slot(name="from_place", type="short text", description="where the trip begins"),
    Slot(name="to_place", type="short text", description="where the trip ends"),
    Slot(name="first_day", type="date", minimum="2021-05-01", maximum="2021-05-31"),
    Slot(name="last_day", type="date", minimum="2021-05-01", maximum="2021-05-31"),
    Slot(name="bags", type="integer", description="number of bags", minimum=0, maximum=9),
    Slot(name="seats", type="integer", description="number of seats", minimum=1, maximum=9),
    Slot(name="colour", type="category", values={"Deep Red": (), "Blue": (), "Pale Green": ()}),
    Slot(
        name="guest",
        type="short text",
        description="name of the guest",
        examples=("Hana Whit", "Silas Oye"),
    ),
)
TASK = TaskSchema(
    id="trip",
    slots={slot.name: slot for slot in SLOTS},
    calls={
        "book": Call(name="book", inputs=tuple(Column(name=s.name, slot=s.name) for s in SLOTS))
    },
)
CHOOSER = MentionChooser(TASK)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("from the old mill to Port Amber, please", {"from": "old mill", "to": "Port Amber"}),
        ("To Elm and Main from the harbour.", {"from": "harbour", "to": "Elm and Main"}),
        ("I want to travel today", {}),
        ("Let's go back to the other thing.", {}),
    ],
)
def test_words_of_direction_lead_to_places(text: str, values: dict[str, str]) -> None:
    assert CHOOSER.choose(text, ()).values == {f"{k}_place": v for k, v in values.items()}


INN = TaskSchema(
    id="inn",
    slots={
        "inn_kind": Slot(name="inn_kind", type="category", values={"inn": (), "guest house": ()}),
        "parking": Slot(name="parking", type="category", values={"free": (), "none": ()}),
    },
    flow=FlowGraph(
        nodes={
            "wish": Node(
                name="wish", kind="user", texts=("I want an inn to stay in.",), then=("ask",)
            ),
            "ask": Node(name="ask", kind="system", texts=("Feel free to name an inn kind.",)),
        }
    ),
)


@pytest.mark.parametrize(
    ("text", "asked", "values"),
    [
        ("Well, I want an inn to sleep in.", "", {}),
        ("I want a guest house to stay in.", "", {"inn_kind": "guest house"}),
        ("The inn kind is guest house.", "inn_kind", {"inn_kind": "guest house"}),
        ("An inn, please.", "inn_kind", {"inn_kind": "inn"}),
    ],
)
def test_wording_of_the_flow_and_names_of_slots_are_no_values(
    text: str, asked: str, values: dict[str, str]
) -> None:
    assert MentionChooser(INN).choose(text, {asked} - {""}).values == values
    assert not list(stated(INN, "Please feel free to name an inn kind."))


@pytest.mark.parametrize("between", [" to ", "-", " until the ", " – "])
def test_a_range_gives_the_first_and_the_last(between: str) -> None:
    choice = CHOOSER.choose(f"I need it 3 May{between}9 May.", ())
    assert choice.values == {"first_day": "2021-05-03", "last_day": "2021-05-09"}
    assert choice.text == f"I need it {{first_day}}{between}{{last_day}}."


def test_a_range_answers_the_question_for_its_first_value() -> None:
    choice = CHOOSER.choose("May 3rd-9th", {"first_day"})
    assert choice.values == {"first_day": "2021-05-03", "last_day": "2021-05-09"}


@pytest.mark.parametrize(("text", "slot"), [("with 2 bags", "bags"), ("2 seats", "seats")])
def test_a_number_belongs_to_the_slot_whose_own_word_is_near(text: str, slot: str) -> None:
    assert CHOOSER.choose(text, ()).values == {slot: 2}
    assert CHOOSER.choose("2", ()).values == {}
    assert CHOOSER.choose("2", {"bags"}).values == {"bags": 2}


def test_the_new_value_counts_beside_the_old_one() -> None:
    values = {"colour": "Blue", "guest": "Hana Whit"}
    for text in (
        "Blue is so loud. Pale green?",
        "Pale green rather than blue.",
        "Not blue, pale green.",
    ):
        assert CHOOSER.choose(text, (), values).values["colour"] == "Pale Green"
    renamed = CHOOSER.choose("Oh, and Silas Oye rather than Hana Whit.", (), values)
    assert renamed.values["guest"] == "Silas Oye"


def test_a_value_that_is_not_wanted_does_not_count() -> None:
    assert CHOOSER.choose("Anything but blue.", ()).values == {}


def test_evidence_is_named_and_adds_up() -> None:
    (candidate, *_) = CHOOSER.weighed("2", {"bags"}, {})
    assert candidate.mention.slot == "bags"
    assert candidate.odds == pytest.approx(sum(candidate.evidence.values()))
    assert candidate.evidence["asked"] > 0
    assert candidate.odds > 0


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("I want to get to Harwick as fast as possible", "Harwick"),
        ("Take me to Old Mill station.", "Old Mill station"),
        ("Take me to Bay of Pigs please", "Bay of Pigs"),
    ],
)
def test_a_name_in_capitals_ends_before_small_words(text: str, place: str) -> None:
    assert CHOOSER.choose(text, {"to_place"}).values == {"to_place": place}


def test_a_verb_after_to_is_no_place_in_an_answer() -> None:
    answer = "2 seats, but I have a train to catch after that"
    assert CHOOSER.choose(answer, {"seats"}).values == {"seats": 2}


def test_the_one_is_no_number() -> None:
    assert CHOOSER.choose("The one with 4 bags is fine.", ()).values == {"bags": 4}
    assert CHOOSER.choose("One, please.", {"seats"}).values == {"seats": 1}


def test_a_value_is_no_part_of_another() -> None:
    """ "May 1" in "May 13th" corrects no first day."""
    values = {"first_day": "2021-05-01"}
    assert CHOOSER.choose("May 13th", {"last_day"}, values).values == {"last_day": "2021-05-13"}


def test_the_name_of_a_slot_before_a_value_speaks_for_it() -> None:
    text = "For the from place I would really take Harwick"
    assert CHOOSER.choose(text, ()).values == {"from_place": "Harwick"}


def test_a_day_of_the_week_is_no_name_unless_a_name_was_asked_for() -> None:
    chooser = chooser_of(pack.load("apartment_schedule"))
    text = "I need an apartment viewing for Tuesday, and the one I saw was at Beacon Terrace."
    assert chooser.choose(text, ()).values == {"day": "Tuesday", "house": "Beacon Terrace"}
    assert chooser.choose("Friday", {"name"}).values == {"name": "Friday"}


def test_small_words_of_other_examples_do_not_speak_against_the_slot_asked_for() -> None:
    chooser = chooser_of(pack.load("train_journey"))
    choice = chooser.choose("On May 16th, please", {"back"}, {"day": "2021-05-11"})
    assert choice.values == {"back": "2021-05-16"}


def test_a_listed_value_after_it_is_is_no_name() -> None:
    chooser = chooser_of(pack.load("restaurant_book"))
    state = {"restaurant": "Copper Pan", "name": "Rafael Stroud"}
    choice = chooser.choose("Oh, it's Nonna Brisa", {"time"}, state)
    assert choice.values == {"restaurant": "Nonna Brisa"}


def test_the_new_value_of_a_correction_belongs_to_no_other_slot() -> None:
    chooser = chooser_of(pack.load("ride_book"))
    state = {"name": "John", "destination": "the ice rink"}
    choice = chooser.choose("Oops, can you change John to Odette Farrow?", {"departure"}, state)
    assert choice.values == {"name": "Odette Farrow"}
    assert "{destination}" not in choice.text


def test_a_value_that_is_repeated_in_another_sentence_is_mentioned_twice() -> None:
    chooser = chooser_of(pack.load("hotel_book"))  # one hotel is called Seven Elms
    choice = chooser.choose("the seventh. As I was saying, the seventh", {"arrival"})
    assert choice.values == {"arrival": "2021-05-07"}


def test_a_name_ends_before_a_common_word_of_the_next_sentence() -> None:
    chooser = chooser_of(pack.load("restaurant_book"))
    assert chooser.choose("My name is Ben. Don't forget it", ()).values == {"name": "Ben"}
    assert chooser.choose("My name is Dr. Hill", ()).values == {"name": "Dr. Hill"}
