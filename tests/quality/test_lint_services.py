"""What the schemas of services allow: each fault planted, and exactly its code found."""

from __future__ import annotations

import msgspec
import pytest

from dialoom import formats
from dialoom.dialogue import (
    Dialogue,
    Origin,
    Scenario,
)
from dialoom.quality.lint import Linter
from dialoom.quality.lint.context import CorpusContext
from dialoom.schema.labels import Label, read
from dialoom.schema.service import ServiceSlot
from dialoom.schema.services import contract, from_service
from tests.found import some
from tests.quality.lint_labels import BAD, LABELS, act, labelled, said, state, values
from tests.quality.lint_sample import annotate, insert
from tests.quality.lint_services import CROSSED, ORDERED, ORDERS, SERVICES, found


@pytest.mark.parametrize(("code", "dialogue"), BAD)
def test_exactly_this_is_found(code: str, dialogue: Dialogue) -> None:
    codes = found(dialogue, "sgd", SERVICES)
    assert [each for each in codes if each != "I603"] == [code]  # some take a span away


def test_a_good_dialogue_has_no_finding() -> None:
    assert not found(CROSSED, "sgd", SERVICES)
    assert not found(CROSSED, "gem", SERVICES)
    assert not found(said(act("fare", ("dontcare",))), "sgd", SERVICES)
    indifferent = annotate(values(deck=("dontcare",)), 0, acts=(act("deck", ("dontcare",)),))
    assert not found(indifferent, "sgd", SERVICES)


def test_lists_that_should_be_parallel_are_counted() -> None:
    lists = {"slot_name": ["deck"], "slot_value_list": []}
    uneven = state(extra={"slot_values": {"value": [lists]}})
    (finding,) = Linter(SERVICES, traits=formats.traits("gem")).check(uneven)
    assert finding.message.startswith(
        "slot_values has lists of unequal length: 1 slot_name, 0 slot_value_list;"
    )


def test_what_a_file_has_besides_is_no_fault() -> None:
    assert not found(annotate(CROSSED, 3, extra={"note": None, "service_call": 1}), "sgd")


def test_a_value_is_said_once_however_long_it_stays_in_the_state() -> None:
    wrong = values(deck=("middle",))
    assert found(insert(wrong, 4, wrong.events[0]), "sgd", SERVICES) == ["E701"]


def test_what_a_format_promises_is_asked_of_no_other() -> None:
    for code in ("E504", "E606", "E608", "E802"):
        for dialogue in some(dialogue for each, dialogue in BAD if each == code):
            assert not found(dialogue, "native", SERVICES)


def test_without_schemas_only_the_annotation_is_checked() -> None:
    codes = {code for _, dialogue in BAD for code in found(dialogue, "sgd")}
    assert codes == {
        "E504", "E505", "E601", "E602", "E604", "E605", "E606", "E607", "E608", "E609", "E802",
        "E811", "W602",
    }  # fmt: skip


def test_a_split_has_the_services_of_its_own_schema() -> None:
    service = contract(SERVICES["Ferries_1"])
    slots = (*service.slots[:1], ServiceSlot(name="deck"), *service.slots[2:])
    other = msgspec.structs.replace(service, slots=slots)
    tasks = {
        "Ferries_1": from_service("Ferries_1", service, origins=(Origin("dev/schema.json"),)),
        "Ferries_1@train": msgspec.structs.replace(
            from_service("Ferries_1@train", other, origins=(Origin("train/schema.json"),)),
            name="Ferries_1",
        ),
    }
    wrong = values(deck=("middle",))
    for file, codes in (("dev/d.json", ["E701"]), ("train/d.json", []), ("x", ["E701"])):
        from_there = msgspec.structs.replace(wrong, origin=Origin(file, 0))
        assert [each for each in found(from_there, "sgd", tasks) if each != "I603"] == codes


@pytest.mark.parametrize(("codes", "dialogue"), LABELS)
def test_labels_are_those_of_the_services(codes: list[str], dialogue: Dialogue) -> None:
    assert found(dialogue, "taskmaster1", ORDERS) == codes


def test_labels_without_the_service_are_its_own_where_the_dialogue_has_one() -> None:
    one = msgspec.structs.replace(labelled("name.guest.accept"), services=("meal_order",))
    assert found(one, "taskmaster1", ORDERS) == ["I701"]


def test_without_an_ontology_nothing_is_required() -> None:
    assert not [code for _, dialogue in LABELS for code in found(dialogue, "taskmaster1")]


def test_a_label_is_taken_apart() -> None:
    services = CorpusContext(ORDERS).services
    assert read("meal_order.time.meal.accept", services) == Label(
        "meal_order", "time.meal", "accept"
    )
    assert read("meal_order.reject", services) == Label("meal_order", "", "reject")
    assert read("time.meal", services) == Label(None, "time.meal", "")


def test_instructions_are_those_of_a_file() -> None:
    dangling = msgspec.structs.replace(ORDERED, scenario=Scenario(instruction_id="meal-3"))
    assert found(dangling, "taskmaster1", ORDERS) == ["E503"]
    alone = Linter(ORDERS, traits=formats.traits("taskmaster1"))
    assert not list(alone.check(dangling))  # no files of instructions, nothing to say
    variant = msgspec.structs.replace(ORDERED, scenario=Scenario(instruction_id="Meal 2"))
    assert not found(variant, "taskmaster1", ORDERS)
