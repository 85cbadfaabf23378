from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dialoom.dialogue import Event, Query, Result, Utterance
from dialoom.dialogue.views import label
from dialoom.errors import SchemaError
from dialoom.formats.sgd.schemas import read_schemas
from dialoom.formats.star.importing import to_schema
from dialoom.formats.taskmaster1.ontology import read
from dialoom.quality.doctor import examine
from dialoom.schema import pack
from dialoom.schema.places import parse
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.service_words import ServiceWords, spoken_name
from dialoom.schema.services import contract, from_service, task_file, to_task
from dialoom.schema.source import StarApi, StarParameter, StarSource
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.reading import check_text, read_text
from dialoom.sim.policies.flow.simulator import Simulator
from tests.found import some
from tests.make import refuses
from tests.schema.tiny_service import BELLS, CAFE
from tests.strategies import sampled

VARIANTS = ("v1", "v2", "v3", "v4", "v5")


def errors(text: str, name: str, dialogues: int) -> list[str]:
    """What check and doctor find in a task file that is an error."""
    findings = [*check_text(text, name), *examine(parse(text, name), dialogues).findings]
    return [str(finding) for finding in findings if finding.severity == "error"]


@pytest.mark.parametrize("task", [CAFE, BELLS], ids=lambda task: str(task.id))
def test_a_derived_task_file_passes_check_and_doctor(task: TaskSchema) -> None:
    text = task_file(task)
    findings = check_text(text, "t")
    assert {finding.code for finding in findings} == {"I301"}
    lines = text.splitlines()
    assert all(lines[finding.line - 1].strip() == "drafted: true" for finding in findings)
    assert len(findings) == text.count("drafted: true")
    assert errors(text, "t", 60) == []


def test_the_flow_asks_offers_confirms_calls_and_tells() -> None:
    task = to_task(CAFE)
    assert task.id == "cafes_1"
    assert contract(task) == contract(CAFE)
    assert task.origins == CAFE.origins
    nodes = task.flow.nodes
    assert next(iter(nodes)) == "hello"
    assert nodes["hello"].then == ("find_cafe_wish", "reserve_table_wish")
    assert nodes["find_cafe_wish"].then == ("find_cafe_ask_city",)
    assert nodes["find_cafe_ask_has_garden"].then == (
        "find_cafe_give_has_garden",
        "find_cafe_any_has_garden",
    )
    assert nodes["reserve_table_confirm"].then[0] == "reserve_table_yes"
    assert nodes["reserve_table_call"].then == ("reserve_table_done", "reserve_table_failed")
    assert nodes["find_cafe_call"].then == ("find_cafe_found", "find_cafe_nothing")
    assert task.calls["ReserveTable"].effect == "book"
    assert task.calls["ReserveTable"].key == ("cafe_name", "visit_time")
    assert task.slots["cafe_name"].optional is False
    assert task.slots["guests"].optional is True
    assert task.slots["visit_date"].type == "date"
    assert task.slots["has_garden"].type == "boolean"
    assert "street_address" not in task.slots  # nobody gives it


def test_what_a_search_found_is_taken_on_to_the_booking() -> None:
    simulator = Simulator(to_task(CAFE), 1)
    bookings = 0
    for index in range(40):
        events = simulator.dialogue(index).events
        calls = [event for event in events if isinstance(event, Query)]
        labels = {label(event) for event in events if isinstance(event, Utterance)}
        if [call.api for call in calls] != ["FindCafe", "ReserveTable"]:
            continue
        if "reserve_table_change_cafe_name" not in labels:
            result = next(event for event in events if isinstance(event, Result))
            values = {each.slot: each.value for each in calls[1].constraints}
            assert values["cafe_name"] == result.items[0]["cafe_name"]
            assert result.items[0]["cafe_name"] in texts(events)
            bookings += 1
    assert bookings > 5


def texts(events: tuple[Event, ...]) -> str:
    return "\n".join(event.text for event in events if isinstance(event, Utterance))


def test_a_slot_may_be_required_unless_another_is_given() -> None:
    text = task_file(CAFE, {"cafe_name": "guests"})
    assert parse(text, "t").value["slots"]["cafe_name"]["need"] == {"unless": "guests"}
    assert errors(text, "t", 60) == []
    with refuses(SchemaError, "unknown-name", "cafe"):
        task_file(CAFE, {"cafe": "guests"})


def test_a_service_without_intents_is_refused() -> None:
    with refuses(SchemaError, "no-flow"):
        to_task(from_service("t", Service()))
    with refuses(SchemaError, "no-flow"):
        to_task(TaskSchema(id="t"))


def test_strange_names_and_texts_pass_as_well() -> None:
    service = Service(
        description='{odd} <slot> text: with # marks, and "quotes"\n- no list',
        slots=(
            ServiceSlot(name="2nd stop!", description="a {brace} in it"),
            ServiceSlot(name="2nd_stop", categorical=True, possible_values=("no", "3d", "x: y")),
            ServiceSlot(name="x" * 90),
            ServiceSlot(name="été", categorical=True, possible_values=()),
        ),
        intents=(
            ServiceIntent(
                name="Do It",
                description="Find {it} <intent>",
                required=("2nd stop!", "2nd_stop", "x" * 90, "été", "unlisted"),
                results=("outcome",),
                transactional=True,
            ),
            ServiceIntent(name="do_it", required=("2nd_stop",), optional={"2nd_stop": "no"}),
            ServiceIntent(name="Bare"),
        ),
    )
    assert errors(task_file(from_service("9 Odd. Service", service)), "t", 60) == []


def test_kinds_are_read_off_names() -> None:
    words = ServiceWords()
    kinds = {
        name: words.kind(ServiceSlot(name=name))["type"]
        for name in ("leaving_date", "leaving_time", "fare", "number_of_seats", "to", "quirk")
    }
    assert kinds == {
        "leaving_date": "date",
        "leaving_time": "time",
        "fare": "amount",
        "number_of_seats": "integer",
        "to": "short text",
        "quirk": "short text",
    }
    assert spoken_name("name.movie") == "movie name"


def test_a_contract_comes_back_as_it_was() -> None:
    service = contract(replace(to_task(CAFE), source=None))
    assert contract(CAFE) is CAFE.source
    for intent in contract(CAFE).intents:
        back = service.intent(intent.name)
        assert back is not None
        assert back.transactional == intent.transactional
        assert back.required == intent.required
        assert set(back.optional) == set(intent.optional)
        assert set(back.results) >= set(intent.results)
    for slot in contract(CAFE).slots:
        assert service.slot(slot.name) is not None
    guests = service.slot("guests")
    assert guests is not None
    assert guests.possible_values == ("1", "2", "3")


@pytest.mark.parametrize("name", pack.names())
def test_bundled_tasks_have_a_contract(name: str) -> None:
    service = contract(pack.load(name))
    slots = {slot.name for slot in service.slots}
    assert len(slots) == len(service.slots)
    for intent in service.intents:
        assert {*intent.required, *intent.optional, *intent.results} <= slots
    for slot in service.slots:
        assert slot.categorical == bool(slot.possible_values)


def test_the_contract_of_published_apis() -> None:
    api = StarApi(
        name="table_book",
        inputs=(
            StarParameter(name="Size", type="Integer"),
            StarParameter(name="RequestType", type="RequestType", categories=["Check", "Book"]),
        ),
        outputs=(StarParameter(name="Message", type="Categorical", categories=["ok"]),),
        required=("Size",),
    )
    (intent,) = contract(to_schema("table_book", None, {}, StarSource(apis=(api,)))).intents
    assert intent.transactional
    assert intent.required == ("Size",)
    assert intent.optional == {"RequestType": "Check"}
    assert intent.results == ("Message",)


DRAFTED = "I301"
"""What a person has to write still."""


@pytest.mark.corpus
@pytest.mark.parametrize("variant", ["", *VARIANTS])
def test_every_service_of_sgd_and_its_variants_checks(corpora: Path, variant: str) -> None:
    sgd = corpora / "sgd"
    tasks = read_schemas(sgd / "sgd_x" / "data" / variant if variant else sgd)
    assert len(tasks) >= 34
    findings = [f for t in tasks.values() for f in check_text(task_file(t), t.id)]
    assert [str(f) for f in findings if f.code != DRAFTED] == []


@pytest.mark.corpus
def test_services_of_sgd_simulate(corpora: Path) -> None:
    for task in some(read_schemas(corpora / "sgd" / "dev").values()):
        assert errors(task_file(task), task.id, 20) == []


@pytest.mark.corpus
def test_verticals_of_taskmaster_check_and_simulate(corpora: Path) -> None:
    tasks = read(corpora / "taskmaster1")
    assert len(tasks) == 6
    for task in tasks.values():
        assert errors(task_file(task), task.id, 30) == []
    pizza = task_file(tasks["pizza_ordering"], {"name.pizza": "type.topping"})
    assert errors(pizza, "pizza", 30) == []


names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12) | st.sampled_from(
    ["time", "date", "city", "a.b", "price", "to_city", "hello", "finish", "outcome", "many x"]
)
slot_values = st.text(st.characters(codec="utf-8"), max_size=8) | st.sampled_from(
    ["True", "False", "1", "2", "one", "yes", "no", "3d", "A", "a", 7]
)


@st.composite
def services(draw: st.DrawFn) -> Service:
    """Services of any names and values, with intents over their slots."""
    slot_names = draw(st.lists(names, min_size=1, max_size=5, unique=True))
    some = st.lists(st.sampled_from(slot_names), max_size=3)
    text = st.none() | names
    slots = st.builds(
        ServiceSlot,
        name=st.just(""),
        description=text,
        categorical=st.booleans(),
        possible_values=st.lists(slot_values, max_size=4).map(tuple),
    )
    intents = st.builds(
        ServiceIntent,
        name=st.just(""),
        description=text,
        transactional=st.booleans(),
        required=some.map(tuple),
        optional=some.map(lambda keys: dict.fromkeys(keys, "x")),
        results=st.lists(names | st.sampled_from(slot_names), max_size=3).map(tuple),
    )
    intent_names = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    return Service(
        description=draw(text),
        slots=tuple(replace(draw(slots), name=name) for name in slot_names),
        intents=tuple(replace(draw(intents), name=name) for name in intent_names),
    )


@sampled
@given(names, services())
def test_any_service_gives_a_task_file_that_checks(name: str, service: Service) -> None:
    text = task_file(from_service(name, service))
    assert [str(f) for f in check_text(text, "t") if f.severity == "error"] == []
    assert contract(read_text(text)).intents
