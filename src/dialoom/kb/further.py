"""Changes of rows that a call computes: columns of its own row, and rows of other tables.

    computed = Computed(call, relation_of)
    found = computed.find(database, known)          # the rows of other tables; None without one
    row, others = computed.changes(database, row, known, found)
    for each in others: each.write(database, session)

All values are computed before anything is written, so that a call changes everything or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from dialoom.dialogue.event import Item
from dialoom.errors import UsageError
from dialoom.kb.database import Database
from dialoom.kb.fields import MismatchError
from dialoom.kb.state import Move, Session
from dialoom.kb.tables import Relation
from dialoom.schema.arithmetic import ExpressionError, evaluate
from dialoom.schema.call import Call

Found = Sequence[tuple[int, Item]]
"""The rows of other tables with their numbers; number 0 and no columns for a row to add."""

_Known = Mapping[str, Any]


class OtherRow(NamedTuple):
    """A row of another table before and after a call; `before` is None for a new row."""

    relation: Relation
    number: int
    before: Item | None
    after: Item

    def write(self, database: Database, session: Session) -> None:
        """Write the row, and note the change in the session."""
        if self.before is None:
            self.relation.insert(database, [(self.number, self.after)])
        else:
            self.relation.change(database, self.number, self.after)
        session.note(Move(self.relation.name, self.number, self.before, self.after))


class Computed:
    """Computed values of a call (`Call.sets`, `Call.also`)."""

    def __init__(self, call: Call, relation: Callable[[str], Relation]) -> None:
        self._sets, self._own = call.sets, relation(call.table)
        self._also = [(each, relation(each.table)) for each in call.also]
        self.columns = frozenset(chain.from_iterable(each.fields for _, each in self._also))

    def __bool__(self) -> bool:
        return bool(self._sets or self._also)

    def find(self, database: Database, values: _Known) -> Found | None:
        """Return the row of each other table as it is; None if one of them has no such row."""
        rows: list[tuple[int, Item]] = []
        for each, relation in self._also:
            if not each.key:
                rows.append((0, {}))
                continue
            try:
                target = {
                    name: evaluate(expression, values) for name, expression in each.key.items()
                }
                rows += relation.alike(database, target, 1) or [(0, {})]
            except (MismatchError, ExpressionError):
                return None
            if not rows[-1][0]:
                return None
        return rows

    def changes(
        self, database: Database, row: Item, values: _Known, matches: Found
    ) -> tuple[Item, list[OtherRow]] | None:
        """Return the call's row and other tables' rows; None if a value does not fit."""
        try:
            row = row | {
                name: evaluate(expression, values) for name, expression in self._sets.items()
            }
            self._own.write(row)  # whether the columns can hold it
            return row, self._others(database, {**values, **row}, matches)
        except (ExpressionError, UsageError):
            return None

    def _others(self, database: Database, values: _Known, matches: Found) -> list[OtherRow]:
        rows: list[OtherRow] = []
        latest: dict[tuple[str, int], Item] = {}
        for (each, relation), (number, row) in zip(self._also, matches, strict=True):
            before: Item | None = None
            if each.key:
                before = after = latest.get((relation.name, number), row)
            else:
                earlier = sum(1 for other in rows if other.relation is relation)
                number, after = relation.last(database) + 1 + earlier, relation.empty(database)
            now = {**values, **(before or {})}
            after = after | {
                name: evaluate(expression, now) for name, expression in each.sets.items()
            }
            relation.write(after)  # whether the columns can hold it
            latest[relation.name, number] = after
            rows.append(OtherRow(relation, number, before, after))
        return rows


def brought(names: frozenset[str], rows: Sequence[OtherRow]) -> Item:
    """Return the values of other tables' rows that a call has as outputs."""
    pairs = (pair for row in rows for pair in row.after.items())
    return {name: value for name, value in pairs if name in names}
