"""STAR's task schemas: read and written value for value."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from dialoom.errors import MissingDataError, SchemaError
from dialoom.formats.star.tasks import read_apis, read_tasks, write_tasks
from dialoom.schema.source import StarSource
from dialoom.schema.task import TaskSchema
from tests.make import refuses
from tests.schema.tiny import BARE, VISIT, WAY

TASKS = {task.id: task for task in (VISIT, WAY)}

API: dict[str, Any] = {
    "input": [
        {"Name": "Day", "Type": "Categorical", "Categories": ["Monday"], "ReadableName": None},
        {"Name": "Size", "Type": "Integer", "Min": 1, "Max": "!lambda p: 3", "Hint": {"a": [1]}},
    ],
    "output": [],
    "required": ["Day"],
    "db": "null",
    "function": "look",
    "returns_count": True,
    "version": 2,
}


def plain(root: Path) -> dict[str, Any]:
    return {
        path.relative_to(root).as_posix(): (
            json.loads(path.read_text()) if path.suffix == ".json" else path.read_text().split()
        )
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def write(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def test_a_node_that_leads_elsewhere_by_now_is_written_so(tmp_path: Path) -> None:
    write_tasks(TASKS, tmp_path)
    task = read_tasks(tmp_path)["garden_visit"]
    replies = [name for name, node in task.flow.nodes.items() if node.kind == "system"]
    name = next(n for n, node in task.flow.nodes.items() if node.kind == "user" and node.then)
    node = task.flow.nodes[name]
    other = next(each for each in replies if each not in node.then)
    nodes = task.flow.nodes | {name: replace(node, then=(other,))}
    write_tasks({task.id: replace(task, flow=replace(task.flow, nodes=nodes))}, tmp_path / "new")
    back = read_tasks(tmp_path / "new")["garden_visit"]
    assert back.flow.nodes[name].then == (other,)
    assert back.replies == task.replies


def test_a_slot_that_lists_another_value_by_now_is_written_so(tmp_path: Path) -> None:
    write_tasks(TASKS, tmp_path)
    task = read_tasks(tmp_path)["garden_visit"]
    slot = next(each for each in task.slots.values() if each.values)
    slots = task.slots | {slot.name: replace(slot, values=slot.values | {"never": ()})}
    write_tasks({task.id: replace(task, slots=slots)}, tmp_path / "new")
    back = read_tasks(tmp_path / "new")["garden_visit"]
    assert "never" in back.slots[slot.name].values
    assert back.flow == task.flow


def test_written_tasks_are_read_again(tmp_path: Path) -> None:
    write_tasks(TASKS, tmp_path)
    assert (tmp_path / "sam_schemas" / "garden_visit.json").is_file()
    read = read_tasks(tmp_path)
    assert read.keys() == TASKS.keys()
    write_tasks(read, tmp_path / "again")
    again = plain(tmp_path / "again")
    first = {name: value for name, value in plain(tmp_path).items() if "again" not in name}
    assert again == first
    assert read["garden_visit"].replies == VISIT.replies
    assert read["garden_visit"].source == VISIT.source


def test_what_has_no_name_here_is_kept(tmp_path: Path) -> None:
    write(tmp_path / "tasks/x/x.json", {"task": "y", "replies": {"a": "A"}, "graph": {}, "z": [1]})
    write(tmp_path / "tasks/x/notes.txt", "a note\n")
    write(tmp_path / "apis/apis/x.json", API)
    write(tmp_path / "apis/dbs/null.json", API["input"])
    before = plain(tmp_path)
    task = read_tasks(tmp_path)["x"]
    assert task.extra == {"z": [1]} and task.name == "y"
    assert isinstance(task.source, StarSource)
    (api,) = task.source.apis
    assert api.inputs[1].extra == {"Hint": {"a": [1]}} and api.extra == {"version": 2}
    assert api.table == api.inputs
    write_tasks({"x": task}, tmp_path / "out")
    assert plain(tmp_path / "out") == before


def test_only_the_schema_is_needed(tmp_path: Path) -> None:
    write_tasks({"bare": BARE}, tmp_path)
    task = read_tasks(tmp_path)["bare"]
    assert task.source == StarSource() and not task.calls


def test_folders_without_a_schema_are_no_tasks(tmp_path: Path) -> None:
    (tmp_path / "tasks" / "drafts").mkdir(parents=True)
    assert read_tasks(tmp_path) == {}
    assert read_apis(tmp_path) == {}
    with pytest.raises(MissingDataError):
        read_tasks(tmp_path / "none")


@pytest.mark.parametrize(
    ("name", "value", "what"),
    [
        ("tasks/x/x.json", "{", ("not-json",)),
        ("tasks/x/x.json", [], ("bad-task", "object")),
        ("tasks/x/x.json", {"graph": {}}, ("no-key", "replies")),
        ("tasks/x/x.json", {"replies": {"a": 1}}, ("bad-task", "replies")),
        ("tasks/x/x.json", {"replies": {}, "task": 3}, ("bad-task", "task", "text")),
        ("tasks/x/responses.json", {"a": []}, ("bad-task", "texts")),
        ("tasks/x/wizard_nlu_training_data.md", "hello\n", ("bad-line", "line 1")),
        ("sam_schemas/x.json", {"graph": []}, ("bad-task", "graph")),
        ("apis/apis/x.json", {"input": {}}, ("bad-task", "input", "list")),
        ("apis/apis/x.json", {"input": [3]}, ("bad-task", "input", "object")),
        ("apis/apis/x.json", {"input": [{"Name": "a"}]}, ("no-key", "Name", "Type")),
        ("apis/apis/x.json", {"required": [1]}, ("bad-task", "required")),
    ],
)
def test_bad_files_are_named(tmp_path: Path, name: str, value: Any, what: tuple[str, ...]) -> None:
    write(tmp_path / "tasks/x/x.json", {"replies": {"a": "A"}, "graph": {}})
    bad = write(tmp_path / name, value)
    with refuses(SchemaError, *what) as caught:
        read_tasks(tmp_path)
    assert caught.value.path == str(bad)


def test_text_that_is_not_utf8(tmp_path: Path) -> None:
    write_tasks({"bare": BARE}, tmp_path)
    (tmp_path / "tasks/bare/notes.txt").write_bytes(b"\xff\xfe")
    with refuses(SchemaError, "not-utf-8"):
        read_tasks(tmp_path)


@pytest.mark.corpus
def test_the_published_schemas(star: Path, tmp_path: Path) -> None:
    tasks: dict[str, TaskSchema] = read_tasks(star)
    assert tasks
    write_tasks(tasks, tmp_path)
    content = plain(tmp_path)
    published = plain_of(star, content)
    assert content == published


def plain_of(star: Path, names: dict[str, Any]) -> dict[str, Any]:
    return {
        name: json.loads((star / name).read_text())
        if name.endswith(".json")
        else (star / name).read_text().split()
        for name in names
    }
