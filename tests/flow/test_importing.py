from __future__ import annotations

from pathlib import Path

import pytest

from dialoom.flow.importing import to_task_file
from dialoom.formats.star.importing import to_schema
from dialoom.formats.star.tasks import read_tasks
from dialoom.schema.places import parse
from dialoom.schema.source import StarApi, StarParameter, StarSource, StarView
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.reading import check_text

SAMPLE = Path(__file__).parents[2] / "examples" / "sample"

MESSAGE = StarParameter(name="Message", type="Categorical", categories=["Done", "Failed"])

TASK = to_schema(
    "table_book",
    "book_table",
    {
        "hello": "Good day, sir: what is it?",
        "ask_size": "For how many people?",
        "confirm": "Booked at {place:s}.",
        "sorry": "No table is free.",
        "out_of_scope": "I cannot.",
    },
    StarSource(
        paper=StarView(edges={"hello": "ask_size", "ask_size": "query_book"}),
        sam=StarView(
            nodes={
                "user_hello": "Hello.",
                "user_size": "We are [NUMBER] people",
                "db_ok": "[RESULT] Message = Done ;",
                "db_no": "[RESULT] Message = Failed ;",
            },
            edges={
                "user_hello": "hello",
                "user_size": "query_book",
                "db_no": "sorry",
                "db_ok": "confirm",
            },
            reverse={"user_size": "ask_size", "db_no": "query_book", "db_ok": "query_book"},
        ),
        apis=(
            StarApi(
                name="table_book",
                inputs=(
                    StarParameter(name="NumPeople", type="Integer", minimum=1, maximum=9),
                    StarParameter(name="Place", type="Categorical", categories=["Pier: 7", "no"]),
                    StarParameter(name="RequestType", type="RequestType"),
                ),
                outputs=(MESSAGE,),
                required=("NumPeople", "Place"),
            ),
        ),
    ),
)


def test_what_the_schema_tells_stands_in_the_file() -> None:
    value = parse(to_task_file(TASK), "t").value
    assert value["task"] == "table_book"
    assert value["aliases"] == ["book_table"]
    assert value["slots"]["num_people"]["maximum"] == 9
    assert list(value["slots"]["place"]["values"]) == ["Pier: 7", "no"]
    assert value["apis"]["table_book"]["key"] == ["NumPeople", "Place"]
    flow = value["flow"]
    assert flow["ask_size"] == {
        "system": ["For how many people?"],
        "asks": ["num_people"],
        "then": ["user_size"],
    }
    assert flow["user_size"]["user"] == ["We are {num_people} people"]
    assert flow["db_no"]["result"] == "failed"
    assert flow["db_ok"]["result"] == "done"
    assert flow["hello"]["then"] == ["ask_size"]


def test_what_it_does_not_tell_is_stated() -> None:
    text = to_task_file(TASK)
    assert text.count("fill in:") > 8
    codes = {finding.code for finding in check_text(text, "t")}
    assert not codes & {"E101", "E102", "E103", "E201", "E206", "E208", "E209"}


@pytest.mark.parametrize("task", read_tasks(SAMPLE).values(), ids=lambda task: task.id)
def test_sample_tasks_become_files_of_the_right_shape(task: TaskSchema) -> None:
    findings = check_text(to_task_file(task), "t")
    assert not {f.code for f in findings} & {"E101", "E103", "E104", "E105", "E201"}
