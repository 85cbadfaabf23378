"""Shapes of JSON values: checked with findings, and described as JSON Schema by jsonschema.py.

    size = Record("a pizza", {"size": Field(Text("the size"), required=True)})
    fit({"size": 3}, size, report)      # {}, and a finding: size should be text, is a number

`fit` returns what is left when everything that does not fit is taken away, so that one mistake
hides no other.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from dialoom.errors import clip
from dialoom.schema.findings import Report, close, hint
from dialoom.schema.yaml.places import Pointer

NAME = r"[a-z][a-z0-9_]*"
"""Slots, nodes, tables and tasks are lower_snake_case."""

API_NAME = r"[A-Za-z][A-Za-z0-9_]*"
"""Columns, inputs and outputs are spelled as the API spells them."""

LONGEST, MOST = 1000, 5000
"""Characters of a text, and elements of a list or mapping."""

_GONE = object()
"""What `fit` returns for a value that does not fit at all."""


@dataclass(frozen=True)
class Text:
    """Text; `words` lists the only ones that will do, `pattern` how it is spelled."""

    what: str
    words: tuple[str, ...] = ()
    pattern: str | None = None
    longest: int = LONGEST


@dataclass(frozen=True)
class Number:
    """A number."""

    what: str
    whole: bool = False
    least: float | None = None
    most: float | None = None


@dataclass(frozen=True)
class Flag:
    """True or false."""

    what: str


@dataclass(frozen=True)
class Scalar:
    """Text, a number, or true or false."""

    what: str


@dataclass(frozen=True)
class Listed:
    """A list; with `lone` a single element may stand without the list."""

    what: str
    item: Shape
    lone: bool = False
    least: int = 0
    most: int = MOST


@dataclass(frozen=True)
class Mapped:
    """A mapping of names to values; with `bare` a list of names will do."""

    what: str
    key: Text
    item: Shape
    least: int = 0
    most: int = MOST
    bare: bool = False


@dataclass(frozen=True)
class Field:
    """A key of a record; its shape says what stands there."""

    shape: Shape
    required: bool = False


@dataclass(frozen=True)
class Record:
    """A mapping with known keys."""

    what: str
    fields: dict[str, Field] = field(default_factory=dict)


@dataclass(frozen=True)
class Choice:
    """One of several records: told by which key it has, or by the word at the key `by`.

    `missing` is the code of the finding where neither is there.
    """

    what: str
    records: dict[str, Record]
    by: str | None = None
    missing: str = "E103"


@dataclass(frozen=True)
class Either:
    """A word, or a record."""

    what: str
    text: Text
    record: Record


Shape: TypeAlias = "Text | Number | Flag | Scalar | Listed | Mapped | Record | Choice | Either"


def fit(value: Any, shape: Shape, report: Report, at: Pointer = ()) -> Any:
    """Return what of a value fits a shape; what does not goes into the report, and None remains."""
    found = _FITS[type(shape)](value, shape, report, at)
    return None if found is _GONE else found


def _fit(value: Any, shape: Shape, report: Report, at: Pointer) -> Any:
    return _FITS[type(shape)](value, shape, report, at)


def _wrong(value: Any, wanted: str, report: Report, at: Pointer, what: str) -> Any:
    tip = ""
    if wanted.startswith("text") and isinstance(value, bool | int | float):
        tip = f'; for text write "{str(value).lower()}" in quotes'
    report.add("E102", at, f"{what} should be {wanted}, not {kind(value)}{tip}")
    return _GONE


def kind(value: Any) -> str:
    """Say what kind of value this is.

    >>> kind(3), kind(["a"])
    ('a number', 'a list')
    """
    if isinstance(value, bool):
        return "true or false"
    names = {str: "text", int: "a number", float: "a number", list: "a list", dict: "a mapping"}
    return names.get(type(value), "empty")


def _text(value: Any, shape: Text, report: Report, at: Pointer) -> Any:
    if not isinstance(value, str):
        return _wrong(value, "text", report, at, shape.what)
    if not value.strip():
        report.add("E107", at, f"{shape.what} is empty; write some text or leave the key out")
        return _GONE
    if len(value) > shape.longest:
        report.add("E106", at, f"{shape.what} has more than {shape.longest} characters")
        return _GONE
    if shape.words and value not in shape.words:
        right = hint(value, shape.words)
        report.add("E104", at, f"{shape.what}: {clip(value, 60)!r} is not known; {right}")
        return _GONE
    if shape.pattern and not re.fullmatch(shape.pattern, value):
        report.add("E105", at, f"{shape.what}: {clip(value, 60)!r} should {_spelled(shape)}")
        return _GONE
    return value


def _spelled(shape: Text) -> str:
    if shape.pattern == NAME:
        return "be spelled in lower_snake_case"
    if shape.pattern == API_NAME:
        return "have letters, digits and _ only, and begin with a letter"
    return f"match {shape.pattern}"


def _number(value: Any, shape: Number, report: Report, at: Pointer) -> Any:
    wanted = "a whole number" if shape.whole else "a number"
    if isinstance(value, bool) or not isinstance(value, int if shape.whole else int | float):
        return _wrong(value, wanted, report, at, shape.what)
    if shape.least is not None and value < shape.least:
        report.add("E106", at, f"{shape.what} should be at least {shape.least:g}, not {value}")
        return _GONE
    if shape.most is not None and value > shape.most:
        report.add("E106", at, f"{shape.what} should be at most {shape.most:g}, not {value}")
        return _GONE
    return value


def _flag(value: Any, shape: Flag, report: Report, at: Pointer) -> Any:
    if isinstance(value, bool):
        return value
    return _wrong(value, "true or false", report, at, shape.what)


def _scalar(value: Any, shape: Scalar, report: Report, at: Pointer) -> Any:
    if isinstance(value, str | int | float):
        return value
    return _wrong(value, "text, a number, true or false", report, at, shape.what)


def _listed(value: Any, shape: Listed, report: Report, at: Pointer) -> Any:
    if shape.lone and value is not None and not isinstance(value, list | dict):
        found = _fit(value, shape.item, report, at)
        return [] if found is _GONE else [found]
    if not isinstance(value, list):
        return _wrong(value, "a list", report, at, shape.what)
    if not shape.least <= len(value) <= shape.most:
        _amount(len(value), shape, report, at)
    found = [
        _fit(item, shape.item, report, (*at, number))
        for number, item in enumerate(value[: shape.most])
    ]
    return [item for item in found if item is not _GONE]


def _amount(size: int, shape: Listed | Mapped, report: Report, at: Pointer) -> None:
    if size > shape.most:
        report.add("E106", at, f"{shape.what}: {size} are too many; at most {shape.most} will do")
    else:
        report.add("E107", at, f"{shape.what}: there should be at least {shape.least}")


def _mapped(value: Any, shape: Mapped, report: Report, at: Pointer) -> Any:
    if shape.bare and isinstance(value, list):
        names = _listed(value, Listed(shape.what, shape.key), report, at)
        return dict.fromkeys(names, None)
    if not isinstance(value, dict):
        return _wrong(value, "a mapping", report, at, shape.what)
    if not shape.least <= len(value) <= shape.most:
        _amount(len(value), shape, report, at)
    found: dict[str, Any] = {}
    for key, item in list(value.items())[: shape.most]:
        if _text(key, shape.key, report, (*at, key)) is _GONE:
            continue
        inner = None
        if not (shape.bare and item is None):
            inner = _fit(item, shape.item, report, (*at, key))
        if inner is not _GONE:
            found[key] = inner
    return found


def _record(value: Any, shape: Record, report: Report, at: Pointer) -> Any:
    if not isinstance(value, dict):
        return _wrong(value, "a mapping", report, at, shape.what)
    found: dict[str, Any] = {}
    mistyped: set[str] = set()
    for key, item in value.items():
        if key not in shape.fields:
            mistyped.add(_unknown(key, value, shape, report, at))
            continue
        inner = _fit(item, shape.fields[key].shape, report, (*at, key))
        if inner is not _GONE:
            found[key] = inner
    for key, inside in shape.fields.items():
        if inside.required and key not in value and key not in mistyped:
            report.add("E103", at, f"{shape.what} needs the key {key!r}: {inside.shape.what}")
    return found


def _unknown(key: str, value: dict[str, Any], shape: Record, report: Report, at: Pointer) -> str:
    """Report an unknown key; return the key that was meant, which is then not missing as well."""
    absent = [name for name in shape.fields if name not in value]
    right = hint(key, absent or shape.fields)
    report.add("E101", (*at, key), f"{shape.what} has no key {clip(key, 60)!r}; {right}")
    return close(key, absent) or ""


def _choice(value: Any, shape: Choice, report: Report, at: Pointer) -> Any:
    if not isinstance(value, dict):
        return _wrong(value, "a mapping", report, at, shape.what)
    word = _chosen(value, shape, report, at)
    if word is None:
        return _GONE
    found = _record(value, shape.records[word], report, at)
    # what is wrong with the telling key's own value does not change what it tells
    return found if shape.by else {word: None} | found


def _chosen(value: dict[str, Any], shape: Choice, report: Report, at: Pointer) -> str | None:
    if shape.by is not None:
        if shape.by not in value:
            right = ", ".join(shape.records)
            report.add("E103", at, f"{shape.what} needs the key {shape.by!r}, one of: {right}")
            return None
        word = Text(f"{shape.what}'s {shape.by}", words=tuple(shape.records))
        found = _text(value[shape.by], word, report, (*at, shape.by))
        return None if found is _GONE else str(found)
    present = [key for key in shape.records if key in value]
    if len(present) == 1:
        return present[0]
    either = " or ".join(repr(key) for key in shape.records)
    which = "only one of the keys" if present else "one of the keys"
    report.add(shape.missing, at, f"{shape.what} needs {which} {either}")
    return None


def _either(value: Any, shape: Either, report: Report, at: Pointer) -> Any:
    if isinstance(value, dict):
        return _record(value, shape.record, report, at)
    return _text(value, shape.text, report, at)


_FITS: dict[type, Callable[[Any, Any, Report, Pointer], Any]] = {
    Text: _text,
    Number: _number,
    Flag: _flag,
    Scalar: _scalar,
    Listed: _listed,
    Mapped: _mapped,
    Record: _record,
    Choice: _choice,
    Either: _either,
}
