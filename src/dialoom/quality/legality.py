"""Annotation of a dialogue that a schema does not permit.

A service defines slots, values, intents and parameters; a task with a flow also the actions of the
system and their order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from dialoom.dialogue import USER, Argument, Dialogue, Event, Part, Query, Utterance
from dialoom.dialogue.views import action, parts
from dialoom.flow.actions import read_graph
from dialoom.flow.cursor import FlowCursor, GivenValues
from dialoom.flow.program import TaskProgram, program_of
from dialoom.quality.value_ranges import ValueRanges
from dialoom.schema.flow import QUERIES, UNBOUND
from dialoom.schema.service import ANYTHING, COUNT, INTENT
from dialoom.schema.services import contract
from dialoom.schema.task import TaskSchema


class Violation(NamedTuple):
    """One annotation that a schema does not permit.

    Attributes:
        task: The task, by its name in the dialogue.
        kind: Slot, value, intent, call, parameter, required parameter (a missing one), action or
            step (a pair of actions).
        name: The name of the element; of a step both actions.
    """

    task: str
    kind: str
    name: str
    event: int


class CallInputs(NamedTuple):
    """The inputs that a call must have, and all that it may have."""

    required: tuple[str, ...]
    known: frozenset[str]


class SchemaRules:
    """The elements and orders of actions that one task permits.

    Attributes:
        values: Slot to its permitted values; None where any value is permitted.
        calls: Name of a call, which in a service is that of its intent, to its inputs.
    """

    def __init__(self, task: TaskSchema) -> None:
        self.task = task
        self.calls = {
            call.name: CallInputs(call.required, frozenset(each.name for each in call.inputs))
            for call in task.calls.values()
        }
        self.values: dict[str, frozenset[Any] | None] = {}
        if task.is_service:
            for slot in contract(task).slots:
                limited = slot.categorical and slot.possible_values
                self.values[slot.name] = (
                    frozenset((*slot.possible_values, ANYTHING)) if limited else None
                )
            return
        for each in task.slots.values():
            finite = each.type in ("category", "categories")
            self.values[each.name] = frozenset(each.values) if finite else None
        for inputs in self.calls.values():
            self.values |= {name: None for name in inputs.known if name not in self.values}

    @cached_property
    def ranges(self) -> ValueRanges | None:
        """Checks values of the task file's slots and columns."""
        return ValueRanges(self.task) if self.task.flow.complete else None

    def takes(self, slot: str, value: Any) -> bool:
        """True if a slot that the task has may have a value."""
        if self.ranges is not None and slot in self.task.slots:
            return self.ranges.slot(slot, value) is None
        options = self.values[slot]
        return options is None or value in options

    @cached_property
    def program(self) -> TaskProgram:
        """The task, compiled."""
        return program_of(self.task)

    @cached_property
    def actions(self) -> frozenset[str]:
        """The actions of the system; empty where the task has no flow."""
        return frozenset(read_graph(self.task).actions if self.task.flow else ())

    @cached_property
    def users(self) -> frozenset[str]:
        """The names of the user's nodes; empty where the flow is not complete."""
        nodes = self.task.flow.nodes.values() if self.task.flow.complete else ()
        return frozenset(node.name for node in nodes if node.kind == "user")

    def follows(self, before: str, after: str, done: Collection[str]) -> bool:
        """True if an action may follow another; `done` ones may be left out in between."""
        bound = {before, after} <= self.program.named.keys()
        return not bound or after in self.program.loose | self.permitted(before, done)

    def permitted(self, before: str | None, omissible: Collection[str]) -> frozenset[str]:
        """Return the actions that may come after one, or open the dialogue.

        Args:
            before: The action before; None at the start.
            omissible: Replies that may be left out in between, besides questions.
        """
        at, values = self.program.named.get(before or "", ()), GivenValues(self.program)
        return FlowCursor(self.program, values, at).permitted(omissible)


_Rules = Mapping[str, "SchemaRules"]

Fault = tuple[str, str]
"""The kind of an element that is not permitted, and its name."""

TaskFault = tuple[str, str, str]
"""The same, after the name of the task."""


def violations(dialogue: Dialogue, rules: Mapping[str, SchemaRules]) -> Iterator[Violation]:
    """Yield the annotation that tasks do not permit; tasks without `rules` are ignored."""
    entries = dialogue.scenario.capabilities if dialogue.scenario else ()
    names = [each.task for each in entries if each.task in rules]
    own = {name: rules[name] for name in names}
    for index, event in enumerate(dialogue.events):
        for fault in _faults(event, own, rules):
            yield Violation(*fault, index)
    if len(names) == 1:
        yield from _steps(dialogue, names[0], own[names[0]])


def _faults(event: Event, own: _Rules, rules: _Rules) -> Iterator[TaskFault]:
    if isinstance(event, Query):
        service = event.service
        owners = own if service is None else {service: rules[service]} if service in rules else {}
        yield from _query(event, owners)
    elif isinstance(event, Utterance):
        for part in parts(event):
            if part.service is not None and part.service in rules:
                yield from ((part.service, *fault) for fault in _part(part, rules[part.service]))
        if own:
            yield from _loose(event, own)


def _query(query: Query, owners: _Rules) -> Iterator[TaskFault]:
    owner = next((name for name, each in owners.items() if query.api in each.calls), None)
    if owner is None:
        yield from ((name, "call", query.api) for name in list(owners)[:1])
        return
    required, inputs = owners[owner].calls[query.api]
    slots = {constraint.slot for constraint in query.constraints}
    for name in sorted(slots - inputs):
        yield owner, "parameter", f"{query.api}.{name}"
    for name in sorted({*required} - slots):
        yield owner, "required parameter", f"{query.api}.{name}"


def _part(part: Part, permits: SchemaRules) -> Iterator[Fault]:
    for act in part.acts or ():
        for argument in act.arguments:
            yield from _argument(act.name, argument, permits)
    for span in part.spans or ():
        for label in span.labels:
            yield from _value(permits, label, ())
    state = part.state
    if state is None:
        return
    if state.intent is not None and state.intent not in permits.calls:
        yield "intent", state.intent
    for slot in state.requested:
        yield from _value(permits, slot, ())
    for slot, values in state.values.items():
        yield from _value(permits, slot, values[:1])


def _argument(act: str, argument: Argument, permits: SchemaRules) -> Iterator[Fault]:
    values = argument.values if argument.canonical is None else argument.canonical
    if argument.slot == INTENT and act.endswith("_INTENT"):
        yield from (("intent", str(value)) for value in values if value not in permits.calls)
    elif argument.slot and not (argument.slot == COUNT and act == "INFORM_COUNT"):
        yield from _value(permits, argument.slot, values)


def _value(permits: SchemaRules, slot: str, values: tuple[Any, ...]) -> Iterator[Fault]:
    if slot not in permits.values:
        yield "slot", slot
        return
    yield from (
        ("value", f"{slot} = {value}") for value in values if not permits.takes(slot, value)
    )


def _loose(utterance: Utterance, own: _Rules) -> Iterator[TaskFault]:
    """Yield the faults of an utterance without services: one permitting task is enough."""
    label, first = action(utterance), next(iter(own))
    actions = frozenset().union(*(each.actions for each in own.values()))
    if actions and label is not None and label not in actions | UNBOUND:
        yield first, "action", label
    if utterance.agent != USER:
        return
    users = [each.users for each in own.values() if each.users]
    for part in parts(utterance):
        for act in (part.acts or ()) if part.service is None else ():
            if users and not any(act.name in names for names in users):
                yield first, "action", act.name
            for argument in act.arguments:
                yield from _anywhere(argument, own)


def _anywhere(argument: Argument, own: _Rules) -> Iterator[TaskFault]:
    """Yield an argument's faults under the first task, if every task with slots has some."""
    values = argument.values if argument.canonical is None else argument.canonical
    having = {name: each for name, each in own.items() if each.values}
    faults = [
        [(name, *f) for f in _value(each, argument.slot, values)] for name, each in having.items()
    ]
    if faults and all(faults):
        yield from faults[0]


def _steps(dialogue: Dialogue, task: str, permits: SchemaRules) -> Iterator[Violation]:
    before: str | None = None
    done: set[str] = set()
    for index, event in enumerate(dialogue.events):
        label = action(event)
        if label is None or label in UNBOUND:
            continue
        if before is not None and not permits.follows(before, label, done):
            yield Violation(task, "step", f"{before} -> {label}", index)
        if label not in QUERIES:
            done.add(label)
        before = label
