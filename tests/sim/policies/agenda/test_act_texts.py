"""What simulated users and systems say about services: well-formed, and by what slots mean."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from dialoom.dialogue import SYSTEM, USER, Dialogue, Utterance
from dialoom.schema.act_wording import wording
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.sim.core.grammar import speech
from dialoom.sim.core.plan import Request
from dialoom.sim.policies.agenda.provider import Provider
from dialoom.sim.policies.agenda.services import ALL, bundled, named
from dialoom.sim.policies.agenda.slots import NO_METADATA, read_slots
from dialoom.sim.policies.agenda.words import intent_words, slot_words
from dialoom.sim.presets.sgd import PRESET

NUMBER = 120
"""Dialogues: some for each bundled service."""

WORDS = ("en-acts-user", "en-acts-system")


@cache
def texts(tasks: str) -> tuple[str, ...]:
    return tuple(text for dialogue in dialogues(tasks) for text in _said(dialogue))


@cache
def dialogues(tasks: str) -> tuple[Dialogue, ...]:
    make = PRESET.plan(Request(number=NUMBER, seed=11, tasks=tasks)).source()
    return tuple(make(index) for index in range(NUMBER))


def _said(dialogue: Dialogue, agents: Sequence[str] = (USER, SYSTEM)) -> Iterator[str]:
    for event in dialogue.events:
        if isinstance(event, Utterance) and event.agent in agents:
            yield event.text


def _check(tasks: str) -> None:
    wrong = re.compile(
        r"  |[{}<>~]| [.,?!]|[.,?!][.,]|\b[Aa] (?:[aei]|o(?!n))|\bthe [Tt]he\b"
        r"|(?:for|need|want|found|are) 1 \w+s\b(?!')"
    )
    users, systems = (
        [text for dialogue in dialogues(tasks) for text in _said(dialogue, (agent,))]
        for agent in (USER, SYSTEM)
    )
    assert [text for text in systems if not text or text[-1] not in ".?!"] == []
    unmarked = [text for text in users if text[-1] not in ".?!"]
    assert 0.04 < len(unmarked) / len(users) < 0.12  # as people: 8 %
    assert [text for text in unmarked if not text[-1].isalnum()] == []
    lines = [*systems, *users]
    assert [text for text in lines if wrong.search(text)] == []


def test_texts_are_well_formed() -> None:
    _check(ALL)


@pytest.mark.corpus
def test_texts_are_well_formed_for_published_services() -> None:
    _check(str(Path(os.environ["DIALOOM_CORPORA"]) / "sgd/train/schema.json"))


def test_days_of_the_month_have_an_article() -> None:
    assert [
        text for text in texts(ALL) if re.search(r"\b(?:on|for) \d+(?:st|nd|rd|th)[.?,!]", text)
    ] == []


def test_slot_names_are_no_prose() -> None:
    for side in ("user", "system"):
        for symbol, ways in speech("en", f"acts-{side}").symbols.items():
            for way in ways:
                assert "wish for" not in way, symbol
                assert "order" not in way, symbol
                assert "{noun}: {value}" not in way, symbol
    openings = ("please look at this:", "it is like this:", "what i have in mind:", "at a place")
    assert [text for text in texts(ALL) if text.lower().startswith(openings)] == []


def test_success_is_said_of_what_was_booked() -> None:
    for pack in bundled().values():
        for name, (task, metadata) in pack.items():
            for intent in Provider(task, 7, metadata).intents:
                words = intent_words(intent, wording("en"))
                if intent.transactional:
                    assert words["done"] in wording("en").participles.values(), name
                    assert ("order" in words["done"]) == (words["verb"] == "order"), name


@pytest.mark.parametrize(
    ("name", "description", "role"),
    [
        ("origin_city", "City from which the bus leaves", "from"),
        ("to_location", "City where bus is going to", "to"),
        ("check_out_date", "End date for the reservation", "date.end"),
        ("leaving_date", "Date of bus leaving for journey", "date.leave"),
        ("pickup_time", "Time of rental car pickup", "time.pickup"),
        ("hotel_name", "Name of the hotel", "place"),
        ("directed_by", "Name of the director of the movie", "director"),
        ("city_of_event", "City where event is happening", "city"),
        ("street_address", "Address of the hotel", "address"),
    ],
)
def test_names_and_descriptions_show_what_slots_mean(
    name: str, description: str, role: str
) -> None:
    slot = ServiceSlot(name=name, description=description)
    (read,) = read_slots(Service(slots=(slot,)), "en", NO_METADATA).values()
    assert slot_words(read, description, "", wording("en")).role == role


@pytest.mark.parametrize(
    ("name", "description", "role", "x"),
    [
        ("has_wifi", "", "flag.has", "wifi"),
        ("serves_alcohol", "", "flag.serves", "alcohol"),
        ("pets_allowed", "", "flag.allowed", "pets"),
        ("furnished", "", "flag.is", "furnished"),
        ("garden", "Whether one can eat in a garden", "flag.has", "a~ garden"),
    ],
)
def test_names_show_what_flags_mean(name: str, description: str, role: str, x: str) -> None:
    slot = ServiceSlot(name=name, categorical=True, possible_values=("True", "False"))
    (read,) = read_slots(Service(slots=(slot,)), "en", NO_METADATA).values()
    words = slot_words(read, description, "", wording("en"))
    assert (words.role, words.values["x"]) == (role, x)


@pytest.mark.parametrize(
    ("name", "description", "do", "things"),
    [
        ("FindPlace", "Find a place to eat", "find a~ place to eat", "places to eat"),
        ("BuyBusTicket", "Buy tickets for a bus journey", "buy tickets", "tickets"),
        ("CheckBalance", "Check the amount of money", "check the balance", "balance"),
        ("SearchHouse", "", "search a~ house", "houses"),
    ],
)
def test_intents_are_verbs_with_objects(name: str, description: str, do: str, things: str) -> None:
    intent = ServiceIntent(name=name, description=description, transactional=True)
    words = intent_words(intent, wording("en"))
    assert (words["do"], words["things"]) == (do, things)


def test_all_services_are_named_once() -> None:
    assert len(named(ALL)) == sum(map(len, bundled().values()))


def test_what_is_followed_by_a_noun() -> None:
    """ "What is how much they charge?", "what is when it will be here?" """
    clause = "|".join(speech("en", "acts-user").symbols["clause"])
    for text in texts(ALL):
        assert not re.search(rf"(?i)\bwhat(?: is|'s) (?:{clause})\b", text), text


def test_one_thing_is_not_several() -> None:
    """ "There are 1 change", "with no a shared ride" """
    for text in texts(ALL):
        assert not re.search(r"(?i)\bthere are 1\b|\bno an? \w", text), text


def test_two_durations_are_said_apart() -> None:
    """ "It takes about 5 minutes and it takes about 19 minutes" """
    for text in texts(ALL):
        assert len(re.findall(r"(?i)\bit (?:takes|will take)\b", text)) < 2, text


def test_a_return_comes_after_its_departure() -> None:
    """ "leaving on March 28th … back on March 23rd" """
    for dialogue in dialogues("airways"):
        for event in dialogue.events:
            if isinstance(event, Utterance) and event.agent == SYSTEM:
                days = re.findall(r"(leaving|back) on March (\d+)", event.text)
                dates = {word: int(day) for word, day in days}
                if len(dates) == 2:
                    assert dates["leaving"] < dates["back"], event.text


def test_a_correction_says_what_yes_and_no_are_for() -> None:
    """ "Please change it to no and 4 Chapel Row" """
    for text in texts(ALL):
        assert not re.search(r"(?i)\b(?:to|make it|I want) (?:yes|no)\b(?= and|[.?]|$)", text), text
