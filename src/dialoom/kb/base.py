"""The knowledge base: a task's tables in SQLite, with queries, calls and rollback."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.constraint import Constraint
from dialoom.dialogue.event import Event, Item, Query, Result
from dialoom.errors import FormatError, UsageError, check_name, clip
from dialoom.kb.database import MEMORY, Database
from dialoom.kb.effects import Answer, Plan
from dialoom.kb.fields import ROW, quote
from dialoom.kb.state import Session, Snapshot, moves_between
from dialoom.kb.tables import Relation
from dialoom.schema.call import Call
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema

TASKS = '":tasks"'
"""The table with task schemas and seeds, from which a file can be opened again."""


class KnowledgeBase:
    """Typed tables in SQLite with the calls that tasks make on them.

    Args:
        path: The file that keeps the rows, or ":memory:".
        timeout: Seconds to wait for another process's lock on the file.

    Raises:
        FormatError: The file is no SQLite database, or its task schemas cannot be read.
        OutputError: The file cannot be opened, or another process has locked it.
    """

    def __init__(self, path: Path | str = MEMORY, *, timeout: float = 5.0) -> None:
        self._database = Database(path, timeout)
        self._relations: dict[str, Relation] = {}
        self._calls: dict[str, tuple[Call, dict[str, Slot]]] = {}
        self._plans: dict[str, Plan] = {}
        self._session = Session("", forgetful=True)
        self._alone = self._database.path == MEMORY
        if not self._alone:
            try:
                self._reopen()
            except BaseException:
                self.close()
                raise

    def _reopen(self) -> None:
        if not self._database.rows("SELECT 1 FROM sqlite_master WHERE name = ':tasks'"):
            return
        for seed, text in self._database.rows(f"SELECT seed, task FROM {TASKS}"):
            try:
                task = msgspec.json.decode(str(text), type=TaskSchema)
            except msgspec.DecodeError as error:
                raise FormatError(
                    self._database.path, f"a task schema in it: {error}", code="damaged"
                ) from error
            self._admit(task, {name: Relation(t, task, seed) for name, t in task.tables.items()})

    def populate(self, task: TaskSchema, seed: int = 0) -> None:
        """Create a task's tables and draw their rows by seed; `UsageError` if they exist."""
        relations = {name: Relation(table, task, seed) for name, table in task.tables.items()}
        for name in relations:
            if name in self._relations:
                raise UsageError(
                    f"the knowledge base has a table {clip(name)} already", code="twice"
                )
        for call in task.calls.values():
            check_name("table", call.table, relations)
            if call.name in self._calls:
                raise UsageError(
                    f"the knowledge base has an API {clip(call.name)} already", code="twice"
                )
        with self._database.savepoint(keep=True):
            for relation in relations.values():
                relation.create(self._database)
                relation.insert(self._database, enumerate(relation.draw(), 1))
            database, text = self._database, msgspec.json.encode(task).decode()
            database.write(f"CREATE TABLE IF NOT EXISTS {TASKS} (seed INTEGER, task TEXT)")
            database.write(f"INSERT INTO {TASKS} VALUES (?, ?)", [seed, text])
        self._admit(task, relations)

    def _admit(self, task: TaskSchema, relations: dict[str, Relation]) -> None:
        self._relations |= relations
        if self._alone:
            for relation in relations.values():
                relation.remember()
        for call in task.calls.values():
            self._calls[call.name] = (call, task.slots)

    def call(
        self, api: Call | str, constraints: Sequence[Constraint] = (), *, limit: int = 1
    ) -> Answer:
        """Make an API call and return its answer.

        Args:
            constraints: The constraints; the value of a request type is Check or Book.
            limit: Most rows that a search returns.

        Raises:
            UnknownNameError: There is no such API, table or parameter.
            UsageError: A constraint is not possible for its column, or a key has no value.
        """
        name = api if isinstance(api, str) else api.name
        plan = self._plans.get(name)
        if plan is None or (plan.call is not api and name is not api):
            plan = self._plan(api)
        if self._alone:
            return plan.run(self._database, constraints, self._session, limit)
        with self._database.savepoint(keep=True):  # an error undoes all writes of the call
            return plan.run(self._database, constraints, self._session, limit)

    def _plan(self, api: Call | str) -> Plan:
        name = api if isinstance(api, str) else api.name
        check_name("API", name, self._calls)
        call, slots = self._calls[name]
        if isinstance(api, Call):
            call = api
        self._plans[name] = Plan(call, self._relation, slots)
        return self._plans[name]

    def _relation(self, table: str) -> Relation:
        check_name("table", table, self._relations)
        return self._relations[table]

    @contextmanager
    def dialogue(self, name: str = "", *, keep: bool = False) -> Iterator[Session]:
        """Open a session for a dialogue; its changes are rolled back at the end.

        Args:
            name: The dialogue's name, on which the row that a search returns depends.
            keep: Whether to keep the changes, unless the block ends with an error.
        """
        self._database.begin()
        outer, self._session = self._session, Session(name)
        session, remembered = self._session, [(r, r.memory) for r in self._relations.values()]
        final = done = False
        try:
            yield session
            done = keep
        finally:
            self._session = outer
            try:
                self._database.finish(keep=done)
                final = done
            finally:
                if final:
                    outer.note(*session.moves)
                else:  # cached results of the rows are valid again
                    for relation, memory in remembered:
                        relation.memory = memory

    def arrange(self, state: Mapping[str, Mapping[str, Sequence[Any]]]) -> None:
        """Change rows before a dialogue begins: its session does not count them as changes.

        Args:
            state: Table to rows that are `added`, rows that are `removed`, and pairs for `changed`:
                columns of the rows that are meant, and their new values.

        Raises:
            UnknownNameError: There is no such table.
            UsageError: No row is as one that is to be removed or changed.
        """
        for table, kinds in state.items():
            relation = self._relation(table)
            for part in kinds.get("removed", ()):
                for number, _ in self._meant(relation, part):
                    relation.remove(self._database, number)
            for part, new in kinds.get("changed", ()):
                for number, row in self._meant(relation, part):
                    relation.change(self._database, number, row | new)
            for row in kinds.get("added", ()):
                relation.insert(self._database, [(None, relation.empty(self._database) | row)])

    def _meant(self, relation: Relation, part: Item) -> list[tuple[int, Item]]:
        matches = relation.alike(self._database, part)
        if not matches:
            raise UsageError(
                f"{relation.name} has no row with {clip(str(part))}", code="unknown-name"
            )
        return matches

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the tables."""
        return tuple(self._relations)

    def rows(self, table: str, constraints: Sequence[Constraint] = ()) -> list[Item]:
        """Return the rows of a table that meet all constraints."""
        return list(self._select(self._relation(table), constraints).values())

    def _select(
        self, relation: Relation, constraints: Sequence[Constraint] = ()
    ) -> dict[int, Item]:
        where, values = relation.conditions.compile(constraints)
        order = f"ORDER BY t.{quote(ROW)}"
        sql = f"SELECT {relation.columns} FROM {relation.sql} AS t WHERE {where} {order}"
        return dict(map(relation.read, self._database.rows(sql, values)))

    def snapshot(self) -> Snapshot:
        """Return a snapshot of all tables."""
        return Snapshot({name: self._select(each) for name, each in self._relations.items()})

    def restore(self, snapshot: Snapshot) -> None:
        """Restore a snapshot's rows; `UsageError` if it is of other tables."""
        if set(snapshot.tables) != set(self._relations):
            raise UsageError(
                "the snapshot is of other tables than the knowledge base has", code="mismatch"
            )
        before = self.snapshot()
        with self._database.savepoint(keep=True):
            for name, rows in snapshot.tables.items():
                relation = self._relations[name]
                relation.forget()
                self._database.write(f"DELETE FROM {relation.sql}")
                relation.insert(self._database, rows.items())
        self._session.note(*moves_between(before, snapshot))

    def close(self) -> None:
        """Close the file."""
        self._database.close()


class Mismatch(Struct, frozen=True):
    """A difference between a replayed call's answer, or the end state, and the record.

    query: The query's id; empty for the end state.
    field: The field that differs: items, total, changes; query where a result has no query.
    recorded: Its value in the dialogue.
    replayed: Its value in the replay.
    """

    query: str
    field: str
    recorded: Any
    replayed: Any


def replay(
    kb: KnowledgeBase,
    events: Iterable[Event],
    name: str = "",
    changes: Mapping[str, Any] | None = None,
    state: Mapping[str, Mapping[str, Sequence[Any]]] | None = None,
) -> tuple[Mismatch, ...]:
    """Repeat a dialogue's calls in a session that is rolled back, and return the differences.

    Args:
        events: The dialogue's events; only queries and results are used.
        name: The name that the session of the dialogue had.
        changes: `Difference.data()` of the recorded session; None leaves the end state unchecked.

    Raises:
        UnknownNameError: The knowledge base does not have an API or parameter of a query.
    """
    queries: dict[str, Query] = {}
    mismatches: list[Mismatch] = []
    with kb.dialogue(name) as session:
        kb.arrange(state or {})
        for event in events:
            if isinstance(event, Query):
                queries[event.id] = event
            elif isinstance(event, Result):
                mismatches += _compare(kb, queries.get(event.query), event)
        after = session.difference().data()
    if changes is not None and after != dict(changes):
        mismatches.append(Mismatch("", "changes", dict(changes), after))
    return tuple(mismatches)


def _compare(kb: KnowledgeBase, query: Query | None, result: Result) -> Iterable[Mismatch]:
    if query is None:
        return [Mismatch(result.query, "query", result.query, None)]
    answer = kb.call(query.api, query.constraints, limit=max(1, len(result.items)))
    pairs = {"items": (result.items, answer.items), "total": (result.total, answer.total)}
    return [
        Mismatch(query.id, field, recorded, replayed)
        for field, (recorded, replayed) in pairs.items()
        if recorded != replayed
    ]
