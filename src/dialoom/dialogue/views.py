"""What can be read off the event log: derived on reading, never stored twice.

turns              runs of utterances by one speaker
selected_items     the knowledge-base items before the wizard at each event
action             the label of a system action, as next-action prediction asks for it
acts, spans        the published acts and spans, each with its utterance and its service
state_changes      what each user turn adds to, changes in or takes from the state
state_at           the dialogue state before an event
by_task            which events belong to which of several tasks
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from dialoom.dialogue.annotation import ANNOTATORS, GOLD, Act, Layer, Part, Span, State, Value
from dialoom.dialogue.dialogue import Dialogue
from dialoom.dialogue.event import (
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

NOTHING = Selected()


def turns(events: Iterable[Event]) -> Iterator[tuple[Utterance, ...]]:
    """Yield maximal runs of utterances by one agent, whatever happens between them."""
    utterances = (event for event in events if isinstance(event, Utterance))
    for _, run in groupby(utterances, key=lambda utterance: utterance.agent):
        yield tuple(run)


def gold(utterance: Utterance) -> Layer | None:
    """Return the layer a corpus was published with, if the utterance has one."""
    return next((layer for layer in utterance.layers if layer.source == GOLD), None)


def annotation(utterance: Utterance) -> Layer | None:
    """Return the layer to write where there is room for one: the gold one, else the first."""
    layers = utterance.layers
    return next((layer for layer in layers if layer.source == GOLD), layers[0] if layers else None)


def annotators(utterance: Utterance) -> tuple[Layer, ...]:
    """Return the layers of those who annotated an utterance, each alone."""
    return tuple(layer for layer in utterance.layers if layer.source.startswith(ANNOTATORS))


def parts(utterance: Utterance) -> tuple[Part, ...]:
    """Return the parts of the gold layer, empty where there is none."""
    layer = gold(utterance)
    return layer.parts if layer else ()


def label(utterance: Utterance) -> str | None:
    """Return the name of the first gold act: a wizard's action label in STAR."""
    for part in parts(utterance):
        for act in part.acts or ():
            return act.name
    return None


def action(event: Event) -> str | None:
    """Return the label of a system action, or None where the event is none.

    A suggestion that was picked has its act's name; a query is `query_check` or `query_book` when
    a parameter RequestType says so, else `query` (protocols of SAM, Mehri & Eskenazi 2021).
    """
    if isinstance(event, Query):
        return query_label(event)
    if isinstance(event, Utterance) and event.agent == SYSTEM:
        return label(event)
    return None


def query_label(query: Query) -> str:
    """Return `query_check`, `query_book` or `query`, by the value of RequestType."""
    kinds = {c.value for c in query.constraints if c.slot == "RequestType"}
    if "Check" in kinds:
        return "query_check"
    return "query_book" if "Book" in kinds else "query"


def selected_items(events: Iterable[Event]) -> Iterator[Selected]:
    """Yield, for each event, the items before the wizard when it happened.

    A result puts its item first and leaves the second; a selection, or an event that carries
    `selected`, replaces both. This is what STAR's wizard page did in 99.7 % of its wizard events.
    """
    now = NOTHING
    for event in events:
        if isinstance(event, Utterance | Query | Options | Selection):
            now = event.selected or now
        elif isinstance(event, Result):
            now = Selected(event.items[0] if event.items else None, now.secondary)
        yield now


class ActAt(NamedTuple):
    """An act, and where it stands: the index of its event, who says it, of which service."""

    event: int
    agent: str
    service: str | None
    act: Act


class SpanAt(NamedTuple):
    """A span with what it covers, and where it stands."""

    event: int
    agent: str
    service: str | None
    span: Span
    text: str


class StateChange(NamedTuple):
    """A slot whose values a user turn changes; the values before and after, empty where none."""

    event: int
    service: str | None
    slot: str
    before: tuple[Value, ...]
    after: tuple[Value, ...]


def _annotated(dialogue: Dialogue) -> Iterator[tuple[int, Utterance, Part]]:
    for index, event in enumerate(dialogue.events):
        if isinstance(event, Utterance):
            for part in parts(event):
                yield index, event, part


def acts(dialogue: Dialogue) -> Iterator[ActAt]:
    """Yield every published act, in order."""
    for index, said, part in _annotated(dialogue):
        for act in part.acts or ():
            yield ActAt(index, said.agent, part.service, act)


def spans(dialogue: Dialogue) -> Iterator[SpanAt]:
    """Yield every published span with what it covers, in order."""
    for index, said, part in _annotated(dialogue):
        for span in part.spans or ():
            text = said.text[span.start : span.end] if span.text is None else span.text
            yield SpanAt(index, said.agent, part.service, span, text)


def state_changes(dialogue: Dialogue) -> Iterator[StateChange]:
    """Yield each slot whose values differ from those of the service's state before."""
    known: dict[str | None, Mapping[str, tuple[Value, ...]]] = {}
    for index, _, part in _annotated(dialogue):
        if part.state is None:
            continue
        old, new = known.get(part.service, {}), part.state.values
        known[part.service] = new
        for slot in dict.fromkeys((*old, *new)):
            before, after = old.get(slot, ()), new.get(slot, ())
            if before != after:
                yield StateChange(index, part.service, slot, before, after)


def state_at(events: Sequence[Event], index: int, service: str | None = None) -> State | None:
    """Return the last annotated state of `service` before event `index`."""
    for event in reversed(events[:index]):
        if isinstance(event, Utterance) and event.agent == USER:
            for part in parts(event):
                if part.service == service and part.state is not None:
                    return part.state
    return None


def by_task(events: Sequence[Event]) -> dict[str, list[int]]:
    """Return the indices of each task's events, going by when the wizard turns to it.

    What the user says just before that, and what the guide told them, is about the new task
    already. Without such a turn there are no tasks to tell apart.
    """
    found: dict[str, list[int]] = {}
    now: str | None = None
    loose: list[int] = []  # until it is known which task they are about
    for index, event in enumerate(events):
        loose.append(index)
        if isinstance(event, Selection) and event.kind == "task" and event.task:
            now = event.task
        elif event.agent in (USER, GUIDE):
            continue
        if now is not None:
            found.setdefault(now, []).extend(loose)
            loose = []
    if now is not None:
        found[now] += loose
    return found


def tasks(dialogue: Dialogue) -> tuple[str, ...]:
    """Return the tasks the system could help with, in the scenario's order."""
    if dialogue.scenario and dialogue.scenario.capabilities:
        return tuple(capability.task for capability in dialogue.scenario.capabilities)
    return dialogue.services
