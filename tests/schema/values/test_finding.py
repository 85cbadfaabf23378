"""Values found in what people say, and parsed from their answers."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.formats.star.importing import slot
from dialoom.schema.slot import Slot
from dialoom.schema.source import StarParameter
from dialoom.schema.values import best, find, kind, parse, plain, read, render, same
from tests.found import some

HOURS = [f"{hour} {half}" for half in ("am", "pm") for hour in (12, *range(1, 12))]
TIME = slot(StarParameter(name="Start", type="Categorical", categories=HOURS))
DATE = slot(
    StarParameter(
        name="Date",
        type="Categorical",
        categories=["1st", "2nd", "3rd", *(f"{n}th" for n in range(4, 21))],
    )
)
DAY = Slot(name="Day", type="category", values={"Monday": (), "Tuesday": (), "Wednesday": ()})
PLACE = Slot(
    name="Garden",
    type="category",
    values={"Rose Garden": (), "Herb Garden": (), "Moss Garden": ()},
)
MODE = Slot(name="Mode", type="category", values={"Riding": (), "Walking": ()})
SIZE = slot(StarParameter(name="Size", type="Integer", minimum=1, maximum=40))
PAID = slot(StarParameter(name="Paid", type="Categorical", categories=["Yes", "No"]))
NAME = slot(StarParameter(name="GuestName", type="ShortString"))
CLOCK = Slot(name="clock", type="time", minimum="00:00", maximum="23:30", step=30)
DINNER = Slot(name="dinner", type="time", minimum="17:00", maximum="22:00", step=30)
STAY = Slot(name="stay", type="date", minimum="2021-05-03", maximum="2021-05-14")


def values(text: str, slot: Slot) -> list[object]:
    return [mention.value for mention in best(find(text, (slot,))) if mention.confidence > 0.4]


@pytest.mark.parametrize(
    ("slot", "expected"),
    [
        (TIME, "time"),
        (DATE, "date"),
        (DAY, "choice"),
        (SIZE, "number"),
        (PAID, "boolean"),
        (slot(StarParameter(name="Lit", type="Boolean")), "boolean"),
        (NAME, "name"),
        (slot(StarParameter(name="Wish", type="LongString")), "text"),
        (slot(StarParameter(name="Stars", type="Categorical", categories=[1, 2])), "number"),
        (CLOCK, "time"),
        (STAY, "date"),
    ],
)
def test_kind_is_read_off_the_values(slot: Slot, expected: str) -> None:
    assert kind(slot) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at 7pm", ["7 pm"]),
        ("between 3-5 pm please", ["3 pm", "5 pm"]),
        ("from 9 to 11am", ["9 am", "11 am"]),
        ("8:30 PM, or noon", ["8 pm", "12 pm"]),
        ("6 o'clock in the evening", ["6 pm"]),
        ("for 7 people", []),
    ],
)
def test_listed_hours(text: str, expected: list[str]) -> None:
    assert values(text, TIME) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at 12 pm", "12:00"),
        ("at 10 am", "10:00"),
        ("at 9 am", "09:00"),
        ("12 am", "00:00"),
        ("noon", "12:00"),
        ("half past 12", "12:30"),
        ("half past seven pm", "19:30"),
        ("half past seven", "07:30"),
        ("half past three in the afternoon", "15:30"),
        ("5.30 p.m.", "17:30"),
        ("three o’clock", "15:00"),
        ("17:30", "17:30"),
        ("7", "07:00"),
    ],
)
def test_times(text: str, expected: str) -> None:
    assert parse(CLOCK, text) == expected


def test_a_time_without_a_half_of_the_day_is_the_one_that_the_slot_has() -> None:
    assert parse(DINNER, "half past seven, please") == "19:30"
    assert parse(DINNER, "Seven would be fine.") == "19:00"
    assert parse(DINNER, "at 10 am") is None
    assert parse(CLOCK, "um halb acht", "de") == "07:30"
    assert parse(DINNER, "um 19 Uhr 30", "de") == "19:30"


def test_dates() -> None:
    assert values("may 3rd until the fifth", DATE) == ["3rd", "5th"]
    assert values("june 12", DATE) == ["12th"]
    assert values("room 12", DATE) == []
    assert values("from the third of May to May 7", STAY) == ["2021-05-03", "2021-05-07"]
    assert values("5/4/2021, 2021-05-06 or June 3", STAY) == ["2021-05-04", "2021-05-06"]
    assert parse(STAY, "the fourth, please") == "2021-05-04"
    assert parse(STAY, "am vierten Mai", "de") == "2021-05-04"


def test_a_date_of_a_slot_without_a_range() -> None:
    when = Slot(name="when", type="date")
    assert parse(when, "March 8th") == "--03-08"
    assert parse(when, "March 8, 2019") == "2019-03-08"
    assert parse(when, "February 30") is None
    assert render(when, "--03-08")[0] == "March 8th"


def test_choices_by_their_telling_words() -> None:
    assert values("the herb one, not the moss garden", PLACE) == ["Herb Garden", "Moss Garden"]
    assert values("any garden", PLACE) == []
    assert values("wed or tusday", DAY) == ["Wednesday", "Tuesday"]
    assert values("I would walk", MODE) == ["Walking"]


def test_numbers_within_bounds() -> None:
    assert values("seven, 12 or 500, at 3:15", SIZE) == [7, 12]
    assert values("a dozen of us, or twenty-five", SIZE) == [12, 25]
    assert values("fünfundzwanzig", SIZE) == []
    assert parse(SIZE, "fünfundzwanzig", "de") == 25


def test_amounts_with_and_without_their_unit() -> None:
    price = Slot(name="price", type="amount", minimum=1, maximum=2000, unit="dollars")
    for text in ("$3", "3 dollars", "three dollars", "3", "three bucks", "$ 3.00"):
        assert parse(price, f"{text}, please") == 3
    assert parse(price, "one dollar") == 1
    assert parse(price, "at most 1,250") == 1250


def test_truth() -> None:
    assert values("yes", PAID) == ["Yes"]
    assert parse(Slot(name="lit", type="boolean"), "Nope, thanks.") is False


@pytest.mark.parametrize(
    "answer",
    [
        "Ann Lee",
        " Ann Lee. ",
        "My name is Ann Lee.",
        "It's Ann Lee, please.",
        "Please put it under the name Ann Lee",
        "Hello, this is Ann Lee speaking.",
    ],
)
def test_a_name_is_what_its_phrase_introduces(answer: str) -> None:
    assert parse(NAME, answer) == "Ann Lee"


def test_names_that_are_introduced_quoted_or_capital() -> None:
    (mention,) = find("hi, my name is ann lee", (NAME,))
    assert (mention.value, mention.start, mention.end) == ("ann lee", 15, 22)
    assert [m.value for m in find('Play "run the orchard" again', (NAME,))] == ["run the orchard"]
    (capital,) = find("Is the Moonlight Barn free?", (NAME,))
    assert capital.value == "Moonlight Barn"
    assert capital.confidence < mention.confidence
    assert find("Is it free?", (NAME,)) == ()
    assert parse(NAME, "  ") is None
    wish = Slot(name="wish", type="long text", examples=("fresh sheets",))
    assert parse(wish, "I need fresh sheets now") == "fresh sheets"
    assert parse(wish, "My cat is ill") == "My cat is ill"


def test_what_is_listed_with_its_signs_is_found_with_them() -> None:
    slot = Slot(name="s", type="category", values={"Dr. Quill": (), "Who?": (), "$$": ()})
    text = "See DR QUILL about “Who?” for $$."
    pairs = [(m.value, text[m.start : m.end]) for m in find(text, (slot,))]
    assert pairs == [("Dr. Quill", "DR QUILL"), ("Who?", "Who?"), ("$$", "$$")]


def test_slots_that_could_own_a_text_share_it() -> None:
    start, end = (Slot(name=name, type="time") for name in ("start", "end"))
    first, second = find("at 7 pm", (start, end))
    assert {first.slot, second.slot} == {"start", "end"}
    assert first.confidence == second.confidence == 0.5


def test_what_stands_inside_a_longer_mention_counts_less() -> None:
    place = Slot(name="place", type="category", values={"Red Wagon": ()})
    colour = Slot(name="colour", type="category", values={"red": (), "blue": ()})
    sure, inside = sorted(find("the Red Wagon", (place, colour)), key=lambda m: -m.confidence)
    assert (sure.slot, inside.slot) == ("place", "colour")
    assert [mention.slot for mention in best((inside, sure))] == ["place"]


@pytest.mark.parametrize(
    "text", ["at 12 pm please", "half past 12", "quarter to eight pm", "seven fifteen"]
)
def test_a_time_that_no_slot_has_is_no_number_and_no_like_word(text: str) -> None:
    evening = Slot(name="time", type="time", minimum="17:00", maximum="22:00", step=30)
    guests = Slot(name="guests", type="integer", minimum=1, maximum=14)
    inn = Slot(name="inn", type="category", values={"Halfway Inn": (), "Red Wagon": ()})
    assert find(text, (evening, guests, inn)) == ()


def test_hours_and_minutes_in_words_are_a_time() -> None:
    mention = max(
        find("around seven thirty in the evening", (CLOCK,)), key=lambda each: each.confidence
    )
    assert (mention.value, mention.start, mention.end) == ("19:30", 7, 19)


def test_a_slot_of_several_values_takes_all_that_are_named() -> None:
    slot = Slot(name="p", type="categories", values={"park": (), "pool": ("swimming",), "pub": ()})
    assert parse(slot, "A park, and swimming") == ["park", "pool"]
    assert parse(slot, "nothing") is None


def test_reading_takes_the_whole_text() -> None:
    assert read(CLOCK, " 5:30 PM ") == "17:30"
    assert read(CLOCK, "at 5:30 pm") is None
    assert read(MODE, "by boat") is None
    assert read(NAME, " as it is ") == "as it is"


def test_values_without_a_slot() -> None:
    assert plain(True) == "yes"
    assert plain(["a", 2]) == "a, 2"


@pytest.mark.parametrize("slot", [TIME, DATE, DAY, PLACE, MODE])
def test_a_rendered_value_is_parsed_again(slot: Slot) -> None:
    for value in some(slot.values):
        for text in render(slot, value):
            assert parse(slot, f"Let us say {text}.") == value


@given(st.dates(date(1999, 1, 1), date(2031, 12, 31)))
def test_every_rendering_of_a_date_is_found_where_the_range_spans_years(day: date) -> None:
    slot = Slot(name="day", type="date", minimum="1999-01-01", maximum="2031-12-31")
    for text in render(slot, day.isoformat()):
        assert day.isoformat() in {m.value for m in find(f"Let us say {text}.", (slot,))}


@pytest.mark.parametrize("said", ["3 May 2022", "May 3rd, 2022", "the third of May in 2022"])
def test_a_date_with_its_year_is_read(said: str) -> None:
    slot = Slot(name="day", type="date", minimum="2021-05-03", maximum="2023-05-14")
    assert read(slot, said) == "2022-05-03"


@given(st.text(max_size=12), st.text(max_size=12))
def test_likeness_has_no_order(one: str, other: str) -> None:
    assert same(one, other) == same(other, one)
    assert same(one, one)
