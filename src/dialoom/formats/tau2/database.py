"""The database of a tau2-bench domain as tables of a task.

    {"orders": {"W1": {"order_id": "W1", "address": {"zip": "02139"}, "items": [{"name": "mug"}]}}}

Each key of the database is a table; its rows are a list or an object by their key. Objects in a row
become columns of their own, named by their last key where that is clear. Lists, and objects whose
keys are data (a variant's id, a day), become one column of JSON text (`long text`). A new row draws
its values from those that a column has.
"""

from __future__ import annotations

import tomllib
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from dialoom.corpus.files import parse_json, read_bytes
from dialoom.errors import FormatError, LeftOutWarning
from dialoom.formats.base.values import Json
from dialoom.schema.call import Column, Table
from dialoom.schema.service_words import printable

MOST_KEYS = 20
"""Most keys of an object in all rows of a table that become columns; more are data."""

STRUCTURED = "long text"
"""The type of a column of JSON text."""

SHOWN, LONGEST = 2000, 200
"""Most values of a column of text that are listed, and most characters of one."""

_Path = tuple[str, ...]


def database(file: Path) -> dict[str, Table]:
    """Return the tables of a database in JSON or TOML.

    Raises:
        FormatError: The file is neither, or holds no tables.
    """
    data = read_bytes(file)
    try:
        value = tomllib.loads(data.decode()) if file.suffix == ".toml" else parse_json(data, file)
    except ValueError as error:
        raise FormatError(file, f"is no valid TOML: {error}", code="not-toml") from error
    if not isinstance(value, dict):
        raise FormatError(file, "is no database: should be an object of tables")
    tables = {name: _table(name, list(_rows(name, content))) for name, content in value.items()}
    lacking = [name for name, table in tables.items() if value[name] and not table.columns]
    if lacking:
        warnings.warn(f"{file}: no tables: {', '.join(lacking)}", LeftOutWarning, stacklevel=2)
    return {name: table for name, table in tables.items() if table.columns}


def key_of(table: Table) -> str | None:
    """Return the first column of a table that has another value in each row; None without one."""
    for column in table.columns:
        values = [row.get(column.name) for row in table.given]
        if column.type == "short text" and None not in values and len(set(values)) == len(values):
            return column.name
    return None


def _rows(table: str, content: Any) -> Iterator[Json]:
    """Yield the rows of a table; a row by a key that it lacks gets it as a column."""
    if isinstance(content, list):
        yield from (row for row in content if isinstance(row, dict))
    elif isinstance(content, dict) and all(isinstance(row, dict) for row in content.values()):
        for key, row in content.items():
            yield row if key in row.values() else {f"{table.removesuffix('s')}_id": key} | row


def _table(name: str, rows: list[Json]) -> Table:
    data = set(_data(rows))
    flat = [dict(_cells((), row, data)) for row in rows]
    names = _names(dict.fromkeys(path for row in flat for path in row))
    rows = [{names[path]: cell for path, cell in row.items()} for row in flat]
    columns = [_column(each, [row[each] for row in rows if each in row]) for each in names.values()]
    texts = {column.name for column in columns if column.type == "short text"}
    records = ({k: str(v) if k in texts else v for k, v in row.items()} for row in rows)
    return Table(name=name, rows=len(rows), columns=tuple(columns), given=tuple(records))


def _data(rows: Iterable[Json]) -> Iterator[_Path]:
    """Yield the paths of objects whose keys are data: many, or repeated within their values."""
    keys: dict[_Path, set[str]] = {}
    waiting: list[tuple[_Path, Json]] = [((), row) for row in rows]
    for path, node in waiting:
        keys.setdefault(path, set()).update(node)
        inner = [(key, each) for key, each in node.items() if isinstance(each, dict)]
        if path and len(inner) == len(node) and any(key in e.values() for key, e in inner):
            yield path
        waiting += [((*path, key), each) for key, each in inner]
    yield from (path for path, names in keys.items() if path and len(names) > MOST_KEYS)


def _cells(path: _Path, node: Mapping[str, Any], data: set[_Path]) -> Iterator[tuple[_Path, Any]]:
    for key, value in node.items():
        here = (*path, key)
        if isinstance(value, dict) and here not in data:
            yield from _cells(here, value, data)
        elif isinstance(value, list | dict):
            yield here, msgspec.json.encode(value).decode()
        elif value is not None:
            yield here, value if isinstance(value, bool | int | float) else printable(str(value))


def _names(paths: Iterable[_Path]) -> dict[_Path, str]:
    """Return path to name: its last key, or the whole path where others end so, too."""
    series = list(paths)
    often = Counter(path[-1] for path in series)
    return {path: path[-1] if often[path[-1]] == 1 else "_".join(path) for path in series}


def _column(name: str, values: list[Any]) -> Column:
    kinds = {type(value) for value in values}
    if kinds == {bool}:
        return Column(name=name, type="boolean")
    if kinds <= {int, float}:
        whole = kinds == {int}
        return Column(
            name=name,
            type="integer" if whole else "amount",
            minimum=min(values),
            maximum=max(values),
            step=1 if whole else 0.01,
        )
    if all(str(value)[:1] in ("[", "{") for value in values):
        return Column(name=name, type=STRUCTURED, values=("[]",))
    texts = dict.fromkeys(map(str, values))
    choices = tuple(text for text in texts if 0 < len(text) <= LONGEST)[:SHOWN]
    return Column(name=name, type="short text", values=choices or ("-",))
