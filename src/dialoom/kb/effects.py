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
    """A call's answer; only searches have the `total` of the rows that meet the constraints."""

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
        asked = self._sort(constraints, session, limit)
        effect = self.call.effect
        if self.call.fails and self._out_of_order(asked):
            return self._answer("error", asked.given)
        if effect == "search":
            return self._search(database, asked)
        if effect == "find":
            return self._find(database, asked)
        return self._change(database, asked) if effect == "update" else self._add(database, asked)

    def _out_of_order(self, asked: Asked) -> bool:
        asked.session.calls += 1
        seed = (self.relation.seed, asked.session.name, self.call.name, asked.session.calls)
        drawn = blake2b(seed_bytes(seed), digest_size=8).digest()
        return int.from_bytes(drawn, "little") < self.call.fails * 2**64

    def _refused(self, asked: Asked, row: Item | None = None) -> bool:
        if not self.call.refuses:
            return False
        known = {**(row or {}), **asked.given}
        known = {name: value for name, value in known.items() if value is not None}
        return any(rule.holds(known) for rule in self.call.refuses)

    def _sort(self, constraints: Sequence[Constraint], session: Session, limit: int) -> Asked:
        filters: list[Constraint] = []
        given: dict[str, Any] = {}
        check = False
        for constraint in constraints:
            name, role, value = self._parts(constraint)
            if role == "request":
                check = value
                continue
            if role != "besides":
                filters.append(constraint)
            if role == "list" and name in given:
                value = [*given[name], *value]
            if value is not _NOT_GIVEN:
                given[name] = value
        return Asked(constraints, filters, given, check, session, limit)

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

    def _search(self, database: Database, asked: Asked) -> Answer:
        if self._refused(asked):
            return self._answer("refused", asked.given)
        where, values = self.relation.conditions.compile(asked.filters)
        found = self.relation.numbers(database, where, values)
        total = len(found)
        if not total:
            return self._answer("nothing", asked.given, total=0)
        first = self._choose(asked) % total
        # after the last row comes the first one
        places = [(first + place) % total for place in range(min(asked.limit, total))]
        rows = [self.relation.row(database, found[place]) for place in places]
        items = tuple([self._item("found", asked.given, row) for row in rows])
        return Answer("found", items, total)

    def _choose(self, asked: Asked) -> int:
        said = sorted((c.slot, c.operator or "", ascii(c.values)) for c in asked.constraints)
        seed = seed_bytes((self.relation.seed, asked.session.name, self.call.name, said))
        return int.from_bytes(blake2b(seed, digest_size=8).digest(), "little")

    def _find(self, database: Database, asked: Asked) -> Answer:
        if not asked.filters:
            raise UsageError(
                f"{self.call.name} finds a row by {_names(self.call.key)}: give that",
                code="not-given",
            )
        where, values = self.relation.conditions.compile(asked.filters)
        found = self.relation.ask(database, self._pick + where + self._page, [*values, 1, 0])
        if not found:
            return self._answer("nothing", asked.given, total=0)
        row = self.relation.read(found[0])[1]
        outcome: Outcome = "refused" if self._refused(asked, row) else "found"
        return Answer(outcome, (self._item(outcome, asked.given, row),), 1)

    def _add(self, database: Database, asked: Asked) -> Answer:
        key = self._key_values(asked)
        if asked.check and self._taken(database, key):
            return self._answer("unavailable", asked.given)
        row = self._complete(database, asked, key)
        made = self._work_out(database, asked, row, row)
        if not isinstance(made, _Made):
            return self._answer(made, asked.given)
        if asked.check:
            return self._answer("available", asked.given, made.row, made.others)
        number = self._put(database, made.row, key)
        if number is None:
            return self._answer("failed", asked.given)
        asked.session.note(Move(self.relation.name, number, None, made.row))
        return self._done(database, asked, made)

    def _work_out(
        self, database: Database, asked: Asked, before: Item, row: Item
    ) -> _Made | Outcome:
        """Return a row with computed values, or the outcome; `before` may be itself."""
        known = {**before, **asked.given}
        failed: Outcome = "unavailable" if asked.check else "failed"
        if not self._computed:
            return "refused" if self._refused(asked, before) else _Made(row)
        found = self._computed.find(database, known)
        if found is None:
            return failed
        for _, other in reversed(found):
            known = {**other, **known}
        if self._refused(asked, known):
            return "refused"
        made = self._computed.changes(database, row, known, found)
        return failed if made is None else _Made(*made)

    def _done(self, database: Database, asked: Asked, made: _Made) -> Answer:
        for other in made.others:
            other.write(database, asked.session)
        return self._answer("done", asked.given, made.row, made.others)

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

    def _change(self, database: Database, asked: Asked) -> Answer:
        self._key_values(asked)  # each has one
        wanted = {name: asked.given[name] for name in self.call.key}
        for number, before in self.relation.alike(database, wanted, 1):
            return self._change_row(database, asked, number, before)
        return self._answer("unavailable" if asked.check else "failed", asked.given)

    def _change_row(self, database: Database, asked: Asked, number: int, before: Item) -> Answer:
        kept = {*self.call.key} | (asked.given.keys() - self.relation.fields.keys())
        row = before | {name: asked.given[name] for name in asked.given if name not in kept}
        made = self._work_out(database, asked, before, row)
        if not isinstance(made, _Made):
            return self._answer(made, asked.given, before if made == "refused" else None)
        if asked.check:
            return self._answer("available", asked.given, made.row, made.others)
        self.relation.change(database, number, made.row)
        asked.session.note(Move(self.relation.name, number, before, made.row))
        return self._done(database, asked, made)

    def _key_values(self, asked: Asked) -> list[SqlValue]:
        missing = [name for name in self.call.key if name not in asked.given]
        if missing:
            raise UsageError(
                f"{self.call.name} needs a plain value for {_names(missing)}", code="wrong-value"
            )
        fields = self.relation.fields
        return [key_value(fields[name], asked.given[name]) for name in self.call.key]

    def _complete(self, database: Database, asked: Asked, key: list[SqlValue]) -> Item:
        """Return the row to add: given values, None for other inputs, drawn values for the rest."""
        given, relation = asked.given, self.relation
        row = {name: given.get(name) for name in relation.fields}
        if self._drawn:
            drawn = numbers(relation.seed, relation.name, key or sorted(given.items()))
            places = self._settled(given)
            row |= draw_row(self._drawn, drawn, places, relation.next_serial(database))
        return row

    def _settled(self, given: dict[str, Any]) -> dict[str, int]:
        """Return the indices of given values on which other columns depend (`Column.along`)."""
        places = {}
        for name in sorted(self._followed):
            domain = self.relation.fields[name].values
            listed = (place for place in range(domain.size) if domain.at(place) == given.get(name))
            place = next(listed, None)
            if place is not None:
                places[name] = place
        return places

    def _answer(
        self,
        outcome: Outcome,
        given: dict[str, Any],
        row: Item | None = None,
        others: Sequence[OtherRow] = (),
        total: int | None = None,
    ) -> Answer:
        """Return an answer with one item; none if nothing was found and no output shows that."""
        if outcome == "nothing" and outcome not in self.call.answers:
            return Answer(outcome, (), total)
        given = {**given, **brought(self._brought, others)} if others else given
        return Answer(outcome, (self._item(outcome, given, row),), total)

    def _item(self, outcome: Outcome, given: dict[str, Any], row: Item | None) -> Item:
        known = given if row is None else {**given, **row}
        item = {name: value for name, value in known.items() if value is not None}
        if row is not None and self._besides:
            drawn = numbers(self.relation.seed, self.call.name, row)
            item |= draw_row(self._besides, drawn, {})
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
    said = str(constraint.value)
    if said in (CHECK, BOOK) and constraint.operator == "equal":
        return said == CHECK
    if constraint.operator != "equal" or said.casefold() not in _REQUESTS:
        raise UsageError(
            f"{constraint.slot} is {CHECK} or {BOOK}, not {clip(said)!r}", code="wrong-value"
        )
    return said.casefold() == CHECK.casefold()


def _names(names: Sequence[str]) -> str:
    return clip(", ".join(names)) or "some input"
