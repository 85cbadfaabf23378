"""Checks the marks of each layer, writes them to annotation layers, and reads them from those."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from dialoom.collect.kinds.marks.choices import Choices
from dialoom.collect.kinds.marks.marks import (
    LISTS,
    MarkedAct,
    MarkedRelation,
    MarkedSpan,
    MarkedState,
    Marks,
)
from dialoom.collect.message import Refused, visible
from dialoom.dialogue import USER, Act, Argument, Layer, Part, Reference, Span, State, Utterance
from dialoom.dialogue.annotation import RELATIONS, Value
from dialoom.dialogue.frames import READ
from dialoom.errors import clip

FRAME = "id"
"""The argument with which acts of wizards name the frame that they create (in Frames' files)."""

Written = Iterator[tuple[str | None, dict[str, Any]]]
"""Pairs of a part's service and the fields of the part that a layer of marks fills."""


class MarkLayer(NamedTuple):
    """Functions that check, write and read the marks of one layer."""

    check: Callable[[Marks, Utterance, Choices], None]
    write: Callable[[Marks, Utterance, Choices], Written]
    read: Callable[[Part, Utterance, Choices], dict[str, tuple[Any, ...]]]


# --- spans ------------------------------------------------------------------------------------


def _check_spans(marks: Marks, turn: Utterance, choices: Choices) -> None:
    for span in marks.spans:
        there = 0 <= span.start < span.end <= len(turn.text)
        if not there or turn.text[span.start : span.end] != span.text:
            raise Refused("bad_value", "a span must have the text at its place", field="spans")
        if not span.labels or not all(map(choices.has, span.labels)):
            raise Refused("unknown", f"no label {clip(', '.join(span.labels))!r}", field="spans")


def _write_spans(marks: Marks, turn: Utterance, choices: Choices) -> Written:
    for span in marks.spans:
        by_part: dict[str | None, tuple[str, ...]] = {}
        for part, label in map(choices.split, span.labels):
            by_part[part] = (*by_part.get(part, ()), label)
        for part, labels in by_part.items():
            yield part, {"spans": (Span(span.start, span.end, labels),)}


def _read_spans(part: Part, turn: Utterance, choices: Choices) -> dict[str, tuple[Any, ...]]:
    marks = []
    for each in part.spans or ():
        labels = tuple(sorted(choices.joined(part.service, label) for label in each.labels))
        marks.append(MarkedSpan(each.start, each.end, turn.text[each.start : each.end], labels))
    return {"spans": tuple(marks)}


# --- acts -------------------------------------------------------------------------------------


def _check_acts(marks: Marks, turn: Utterance, choices: Choices) -> None:
    for act in marks.acts:
        if act.act not in choices.acts or act.slot not in (None, *choices.slots):
            raise Refused("unknown", f"no act {clip(act.act)!r} with this slot", field="acts")
        if act.value is not None and (act.slot is None or not visible(act.value)):
            raise Refused("bad_value", "a value of a slot is a text to read", field="acts")
        if act.frame is not None and (act.frame < 1 or "frames" not in choices.layers):
            raise Refused("bad_value", "a frame is a number, from 1", field="acts")
        if act.reads and act.frame is None:
            raise Refused("bad_value", "it is said which frame is read", field="acts")


def _write_acts(marks: Marks, turn: Utterance, choices: Choices) -> Written:
    groups: dict[tuple[str | None, str], list[MarkedAct]] = {}
    for number, act in enumerate(marks.acts):
        part, _ = choices.split(act.slot) if act.slot else (choices.first, "")
        bare = act.slot is None and act.frame is None
        groups.setdefault((part, f"{act.act} {number if bare else ''}"), []).append(act)
    for (part, _), acts in groups.items():
        yield part, {"acts": (Act(acts[0].act, tuple(_arguments(acts, turn, choices))),)}


def _arguments(acts: list[MarkedAct], turn: Utterance, choices: Choices) -> Iterator[Argument]:
    about = "ref" if turn.agent == USER or acts[0].act != "inform" else "write"
    plain: list[Argument] = []
    referred: dict[str, dict[int, list[Argument]]] = {READ: {}, about: {}}
    for act in acts:
        arguments = []
        if act.slot is not None:
            values = () if act.value is None else (act.value,)
            arguments = [Argument(choices.split(act.slot)[1], values)]
        if act.frame is None:
            plain += arguments
        else:
            frames = referred[READ if act.reads else about]
            frames.setdefault(act.frame, []).extend(arguments)
    yield from _joined(plain) if choices.listed else plain
    for key, frames in referred.items():
        if frames:
            links = (Reference(frame, tuple(each) or None) for frame, each in frames.items())
            yield Argument(key, references=tuple(links))


def _joined(arguments: list[Argument]) -> Iterator[Argument]:
    """Yield one argument for each slot, with all its values: for dialogues with services (SGD)."""
    values: dict[str, tuple[Value, ...]] = {}
    for each in arguments:
        values[each.slot] = (*values.get(each.slot, ()), *each.values)
    return (Argument(slot, own_values) for slot, own_values in values.items())


def _read_acts(part: Part, turn: Utterance, choices: Choices) -> dict[str, tuple[Any, ...]]:
    return {
        "acts": tuple(each for act in part.acts or () for each in _marked_acts(act, part, choices))
    }


def _marked_acts(act: Act, part: Part, choices: Choices) -> Iterator[MarkedAct]:
    """Yield the marks of an act: one for each value of a slot, and for each frame without slots."""
    if not act.arguments:
        yield MarkedAct(act.name)
    for frame, reads, argument in _flat(act):
        if argument is None:
            yield MarkedAct(act.name, frame=frame, reads=reads)
            continue
        slot = choices.joined(part.service, argument.slot)
        for value in argument.values or (None,):
            yield MarkedAct(act.name, slot, None if value is None else str(value), frame, reads)


def _flat(act: Act) -> Iterator[tuple[int | None, bool, Argument | None]]:
    """Yield each argument of an act with its frame, and whether the frame is Frames' `read`.

    Arguments outside of a reference belong to the frame that the act creates, if it creates one.
    """
    key = next((each.values[0] for each in act.arguments if each.slot == FRAME and each.values), 0)
    own = key if type(key) is int and key else None
    for argument in act.arguments:
        if not argument.references and (argument.slot != FRAME or own is None):
            yield own, False, argument
        for reference in argument.references:
            for inner in reference.arguments or (None,):
                yield reference.frame, argument.slot == READ, inner


# --- states -----------------------------------------------------------------------------------


def _check_states(marks: Marks, turn: Utterance, choices: Choices) -> None:
    names = [state.service for state in marks.states]
    if (names and turn.agent != USER) or len(set(names)) < len(names):
        raise Refused("bad_value", "a user's line has one state of a service", field="states")
    for state in marks.states:
        _check_state(state, choices)


def _check_state(state: MarkedState, choices: Choices) -> None:
    options = choices.services.get(state.service)
    if options is None or state.intent not in (None, *options.intents):
        raise Refused("unknown", f"no such intent of {clip(state.service)!r}", field="states")
    unknown = [slot for slot in (*state.requested, *state.values) if slot not in options.slots]
    if unknown:
        raise Refused("unknown", f"no slot {clip(unknown[0])!r}", field="states")
    for slot, values in state.values.items():
        candidates = options.slots[slot]
        if not values or not all(map(visible, values)):
            raise Refused("bad_value", "a value is a text that can be read", field="states")
        if candidates and (len(values) > 1 or values[0] not in map(str, candidates)):
            raise Refused("bad_value", f"{slot} has one of the values it lists", field="states")


def _write_states(marks: Marks, turn: Utterance, choices: Choices) -> Written:
    for state in marks.states:
        options = choices.services[state.service].slots
        values = {
            slot: tuple(next((v for v in options[slot] if str(v) == each), each) for each in texts)
            for slot, texts in state.values.items()
        }
        new_state = State(state.intent, state.requested, values)
        yield state.service if choices.listed else None, {"state": new_state}
    if turn.agent == USER and not marks.states:
        yield choices.first, {"state": State()}


def _read_states(part: Part, turn: Utterance, choices: Choices) -> dict[str, tuple[Any, ...]]:
    service = part.service or next(iter(choices.services), None)
    if part.state is None or part.state == State() or service is None:
        return {}
    values = {slot: tuple(map(str, each)) for slot, each in part.state.values.items()}
    return {"states": (MarkedState(service, part.state.intent, part.state.requested, values),)}


# --- frames -----------------------------------------------------------------------------------


def _check_frames(marks: Marks, turn: Utterance, choices: Choices) -> None:
    if marks.active is not None and marks.active < 1:
        raise Refused("bad_value", "a frame is a number, from 1", field="active")


def _write_frames(marks: Marks, turn: Utterance, choices: Choices) -> Written:
    if marks.active is not None:
        yield choices.first, {"active_frame": marks.active}


# --- relations --------------------------------------------------------------------------------


def _check_relations(marks: Marks, turn: Utterance, choices: Choices) -> None:
    spans = {(span.start, span.end) for span in marks.spans}
    for each in marks.relations:
        if each.relation not in choices.relations:
            raise Refused("unknown", f"no relation {clip(each.relation)!r}", field="relations")
        if each.span not in spans:
            raise Refused("bad_value", "a relation begins at a labelled span", field="relations")


def _write_relations(marks: Marks, turn: Utterance, choices: Choices) -> Written:
    if marks.relations:
        yield (
            choices.first,
            {"extra": {RELATIONS: [msgspec.to_builtins(each) for each in marks.relations]}},
        )


def _read_relations(part: Part, turn: Utterance, choices: Choices) -> dict[str, tuple[Any, ...]]:
    relations = part.extra.get(RELATIONS, ())
    return {"relations": msgspec.convert(relations, tuple[MarkedRelation, ...])}


LAYERS: Mapping[str, MarkLayer] = {
    "spans": MarkLayer(_check_spans, _write_spans, _read_spans),
    "acts": MarkLayer(_check_acts, _write_acts, _read_acts),
    "states": MarkLayer(_check_states, _write_states, _read_states),
    "frames": MarkLayer(_check_frames, _write_frames, lambda part, said, choices: {}),
    "relations": MarkLayer(_check_relations, _write_relations, _read_relations),
}
"""Name to layer; frames.py computes the frames that follow from the marks of `frames`."""


def check(marks: Marks, utterance: Utterance, choices: Choices) -> None:
    """Raise `Refused` if marks are not valid, or of a layer that the stage does not mark."""
    lists = {name: getattr(marks, name) for name in LISTS}
    for name, content in (lists | {"frames": marks.active}).items():
        if content and name not in choices.layers:
            raise Refused("unknown", f"no layer {name}", field=name)
        LAYERS[name].check(marks, utterance, choices)


def write(source: str, marks: Marks, utterance: Utterance, choices: Choices) -> Layer:
    """Return the annotation layer of an utterance's marks."""
    parts: dict[str | None, dict[str, Any]] = {choices.first: {}}
    for name in choices.layers:
        for service, fields in LAYERS[name].write(marks, utterance, choices):
            part = parts.setdefault(service, {})
            for field, value in fields.items():
                joins = isinstance(value, tuple) and field in part
                part[field] = part[field] + value if joins else value
    if len(parts) > 1 and not parts[choices.first]:
        del parts[choices.first]
    nothing = {"spans": ()} if "spans" in choices.layers else {}  # annotated, without any span
    new_parts = (Part(service, **(nothing | fields)) for service, fields in parts.items())
    return Layer(source, tuple(new_parts))


def read(layer: Layer, utterance: Utterance, choices: Choices) -> Marks:
    """Return the marks of an annotation layer."""
    values: dict[str, Any] = {}
    for part in layer.parts:
        for name in choices.layers:
            for field, entries in LAYERS[name].read(part, utterance, choices).items():
                values[field] = (*values.get(field, ()), *entries)
    return Marks(**values)
