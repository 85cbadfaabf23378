"""Finds the values of a settings file that are not of their settings' types."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec

from dialoom.collect.settings import Settings
from dialoom.dialogue.annotation import Struct
from dialoom.errors import DialoomError, UnknownNameError
from dialoom.schema.places import Pointer


class Mistake(NamedTuple):
    """A mistake in a settings file: where it is, what is wrong, and what would be right.

    `code` is one of `dialoom.errors.CODES`, where a study is refused for it alone.
    """

    pointer: Pointer
    what: str
    code: str = ""

    def __str__(self) -> str:
        return f"{spelled(self.pointer) or 'settings'}: {self.what}"


def spelled(pointer: Pointer) -> str:
    """Return a pointer as text: `stages[0].questions[2].right`."""
    names = (f"[{key}]" if isinstance(key, int) else f".{key}" for key in pointer)
    return "".join(names).lstrip(".")


def caught(pointer: Pointer, action: Callable[..., object], *arguments: Any) -> Iterator[Mistake]:
    """Yield the user's mistake that an action raises."""
    try:
        action(*arguments)
    except DialoomError as error:
        yield mistake_of(pointer, error)


def mistake_of(pointer: Pointer, error: DialoomError) -> Mistake:
    """Return an error as the mistake at a place."""
    return Mistake(pointer, str(error).removeprefix(f"{spelled(pointer)}: "), error.code)


def type_mistakes(value: Any, kind: Any = Settings, here: Pointer = ()) -> Iterator[Mistake]:
    """Yield the mistakes in a JSON value that should be of a `kind`: types, and unknown names."""
    for each in _alternatives(kind):
        of = get_args(each)
        if isinstance(each, type) and issubclass(each, Struct) and isinstance(value, Mapping):
            yield from _group_mistakes(value, each, here)
            return
        if get_origin(each) is dict and isinstance(value, Mapping):
            for name, part in value.items():
                yield from type_mistakes(part, of[1], (*here, name))
            return
        if get_origin(each) is tuple and of[-1] is ... and isinstance(value, list | tuple):
            for number, part in enumerate(value):
                yield from type_mistakes(part, of[0], (*here, number))
            return
    names = [
        n for each in _alternatives(kind) if get_origin(each) is Literal for n in get_args(each)
    ]
    if names and isinstance(value, str) and value not in names:
        yield Mistake(here, str(UnknownNameError(spelled(here), value, names)))
        return
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        yield Mistake((*here, *_inner(error)), readable(error))


def _alternatives(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


def _group_mistakes(
    value: Mapping[str, Any], group: type[Struct], here: Pointer
) -> Iterator[Mistake]:
    kinds = get_type_hints(group, include_extras=True)
    for name, part in value.items():
        if name in kinds:
            yield from type_mistakes(part, kinds[name], (*here, name))
        else:
            what = str(UnknownNameError("setting", str(name), kinds))
            yield Mistake((*here, name), what)
    for field in msgspec.structs.fields(group):
        if field.required and field.name not in value:
            yield Mistake((*here, field.name), "it is missing")


_KINDS = {
    "array": "a list",
    "object": "names with values",
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "null": "nothing",
}
"""Name of a type in msgspec's messages to the words for it in ours."""

_LIMITS = {">=": "of at least", ">": "above", "<=": "of at most", "<": "below"}

_EXPECTED = re.compile(r"Expected `(.+?)`(?:, got `(.+?)`| ([<>]=?) ([^ ]+))(?: - at .*)?")


def readable(error: msgspec.ValidationError) -> str:
    """Return the message of a validation error of msgspec in plain words, without the place."""
    match = _EXPECTED.fullmatch(str(error))
    if match is None:
        return str(error).partition(" - at ")[0]
    right, actual = (
        " or ".join(_KINDS.get(kind, kind) for kind in (kinds or "").split(" | "))
        for kinds in (match[1], match[2])
    )
    if match[3]:
        return f"right would be {right} {_LIMITS[match[3]]} {match[4].removesuffix('.0')}"
    return f"{actual}; right would be {right}"


def _inner(error: msgspec.ValidationError) -> Pointer:
    """Return the place inside a value that an error of msgspec names: 2 for `$[2]`."""
    parts = re.findall(r"\w+", str(error).partition(" - at `$")[2])
    return tuple(int(part) if part.isdecimal() else part for part in parts)
