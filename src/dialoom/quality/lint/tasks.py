"""Rules about what a dialogue's tasks allow: values, names, actions and their order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dialoom.dialogue import SYSTEM, USER, Argument, Utterance
from dialoom.quality.lint.case import Case, Place
from dialoom.quality.lint.domains import Domains, Wrong
from dialoom.quality.lint.knowledge import Known
from dialoom.quality.lint.rule import Found, look
from dialoom.quality.lint.setting import Subject
from dialoom.schema.design import Call
from dialoom.schema.findings import hint
from dialoom.schema.published import OUT_OF_SCOPE

CUSTOM = "custom"
"""The label of a reply that a wizard typed instead of picking one (STAR)."""

STEP = "step"
"""The placeholder of an element that is read out."""


def not_a_category(case: Case) -> Iterator[Found]:
    """Find values that are not among their slot's or column's."""
    return (
        (pointer, wrong.what) for pointer, wrong in _wrong_values(case) if wrong.kind == "category"
    )


def out_of_range(case: Case) -> Iterator[Found]:
    """Find values of the wrong kind, or beyond their slot's or column's limits."""
    return (
        (pointer, wrong.what) for pointer, wrong in _wrong_values(case) if wrong.kind == "range"
    )


def _wrong_values(case: Case) -> list[tuple[str, Wrong]]:
    found: list[tuple[str, Wrong]] | None = case.kept.get("values")
    if found is None:
        task = case.designed
        found = case.kept["values"] = [] if task is None else list(_look(case, task))
    return found


def _look(case: Case, task: Known) -> Iterator[tuple[str, Wrong]]:
    if task.domains is None or task.design is None:
        return
    for place in case.gold():
        yield from _in_acts(place, task.domains, task)
        yield from _in_state(place, task.domains, task)
    calls = task.design.calls
    for index, query in case.queries:
        call = calls.get(query.api)
        for number, constraint in enumerate(query.constraints if call else ()):
            pointer = f"/events/{index}/constraints/{number}"
            if constraint.operator is not None:
                values = constraint.values
                yield from _checked(task.domains, call, constraint.slot, values, pointer)
    for index, result in case.results:
        query_of = case.by_id.get(result.query)
        call = calls.get(query_of.api) if query_of else None
        for number, item in enumerate(result.items if call else ()):
            for name, value in item.items():
                pointer = f"/events/{index}/items/{number}/{name}"
                yield from _checked(task.domains, call, name, value, pointer)


def _checked(
    domains: Domains, call: Call | None, name: str, value: Any, pointer: str
) -> Iterator[tuple[str, Wrong]]:
    wrong = domains.column(call, name, value) if call else None
    if wrong is not None:
        yield pointer, wrong


def _in_acts(place: Place, domains: Domains, task: Known) -> Iterator[tuple[str, Wrong]]:
    for pointer, argument in _arguments(place):
        values = argument.values if argument.canonical is None else argument.canonical
        if task.design is not None and argument.slot in task.design.slots and values:
            wrong = domains.slot(argument.slot, values)
            if wrong is not None:
                yield pointer, wrong


def _arguments(place: Place) -> Iterator[tuple[str, Argument]]:
    for number, act in enumerate(place.part.acts or ()):
        for index, argument in enumerate(act.arguments):
            yield f"{place.pointer}/acts/{number}/arguments/{index}", argument


def _in_state(place: Place, domains: Domains, task: Known) -> Iterator[tuple[str, Wrong]]:
    state = place.part.state
    for slot, values in (state.values if state else {}).items():
        if task.design is not None and slot in task.design.slots:
            wrong = domains.said(slot, values)
            if wrong is not None:
                yield f"{place.pointer}/state/values/{slot}", wrong


def unknown_slot(case: Case) -> Iterator[Found]:
    """Find acts, spans and states that name what the task file does not have."""
    task = case.designed
    if task is None or task.design is None:
        return
    slots = task.design.slots
    for place in case.gold():
        shown = [(pointer, argument.slot) for pointer, argument in _arguments(place)]
        for number, span in enumerate(place.part.spans or ()):
            shown += [(f"{place.pointer}/spans/{number}", name) for name in span.labels]
        for pointer, name in shown:
            if name not in slots and name not in task.shown and name != STEP:
                yield pointer, f"the task has no {name!r}: {hint(name, slots)}"
        for name in place.part.state.values if place.part.state else ():
            if name not in slots:
                pointer = f"{place.pointer}/state/values/{name}"
                yield pointer, f"the task has no slot {name!r}: {hint(name, slots)}"


def foreign_value(case: Case) -> Iterator[Found]:
    """Find constraints with a value that the published API does not list."""
    for index, query in case.queries:
        having = [task for task in case.tasks if query.api in task.apis and task.design is None]
        apis = [task.apis[query.api] for task in having]
        if not apis:
            continue
        for number, constraint in enumerate(query.constraints):
            parameter = apis[0].input(constraint.slot)
            listed = parameter.values if parameter else ()
            for value in constraint.values if listed else ():
                if value not in listed:
                    what = f"{constraint.slot} does not list {value!r}"
                    yield f"/events/{index}/constraints/{number}", what


def unknown_node(case: Case) -> Iterator[Found]:
    """Find acts that are no node of the task file's flow."""
    task = case.designed
    if task is None or task.design is None or task.walk is None:
        return
    kinds = {USER: "user", SYSTEM: "system"}
    for place in case.gold():
        kind = kinds.get(place.utterance.agent)
        for number, act in enumerate(place.part.acts or ()):
            node = task.design.nodes.get(act.name)
            if kind and act.name != OUT_OF_SCOPE and (node is None or node.kind != kind):
                known = (name for name, n in task.design.nodes.items() if n.kind == kind)
                what = f"{act.name!r} is no {kind} node: {hint(act.name, known)}"
                yield f"{place.pointer}/acts/{number}", what


def unknown_action(case: Case) -> Iterator[Found]:
    """Find labels of system actions that no published schema of the dialogue's tasks has."""
    if not case.tasks or case.designed is not None:
        return
    for index, name in _actions(case):
        if not any(name in task.actions for task in case.tasks):
            what = f"{name!r} is no action of {', '.join(t.task.id for t in case.tasks)}"
            yield f"/events/{index}", what


def _actions(case: Case) -> Iterator[tuple[int, str]]:
    return ((index, name) for index, name in case.actions if name not in (CUSTOM, OUT_OF_SCOPE))


def off_its_flow(case: Case) -> Iterator[Found]:
    """Find events of simulated dialogues that the flow they were made from does not lead to."""
    return _off(case) if case.dialogue.provenance == "simulated" else iter(())


def off_the_flow(case: Case) -> Iterator[Found]:
    """Find actions to which no edge leads from the action before."""
    if case.designed is not None:
        yield from _off(case) if case.dialogue.provenance != "simulated" else ()
        return
    at: dict[Known, str | None] = {task: None for task in case.tasks if task.published}
    for index, name in _actions(case):
        having = [task for task in at if name in task.actions]
        if having and not any(name in task.after(at[task]) for task in having):
            before = at[having[0]] or "the start"
            yield f"/events/{index}", f"{name} does not follow {before}"
        at.update(dict.fromkeys(having, name))


def _off(case: Case) -> Iterator[Found]:
    for visit in case.visits:
        if visit.node is not None and not visit.permitted:
            before = visit.before or "the start"
            yield f"/events/{visit.event}", f"{visit.node} does not follow {before}"


def needless_question(case: Case) -> Iterator[Found]:
    """Find questions whose answer is known, or that do not apply."""
    for visit in case.visits:
        if visit.needless:
            event = case.dialogue.events[visit.event]
            said = event.text if isinstance(event, Utterance) else ""
            yield f"/events/{visit.event}", f"{visit.node} asks what is known already: {said!r}"


LOOKS = (
    look(
        "E701",
        "value outside its slot's category",
        "a value is one of those that the schema lists",
        not_a_category,
        Subject.DESIGNED,
    ),
    look(
        "E702",
        "value out of range or of the wrong kind",
        "a value is of its slot's type and within its limits",
        out_of_range,
        Subject.DESIGNED,
    ),
    look(
        "E703",
        "unknown slot",
        "acts, spans and states name what the schema has",
        unknown_slot,
        Subject.DESIGNED,
    ),
    look(
        "E704",
        "act that is no node",
        "an act is a node of the task file's flow",
        unknown_node,
        Subject.DESIGNED,
    ),
    look(
        "E705",
        "simulated event that the flow does not permit",
        "an edge leads there, past nothing but known answers, optional questions and courtesies",
        off_its_flow,
        Subject.DESIGNED,
    ),
    look(
        "W701",
        "value that the published API does not list",
        "a constraint on a listed parameter has a listed value",
        foreign_value,
        Subject.QUERIES,
    ),
    look(
        "W702",
        "action that is not in the task's schema",
        "the label is a reply or query of one of the dialogue's tasks",
        unknown_action,
        Subject.PUBLISHED,
    ),
    look(
        "W703",
        "action that the flow does not permit",
        "an edge leads there, past nothing but questions whose answers are known",
        off_the_flow,
        Subject.DESIGNED | Subject.PUBLISHED,
    ),
    look(
        "W704",
        "question whose answer is known",
        "what is known, or does not apply, is not asked for",
        needless_question,
        Subject.DESIGNED,
    ),
)
"""What this module looks for."""
