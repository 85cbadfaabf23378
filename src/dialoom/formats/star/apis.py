"""STAR's API descriptions, `apis/apis/<task>.json`, with their columns in `apis/dbs/<db>.json`.

{"input": [{"Name": "Day", "Type": "Categorical", "Categories": ["Sunday"],
            "ReadableName": "Day"}],
 "output": [{"Name": "Message", "Type": "ShortString", "ReadableName": "Message"}],
 "required": ["Day"], "db": "schedule", "function": "table_book", "returns_count": false}
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from dialoom.corpus.files import parse_json, staged_file
from dialoom.corpus.listing import file_or_gz, is_name, listed, plain
from dialoom.errors import DialoomError, SchemaError
from dialoom.formats.base.multi_file import content
from dialoom.formats.base.values import without
from dialoom.schema.source import StarApi, StarParameter

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
