"""Checks of slots, which are asked for, given and used, and of the conditions on their values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from dialoom.schema.condition import Condition
from dialoom.schema.findings import hint
from dialoom.schema.flow import Node
from dialoom.schema.lexicon import lexicon
from dialoom.schema.places import Pointer
from dialoom.schema.slot import Slot
from dialoom.schema.values import TEXTS, read, sayable
from dialoom.schema.values.ranges import measured
from dialoom.schema.yaml.building import plain
from dialoom.schema.yaml.validation import ValidationContext, gives, placeholders


def check_slots(context: ValidationContext) -> None:
    """Report errors in the slots."""
    for slot in context.task.slots.values():
        _check_limits(context, slot)
        _check_variants(context, slot)
        if slot.unless is not None:
            context.know_slot(slot.unless, ("slots", slot.name, "need", "unless"))
    _check_unless(context)
    _check_use(context)
    _check_values(context)
    _check_goals(context)


def _check_limits(context: ValidationContext, slot: Slot) -> None:
    at: Pointer = ("slots", slot.name)
    low, high = measured(slot.type, slot.minimum), measured(slot.type, slot.maximum)
    for key, value, number in (("from", slot.minimum, low), ("to", slot.maximum, high)):
        if slot.type == "date" and value is not None and number is None:
            context.add("E308", (*at, key), f"there is no day {value!r}; write it as 2021-05-03")
    if low is not None and high is not None and low > high:
        dated = slot.type in ("date", "time")
        key = "from" if dated else "minimum"
        right = "a range ends after it begins"
        context.add("E305", (*at, key), f"{slot.minimum} is above {slot.maximum}; {right}")


def _check_variants(context: ValidationContext, slot: Slot) -> None:
    owner: dict[str, str] = {}
    for value, variants in slot.values.items():
        at = ("slots", slot.name, "values", value)
        if not variants and not sayable(value, context.language):
            right = "add a spoken variant"
            context.add("W302", at, f"{value!r} is not said as it is written; {right}")
        for form in dict.fromkeys(text.casefold() for text in (value, *variants)):
            other = owner.setdefault(form, value)
            if other != value:
                message = f"{form!r} means {other!r} and {value!r}; let it mean one"
                context.add("E307", at, message)


def _check_unless(context: ValidationContext) -> None:
    """Report cycles of `unless` other than pairs, which leave the needed slot open."""
    unless = {slot.name: slot.unless for slot in context.task.slots.values() if slot.unless}
    members: set[str] = set()
    for start in unless:
        ring, at = [start], unless[start]
        while at in unless and at not in ring:
            ring.append(at)
            at = unless[at]
        if at == start and len(ring) != 2 and not members & set(ring):
            members |= set(ring)
            chain = " unless ".join((*ring, start))
            right = "let one of them be required or optional"
            context.add("E306", ("slots", start, "need"), f"{chain}: {right}")


def _check_use(context: ValidationContext) -> None:
    task = context.task
    if task.environment is not None and not context.nodes:
        return  # goals give values to slots
    questions = {slot for node in task.flow.nodes.values() for slot in node.asks}
    supply = {
        slot
        for node in task.flow.nodes.values()
        if node.kind == "user" or node.takes
        for slot in gives(node, context.slots)
    }
    used = set(_used(context))
    for name in task.slots:
        if name not in questions | supply:
            right = f"let a system node ask for it, or a user template name {{{name}}}"
            context.add("E303", ("slots", name), f"nobody asks for {name!r} or gives it; {right}")
        elif name not in used and context.whole and _all_given(context):
            right = "no call takes it and no reply or condition names it"
            context.add("W403", ("slots", name), f"the slot {name!r} is of no use: {right}")


def _all_given(context: ValidationContext) -> bool:
    """True if all inputs have slots; otherwise an unused slot may be meant for one."""
    return all(
        {column.name for column in call.inputs if column.slot or column.type == "request"}
        == context.names("apis", call.name, "inputs")
        for call in context.task.calls.values()
    )


def _used(context: ValidationContext) -> Iterable[str]:
    task = context.task
    yield from (column.slot for column in task.call_inputs if column.slot)
    for node in task.flow.nodes.values():
        yield from (name for condition in node.when for name in condition.names)
        if node.kind == "system":
            yield from (name for text in node.texts for name in placeholders(text))
    yield from (name for condition in task.constraints for name in condition.names)
    for slot in task.slots.values():
        yield from (*slot.depends_on, *filter(None, (slot.unless,)))


def _check_values(context: ValidationContext) -> None:
    for node in context.task.flow.nodes.values():
        at: Pointer = ("flow", node.name)
        for name, value in node.set.items():
            if context.know_slot(name, (*at, "set", name)):
                check_value(context, context.task.slots[name], value, (*at, "set", name))
        if node.next is not None and context.know_slot(node.next, (*at, "next")):
            kind = context.task.slots[node.next].type
            if kind != "integer":
                message = f"`next` counts an integer slot; {node.next!r} is a {kind}"
                context.add("E308", (*at, "next"), message)


def _check_goals(context: ValidationContext) -> None:
    """Report slots and values that users cannot have; a goal may have a value as it is said."""
    for number, goal in enumerate(context.task.goals):
        for name, value in goal.get("values", {}).items():
            at: Pointer = ("goals", number, "values", name)
            if context.know_slot(name, at):
                slot = context.task.slots[name]
                canonical = (
                    None if value in slot.values else read(slot, str(value), context.language)
                )
                values = (
                    canonical
                    if isinstance(canonical, list)
                    else [value if canonical is None else canonical]
                )
                for each in values:
                    check_value(context, slot, plain(each), at)


def check_value(
    context: ValidationContext, slots: Slot | Sequence[Slot], value: str, pointer: Pointer
) -> None:
    """Report a value, as text, that is not valid for a slot, nor for any of several."""
    options = [slots] if isinstance(slots, Slot) else slots
    tips = [_right(slot, value, context.language) for slot in options]
    if None not in tips:
        context.add("E308", pointer, f"{options[-1].name!r} has no value {value!r}; {tips[-1]}")


def _right(slot: Slot, value: str, language: str) -> str | None:
    """Return the valid spelling of a value, for the message; None if it is valid."""
    if slot.type in ("category", "categories"):
        return None if value in slot.values or not slot.values else hint(value, slot.values)
    if slot.type == "boolean":
        spoken = lexicon(language)
        words = (*spoken.yes, *spoken.no, *spoken.literals)
        return f"known: {', '.join(words)}" if spoken.truth(value) is None else None
    if slot.type in TEXTS:
        return None
    number = _number(slot, value)
    low, high = measured(slot.type, slot.minimum), measured(slot.type, slot.maximum)
    if low is not None and high is not None and low > high:
        return None  # E305
    if number is not None and (low is None or low <= number) and (high is None or number <= high):
        return None
    ends = (("from", slot.minimum), ("to", slot.maximum))
    limits = [f" {word} {end}" for word, end in ends if end is not None]
    return f"it has {slot.type}s{''.join(limits)}"


_NUMBERS = {"integer": r"-?\d+(\.0)?", "amount": r"-?\d+(\.\d+)?(e[-+]\d+)?"}
"""Type of slot to the pattern of its values, as a knowledge base reads them."""


def _number(slot: Slot, value: str) -> float | None:
    if slot.type in ("date", "time"):
        return measured(slot.type, value)
    return float(value) if re.fullmatch(_NUMBERS[slot.type], value) else None


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
    slots, others = (context.domains.get(name or "") for name in (condition.name, condition.other))
    if slots is None:
        return
    for value in condition.values:
        check_value(context, slots, plain(value), at)
    kinds, against = ({KINDS.get(slot.type) for slot in each or ()} for each in (slots, others))
    if condition.operator in ORDERED and kinds == {None}:
        right = "only numbers, dates and times have an order"
        context.add("E310", at, f"{condition.name!r} is a {slots[-1].type}; {right}")
    elif others is not None and kinds.isdisjoint(against):
        right = "compare values of one type"
        context.add("E310", at, f"a {slots[-1].type} is never a {others[-1].type}; {right}")


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
