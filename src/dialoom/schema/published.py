"""A task file's content in the form of published schemas, so that every model can follow it.

Replies are the system nodes' first templates; APIs have STAR's type names. The plain view of the
flow graph (PAPER) leads from action to action, with markers where it branches. The richer one
(SAM) has a node for what a user says to an action, or for a result of it, with the action that
follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from dialoom.schema.call import Call, Column
from dialoom.schema.flow import Node
from dialoom.schema.lexicon import lexicon, split_name
from dialoom.schema.slot import Slot
from dialoom.schema.task import PAPER, SAM, Api, Flow, Parameter, TaskSchema
from dialoom.schema.template import PLACEHOLDER
from dialoom.schema.values import plain, samples

OUT_OF_SCOPE = "out_of_scope"
"""The label of what the system says to anything it cannot do."""

QUERY = {None: "query", "Check": "query_check", "Book": "query_book"}
"""Request of a query node to its label."""

RESULT = "[RESULT] "

_TYPES = {
    "category": "Categorical",
    "categories": "CategoricalMultiple",
    "short text": "ShortString",
    "long text": "LongString",
    "integer": "Integer",
    "serial": "Integer",
    "boolean": "Boolean",
    "date": "Categorical",
    "time": "Categorical",
    "request": "RequestType",
    "steps": "CategoricalList",
}
"""Types of a task file to those of STAR's API descriptions."""


def publish(task: TaskSchema) -> TaskSchema:
    """Return a task with all that published schemas have derived from its flow."""
    said = {name: node for name, node in task.flow.nodes.items() if node.kind == "system"}
    forms = _forms(task)
    replies = {name: _reply(node.texts[0], forms) for name, node in said.items() if node.texts}
    if task.out_of_scope:
        replies[OUT_OF_SCOPE] = task.out_of_scope[0]
    steps = list(_steps(task))
    paper, markers = _plain_view(task, steps)
    return replace(
        task,
        name=next(iter(task.aliases), task.id),
        replies=replies | markers,
        flows=(paper, _rich_view(task, steps, replies)),
        apis=tuple(_api(call, task) for call in task.calls.values()),
        suggestions=dict(replies),
        examples={name: tuple(_bare(node)) for name, node in said.items()},
    )


def label(node: Node) -> str:
    """Return the action that a system or query node stands for."""
    if node.kind == "query":
        return QUERY.get(node.request, "query")
    return node.name


def _bare(node: Node) -> Iterator[str]:
    """What wizards may type to get a reply suggested: its wordings, without values."""
    for text in node.texts:
        plain = " ".join(PLACEHOLDER.sub(" ", text).split())
        if any(letter.isalnum() for letter in plain):
            yield plain


class _Step(NamedTuple):
    """One way from an action to the next: through a user or result node, or directly (None)."""

    before: str | None
    through: Node | None
    after: str


def _steps(task: TaskSchema) -> Iterator[_Step]:
    nodes = task.flow.nodes
    first = next(iter(nodes.values()), None)
    if first is not None and first.kind == "user":
        yield from (_Step(None, first, label(nodes[a])) for a in first.then if a in nodes)
    for node in nodes.values():
        if node.kind in ("user", "result"):
            continue
        for through in task.flow.following(node):
            if through.kind in ("system", "query"):
                yield _Step(label(node), None, label(through))
            else:
                after = (label(nodes[a]) for a in through.then if a in nodes)
                yield from (_Step(label(node), through, action) for action in after)


def _plain_view(task: TaskSchema, steps: list[_Step]) -> tuple[Flow, dict[str, str]]:
    """Actions and what follows them; where a choice decides, markers named after its nodes."""
    ways: dict[str, list[_Step]] = {}
    for step in steps:
        if step.before is not None:
            ways.setdefault(step.before, []).append(step)
    edges: dict[str, str] = {}
    markers: dict[str, str] = {}
    for before, leaving in ways.items():
        if len({step.after for step in leaving}) == 1:
            edges[before] = leaving[0].after
            continue
        for step in leaving:
            if step.through is None:
                edges.setdefault(before, step.after)
            else:
                name = step.through.name
                edges.setdefault(name, step.after)
                markers.setdefault(name, _marker(step.through))
    return Flow(view=PAPER, edges=edges), markers


def _marker(node: Node) -> str:
    if node.outcome is not None:
        return node.outcome.capitalize()
    plain = [text for text in node.texts if "{" not in text]
    return next(iter(plain), " ".join(split_name(node.name)))


def _rich_view(task: TaskSchema, steps: list[_Step], replies: dict[str, str]) -> Flow:
    nodes: dict[str, str] = {}
    edges: dict[str, str] = {}
    reverse: dict[str, str] = {}
    for step in steps:
        if step.through is None:
            continue
        name = _free(step.through.name, edges)
        nodes[name] = _heard(step.through, task, step.before)
        edges[name] = step.after
        if step.before is not None:
            reverse[name] = step.before
    queries = dict.fromkeys(label(n) for n in task.flow.nodes.values() if n.kind == "query")
    said = replies | {query: f"[{query.upper()}]" for query in queries}
    return Flow(view=SAM, nodes=nodes | said, edges=edges, reverse=reverse)


def _free(name: str, taken: dict[str, str]) -> str:
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free


def _heard(node: Node, task: TaskSchema, before: str | None) -> str:
    """What a user says, or what a result holds, as the richer view prints it."""
    if node.kind == "user":
        return PLACEHOLDER.sub(lambda match: f"[{match[1].upper()}]", next(iter(node.texts), ""))
    calls = {n.api for n in task.flow.nodes.values() if n.kind == "query" and node.name in n.then}
    call = task.calls.get(next(iter(sorted(filter(None, calls))), ""))
    return RESULT + (_item(call, node.outcome, task) if call else "")


def _item(call: Call, outcome: str | None, task: TaskSchema) -> str:
    """The attributes of a result: those that tell the outcome, and all others left open."""
    if outcome == "nothing" and outcome not in call.answers:
        return ""
    held = [column for column in call.inputs if column.required and column.type != "request"]
    table = task.tables.get(call.table)
    if table and outcome in ("found", "available", "done"):
        held += [*table.columns, *call.outputs]
    told: dict[str, Any] = {c.name: f"[{'_'.join(split_name(c.name)).upper()}]" for c in held}
    told |= call.answers.get(outcome or "", {})
    return "".join(f"{name} = {value} ; " for name, value in told.items())


def _forms(task: TaskSchema) -> dict[str, str]:
    """Placeholder to the letter that published replies print its type with."""
    whole = {name for name, slot in task.slots.items() if slot.type == "integer"}
    for column in _all_columns(task):
        slot = task.slots.get(column.slot or "")
        if column.type in ("integer", "serial") or (slot and slot.type == "integer"):
            whole.add(column.name)
    return dict.fromkeys(whole, "d")


def _all_columns(task: TaskSchema) -> Iterable[Column]:
    for call in task.calls.values():
        yield from (*call.inputs, *call.outputs)
    for table in task.tables.values():
        yield from table.columns


def _reply(text: str, forms: dict[str, str]) -> str:
    return PLACEHOLDER.sub(lambda match: f"{{{match[1]}:{forms.get(match[1], 's')}}}", text)


def _api(call: Call, task: TaskSchema) -> Api:
    table = task.tables.get(call.table)
    rows = table.columns if table and call.effect in ("search", "find") else ()
    named = {column.name for column in call.outputs}
    outputs = (*(c for c in rows if c.name not in named), *call.outputs)
    return Api(
        name=call.api,
        inputs=_parameters(call.inputs, task),
        outputs=_parameters(outputs, task),
        required=tuple(c.name for c in call.inputs if c.required),
        db=call.table,
        returns_count=call.effect == "search",
        table=_parameters(table.columns, task) if table else None,
    )


def _parameters(columns: Iterable[Column], task: TaskSchema) -> tuple[Parameter, ...]:
    return tuple(
        _parameter(column, task.slots.get(column.slot or ""), task.language) for column in columns
    )


def _parameter(column: Column, slot: Slot | None, language: str) -> Parameter:
    kind = slot.type if slot else column.type
    low, high = (slot.minimum, slot.maximum) if slot else (column.minimum, column.maximum)
    numeric = kind in ("integer", "amount", "serial")
    categories = _categories(column, slot, language)
    if kind in ("date", "time") and categories is None:
        kind = "short text"  # dates of several years
    return Parameter(
        name=column.name,
        type=_number_type(low, slot or column) if kind == "amount" else _TYPES.get(kind, kind),
        categories=categories,
        minimum=low if numeric else None,
        maximum=high if numeric else None,
        enabled=_condition(column),
        readable=" ".join(split_name(column.name)).title(),
    )


def _number_type(least: Any, values: Slot | Column) -> str:
    whole = all(float(n).is_integer() for n in (least or 0, values.step))
    return "Integer" if whole else "Number"


def _categories(column: Column, slot: Slot | None, language: str) -> list[Any] | None:
    if slot is not None:
        found = listed(slot, language)
        return None if found is None else list(found)
    if column.type == "request":
        return ["Check", "Book"]
    if column.type == "steps":
        return [list(steps) for steps in column.lists]
    return list(column.values) if column.type in ("category", "categories") else None


def _condition(column: Column) -> str | None:
    """When a conditional input applies, as an expression of the constraint grammar."""
    if not column.required_if:
        return None
    return " and ".join(f"{name} in {list(found)}" for name, found in column.required_if.items())


def listed(slot: Slot, language: str = "en") -> tuple[str, ...] | None:
    """Return the values of a slot as the categories of a published API; None where it has none.

    Times are spelled by the clock, dates as days of the month where the month goes without saying.
    Where two dates would look alike, in different years, none is listed.
    """
    if slot.type in ("category", "categories"):
        return tuple(slot.values)
    if slot.type not in ("date", "time"):
        return None
    found = list(samples(slot))
    if slot.type == "date":
        if len({value[5:] for value in found}) < len(found):
            return None
        numbers = [int(value[-2:]) - 1 for value in found]
        days = lexicon(language).days
        if len(set(numbers)) == len(found) and len(days) == 31:
            return tuple(days[number] for number in numbers)
    texts = tuple(dict.fromkeys(plain(value, language, slot) for value in found))
    return texts if len(texts) == len(found) else None
