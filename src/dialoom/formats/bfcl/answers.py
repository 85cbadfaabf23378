"""The answers of BFCL: calls as Python spells them, or as the values that arguments may have.

call_of("mv('a', to='b')", file, "1")              # {"id": "1", …, "arguments": {"source": "a", …
call_of({"add": {"a": [1, 1.0]}}, file, "1")       # the first of the values
call_of("Ada", file, "1")                          # None: an answer in words
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from dialoom.corpus.listing import file_or_gz, plain
from dialoom.dialogue.spelled_calls import Parameters, spelled
from dialoom.formats.base.framing import values
from dialoom.formats.base.multi_file import content
from dialoom.formats.base.values import Json, at
from dialoom.formats.bfcl.functions import DOCS, parameters
from dialoom.formats.chat.marks import tool_call

_CALL = re.compile(r"[\w.]+\(")


def answers_of(file: Path) -> dict[str, Any]:
    """Return the answers by question id; `FormatError` if their file is not JSON."""
    place = file_or_gz(file.with_name(plain(file.name)))
    return {} if place is None else _answers(place, place.stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _answers(place: Path, changed: int) -> dict[str, Any]:
    records = (each for each in values(content(place), place) if isinstance(each, dict))
    return {str(each.get("id")): each.get("ground_truth") for each in records}


def call_of(call: Any, file: Path, name: str) -> Json | None:
    """Return a tool call, in the OpenAI wire format, for a call of an answer; None for words."""
    if isinstance(call, str) and not _CALL.match(call.strip()):
        return None
    function: Json = {"name": str(call)}
    if isinstance(call, str):
        function = _parsed(call, parameters(file.parent / DOCS)) or function
    elif isinstance(call, dict) and len(call) == 1:
        [(callee, arguments)] = call.items()
        function = {"name": callee, "arguments": _first(at(arguments, dict))}
    return tool_call(name, function)


def _first(arguments: Json) -> Json:
    """Return the first value of each key, without the keys that may best be absent ("")."""
    first = {key: v[0] if isinstance(v, list) and v else v for key, v in arguments.items()}
    return {key: _inner(value) for key, value in first.items() if value != ""}


def _inner(value: Any) -> Any:
    """Return a value of which each key of an object lists the values that it may have."""
    if isinstance(value, list):
        return [_inner(each) for each in value]
    has_lists = isinstance(value, dict) and all(isinstance(each, list) for each in value.values())
    return _first(value) if has_lists else value


def _parsed(text: str, catalogue: Parameters) -> Json | None:
    call = spelled(text.strip(), catalogue)
    try:
        msgspec.json.encode(call)
    except (ValueError, TypeError, RecursionError):
        return None
    return call and {"name": call[0], "arguments": call[1]}
