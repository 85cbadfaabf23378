"""The effects of API calls: search, find, check and book, insert, update.

    search   count the rows that meet the constraints, and return one of them (or `limit`)
    find     return the first row that meets the constraints
    book     with request Check: available unless a row has the same key; with Book: add that row
             unless there is one, in one statement
    insert   the same without a check; without a key it always succeeds
    update   change the other given columns of the row with the key

An item has the given inputs, the row, other outputs, and the outputs by which the task shows the
outcome; later ones replace earlier ones, and null values are left out. Columns of a new row without
a given value are drawn from a hash of its key, so that a check returns what the booking will. The
row that a search returns is chosen by a hash of the seed, the dialogue's name and the constraints:
the same question has the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any, Literal, NamedTuple

from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.constraint import Constraint, Operator
from dialoom.dialogue.event import BOOK, CHECK, Item
from dialoom.errors import UnknownNameError, UsageError, check_name, clip
from dialoom.kb.condition import KEPT
from dialoom.kb.database import Database
from dialoom.kb.domain import column_domain, numbers, seed_bytes
from dialoom.kb.drawing import draw_row
from dialoom.kb.fields import LOADED, ROW, Field, SqlValue, load, quote, read_field, store
from dialoom.kb.further import Computed, OtherRow, brought
from dialoom.kb.state import Move, Session
from dialoom.kb.tables import Relation, key_value
from dialoom.schema.call import Call, Outcome
from dialoom.schema.once import KeptById
from dialoom.schema.slot import Slot

_GATHERED: tuple[Operator, ...] = ("equal", "one_of", "contains")
"""Operators that list columns accept when written; other columns accept the first only."""

_Role = Literal["request", "column", "list", "besides"]
"""The target of a constraint: the request type, a column of the table, a list column, or an input
that is no column of the table."""

_NOT_GIVEN = object()
"""The value of a constraint that does not fix one."""

_REQUESTS = frozenset({CHECK.casefold(), BOOK.casefold()})


class Answer(Struct, frozen=True):
    """A call's answer; `total` counts the rows that meet the constraints of a search.

    It is None of an item that is no such row, as where `answers` show that there is none.
    """

    outcome: Outcome
    items: tuple[Item, ...] = ()
    total: int | None = None


class Asked(Struct, frozen=True):
    """The constraints of a call, sorted by their targets.

    Attributes:
        filters: Those on columns of the table.
        given: Input to the plain value given for it.
    """

    constraints: Sequence[Constraint]
    filters: list[Constraint]
    given: dict[str, Any]
    check: bool
    session: Session
    limit: int


class Plan:
    """An API call on its table; what does not depend on the constraints is prepared once."""

    def __init__(
        self, call: Call, tables: Callable[[str], Relation], slots: dict[str, Slot]
    ) -> None:
        self.call, self.relation = call, tables(call.table)
        relation, self._computed = self.relation, Computed(call, tables)
        for name in call.key:
            check_name(f"key column of {relation.name}", name, relation.fields)
        self._inputs = {column.name for column in call.inputs}
        self._requests = {column.name for column in call.inputs if column.type == "request"}
        self._writes = call.writes
        answered = {name for answer in call.answers.values() for name in answer}
        self._besides = [
            read_field(column, slots)
            for column in call.outputs
            if column.name not in relation.fields
            and column.name not in answered
            and column.name not in self._computed.columns
            and column_domain(column, slots.get(column.slot or "")) is not None
        ]
        self._drawn = [field for name, field in relation.fields.items() if name not in self._inputs]
        self._brought = frozenset(column.name for column in call.outputs) & self._computed.columns
        self._followed = {field.along for field in self._drawn if field.along} & self._inputs
        self._parts = KeptById(self._part, KEPT)
        self._write_statements()

    def _write_statements(self) -> None:
        relation, fields = self.relation, self.relation.fields
        row = quote(ROW)
        self._key = " AND ".join(f"t.{fields[name].compared} IS ?" for name in self.call.key)
        self._pick = f"SELECT {relation.columns} FROM {relation.sql} AS t WHERE "
        self._page = f" ORDER BY t.{row} LIMIT ? OFFSET ?"
        self._occupied = f"SELECT count(*) FROM {relation.sql} AS t WHERE {self._key}"
        free = f"NOT EXISTS (SELECT 1 FROM {relation.sql} AS t WHERE {self._key or '0'})"
        stored = ", ".join(relation.stored)
        self._insert = (
            f"INSERT INTO {relation.sql} ({stored}) SELECT {relation.places} WHERE {free}"
        )

    def run(
        self, database: Database, constraints: Sequence[Constraint], session: Session, limit: int
    ) -> Answer:
        """Make the call; `UsageError` for an impossible constraint, or a key without value."""
        query = self._sort(constraints, session, limit)
        effect = self.call.effect
        if self.call.fails and self._out_of_order(query):
            return self._answer("error", query.given)
        if effect == "search":
            return self._search(database, query)
        if effect == "find":
            return self._find(database, query)
        return self._change(database, query) if effect == "update" else self._add(database, query)

    def _out_of_order(self, query: Asked) -> bool:
        query.session.calls += 1
        seed = (self.relation.seed, query.session.name, self.call.name, query.session.calls)
        draw = blake2b(seed_bytes(seed), digest_size=8).digest()
        return int.from_bytes(draw, "little") < self.call.fails * 2**64

    def _refused(self, query: Asked, row: Item | None = None) -> bool:
        if not self.call.refuses:
            return False
        values = {**(row or {}), **query.given}
        values = {name: value for name, value in values.items() if value is not None}
        return any(rule.holds(values) for rule in self.call.refuses)

    def _sort(self, constraints: Sequence[Constraint], session: Session, limit: int) -> Asked:
        filters: list[Constraint] = []
        inputs: dict[str, Any] = {}
        check = False
        for constraint in constraints:
            name, role, value = self._parts(constraint)
            if role == "request":
                check = value
                continue
            if role != "besides":
                filters.append(constraint)
            if role == "list" and name in inputs:
                value = [*inputs[name], *value]
            if value is not _NOT_GIVEN:
                inputs[name] = value
        return Asked(constraints, filters, inputs, check, session, limit)

    def _part(self, constraint: Constraint) -> tuple[str, _Role, Any]:
        """Return a constraint's name, its kind of target, and the value that it fixes, if any."""
        name, fields = constraint.slot, self.relation.fields
        if name in self._requests:
            return name, "request", _is_check(constraint)
        field = fields.get(name)
        if field is None and name not in self._inputs:
            raise UnknownNameError("parameter", name, {*self._inputs, *fields})
        role: _Role = "besides" if field is None else "column"
        if not self._writes:
            return name, role, constraint.value if constraint.operator == "equal" else _NOT_GIVEN
        value = _written(field, constraint)
        return name, "list" if field is not None and isinstance(value, list) else role, value

    def _search(self, database: Database, query: Asked) -> Answer:
        if self._refused(query):
            return self._answer("refused", query.given)
        where, values = self.relation.conditions.compile(query.filters)
        matches = self.relation.numbers(database, where, values)
        total = len(matches)
        if not total:
            return self._answer("nothing", query.given)
        first = self._choose(query) % total
        # after the last row comes the first one
        places = [(first + place) % total for place in range(min(query.limit, total))]
        rows = [self.relation.row(database, matches[place]) for place in places]
        items = tuple([self._item("found", query.given, row) for row in rows])
        return Answer("found", items, total)

    def _choose(self, query: Asked) -> int:
        terms = sorted((c.slot, c.operator or "", ascii(c.values)) for c in query.constraints)
        seed = seed_bytes((self.relation.seed, query.session.name, self.call.name, terms))
        return int.from_bytes(blake2b(seed, digest_size=8).digest(), "little")

    def _find(self, database: Database, query: Asked) -> Answer:
        if not query.filters:
            raise UsageError(
                f"{self.call.name} finds a row by {_names(self.call.key)}: give that",
                code="not-given",
            )
        where, values = self.relation.conditions.compile(query.filters)
        matches = self.relation.ask(database, self._pick + where + self._page, [*values, 1, 0])
        if not matches:
            return self._answer("nothing", query.given)
        row = self.relation.read(matches[0])[1]
        outcome: Outcome = "refused" if self._refused(query, row) else "found"
        return Answer(outcome, (self._item(outcome, query.given, row),), 1)

    def _add(self, database: Database, query: Asked) -> Answer:
        key = self._key_values(query)
        if query.check and self._taken(database, key):
            return self._answer("unavailable", query.given)
        row = self._complete(database, query, key)
        outcome = self._work_out(database, query, row, row)
        if not isinstance(outcome, _Made):
            return self._answer(outcome, query.given)
        if query.check:
            return self._answer("available", query.given, outcome.row, outcome.others)
        number = self._put(database, outcome.row, key)
        if number is None:
            return self._answer("failed", query.given)
        query.session.note(Move(self.relation.name, number, None, outcome.row))
        return self._done(database, query, outcome)

    def _work_out(
        self, database: Database, query: Asked, before: Item, row: Item
    ) -> _Made | Outcome:
        """Return a row with computed values, or the outcome; `before` may be itself."""
        values = {**before, **query.given}
        failed: Outcome = "unavailable" if query.check else "failed"
        if not self._computed:
            return "refused" if self._refused(query, before) else _Made(row)
        others = self._computed.find(database, values)
        if others is None:
            return failed
        for _, other in reversed(others):
            values = {**other, **values}
        if self._refused(query, values):
            return "refused"
        change = self._computed.changes(database, row, values, others)
        return failed if change is None else _Made(*change)

    def _done(self, database: Database, query: Asked, change: _Made) -> Answer:
        for other in change.others:
            other.write(database, query.session)
        return self._answer("done", query.given, change.row, change.others)

    def _taken(self, database: Database, key: list[SqlValue]) -> bool:
        return bool(self._key) and self.relation.ask(database, self._occupied, key) != [(0,)]

    def _put(self, database: Database, row: Item, key: list[SqlValue]) -> int | None:
        relation = self.relation
        if relation.memory is None:  # there may be other writers: check the key in the statement
            count, number = database.write(self._insert, [*relation.write(row), *key])
            return number if count > 0 else None
        if self._taken(database, key):
            return None
        number = relation.last(database) + 1
        database.write_later(self._insert, lambda: [*relation.write(row), *key])
        relation.forget()
        return number

    def _change(self, database: Database, query: Asked) -> Answer:
        self._key_values(query)  # each has one
        target = {name: query.given[name] for name in self.call.key}
        for number, before in self.relation.alike(database, target, 1):
            return self._change_row(database, query, number, before)
        return self._answer("unavailable" if query.check else "failed", query.given)

    def _change_row(self, database: Database, query: Asked, number: int, before: Item) -> Answer:
        names = {*self.call.key} | (query.given.keys() - self.relation.fields.keys())
        row = before | {name: query.given[name] for name in query.given if name not in names}
        outcome = self._work_out(database, query, before, row)
        if not isinstance(outcome, _Made):
            return self._answer(outcome, query.given, before if outcome == "refused" else None)
        if query.check:
            return self._answer("available", query.given, outcome.row, outcome.others)
        self.relation.change(database, number, outcome.row)
        query.session.note(Move(self.relation.name, number, before, outcome.row))
        return self._done(database, query, outcome)

    def _key_values(self, query: Asked) -> list[SqlValue]:
        missing = [name for name in self.call.key if name not in query.given]
        if missing:
            raise UsageError(
                f"{self.call.name} needs a plain value for {_names(missing)}", code="wrong-value"
            )
        fields = self.relation.fields
        return [key_value(fields[name], query.given[name]) for name in self.call.key]

    def _complete(self, database: Database, query: Asked, key: list[SqlValue]) -> Item:
        """Return the row to add: given values, None for other inputs, drawn values for the rest."""
        inputs, relation = query.given, self.relation
        row = {name: inputs.get(name) for name in relation.fields}
        if self._drawn:
            draws = numbers(relation.seed, relation.name, key or sorted(inputs.items()))
            places = self._settled(inputs)
            row |= draw_row(self._drawn, draws, places, relation.next_serial(database))
        return row

    def _settled(self, inputs: dict[str, Any]) -> dict[str, int]:
        """Return the indices of given values on which other columns depend (`Column.along`)."""
        places = {}
        for name in sorted(self._followed):
            domain = self.relation.fields[name].values
            spots = (place for place in range(domain.size) if domain.at(place) == inputs.get(name))
            place = next(spots, None)
            if place is not None:
                places[name] = place
        return places

    def _answer(
        self,
        outcome: Outcome,
        inputs: dict[str, Any],
        row: Item | None = None,
        others: Sequence[OtherRow] = (),
    ) -> Answer:
        """Return an answer with one item; none if nothing was found and no output shows that."""
        if outcome == "nothing" and outcome not in self.call.answers:
            return Answer(outcome, (), 0)
        inputs = {**inputs, **brought(self._brought, others)} if others else inputs
        return Answer(outcome, (self._item(outcome, inputs, row),))

    def _item(self, outcome: Outcome, inputs: dict[str, Any], row: Item | None) -> Item:
        values = inputs if row is None else {**inputs, **row}
        item = {name: value for name, value in values.items() if value is not None}
        if row is not None and self._besides:
            draws = numbers(self.relation.seed, self.call.name, row)
            item |= draw_row(self._besides, draws, {})
        answer = self.call.answers.get(outcome)
        return {**item, **answer} if answer else item


class _Made(NamedTuple):
    row: Item
    others: Sequence[OtherRow] = ()


def _written(field: Field | None, constraint: Constraint) -> Any:
    gathers = field is None or field.kind == "list"
    if constraint.operator not in (_GATHERED if gathers else _GATHERED[:1]):
        raise UsageError(
            f"{constraint.slot} is written: it needs a plain value", code="wrong-value"
        )
    value: Any = list(constraint.values) if constraint.operator == "one_of" else constraint.value
    if field is None:
        return value
    stored = store(field, value)
    return load(field, stored) if field.kind in LOADED else stored


def _is_check(constraint: Constraint) -> bool:
    text = str(constraint.value)
    if text in (CHECK, BOOK) and constraint.operator == "equal":
        return text == CHECK
    if constraint.operator != "equal" or text.casefold() not in _REQUESTS:
        raise UsageError(
            f"{constraint.slot} is {CHECK} or {BOOK}, not {clip(text)!r}", code="wrong-value"
        )
    return text.casefold() == CHECK.casefold()


def _names(names: Sequence[str]) -> str:
    return clip(", ".join(names)) or "some input"
