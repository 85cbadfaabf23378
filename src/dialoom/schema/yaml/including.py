"""Sub-flows: parts of a flow that several tasks include by name, merged into each when it is read.

    include:
      identify_customer:               # identify_customer.part.yaml next to the file, or bundled
        identified: ask_amount         # an exit of the part, and the node of this task that follows
        unknown: hand_over

A part has slots, tables, apis, constraints and a flow. A name that its nodes lead to, other
than their own, is an exit. `then: identify_customer` leads to the part's first node. An
element that the task itself defines under the same name replaces the part's.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from dialoom.errors import SchemaError
from dialoom.schema.findings import hint
from dialoom.schema.places import Document, Place, Pointer, parse, read_document
from dialoom.schema.yaml.rows import with_policy, with_rows
from dialoom.schema.yaml.today import with_today

INCLUDE = "include"

SECTIONS = ("slots", "tables", "apis", "flow")
"""Sections of a part whose elements are merged by name."""

SUFFIX = ".part.yaml"
"""Suffix of the file name of a part."""

_Raw = dict[str, Any]


def read_file(path: Path) -> Document:
    """Read a task file with its parts, rows and policy; `SchemaError` for invalid ones."""
    return _whole(read_document(path), path.parent)


def read_string(text: str, name: str, folder: Path | None = None) -> Document:
    """Read a task file's text; `name` is for messages; `SchemaError` if it or a part is invalid.

    `folder` has its parts, rows and policy; without one, only bundled parts are found.
    """
    return _whole(parse(text, name), folder)


def _whole(document: Document, folder: Path | None) -> Document:
    return with_today(with_rows(with_policy(_include(document, folder), folder), folder))


def _find(name: str, folder: Path | None) -> Document | None:
    bundled = resources.files("dialoom").joinpath("tasks", "parts", name + SUFFIX)
    own: list[Traversable] = [] if folder is None else [folder / (name + SUFFIX)]
    for file in (*own, bundled):
        if file.is_file():
            return parse(file.read_text(encoding="utf-8"), file.name)
    return None


def _include(document: Document, folder: Path | None) -> Document:
    """Return a document with its includes merged; `SchemaError` for a part that does not fit."""
    value = document.value
    if not isinstance(value, dict) or INCLUDE not in value:
        return document
    parts = value[INCLUDE]
    if not isinstance(parts, dict):
        raise _error(document, (INCLUDE,), "it names parts, each with its ways out")
    whole = {key: entry for key, entry in value.items() if key != INCLUDE}
    places = dict(document.places)
    for name, exits in parts.items():
        part = _find(name, folder)
        if part is None:
            raise _error(document, (INCLUDE, name), f"there is no file {name}{SUFFIX}")
        _merge(document, name, part, exits if isinstance(exits, dict) else {}, whole, places)
    return document._replace(value=whole, places=places)


def _merge(
    document: Document,
    name: str,
    part: Document,
    exits: Mapping[str, Any],
    whole: _Raw,
    places: dict[Pointer, Place],
) -> None:
    body = part.value if isinstance(part.value, dict) else {}
    flow = body.get("flow")
    if not isinstance(flow, dict) or not flow:
        raise SchemaError(part.path, "a part needs the key 'flow': its nodes", code="no-key")
    _match(document, name, exits, _ways_out(flow))
    at = document.place((INCLUDE, name))
    for section in SECTIONS:
        own = whole.setdefault(section, {})
        for key, inner in (body.get(section) or {}).items():
            if isinstance(own, dict) and key not in own:
                own[key] = _led(inner, exits) if section == "flow" else inner
                places[section, key] = at
    if body.get("constraints"):
        whole["constraints"] = [*_listed(whole.get("constraints")), *_listed(body["constraints"])]
    first = {name: next(iter(flow))}
    if isinstance(whole["flow"], dict):
        whole["flow"] = {key: _led(node, first) for key, node in whole["flow"].items()}


def _match(document: Document, name: str, exits: Mapping[str, Any], ways: list[str]) -> None:
    for way in exits:
        if way not in ways:
            raise _error(document, (INCLUDE, name, way), f"no way out; {hint(way, ways)}")
    for way in ways:
        if way not in exits:
            raise _error(document, (INCLUDE, name), f"say where {way!r} leads, a way out of it")


def _ways_out(flow: _Raw) -> list[str]:
    nodes = [node for node in flow.values() if isinstance(node, dict)]
    ways = (w for node in nodes for key in ("then", "last") for w in _listed(node.get(key)))
    return list(dict.fromkeys(way for way in ways if way not in flow))


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _led(node: Any, ways: Mapping[str, Any]) -> Any:
    if not isinstance(node, dict) or "then" not in node:
        return node
    then = _listed(node["then"])
    return node | {"then": [ways.get(w, w) if isinstance(w, str) else w for w in then]}


def _error(document: Document, pointer: Pointer, what: str) -> SchemaError:
    line, column = document.place(pointer)
    address = "/".join(map(str, pointer))
    return SchemaError(document.path, f"{address}: {what}", line=line, column=column)
