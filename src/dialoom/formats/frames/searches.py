"""The searches of a wizard and their results, as events before the wizard's turn.

    "db": {"result": [[{"price": 870.0, "hotel": {"name": "Hotel Alder"}}]],
           "search": [{"ORIGIN_CITY": "Tarn", "PRICE_MAX": "900", "timestamp": 1471272022.5}]}

The n-th list of packages is the result of the n-th search. A value means equality, a list of values
one of them. Times of searches are in seconds or milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from dialoom.dialogue import Query, Result
from dialoom.formats.base import parameters
from dialoom.formats.base.codec import LAYOUT, ORDER, Key, Record, in_order, marked, marks
from dialoom.formats.base.values import (
    LIST,
    OBJECTS,
    SCALAR,
    Converted,
    Json,
    Many,
    UnfitError,
    without,
)

API = "search"
TIME = "timestamp"

_SECONDS = (1e9, 1e11)
"""Unix times that are in seconds: from 2001 to 5138; in milliseconds they would be before 1974."""


def milliseconds(value: Any, *, seconds: bool = False) -> int | None:
    """Return a time in ms, None for no time; with `seconds`, times before 1974 are in seconds."""
    if type(value) not in (int, float) or abs(value) >= 2**62:
        return None
    if seconds and _SECONDS[0] <= value < _SECONDS[1]:
        value *= 1000
    time: int = round(value)
    return time


_SEARCH = Record(
    "search",
    Query,
    Key(
        TIME,
        Converted(SCALAR, lambda raw: milliseconds(raw, seconds=True), lambda time: time),
        to="time",
        optional=True,
    ),
    ordered=False,  # the order of keys is kept with the constraints: see _query
)
_DB: Record[Json] = Record(
    "db", dict, Key("result", LIST, nothing=[]), Key("search", OBJECTS, nothing=())
)
_PACKAGES = Many(OBJECTS)


def read(db: Json, turn: int) -> tuple[list[Query | Result], Json]:
    """Return the queries and results of a `db`, and the rest; ids have the index `turn`."""
    fields, extra = _DB.read_fields(db)
    searches, packages = fields["search"], fields["result"]
    flat = len(searches) == 1 and bool(packages) and type(packages[0]) is dict
    results: tuple[Any, ...] = ()
    with suppress(UnfitError):
        results = _PACKAGES.read([packages] if flat else packages)
    if len(results) > len(searches) or len(results) < bool(packages):
        flat, results, extra = False, (), marked(extra, result=packages)
    events: list[Query | Result] = []
    for number, search in enumerate(searches):
        name = f"{turn}.{number}"
        events.append(_query(search, name))
        if number < len(results):
            events.append(Result(query=name, items=results[number]))
    return events, marked(extra, flat=flat)


def _query(search: Json, name: str) -> Query:
    fields, extra = _SEARCH.read_fields(search)
    constraints = tuple(parameters.read(without(extra, TIME, LAYOUT)))
    extra = without(extra, *(each.slot for each in constraints))
    query = Query(id=name, api=API, constraints=constraints, time=fields["time"], extra=extra)
    order = list(search)
    if list(_search(query)) == order:
        return query
    return replace(query, extra=marked(extra, **{ORDER: order}))


def write(queries: Sequence[Query], results: Mapping[str, Result], extra: Json) -> Json:
    """Return the `db` of a turn."""
    answered = [number for number, query in enumerate(queries) if query.id in results]
    packages: list[Any] = [
        list(results[query.id].items) if query.id in results else []
        for query in queries[: answered[-1] + 1 if answered else 0]
    ]
    noted = marks(extra)
    if noted.get("flat") is True and len(queries) == len(packages) == 1 and packages[0]:
        packages = packages[0]
    fields = {"result": packages or noted.get("result", []), "search": tuple(map(_search, queries))}
    return _DB.write_fields(fields, extra)


def _search(query: Query) -> Json:
    raw = without(parameters.write(query.constraints), TIME, LAYOUT)
    raw |= {
        key: value
        for key, value in _SEARCH.write_fields({"time": query.time}, query.extra).items()
        if key not in raw
    }
    return in_order(raw, marks(query.extra).get(ORDER))
