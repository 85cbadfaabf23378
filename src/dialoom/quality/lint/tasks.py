"""Rules about what a dialogue's tasks allow: values, names, actions and their order."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain
from typing import Any

from dialoom.dialogue import SYSTEM, USER, Query, Utterance
from dialoom.quality.lint.context import LintContext
from dialoom.quality.lint.corpus_context import Needs, TaskFacts
from dialoom.quality.lint.rule import CodeFound, Found, check
from dialoom.quality.lint.value_ranges import ValueFault, ValueRanges
from dialoom.schema.actions import OUT_OF_SCOPE
from dialoom.schema.findings import hint

CUSTOM = "custom"
"""The label of a reply that a wizard typed instead of picking one (STAR)."""

STEP = "step"
"""The placeholder of an element that is read out."""


@check("E701", "E702", needs=Needs.DESIGNED)
def _check_values(context: LintContext) -> Iterator[CodeFound]:
    task = context.designed
    if task is not None and task.ranges is not None:
        for pointer, fault in chain(
            _annotated(context, task.ranges), _called(context, task.ranges)
        ):
            if fault is not None:
                yield fault.code, pointer, fault.what


_Looked = Iterator[tuple[str, ValueFault | None]]
"""The place of each value, and what is wrong with it."""


def _annotated(context: LintContext, ranges: ValueRanges) -> _Looked:
    slots = ranges.task.slots
    for place in context.gold():
        for number, index, argument in place.arguments():
            values = argument.values if argument.canonical is None else argument.canonical
            if argument.slot in slots and values:
                yield place.argument(number, index), ranges.slot(argument.slot, values)
        for slot, values in (place.part.state.values if place.part.state else {}).items():
            if slot in slots:
                yield f"{place.pointer}/state/values/{slot}", ranges.said(slot, values)


def _called(context: LintContext, ranges: ValueRanges) -> _Looked:
    calls = ranges.task.calls
    for pointer, query, constraint in context.constraints:
        if query.api in calls and constraint.operator is not None:
            yield pointer, ranges.column(calls[query.api], constraint.slot, constraint.values)
    for index, result in context.results:
        asked = context.by_id.get(result.query)
        if asked is not None and asked.api in calls:
            for number, item in enumerate(result.items):
                for name, value in item.items():
                    fault = ranges.column(calls[asked.api], name, value)
                    yield f"/events/{index}/items/{number}/{name}", fault


@check("E703", needs=Needs.DESIGNED)
def _unknown_slot(context: LintContext) -> Iterator[Found]:
    task = context.designed
    if task is None:
        return
    slots = task.task.slots
    for place in context.gold():
        shown = [(place.argument(n, i), argument.slot) for n, i, argument in place.arguments()]
        for number, span in enumerate(place.part.spans or ()):
            shown += [(f"{place.pointer}/spans/{number}", name) for name in span.labels]
        for pointer, name in shown:
            if name not in slots and name not in task.shown and name != STEP:
                yield pointer, f"the task has no {name!r}: {hint(name, slots)}"
        for name in place.part.state.values if place.part.state else ():
            if name not in slots:
                pointer = f"{place.pointer}/state/values/{name}"
                yield pointer, f"the task has no slot {name!r}: {hint(name, slots)}"


@check("W701", needs=Needs.QUERIES)
def _unlisted_value(context: LintContext) -> Iterator[Found]:
    if not any(task.published for task in context.tasks):
        return
    for pointer, query, constraint in context.constraints:
        listed = _listed(context, query, constraint.slot)
        for value in constraint.values if listed else ():
            if value not in listed:
                yield pointer, f"{constraint.slot} does not list {value!r}"


def _listed(context: LintContext, query: Query, name: str) -> Collection[Any]:
    """Return what an input of a call lists, where the task's flow is not complete."""
    for facts in context.tasks:
        if facts.published and query.api in facts.task.calls:
            return facts.listed.get(name, ())
    return ()


@check("E706", needs=Needs.DESIGNED)
def _broken_constraint(context: LintContext) -> Iterator[Found]:
    task = context.designed
    if task is None or not task.task.constrained:
        return
    for place in context.gold():
        if place.part.state is None:
            continue
        values = {s: v[0] if len(v) == 1 else v for s, v in place.part.state.values.items() if v}
        for names, what in task.task.broken(values):
            yield f"{place.pointer}/state/values/{names[-1]}", f"it is not so that {what}"


@check("E704", needs=Needs.DESIGNED)
def _unknown_node(context: LintContext) -> Iterator[Found]:
    task = context.designed
    if task is None or task.alignment is None:
        return
    kinds = {USER: "user", SYSTEM: "system"}
    for place in context.gold():
        kind = kinds.get(place.utterance.agent)
        for number, act in enumerate(place.part.acts or ()):
            node = task.task.flow.nodes.get(act.name)
            if kind and act.name != OUT_OF_SCOPE and (node is None or node.kind != kind):
                known = (name for name, n in task.task.flow.nodes.items() if n.kind == kind)
                what = f"{act.name!r} is no {kind} node: {hint(act.name, known)}"
                yield f"{place.pointer}/acts/{number}", what


@check("W702", needs=Needs.PUBLISHED)
def _unknown_action(context: LintContext) -> Iterator[Found]:
    if not context.tasks or context.designed is not None:
        return
    for index, name in _actions(context):
        if not any(name in task.actions for task in context.tasks):
            what = f"{name!r} is no action of {', '.join(t.task.id for t in context.tasks)}"
            yield f"/events/{index}", what


def _actions(context: LintContext) -> Iterator[tuple[int, str]]:
    return ((index, name) for index, name in context.actions if name not in (CUSTOM, OUT_OF_SCOPE))


@check("E705", needs=Needs.DESIGNED)
def _simulated_off_flow(context: LintContext) -> Iterator[Found]:
    return _off(context) if context.dialogue.provenance == "simulated" else iter(())


@check("W703", needs=Needs.DESIGNED | Needs.PUBLISHED)
def _off_flow(context: LintContext) -> Iterator[Found]:
    if context.designed is not None:
        yield from _off(context) if context.dialogue.provenance != "simulated" else ()
        return
    at: dict[TaskFacts, str | None] = {task: None for task in context.tasks if task.published}
    for index, name in _actions(context):
        having = [task for task in at if name in task.actions]
        if having and not any(name in task.after(at[task]) for task in having):
            before = at[having[0]] or "the start"
            yield f"/events/{index}", f"{name} does not follow {before}"
        at.update(dict.fromkeys(having, name))


def _off(context: LintContext) -> Iterator[Found]:
    for visit in context.visits:
        if visit.node is not None and not visit.permitted:
            before = visit.before or "the start"
            yield f"/events/{visit.event}", f"{visit.node} does not follow {before}"


@check("W704", needs=Needs.DESIGNED)
def _needless_question(context: LintContext) -> Iterator[Found]:
    for visit in context.visits:
        if visit.needless:
            event = context.dialogue.events[visit.event]
            said = event.text if isinstance(event, Utterance) else ""
            yield f"/events/{visit.event}", f"{visit.node} asks what is known already: {said!r}"
