"""Tasks that were not published, in STAR's files: several APIs, tables of one name."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from dialoom.formats.base.loss import lost_schemas
from dialoom.formats.star.importing import to_schema
from dialoom.formats.star.publishing import publish
from dialoom.formats.star.tasks import read_tasks, write_tasks
from dialoom.schema import pack
from dialoom.schema.services import to_task
from dialoom.schema.source import StarApi, StarParameter, StarSource
from dialoom.schema.task import TaskSchema
from tests.schema.tiny_service import SERVICES

ONE = StarApi(name="one", db="rows", table=(StarParameter(name="A", type="Integer"),))
TWO = StarApi(name="two", db="rows", table=(StarParameter(name="B", type="Boolean"),))


NEUTRAL = [
    "domain",
    "description",
    "aliases",
    "texts",
    "slots",
    "constraints",
    "calls",
    "tables",
    "flow",
    "questions",
    "out_of_scope",
]
"""What STAR's files have no place for."""


def back(tasks: dict[str, TaskSchema], folder: Path) -> dict[str, TaskSchema]:
    write_tasks(tasks, folder)
    return read_tasks(folder)


def test_bundled_tasks_come_back_but_for_what_star_has_not(tmp_path: Path) -> None:
    tasks = {name: pack.load(name) for name in pack.names()}
    copies = back(tasks, tmp_path)
    assert [publish(copies[name])[1].apis for name in tasks] == [
        publish(task)[1].apis for task in tasks.values()
    ]
    lost = {field.removeprefix("schema.") for field in lost_schemas(tasks, copies)}
    assert lost == {*NEUTRAL, "replies"}


def test_services_come_back_with_all_their_calls(tmp_path: Path) -> None:
    tasks = {task.id: task for task in map(to_task, SERVICES.values())}
    copies = back(tasks, tmp_path)
    assert {name: len(task.calls) for name, task in copies.items()} == {"cafes_1": 2, "bells_1": 1}
    assert [publish(copies[name])[1].apis for name in tasks] == [
        publish(task)[1].apis for task in tasks.values()
    ]


def test_tables_of_one_name_do_not_overwrite_one_another(tmp_path: Path) -> None:
    tasks = {
        "one": to_schema("one", "one", {"a": "A"}, StarSource(apis=(ONE,))),
        "two": to_schema("two", "two", {"a": "A"}, StarSource(apis=(TWO, replace(ONE, name="x")))),
    }
    copies = back(tasks, tmp_path)
    assert publish(copies["one"])[1].apis == (ONE,)
    assert publish(copies["two"])[1].apis == (TWO, replace(ONE, name="x"))
    assert sorted(path.name for path in (tmp_path / "apis" / "dbs").iterdir()) == [
        "rows.json",
        "two.rows.json",
    ]


def test_a_list_of_apis_that_is_none_stays_where_it_was(tmp_path: Path) -> None:
    task = TaskSchema(id="one", replies={"a": "A"}, extra={"apis": [1]})
    assert back({"one": task}, tmp_path)["one"].extra == {"apis": [1]}
