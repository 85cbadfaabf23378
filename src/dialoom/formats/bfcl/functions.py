"""The functions of BFCL's questions: those of a question itself, else those of its classes.

{"function": [{"name": "add", "description": "…", "parameters": {"type": "dict", …}}]}
{"involved_classes": ["MathAPI"], "excluded_function": ["mean"],
 "missed_function": {"2": ["sum_values"]}}                   # there from the third turn on
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from dialoom.corpus.listing import file_or_gz, listed
from dialoom.errors import DialoomError
from dialoom.formats.base.framing import values
from dialoom.formats.base.multi_file import content
from dialoom.formats.base.values import Json, at
from dialoom.formats.chat.tools import definitions
from dialoom.schema.lexicon import split_name

DOCS = "multi_turn_func_doc"
"""The folder of the functions' definitions, next to the questions."""

FILES = {
    "MemoryAPI_kv": "memory_kv",
    "MemoryAPI_rec_sum": "memory_rec_sum",
    "MemoryAPI_vector": "memory_vector",
    "TravelAPI": "travel_booking",
    "TwitterAPI": "posting_api",
    "VehicleControlAPI": "vehicle_control",
    "WebSearchAPI": "web_search",
}
"""Class to the name of its file of functions, where that is not the name of the class."""

_SHARED = ("string", "integer", "number", "boolean", "array", "object", "null")
_TYPES = {each: each for each in _SHARED} | {"dict": "object", "float": "number", "tuple": "array"}
"""Type of a parameter to that of JSON Schema, which has none for `any` and those of Java."""

_DOC = re.compile(r"[^/]+\.json")


def tools_of(value: Json, folder: Path) -> list[Json]:
    """Return a question's functions as tools in the OpenAI wire format.

    `folder` is that of the question's file.
    """
    functions: list[Json] = list(definitions(value.get("function")))
    if not functions:
        classes = (str(name) for name in at(value, list, "involved_classes"))
        names = (FILES.get(name) or "_".join(split_name(name)) for name in classes)
        files = (file_or_gz(folder / DOCS / f"{name}.json") for name in names)
        excluded = at(value, list, "excluded_function")
        pool = (each for file in files if file is not None for each in _defined(file))
        functions = [each for each in pool if each["name"] not in excluded]
    return [{"type": "function", "function": _function(each)} for each in functions]


def _function(defined: Json) -> Json:
    fields = {key: defined[key] for key in ("name", "description") if key in defined}
    return fields | {"parameters": _schema(defined["parameters"])}


def _schema(value: Any) -> Any:
    """Return part of a JSON Schema with the types that it should have."""
    if isinstance(value, list):
        return [_schema(each) for each in value]
    if not isinstance(value, dict):
        return value
    fields = {key: _schema(each) for key, each in value.items()}
    if isinstance(kind := fields.pop("type", None), str):
        return ({"type": _TYPES[kind]} if kind in _TYPES else {}) | fields
    return fields if kind is None else fields | {"type": kind}


def missing(value: Json, turn: int) -> set[str]:
    """Return the names of the functions that come after a turn of a question, by its keys."""
    later = at(value, dict, "missed_function")
    names = (at(later, list, each) for each in later if each.isdecimal() and int(each) > turn)
    return {str(name) for several in names for name in several}


def parameters(folder: Path) -> dict[str, tuple[str, ...]]:
    """Return the parameters of each function that the files of a folder define, in order."""
    files = listed(folder, _DOC) if folder.is_dir() else []
    functions = (each for file in files for each in _defined(file))
    return {each["name"]: tuple(at(each, dict, "parameters", "properties")) for each in functions}


@lru_cache(maxsize=64)
def _defined(file: Path) -> tuple[Json, ...]:
    try:
        return tuple(each for value in values(content(file), file) for each in definitions(value))
    except DialoomError:
        return ()  # a file that holds no definitions
