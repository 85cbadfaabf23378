"""The system's and the user's turns, read in words that no task file has."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from dialoom.reading.turn import turn_reader
from dialoom.schema import pack
from tests.play.bots.bots import STYLES, words
from tests.reading.renaming import renamed

REPLIES = Path(__file__).parents[2] / "training/replies-en.json"


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("Sure! Who is the host?", "ask_name"),
        ("May I have your name, please?", "ask_name"),
        ("**Great!** 🎉 Which hotel would you like to stay at?", "hotel_ask_hotel"),
        ("And your check-out date?", "hotel_ask_date_to"),
        ("I'm afraid they have no rooms then. Try another hotel?", "hotel_unavailable"),
        ("Your room is booked.", "hotel_reservation_succeeded"),
        ("Anything else?", "anything_else"),
        ("Whose name should the room be under?", "ask_name"),
    ],
)
def test_a_reply_in_free_words_is_a_reply_of_the_task(text: str, action: str) -> None:
    assert turn_reader(pack.load("hotel_book"), "system").read(text).action == action


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("When will you get there, and under what name shall I book?", {"arrival", "name"}),
        ("Which hotel? And when do you leave?", {"hotel", "departure"}),
        ("Your name, the hotel and the date of arrival, please?", {"name", "hotel", "arrival"}),
        ("Have a nice day!", set()),
    ],
)  # fmt: skip
def test_a_turn_asks_for_several_slots(text: str, slots: set[str]) -> None:
    assert {*turn_reader(pack.load("hotel_book"), "system").read(text).asks} == slots


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("How many bicycles come along, if any?", {"bicycles"}),
        ("Are you alone, or how many travel?", {"travellers"}),
        ("How many people, and how many bicycles?", {"travellers", "bicycles"}),
    ],
)
def test_a_part_without_a_word_of_its_own_asks_for_nothing_more(text: str, slots: set[str]) -> None:
    assert {*turn_reader(pack.load("train_journey"), "system").read(text).asks} == slots


@pytest.mark.parametrize(
    ("text", "functions"),
    [
        ("hello and good evening which hotel should it be", ["greeting", "request"]),
        ("hello and good evening from all of us here", ["greeting"]),
    ],
)
def test_a_greeting_hides_no_question_behind_it(text: str, functions: list[str]) -> None:
    turn = turn_reader(pack.load("hotel_book"), "system").read(text)
    assert [act.function for act in turn.acts] == functions


def test_nonsense_is_not_understood() -> None:
    reader = turn_reader(pack.load("restaurant_book"), "system")
    turn = reader.read("Colourless green ideas sleep furiously.")
    assert turn.action is None
    assert not turn.understood


def test_a_filler_needs_no_reply_of_its_own() -> None:
    turn = turn_reader(pack.load("restaurant_book"), "system").read("One moment please.")
    assert turn.understood
    assert turn.action is None


def test_nothing_at_all_is_read_of_no_words() -> None:
    for text in ("", " ", "🙂", "**", "?!"):
        assert turn_reader(pack.load("weather"), "system").read(text).asks == ()


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("Yeah sure, book that room", "accept"),
        ("Actually no, make it Seven Elms instead", "correct_hotel"),
        ("Nothing else, thanks", "finish"),
        ("could you tell me what you noted so far?", "ask_summary"),
    ],
)
def test_a_user_s_turn_in_free_words(text: str, action: str) -> None:
    assert turn_reader(pack.load("hotel_book"), "user").read(text).action == action


@pytest.mark.parametrize("task", ["hotel_book", "restaurant_book", "weather"])
@pytest.mark.parametrize(
    ("node", "slot"),
    [("n{}", "s{}"), ("{}", "x{}"), ("SayHello{}", "CityName{}"), ("été_{}", "ville_{}")],
)
def test_names_of_nodes_and_slots_do_not_matter(task: str, node: str, slot: str) -> None:
    own = pack.load(task)
    other, old = renamed(own, node, slot)
    reader, again = turn_reader(own, "system"), turn_reader(other, "system")
    for texts in words()[task].values():
        for text in texts:
            read = again.read(text).action
            assert reader.read(text).action == (None if read is None else old.get(read, read))


def test_all_bots_are_understood() -> None:
    """Each reply of the free-worded bots, alone and out of its dialogue: 86.4 % measured."""
    right = []
    for task, nodes in words().items():
        reader = turn_reader(pack.load(task), "system")
        for node, texts in nodes.items():
            right += [reader.read(texts[place]).action == node for place in STYLES.values()]
    assert sum(right) / len(right) >= 0.8


def test_the_weights_know_what_they_were_made_from() -> None:
    """Replies that the weights were made from: `make reading` is due when this falls."""
    replies = msgspec.json.decode(REPLIES.read_bytes(), type=dict[str, dict[str, list[str]]])
    right = [
        turn_reader(pack.load(task), "system").read(text).action == node
        for task, nodes in replies.items()
        for node, texts in nodes.items()
        for text in texts
    ]
    assert sum(right) / len(right) >= 0.9


def test_the_weights_are_small() -> None:
    file = REPLIES.parents[1] / "src/dialoom/lang/en-reading.json"
    assert file.stat().st_size < 2_000_000


def test_marks_alone_say_that_something_was_not_understood() -> None:
    for name in ("restaurant_book", "weather"):
        turn = turn_reader(pack.load(name), "system").read("??")
        assert turn.function == "not_understood"
        assert turn.understood
