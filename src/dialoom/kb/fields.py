"""Columns of the database: their kinds, and values as they are stored, loaded and compared.

    kind      SQLite       compared
    word      TEXT         exactly: canonical values, dates, times
    text      TEXT         ignoring case: names and free text (an indexed copy is case-folded)
    integer   INTEGER
    real      NUMERIC      whole amounts stay integers
    boolean   INTEGER      0 and 1
    list      TEXT         JSON; constraints test its elements

A value of another type is converted to the column's type if that is clear ("4" in a column of
numbers, 4 in one of words); otherwise it equals no value of the column.
"""

from __future__ import annotations

import math
import re
from bisect import bisect
from itertools import accumulate
from typing import Any, Literal

import msgspec

from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.constraint import as_float
from dialoom.errors import UsageError, check_name
from dialoom.kb.domain import Domain, column_domain
from dialoom.schema.call import Column
from dialoom.schema.slot import Slot

Kind = Literal["word", "text", "integer", "real", "boolean", "list"]

DECLARED: dict[Kind, str] = {
    "word": "TEXT",
    "text": "TEXT",
    "integer": "INTEGER",
    "real": "NUMERIC",
    "boolean": "INTEGER",
    "list": "TEXT",
}
"""Kind to its SQLite type."""

KINDS: dict[str, Kind] = {
    "categories": "list",
    "steps": "list",
    "short text": "text",
    "long text": "text",
    "text": "text",
    "integer": "integer",
    "serial": "integer",
    "boolean": "boolean",
    "amount": "real",
    "number": "real",
}
"""Type of slot or column to its kind; other types are words."""

LOADED: frozenset[Kind] = frozenset({"boolean", "list"})
"""The kinds whose stored values differ from the canonical ones."""

WORDED: frozenset[Kind] = frozenset({"word", "text"})
"""The kinds that store a text as it is."""

FOLDED = ":folded"
"""Suffix of the name of a text column's casefolded copy."""

ROW = ":row"
"""The column that numbers the rows."""

LARGEST = 2**63 - 1
"""The largest integer SQLite stores."""

_NUMBER = re.compile(r"-?\d{1,18}(?:\.\d{1,30})?")
_TRUTHS = {"true": 1, "false": 0}

SqlValue = str | int | float | None


class MismatchError(ValueError):
    """A value that does not equal any possible value of the column."""


class Field(Struct, frozen=True, kw_only=True):
    """A column of a table: its kind, the domain of its values, and the sums of their weights."""

    name: str
    kind: Kind
    domain: Domain | None = None
    along: str | None = None
    weights: tuple[int, ...] = ()

    def place(self, number: int) -> int:
        """Return the index of a value for a random number, by the weights of the values."""
        return bisect(self.weights, number % self.weights[-1]) if self.weights else number

    @property
    def sql(self) -> str:
        """The name, quoted for SQL."""
        return quote(self.name)

    @property
    def compared(self) -> str:
        """The column that is compared in SQL: for texts the case-folded copy."""
        return quote(self.name + FOLDED) if self.kind == "text" else self.sql

    @property
    def serial(self) -> bool:
        """True if its values number the rows."""
        return self.domain is not None and self.domain.serial

    @property
    def values(self) -> Domain:
        """The domain from which values are drawn; `UsageError` if there is none."""
        if self.domain is None:
            raise UsageError(
                f"column {self.name} has nothing to draw from: give it values, a minimum and a "
                "maximum, or a slot with examples",
                code="no-values",
            )
        return self.domain


def read_field(column: Column, slots: dict[str, Slot]) -> Field:
    """Return the field of a column; `UnknownNameError` if its slot does not exist."""
    slot = None
    if column.slot is not None:
        check_name("slot", column.slot, slots)
        slot = slots[column.slot]
    domain = column_domain(column, slot)
    kind = _kind(column, slot)
    weights = _sums(column, domain)
    return Field(name=column.name, kind=kind, domain=domain, along=column.along, weights=weights)


def _sums(column: Column, domain: Domain | None) -> tuple[int, ...]:
    if domain is None or not column.weights:
        return ()
    values = (str(domain.at(place)) for place in range(domain.size))
    return tuple(accumulate(column.weights.get(value, 1) for value in values))


def _kind(column: Column, slot: Slot | None) -> Kind:
    if column.lists:
        return "list"
    kind = KINDS.get(slot.type if slot is not None else column.type, "word")
    if kind == "word" and column.values:
        return _kind_of_values(column.values)
    return kind


def _kind_of_values(values: tuple[Any, ...]) -> Kind:
    types = {type(value) for value in values}
    if types == {bool}:
        return "boolean"
    if types == {int}:
        return "integer"
    if types <= {int, float}:
        return "real"
    return "list" if types <= {list, tuple} else "word"


def quote(name: str) -> str:
    """Return a name quoted for SQL, whatever characters it has."""
    return '"' + name.replace('"', '""') + '"'


def fold(value: Any) -> str | None:
    """Return a value as text with its case folded; None for None."""
    return None if value is None else str(value).casefold()


def store(field: Field, value: Any) -> SqlValue:
    """Return a value as the database stores it; `UsageError` if the column cannot."""
    if value is None or (type(value) is str and field.kind in WORDED and value.isascii()):
        return value
    try:
        if field.kind == "list":
            elements = value if isinstance(value, list | tuple) else [value]
            entries = [each if isinstance(each, bool) else _element(each) for each in elements]
            return msgspec.json.encode(entries).decode()
        stored = _word(value) if field.kind == "text" else match(field, value)
    except MismatchError as error:
        raise UsageError(
            f"{field.name} ({field.kind}) cannot be {_show(value)}", code="wrong-value"
        ) from error
    if isinstance(stored, float) and (field.kind == "integer" or math.isinf(stored)):
        raise UsageError(
            f"{field.name} ({field.kind}) cannot be {_show(value)}", code="wrong-value"
        )
    return stored


def _show(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:79] + "…"


def match(field: Field, value: Any) -> SqlValue:
    """Return a value as columns compare it; `MismatchError` if it equals no possible value."""
    if value is None:
        return None
    return _MATCHES[field.kind](value)


def _word(value: Any) -> str:
    if isinstance(value, str):
        return value if value.isascii() else _writable(value)
    if isinstance(value, int | float):
        return str(value)
    raise MismatchError


def _folded(value: Any) -> str:
    return _word(value).casefold()


def _number(value: Any) -> int | float:
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        value = float(value) if "." in value else int(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise MismatchError
    if isinstance(value, int):
        return value if -LARGEST <= value <= LARGEST else as_float(value)
    if math.isnan(value):
        raise MismatchError
    return int(value) if value.is_integer() and abs(value) <= 2**53 else value


def _truth(value: Any) -> int:
    if isinstance(value, str) and value.casefold() in _TRUTHS:
        return _TRUTHS[value.casefold()]
    if not isinstance(value, bool):
        raise MismatchError
    return int(value)


def _element(value: Any) -> str | int | float:
    if isinstance(value, str):
        return _writable(value)
    return _truth(value) if isinstance(value, bool) else _number(value)


def _writable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise MismatchError from error
    return text


_MATCHES = {
    "word": _word,
    "text": _folded,
    "integer": _number,
    "real": _number,
    "boolean": _truth,
    "list": _element,
}


def load(field: Field, value: Any) -> Any:
    """Return the canonical form of a stored value."""
    if value is None:
        return None
    if field.kind == "boolean":
        return bool(value)
    return msgspec.json.decode(value) if field.kind == "list" else value
