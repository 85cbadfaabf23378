"""Dialogues that follow task files, converted to SGD's form.

A task becomes a service (schema/services.py). Functions of nodes become SGD's acts
(base/flow_acts.py), consecutive utterances of one agent one turn; only free text keeps spans, and a
categorical slot has its value rather than the words for it. Numbers and booleans become texts, as
all values of SGD are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from dialoom.dialogue import Dialogue, Event, Query, Result, Utterance
from dialoom.dialogue.annotation import GOLD, Act, Argument, Layer, Part, Span, State, Value
from dialoom.dialogue.views import annotated_parts, annotation
from dialoom.formats.base.flow_acts import Flow, Flows, Named, Vocabulary
from dialoom.schema.service import ACTS, ANYTHING, Service
from dialoom.schema.services import contract
from dialoom.schema.task import TaskSchema

VOCABULARY = Vocabulary(
    names={
        "goodbye": (Named("GOODBYE", "bare"),),
        "request": (Named("REQUEST"),),
        "inform": (Named("INFORM"),),
        "offer": (Named("OFFER"),),
        "confirm": (Named("CONFIRM"),),
        "success": (Named("NOTIFY_SUCCESS", "bare"), Named("INFORM", "given")),
        "nothing": (Named("NOTIFY_FAILURE", "bare"),),
        "failure": (Named("NOTIFY_FAILURE", "bare"),),
        "more": (Named("REQ_MORE", "bare"),),
        "intent": (Named("INFORM_INTENT", "given"),),
        "affirm": (Named("AFFIRM", "bare"),),
        "negate": (Named("NEGATE", "bare"),),
        "indifferent": (Named("INFORM", "given"),),
    },
    known=frozenset(ACTS),
    anything=ANYTHING,
)
"""SGD's acts for functions of nodes; it has none for a greeting."""


def adapt(schemas: Mapping[str, TaskSchema]) -> Callable[[Dialogue], Dialogue]:
    """Return a function that converts dialogues of some tasks, and leaves others unchanged."""
    flows = Flows(schemas, VOCABULARY)
    services = {flow.task.id: contract(flow.task) for flow in flows.known.values()}
    return flows.adapter(lambda steps: _turns([_event(*step, services) for step in steps]))


def _event(event: Event, flow: Flow | None, services: Mapping[str, Service]) -> Event:
    if flow is None:
        return event
    service = services[flow.task.id]
    if isinstance(event, Query):
        constraints = tuple(
            replace(each, values=_texts(each.values, each.slot, service))
            for each in event.constraints
        )
        return replace(event, service=event.service or flow.task.id, constraints=constraints)
    if isinstance(event, Result):
        items = ({key: _text(value) for key, value in item.items()} for item in event.items)
        return replace(event, items=tuple(items))
    layer = annotation(event) if isinstance(event, Utterance) else None
    if not isinstance(event, Utterance) or layer is None:
        return event
    parts = tuple(_part(part, flow, service) for part in layer.parts)
    return replace(event, layers=(replace(layer, parts=parts),))


def _part(part: Part, flow: Flow, service: Service) -> Part:
    return replace(
        part,
        service=flow.task.id if part.service is None else part.service,
        acts=tuple(_apart(act, service) for act in part.acts or ()),
        spans=tuple(span for span in part.spans or () if _is_free(span, service)),
        state=None if part.state is None else _state(part.state, flow, service),
    )


def _apart(act: Act, service: Service) -> Act:
    """Return an act with an argument for each value; several in one mean alternatives in SGD."""
    split = [each for argument in act.arguments for each in _single(argument, service)]
    return replace(act, arguments=tuple(split))


def _single(argument: Argument, service: Service) -> Iterator[Argument]:
    slot, canonical = argument.slot, argument.canonical
    values = _texts(argument.values, slot, service)
    canonical = None if canonical is None else _texts(canonical, slot, service)
    if len(values) < 2 or len(canonical or values) != len(values):
        yield replace(argument, values=values, canonical=canonical)
        return
    for place, value in enumerate(values):
        yield Argument(slot, (value,), None if canonical is None else (canonical[place],))


def _listed(slot: str, service: Service) -> tuple[Value, ...]:
    field = service.slot(slot)
    return field.possible_values if field is not None and field.categorical else ()


def _is_free(span: Span, service: Service) -> bool:
    return bool(span.labels) and not any(_listed(label, service) for label in span.labels)


def _texts(values: Iterable[Value], slot: str, service: Service) -> tuple[Value, ...]:
    """Return values in the service's spelling, in which booleans and numbers are texts."""
    forms = _listed(slot, service)
    return tuple(
        next((each for each in forms if each in (value, str(value))), _text(value))
        for value in values
    )


def _text(value: Any) -> Any:
    return str(value) if isinstance(value, int | float) else value


def _state(state: State, flow: Flow, service: Service) -> State:
    """Return a state with its intent, and with the single value of each categorical slot."""
    calls = flow.task.calls
    only = next(iter(calls)) if len(calls) == 1 else None
    values: dict[str, tuple[Value, ...]] = {}
    for slot, group in state.values.items():
        forms = _listed(slot, service)
        texts = _texts(group, slot, service)
        matches = tuple(dict.fromkeys(each for each in texts if each in forms))
        if not forms:
            values[slot] = texts
        elif len(matches) == 1:  # SGD has no categorical slot with several values
            values[slot] = matches
    return replace(state, intent=state.intent if state.intent in calls else only, values=values)


def _turns(events: Sequence[Event]) -> list[Event]:
    turns: list[Event] = []
    last: int | None = None  # index of the last utterance
    for event in events:
        before = None if last is None else turns[last]
        if isinstance(event, Utterance):
            if isinstance(before, Utterance) and before.agent == event.agent and last is not None:
                del turns[last]
                event = _joined(before, event)
            last = len(turns)
        turns.append(event)
    return turns


def _joined(one: Utterance, other: Utterance) -> Utterance:
    text = f"{one.text} {other.text}"
    after = len(text) - len(other.text)
    parts: dict[str | None, Part] = {}
    for utterance, moved in ((one, 0), (other, after)):
        for part in annotated_parts(utterance):
            base = parts.get(part.service, Part(part.service, (), ()))
            spans = (replace(s, start=s.start + moved, end=s.end + moved) for s in part.spans or ())
            parts[part.service] = replace(
                base,
                acts=(*(base.acts or ()), *(part.acts or ())),
                spans=(*(base.spans or ()), *spans),
                state=part.state or base.state,
            )
    layers = (Layer(GOLD, tuple(parts.values())),) if parts else ()
    return replace(one, text=text, layers=layers)
