"""Constraints compiled to SQL pick the rows that a plain filter in Python picks."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.dialogue import Constraint
from dialoom.dialogue.constraint import CALLS, Operator, parse
from dialoom.errors import UnknownNameError, UsageError
from dialoom.kb import KnowledgeBase, Snapshot
from dialoom.schema.call import Column, Table
from dialoom.schema.task import TaskSchema
from tests.make import refuses
from tests.strategies import operators, texts, values

KINDS = {
    "Word": "category",
    "Text": "short text",
    "Count": "integer",
    "Price": "amount",
    "Flag": "boolean",
    "Tags": "categories",
}
LISTED: dict[str, tuple[Any, ...]] = {
    "category": ("North", "north", "Straße", "10", "9", "a'; DROP TABLE things; --", '"', ""),
    "short text": ("Ada Moreau", "ADA MOREAU", "Straße", "STRASSE", "%", "_", "a\0b", ""),
    "integer": (-1, 0, 1, 2, 10, 2**53 + 1, 2**63 - 1),
    "amount": (-0.5, 0, 1, 1.5, 2, 1e300),
    "boolean": (True, False),
    "categories": ("pool", "Pool", "bar", 1, 1.5, ""),
}
SPELLED = ("10", "1.5", "True", "false", "STRASSE", "o", "a")
ORDERS = {
    "at_least": lambda cell, value: cell >= value,
    "at_most": lambda cell, value: cell <= value,
    "less": lambda cell, value: cell < value,
    "greater": lambda cell, value: cell > value,
}
COMPLEMENTS = {"not": "equal", "contains_not": "contains"}
NOTHING = object()


def knowing(rows: list[dict[str, Any]]) -> KnowledgeBase:
    """Return a knowledge base that holds just these rows."""
    columns = tuple(
        Column(name=name, type=kind, values=LISTED[kind]) for name, kind in KINDS.items()
    )
    kb = KnowledgeBase()
    kb.populate(
        TaskSchema(
            id="d", domain="d", tables={"things": Table(name="things", rows=0, columns=columns)}
        )
    )
    kb.restore(Snapshot({"things": dict(enumerate(rows, 1))}))
    return kb


def cells(kind: str) -> st.SearchStrategy[Any]:
    """Return what may stand in a column."""
    one = st.sampled_from(LISTED[kind])
    if kind == "categories":
        return st.none() | st.lists(one | one | texts, max_size=3)
    other = texts if kind in ("category", "short text") else one
    return st.one_of(one, one, one, other, st.none())


rows = st.lists(
    st.fixed_dictionaries({name: cells(KINDS[name]) for name in KINDS}), min_size=1, max_size=8
)


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[dict[str, Any]], list[Constraint]]:
    """Return rows, and constraints that often speak of what stands in them."""
    table = draw(rows)
    return table, draw(st.lists(conditions(table), max_size=2))


@st.composite
def conditions(draw: st.DrawFn, held: list[dict[str, Any]]) -> Constraint:
    """Return a constraint that its column can have."""
    operator = draw(operators)
    names = [name for name in KINDS if fits(operator, name)]
    name = draw(st.sampled_from(names))
    cells = [row[name] for row in held]
    stock = [value for cell in cells for value in (cell if isinstance(cell, list) else [cell])]
    examples = st.sampled_from((*LISTED[KINDS[name]], *SPELLED))
    value = st.sampled_from(stock or [None]) | st.sampled_from(stock or [None]) | examples | values
    many = st.lists(value, max_size=3) if operator == "one_of" else st.tuples(value)
    return Constraint(name, operator, tuple(draw(many)))


def fits(operator: Operator, name: str) -> bool:
    if operator in ORDERS:
        return name != "Tags"
    return not operator.startswith("contains") or name in ("Word", "Text", "Tags")


@given(cases())
def test_the_rows_found_are_those_that_a_plain_filter_keeps(
    case: tuple[list[dict[str, Any]], list[Constraint]],
) -> None:
    table, constraints = case
    kb = knowing(table)
    matches = [row for row in kb.rows("things") if all(holds(row, c) for c in constraints)]
    assert kb.rows("things", constraints) == matches
    assert len(kb.rows("things", constraints)) == len(matches)


def holds(row: dict[str, Any], constraint: Constraint) -> bool:
    """Say what a constraint means, slowly and plainly."""
    operator = constraint.operator or "equal"
    if operator in COMPLEMENTS:
        positive = Constraint(constraint.slot, COMPLEMENTS[operator], constraint.values)  # type: ignore[arg-type]
        return not holds(row, positive)
    kind, cell = KINDS[constraint.slot], row[constraint.slot]
    targets = [None if v is None else alike(kind, v) for v in constraint.values]
    if operator in ("equal", "one_of") and cell is None:
        return None in targets
    if cell is None:
        return False
    targets = [value for value in targets if value is not None and value is not NOTHING]
    if kind == "categories":
        return any(type_of(e) == type_of(v) and e == v for e in cell for v in targets)
    if operator == "contains":
        return any(str(v).casefold() in cell.casefold() for v in targets)
    mine = cell.casefold() if kind == "short text" else cell
    if operator in ORDERS:
        return any(ORDERS[operator](mine, value) for value in targets)
    return mine in targets


def alike(kind: str, value: Any) -> Any:
    """Read a value as one of the column's kind."""
    if kind in ("category", "short text"):
        return str(value).casefold() if kind == "short text" else str(value)
    if kind == "boolean":
        if isinstance(value, str):
            return {"true": True, "false": False}.get(value.casefold(), NOTHING)
        return value if isinstance(value, bool) else NOTHING
    if kind == "categories":
        return value
    if isinstance(value, str) and re.fullmatch(r"-?\d{1,18}(\.\d{1,30})?", value):
        return float(value) if "." in value else int(value)
    return NOTHING if isinstance(value, bool | str) else value


def type_of(value: Any) -> type:
    return float if isinstance(value, int | float) else type(value)


@pytest.mark.parametrize("call", CALLS)
def test_every_operator_of_the_grammar_compiles(call: str) -> None:
    kb = knowing([{"Word": "North"}, {"Word": "South"}, {"Word": None}])
    condition = f'api.{call}(["North"])' if call == "is_one_of" else f'api.{call}("North")'
    expected = {
        "is_equal_to": ["North"],
        "is_one_of": ["North"],
        "is_at_least": ["North", "South"],
        "is_at_most": ["North"],
        "is_less_than": [],
        "is_greater_than": ["South"],
        "contains": ["North"],
        "contains_not": ["South", None],
        "is_not": ["South", None],
    }
    matches = kb.rows("things", [parse("Word", condition)])
    assert [row["Word"] for row in matches] == expected[call]


def test_several_constraints_on_one_column_all_hold() -> None:
    kb = knowing([{"Count": number} for number in range(5)])
    between = [parse("Count", "api.is_at_least(1)"), parse("Count", "api.is_less_than(3)")]
    assert [row["Count"] for row in kb.rows("things", between)] == [1, 2]


def test_names_compare_without_regard_to_case_and_canonical_values_as_they_are() -> None:
    kb = knowing([{"Word": "North", "Text": "Ada Moreau"}])
    assert len(kb.rows("things", [Constraint("Text", "equal", ("ADA MOREAU",))])) == 1
    assert len(kb.rows("things", [Constraint("Word", "equal", ("NORTH",))])) == 0


def test_an_unknown_column_lists_the_known_ones() -> None:
    with refuses(UnknownNameError, "unknown-name", "Word"):
        knowing([]).rows("things", [Constraint("word", "equal", ("x",))])


@pytest.mark.parametrize(
    ("constraint", "code"),
    [
        (parse("Word", "api.is_within(3)"), "bad-condition"),
        (Constraint("Tags", "at_least", ("bar",)), "bad-condition"),
        (Constraint("Count", "contains", (1,)), "bad-condition"),
        (Constraint("Flag", "contains_not", (True,)), "bad-condition"),
        (Constraint("Word", "one_of", tuple(map(str, range(1001)))), "over-limit"),
    ],
)
def test_what_a_column_cannot_be_asked_is_said_in_a_line(constraint: Constraint, code: str) -> None:
    with refuses(UsageError, code, constraint.slot) as caught:
        knowing([]).rows("things", [constraint])
    assert "\n" not in str(caught.value)


def test_too_many_constraints_are_refused() -> None:
    with refuses(UsageError, "over-limit", "500"):
        knowing([]).rows("things", [Constraint("Count", "equal", (1,))] * 501)


@pytest.mark.parametrize("text", ["\ud800", "x\ud800"])
def test_half_a_surrogate_pair_equals_nothing(text: str) -> None:
    kb = knowing([{"Word": "North", "Text": "x"}])
    for name in ("Word", "Text"):
        assert len(kb.rows("things", [Constraint(name, "equal", (text,))])) == 0
        assert len(kb.rows("things", [Constraint(name, "not", (text,))])) == 1
