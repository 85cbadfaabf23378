"""The schemas of the Schema Attention Model (SAM): `sam_schemas/<task>.json`.

They have nodes for users and the knowledge base as well, with an edge back to what each answers.

    {"task": "table_book",
     "replies": {"user_hello": "Hello.", "hello": "Good day!", "query": "[QUERY]"},
     "graph": {"user_hello": "hello"},
     "r_graph": {"user_size": "ask_size"}}
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dialoom.errors import SchemaError
from dialoom.formats.star.apis import read_object, write_json
from dialoom.schema.source import StarView

FOLDER = "sam_schemas"
"""The folder of the files, relative to the corpus root."""


def read_sam(path: Path) -> StarView:
    """Read a schema of SAM as a view of the flow graph; `SchemaError` for another file."""
    raw = read_object(path)
    return StarView(
        name=pop_text(path, raw, "task"),
        nodes=pop_texts(path, raw, "replies"),
        edges=pop_texts(path, raw, "graph") or {},
        reverse=pop_texts(path, raw, "r_graph"),
        extra=raw,
    )


def write_sam(flow: StarView, path: Path) -> None:
    """Write a view of the flow graph as a schema of SAM; `OutputError` if that fails."""
    value: dict[str, Any] = {
        "task": flow.name,
        "replies": flow.nodes,
        "graph": flow.edges,
        "r_graph": flow.reverse,
    }
    write_json(path, {key: v for key, v in value.items() if v is not None} | flow.extra)


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
