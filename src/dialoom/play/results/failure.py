"""Classes of failures of dialogues, and the differences of a dialogue from its target.

    failure_of(played)            # "done otherwise"; None where it reached its goal
    list(differences(played))      # ["not said: Weather = sunny", …]

The classes exclude each other: a dialogue is of the first that holds.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from dialoom.play.judging.conduct import CONDUCT
from dialoom.play.results.summary import Played

FailureClass = Literal[
    "no result",
    "user fault",
    "broken off",
    "done unasked",
    "not done",
    "done otherwise",
    "unreported",
    "misstated",
]

FAILURES: dict[FailureClass, str] = {
    "no result": "a server or program failed, of agent, user or environment: not scored",
    "user fault": "the simulated user said what the goal does not have, or left early",
    "broken off": "the agent fell silent, made call after call, or found no end",
    "done unasked": "the database was changed though nothing was to be changed",
    "not done": "something was to be changed in the database, and nothing was",
    "done otherwise": "the database was changed, but not to what the goal asks for",
    "unreported": "the database is right, but the agent left out a value that it had to say",
    "misstated": "the agent stated a value that nobody gave, or a failure of what had succeeded",
}
"""Class of failures to what it means, in the order in which they are tried."""


def failure_of(played: Played) -> FailureClass | None:
    """Return the class of a dialogue's failure; None where it reached its goal."""
    if played.passed:
        return None
    verdict = played.verdict
    if played.failure is not None:
        return "no result"
    if verdict.get("faults"):
        return "user fault"
    if verdict.get("ended", "completed") != "completed":
        return "broken off"
    if verdict["reached"]:
        return "unreported" if played.unreported else "misstated"
    if not played.wanted.get("effects"):
        return "done unasked"
    return "done otherwise" if verdict.get("changed") else "not done"


def differences(played: Played) -> Iterator[str]:
    """Yield a line for each difference of a dialogue from its target; else what failed."""
    if played.failure is not None:
        yield f"no result: {played.failure}, in turn {played.verdict['failure']['turn']}"
        return
    for value in played.unreported:
        yield f"not said: {value['name']} = {spelled_value(value['value'])}"
    yield from (f"said wrongly: {text}" for text in played.verdict.get("misstated", ()))
    if not played.verdict["reached"]:
        yield from _rows("should be", played.wanted.get("effects", {}))
        yield from _rows("is", played.verdict.get("changed", {}))
    for name, times in played.verdict.get("conduct", {}).items():
        yield f"{CONDUCT[name]}: {times} x"


def _rows(what: str, effects: Mapping[str, Any]) -> Iterator[str]:
    rows = [f"{what}: {row}" for row in spelled_rows(effects)]
    yield from rows or [f"{what}: as it was"]


def spelled_rows(effects: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each row of changes of a database: `bookings, added: Name = Juniper, …`."""
    for table, kinds in effects.items():
        for kind, rows in kinds.items():
            yield from (f"{table}, {kind}: {_row(row)}" for row in rows)


def _row(row: Any) -> str:
    if isinstance(row, list):  # a changed row, as it was and as it is
        before, after = row
        changed = {name: value for name, value in after.items() if before.get(name) != value}
        return f"{_row(before)} -> {_row(changed)}"
    return ", ".join(
        f"{name} = {spelled_value(value)}" for name, value in row.items() if value is not None
    )


def spelled_value(value: Any) -> str:
    """Return a value as text for people."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
