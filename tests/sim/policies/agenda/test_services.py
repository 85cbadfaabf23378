"""What `--tasks` names, the bundled services, and what is made of a schema."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from dialoom.errors import MissingDataError, SchemaError, UnknownNameError, UsageError
from dialoom.formats.sgd.schemas import read_schemas
from dialoom.schema.service_words import domain_of
from dialoom.schema.services import contract
from dialoom.sim.core.plan import Request
from dialoom.sim.policies.agenda.provider import Provider
from dialoom.sim.policies.agenda.services import ALL, bundled, named
from dialoom.sim.presets.sgd import PRESET
from tests.found import some
from tests.make import refuses

FERRY = {
    "service_name": "Ferries_7",
    "description": "Crossings to the islands",
    "slots": [
        {"name": "harbour", "description": "City one leaves", "possible_values": ["Oda", "Vik"]},
        {"name": "deck", "description": "Deck", "is_categorical": True, "possible_values": ["a"]},
        {"name": "crossing_date", "description": "Date of the crossing"},
        {"name": "cabin_name", "description": "Name of the cabin"},
        {"name": "dogs", "is_categorical": True, "possible_values": ["True", "False"]},
    ],
    "intents": [
        {
            "name": "FindCabin",
            "required_slots": ["harbour"],
            "optional_slots": {"dogs": "dontcare"},
            "result_slots": ["harbour", "cabin_name", "dogs", "deck"],
        },
        {
            "name": "TakeCabin",
            "is_transactional": True,
            "required_slots": ["cabin_name", "harbour", "crossing_date"],
            "result_slots": ["harbour", "cabin_name", "crossing_date"],
        },
    ],
}


ORDERLESS = {"Forecast_1", "Sights_1"}
"""Bundled services that only tell."""


def test_most_bundled_domains_have_two_services_with_slots_of_their_own() -> None:
    packs = bundled()
    assert sum(len(pack) == 2 for pack in packs.values()) >= 11
    for pack in some(packs.values()):
        services = {name: contract(task) for name, (task, _) in pack.items()}
        slots = [slot.name for service in services.values() for slot in service.slots]
        assert len(set(slots)) > 0.9 * len(slots)
        for name, service in services.items():
            names = {slot.name for slot in service.slots}
            for intent in service.intents:
                assert names >= {*intent.required, *intent.optional, *intent.results}
            assert any(intent.transactional for intent in service.intents) == (
                name not in ORDERLESS
            )


def test_the_bundled_services_cover_the_domains_of_the_corpus_under_other_names() -> None:
    services = {name: contract(task) for name, (task, _) in named(ALL).items()}
    assert 24 <= len(services) <= 30
    assert len({domain_of(name) for name in services}) >= 19


@pytest.mark.corpus
def test_no_bundled_service_is_one_of_the_corpus(corpora: Path) -> None:
    theirs = [contract(task) for task in read_schemas(corpora / "sgd").values()]
    names = {*read_schemas(corpora / "sgd")}
    lists = {frozenset(slot.possible_values) for each in theirs for slot in each.slots}
    words = {value for each in lists for value in each if not str(value).isdigit()}
    for name, (task, _) in some(named(ALL).items()):
        assert name not in names
        for slot in contract(task).slots:
            own = {*slot.possible_values} - {"True", "False"}
            assert len(own & words) <= max(2, len(own) // 2)


def test_every_bundled_service_goes_with_others_of_other_domains() -> None:
    world = PRESET.plan(Request(number=1, seed=7)).world()
    domains = {domain_of(name) for name in world.providers}
    for name in world.providers:
        assert set(named(name)[name][1].goes_with or ()) <= domains
        companions = world.companions([name])
        assert companions
        assert domain_of(name) not in {domain_of(other) for other in companions}


@pytest.mark.parametrize(
    ("service", "apart"), [("Flats_1", "Airways"), ("Salons_1", "Coaches"), ("Wallet_1", "Diary")]
)
def test_services_that_make_no_sense_together_are_kept_apart(service: str, apart: str) -> None:
    world = PRESET.plan(Request(number=1, seed=7)).world()
    assert apart not in {domain_of(other) for other in world.companions([service])}


def test_a_row_agrees_with_the_facts_of_its_values() -> None:
    world, checked = PRESET.plan(Request(number=1, seed=7)).world(), 0
    for name, provider in world.providers.items():
        for slot, values in named(name)[name][1].facts.items():
            for row in provider.rows if slot in provider.slots else ():
                assert values[row[slot]].items() <= row.items()
                checked += 1
    assert checked > 100


def test_what_a_pack_tells_is_about_its_slots() -> None:
    for pack in some(bundled().values()):
        slots = {slot for task, _ in pack.values() for slot in task.slots}
        for _, metadata in pack.values():
            named_there = {
                *metadata.names,
                *metadata.say,
                *(n for c in metadata.concepts.values() for n in c),
            }
            assert named_there <= slots


def test_what_a_pack_says_fits_both_speakers() -> None:
    """ "You need money from my savings account", "a table for my sister" said by the system."""
    for pack in bundled().values():
        for task, metadata in pack.values():
            for slot, phrase in metadata.say.items():
                assert not re.search(r"\b(?:my|our|I)\b", phrase), (slot, phrase)
            for each in task.slots.values():
                assert not [v for v in each.values if re.match(r"(?:my|our) ", str(v))], each.name


def test_names() -> None:
    assert list(named("Tables_1, coaches")) == ["Tables_1", "Coaches_1", "Coaches_2"]
    assert len(named(ALL)) == sum(map(len, bundled().values()))


@pytest.mark.parametrize(
    ("names", "code"), [("", "no-task"), (" , ", "no-task"), ("dining,Tables_1", "twice")]
)
def test_names_that_cannot_be_used(names: str, code: str) -> None:
    with refuses(UsageError, code, "--tasks"):
        named(names)


def test_an_unknown_name_lists_the_known_ones() -> None:
    with refuses(UnknownNameError, "unknown-name", "Tables_1"):
        named("Tables_9")


def test_a_file_or_its_folder(tmp_path: Path) -> None:
    (tmp_path / "schema.json").write_text(json.dumps([FERRY]))
    assert list(named(str(tmp_path))) == ["Ferries_7"]
    assert named(str(tmp_path / "schema.json")).keys() == named(str(tmp_path)).keys()
    with refuses(MissingDataError, "no-file"):
        named(str(tmp_path / "other.json"))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[{]", ("not-json",)),
        ("3", ("bad-task", "services")),
        ('[{"service_name": ""}]', ("bad-task", "services")),
        ('[{"service_name": "A"}]', ("no-key", "A")),
        ('[{"service_name": "A", "intents": [{"name": 1}]}]', ("bad-task", "services")),
        (json.dumps([FERRY, FERRY]), ("twice", "Ferries_7")),
    ],
)
def test_a_file_that_is_none(tmp_path: Path, text: str, what: tuple[str, ...]) -> None:
    file = tmp_path / "schema.json"
    file.write_text(text)
    with refuses(SchemaError, *what) as error:
        named(str(file))
    assert str(error.value).startswith(str(file))


@pytest.fixture
def ferries(tmp_path: Path) -> Provider:
    file = tmp_path / "schema.json"
    file.write_text(json.dumps([FERRY]))
    task, metadata = named(str(file))["Ferries_7"]
    return Provider(task, 3, metadata)


def test_what_is_open_is_the_users_to_choose(ferries: Provider) -> None:
    assert ferries.open == {"crossing_date"}
    assert [call.name for call in ferries.first] == ["FindCabin"]
    assert [call.name for call in ferries.after(ferries.calls["FindCabin"])] == ["TakeCabin"]
    booking = ferries.calls["TakeCabin"]
    assert (booking.key, booking.scarce) == (("cabin_name", "harbour"), "crossing_date")
    assert ferries.refuses


def test_rows_have_what_the_slots_have(ferries: Provider) -> None:
    assert len(ferries.rows) > 3
    keys = [(row["cabin_name"], row["harbour"]) for row in ferries.rows]
    assert len(set(keys)) == len(keys)
    for row in ferries.rows:
        assert row.keys() == ferries.slots.keys() - ferries.open
        assert all(value in ferries.slots[name].values for name, value in row.items())


def test_some_of_the_scarce_values_are_taken(ferries: Provider) -> None:
    bookings = ferries.booked["TakeCabin"]
    values = set(ferries.slots["crossing_date"].values)
    assert len(bookings) == len(ferries.rows)
    assert all(dates and dates < values for dates in bookings.values())


def test_values_of_free_text_are_said_in_several_ways(ferries: Provider) -> None:
    ways = {form.text for form in ferries.slots["crossing_date"].ways("2019-03-08")}
    assert {"8 March", "March 8th"} <= ways
    assert [form.text for form in ferries.slots["dogs"].ways("True")] == ["True"]
    assert ferries.slots["dogs"].flag
    assert not ferries.slots["deck"].flag
