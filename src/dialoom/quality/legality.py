"""Annotation of a dialogue that a schema does not permit.

A service defines slots, values, intents and parameters; a task with a flow also the actions of the
system and their order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from dialoom.dialogue import USER, Argument, Dialogue, Part, Query, State, Utterance
from dialoom.dialogue.views import action, parts
from dialoom.flow.actions import read_graph
from dialoom.flow.cursor import FlowCursor, GivenValues
from dialoom.flow.program import TaskProgram, program_of
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


def violations(dialogue: Dialogue, rules: Mapping[str, SchemaRules]) -> Iterator[Violation]:
    """Yield the annotation that tasks do not permit; tasks without `rules` are ignored."""
    own = _tasks(dialogue, rules)
    for index, event in enumerate(dialogue.events):
        if isinstance(event, Query):
            names = own if event.service is None else [event.service]
            yield from _query(event, index, [name for name in names if name in rules], rules)
        elif isinstance(event, Utterance):
            for part in parts(event):
                if part.service in rules:
                    yield from _part(part, index, part.service or "", rules[part.service or ""])
            if own:
                yield from _loose(event, index, own, rules)
    if len(own) == 1:
        yield from _steps(dialogue, own[0], rules[own[0]])


def _tasks(dialogue: Dialogue, rules: Mapping[str, SchemaRules]) -> list[str]:
    entries = dialogue.scenario.capabilities if dialogue.scenario else ()
    return [task for each in entries if (task := each.task) in rules]


def _query(
    query: Query, index: int, names: list[str], rules: Mapping[str, SchemaRules]
) -> Iterator[Violation]:
    if not names:
        return
    owner = next((name for name in names if query.api in rules[name].calls), None)
    if owner is None:
        yield Violation(names[0], "call", query.api, index)
        return
    required, inputs = rules[owner].calls[query.api]
    slots = {constraint.slot for constraint in query.constraints}
    for name in sorted(slots - inputs):
        yield Violation(owner, "parameter", f"{query.api}.{name}", index)
    for name in sorted({*required} - slots):
        yield Violation(owner, "required parameter", f"{query.api}.{name}", index)


def _part(part: Part, index: int, task: str, permits: SchemaRules) -> Iterator[Violation]:
    for act in part.acts or ():
        for argument in act.arguments:
            yield from _argument(act.name, argument, index, task, permits)
    labels = (label for span in part.spans or () for label in span.labels)
    for label in labels:
        yield from _value(permits, task, label, (), index)
    if part.state is not None:
        yield from _state(part.state, index, task, permits)


def _argument(
    act: str, argument: Argument, index: int, task: str, permits: SchemaRules
) -> Iterator[Violation]:
    values = argument.values if argument.canonical is None else argument.canonical
    if argument.slot == INTENT and act.endswith("_INTENT"):
        for value in values:
            if value not in permits.calls:
                yield Violation(task, "intent", str(value), index)
    elif argument.slot and not (argument.slot == COUNT and act == "INFORM_COUNT"):
        yield from _value(permits, task, argument.slot, values, index)


def _state(state: State, index: int, task: str, permits: SchemaRules) -> Iterator[Violation]:
    if state.intent is not None and state.intent not in permits.calls:
        yield Violation(task, "intent", state.intent, index)
    for slot in state.requested:
        yield from _value(permits, task, slot, (), index)
    for slot, values in state.values.items():
        yield from _value(permits, task, slot, values[:1], index)


def _value(
    permits: SchemaRules, task: str, slot: str, values: tuple[Any, ...], index: int
) -> Iterator[Violation]:
    if slot not in permits.values:
        yield Violation(task, "slot", slot, index)
        return
    options = permits.values[slot]
    if options is None:
        return
    for value in values:
        if value not in options:
            yield Violation(task, "value", f"{slot} = {value}", index)


def _loose(
    utterance: Utterance, index: int, own: list[str], rules: Mapping[str, SchemaRules]
) -> Iterator[Violation]:
    """Yield the violations of an utterance without services: one permitting task is enough."""
    label = action(utterance)
    actions = frozenset().union(*(rules[name].actions for name in own))
    if actions and label is not None and label not in actions | UNBOUND:
        yield Violation(own[0], "action", label, index)
    if utterance.agent != USER:
        return
    users = [rules[name].users for name in own if rules[name].users]
    for part in parts(utterance):
        for act in (part.acts or ()) if part.service is None else ():
            if users and not any(act.name in names for names in users):
                yield Violation(own[0], "action", act.name, index)
            for argument in act.arguments:
                yield from _anywhere(argument, index, own, rules)


def _anywhere(
    argument: Argument, index: int, own: list[str], rules: Mapping[str, SchemaRules]
) -> Iterator[Violation]:
    """Yield an argument's violations under the first task, if every task with slots has some."""
    values = argument.values if argument.canonical is None else argument.canonical
    holding = [name for name in own if rules[name].values]
    faults = [list(_value(rules[name], name, argument.slot, values, index)) for name in holding]
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
