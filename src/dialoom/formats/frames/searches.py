"""The searches of a wizard and what they found, as queries and results before the wizard's turn.

    "db": {"search": [{"ORIGIN_CITY": "Tarn", "PRICE_MAX": "900", "timestamp": 1471272022.5}],
           "result": [[{"price": 870.0, "hotel": {"name": "Hotel Alder"}}]]}

The n-th list of packages answers the n-th search. A field's value is what it must be equal to; a
list of values is one of them. Times of searches come in seconds or milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dialoom.dialogue import Constraint, Query, Result
from dialoom.formats.base.fields import Fields, Json, Place, marks, rest, without_absent
from dialoom.formats.frames.acts import SCALARS

API = "search"
TIME = "timestamp"
SEARCH, RESULT = "search", "result"
FLAT = "flat"

_SECONDS = (1e9, 1e11)
"""Unix times from 2001 to 5138 in seconds; in milliseconds, they would lie before 1974."""


def milliseconds(value: Any, *, seconds: bool = False) -> int | None:
    """Return a time in milliseconds; None for what is no time.

    Args:
        value: What a file has as a time.
        seconds: Whether a time that would be early 1970 in milliseconds counts as seconds.
    """
    if type(value) not in (int, float) or abs(value) >= 2**62:
        return None
    if seconds and _SECONDS[0] <= value < _SECONDS[1]:
        value *= 1000
    time: int = round(value)
    return time


def read(db: Json, turn: int, place: Place) -> tuple[list[Query | Result], Json]:
    """Return the queries and results of a turn's `db`, and what they do not hold of it.

    Args:
        db: The value of `db`.
        turn: The turn's index, which the queries' ids begin with.
        place: Where it stands.
    """
    fields = Fields(db, place, "db")
    found = fields.get(SEARCH)
    if type(found) is not list and SEARCH in fields:
        if RESULT not in fields:
            fields.take(RESULT, list, default=[])  # noted as absent
        return [], fields.extra()
    searches = fields.take(SEARCH, list, default=[])
    layout: Json = {}
    results: list[Any] = []
    if _answers(fields.get(RESULT), searches) or RESULT not in fields:
        results = fields.take(RESULT, list, default=[])
    elif _packages(fields.get(RESULT)) and len(searches) == 1:
        results = [fields.take(RESULT, list)]
        layout[FLAT] = True
    return list(_events(searches, results, turn)), fields.extra(layout)


def _answers(value: Any, searches: list[Any]) -> bool:
    return type(value) is list and len(value) <= len(searches) and all(map(_packages, value))


def _packages(value: Any) -> bool:
    return type(value) is list and all(type(each) is dict for each in value)


def _events(searches: list[Any], results: list[Any], turn: int) -> Iterator[Query | Result]:
    for number, search in enumerate(searches):
        name = f"{turn}.{number}"
        yield _query(search, name)
        if number < len(results):
            yield Result(query=name, items=tuple(results[number]))


def _query(search: Any, name: str) -> Query:
    if type(search) is not dict:
        return Query(id=name, api=API, extra={"layout": {SEARCH: search}})
    constraints = []
    extra: Json = {}
    time = milliseconds(search.get(TIME), seconds=True)
    for key, value in search.items():
        if key == TIME:
            if type(value) is not int or value != time:
                extra[key] = value
        elif type(value) in SCALARS:
            constraints.append(Constraint(key, "equal", (value,)))
        elif type(value) is list and _is_plain(value):
            constraints.append(Constraint(key, "one_of", tuple(value)))
        else:
            extra[key] = value
    if "layout" in extra:
        extra["layout"] = {"layout": extra["layout"]}
    return Query(id=name, api=API, constraints=tuple(constraints), time=time, extra=extra)


def write(queries: Sequence[Query], results: dict[str, Result], extra: Any) -> Any:
    """Return the `db` of a turn.

    Args:
        queries: The searches before the turn.
        results: What they found, by query.
        extra: What reading could not put into queries and results.
    """
    if isinstance(extra, dict):
        return _db(queries, results, extra)
    return _db(queries, results, {}) if queries else extra


def _db(queries: Sequence[Query], results: dict[str, Result], extra: Json) -> Json:
    answered = [number for number, query in enumerate(queries) if query.id in results]
    found: Any = [
        list(results[query.id].items) if query.id in results else []
        for query in queries[: answered[-1] + 1 if answered else 0]
    ]
    searches: Any = [_search(query) for query in queries]
    if not searches and SEARCH in extra:
        searches = extra[SEARCH]
    if not found and RESULT in extra:
        found = extra[RESULT]
    elif marks(extra).get(FLAT) is True and len(queries) == len(found) == 1 and found[0]:
        found = found[0]
    raw = without_absent({SEARCH: searches, RESULT: found}, extra, {SEARCH: [], RESULT: []})
    return raw | rest(extra, (SEARCH, RESULT))


def _search(query: Query) -> Any:
    if SEARCH in marks(query.extra) and not query.constraints:
        return marks(query.extra)[SEARCH]
    raw: Json = {}
    for constraint in query.constraints:
        if constraint.slot != TIME and constraint.slot not in raw:
            raw[constraint.slot] = _value(constraint)
    own = rest(query.extra, (TIME,))
    # What will be read as a constraint stands with those, so that the order stays.
    raw |= {key: value for key, value in own.items() if _is_plain(value) and key not in raw}
    raw |= {key: value for key, value in own.items() if key not in raw}
    read_as = query.extra.get(TIME)
    if TIME in query.extra and milliseconds(read_as, seconds=True) == query.time:
        raw[TIME] = read_as
    elif query.time is not None:
        raw[TIME] = query.time
    return raw


def _is_plain(value: Any) -> bool:
    if type(value) is list:
        return all(type(each) in SCALARS for each in value)
    return type(value) in SCALARS


def _value(constraint: Constraint) -> Any:
    if constraint.operator == "one_of":
        return list(constraint.values)
    return constraint.raw if constraint.operator is None else constraint.value
