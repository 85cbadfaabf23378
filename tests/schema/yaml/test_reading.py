from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from dialoom.errors import SchemaError
from dialoom.flow.actions import read_graph
from dialoom.formats.star.publishing import publish
from dialoom.quality.legality import SchemaRules
from dialoom.schema.condition import Condition
from dialoom.schema.pack import starter
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.reading import check_text, read_task, read_text
from tests.make import refuses
from tests.schema.starting import changed


@pytest.fixture
def task() -> TaskSchema:
    return read_text(starter("pizza_order"))


def test_the_task_says_what_the_file_says(task: TaskSchema) -> None:
    assert (task.id, task.language, task.domain) == ("pizza_order", "en", "bicycle")
    assert task.slots["time"].minimum == "09:00"
    assert task.slots["note"].optional
    assert task.slots["service"].values["flat tyre"] == ("a puncture", "tyre repair")
    assert task.calls["repair_book"].key == ("Day", "Time")
    assert task.tables["appointments"].rows == 60
    assert task.flow.nodes["refuse"].forget == ("time",)
    assert task.flow.nodes["no_note"].gives_none
    assert task.flow.nodes["check"].request == "Check"
    assert task.questions["wizard"] == ("Did the user answer your questions?",)


def test_unless_and_conditions() -> None:
    task = read_text(
        changed(
            ("need: optional ", "need: {unless: service} "),
            ("    asks: note", "    asks: note\n    when: day is Monday"),
        )
    )
    assert task.slots["note"].unless == "service"
    assert task.flow.nodes["ask_note"].when == (Condition("day", "equal", ("Monday",)),)


def test_it_has_what_published_schemas_have(task: TaskSchema) -> None:
    replies, source = publish(task)
    assert replies["offer"].startswith("{Day:s} at {Time:s} is free")
    assert replies["out_of_scope"] == "I'm sorry, I can only arrange repairs."
    [api] = source.apis
    types = {parameter.name: parameter.type for parameter in api.inputs}
    assert types == {
        "Service": "Categorical",
        "Day": "Categorical",
        "Time": "Categorical",
        "CustomerName": "ShortString",
        "Note": "LongString",
        "RequestType": "RequestType",
    }
    time = next(parameter for parameter in api.inputs if parameter.name == "Time")
    assert time.values[:2] == ("9 am", "9:30 am")
    assert api.required == ("Service", "Day", "Time", "CustomerName")


def test_dates_of_several_years_are_texts() -> None:
    task = read_text(starter("pizza_order"))
    day = replace(task.slots["day"], type="date", minimum="1950-01-01", maximum="2000-01-01")
    many = replace(task, slots=task.slots | {"day": day})
    [api] = publish(many)[1].apis
    born = next(parameter for parameter in api.inputs if parameter.name == "Day")
    assert (born.type, born.categories) == ("ShortString", None)


def test_both_views_of_the_flow(task: TaskSchema) -> None:
    replies, source = publish(task)
    sam = source.sam
    assert source.paper.edges["hello"] == "ask_name"
    assert source.paper.edges["free"] == "offer"
    assert replies["free"] == "Available"
    assert sam is not None
    assert sam.edges["accept"] == "query_book"
    assert sam.reverse is not None
    assert sam.reverse["accept"] == "offer"
    assert sam.nodes is not None
    assert sam.nodes["give_time"] == "At [TIME]."
    assert sam.nodes["taken"].startswith("[RESULT] Service = [SERVICE] ; ")
    assert sam.nodes["taken"].endswith("Message = Taken ; ")


def test_the_graph_of_actions_is_that_of_the_file(task: TaskSchema) -> None:
    graph = read_graph(task)
    replies = {node.name for node in task.flow.nodes.values() if node.kind == "system"}
    assert set(graph.actions) == replies | {"query_check", "query_book", "out_of_scope"}
    assert graph.entries == ("hello",)
    assert {edge.after for edge in graph.leaving["offer"]} == {"query_book", "ask_time"}
    assert SchemaRules(task).permitted("query_check", ()) == {"offer", "say_taken"}


def test_a_user_node_after_two_questions_is_heard_after_both() -> None:
    text = changed(("    then: [other_day, give_up]", "    then: [other_day, give_up, refuse]"))
    sam = publish(read_text(text))[1].sam
    assert sam is not None
    assert sam.reverse is not None
    assert (sam.reverse["refuse"], sam.reverse["refuse_2"]) == ("offer", "say_taken")


def test_a_task_survives_the_native_corpus(task: TaskSchema) -> None:
    assert msgspec.json.decode(msgspec.json.encode(task), type=TaskSchema) == task


def test_a_file_with_errors_is_refused_with_the_first(tmp_path: Path) -> None:
    file = tmp_path / "t.yaml"
    file.write_text(changed(("then: hello", "then: helo"), ("rows: 60", "rows: many")))
    with refuses(SchemaError, "bad-task", "t.yaml", "5", "E102", "1"):
        read_task(file)


def test_warnings_do_not_stop_reading() -> None:
    assert read_text(changed(("      - Then I'll leave it.\n", ""))).id == "pizza_order"


def test_an_intent_names_the_calls_that_serve_it() -> None:
    task = read_text(starter("repair"), "repair.yaml")
    assert task.intents["book_repair"].calls == ("repair_book",)


def test_an_intent_with_an_unknown_call_is_found() -> None:
    text = starter("repair").replace("apis: [repair_book]", "apis: [repair_boo]")
    (finding,) = check_text(text, "repair.yaml")
    assert finding.code == "E402"
    assert "repair_book" in finding.message
