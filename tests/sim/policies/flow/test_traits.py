"""Traits of users: what they do and say, how they are joined, and what is wrong with a file."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from dialoom.dialogue import USER, Dialogue, Utterance, encode
from dialoom.dialogue.views import parts
from dialoom.errors import DialoomError, FormatError, UnknownNameError, UsageError
from dialoom.play.running.plan import plan_of
from dialoom.schema import pack
from dialoom.sim.noise.kind import apply
from dialoom.sim.policies.flow.persons import Trait, read_traits
from dialoom.sim.policies.flow.turns import worded
from tests.make import refuses

NAMES = ("impatient", "confused", "skeptical", "terse", "talkative", "wavering", "non-native")
TASKS = ("hotel_book", "weather", "ride_change")


@cache
def played(traits: str, agent: str = "oracle", user: str = "simulated") -> list[Dialogue]:
    plan = plan_of(tuple(map(pack.load, TASKS)), agent, user, 5, 1, 7, traits=traits)
    source = plan.source()
    return [source(index) for index in range(plan.dialogues)]


def said(dialogues: list[Dialogue]) -> list[Utterance]:
    events = (event for dialogue in dialogues for event in dialogue.events)
    return [e for e in events if isinstance(e, Utterance) and e.agent == USER]


def words(dialogues: list[Dialogue]) -> float:
    turns = said(dialogues)
    return sum(len(each.text.split()) for each in turns) / len(turns)


@pytest.mark.parametrize("name", NAMES)
def test_users_with_a_trait_come_to_the_same_goals(name: str) -> None:
    plain, traited = played(""), played(name)
    assert [each.outcome for each in traited] == ["reached"] * len(plain)
    assert [each.text for each in said(traited)] != [each.text for each in said(plain)]
    for one, other in zip(plain, traited, strict=True):
        assert one.scenario and other.scenario
        assert one.scenario.goal["effects"] == other.scenario.goal["effects"]
        assert not other.extra["play"].get("faults")


@pytest.mark.parametrize("name", NAMES)
def test_values_stand_where_their_spans_say(name: str) -> None:
    for turn in said(played(name)):
        for span in (span for part in parts(turn) for span in part.spans or ()):
            covered = turn.text[span.start : span.end]
            assert covered == covered.strip()
            assert covered


def test_traits_show_in_what_is_said() -> None:
    plain = played("")
    assert words(played("terse")) < words(plain) < words(played("talkative"))
    turns = [len(said(dialogues)) for dialogues in (plain, played("confused"), played("impatient"))]
    assert turns[1] > turns[0] > turns[2]
    changes = [
        sum(len(each.scenario.goal.get("changes", ())) for each in dialogues if each.scenario)
        for dialogues in (plain, played("wavering"))
    ]
    assert changes[1] > changes[0]


def test_traits_go_together_with_other_kinds_of_users() -> None:
    both = played("confused,terse", user="simulated:unhappy")
    assert {each.scenario.happy for each in both if each.scenario} == {False}
    several = played("skeptical", user="simulated:multi")
    assert any(len(each.scenario.capabilities) > 1 for each in several if each.scenario)


def test_users_without_traits_are_as_they_were() -> None:
    plan = plan_of(tuple(map(pack.load, TASKS)), "oracle", "simulated", 5, 1, 7)
    assert "traits" not in plan.settings
    assert list(map(encode, played(""))) == [encode(plan.source()(n)) for n in range(15)]


def test_two_traits_are_one() -> None:
    traits = read_traits("impatient,confused", "en")
    one, other = read_traits("impatient", "en"), read_traits("confused", "en")
    assert traits and one and other
    assert traits.prompt == f"{one.prompt} {other.prompt}"
    assert traits.habits.keys() == {*one.habits, *other.habits}
    assert (traits.patience, traits.slips) == (one.patience, other.slips)
    assert read_traits("", "en") is None


def test_both_languages_have_the_same_traits() -> None:
    for name in NAMES:
        english, german = read_traits(name, "en"), read_traits(name, "de")
        assert english and german
        assert english.habits.keys() == german.habits.keys()
        assert english.manner == german.manner


def test_a_trait_of_ones_own_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "shouting.json"
    file.write_text(json.dumps({"prompt": "You shout.", "noise": {"casing-upper": 1.0}}))
    turns = said(played(str(file)))
    assert sum(each.text.isupper() for each in turns) > len(turns) / 2
    plan = plan_of((pack.load("weather"),), "oracle", "simulated", 1, 1, 7, traits=str(file))
    before = plan.settings["trait"]
    file.write_text(json.dumps({"prompt": "You shout.", "noise": {"casing-lower": 1.0}}))
    read_traits.cache_clear()
    assert plan.settings["trait"] != before


@pytest.mark.parametrize(
    "text", ["{", "[]", "{}", '{"prompt": 1}', '{"prompt": "", "habits": {"sing": {"rate": 1}}}',
             '{"prompt": "", "noise": {"rain": 1}}'],
)  # fmt: skip
def test_a_file_that_is_no_trait_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "t.json"
    file.write_text(text)
    with pytest.raises(DialoomError):
        read_traits(str(file), "en")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("patience", -1),
        ("slips", 7),
        ("share", -5),
        ("volunteers", 44),
        ("digress", -1),
        ("habits", {"chat": {"rate": 50}}),
        ("noise", {"typos": 9}),
        ("speech", {"open": []}),
        ("speech", {"open": {"hello": -1}}),
    ],
)
def test_a_rate_that_cannot_be_is_refused(tmp_path: Path, key: str, value: object) -> None:
    file = tmp_path / "t.json"
    file.write_text(json.dumps({"prompt": "x", key: value}))
    with refuses(FormatError, "wrong-type", str(file), key):
        read_traits(str(file), "en")


@pytest.mark.parametrize(
    "speech",
    [{"nosuch": ["a"]}, {"open-nosuch": ["a"]}, {"open": ["<nosuch>"]}, {"open": ["a {nosuch}"]}],
)
def test_speech_that_is_never_said_is_refused(tmp_path: Path, speech: object) -> None:
    file = tmp_path / "t.json"
    file.write_text(json.dumps({"prompt": "x", "speech": speech}))
    with refuses(FormatError, "unknown-name", str(file), "nosuch"):
        read_traits(str(file), "en")


def test_symbols_of_slots_domains_and_ones_own_are_speech(tmp_path: Path) -> None:
    file = tmp_path / "t.json"
    symbols = {"give-date-arrival": ["{value}"], "open@hotel": ["<mine>"], "mine": ["a room"]}
    file.write_text(json.dumps({"prompt": "x", "speech": symbols}))
    traits = read_traits(str(file), "en")
    assert traits and traits.speech == symbols


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    with refuses(UnknownNameError, "unknown-name", "patient"):
        read_traits("patient", "en")
    with refuses(UsageError, "conflict", "brief", "talkative"):
        read_traits("terse,talkative", "en")
    with pytest.raises(DialoomError):
        read_traits(str(tmp_path / "none.json"), "en")


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("The hotel, please.", "hotel."),
        ("Please book the room.", "book room."),
        ("I'd like a room.", "I like room."),
        ("Please.", "Please."),
        ("Yes, please!", "Yes!"),
        ("Theatre", "Theatre"),
    ],
)
def test_words_are_left_out_and_put_in_place_of_others(text: str, after: str) -> None:
    trait = Trait("", drops=("the", "a", "please"), swaps={"I'd like": "I like"})
    assert apply(text, list(worded(text, trait))) == after
