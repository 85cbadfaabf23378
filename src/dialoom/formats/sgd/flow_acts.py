"""Dialogues that follow task files, converted to SGD's form.

A task becomes a service (schema/services.py). Functions of nodes become SGD's acts
(base/flow_acts.py), consecutive utterances of one agent one turn; only free text keeps spans, and a
categorical slot has its value rather than the words for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from dialoom.dialogue import Constraint, Dialogue, Event, Query, Utterance
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
        constraints = tuple(_constraint(each, service) for each in event.constraints)
        return replace(event, service=event.service or flow.task.id, constraints=constraints)
    layer = annotation(event) if isinstance(event, Utterance) else None
    if not isinstance(event, Utterance) or layer is None:
        return event
    parts = tuple(_part(part, flow, service) for part in layer.parts)
    return replace(event, layers=(replace(layer, parts=parts),))


def _part(part: Part, flow: Flow, service: Service) -> Part:
    return replace(
        part,
        service=flow.task.id if part.service is None else part.service,
        acts=tuple(_apart(act) for act in part.acts or ()),
        spans=tuple(span for span in part.spans or () if _is_free(span, service)),
        state=None if part.state is None else _state(part.state, flow, service),
    )


def _apart(act: Act) -> Act:
    """Return an act with an argument for each value; several in one mean alternatives in SGD."""
    split = [each for argument in act.arguments for each in _single(argument)]
    return replace(act, arguments=tuple(split))


def _single(argument: Argument) -> Iterator[Argument]:
    if len(argument.values) < 2 or len(argument.canonical or argument.values) != len(
        argument.values
    ):
        yield argument
        return
    for place, value in enumerate(argument.values):
        canonical = None if argument.canonical is None else (argument.canonical[place],)
        yield Argument(argument.slot, (value,), canonical)


def _listed(slot: str, service: Service) -> tuple[Value, ...]:
    field = service.slot(slot)
    return field.possible_values if field is not None and field.categorical else ()


def _is_free(span: Span, service: Service) -> bool:
    return bool(span.labels) and not any(_listed(label, service) for label in span.labels)


def _constraint(constraint: Constraint, service: Service) -> Constraint:
    forms = _listed(constraint.slot, service)
    if not forms:
        return constraint
    return replace(constraint, values=tuple(_spelled(v, forms) for v in constraint.values))


def _spelled(value: Value, forms: Sequence[Value]) -> Value:
    """Return a value in the service's spelling, in which booleans and numbers are texts."""
    return next((each for each in forms if each == value or each == str(value)), value)


def _state(state: State, flow: Flow, service: Service) -> State:
    """Return a state with its intent, and with the single value of each categorical slot."""
    calls = flow.task.calls
    only = next(iter(calls)) if len(calls) == 1 else None
    values: dict[str, tuple[Value, ...]] = {}
    for slot, group in state.values.items():
        forms = _listed(slot, service)
        matches = tuple(dict.fromkeys(v for each in group if (v := _spelled(each, forms)) in forms))
        if not forms:
            values[slot] = group
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
