"""Constraints of a query compiled to SQL; values are bound as parameters, and names quoted.

    Conditions(fields).compile((parse("Rating", "api.is_at_least(4)"), parse("Area", '"North"')))
    # ('t."Rating" >= ? AND t."Area" = ?', [4, "North"])

Several constraints on one column must all hold. `not` and `contains_not` are the exact complements
of `equal` and `contains`, so they hold for a missing value; comparisons by order do not. `contains`
tests for a substring, ignoring case. For a list, `equal`, `one_of` and `contains` test its
elements: one of them has to equal a value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dialoom.dialogue.constraint import Constraint, Operator
from dialoom.errors import UsageError, check_name, clip
from dialoom.kb.fields import Field, MismatchError, SqlValue, match
from dialoom.schema.once import KeptById

KEPT = 4096
"""Most constraints in a cache."""


MOST = 500
"""Most constraints of a query; SQLite limits the depth of expressions to twice that."""

MOST_VALUES = 1000
"""Most values of one constraint."""

ORDERS: dict[Operator, str] = {"at_least": ">=", "at_most": "<=", "less": "<", "greater": ">"}
COMPLEMENTS: dict[Operator, Operator] = {"not": "equal", "contains_not": "contains"}

NEVER, ALWAYS = "0", "1"

_Shape = tuple[str, Operator, bool, int]
"""The key of a constraint's SQL: column, operator, whether null is a value, number of values."""


class Conditions:
    """Compiles constraints on the columns of one table, whose alias in SQL is `t`."""

    def __init__(self, fields: Mapping[str, Field]) -> None:
        self._fields = fields
        self._bound = KeptById(self._one, KEPT)
        self._compiled: dict[_Shape, str] = {}

    def compile(self, constraints: Iterable[Constraint]) -> tuple[str, list[SqlValue]]:
        """Return all constraints as SQL with parameters; `UsageError` for an impossible one."""
        where: list[str] = []
        parameters: list[SqlValue] = []
        for constraint in constraints:
            text, values = self._bound(constraint)
            where.append(text)
            parameters += values
        if len(where) > MOST:
            raise UsageError(
                f"a query has at most {MOST} constraints, not {len(where)}", code="over-limit"
            )
        return " AND ".join(where) or ALWAYS, parameters

    def _one(self, constraint: Constraint) -> tuple[str, list[SqlValue]]:
        check_name("column", constraint.slot, self._fields)
        field, operator = self._fields[constraint.slot], constraint.operator
        if operator is None:
            raise UsageError(
                f"{field.name}: cannot read {clip(constraint.raw or '')!r}", code="bad-condition"
            )
        bound, null = _bind(field, operator, constraint.values)
        shape = (field.name, operator, null, len(bound))
        text = self._compiled.get(shape)
        if text is None:
            text = self._compiled[shape] = _compile(field, operator, null, len(bound))
        return text, bound


def _bind(field: Field, operator: Operator, values: tuple[Any, ...]) -> tuple[list[SqlValue], bool]:
    """Return the parameters, without impossible values, and whether null is one of the values."""
    choices = values if operator == "one_of" else values[:1] or (None,)
    if len(choices) > MOST_VALUES:
        raise UsageError(
            f"{field.name}: at most {MOST_VALUES} values, not {len(choices)}", code="over-limit"
        )
    within = field.kind == "word" and COMPLEMENTS.get(operator, operator) == "contains"
    bound: list[SqlValue] = []
    for value in choices:
        if value is None:
            continue
        try:
            matched = match(field, value)
        except MismatchError:
            continue
        bound.append(str(matched).casefold() if within else matched)
    return bound, None in choices


def _compile(field: Field, operator: Operator, null: bool, bound: int) -> str:
    column = f"t.{field.compared}"
    if operator in ORDERS:
        if field.kind == "list":
            raise UsageError(f"{field.name} is a list, which has no order", code="bad-condition")
        return f"{column} {ORDERS[operator]} ?" if bound else NEVER
    positive = _positive(field, column, COMPLEMENTS.get(operator, operator), null, bound)
    if operator not in COMPLEMENTS:
        return positive
    # a comparison with NULL is neither true nor false in SQL; here it is false
    return f"NOT coalesce({positive}, 0)"


def _positive(field: Field, column: str, operator: Operator, null: bool, bound: int) -> str:
    if operator == "contains" and field.kind != "list":
        if field.kind not in ("word", "text"):
            raise UsageError(
                f"{field.name} ({field.kind}) is neither a text nor a list", code="bad-condition"
            )
        text = column if field.kind == "text" else f"casefold({column})"
        return f"instr({text}, ?) > 0" if bound else NEVER
    alternatives = []
    if bound:
        clause = "= ?" if bound == 1 else f"IN ({', '.join('?' * bound)})"
        if field.kind == "list":
            elements = f"SELECT 1 FROM json_each({column}) AS e WHERE e.value {clause}"
            alternatives.append(f"EXISTS ({elements})")
        else:
            alternatives.append(f"{column} {clause}")
    if null and operator != "contains":
        alternatives.append(f"{column} IS NULL")
    return f"({' OR '.join(alternatives)})" if alternatives else NEVER
