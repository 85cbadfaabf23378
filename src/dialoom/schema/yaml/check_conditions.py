"""Checks of conditions: their names are defined and comparable, and one branch always applies."""

from __future__ import annotations

from dialoom.schema.condition import Condition
from dialoom.schema.flow import Node
from dialoom.schema.places import Pointer
from dialoom.schema.slot import Slot
from dialoom.schema.yaml.check_slots import check_value
from dialoom.schema.yaml.validation import ValidationContext

ORDERED = ("at_least", "at_most", "less", "greater")
"""The comparisons that are defined for ordered values only."""

KINDS = {"integer": "number", "amount": "number", "date": "date", "time": "time"}
"""Type of slot with ordered values to the kind of values; only one kind can be compared."""


def check_conditions(context: ValidationContext) -> None:
    """Report errors in conditions and in `depends_on`."""
    for number, condition in enumerate(context.task.constraints):
        for name in condition.names:
            context.know_slot(name, ("constraints", number))
        _check_condition(context, condition, ("constraints", number))
    for call in context.task.calls.values():
        for number, condition in enumerate(call.refuses):
            _check_condition(context, condition, ("apis", call.name, "refuses", number))
    for node in context.task.flow.nodes.values():
        for number, condition in enumerate(node.when):
            _check_condition(context, condition, ("flow", node.name, "when", number))
        _check_branches(context, node)
    for slot in context.task.dependent:
        _check_dependence(context, slot)


def _check_condition(context: ValidationContext, condition: Condition, at: Pointer) -> None:
    scope = context.slots | context.shown
    for name in condition.names:
        if at[0] != "constraints":
            context.know(name, scope, "E304", at, "there is no slot, input or output")
    slots = context.task.slots
    slot, other = slots.get(condition.name), slots.get(condition.other or "")
    if slot is None:
        return
    for value in condition.values:
        check_value(context, slot, str(value), at)
    kind, against = (KINDS.get(each.type) if each else None for each in (slot, other))
    if condition.operator in ORDERED and kind is None:
        right = "only numbers, dates and times have an order"
        context.add("E310", at, f"{slot.name!r} is a {slot.type} slot; {right}")
    elif other is not None and kind != against:
        right = "compare slots of one type"
        context.add("E310", at, f"a {slot.type} is never a {other.type}; {right}")


def _check_branches(context: ValidationContext, node: Node) -> None:
    """Report unreachable branches: the first node whose conditions hold is taken."""
    groups: dict[str | None, list[Node]] = {}
    for name in context.after[node.name]:
        after = context.task.flow.nodes[name]
        groups.setdefault(after.outcome, []).append(after)
    for branches in groups.values():
        last = branches[-1]
        if not any(after.when and not after.asks for after in branches):
            continue
        if last.when and not last.asks and (last.kind != "user" or all(n.when for n in branches)):
            names = ", ".join(node.name for node in branches)
            message = f"none of these comes where their conditions do not hold: {names}"
            right = "add a node without `when` as the last one"
            context.add("E213", ("flow", last.name, "when"), f"{message}; {right}")
        for early in branches[:-1] if last.kind != "user" else ():
            if not early.when:
                message = f"{early.name!r} always comes, so that those after it never do"
                right = "put it last, or give it a `when`"
                context.add("E213", ("flow", early.name), f"{message}; {right}")


def _check_dependence(context: ValidationContext, slot: Slot) -> None:
    for name, allowed in slot.depends_on.items():
        at: Pointer = ("slots", slot.name, "depends_on", name)
        if not context.know_slot(name, at):
            continue
        other = context.task.slots[name]
        for value, left in allowed.items():
            check_value(context, other, value, (*at, value))
            for number, each in enumerate(left):
                check_value(context, slot, each, (*at, value, number))
        for value in other.values:
            if value not in allowed:
                message = f"nothing says what is left of {slot.name!r} where {name!r} is {value!r}"
                context.add("E103", at, f"{message}; list the values")
