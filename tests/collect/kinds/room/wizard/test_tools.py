from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from dialoom.collect.kinds.room.messages import FormCondition
from dialoom.collect.kinds.room.wizard import packages
from dialoom.collect.kinds.room.wizard.forms import Field, Form
from dialoom.collect.kinds.room.wizard.tools import WizardTools
from dialoom.collect.message import Refused
from dialoom.dialogue import Constraint, Query, Result
from dialoom.errors import UsageError
from dialoom.schema import pack
from dialoom.schema.task import TaskSchema
from tests.collect.rooms import SEED, TABLE, tools
from tests.make import refuses


def form(task: str, api: str | None = None) -> Form:
    return WizardTools({task: pack.load(task)}, SEED).form(task, api or task)


def field(task: str, name: str) -> Field:
    return next(each for each in form(task).fields if each.name == name)


def read(task: str, *conditions: tuple[str, str, Any]) -> tuple[Constraint, ...]:
    return form(task).constraints([FormCondition(*each) for each in conditions])


def refused(task: str, *conditions: tuple[str, str, Any]) -> Refused:
    with pytest.raises(Refused) as refusal:
        read(task, *conditions)
    return refusal.value


def equal(values: dict[str, Any]) -> tuple[Constraint, ...]:
    return tuple(Constraint(name, "equal", (value,)) for name, value in values.items())


# --- forms ---------------------------------------------------------------------------------------


def test_every_api_of_the_pack_has_a_form() -> None:
    tasks = {name: pack.load(name) for name in pack.names()}
    whole = WizardTools(tasks, SEED)
    for name, task in tasks.items():
        for api, api_form in zip(task.calls.values(), whole.forms(name), strict=True):
            assert [each.name for each in api_form.fields] == [p.name for p in api.inputs]
            required = {each.name for each in api_form.fields if each.need == "required"}
            requests = {each.name for each in api_form.fields if each.type == "RequestType"}
            assert required == {*api.required, *requests}
            assert set(api_form.data["fields"][0]) == set(Field.__struct_fields__)


def test_fields_have_what_the_page_needs() -> None:
    assert field("restaurant_book", "Time") == Field(
        name="Time",
        readable="Time",
        type="Time",
        minimum="17:00",
        maximum="22:00",
        step=30,
        need="required",
        hint="when to come",
    )
    assert field("restaurant_book", "RequestType").categories == ("Check", "Book")
    where = field("restaurant_search", "Location")
    assert (where.type, where.need, where.operators[0]) == ("Categorical", "optional", "equal")
    assert set(where.labels) <= set(where.categories)
    assert field("apartment_search", "Price").operators[0] == "at_most"
    assert field("apartment_search", "NearbyPOIs").type == "CategoricalMultiple"
    when = field("trip_directions", "DepartureTime")
    assert (when.need, when.required_when) == ("conditional", {"TravelMode": ("transit",)})
    pin = field("bank_balance", "PIN")
    assert (pin.need, pin.required_unless) == ("conditional", "DateOfBirth")


@pytest.mark.parametrize(
    ("name", "typed", "value"),
    [
        ("Time", "7:30 pm", "19:30"),
        ("Time", "19:30", "19:30"),
        ("Name", "the juniper", "Juniper"),
        ("Name", "Copper Pan bistro", "Copper Pan"),
        ("PartySize", "four", 4),
        ("PartySize", " 4 ", 4),
        ("PartySize", 4.0, 4),
        ("CustomerName", "  Ada   Quill ", "Ada Quill"),
        ("RequestType", "check", "Check"),
    ],
)
def test_what_was_typed_becomes_a_canonical_value(name: str, typed: Any, value: Any) -> None:
    fields = TABLE | {"RequestType": "Book", name: typed}
    query = read("restaurant_book", *((key, "equal", entry) for key, entry in fields.items()))
    [constraint] = [each for each in query if each.slot == name]
    assert constraint == Constraint(name, "equal", (value,))
    assert type(constraint.value) is type(value)


@pytest.mark.parametrize(
    ("name", "typed", "right"),
    [
        ("Time", "23:00", "17:00 to 22:00, in steps of 30"),
        ("Name", "the Ritz", "one of Copper Pan"),
        ("PartySize", 40, "2 to 14"),
        ("PartySize", True, "2 to 14"),
        ("PartySize", "1e400", "2 to 14"),
        ("CustomerName", " ", "a text of at most"),
        ("CustomerName", {"a": 1}, "a text of at most"),
        ("CustomerName", "x" * 3000, "a text of at most"),
        ("RequestType", "Cancel", "one of Check, Book"),
        ("Name", None, "one of"),
    ],
)
def test_what_a_field_cannot_be_is_refused_with_what_is_right(
    name: str, typed: Any, right: str
) -> None:
    refusal = refused("restaurant_book", (name, "equal", typed))
    assert (refusal.code, refusal.detail["field"]) == ("bad_value", name)
    assert right in refusal.what


def test_what_is_missing_is_named() -> None:
    refusal = refused("restaurant_book", ("Name", "equal", "Juniper"))
    assert refusal.code == "bad_value"
    assert refusal.detail["fields"] == ["Time", "PartySize", "CustomerName", "RequestType"]


def test_conditional_fields_are_needed_where_their_condition_holds() -> None:
    way = [("DepartureLocation", "equal", "here"), ("ArrivalLocation", "equal", "there")]
    assert len(read("trip_directions", *way, ("TravelMode", "equal", "walking"))) == 3
    refusal = refused("trip_directions", *way, ("TravelMode", "equal", "transit"))
    assert refusal.detail["fields"] == ["DepartureTime"]
    person = ("FullName", "equal", "Ada Quill")
    assert refused("bank_balance", person).detail["fields"] == [
        "AccountNumber",
        "PIN",
        "SecurityAnswer1",
        "SecurityAnswer2",
    ]
    answers = [(f"SecurityAnswer{n}", field("bank_balance", f"SecurityAnswer{n}")) for n in (1, 2)]
    conditions = [(name, "equal", column.categories[0]) for name, column in answers]
    day = str(field("bank_balance", "DateOfBirth").minimum)
    assert len(read("bank_balance", person, *conditions, ("DateOfBirth", "equal", day))) == 4


def test_operators_are_those_of_the_field() -> None:
    low, high = (field("restaurant_search", "AverageRating").minimum for _ in range(2))
    assert isinstance(low, int)
    assert read("restaurant_search", ("AverageRating", "at_least", low)) == (
        Constraint("AverageRating", "at_least", (high,)),
    )
    foods = list(field("restaurant_search", "Food").categories[:2])
    assert read("restaurant_search", ("Food", "one_of", foods)) == (
        Constraint("Food", "one_of", tuple(foods)),
    )
    assert read("restaurant_search") == ()
    refusal = refused("restaurant_search", ("Food", "at_least", foods[0]))
    assert (refusal.code, refusal.detail["right"]) == ("bad_value", ["equal", "one_of", "not"])
    assert refused("restaurant_search", ("Food", "equal", foods)).code == "bad_value"
    assert refused("restaurant_search", ("Shoes", "equal", 1)).code == "unknown"
    many = [("AverageRating", "at_least", low)] * 21
    assert refused("restaurant_search", *many).code == "bad_value"
    near = list(field("apartment_search", "NearbyPOIs").categories[:2])
    assert read("apartment_search", ("NearbyPOIs", "contains", near)) == tuple(
        Constraint("NearbyPOIs", "contains", (each,)) for each in near
    )


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.lists(st.text(max_size=3))
)


@settings(max_examples=150)
@given(
    st.sampled_from(["restaurant_book", "apartment_search", "bank_balance", "plane_search"]),
    st.data(),
)
def test_nothing_that_is_typed_is_worse_than_refused(task: str, data: st.DataObject) -> None:
    api_form = form(task)
    names = st.sampled_from([each.name for each in api_form.fields])
    operators = st.sampled_from(["equal", "one_of", "contains", "at_most", "eval"])
    one = st.builds(FormCondition, names, operators, VALUES)
    try:
        query = api_form.constraints(data.draw(st.lists(one, max_size=4)))
        WizardTools({task: pack.load(task)}, SEED).answer(task, query)
    except Refused as error:
        assert error.code in ("bad_value", "unknown")
        assert len(error.what) < 3000


# --- answers -------------------------------------------------------------------------------------


def test_a_booking_lasts_as_long_as_the_queries_before_say() -> None:
    book = equal(TABLE | {"RequestType": "Book"})
    check = equal(TABLE | {"RequestType": "Check"})
    before = (Query(id="1", api="restaurant_book", constraints=book),)
    assert tools().answer("restaurant_book", check).outcome == "available"
    assert tools().answer("restaurant_book", book).outcome == "done"
    assert tools().answer("restaurant_book", check, before).outcome == "unavailable"
    assert tools().answer("restaurant_book", book, before).outcome == "failed"
    assert tools().answer("restaurant_book", check).outcome == "available"


def test_an_answer_is_a_function_of_tasks_seed_and_queries() -> None:
    task = pack.load("restaurant_search")
    answers = [
        WizardTools({task.id: task}, seed).answer(task.id, (), (), name)
        for seed, name in ((1, "a"), (1, "a"), (2, "a"), (1, "b"))
    ]
    assert answers[0] == answers[1]
    assert len({str(answer.items) for answer in answers}) > 1


@pytest.mark.parametrize("request_type", ["Check", "Book"])
def test_how_a_query_ended_is_read_off_its_result(request_type: str) -> None:
    conditions = equal(TABLE | {"RequestType": request_type})
    query = Query(id="1", api="restaurant_book", constraints=conditions)
    answer = tools().answer(query.api, conditions)
    result = Result(query="1", items=answer.items, total=answer.total)
    assert tools().outcome(query, result) == answer.outcome
    assert tools().outcome(replace(query, api="elsewhere"), result) is None


def test_a_desk_needs_tables_and_names_of_its_own() -> None:
    task = pack.load("weather")
    with refuses(UsageError, "unfit-task", "bare", "weather"):
        WizardTools({"bare": replace(task, id="bare", tables={})}, 1)
    with refuses(UsageError, "twice", "weather"):
        WizardTools({"weather": task, "again": replace(task, id="again")}, 1)
    with refuses(Refused, "unknown", "weather"):
        tools().form("restaurant_book", "weather")
    with refuses(Refused, "unknown", "weather"):
        tools().answer("weather", ())


# --- packages ------------------------------------------------------------------------------------


def trips() -> tuple[WizardTools, TaskSchema]:
    return WizardTools({packages.TASK.id: packages.TASK}, 7), packages.TASK


def test_packages_are_searched_by_every_field_of_frames() -> None:
    search, task = trips()
    [api_form] = search.forms(task.id)
    assert len(api_form.fields) == 24
    conditions = (FormCondition("PRICE_MAX", "equal", "2500"), FormCondition("WIFI", "equal", True))
    answer = search.answer(api_form.api, api_form.constraints(conditions))
    assert answer.outcome == "found"
    assert answer.total is not None
    assert len(answer.items) == 10 < answer.total
    prices = [item["price"] for item in answer.items]
    assert prices == sorted(prices)
    assert prices[-1] <= 2500
    assert all("wifi" in item["hotel"]["amenities"] for item in answer.items)


def test_cities_and_days_may_be_typed_as_people_write_them() -> None:
    search, task = trips()
    [api_form] = search.forms(task.id)
    first = search.answer(api_form.api, ()).items[0]
    conditions = (
        FormCondition("DESTINATION_CITY", "equal", first["hotel"]["dst_city"].lower()),
        FormCondition("START_TIME", "equal", first["trip"]["leaving"]),
        FormCondition("RESULT_LIMIT", "equal", 1),
    )
    answer = search.answer(api_form.api, api_form.constraints(conditions))
    assert answer.items == (first,)
    with pytest.raises(Refused) as refusal:
        api_form.constraints((FormCondition("START_TIME", "equal", "soon"),))
    assert refusal.value.detail["field"] == "START_TIME"
