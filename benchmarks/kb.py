"""How fast the knowledge base answers, against plain sqlite3 running the same statement.

python benchmarks/kb.py [--quick] [--json FILE]

The floor of a figure is `execute` and `fetchall` of the statements that the call comes to, with
their values at hand: what is above it is our compiling, choosing and reading. The median of
interleaved rounds, in CPU time. "check, book, undo" has a savepoint and its rollback in both. A
search beats its floor because a table in memory remembers which rows it found until it changes.
"""

from __future__ import annotations

import gc
import sqlite3
import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

from _measure import Figure, options_parser, report

from dialoom.dialogue import Constraint
from dialoom.kb import KnowledgeBase
from dialoom.schema.call import Call, Column, Table
from dialoom.schema.task import TaskSchema

ROWS = 500
CALLS, QUICK_CALLS = 2000, 300
ROUNDS, QUICK_ROUNDS = 15, 5

AREAS = tuple(f"area {number}" for number in range(20))
FOODS = tuple(f"food {number}" for number in range(10))
HOTELS = Table(
    name="hotels",
    rows=ROWS,
    columns=(
        Column(name="Id", type="serial"),
        Column(name="Area", values=AREAS),
        Column(name="Food", values=FOODS),
        Column(name="Stars", values=(1, 2, 3, 4, 5)),
        Column(name="Price", type="amount", minimum=20, maximum=300, step=5),
        Column(name="Open", type="boolean"),
    ),
)
BOOKINGS = Table(
    name="bookings",
    rows=ROWS // 5,
    columns=(
        Column(name="Name", values=AREAS),
        Column(name="Day", type="integer", minimum=1, maximum=30),
        Column(name="Guest", type="short text", values=("Ada Moreau", "Bram Okafor")),
    ),
)


def inputs(table: Table) -> tuple[Column, ...]:
    return (*table.columns, Column(name="RequestType", type="request"))


TASK = TaskSchema(
    id="sample",
    domain="benchmark",
    tables={"hotels": HOTELS, "bookings": BOOKINGS},
    calls={
        "search": Call(name="search", effect="search", table="hotels", inputs=inputs(HOTELS)),
        "find": Call(
            name="find", effect="find", table="hotels", key=("Id",), inputs=inputs(HOTELS)
        ),
        "book": Call(
            name="book",
            effect="book",
            table="bookings",
            key=("Name", "Day"),
            inputs=inputs(BOOKINGS),
        ),
    },
)


def equal(**values: Any) -> tuple[Constraint, ...]:
    return tuple(Constraint(name, "equal", (value,)) for name, value in values.items())


def main() -> None:
    parser = options_parser(__doc__, quick="a tenth of the work, rougher figures")
    options = parser.parse_args()
    calls = QUICK_CALLS if options.quick else CALLS
    report(measure(calls, QUICK_ROUNDS if options.quick else ROUNDS), options.json)


def measure(calls: int, rounds: int) -> dict[str, Figure]:
    kb = KnowledgeBase()
    kb.populate(TASK, 1)
    plain = copied(kb)
    ours, floors = our_jobs(kb), plain_jobs(plain)
    jobs = {f"our {name}": job for name, job in ours.items()}
    jobs |= {f"plain {name}": job for name, job in floors.items()}
    seconds = cpu_seconds(jobs, calls, rounds)
    return {
        name: Figure(
            1 / seconds[f"our {name}"],
            "a CPU second",
            1 / seconds[f"plain {name}"],
            seconds[f"plain {name}"] / seconds[f"our {name}"],
        )
        for name in ours
    }


def our_jobs(kb: KnowledgeBase) -> dict[str, Callable[[int], object]]:
    searched = [equal(Area=area, Food=food) for area in AREAS for food in FOODS]
    found = [equal(Id=number) for number in range(1, ROWS + 1)]
    compared = (Constraint("Stars", "at_least", (4,)), Constraint("Price", "less", (100,)))
    key = {"Name": AREAS[0], "Day": 31, "Guest": "Ada Moreau"}
    check, book = (equal(**key, RequestType=request) for request in ("Check", "Book"))

    def undone(_: int) -> None:
        with kb.dialogue():
            kb.call("book", check)
            kb.call("book", book)

    return {
        "indexed query": lambda n: kb.rows("hotels", searched[n % len(searched)]),
        "find": lambda n: kb.call("find", found[n % ROWS]),
        "search": lambda n: kb.call("search", searched[n % len(searched)]),
        "search by order": lambda _: kb.call("search", compared),
        "check, book, undo": undone,
    }


COLUMNS = 't.":row", t."Id", t."Area", t."Food", t."Stars", t."Price", t."Open"'
FROM = 'FROM "hotels" AS t WHERE '
BOTH, ID, ORDER = 't."Area" = ? AND t."Food" = ?', 't."Id" = ?', 't."Stars" >= ? AND t."Price" < ?'
BY_ROW = ' ORDER BY t.":row"'
PAGE = f"{BY_ROW} LIMIT ? OFFSET ?"
KEY = 't."Name" IS ? AND t."Day" IS ?'
TAKEN = f'SELECT count(*) FROM "bookings" AS t WHERE {KEY}'
INSERT = (
    'INSERT INTO "bookings" ("Name", "Day", "Guest", "Guest:folded") SELECT ?, ?, ?, ? '
    f'WHERE NOT EXISTS (SELECT 1 FROM "bookings" AS t WHERE {KEY})'
)


def plain_jobs(plain: sqlite3.Connection) -> dict[str, Callable[[int], object]]:
    execute = plain.execute
    pairs = [(area, food) for area in AREAS for food in FOODS]

    def search(where: str, values: tuple[Any, ...]) -> None:
        if execute(f"SELECT count(*) {FROM}{where}", values).fetchall() != [(0,)]:
            execute(f"SELECT {COLUMNS} {FROM}{where}{PAGE}", (*values, 1, 0)).fetchall()

    def undone(_: int) -> None:
        execute("SAVEPOINT s")
        execute(TAKEN, (AREAS[0], 31)).fetchall()
        execute(INSERT, (AREAS[0], 31, "Ada Moreau", "ada moreau", AREAS[0], 31))
        execute("ROLLBACK TO s")
        execute("RELEASE s")

    return {
        "indexed query": lambda n: execute(
            f"SELECT {COLUMNS} {FROM}{BOTH}{BY_ROW}", pairs[n % len(pairs)]
        ).fetchall(),
        "find": lambda n: execute(
            f"SELECT {COLUMNS} {FROM}{ID}{PAGE}", (n % ROWS + 1, 1, 0)
        ).fetchall(),
        "search": lambda n: search(BOTH, pairs[n % len(pairs)]),
        "search by order": lambda _: search(ORDER, (4, 100)),
        "check, book, undo": undone,
    }


def copied(kb: KnowledgeBase) -> sqlite3.Connection:
    """Return a plain connection with the same rows and indexes."""
    plain = sqlite3.connect(":memory:", isolation_level=None)
    for name, table in TASK.tables.items():
        texts = [c.name for c in table.columns if c.type == "short text"]
        names = [c.name for c in table.columns] + [f"{text}:folded" for text in texts]
        listed = ", ".join(f'"{column}"' for column in names)
        plain.execute(f'CREATE TABLE "{name}" (":row" INTEGER PRIMARY KEY, {listed})')
        for row in kb.rows(name):
            values = [*row.values(), *(row[text].casefold() for text in texts)]
            places = ", ".join("?" * len(names))
            plain.execute(f'INSERT INTO "{name}" ({listed}) VALUES ({places})', values)
        for column in names:
            plain.execute(f'CREATE INDEX "{name}:{column}" ON "{name}" ("{column}")')
    plain.execute('CREATE INDEX "bookings:key" ON "bookings" ("Name", "Day")')
    return plain


def cpu_seconds(
    jobs: Mapping[str, Callable[[int], object]], calls: int, rounds: int
) -> dict[str, float]:
    """Return each job's median CPU seconds a call; a round runs all jobs, so drift hits all."""
    taken: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, job in jobs.items():
            gc.collect()
            start = time.process_time()
            for number in range(calls):
                job(number)
            taken[name].append((time.process_time() - start) / calls)
    return {name: statistics.median(seconds) for name, seconds in taken.items()}


if __name__ == "__main__":
    main()
