"""Two-way codecs for single JSON values and lists, which records are made of (codec.py).

Many(TEXT).read(["a", "b"])       # ("a", "b")
TEXT.read(3)                      # UnfitError: is a whole number; expected a text
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec

from dialoom.errors import clip

Json = dict[str, Any]

T = TypeVar("T")

EXACT = 2**53
"""Below it, a number with a decimal point is the whole number that it looks like."""

_SPOKEN = {dict: "an object", list: "a list", str: "a text", int: "a whole number"}
_SPOKEN |= {bool: "true or false", float: "a number", type(None): "null"}
_DIGITS = re.compile(r"0|-?[1-9][0-9]{0,14}")
_CANONICAL = msgspec.json.Encoder(order="deterministic")


class UnfitError(Exception):
    """A value of a wrong type; the message continues the name of the value ("is a list")."""


class BrokenError(Exception):
    """An object that cannot be read; the message says why."""


class Codec(Protocol):
    """Converts a JSON value to a value of the model, and back."""

    def read(self, raw: Any) -> Any:
        """Return the value; `UnfitError` for a wrong type, `BrokenError` for a missing part."""

    def write(self, value: Any) -> Any:
        """Return the JSON value."""


class Kind:
    """A codec for values of some types, which the model has as they are."""

    def __init__(self, *types: type) -> None:
        self.types = frozenset(types)
        self.expected = " or ".join(_SPOKEN[each] for each in types)

    def read(self, raw: Any) -> Any:
        """Return the value."""
        if type(raw) not in self.types:
            raise unfit(raw, self.expected)
        return raw

    def write(self, value: Any) -> Any:
        """Return the value."""
        return value


class Whole(Kind):
    """A codec for whole numbers up to `most`; one spelled as "12" or as 12.0 is noted."""

    def __init__(self, *types: type, most: float = inf) -> None:
        super().__init__(*types)
        self.most = most

    def read(self, raw: Any) -> Any:
        """Return the number."""
        number = raw
        if (type(raw) is str and _DIGITS.fullmatch(raw)) or (
            type(raw) is float and abs(raw) < EXACT and raw.is_integer()
        ):
            number = int(raw)
        if type(number) in self.types and (type(number) is not int or abs(number) <= self.most):
            return number
        excerpt = f" ({clip(str(raw), 40)})" if isinstance(raw, str | float | int) else ""
        raise UnfitError(f"is {spoken(raw)}{excerpt}; expected {self.expected}, such as 12")


class FunctionCodec(NamedTuple):
    """A codec of two functions; by default a value is written as it is."""

    read: Callable[[Any], Any]
    write: Callable[[Any], Any] = lambda value: value


class Many:
    """A codec for lists, which are tuples in the model."""

    def __init__(self, entry: Codec) -> None:
        self.entry = entry

    def read(self, raw: Any) -> tuple[Any, ...]:
        """Return the entries."""
        if type(raw) is not list:
            raise unfit(raw, "a list")
        return tuple(map(_inside(self.entry), raw))

    def write(self, value: Iterable[Any]) -> list[Any]:
        """Return the list."""
        return list(map(self.entry.write, value))


class ByKey:
    """A codec for objects with any keys and values of one type."""

    def __init__(self, entry: Codec) -> None:
        self.entry = entry

    def read(self, raw: Any) -> Json:
        """Return the values by key."""
        if type(raw) is not dict:
            raise unfit(raw, "an object")
        read = _inside(self.entry)
        return {key: read(value) for key, value in raw.items()}

    def write(self, value: Mapping[str, Any]) -> Json:
        """Return the object."""
        return {key: self.entry.write(member) for key, member in value.items()}


@dataclass(frozen=True)
class Converted:
    """A codec with conversion functions; spellings that writing would change are noted."""

    codec: Codec
    to_model: Callable[[Any], Any]
    to_json: Callable[[Any], Any]

    def read(self, raw: Any) -> Any:
        """Return the value of the model."""
        return self.to_model(self.codec.read(raw))

    def write(self, value: Any) -> Any:
        """Return the JSON value."""
        return self.codec.write(self.to_json(value))


TEXT, FLAG = Kind(str), Kind(bool)


def renamed(names: Mapping[str, str]) -> Converted:
    """Return a codec for texts of which some have another name in the model, such as speakers."""
    back = {new: old for old, new in names.items()}
    return Converted(TEXT, lambda text: names.get(text, text), lambda text: back.get(text, text))


WHOLE, WHOLE_OR_NULL = Whole(int), Whole(int, type(None))
SCALAR = Kind(str, int, float, bool, type(None))
LIST, OBJECT = Kind(list), Kind(dict)
ANY = Kind(str, int, float, bool, type(None), list, dict)
TEXTS, SCALARS, OBJECTS = Many(TEXT), Many(SCALAR), Many(OBJECT)


def unfit(raw: Any, expected: str) -> UnfitError:
    """Return the error for a value of a type other than the expected one."""
    return UnfitError(f"is {spoken(raw)}; expected {expected}")


def _inside(entry: Codec) -> Callable[[Any], Any]:

    def read(raw: Any) -> Any:
        try:
            return entry.read(raw)
        except UnfitError as error:
            raise UnfitError(f"has an entry that {error}") from error

    return read


def alike(one: Any, other: Any) -> bool:
    """True if two JSON values are the same; 1, 1.0 and true differ."""
    if type(one) is not type(other):
        return False
    return one == other if type(one) is int else _CANONICAL.encode(one) == _CANONICAL.encode(other)


def alike_values(one: Any, other: Any) -> bool:
    """True if two values of the model are the same."""
    return one is other or (one == other and _CANONICAL.encode(one) == _CANONICAL.encode(other))


def at(value: Any, kind: type[T], *keys: str) -> T:
    """Return the value of some type under keys, one within another; else the type's empty value."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, kind) else kind()


def text_at(value: Any, key: str) -> str | None:
    """Return the text under a key; None if there is none."""
    text = at(value, dict).get(key)
    return text if isinstance(text, str) else None


def without(value: Mapping[str, Any], *keys: str) -> Json:
    """Return an object without some of its keys."""
    return {key: member for key, member in value.items() if key not in keys}


def spoken(value: Any) -> str:
    """Return the type of a value in words, for messages."""
    return _SPOKEN.get(type(value), type(value).__name__)
