"""STAR's task schemas, `tasks/<task>/`, with the APIs and SAM's schema of each task.

    tasks/table_book/table_book.json             {"task": "book_table", "replies": {...},
                                                  "graph": {"ask_size": "query"}}
    tasks/table_book/responses.json              {"ask_size": "For how many people?"}
    tasks/table_book/wizard_nlu_training_data.md ## intent:ask_size
                                                 - how many will you be
    apis/apis/table_book.json                    {"input": [{"Name": "Day", "Type": "Categorical",
                                                   "Categories": ["Sunday"], …}], "output": […],
                                                  "required": ["Day"], "db": "schedule",
                                                  "function": "table_book", "returns_count": false}
    apis/dbs/schedule.json                       the columns of the API's table, like an input each
    sam_schemas/table_book.json                  {"task": "table_book",
                                                  "replies": {"user_hello": "Hello.", ...},
                                                  "graph": {"user_hello": "hello"},
                                                  "r_graph": {"user_size": "ask_size"}}

Only the first file is required; it lists the task's `apis` unless there is just one, with the
task's name. The schemas of the Schema Attention Model (SAM) have nodes for users and the knowledge
base as well, with an edge back to what each answers. Files are written with the values that were
read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from dialoom.corpus.files import parse_json, staged_file
from dialoom.corpus.listing import file_or_gz, is_name, listed, plain
from dialoom.errors import DialoomError, MissingDataError, SchemaError
from dialoom.formats.base.multi_file import content
from dialoom.formats.base.values import without
from dialoom.formats.star.importing import to_schema
from dialoom.formats.star.publishing import publish
from dialoom.schema.source import StarApi, StarParameter, StarSource, StarView
from dialoom.schema.task import TaskSchema

APIS, TABLES = Path("apis", "apis"), Path("apis", "dbs")
"""Folders of the files, relative to the corpus root."""

_OWN = re.compile(r"[^/]+\.json")

_PARAMETER_KEYS = {
    "Name": "name",
    "Type": "type",
    "Categories": "categories",
    "Min": "minimum",
    "Max": "maximum",
    "Enabled": "enabled",
    "ReadableName": "readable",
}
"""Key of a parameter to the attribute of `StarParameter`."""

TABLE = "table"
"""Key with the file of an API's table, used if another table already has its database's name; no
published file has it."""

_API_KEYS = {"db": str, "function": str, "returns_count": bool}


def read_apis(root: Path) -> dict[str, StarApi]:
    """Read every API description of a corpus root; `SchemaError` for a file that is none."""
    paths = listed(root / APIS, _OWN) if (root / APIS).is_dir() else []
    return {plain(path.name).removesuffix(".json"): read_api(path) for path in paths}


def read_api(path: Path) -> StarApi:
    """Read an API with its table's columns, if published; `SchemaError` for another file."""
    raw = read_object(path)
    fields = {key: raw.pop(key) for key in _API_KEYS if isinstance(raw.get(key), _API_KEYS[key])}
    required = raw.pop("required", [])
    if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
        raise SchemaError(path, "required should be a list of parameter names")
    stem = raw.pop(TABLE) if isinstance(raw.get(TABLE), str) else fields.get("db")
    table = file_or_gz(path.parents[1] / TABLES.name / f"{stem}.json")
    return StarApi(
        name=plain(path.name).removesuffix(".json"),
        inputs=_parameters(path, "input", raw.pop("input", [])),
        outputs=_parameters(path, "output", raw.pop("output", [])),
        required=tuple(required),
        table=_parameters(table, "the table", read_json(table)) if table else None,
        extra=raw,
        **fields,
    )


def write_apis(apis: Iterable[StarApi], root: Path) -> None:
    """Write APIs and their tables' columns, without those whose names are no file names."""
    for api in apis:
        if not is_name(f"{api.name}.json"):
            continue
        value: dict[str, Any] = {
            "input": [_plain(parameter) for parameter in api.inputs],
            "output": [_plain(parameter) for parameter in api.outputs],
            "required": list(api.required),
        }
        value |= {key: getattr(api, key) for key in _API_KEYS if getattr(api, key) is not None}
        value |= api.extra
        if api.table is not None and is_name(f"{api.name}.{api.db}.json"):
            name = _write_table(api, [_plain(p) for p in api.table], root)
            value |= {} if name == api.db else {TABLE: name}
        write_json(root / APIS / f"{api.name}.json", value)


def _write_table(api: StarApi, columns: list[dict[str, Any]], root: Path) -> str:
    """Write the columns of an API's table; return its name, a new one if the old one is taken."""
    name = str(api.db)
    for candidate in (name, f"{api.name}.{name}"):
        name, file = candidate, root / TABLES / f"{candidate}.json"
        if not file.is_file() or read_json(file) == columns:
            break
    write_json(root / TABLES / f"{name}.json", columns)
    return name


def read_json(path: Path) -> Any:
    """Return the value of a JSON file; `SchemaError` if it is unreadable."""
    try:
        return parse_json(content(path), path)
    except DialoomError as error:
        what = str(error).removeprefix(f"{path}: ")
        raise SchemaError(path, f"not readable JSON: {what}", code="not-json") from error


def read_object(path: Path) -> dict[str, Any]:
    """Return the JSON object of a file; `SchemaError` for another value."""
    value = read_json(path)
    if not isinstance(value, dict):
        raise SchemaError(path, "should hold a JSON object")
    return value


def write_json(path: Path, value: Any) -> None:
    """Write a value as indented JSON, with its folder; `OutputError` if that fails."""
    write_text(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a text file whole or not at all, with its folder; `OutputError` if that fails."""
    with staged_file(path) as file:
        file.write(text.encode())


def _parameters(path: Path, key: str, raw: Any) -> tuple[StarParameter, ...]:
    if not isinstance(raw, list):
        raise SchemaError(path, f"{key} should be a list of parameters")
    return tuple(_parameter(path, key, value) for value in raw)


def _parameter(path: Path, key: str, raw: Any) -> StarParameter:
    if not isinstance(raw, dict):
        raise SchemaError(path, f"{key}: a parameter should be an object")
    if not isinstance(raw.get("Name"), str) or not isinstance(raw.get("Type"), str):
        raise SchemaError(path, f"{key}: a parameter needs a Name and a Type", code="no-key")
    # null, or a readable name that is no text, is kept so that writing restores it
    fields = {key: raw[key] for key in _PARAMETER_KEYS if raw.get(key) is not None}
    if not isinstance(fields.get("ReadableName"), str):
        fields.pop("ReadableName", None)
    extra = without(raw, *fields)
    return StarParameter(**{_PARAMETER_KEYS[k]: value for k, value in fields.items()}, extra=extra)


def _plain(parameter: StarParameter) -> dict[str, Any]:
    value = {key: getattr(parameter, name) for key, name in _PARAMETER_KEYS.items()}
    return {key: v for key, v in value.items() if v is not None} | parameter.extra


RESPONSES, EXAMPLES = "responses.json", "wizard_nlu_training_data.md"
"""Names of the files with the templates of suggestions and the wizard's example inputs."""

OWN_APIS = "apis"
"""Key with the names of a task's APIs, used unless there is just one, with the task's name; no
published file has it."""

FOLDER = "sam_schemas"
"""The folder of SAM's schemas, relative to the corpus root."""

_INTENT, _LINE = "## intent:", "- "
"""Prefixes of a reply, and of an input for it, in the wizard's example inputs."""


def read_tasks(root: Path) -> dict[str, TaskSchema]:
    """Read every task of a corpus root, by folder names; `SchemaError` for a wrong file."""
    folder = root / "tasks"
    if not folder.is_dir():
        raise MissingDataError(f"{folder}: no such folder of task schemas")
    apis = read_apis(root)
    return {
        path.name: _read_task(path, root, apis)
        for path in sorted(folder.iterdir())
        if file_or_gz(path / f"{path.name}.json")
    }


def write_tasks(tasks: Mapping[str, TaskSchema], root: Path) -> None:
    """Write tasks in the published layout, without those whose names are no file names."""
    for task in tasks.values():
        if is_name(f"{task.id}.json"):
            _write_task(task, root)
        write_apis(publish(task)[1].apis, root)


def _read_task(folder: Path, root: Path, apis: Mapping[str, StarApi]) -> TaskSchema:
    name = folder.name
    path = folder / f"{name}.json"
    sam = file_or_gz(root / FOLDER / f"{name}.json")
    raw = read_object(file_or_gz(path) or path)
    printed = pop_text(path, raw, "task")
    replies = pop_texts(path, raw, "replies")
    if replies is None:
        raise SchemaError(path, "a task schema needs replies", code="no-key")
    paper = StarView(name=printed, edges=pop_texts(path, raw, "graph") or {})
    examples = _read_text(folder / EXAMPLES)
    calls = _pop_apis(raw) or [name]
    source = StarSource(
        paper=paper,
        sam=_read_sam(sam) if sam else None,
        apis=tuple(apis[call] for call in calls if call in apis),
        suggestions=_read_responses(folder / RESPONSES),
        examples=None if examples is None else _parse_examples(folder / EXAMPLES, examples),
        files={
            name: _read_text(folder / name) or ""
            for name in sorted({plain(other.name) for other in folder.glob("*.txt*")})
            if name.endswith(".txt")
        },
    )
    return to_schema(folder.name, printed, replies, source, raw)


def _pop_apis(raw: dict[str, Any]) -> list[str] | None:
    names = raw.get(OWN_APIS)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return None
    del raw[OWN_APIS]
    return names


def _write_task(task: TaskSchema, root: Path) -> None:
    folder = root / "tasks" / task.id
    replies, source = publish(task)
    value: dict[str, Any] = {} if task.name is None else {"task": task.name}
    value |= {"replies": replies, "graph": source.paper.edges} | task.extra
    calls = [api.name for api in source.apis]
    if calls and calls != [task.id]:
        value[OWN_APIS] = calls
    write_json(folder / f"{task.id}.json", value)
    if source.suggestions is not None:
        write_json(folder / RESPONSES, source.suggestions)
    if source.examples is not None:
        write_text(folder / EXAMPLES, _spell_examples(source.examples))
    for name, text in source.files.items():
        if is_name(name):
            write_text(folder / name, text)
    if source.sam is not None:
        view = source.sam
        sam = {
            "task": view.name,
            "replies": view.nodes,
            "graph": view.edges,
            "r_graph": view.reverse,
        }
        fields = {key: each for key, each in sam.items() if each is not None}
        write_json(root / FOLDER / f"{task.id}.json", fields | view.extra)


def _read_responses(path: Path) -> dict[str, str] | None:
    file = file_or_gz(path)
    if file is None:
        return None
    responses = pop_texts(file, {"the file": read_object(file)}, "the file")
    return responses or {}


def _read_text(path: Path) -> str | None:
    file = file_or_gz(path)
    if file is None:
        return None
    try:
        return content(file).decode().replace("\r\n", "\n").replace("\r", "\n")
    except (MissingDataError, UnicodeDecodeError) as error:
        raise SchemaError(path, f"not readable text: {error}", code="not-utf-8") from error


def _parse_examples(path: Path, text: str) -> dict[str, tuple[str, ...]]:
    intents: dict[str, list[str]] = {}
    lines: list[str] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(_INTENT):
            lines = intents.setdefault(line[len(_INTENT) :].strip(), [])
        elif line.startswith(_LINE) and lines is not None:
            lines.append(line[len(_LINE) :])
        elif line.strip():
            what = "is neither an intent nor an example of one"
            raise SchemaError(path, what, line=number, code="bad-line")
    return {intent: tuple(examples) for intent, examples in intents.items()}


def _spell_examples(examples: Mapping[str, tuple[str, ...]]) -> str:
    blocks = (
        "\n".join((_INTENT + intent, *(_LINE + line for line in lines)))
        for intent, lines in examples.items()
    )
    return "\n\n".join(blocks) + "\n"


def _read_sam(path: Path) -> StarView:
    raw = read_object(path)
    return StarView(
        name=pop_text(path, raw, "task"),
        nodes=pop_texts(path, raw, "replies"),
        edges=pop_texts(path, raw, "graph") or {},
        reverse=pop_texts(path, raw, "r_graph"),
        extra=raw,
    )


def pop_text(path: Path, raw: dict[str, Any], key: str) -> str | None:
    """Remove and return an object's text, None if missing; `SchemaError` for another value."""
    value = raw.pop(key, None)
    if value is not None and not isinstance(value, str):
        raise SchemaError(path, f"{key} should be text")
    return value


def pop_texts(path: Path, raw: dict[str, Any], key: str) -> dict[str, str] | None:
    """Remove and return an object of texts, None if missing; `SchemaError` for another value."""
    value = raw.pop(key, None)
    if value is None:
        return None
    if not isinstance(value, dict) or not all(isinstance(v, str) for v in value.values()):
        raise SchemaError(path, f"{key} should be an object of texts")
    return value
