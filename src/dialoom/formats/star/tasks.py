"""STAR's task schemas, `tasks/<task>/`, with the APIs and SAM's schema of each task.

    tasks/table_book/table_book.json             {"task": "book_table", "replies": {...},
                                                  "graph": {"ask_size": "query"}}
    tasks/table_book/responses.json              {"ask_size": "For how many people?"}
    tasks/table_book/wizard_nlu_training_data.md ## intent:ask_size
                                                 - how many will you be
    apis/apis/table_book.json, apis/dbs/*.json   see apis.py
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

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dialoom.corpus.listing import file_or_gz, is_name, plain
from dialoom.errors import MissingDataError, SchemaError
from dialoom.formats.base.multi_file import content
from dialoom.formats.star.apis import read_apis, read_object, write_apis, write_json, write_text
from dialoom.formats.star.importing import to_schema
from dialoom.formats.star.publishing import publish
from dialoom.schema.source import StarApi, StarSource, StarView
from dialoom.schema.task import TaskSchema

RESPONSES, EXAMPLES = "responses.json", "wizard_nlu_training_data.md"
"""Names of the files with the templates of suggestions and the wizard's example inputs."""

APIS = "apis"
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
    names = raw.get(APIS)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return None
    del raw[APIS]
    return names


def _write_task(task: TaskSchema, root: Path) -> None:
    folder = root / "tasks" / task.id
    replies, source = publish(task)
    value: dict[str, Any] = {} if task.name is None else {"task": task.name}
    value |= {"replies": replies, "graph": source.paper.edges} | task.extra
    calls = [api.name for api in source.apis]
    if calls and calls != [task.id]:
        value[APIS] = calls
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
