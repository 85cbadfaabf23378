"""Events, acts, constraints and knowledge-base items as text, on a line each.

describe_constraint(constraint)            # "party_size >= 3"
list(event_lines(events))                  # the lines of a transcript
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from dialoom.dialogue.annotation import GOLD, Act, Argument, Layer, Part, Reference, State, Value
from dialoom.dialogue.constraint import Constraint, Operator
from dialoom.dialogue.event import (
    Candidate,
    Event,
    Instruction,
    Item,
    Options,
    Query,
    Result,
    Selection,
    Utterance,
)
from dialoom.render.transcript import Line

SHOWN = 3
"""Most items of a result, or candidates of a suggestion, that are written out."""

_SIGNS: dict[Operator, str] = {
    "equal": "=",
    "one_of": "is one of",
    "at_least": ">=",
    "at_most": "<=",
    "less": "<",
    "greater": ">",
    "contains": "contains",
    "contains_not": "does not contain",
    "not": "!=",
}


def event_lines(events: Iterable[Event]) -> Iterator[Line]:
    """Yield a transcript's line for each event, in order."""
    for index, event in enumerate(events):
        kind = str(type(event).__struct_config__.tag)
        notes = list(_notes(event))
        texts, places = tuple(text for text, _ in notes), tuple(place for _, place in notes)
        yield Line(index, event.agent, _text(event), texts, kind, places, tuple(_spans(event)))


def describe_constraint(constraint: Constraint) -> str:
    """Return a constraint as a condition: `party_size >= 3`, `area is one of north, south`."""
    if constraint.operator is None:
        return f"{constraint.slot}: {constraint.raw}"
    values = ", ".join(map(_value, constraint.values))
    return f"{constraint.slot} {_SIGNS[constraint.operator]} {values}".rstrip()


def describe_act(act: Act) -> str:
    """Return an act as text: `inform(city = Rome, ref = [1{budget = 900}])`."""
    if not act.arguments:
        return act.name
    return f"{act.name}({', '.join(map(_argument, act.arguments))})"


def describe_item(item: Item) -> str:
    """Return a knowledge-base item on one line: `name = Ada's, stars = 4`."""
    return ", ".join(f"{key} = {_any(value)}" for key, value in item.items())


def _text(event: Event) -> str:
    if isinstance(event, Utterance | Instruction):
        return event.text
    if isinstance(event, Query):
        name = f"{event.service}.{event.api}" if event.service else event.api
        return f"{name}({', '.join(map(describe_constraint, event.constraints))})"
    if isinstance(event, Result):
        return _result(event)
    if isinstance(event, Options):
        return _options(event)
    return _selection(event) if isinstance(event, Selection) else "considers the dialogue complete"


def _result(result: Result) -> str:
    texts = [describe_item(item) for item in result.items[:SHOWN]]
    total = result.total if result.total and result.total > 0 else len(result.items)
    if not texts:
        return "nothing found" if not total else f"{total} found, none given"
    if total == 1:
        return texts[0]
    more = total - len(texts)
    numbered = [f"{number}. {item}" for number, item in enumerate(texts, 1)]
    tail = [f"… and {more} more"] if more > 0 else []
    return "\n".join([f"{total} found", *numbered, *tail])


def _options(options: Options) -> str:
    texts = [_candidate(candidate) for candidate in options.candidates[:SHOWN]]
    more = len(options.candidates) - len(texts)
    texts += [f"… and {more} more"] if more > 0 else []
    pieces = [] if options.text is None else [f'types "{options.text}"']
    if texts:
        pieces.append("offered: " + " | ".join(texts))
    return "; ".join(pieces) or "offered nothing"


def _candidate(candidate: Candidate) -> str:
    return candidate.id if candidate.text is None else candidate.text


def _selection(selection: Selection) -> str:
    if selection.kind == "task":
        return f"turns to {selection.task}"
    items = selection.selected
    item = items and (items.primary if selection.kind == "primary" else items.secondary)
    return f"puts as {selection.kind} item: {describe_item(item) if item else 'none'}"


def _notes(event: Event) -> Iterator[tuple[str, str]]:
    """Yield each note with the pointer, within the event, of the annotation."""
    if isinstance(event, Options) and event.choice is not None:
        candidate = next((c for c in event.candidates if c.id == event.choice), None)
        yield f"right: {_candidate(candidate) if candidate else event.choice}", "/choice"
    if not isinstance(event, Utterance):
        return
    for place, layer, part in _parts(event):
        source = "" if layer.source == GOLD else f"{layer.source}: "
        service = f"{part.service}: " if part.service is not None else ""
        for note, within in _part(part, event.text):
            yield source + service + note, place + within


def _parts(event: Utterance) -> Iterator[tuple[str, Layer, Part]]:
    for i, layer in enumerate(event.layers):
        for j, part in enumerate(layer.parts):
            yield f"/layers/{i}/parts/{j}", layer, part


def _spans(event: Event) -> Iterator[tuple[int, int, str]]:
    if isinstance(event, Utterance):
        for _, _, part in _parts(event):
            for span in part.spans or ():
                yield span.start, span.end, ", ".join(span.labels)


def _part(part: Part, text: str) -> Iterator[tuple[str, str]]:
    for index, act in enumerate(part.acts or ()):
        yield describe_act(act), f"/acts/{index}"
    if part.acts is None:  # acts already have the values of the spans
        for index, span in enumerate(part.spans or ()):
            yield f"{', '.join(span.labels)} = {text[span.start : span.end]}", f"/spans/{index}"
    if part.state is not None and not part.acts:
        yield from ((note, "/state") for note in _state(part.state))
    if part.active_frame is not None:
        yield f"frame {part.active_frame}", "/active_frame"


def _state(state: State) -> Iterator[str]:
    """Yield a state without acts, which say what is new in it, unless it is empty."""
    entries = [f"{slot} = {' or '.join(map(_value, each))}" for slot, each in state.values.items()]
    entries += [f"wants {', '.join(state.requested)}"] if state.requested else []
    if entries:
        yield f"state: {', '.join(entries)}"


def _argument(argument: Argument) -> str:
    if argument.references:
        return f"{argument.slot} = [{'; '.join(map(_reference, argument.references))}]"
    if not argument.values:
        return argument.slot
    values = " or ".join(map(_value, argument.values))
    canonical = " or ".join(map(_value, argument.canonical or ()))
    if argument.canonical is not None and canonical != values:
        values += f" [{canonical}]"
    return f"{argument.slot} = {values}"


def _reference(reference: Reference) -> str:
    inner = ", ".join(map(_argument, reference.arguments or ()))
    return f"{reference.frame}{{{inner}}}" if inner else str(reference.frame)


def _value(value: Value) -> str:
    if isinstance(value, str):
        return value or '""'
    return json.dumps(value)


def _any(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{{describe_item(dict(value))}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_any, value))}]"
    return _value(value)
