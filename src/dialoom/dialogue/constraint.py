"""Constraints of a knowledge-base query, and the grammar in which STAR writes them.

    "Hilton Hotel"              equal, a plain literal
    api.is_equal_to("Cheap")    equal, spelled out
    api.is_one_of(["1st","2nd"])
    api.is_at_least(3)          also is_at_most, is_less_than, is_greater_than, is_not
    api.contains("Park")        also contains_not

STAR writes constraints as text that looks like Python, and its own code evaluates it. Here regular
expressions parse a literal, a flat list of literals, or one call with either of them; without
nesting no input can recurse. Other text is kept as it is, with no operator.
"""

from __future__ import annotations

import json
import math
import operator
import re
from collections.abc import Callable
from typing import Any, Literal

from dialoom.dialogue.annotation import DefaultedStruct, Value

Operator = Literal[
    "equal", "one_of", "at_least", "at_most", "less", "greater", "contains", "contains_not", "not"
]

CALLS: dict[str, Operator] = {
    "is_equal_to": "equal",
    "is_one_of": "one_of",
    "is_at_least": "at_least",
    "is_at_most": "at_most",
    "is_less_than": "less",
    "is_greater_than": "greater",
    "contains": "contains",
    "contains_not": "contains_not",
    "is_not": "not",
}
"""Function of the published API to its operator here (STAR paper, appendix C)."""

_quote = json.JSONEncoder(ensure_ascii=False).encode

NAMES: dict[Operator, str] = {operator: call for call, operator in CALLS.items()}

MAX_LENGTH = 20_000
"""Longer texts are not parsed, but kept; no published constraint has over 300 characters."""

_CALL = re.compile(r"api\.([a-z_]+)\((.*)\)", re.DOTALL)
_STRING = r'"(?:[^"\\]|\\.)*"' + r"|'(?:[^'\\]|\\.)*'"
_NUMBER = r"-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,30})?(?:e[+-]?[0-9]{1,3})?"
_ATOM = rf"(?:{_STRING}|{_NUMBER}|True|False|None|null)"
_ATOM_ONLY = re.compile(_ATOM, re.DOTALL)
_LIST = re.compile(rf"\[\s*(?:{_ATOM}(?:\s*,\s*{_ATOM})*)?\s*\]", re.DOTALL)
_ATOM_OR_LIST = re.compile(rf"{_LIST.pattern}|{_ATOM}", re.DOTALL)
_ESCAPE = re.compile(r"\\(u(?![dD][89a-fA-F])[0-9a-fA-F]{4}|.)", re.DOTALL)
"""Escapes of `json.dumps`, except half surrogate pairs, which are no characters."""
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_WORDS: dict[str, Value] = {"True": True, "False": False, "None": None, "null": None}


class Constraint(DefaultedStruct, frozen=True):
    """A condition on one parameter of a query.

    Attributes:
        slot: The parameter's name.
        operator: The comparison with `values`; None where the source's text could not be parsed.
        values: One value, any number for `one_of`, none where the text could not be parsed.
        raw: The source's text, kept only where `render` would write it differently.
    """

    slot: str
    operator: Operator | None = "equal"
    values: tuple[Value, ...] = ()
    raw: str | None = None

    @property
    def value(self) -> Value:
        """The first value; None if there is none."""
        return self.values[0] if self.values else None


def parse(slot: str, text: str) -> Constraint:
    """Parse a constraint on `slot`; a text that is none gives one without an operator."""
    read = _read(text)
    if read is None:
        return Constraint(slot, None, (), text)
    operator, values = read
    plain = Constraint(slot, operator, values)
    return plain if _spell(plain) == text else Constraint(slot, operator, values, text)


def render(constraint: Constraint) -> str:
    """Return a constraint as text: as in the source, if that still has the same meaning."""
    raw = constraint.raw
    if raw is None:
        return _spell(constraint)
    if constraint.operator is None:
        return raw
    same = repr(_read(raw)) == repr((constraint.operator, constraint.values))  # 1 is not True
    return raw if same else _spell(constraint)


def holds(constraint: Constraint, value: Value) -> bool:
    """True if a value meets a constraint; types differ, but texts of digits are numbers."""
    targets = tuple(map(_number, constraint.values))
    operand = _number(value)
    if constraint.operator in _TESTS:
        return any(_TESTS[constraint.operator](operand, each) for each in targets)
    if constraint.operator in ("not", "contains_not"):
        kind: Operator = "equal" if constraint.operator == "not" else "contains"
        return not holds(Constraint(constraint.slot, kind, constraint.values), value)
    return False


def canonical(constraint: Constraint) -> tuple[str, frozenset[str]]:
    """Return operator and values of a constraint in a form that is equal for equal meanings.

    Case and runs of white space are normalised; texts of digits count as numbers; `one_of` with a
    single value is `equal`. For a text that could not be parsed, the operator is empty and the text
    is the value.
    """
    values = constraint.values if constraint.operator else (constraint.raw,)
    meanings = frozenset(
        repr(_number(" ".join(v.casefold().split()) if isinstance(v, str) else v)) for v in values
    )
    single = constraint.operator == "one_of" and len(meanings) == 1
    return "equal" if single else constraint.operator or "", meanings


def as_float(number: int) -> float:
    """Return an integer as a float; infinity beyond the largest one, which keeps the order."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _ordered(test: Callable[[Any, Any], bool]) -> Callable[[Value, Value], bool]:
    return lambda value, target: isinstance(target, type(value)) and test(value, target)


def _number(value: Value) -> Value:
    if isinstance(value, int) and not isinstance(value, bool):
        return as_float(value)
    if isinstance(value, str) and re.fullmatch(_NUMBER, value):
        return float(value)
    return value


_TESTS: dict[Operator | None, Callable[[Value, Value], bool]] = {
    "equal": operator.eq,
    "one_of": operator.eq,
    "at_least": _ordered(operator.ge),
    "at_most": _ordered(operator.le),
    "less": _ordered(operator.lt),
    "greater": _ordered(operator.gt),
    "contains": lambda given, wanted: str(wanted).casefold() in str(given).casefold(),
}


def _read(text: str) -> tuple[Operator, tuple[Value, ...]] | None:
    """Parse operator and values; `equal` with a list is `one_of`, as STAR's wizards wrote it."""
    if len(text) > MAX_LENGTH:
        return None
    call = _CALL.fullmatch(text)
    operator = CALLS.get(call[1]) if call else "equal"
    literal = call[2] if call else text
    if operator == "equal" and _LIST.fullmatch(literal):
        operator = "one_of"
    pattern = _ATOM_OR_LIST if operator == "one_of" else _ATOM_ONLY
    if operator is None or not pattern.fullmatch(literal):
        return None
    values = tuple(_atom(match[0]) for match in _ATOM_ONLY.finditer(literal))
    finite = all(math.isfinite(value) for value in values if isinstance(value, float))
    return (operator, values) if finite else None  # JSON has no infinity


def _atom(text: str) -> Value:
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "\"'":
        return float(text) if "." in text or "e" in text else int(text)
    body = text[1:-1]
    return _ESCAPE.sub(_unescape, body) if "\\" in body else body


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code[1:], 16)) if len(code) > 1 else _ESCAPES.get(code, code)


def _spell(constraint: Constraint) -> str:
    operator = constraint.operator or "equal"
    if operator == "one_of":
        return f"api.is_one_of([{','.join(map(_spell_value, constraint.values))}])"
    value = _spell_value(constraint.value)
    return value if operator == "equal" else f"api.{NAMES[operator]}({value})"


def _spell_value(value: Value) -> str:
    if value is None:
        return "null"
    if isinstance(value, str):
        return _quote(value)
    return str(value)
