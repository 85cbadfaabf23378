"""Views: what is computed from a dialogue's events rather than stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

from dialoom.dialogue.annotation import ANNOTATORS, GOLD, REVIEWS, Layer, Part, State, Value
from dialoom.dialogue.dialogue import Dialogue
from dialoom.dialogue.event import (
    BOOK,
    CHECK,
    GUIDE,
    SYSTEM,
    USER,
    Event,
    Options,
    Query,
    Result,
    Selected,
    Selection,
    Utterance,
)
from dialoom.dialogue.question import ServiceAct

NOTHING = Selected()


def turns(events: Iterable[Event]) -> Iterator[tuple[Utterance, ...]]:
    """Yield maximal runs of utterances by one agent, ignoring other events between them."""
    spoken = (event for event in events if isinstance(event, Utterance))
    for _, run in groupby(spoken, key=lambda utterance: utterance.agent):
        yield tuple(run)


def gold(utterance: Utterance) -> Layer | None:
    """Return the layer that a corpus was published with; None if the utterance has none."""
    layers = utterance.layers
    if layers and layers[0].source == GOLD:  # as most have it
        return layers[0]
    return next((layer for layer in layers if layer.source == GOLD), None)


def annotation(utterance: Utterance) -> Layer | None:
    """Return the layer for formats with one annotation: the gold one, else the first; or None."""
    return gold(utterance) or next(iter(utterance.layers), None)


def annotators(utterance: Utterance) -> tuple[Layer, ...]:
    """Return the layers of the independent annotators of an utterance."""
    return tuple(layer for layer in utterance.layers if layer.source.startswith(ANNOTATORS))


def rejected(dialogue: Dialogue) -> frozenset[str]:
    """Return whose work on a dialogue was rejected: sources of layers, and numbers of workers."""
    reviews = dialogue.extra.get(REVIEWS)
    rows = reviews.items() if isinstance(reviews, dict) else ()
    names = {who for who, row in rows if isinstance(row, dict) and row.get("Accepted") is False}
    return frozenset(names | {dialogue.workers.get(who, who.rpartition("-")[2]) for who in names})


def parts(utterance: Utterance) -> tuple[Part, ...]:
    """Return the parts of the gold layer; empty without one."""
    layer = gold(utterance)
    return layer.parts if layer else ()


def annotated_parts(utterance: Utterance) -> tuple[Part, ...]:
    """Return the parts of the layer for formats with one annotation; empty without one."""
    layer = annotation(utterance)
    return layer.parts if layer else ()


def service_acts(parts: Iterable[Part]) -> tuple[ServiceAct, ...]:
    """Return the acts of some parts, each with its service."""
    return tuple(ServiceAct(act, part.service) for part in parts for act in part.acts or ())


def utterances(dialogue: Dialogue) -> Iterator[tuple[int, Utterance]]:
    """Yield the utterances, each after the index of its event."""
    return ((n, event) for n, event in enumerate(dialogue.events) if isinstance(event, Utterance))


def noted_texts(dialogue: Dialogue) -> Iterator[tuple[str, str]]:
    """Yield the strings in the answers and each `extra`, after their JSON pointers."""
    for number, answer in enumerate(dialogue.answers):
        yield from _strings(answer.answer, f"/answers/{number}/answer")
    yield from _strings(dialogue.extra, "/extra")
    for number, event in enumerate(dialogue.events):
        yield from _strings(event.extra, f"/events/{number}/extra")
        for place, layer in enumerate(event.layers if isinstance(event, Utterance) else ()):
            pointer = f"/events/{number}/layers/{place}"
            yield from _strings(layer.extra, f"{pointer}/extra")
            for index, part in enumerate(layer.parts):
                yield from _strings(part.extra, f"{pointer}/parts/{index}/extra")


def _strings(value: Any, pointer: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield pointer, value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _strings(each, f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list | tuple):
        for index, each in enumerate(value):
            yield from _strings(each, f"{pointer}/{index}")


def label(utterance: Utterance) -> str | None:
    """Return the name of the first gold act, such as a wizard's action label, or None."""
    for part in parts(utterance):
        for act in part.acts or ():
            return act.name
    return None


def action(event: Event) -> str | None:
    """Return the label of a system action; None if the event is no system action.

    The label of a suggestion that was picked is its act's name; that of a query is `query_label`.
    """
    if isinstance(event, Query):
        return query_label(event)
    if isinstance(event, Utterance) and event.agent == SYSTEM:
        return label(event)
    return None


def query_label(query: Query) -> str:
    """Return `query_check` or `query_book` by the value of a request input, else `query`.

    These are the labels of Mehri & Eskenazi (2021). A query does not say which of its inputs has
    the request type, so the input's name decides: `request`, `request_type` or `RequestType`.
    """
    kinds = {c.value for c in query.constraints if _is_request(c.slot)}
    if CHECK in kinds:
        return "query_check"
    return "query_book" if BOOK in kinds else "query"


@cache
def _is_request(name: str) -> bool:
    return name.replace("_", "").casefold() in ("request", "requesttype")


def selected_items(events: Iterable[Event]) -> Iterator[Selected]:
    """Yield, for each event, the items that the wizard saw when it happened.

    A result replaces the first item and keeps the second; a selection, or an event that has
    `selected`, replaces both. This is true of 99.7 % of the wizard events of STAR.
    """
    now = NOTHING
    for event in events:
        if isinstance(event, Utterance | Query | Options | Selection):
            now = event.selected or now
        elif isinstance(event, Result):
            now = Selected(event.items[0] if event.items else None, now.secondary)
        yield now


class StateChange(NamedTuple):
    """A slot with its values before and after a user turn that changes them; () for no values."""

    event: int
    service: str | None
    slot: str
    before: tuple[Value, ...]
    after: tuple[Value, ...]


def state_changes(dialogue: Dialogue) -> Iterator[StateChange]:
    """Yield each slot whose values differ from those in the service's previous state."""
    states: dict[str | None, Mapping[str, tuple[Value, ...]]] = {}
    annotated = ((index, part) for index, turn in utterances(dialogue) for part in parts(turn))
    for index, part in annotated:
        if part.state is None:
            continue
        old, new = states.get(part.service, {}), part.state.values
        states[part.service] = new
        for slot in dict.fromkeys((*old, *new)):
            before, after = old.get(slot, ()), new.get(slot, ())
            if before != after:
                yield StateChange(index, part.service, slot, before, after)


def state_at(events: Sequence[Event], index: int, service: str | None = None) -> State | None:
    """Return the last annotated state of `service` before event `index`; None without one."""
    for event in reversed(events[:index]):
        if isinstance(event, Utterance) and event.agent == USER:
            for part in parts(event):
                if part.service == service and part.state is not None:
                    return part.state
    return None


def by_task(events: Sequence[Event]) -> dict[str, list[int]]:
    """Return task to the indices of its events, by when the wizard switches to it.

    User utterances and instructions directly before a switch belong to the new task. The result is
    empty if the wizard never selects a task.
    """
    indices: dict[str, list[int]] = {}
    now: str | None = None
    loose: list[int] = []  # events whose task is not known yet
    for index, event in enumerate(events):
        loose.append(index)
        if isinstance(event, Selection) and event.kind == "task" and event.task:
            now = event.task
        elif event.agent in (USER, GUIDE):
            continue
        if now is not None:
            indices.setdefault(now, []).extend(loose)
            loose = []
    if now is not None:
        indices[now] += loose
    return indices


def tasks(dialogue: Dialogue) -> tuple[str, ...]:
    """Return the tasks that the system can help with, in the scenario's order."""
    if dialogue.scenario and dialogue.scenario.capabilities:
        return tuple(capability.task for capability in dialogue.scenario.capabilities)
    return dialogue.services
