"""Rules of a dialogue's tasks: values, names, actions and their order."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain
from typing import Any

from dialoom.dialogue import GOLD, SYSTEM, USER, Query, Utterance
from dialoom.quality.lint.context import LintContext, TaskFacts
from dialoom.quality.lint.rule import CodeFound, Found, check
from dialoom.quality.value_ranges import ValueFault, ValueRanges
from dialoom.schema.findings import hint
from dialoom.schema.flow import OUT_OF_SCOPE, STEP, UNBOUND


@check("E701", "E702", needs="designed")
def _check_values(context: LintContext) -> Iterator[CodeFound]:
    task = context.designed
    if task is not None and task.ranges is not None:
        for pointer, fault in chain(
            _annotated(context, task.ranges), _called(context, task.ranges)
        ):
            if fault is not None:
                yield fault.code, pointer, fault.what


_Looked = Iterator[tuple[str, ValueFault | None]]
"""The JSON pointer of a value and its fault."""


def _annotated(context: LintContext, ranges: ValueRanges) -> _Looked:
    slots = ranges.task.slots
    for place, number, _, index, argument in context.arguments:
        values = argument.values if argument.canonical is None else argument.canonical
        if argument.slot in slots and values and place.source == GOLD:
            yield place.argument(number, index), ranges.slot(argument.slot, values)
    for place, state in context.states:
        for slot, values in state.values.items() if place.source == GOLD else ():
            if slot in slots:
                yield place.value(slot), ranges.said(slot, values)


def _called(context: LintContext, ranges: ValueRanges) -> _Looked:
    calls = ranges.task.calls
    for index, query, number, constraint in context.constraints:
        if query.api in calls and constraint.operator is not None:
            fault = ranges.column(calls[query.api], constraint.slot, constraint.values)
            yield f"/events/{index}/constraints/{number}", fault
    for index, result in context.results:
        request = context.by_id.get(result.query)
        if request is not None and request.api in calls:
            for number, item in enumerate(result.items):
                for name, value in item.items():
                    fault = ranges.column(calls[request.api], name, value)
                    yield f"/events/{index}/items/{number}/{name}", fault


@check("E703", needs="designed")
def _unknown_slot(context: LintContext) -> Iterator[Found]:
    task = context.designed
    if task is None:
        return
    slots = task.task.slots
    names = {*slots, *task.shown, STEP}
    for place, number, _, index, argument in context.arguments:
        name = argument.slot
        if name not in names and place.source == GOLD:
            yield place.argument(number, index), f"the task has no {name!r}: {hint(name, slots)}"
    for place, number, span in context.spans:
        for name in span.labels if place.source == GOLD else ():
            if name not in names:
                pointer = f"{place.pointer}/spans/{number}"
                yield pointer, f"the task has no {name!r}: {hint(name, slots)}"
    for place, state in context.states:
        for name in state.values if place.source == GOLD else ():
            if name not in slots:
                yield place.value(name), f"the task has no slot {name!r}: {hint(name, slots)}"


@check("W701", needs="queries")
def _unlisted_value(context: LintContext) -> Iterator[Found]:
    if not any(task.published for task in context.tasks):
        return
    for index, query, number, constraint in context.constraints:
        options = _listed(context, query, constraint.slot)
        for value in constraint.values if options else ():
            if value not in options:
                pointer = f"/events/{index}/constraints/{number}"
                yield pointer, f"{constraint.slot} does not list {value!r}"


def _listed(context: LintContext, query: Query, name: str) -> Collection[Any]:
    for facts in context.tasks:
        if facts.published and query.api in facts.task.calls:
            return facts.listed.get(name, ())
    return ()


@check("E706", needs="designed")
def _broken_constraint(context: LintContext) -> Iterator[Found]:
    task = context.designed
    if task is None or not task.task.constrained:
        return
    for place, state in context.states:
        if place.source != GOLD:
            continue
        values = {s: v[0] if len(v) == 1 else v for s, v in state.values.items() if v}
        for names, what in task.task.broken(values):
            yield place.value(names[-1]), f"it is not so that {what}"


@check("E704", needs="designed")
def _unknown_node(context: LintContext) -> Iterator[Found]:
    task = context.designed
    if task is None or not task.task.flow.complete:
        return
    kinds = {USER: "user", SYSTEM: "system"}
    nodes = task.task.flow.nodes
    for place, number, act in context.acts:
        kind, node = kinds.get(place.utterance.agent), nodes.get(act.name)
        if not kind or act.name == OUT_OF_SCOPE or place.source != GOLD:
            continue
        if node is None or node.kind != kind:
            names = (name for name, n in nodes.items() if n.kind == kind)
            what = f"{act.name!r} is no {kind} node: {hint(act.name, names)}"
            yield f"{place.pointer}/acts/{number}", what


@check("W702", needs="published")
def _unknown_action(context: LintContext) -> Iterator[Found]:
    for index, name in _actions(context):
        if not any(name in task.actions for task in context.tasks):
            what = f"{name!r} is no action of {', '.join(t.task.id for t in context.tasks)}"
            yield f"/events/{index}", what


def _actions(context: LintContext) -> Iterator[tuple[int, str]]:
    return ((index, name) for index, name in context.actions if name not in UNBOUND)


@check("E705", needs="designed")
def _simulated_off_flow(context: LintContext) -> Iterator[Found]:
    return _off(context) if context.dialogue.provenance == "simulated" else iter(())


@check("W703", needs="designed")
def _off_flow(context: LintContext) -> Iterator[Found]:
    return iter(()) if context.dialogue.provenance == "simulated" else _off(context)


@check(needs="published")
def _off_published_flow(context: LintContext) -> Iterator[CodeFound]:
    at: dict[TaskFacts, str | None] = {task: None for task in context.tasks if task.published}
    for index, name in _actions(context):
        having = [task for task in at if name in task.actions]
        if having and not any(name in task.after(at[task]) for task in having):
            before = at[having[0]] or "the start"
            yield "W703", f"/events/{index}", f"{name} does not follow {before}"
        at.update(dict.fromkeys(having, name))


def _off(context: LintContext) -> Iterator[Found]:
    for visit in context.visits:
        if visit.node is not None and not visit.permitted:
            before = visit.before or "the start"
            yield f"/events/{visit.event}", f"{visit.node} does not follow {before}"


@check("W704", needs="designed")
def _needless_question(context: LintContext) -> Iterator[Found]:
    for visit in context.visits:
        if visit.needless:
            event = context.dialogue.events[visit.event]
            text = event.text if isinstance(event, Utterance) else ""
            yield f"/events/{visit.event}", f"{visit.node} asks what is known already: {text!r}"
