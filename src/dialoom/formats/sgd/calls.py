"""The frame of each service call: in a file it is part of a frame, in a dialogue an event.

A query is written with the next utterance of its side: of the user if it is the user's (SGD has
none, but a damaged file may), else of any other agent. It becomes part of the first frame of its
service without a call, or of a new one. Results without a query become part of the first frame
without either. If a file differs, the part has the number of its call among the turn's in its
`extra`: `{"service_call": 1}`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import NamedTuple

from msgspec.structs import replace

from dialoom.dialogue import USER, Event, Part, Query, Result, Utterance

CALL, RESULTS = "service_call", "service_results"


class Called(NamedTuple):
    """A query and its results; either may be None."""

    query: Query | None = None
    result: Result | None = None


class Placed(NamedTuple):
    """A frame to be written: its part, None for a new one, and its query and results."""

    part: Part | None
    query: Query | None
    result: Result | None


NO_CALL = Called()


def called(events: Sequence[Event]) -> Iterator[tuple[Utterance, Sequence[Called]]]:
    """Yield each utterance with the calls that are written in its frames."""
    users: list[Called] = []
    others: list[Called] = []
    answers: dict[str, Result] | None = None
    for event in events:
        waiting = users if event.agent == USER else others
        if type(event) is Utterance:
            if waiting:
                yield event, tuple(waiting)
                waiting.clear()
            else:
                yield event, ()
        elif type(event) is Query:
            answers = _answers(events) if answers is None else answers
            waiting.append(Called(event, answers.get(event.id)))
        elif type(event) is Result:
            answers = _answers(events) if answers is None else answers
            if answers.get(event.query) is not event:  # else it is written with its query
                waiting.append(Called(None, event))


def _answers(events: Iterable[Event]) -> dict[str, Result]:
    ids: set[str] = set()
    results: dict[str, Result] = {}
    for event in events:
        if type(event) is Query:
            ids.add(event.id)
        elif type(event) is Result:
            results.setdefault(event.query, event)
    return {query: result for query, result in results.items() if query in ids}


def placed(parts: Sequence[Part], calls: Sequence[Called]) -> list[Placed]:
    """Return the frames of a turn in order, each with its call."""
    if len(parts) == 1 and len(calls) == 1 and not parts[0].extra:  # the usual case, made quick
        query, result = calls[0]
        if query is not None and query.service == parts[0].service:
            return [Placed(parts[0], query, result)]
    holders: list[Called] = [NO_CALL] * len(parts)
    queries = [call for call in calls if call.query is not None]
    orphans = [call for call in calls if call.query is None]
    own: list[Called] = []
    for key, group in ((CALL, queries), (RESULTS, orphans)):
        numbers = [part.extra.get(key) for part in parts]
        for number, call in enumerate(group):
            index = _place(parts, holders, numbers, number, call)
            if index is None:
                own.append(call)
            else:
                holders[index] = call
    frames = [Placed(part, *call) for part, call in zip(parts, holders, strict=True)]
    return frames + [Placed(None, *call) for call in own]


def _place(
    parts: Sequence[Part],
    holders: Sequence[Called],
    numbers: Sequence[object],
    number: int,
    call: Called,
) -> int | None:
    """Return the index of the part for the `number`-th call of its kind; None for a new frame."""
    vacant = [index for index, holder in enumerate(holders) if holder is NO_CALL]
    for index in vacant:
        if type(numbers[index]) is int and numbers[index] == number:
            return index
    # results alone have no service; a part with a number is kept for the call of that number
    free = (index for index in vacant if type(numbers[index]) is not int)
    query = call.query
    return next((n for n in free if query is None or parts[n].service == query.service), None)


def noted(parts: Sequence[Part], calls: Sequence[Called]) -> list[Part]:
    """Return the parts of a turn with notes on calls that are not at the expected place."""
    there = [call for call in calls if call != NO_CALL]
    expected = [Placed(part, *call) for part, call in zip(parts, calls, strict=True)]
    if placed(parts, there) == expected:
        return list(parts)
    numbers = {CALL: count(), RESULTS: count()}
    marked = []
    for part, call in zip(parts, calls, strict=True):
        if call != NO_CALL:
            key = RESULTS if call.query is None else CALL
            part = replace(part, extra=part.extra | {key: next(numbers[key])})
        marked.append(part)
    return marked
