"""Differences between two schemas: slots, values, intents, calls and the flow.

A task is compared by its summary: its elements by kind, whatever format it was read from. A removed
and an added element of one kind count as (probably) renamed where their names and properties are
similar enough; the most similar pairs are matched first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from dialoom.dialogue.annotation import Struct
from dialoom.schema.call import Call, Column
from dialoom.schema.flow import Node
from dialoom.schema.lexicon import split_name
from dialoom.schema.service import Service
from dialoom.schema.services import contract
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import PLACEHOLDER

Properties = dict[str, Any]
"""The properties of an element of a schema: key to a scalar or a tuple."""

Summary = dict[str, dict[str, Properties]]

ARROW = " -> "


def summary(task: TaskSchema) -> Summary:
    """Return a task's slots, intents, calls and flow."""
    return _of_service(contract(task)) if task.is_service else _of_task(task)


def _of_task(task: TaskSchema) -> Summary:
    return {
        "slot": {slot.name: _slot(slot) for slot in task.slots.values()},
        "input": {column.name: _column(column) for column in _columns(task)},
        "call": {call.name: _call(call, task) for call in task.calls.values()},
        "intent": {
            intent.name: {"description": intent.description, "calls": intent.calls}
            for intent in task.intents.values()
        },
        "node": {node.name: _node(node) for node in task.flow.nodes.values()},
        "edge": {edge: {} for node in task.flow.nodes.values() for edge in _edges(node)},
    }


def _slot(slot: Slot) -> Properties:
    need = "optional" if slot.optional else f"unless {slot.unless}" if slot.unless else "required"
    properties: Properties = {
        "type": slot.type,
        "need": need,
        "description": slot.description or None,
    }
    if slot.values:
        properties["values"] = tuple(slot.values)
    if slot.minimum is not None:
        properties["range"] = f"{slot.minimum} to {slot.maximum} by {slot.step}"
    return properties


def _columns(task: TaskSchema) -> Iterator[Column]:
    for table in task.tables.values():
        yield from table.columns
    for call in task.calls.values():
        yield from (*call.inputs, *call.outputs)


def _column(column: Column) -> Properties:
    properties: Properties = {"slot": column.slot} if column.slot else {"type": column.type}
    return properties | ({"values": column.values} if column.values else {})


def _call(call: Call, task: TaskSchema) -> Properties:
    return {
        "effect": call.effect,
        "required": call.required,
        "optional": tuple(column.name for column in call.inputs if not column.required),
        "results": tuple(dict.fromkeys(column.name for column in task.result_columns(call))),
    }


def _node(node: Node) -> Properties:
    what = node.call or node.outcome
    properties: Properties = {"kind": node.kind + (f" {what}" if what else "")}
    properties |= {"asks": node.asks} if node.asks else {}
    properties |= {"request": node.request} if node.request else {}
    return properties | ({"texts": node.texts} if node.texts else {})


def _edges(node: Node) -> Iterator[str]:
    for after in (*node.then, *filter(None, (node.last,))):
        yield f"{node.name}{ARROW}{after}"


def _of_service(service: Service) -> Summary:
    slots: dict[str, Properties] = {}
    for slot in service.slots:
        slots[slot.name] = {"categorical": slot.categorical, "description": slot.description}
        if slot.possible_values:
            slots[slot.name]["values"] = slot.possible_values
    return {
        "slot": slots,
        "intent": {
            intent.name: {
                "description": intent.description,
                "transactional": intent.transactional,
                "required": intent.required,
                "optional": tuple(sorted(f"{k} = {v}" for k, v in intent.optional.items())),
                "results": intent.results,
            }
            for intent in service.intents
        },
    }


ALIKE = 0.6
"""Least similarity (0 to 1) of a removed and an added element that count as renamed."""

EDGE = "edge"

_LISTS = {"values": "value", "texts": "text"}
"""Property whose entries are compared one by one to the kind of an entry."""

_REFERRING = frozenset(
    {"slot", "asks", "need", "required", "optional", "results", "calls", "texts", "kind"}
)
"""The properties that name other elements."""

How = Literal["added", "removed", "renamed", "changed"]


class Change(Struct, frozen=True):
    """One difference of two schemas.

    `what` is a kind of element (task, slot, value, intent, input, call, node, action, text, edge)
    or a property of one ("slot type"). A renaming is probable, not certain.
    """

    task: str
    what: str
    how: How
    name: str
    new: str | None = None
    old: str | None = None

    def __str__(self) -> str:
        head = f"{self.task}: {self.what} {self.how}: {self.name}"
        if self.how == "renamed":
            return f"{head} -> {self.new} (probably)"
        return f"{head}: {self.old} -> {self.new}" if self.how == "changed" else head


def compare(old: Mapping[str, TaskSchema], new: Mapping[str, TaskSchema]) -> list[Change]:
    """Return the differences; where both sides have one task, these two are compared."""
    pairs = counterparts(old, new)
    changes = [Change(name, "task", "removed", name) for name in old if name not in pairs]
    for name, other in pairs.items():
        if name != other:
            changes.append(Change(name, "task", "renamed", name, other))
        changes += _compare(name, summary(old[name]), summary(new[other]))
    partners = set(pairs.values())
    return changes + [Change(name, "task", "added", name) for name in new if name not in partners]


def counterparts(old: Mapping[str, TaskSchema], new: Mapping[str, TaskSchema]) -> dict[str, str]:
    """Return each old task's id with that of its counterpart, by id or as probably renamed."""
    matches = {name: name for name in old if name in new}
    if len(old) == len(new) == 1:
        return dict(zip(old, new, strict=True))
    partners = set(matches.values())
    orphans = {name: _whole(task) for name, task in old.items() if name not in matches}
    come = {name: _whole(task) for name, task in new.items() if name not in partners}
    renamed = {**matches, **_renamed(orphans, come)}
    return {name: renamed[name] for name in old if name in renamed}


def _whole(task: TaskSchema) -> Properties:
    elements = summary(task)
    names = {
        key: tuple(things) for key, things in elements.items() if key in ("slot", "intent", "call")
    }
    return {"description": task.description or None, **names}


def _compare(task: str, old: Summary, new: Summary) -> Iterator[Change]:
    """Compare kind by kind; references to elements renamed in earlier kinds are no changes."""
    names: dict[str, str] = {}
    for what in dict.fromkeys((*old, *new)):
        before = {}
        for name, thing in old.get(what, {}).items():
            ends = name.split(ARROW) if what == EDGE else ()
            renamed_edge = ARROW.join(names.get(end, end) for end in ends)
            before[renamed_edge or name] = {
                key: _named(value, names) if key in _REFERRING else value
                for key, value in thing.items()
            }
        after = new.get(what, {})
        orphans = {name: thing for name, thing in before.items() if name not in after}
        come = {name: thing for name, thing in after.items() if name not in before}
        renamed = _renamed(orphans, come) if what != EDGE else {}
        for name, thing in before.items():
            other = name if name in after else renamed.get(name)
            if other is None:
                yield Change(task, what, "removed", name)
                continue
            if other != name:
                yield Change(task, what, "renamed", name, other)
            yield from _details(task, what, name, thing, after[other])
        partners = set(renamed.values())
        yield from (Change(task, what, "added", name) for name in come if name not in partners)
        names |= renamed


def _named(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, tuple):
        return tuple(_named(entry, names) for entry in value)
    if not isinstance(value, str):
        return value
    if "{" in value:
        return PLACEHOLDER.sub(lambda f: f[0].replace(f[1], names.get(f[1], f[1]), 1), value)
    slot, sign, default = value.partition(" = ")
    if sign:
        return f"{names.get(slot, slot)} = {default}"
    # "call hotel_book" and "unless other_slot": the name is the last word
    head, blank, last = value.rpartition(" ")
    return names.get(value, f"{head} {names[last]}" if blank and last in names else value)


def _details(task: str, what: str, name: str, old: Properties, new: Properties) -> Iterator[Change]:
    for key in dict.fromkeys((*old, *new)):
        before, after = old.get(key), new.get(key)
        if before == after:
            continue
        if key in _LISTS:
            yield from _entries(task, _LISTS[key], name, before or (), after or ())
        else:
            yield Change(task, f"{what} {key}", "changed", name, _spelled(after), _spelled(before))


def _entries(
    task: str, what: str, name: str, old: Iterable[Any], new: Iterable[Any]
) -> Iterator[Change]:
    before, after = dict.fromkeys(map(str, old)), dict.fromkeys(map(str, new))
    for entry in before:
        if entry not in after:
            yield Change(task, what, "removed", f"{name}: {entry}")
    for entry in after:
        if entry not in before:
            yield Change(task, what, "added", f"{name}: {entry}")


def _spelled(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "-"
    return str(value)


def _renamed(orphans: Mapping[str, Properties], come: Mapping[str, Properties]) -> dict[str, str]:
    """Match removed and added elements whose similarity is at least `ALIKE`, the highest first."""
    scores = [
        (_alike(old, new, orphans[old], come[new]), -number, old, new)
        for number, old in enumerate(orphans)
        for new in come
    ]
    pairs: dict[str, str] = {}
    for score, _, old, new in sorted(scores, reverse=True):
        if score < ALIKE:
            break
        if old not in pairs and new not in pairs.values():
            pairs[old] = new
    return pairs


def _alike(old: str, new: str, before: Properties, after: Properties) -> float:
    """Return the similarity of two elements, 0 to 1: the mean of their names' and properties'.

    Both are token-sort ratios of rapidfuzz; that of the properties is a mean over their keys.
    """
    from rapidfuzz import fuzz  # deferred: only names that differ need it

    name = fuzz.token_sort_ratio(*(" ".join(split_name(each)) for each in (old, new))) / 100
    keys = [key for key in before.keys() | after.keys() if before.get(key) or after.get(key)]
    if not keys:
        return name
    texts = ((_spelled(before.get(key)), _spelled(after.get(key))) for key in keys)
    content = sum(fuzz.token_sort_ratio(*pair) for pair in texts) / len(keys) / 100
    return (name + content) / 2
