"""Calls of the knowledge base: lines of text and the queries that they express.

api_call italian paris two cheap                slots by position, as published
api_call R_cuisine west moderate                a slot without a value (bAbI task 6)
api_call hotel {"stars": {"at_least": [3]}}     a query of another format: API and constraints
"""

from __future__ import annotations

import json
import re
from typing import Any, cast, get_args

from msgspec.structs import replace

from dialoom.dialogue import Constraint, Query
from dialoom.dialogue.annotation import Value
from dialoom.dialogue.constraint import Operator
from dialoom.formats.babi.dialect import CALL, Dialect
from dialoom.formats.babi.facts import text_of

_SPELLED = re.compile(rf"{CALL} (\S+) (\{{.*\}})", re.DOTALL)
_OPERATORS = frozenset(get_args(Operator))
_UNREAD = "unread"
"""The operator of a constraint whose text could not be parsed."""
_MAX_TEXT = 20_000


def read_call(text: str, number: str, dialect: Dialect) -> Query | None:
    """Return the query of a line; None if it is no call, or writing would change it."""
    if not text.startswith(CALL):
        return None
    query = _by_name(text, number) or _by_position(text, number, dialect)
    return query if query is not None and call_text(query, dialect) == text else None


def call_text(query: Query, dialect: Dialect) -> str:
    """Return a query as a line: slots by position if that gives the same query, else by name."""
    layout = _fitting(query, dialect)
    if layout is None:
        return _spelled(query)
    values = {constraint.slot: str(constraint.value) for constraint in query.constraints}
    return " ".join([CALL, *(values.get(slot, dialect.prefix + slot) for slot in layout)])


def _by_position(text: str, number: str, dialect: Dialect) -> Query | None:
    values = text.split(" ")[1:]
    layout = dialect.layout(len(values))
    if layout is None or "{" in text:
        return None
    conditions = [
        Constraint(slot, "equal", (value,))
        for slot, value in zip(layout, values, strict=True)
        if not (dialect.partial and value == dialect.prefix + slot)
    ]
    return Query(id=number, api=CALL, constraints=tuple(conditions))


def _fitting(query: Query, dialect: Dialect) -> tuple[str, ...] | None:
    if query.api != CALL or query.service is not None:
        return None
    if not all(_plain(constraint, dialect) for constraint in query.constraints):
        return None
    slots = [constraint.slot for constraint in query.constraints]
    for layout in dialect.layouts:
        if list(layout) == slots:
            return layout
        if dialect.partial and [slot for slot in layout if slot in slots] == slots:
            return layout
    return None


def _plain(constraint: Constraint, dialect: Dialect) -> bool:
    value = constraint.value
    if constraint.operator != "equal" or len(constraint.values) != 1 or constraint.raw is not None:
        return False
    if not isinstance(value, str) or value == dialect.prefix + constraint.slot:
        return False
    return value.split() == [value] and "{" not in value


def _spelled(query: Query) -> str:
    name = query.api if query.service is None else f"{query.service}.{query.api}"
    members = ", ".join(
        f"{json.dumps(c.slot, ensure_ascii=False)}: {json.dumps(_condition(c), ensure_ascii=False)}"
        for c in query.constraints
    )
    return f"{CALL} {'_'.join(name.split()) or CALL} {{{members}}}"


def _condition(constraint: Constraint) -> Any:
    if constraint.operator is None:
        return {_UNREAD: [text_of(constraint.raw)]}
    if constraint.operator == "equal" and len(constraint.values) == 1:
        return constraint.value
    return {constraint.operator: list(constraint.values)}


def _by_name(text: str, number: str) -> Query | None:
    match = _SPELLED.fullmatch(text)
    if match is None or len(text) > _MAX_TEXT:
        return None
    try:
        members = json.loads(match[2], object_pairs_hook=list)
    except (ValueError, RecursionError):
        return None
    attempts = [_constraint(slot, condition) for slot, condition in members]
    constraints = [constraint for constraint in attempts if constraint is not None]
    if len(constraints) < len(attempts):
        return None
    service, dot, api = match[1].partition(".")
    query = Query(id=number, api=match[1], constraints=tuple(constraints))
    return replace(query, api=api, service=service) if dot else query


def _constraint(slot: str, condition: Any) -> Constraint | None:
    if not isinstance(condition, list):
        return Constraint(slot, "equal", (condition,))
    if len(condition) != 1 or not isinstance(condition[0], tuple):
        return None
    operator, values = condition[0]
    if not isinstance(values, list) or not all(isinstance(value, Value) for value in values):
        return None
    if operator == _UNREAD and len(values) == 1 and isinstance(values[0], str):
        return Constraint(slot, None, (), values[0])
    if operator in _OPERATORS:
        return Constraint(slot, cast(Operator, operator), tuple(values))
    return None
