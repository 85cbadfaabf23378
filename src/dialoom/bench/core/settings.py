"""Reads settings given as NAME=VALUE texts into the fields of a dataclass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, fields
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from dialoom.arguments import range_of
from dialoom.errors import UnknownNameError, UsageError, check_name, clip

YES_NO = {"yes": True, "no": False}
NUMBERS = {int: "a whole number", float: "a number"}


def read(owner: type[Any], pairs: Iterable[str], what: str) -> dict[str, Any]:
    """Read NAME=VALUE texts as fields of the dataclass `owner`.

    Values of a tuple have commas between them, or come in several texts of one name; truth values
    are yes or no. `what` is the singular for messages ("setting of model follower").
    `UnknownNameError` for names and listed values, `UsageError` for other texts.
    """
    types = types_of(owner)
    values: dict[str, Any] = {}
    for pair in pairs:
        name, sign, text = pair.partition("=")
        if not (name and sign):
            raise UsageError(f"{pair}: expected NAME=VALUE, a {what}")
        name = name.replace("-", "_")
        check_name(what, name, types)
        value = _value(text, types[name], f"{what} {name}")
        values[name] = values[name] + value if isinstance(values.get(name), tuple) else value
    return values


def spelled(settings: Any) -> dict[str, str]:
    """Return setting to its value as text; truth values are yes or no."""
    words = {value: word for word, value in YES_NO.items()}
    return {
        name: words[value] if isinstance(value, bool) else str(value)
        for name, value in asdict(settings).items()
    }


def types_of(owner: type[Any]) -> dict[str, Any]:
    """Return the type of each setting of a dataclass."""
    hints = get_type_hints(owner, include_extras=True)
    return {field.name: hints[field.name] for field in fields(owner) if field.init}


def _value(text: str, type_: Any, what: str) -> Any:
    for read in _readings(text):
        try:
            return msgspec.convert(read, type_, strict=False)
        except msgspec.ValidationError:
            continue
    choices = list(_choices(type_))
    if choices:
        raise UnknownNameError(what.rpartition(" ")[2], text, choices)
    raise UsageError(f"{what}: {clip(text)!r} should be {_expected(type_)}", code="wrong-value")


def _readings(text: str) -> Iterator[Any]:
    yield text
    if text in YES_NO:
        yield YES_NO[text]
    yield [part for part in text.split(",") if part]
    try:
        yield msgspec.json.decode(text)
    except msgspec.DecodeError:
        return


def _expected(type_: Any) -> str:
    if type_ is bool:
        return "yes or no"
    if isinstance(type_, UnionType) or get_origin(type_) is Union:
        return " or ".join(_expected(part) for part in get_args(type_) if part is not NoneType)
    if get_origin(type_) is tuple:
        return f"{_expected(get_args(type_)[0])}, several with commas between"
    if get_origin(type_) is Annotated:
        kind, *limits = get_args(type_)
        ranges = [range_of(limit) for limit in limits if isinstance(limit, Meta)]
        return " ".join([_expected(kind), *filter(None, ranges)])
    return NUMBERS.get(type_) or f"of type {getattr(type_, '__name__', type_)}"


def _choices(type_: Any) -> Iterator[str]:
    if get_origin(type_) is Literal:
        yield from map(str, get_args(type_))
    else:
        for part in get_args(type_):
            yield from _choices(part)
