"""Checks of special nodes: those that take outputs, confirm, correct, apologise, or hand over."""

from __future__ import annotations

from dialoom.schema.findings import hint
from dialoom.schema.flow import Node
from dialoom.schema.places import Pointer
from dialoom.schema.yaml.building import MOST_OPTIONAL, SUMMARY
from dialoom.schema.yaml.validation import ValidationContext, gives


def check_turns(context: ValidationContext) -> None:
    """Report errors in nodes that take outputs, list inputs, correct, apologise or hand over."""
    for node in context.task.flow.nodes.values():
        at: Pointer = ("flow", node.name)
        _check_takes(context, node, at)
        _check_ways(context, node, at)
        if node.confirms:
            _check_confirmation(context, node, at)
        if node.another:
            _check_another(context, node, at)
        if node.corrects:
            _check_correction(context, node, at)
    for again in context.task.flow.apologies[1:]:
        first = context.task.flow.apologies[0].name
        message = f"{first!r} answers what was not understood already; leave one of them out"
        context.add("E214", ("flow", again.name, "not_understood"), message)


def _check_takes(context: ValidationContext, node: Node, at: Pointer) -> None:
    for slot, output in node.takes.items():
        context.know_slot(slot, (*at, "takes", slot))
        pointer = (*at, "takes", slot)
        context.know(output, context.shown, "E403", pointer, "there is no input or output")


def _check_ways(context: ValidationContext, node: Node, at: Pointer) -> None:
    needs = {"anytime": node.anytime, "not_understood": bool(node.not_understood)}
    for key, there in needs.items():
        if there and not node.then:
            message = f"a node with `{key}` needs the key 'then': the nodes that may follow"
            context.add("E214", (*at, key), message)
    if node.hands_over and node.then:
        message = "where a person takes over the dialogue ends; leave `then` out"
        context.add("E214", (*at, "hands_over"), message)


def _check_confirmation(context: ValidationContext, node: Node, at: Pointer) -> None:
    target = context.task.flow.nodes.get(node.confirms or "")
    pointer = (*at, "confirms")
    if node.confirms not in context.nodes:
        message = f"there is no node {node.confirms!r}; {hint(node.confirms or '', context.nodes)}"
        context.add("E201", pointer, message)
    elif target is not None and target.kind != "call":
        message = f"{target.name!r} is a {target.kind} node; name the call that is confirmed"
        context.add("E206", pointer, message)
    raw = context.document.value["flow"][node.name].get("system")
    texts = raw if isinstance(raw, list) else [raw]
    if not any(SUMMARY in str(text) for text in texts):
        message = f"no template has {SUMMARY}, which lists what is confirmed; add it to one"
        context.add("E215", pointer, message)
    call = context.call(target) if target is not None else None
    free = [c for c in call.inputs if c.slot and not c.required] if call is not None else []
    if len(free) > MOST_OPTIONAL:
        message = f"{len(free)} optional inputs are too many; at most {MOST_OPTIONAL} are listed"
        context.add("E106", pointer, message)


def _check_another(context: ValidationContext, node: Node, at: Pointer) -> None:
    call = context.call(node)
    if call is None:
        return
    columns = context.names("tables", call.table, "columns")
    lacking = f"{call.table!r} has no column"
    context.know(node.another or "", columns, "E403", (*at, "another"), lacking)
    if call.effect != "search":
        message = f"to {call.effect} brings one row only; `another` needs the effect search"
        context.add("E407", (*at, "another"), message)


def _check_correction(context: ValidationContext, node: Node, at: Pointer) -> None:
    supply = gives(node, context.slots)
    for number, slot in enumerate(node.corrects):
        is_known = context.know_slot(slot, (*at, "corrects", number))
        if is_known and slot not in supply:
            message = f"no template gives {slot!r} its other value; name {{{slot}}} in one"
            context.add("E205", (*at, "corrects", number), message)
    if node.then:
        message = "after a correction the flow goes on where it was; leave `then` out"
        context.add("E214", (*at, "then"), message)
