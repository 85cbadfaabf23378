"""Calls of interfaces at Taskmaster-3's and Taskmaster-4's utterances, as queries and results.

    "apis": [{"name": "find_movies", "index": 0, "args": {"name.movie": "Ada"},
              "response": {"name.theater": ["Lux"]}}]

    "annotations": [
      {"name": "api_call", "value": "get_menu", "context": "api_call_0"},
      {"name": "request", "value": "{\\"query\\": \\"tea\\"}", "context": "api_call_0"},
      {"name": "api_response", "value": "get_menu", "context": "api_response_0"},
      {"name": "response", "value": "{\\"items\\": []}", "context": "api_response_0"}]

The calls come after the utterance that has them. Arguments that are no single values are kept as
chat messages have them (chat/arguments.py). Lists that writing would change are noted with the
utterance (base/codec.py).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from dialoom.dialogue import Constraint, Event, Query, Result
from dialoom.formats.base.codec import marked, marks
from dialoom.formats.base.values import Json, without
from dialoom.formats.chat import arguments

APIS, ANNOTATIONS = "apis", "annotations"
KEYS = (APIS, ANNOTATIONS)
CALL, REQUEST, ANSWER, RESPONSE = "api_call", "request", "api_response", "response"
_FROM, _SPELLED = "from", "spelled"


def read(utterance: Json, number: int) -> list[Event]:
    """Return the calls and results of an utterance; the number is that of calls before it."""
    for key, reader in ((APIS, _apis), (ANNOTATIONS, _annotations)):
        items = utterance.get(key)
        if isinstance(items, list) and items and all(isinstance(each, dict) for each in items):
            return list(reader(items, number))
    return []


def write(events: Sequence[Event], number: int) -> Json:
    """Return the list for the calls that were read at an utterance; empty if there are none."""
    key = next((marks(each.extra).get(_FROM) for each in events), None)
    if key == APIS:
        return {APIS: list(_written_apis(events))}
    return {ANNOTATIONS: list(_written_annotations(events, number))} if key in KEYS else {}


def own(event: Event) -> bool:
    """True if an event was read from such a list."""
    return isinstance(event, Query | Result) and marks(event.extra).get(_FROM) in KEYS


def _apis(entries: Iterable[Json], number: int) -> Iterator[Event]:
    for place, raw in enumerate(entries, start=number):
        rest = dict(raw)
        name, args = rest.pop("name", None), rest.pop("args", {})
        pairs = _object(args, "arg_name", "arg_value")
        if not isinstance(name, str) or pairs is None:
            continue
        response = rest.pop(RESPONSE, None)
        extra = marked(rest, **{_FROM: APIS})
        yield Query(id=str(place), api=name, constraints=arguments.read(pairs), extra=extra)
        items = _items(response)
        if items is not None:
            yield Result(query=str(place), items=items, extra=marked({}, **{_FROM: APIS}))


def _object(content: Any, name: str, value: str) -> Json | None:
    """Return an object, or a list of names and values as one; None if it is neither."""
    if isinstance(content, list) and all(isinstance(e, dict) and name in e for e in content):
        return {str(each[name]): each.get(value) for each in content}
    return content if isinstance(content, dict) else None


def _items(response: Any) -> tuple[Json, ...] | None:
    one = _object(response, "response_name", "response_value")
    if one is not None:
        return (one,) if one else ()
    several = isinstance(response, list) and all(isinstance(each, dict) for each in response)
    return tuple(response) if several else None


def _written_apis(events: Iterable[Event]) -> Iterator[Json]:
    last: Json = {}
    for event in events:
        if isinstance(event, Query):
            if last:
                yield last
            rest = without(event.extra, "layout")
            last = {"name": event.api, **rest, "args": arguments.write(event.constraints)}
        elif isinstance(event, Result):
            last = last | {RESPONSE: event.items[0] if event.items else {}}
    if last:
        yield last


def _annotations(entries: Iterable[Json], number: int) -> Iterator[Event]:
    calls: list[dict[str, str]] = []
    for raw in entries:
        name, value = raw.get("name"), raw.get("value")
        if isinstance(name, str) and isinstance(value, str):
            if name == CALL or not calls or name in calls[-1]:
                calls.append({})
            calls[-1][name] = value
    for place, call in enumerate(calls, start=number):
        if CALL in call:
            constraints, extra = _constraints(call.get(REQUEST))
            yield Query(id=str(place), api=call[CALL], constraints=constraints, extra=extra)
        if ANSWER in call or RESPONSE in call:
            value = _parsed(call.get(RESPONSE, ""))
            items = (value,) if isinstance(value, dict) else ()
            api, query = call.get(ANSWER), call.get(CALL)
            yield Result(
                query=str(place) if query is not None else "",
                items=items,
                api=None if api == query else api,
                extra=_spelling(call.get(RESPONSE), value),
            )


def _constraints(text: str | None) -> tuple[tuple[Constraint, ...], Json]:
    value = _parsed(text or "")
    if isinstance(value, dict):
        return arguments.read(value), _spelling(text, value)
    unread = (Constraint(REQUEST, None, (), text),) if text else ()
    return unread, _spelling(text, value)


def _spelling(text: str | None, value: Any) -> Json:
    """Return the `extra` of a call or result, with its text unless that is the usual one."""
    usual = text is not None and text == json.dumps(value)
    return marked({}, **{_FROM: ANNOTATIONS, _SPELLED: None if usual else [text]})


def _written_annotations(events: Iterable[Event], number: int) -> Iterator[Json]:
    place, api = number - 1, ""
    for event in events:
        if isinstance(event, Query):
            place, api = place + 1, event.api
            yield from _pair(CALL, api, REQUEST, arguments.write(event.constraints), event, place)
        elif isinstance(event, Result):
            value = event.items[0] if event.items else {}
            yield from _pair(ANSWER, event.api or api, RESPONSE, value, event, place)


def _pair(
    name: str, api: str, content: str, value: Json, event: Event, place: int
) -> Iterator[Json]:
    """Yield the entry of a call or answer, and that of its content unless it had none."""
    context = f"{name}_{place}"
    yield {"name": name, "value": api, "context": context}
    spelling = marks(event.extra).get(_SPELLED)
    text = spelling[0] if isinstance(spelling, list) and len(spelling) == 1 else ""
    if text is not None:
        same = isinstance(text, str) and _parsed(text) == value
        yield {"name": content, "value": text if same else json.dumps(value), "context": context}


def _parsed(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, RecursionError):
        return None
