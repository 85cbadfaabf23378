from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest
from msgspec.structs import replace

from dialoom.formats.star.importing import to_schema
from dialoom.formats.star.tasks import read_tasks
from dialoom.schema import pack
from dialoom.schema.call import Call
from dialoom.schema.services import contract, from_service
from dialoom.schema.source import StarApi, StarParameter, StarSource
from dialoom.schema.task import TaskSchema
from dialoom.schema.tools import arguments_schema, function_names, toolbox, tools
from dialoom.schema.yaml.reading import read_text
from tests.schema.tiny_service import CAFE, SERVICES

STARTER = pack.starter("own_task")
SAMPLE = Path(__file__).parents[2] / "examples" / "sample"


def parameters(task: TaskSchema, number: int = 0) -> dict[str, Any]:
    schema: dict[str, Any] = tools(task)[number]["function"]["parameters"]
    jsonschema.Draft202012Validator.check_schema(schema)
    return schema


def test_a_task_file_gives_values_limits_and_what_is_required() -> None:
    task = pack.load("hotel_book")
    (tool,) = tools(task)
    assert tool["type"] == "function"
    assert tool["function"]["name"] == "hotel_book"
    schema = parameters(task)
    assert schema["required"] == ["Name", "StartDate", "EndDate", "CustomerName"]
    assert schema["properties"]["Name"]["enum"] == list(task.slots["hotel"].values)
    assert schema["properties"]["StartDate"]["format"] == "date"
    assert schema["properties"]["RequestType"]["enum"] == ["Check", "Book"]
    assert schema["additionalProperties"] is False


def test_descriptions_of_calls_and_inputs_are_for_agents() -> None:
    text = STARTER.replace("    effect: book ", "    description: Book it.\n    effect: book ", 1)
    assert text != STARTER
    task = read_text(text)
    (tool,) = tools(task)
    assert tool["function"]["description"] == "Book it."
    (call,) = task.calls.values()
    first = call.inputs[0]
    variant = replace(call, inputs=(replace(first, description="Which."), *call.inputs[1:]))
    properties = parameters(replace(task, calls={call.name: variant}))["properties"]
    assert properties[first.name]["description"] == "Which."


@pytest.mark.parametrize("name", pack.names())
def test_every_bundled_task_has_valid_tools(name: str) -> None:
    task = pack.load(name)
    for number in range(len(tools(task))):
        parameters(task, number)
    jsonschema.Draft202012Validator.check_schema(arguments_schema(task))


def test_the_schema_of_calls_accepts_a_call_and_refuses_another() -> None:
    validator = jsonschema.Draft202012Validator(arguments_schema(CAFE))
    assert validator.is_valid({"name": "FindCafe", "arguments": {"city": "Ostby"}})
    assert validator.is_valid(
        {"name": "FindCafe", "arguments": {"city": "Ostby", "has_garden": "dontcare"}}
    )
    assert not validator.is_valid({"name": "FindCafe", "arguments": {}})
    assert not validator.is_valid(
        {"name": "FindCafe", "arguments": {"city": "x", "has_garden": "?"}}
    )
    assert not validator.is_valid({"name": "Other", "arguments": {}})


def test_a_service_gives_a_tool_an_intent_with_defaults() -> None:
    schema = parameters(CAFE)
    assert tools(CAFE)[0]["function"]["description"] == "Reserve a table in a café"
    assert schema["properties"]["guests"] == {
        "type": "string",
        "enum": ["1", "2", "3"],
        "default": "2",
        "description": "How many come",
    }


def test_published_apis() -> None:
    task = next(iter(read_tasks(SAMPLE).values()))
    assert parameters(task)["properties"]
    api = StarApi(
        name="a b",
        inputs=(
            StarParameter(name="Many", type="Integer", minimum=1, maximum=9),
            StarParameter(name="Which", type="CategoricalMultiple", categories=["x", "y"]),
            StarParameter(name="Open", type="Boolean"),
            StarParameter(name="Price", type="Categorical", categories="prices()"),
        ),
    )
    task = to_schema("t", None, {}, StarSource(apis=(api,)))
    schema = parameters(task)
    assert schema["properties"] == {
        "Many": {"type": "integer", "minimum": 1, "maximum": 9},
        "Which": {"type": "array", "items": {"type": "string", "enum": ["x", "y"]}, "minItems": 1},
        "Open": {"type": "boolean"},
        "Price": {"type": "string"},
    }
    assert "required" not in schema
    assert tools(task)[0]["function"]["name"] == "a_b"


def test_functions_of_several_tasks_have_names_of_their_own() -> None:
    other = from_service("Cafes_2", contract(CAFE))
    long = TaskSchema(id="t", calls={name: Call(name=name) for name in ("x" * 80, "x" * 90)})
    names = function_names({**SERVICES, "Cafes_2": other, "t": long})
    assert names["Bells_1", "RingBell"] == "RingBell"
    assert names["Cafes_1", "FindCafe"] == "Cafes_1-FindCafe"
    assert len(set(names.values())) == len(names) == 7
    assert max(map(len, names.values())) == 64
    assert len(toolbox({**SERVICES, "Cafes_2": other})) == 5


def test_a_task_without_calls_has_no_tools() -> None:
    assert tools(TaskSchema(id="t")) == []
    assert not jsonschema.Draft202012Validator(arguments_schema(TaskSchema(id="t"))).is_valid({})
