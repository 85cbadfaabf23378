"""Converts the unified format's JSON to dialogues: acts, spans, states, calls and results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from dialoom.dialogue import (
    SYSTEM,
    Constraint,
    Dialogue,
    Event,
    Origin,
    Query,
    Result,
    Scenario,
    State,
    Utterance,
)
from dialoom.formats.base.residue import noted
from dialoom.formats.base.turn_list import SIDES, Annotation, Fields, argument, said, span_of
from dialoom.formats.base.values import SCALAR, Json
from dialoom.formats.convlab import keys, writing


def dialogue(raw: Fields, key: str, origin: Origin) -> Dialogue:
    """Return the dialogue of an object."""
    whole = {name: held for name, held in raw.rest.items() if name != keys.TURNS}
    name = raw.needed(keys.ID, str)
    domains, goal = raw.take(keys.DOMAINS, list), raw.take(keys.GOAL, dict)
    events: list[Event] = []
    for index, turn in enumerate(raw.objects(keys.TURNS, "turn", name)):
        events += _turn(turn, index)
    named = all(isinstance(each, str) for each in domains)
    bare = Dialogue(
        id=name,
        events=tuple(events),
        services=tuple(domains) if named else (),
        scenario=Scenario(goal=goal) if goal else None,
        origin=origin,
    )
    return replace(bare, extra=noted(whole, writing.header(bare)))


def _turn(turn: Fields, index: int) -> list[Event]:
    """Return the events of a turn, the utterance last."""
    whole: Json = dict(turn.rest)
    agent, text = turn.speaker(keys.SPEAKER, SIDES), turn.needed(keys.TEXT, str)
    marks = Annotation(whole=isinstance(whole.get(keys.ACTS), dict))
    _states(whole, marks)  # first, so that services come in the order in which states are written
    for kind, entry in _entries(whole.get(keys.ACTS)):
        _act(kind, entry, text, marks)
    calls = list(_calls(whole, index)) if agent == SYSTEM else []
    bare = said(agent, text, marks)
    written = writing.turn(bare, calls, index)
    return [
        *calls,
        Utterance(agent=agent, text=text, layers=bare.layers, extra=noted(whole, written)),
    ]


def _entries(acts: Any) -> Iterator[tuple[str, Json]]:
    for kind in keys.KINDS:
        held = acts.get(kind) if isinstance(acts, dict) else None
        for entry in held if isinstance(held, list) else ():
            if isinstance(entry, dict) and isinstance(entry.get(keys.INTENT), str):
                yield kind, entry


def _act(kind: str, entry: Json, text: str, marks: Annotation) -> None:
    domain, slot = entry.get(keys.DOMAIN), entry.get(keys.SLOT)
    service = domain if isinstance(domain, str) else None
    values = [entry[keys.VALUE]] if keys.VALUE in entry else []
    span = None
    if keys.START in entry:
        span = span_of(text, entry[keys.START], entry.get(keys.END), str(slot), *values)
    if span:
        marks.span(service, span)
    usual = keys.FREE if span else keys.CATEGORICAL if values else keys.BINARY
    named = isinstance(slot, str) and (slot or values)
    arguments = [argument(slot, *values)] if named else []
    marks.act(
        service, entry[keys.INTENT], *arguments, extra={keys.KIND: kind} if kind != usual else None
    )


def _states(turn: Json, marks: Annotation) -> None:
    intents, requested = _object(turn.get(keys.INTENTS)), _object(turn.get(keys.REQUESTED))
    for domain, slots in _object(turn.get(keys.STATE)).items():
        intent, asked = intents.get(domain), requested.get(domain)
        held = _object(slots)
        values: dict[str, tuple[Any, ...]] = {
            slot: tuple(value.split(keys.BETWEEN)) if isinstance(value, str) else (value,)
            for slot, value in held.items()
            if value != "" and type(value) in SCALAR.types
        }
        unset = any(value == "" for value in held.values())
        state = State(
            intent if isinstance(intent, str) and intent else None,
            tuple(map(str, asked)) if isinstance(asked, list) else (),
            values,
            {keys.LISTED: list(held)} if unset else {},
        )
        marks.state(domain, state)


def _calls(turn: Json, index: int) -> Iterator[Query | Result]:
    asked: dict[str, str] = {}
    for domain, call in _object(turn.get(keys.CALLS)).items():
        held = _object(call)
        if isinstance(held.get(keys.METHOD), str):
            yield _query(
                asked,
                domain,
                held[keys.METHOD],
                _object(held.get(keys.PARAMETERS)),
                index,
                keys.CALLS,
            )
    for domain, slots in _object(turn.get(keys.SEARCHES)).items():
        filled = {slot: value for slot, value in _object(slots).items() if value != ""}
        if filled:
            yield _query(asked, domain, domain, filled, index, keys.SEARCHES)
    for key in (keys.RESULTS, keys.BOOKED):
        for domain, items in _object(turn.get(key)).items():
            known = isinstance(items, list) and all(isinstance(each, dict) for each in items)
            if known and (items or (key == keys.RESULTS and domain in asked)):
                query = asked.get(domain, "") if key == keys.RESULTS else ""
                more = {keys.FROM: key} if key == keys.BOOKED else {}
                api = None if query else domain
                yield Result(query=query, items=tuple(items), api=api, extra=more)


def _query(
    asked: dict[str, str], domain: str, api: str, slots: Mapping[str, Any], index: int, key: str
) -> Query:
    name = asked[domain] = f"{index}-{domain}"
    constraints = tuple(
        Constraint(slot, "equal", (value,))
        for slot, value in slots.items()
        if type(value) in SCALAR.types
    )
    more = {keys.FROM: key} if key == keys.SEARCHES else {}
    return Query(id=name, api=api, constraints=constraints, service=domain, extra=more)


def _object(held: Any) -> Json:
    return held if isinstance(held, dict) else {}
