"""Converts dialogues to the unified format's JSON; residue.py restores what a file had besides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from dialoom.dialogue import (
    SYSTEM,
    USER,
    Act,
    Dialogue,
    Event,
    Part,
    Query,
    Result,
    Span,
    Utterance,
)
from dialoom.dialogue.views import annotated_parts, tasks
from dialoom.formats.base.json_file import Layout
from dialoom.formats.base.residue import restored
from dialoom.formats.base.values import Json
from dialoom.formats.convlab import keys

_LAYOUT = Layout(indent=2)


def render(dialogues: Sequence[Dialogue]) -> bytes:
    """Return the content of a file of dialogues."""
    return _LAYOUT.render(list(map(_dialogue, dialogues)), {"end": "\n"})


def header(dialogue: Dialogue) -> Json:
    """Return the fields of a dialogue besides its turns, without notes."""
    services = dialogue.services or tasks(dialogue)
    goal = dialogue.scenario.goal if dialogue.scenario else None
    return {keys.ID: dialogue.id, keys.DOMAINS: list(services)} | (
        {keys.GOAL: goal} if goal else {}
    )


def _dialogue(dialogue: Dialogue) -> Json:
    turns: list[Json] = []
    calls: list[Event] = []
    for event in dialogue.events:
        if isinstance(event, Query | Result):
            calls.append(event)
        elif isinstance(event, Utterance) and event.agent in (USER, SYSTEM):
            turns.append(restored(turn(event, calls, len(turns)), event.extra))
            calls = calls if event.agent == USER else []
    return restored(header(dialogue), dialogue.extra) | {keys.TURNS: turns}


def turn(spoken: Utterance, calls: Iterable[Event], index: int) -> Json:
    """Return the object of an utterance, with the calls before it, without notes."""
    acts: Json = {kind: [] for kind in keys.KINDS}
    states: Json = {}
    intents: Json = {}
    asked: Json = {}
    for part in annotated_parts(spoken):
        service = part.service or ""
        for kind, entry in _entries(part, spoken.text):
            acts[kind].append(entry)
        if part.state is not None:
            state, listed = part.state, part.state.extra.get(keys.LISTED)
            held = dict.fromkeys(map(str, listed), "") if isinstance(listed, list) else {}
            states[service] = held | {slot: _value(each) for slot, each in state.values.items()}
            if state.intent is not None:
                intents[service] = state.intent
            if state.requested or state.intent is not None:
                asked[service] = list(state.requested)
    named = {keys.STATE: states, keys.INTENTS: intents, keys.REQUESTED: asked}
    whole = {
        keys.SPEAKER: spoken.agent,
        keys.TEXT: spoken.text,
        keys.NUMBER: index,
        keys.ACTS: acts,
    }
    whole |= {key: held for key, held in named.items() if held}
    return whole | (_calls(calls) if spoken.agent == SYSTEM else {})


def _value(values: Sequence[Any]) -> Any:
    return values[0] if len(values) == 1 else keys.BETWEEN.join(map(str, values))


def _entries(part: Part, text: str) -> Iterator[tuple[str, Json]]:
    """Yield the acts of a part, an entry for each slot, with the spans of their values."""
    left = list(part.spans or ())
    for act in part.acts or ():
        around = {keys.INTENT: act.name, keys.DOMAIN: part.service or ""}
        for argument in act.arguments:
            values = argument.values or (argument.canonical or ())
            entry = (
                around
                | {keys.SLOT: argument.slot}
                | ({keys.VALUE: _value(values)} if values else {})
            )
            span = _taken(left, argument.slot, entry.get(keys.VALUE), text)
            if span:
                entry |= {keys.START: span.start, keys.END: span.end}
            yield (
                _kind(act, keys.FREE if span else keys.CATEGORICAL if values else keys.BINARY),
                entry,
            )
        if not act.arguments:
            yield _kind(act, keys.BINARY), around | {keys.SLOT: ""}


def _kind(act: Act, usual: str) -> str:
    noted = act.extra.get(keys.KIND)
    return noted if noted in keys.KINDS else usual


def _taken(spans: list[Span], slot: str, value: Any, text: str) -> Span | None:
    """Remove the first span of a value from a list, and return it."""
    for index, span in enumerate(spans):
        own = text[span.start : span.end] if span.value is None else span.value
        if slot in span.labels and value is not None and own == value:
            return spans.pop(index)
    return None


def _calls(events: Iterable[Event]) -> Json:
    """Return calls and results by service; of several in one turn the last one."""
    found: dict[str, Json] = {}
    services: dict[str, str] = {}
    for event in events:
        if isinstance(event, Query):
            slots = {each.slot: each.value for each in event.constraints}
            services[event.id] = service = event.service or event.api
            if event.extra.get(keys.FROM) == keys.SEARCHES:
                found.setdefault(keys.SEARCHES, {})[service] = slots
            else:
                found.setdefault(keys.CALLS, {})[service] = {
                    keys.METHOD: event.api,
                    keys.PARAMETERS: slots,
                }
        elif isinstance(event, Result):
            key = str(event.extra.get(keys.FROM, keys.RESULTS))
            service = services.get(event.query) or event.api or ""
            found.setdefault(key, {})[service] = list(event.items)
    return dict(found)
