"""BFCL, the Berkeley Function-Calling Leaderboard (Patil et al. 2025): questions and their calls.

    BFCL_v4_multi_turn_base.json                  JSON lines, one for each dialogue
    possible_answer/BFCL_v4_multi_turn_base.json  the calls that each turn needs
    multi_turn_func_doc/*.json                    the functions; they name arguments without a name

    {"id": "multi_turn_base_0", "question": [[{"role": "user", "content": "Move it."}], …],
     "involved_classes": ["GorillaFileSystem"], "initial_config": {…}, "path": [ … ]}
    {"id": "multi_turn_base_0", "ground_truth": [["cd(folder='a')", "mv('b')"], …]}
    {"function": [{"name": "add", "description": "…", "parameters": {"type": "dict", …}}],
     "missed_function": {"2": ["sum_values"]}}                   # there from the third turn on

The user says the messages of each turn; the calls of its answer follow as queries without results.
The agent says nothing, for the benchmark has no words of it. Questions of a single turn are read,
too: their answer lists the values that each argument may have, and the query has the first of them.
Answers in words (memory, web search) are kept and give no queries. Without a file of answers next
to the questions, each question's own `ground_truth` is its answer, if it has one. The classes are
the dialogue's services, and the functions, its own or those of the classes, its tools. Version 1
has a text as question. The format is only read.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from dialoom.corpus import listing
from dialoom.corpus.listing import file_or_gz, listed
from dialoom.corpus.traits import Traits
from dialoom.dialogue import Dialogue
from dialoom.dialogue.spelled_calls import Parameters, spelled
from dialoom.errors import DialoomError
from dialoom.formats.base.framing import values
from dialoom.formats.base.multi_file import content
from dialoom.formats.base.signs import Sign, Signs
from dialoom.formats.base.values import Json, at, without
from dialoom.formats.chat.marks import tool_call
from dialoom.formats.chat.tools import definitions
from dialoom.formats.chat.wrapped import Wrapping, keys_of, wrapped
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


_CALL = re.compile(r"[\w.]+\(")


def answers_of(file: Path) -> dict[str, Any]:
    """Return the answers by question id; `FormatError` if their file is not JSON."""
    place = file_or_gz(file.with_name(listing.plain(file.name)))
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


ANSWERS = "possible_answer"
"""The folder of answers, next to the questions; its files have the names of theirs."""

_SIZES, ANSWER = "turn sizes", "ground_truth"
"""Keys of a conversation: the number of messages of each turn of the question, and its answer."""


def plain(value: Json, file: Path) -> Json:
    """Return the conversation of a question with the calls of its answer."""
    answers = answers_of(file.parent / ANSWERS / file.name)
    answer = answers.get(str(value.get("id")), value.get(ANSWER))
    question = value.get("question")
    if isinstance(question, str):
        question = [[{"role": "user", "content": question}]]
    turns = [t if isinstance(t, list) else [t] for t in question] if question else []
    messages: list[Any] = []
    for number, turn in enumerate(turns):
        messages += turn
        calls = _calls(answer, number, len(turns))
        results = (call_of(call, file, f"call_{number + 1}_{n}") for n, call in enumerate(calls, 1))
        if requests := list(filter(None, results)):
            messages.append({"role": "assistant", "content": None, "tool_calls": requests})
    more: Json = {} if answer is None else {ANSWER: answer}
    if tools := tools_of(value, file.parent):
        more["tools"] = tools
    return without(value, "question") | {"messages": messages, _SIZES: list(map(len, turns))} | more


def _calls(answer: Any, number: int, turns: int) -> list[Any]:
    """Return the calls of a turn; questions of a single turn have no lists for each turn."""
    if not isinstance(answer, list):
        return []
    if all(isinstance(each, list) for each in answer):
        return answer[number] if number < len(answer) else []
    return answer if number == turns - 1 else []


def enrich(dialogue: Dialogue) -> Dialogue:
    """Return a dialogue with the classes of functions as its services."""
    classes = keys_of(dialogue.extra).get("involved_classes")
    valid = isinstance(classes, list) and all(isinstance(each, str) for each in classes)
    return replace(dialogue, services=tuple(classes) if valid and classes else ())


FORMAT = wrapped(
    "bfcl",
    Wrapping(plain, enrich=enrich, marks=(_SIZES,)),
    Signs("question[][].role", "question[][].content"),
    Signs(Sign("question", str), "function.parameters"),
    Signs(Sign("question", str), "function[].parameters"),
    new_name="BFCL_{:03d}.jsonl",
    traits=Traits(answers=False, read_only=True),
)
