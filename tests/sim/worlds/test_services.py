"""Services drawn at random: each is one that can be simulated, and no two are worded alike."""

from __future__ import annotations

from itertools import pairwise

import pytest

from dialoom.dialogue import Utterance
from dialoom.errors import UsageError
from dialoom.schema.services import contract
from dialoom.sim.core.plan import Request
from dialoom.sim.policies.agenda.services import named
from dialoom.sim.presets.sgd import PRESET
from dialoom.sim.worlds.drawing import MOST
from dialoom.sim.worlds.services import drawn_services

HUNDRED = [pack["services"][0] for pack in drawn_services(100, seed=3)]


def test_names_of_a_service_are_its_own() -> None:
    for service in HUNDRED:
        names = [slot["name"] for slot in service["slots"]]
        assert len(names) == len(set(names))
        for intent in service["intents"]:
            used = {*intent["required_slots"], *intent["optional_slots"], *intent["result_slots"]}
            assert used <= set(names)
            assert not set(intent["required_slots"]) & intent["optional_slots"].keys()
        assert len({intent["name"] for intent in service["intents"]}) == len(service["intents"])


def test_services_of_a_domain_are_worded_differently() -> None:
    gyms = [service for service in HUNDRED if service["service_name"].startswith("Gym_")]
    assert len(gyms) > 2
    described = [{slot["description"] for slot in service["slots"]} for service in gyms]
    assert all(one != other for one, other in pairwise(described))
    flags = {slot["is_categorical"] for service in HUNDRED for slot in service["slots"]}
    assert flags == {True, False}


def test_the_seed_decides_and_the_number_does_not() -> None:
    assert [pack["services"][0] for pack in drawn_services(3, seed=3)] == HUNDRED[:3]
    assert next(drawn_services(1, seed=4))["services"][0] != HUNDRED[0]


def test_dialogues_are_simulated_for_each() -> None:
    plan = PRESET.plan(Request(number=120, seed=7, tasks="drawn:60,cabs"))
    assert len(plan.tasks) == 62
    dialogues = list(map(plan.source(), range(120)))
    used = {service for dialogue in dialogues for service in dialogue.services}
    assert used == {task.id for task in plan.tasks}
    texts = [e.text for d in dialogues for e in d.events if isinstance(e, Utterance)]
    assert not any("{" in text or "None" in text for text in texts)


def test_values_are_those_of_the_slots_kind() -> None:
    for task, metadata in named("drawn:60", seed=7).values():
        for slot in contract(task).slots:
            assert slot.possible_values or slot.name in metadata.kinds
            assert slot.description
            assert slot.name in metadata.names


@pytest.mark.parametrize("number", [0, MOST + 1])
def test_numbers_out_of_range_are_refused(number: int) -> None:
    with pytest.raises(UsageError):
        next(drawn_services(number))


@pytest.mark.parametrize("names", ["drawn:", "drawn:many", "drawn:0", "drawn:2,drawn:2x"])
def test_numbers_that_there_are_not(names: str) -> None:
    with pytest.raises(UsageError):
        named(names)
