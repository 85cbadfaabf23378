"""Marks: what a chat file has beyond the data model, kept under one key of `extra`.

    {"chat": {"keys": {"weight": 1}, "layout": "compact"}}

`keys` has the keys of a message that are no fields; other marks are about spelling. Only what is
under this key is written again, since providers refuse keys that they do not know. A format's own
additions to a conversation or message are set apart under `OWN`, and kept in the layout of
`extra`: no other format writes them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Any

import msgspec
from msgspec.structs import replace

from dialoom.corpus.files import check_depth
from dialoom.dialogue import Dialogue
from dialoom.formats.base.codec import LAYOUT
from dialoom.formats.base.multi_file import FileFormat
from dialoom.formats.base.values import Json, alike, at, without

MARKS = "chat"

OWN = "own marks"
"""The key of the marks that a format adds: in a conversation or message, and in the layout."""

AS_IT_IS = "name as it is"
"""The mark of a function with a name that providers refuse."""

SPACED = "spaced"
"""The default layout of JSON text in messages: that of Python's `json.dumps`, but with non-ASCII
letters as they are."""

_LAYOUTS: dict[str, Callable[[Any], str]] = {
    SPACED: json.JSONEncoder(ensure_ascii=False).encode,
    "spaced ascii": json.JSONEncoder().encode,
    "compact": json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode,
    "compact ascii": json.JSONEncoder(separators=(",", ":")).encode,
    "indented by 2": json.JSONEncoder(ensure_ascii=False, indent=2).encode,
    "indented by 4": json.JSONEncoder(ensure_ascii=False, indent=4).encode,
}


def marks_of(extra: Mapping[str, Any]) -> Json:
    """Return the marks in an `extra`; empty if it is of another format."""
    return at(extra, dict, MARKS)


def own_of(extra: Mapping[str, Any]) -> Json:
    """Return the marks that a format added to a conversation or message."""
    return at(extra, dict, LAYOUT, OWN)


def set_apart(value: Json, *names: str) -> Json:
    """Return a conversation or message with the marks of these names apart from its keys."""
    own = {name: value[name] for name in names if name in value}
    return without(value, *own) | {OWN: at(value, dict, OWN) | own} if own else value


def put_back(value: Json, *names: str) -> Json:
    """Return a conversation with the marks of these names among its keys, and no others."""
    several = (value, *value["messages"])
    whole, *messages = (
        without(each, OWN) | {key: v for key, v in at(each, dict, OWN).items() if key in names}
        for each in several
    )
    return whole | {"messages": messages}


UNNAMED = "unnamed"
"""The mark of a dialogue, or of a call, without an id in its file."""


def positional(file: str, number: int) -> str:
    """Return the id of a dialogue without one: its file and its number, from 1."""
    return f"{PurePath(file).stem}-{number}"


class MessageFile(FileFormat):
    """A format of chat messages: dialogues without an id have their position for it."""

    def batches(self, dialogues: Iterable[Dialogue]) -> Iterator[tuple[str, list[Dialogue]]]:
        """Yield each file's name and dialogues; an id is written that would change otherwise."""
        for name, batch in super().batches(dialogues):
            yield (
                name,
                [
                    each if each.id == positional(name, number) else named(each)
                    for number, each in enumerate(batch, start=1)
                ],
            )


def named(dialogue: Dialogue) -> Dialogue:
    """Return a dialogue whose id is written, although its file had none."""
    marks = marks_of(dialogue.extra)
    if UNNAMED not in marks:
        return dialogue
    rest = without(dialogue.extra, MARKS) | extra(without(marks, UNNAMED))
    return replace(dialogue, extra=rest)


def tool_call(name: str, function: Json) -> Json:
    """Return a call with this id in the OpenAI wire format."""
    return {"id": name, "type": "function", "function": function}


def extra(marks: Json) -> Json:
    """Return the `extra` with these marks, without empty ones."""
    notes = {name: value for name, value in marks.items() if name != "keys" or value}
    return {MARKS: notes} if notes else {}


def parse(text: str) -> Any:
    """Return the value of a JSON text; `ValueError` if it is not JSON, or too deep."""
    try:
        value = msgspec.json.decode(text)
        check_depth(value)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise ValueError(str(error)) from error
    return value


def parsed(arguments: Any) -> Any:
    """Return the value of arguments that are a JSON text; others as they are."""
    try:
        return parse(arguments) if isinstance(arguments, str) else arguments
    except ValueError:
        return arguments


def layout(value: Any, text: str) -> Json:
    """Return the marks with which `spell` gives this text for this value."""
    for name, spelling in _LAYOUTS.items():
        if spelling(value) == text:
            return {} if name == SPACED else {"layout": name}
    return {"spelling": text}


def spell(value: Any, marks: Mapping[str, Any]) -> str:
    """Return a value as JSON text, in the layout of its marks if they are about this value."""
    text = marks.get("spelling")
    if isinstance(text, str):
        try:
            if alike(parse(text), value):
                return text
        except ValueError:
            pass  # a mark that was changed by hand
    return _LAYOUTS.get(str(marks.get("layout")), _LAYOUTS[SPACED])(value)
