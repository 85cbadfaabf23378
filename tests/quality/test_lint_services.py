"""What the schemas of services allow: each fault planted, and exactly its code found."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from dialoom import formats
from dialoom.dialogue import (
    Act,
    Argument,
    Constraint,
    Dialogue,
    Origin,
    Result,
    Scenario,
    Span,
    State,
)
from dialoom.quality.lint import Linter
from dialoom.quality.lint.corpus_context import CorpusContext
from dialoom.schema.labels import Label, read
from dialoom.schema.service import ServiceSlot
from dialoom.schema.services import contract, from_service
from tests.found import some
from tests.quality.lint_sample import annotate, change, constrain, insert
from tests.quality.lint_services import CROSSED, ORDERED, ORDERS, SERVICES, found, gold


def acts(*more: Act) -> tuple[Act, ...]:
    event: Any = CROSSED.events[3]
    return (*event.layers[0].parts[0].acts, *more)


def act(slot: str, values: tuple[Any, ...] = (), canonical: tuple[Any, ...] | None = None) -> Act:
    return Act("INFORM", (Argument(slot, values, canonical),))


def said(*more: Act) -> Dialogue:
    """Return the dialogue with more acts of the system."""
    return annotate(CROSSED, 3, acts=acts(*more))


def state(**fields: Any) -> Dialogue:
    """Return the dialogue with another state of the user's."""
    held: Any = CROSSED.events[0]
    return annotate(
        CROSSED, 0, state=msgspec.structs.replace(held.layers[0].parts[0].state, **fields)
    )


def values(**more: Any) -> Dialogue:
    return state(values={"harbour": ("Port Sel",), "deck": ("upper",), **more})


def served(name: str) -> Dialogue:
    event: Any = CROSSED.events[3]
    part = msgspec.structs.replace(event.layers[0].parts[0], service=name)
    return change(CROSSED, 3, layers=gold(part))


UNREAD_RESULTS = annotate(
    insert(CROSSED, 2, instead=1), 2, extra={"service_results": {"value": {"slots": []}}}
)
UNREAD_PARAMETERS = change(CROSSED, 1, constraints=(), extra={"parameters": {"value": 3}})

BAD: list[tuple[str, Dialogue]] = [
    ("E505", change(CROSSED, 0, agent="bot")),
    ("E504", insert(CROSSED, 0, CROSSED.events[0])),
    ("E716", msgspec.structs.replace(CROSSED, services=("Trains_1",))),
    ("E604", said(act("", ("one",)))),
    ("E605", said(act("fare", ("12 crowns",), ()))),
    ("E605", said(act("fare", ("12 crowns",), ("12", "crowns")))),
    ("E606", said(Act("MUMBLE"))),
    ("E606", said(Act("", extra={"act": {"value": 18}}))),
    ("E608", said(Act("", extra={"act": None}))),
    ("E608", said(Act("", extra={"act": {"value": ["INFORM"]}}))),
    ("E608", UNREAD_RESULTS),
    ("E608", UNREAD_PARAMETERS),
    ("E608", annotate(CROSSED, 3, extra={"slots": None})),
    ("E608", annotate(CROSSED, 3, spans=(Span(18, 27, ("fare",), extra={"start": None}),))),
    ("E608", said(Act("INFORM", (Argument("fare", ("12 crowns",), extra={"values": None}),)))),
    ("E608", said(Act("INFORM", (Argument("fare", (), ("12",), extra={"values": None}),)))),
    ("E608", said(Act("INFORM", (Argument("fare", (), ("12",)),), extra={"values": {"value": 3}}))),
    ("E608", annotate(CROSSED, 3, spans=(Span(0, 27, ("fare",), extra={"start": None}),))),
    ("E608", annotate(CROSSED, 3, spans=(Span(0, 0, ("fare",), extra={"exclusive_end": None}),))),
    ("E608", annotate(CROSSED, 3, service="", extra={"service": None})),
    ("E601", annotate(CROSSED, 3, spans=(Span(18, 99, ("fare",)),))),
    ("E601", annotate(CROSSED, 3, spans=(Span(-1, 27, ("fare",)),))),
    ("E608", said(Act("REQ_MORE", extra={"slot": None}))),
    ("E608", state(extra={"slot_values": {"value": [{"a": ["x"], "b": []}]}})),
    ("E608", msgspec.structs.replace(CROSSED, extra={"services": {"value": "Ferries_1"}})),
    ("E608", change(CROSSED, 1, extra={"parameters": {"value": 3}})),
    ("E607", annotate(CROSSED, 3, state=State())),
    ("W602", annotate(CROSSED, 0, spans=(Span(20, 27, ("fare",)),))),
    ("W602", annotate(CROSSED, 0, spans=(Span(21, 28, ("fare",)),))),
    ("W602", annotate(CROSSED, 0, spans=(Span(19, 28, ("fare",)),))),
    ("W602", annotate(CROSSED, 0, spans=(Span(20, 29, ("fare",)),))),
    ("E602", annotate(CROSSED, 0, spans=(Span(20, 27, ("harbour",)),))),
    ("E701", values(deck=("middle",))),
    ("E701", constrain(CROSSED, 1, Constraint("deck", "equal", ("middle",)))),
    ("E703", said(act("price", ("12 crowns",)))),
    ("E703", annotate(CROSSED, 3, spans=(Span(18, 27, ("price",)),))),
    ("E703", state(requested=("price",))),
    ("E703", values(port=("Port Sel",))),
    ("E711", served("Ferries_2")),
    ("E711", change(CROSSED, 1, service="Ferries_2")),
    ("E712", said(Act("OFFER_INTENT", (Argument("intent", ("BuyFerry",)),)))),
    ("E712", state(intent="BuyFerry")),
    ("E713", annotate(CROSSED, 0, spans=(Span(41, 47, ("deck",)),))),
    ("E714", values(deck=("upper", "lower"))),
    ("I602", said(act("fare", ("13 crowns",)))),
    ("E802", insert(CROSSED, 3, Result(items=({"fare": "9"},)))),
    ("E805", change(CROSSED, 1, api="BuyFerry")),
    ("E806", constrain(CROSSED, 1, Constraint("fare", "equal", ("12 crowns",)))),
    ("E811", change(CROSSED, 1, agent="user")),
    ("W801", change(CROSSED, 1, constraints=())),
]


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


def labelled(*labels: str) -> Dialogue:
    """Return the dialogue with one span that has these labels."""
    return annotate(ORDERED, 0, spans=(Span(11, 14, labels),))


NOTHING_NEEDED = labelled("meal_order.type.meal", "meal_order.name.guest.reject")
UNLABELLED = change(ORDERED, 0, layers=())

LABELS: list[tuple[list[str], Dialogue]] = [
    ([], ORDERED),
    (["E715"], NOTHING_NEEDED),
    (["I701"], labelled("meal_order.name.guest", "meal_order.time.meal.reject")),
    (["E703"], labelled("meal_order.name.guest", "meal_order.time.meal", "meal_order.time.tea")),
    (["E703"], labelled("meal_order.name.guest", "meal_order.time.meal", "time.tea.accept")),
    (["E703", "E715"], labelled("supper_order.type.meal", "meal_order.reject")),
    (["I501"], UNLABELLED),
]


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
    spelled = msgspec.structs.replace(ORDERED, scenario=Scenario(instruction_id="Meal 2"))
    assert not found(spelled, "taskmaster1", ORDERS)
