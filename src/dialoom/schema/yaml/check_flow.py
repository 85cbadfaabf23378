"""Checks of the flow: edges have a target, nodes are reached, paths end; special nodes fit."""

from __future__ import annotations

from itertools import islice

from dialoom.dialogue.event import BOOK, CHECK
from dialoom.schema.call import Call
from dialoom.schema.findings import hint
from dialoom.schema.flow import Node, reachable
from dialoom.schema.places import Pointer
from dialoom.schema.slot import Slot
from dialoom.schema.yaml.building import MOST_OPTIONAL, SUMMARY
from dialoom.schema.yaml.grammar import ERROR, OUTCOMES, REFUSED, REQUESTS
from dialoom.schema.yaml.validation import ValidationContext, gives

AFTER = {
    "user": ("system", "call"),
    "system": ("user", "system", "call"),
    "call": ("result",),
    "result": ("system", "call"),
}
"""Kind of node to the kinds of nodes that may follow it."""

REQUIRED = "required"

NEAR = 6
"""A dangling edge was probably meant for one of this many nodes after its own in the file."""


def check_flow(context: ValidationContext) -> None:
    """Report errors in the flow graph."""
    for node in context.task.flow.nodes.values():
        _check_edges(context, node)
        if node.kind in _CHECKS:  # the call before a result node checks it
            _CHECKS[node.kind](context, node)
    if set(context.task.flow.nodes) == context.nodes:
        _check_reached(context)
        _check_ends(context)


def _check_edges(context: ValidationContext, node: Node) -> None:
    at: Pointer = ("flow", node.name)
    edges = [(name, (*at, "then", number)) for number, name in enumerate(node.then)]
    for name, pointer in [*edges, *([(node.last, (*at, "last"))] if node.last else [])]:
        following = context.task.flow.nodes.get(name)
        if name not in context.nodes:
            message = f"there is no node {name!r} to lead to; {hint(name, context.nodes)}"
            context.add("E201", pointer, message)
            _excuse_next(context, node)
        elif following is not None and following.kind not in AFTER[node.kind]:
            right = " or ".join(AFTER[node.kind])
            message = f"a {node.kind} node leads to a {right} node; {name!r} is a {following.kind}"
            context.add("E206", pointer, message + " node")


def _excuse_next(context: ValidationContext, node: Node) -> None:
    """Excuse the next unreached node: the dangling edge was probably meant for it."""
    names = list(context.task.flow.nodes)
    place = names.index(node.name) + 1
    lost = (name for name in names[place : place + NEAR] if name not in context.reached)
    context.excused.update(islice(lost, 1))


def _check_user(context: ValidationContext, node: Node) -> None:
    at: Pointer = ("flow", node.name)
    for number, slot in enumerate(node.forget):
        context.know_slot(slot, (*at, "forget", number))
    if not node.gives_none:
        return
    nodes = (context.task.flow.nodes[name] for name in context.before[node.name])
    names = [slot for before in nodes for slot in before.asks if slot in context.task.slots]
    slots = [context.task.slots[slot] for slot in names]
    if not any(slot.optional or slot.unless or _unclear(context, slot) for slot in slots):
        right = "let it answer a question about a slot with `need: optional`"
        reason = f"{', '.join(names)} must be given" if names else "nothing is asked before it"
        context.add("E212", (*at, "gives_none"), f"{reason}, so no answer can give none; {right}")


def _unclear(context: ValidationContext, slot: Slot) -> bool:
    """True if a slot's `need` is not `required`, which may be invalid."""
    raw = context.document.value["slots"][slot.name]
    return bool(raw.get("need", REQUIRED) != REQUIRED)


def _check_system(context: ValidationContext, node: Node) -> None:
    at: Pointer = ("flow", node.name)
    answers = context.following(node, "user")
    if answers and len(answers) < len(set(context.after[node.name]) - {node.last}):
        message = "after a system node comes either the user or, in the same breath, the system"
        context.add("E206", (*at, "then"), f"{message}; leave one kind out")
    supply = {slot for answer in answers for slot in gives(answer, context.slots)}
    questions = [
        (number, slot)
        for number, slot in enumerate(node.asks)
        if context.know_slot(slot, (*at, "asks", number))
    ]
    whole = all(name in context.task.flow.nodes for name in node.then)
    for number, slot in questions if whole else ():
        if slot not in supply:
            right = f"lead to a user node with {{{slot}}} in a template, or with `set`"
            message = f"{slot!r} is asked for and no answer gives it; {right}"
            context.add("E205", (*at, "asks", number), message)
            users = (n for n in context.task.flow.nodes.values() if n.kind == "user")
            context.excused.update(n.name for n in users if slot in gives(n, context.slots))
    _check_reading(context, node)


def _check_reading(context: ValidationContext, node: Node) -> None:
    at: Pointer = ("flow", node.name)
    if node.last and not node.reads:
        message = (
            "`last` needs the key 'reads', a list that the node reads out element by element; "
            "to end the dialogue here, leave out `last` and `then`"
        )
        context.add("E211", (*at, "last"), message)
    if node.reads and not node.last:
        message = "`reads` needs the key 'last': the node for the last element"
        context.add("E211", (*at, "reads"), message)
    lists = {
        column.name
        for call in context.task.calls.values()
        for column in context.columns(call)
        if column.type == "steps" or column.lists
    }
    for key, name in (("reads", node.reads), ("detail", node.detail)):
        if name and name not in lists and context.whole:
            message = f"{name!r} is no output of the type steps; {hint(name, lists)}"
            context.add("E211", (*at, key), message)


def _check_call(context: ValidationContext, node: Node) -> None:
    at: Pointer = ("flow", node.name)
    call = context.call(node)
    if node.call:
        context.know(node.call, context.names("apis"), "E402", (*at, "call"), "there is no API")
    if call is None:
        return
    takes = any(column.type == "request" for column in call.inputs)
    requested = "request" in context.names("flow", node.name)
    if takes and not requested:
        right = f"add `request: {CHECK}` or `request: {BOOK}`"
        context.add("E210", at, f"{call.name!r} needs the kind of request; {right}")
    elif requested and not takes:
        message = f"{call.name!r} takes no request; leave `request` out, or add an input to the API"
        context.add("E210", (*at, "request"), f"{message}: request: {{type: request}}")
    else:
        _check_outcomes(context, node, call)


def outcomes(node: Node, call: Call) -> tuple[str, ...]:
    """Return the possible outcomes of a call node's call."""
    refused, failed = (REFUSED,) * bool(call.refuses), (ERROR,) * bool(call.fails)
    return (*_effects(node, call), *refused, *failed)


def _effects(node: Node, call: Call) -> tuple[str, ...]:
    if call.effect == "insert" and not call.key:
        return ("done",)
    if node.request is not None and call.writes:
        return REQUESTS[node.request]
    effects = OUTCOMES[call.effect]
    return effects[2:] if len(effects) > 2 else effects


def _check_outcomes(context: ValidationContext, node: Node, call: Call) -> None:
    at: Pointer = ("flow", node.name)
    possible = outcomes(node, call)
    owners: dict[str, str] = {}
    results = context.following(node, "result")
    for result in results:
        outcome = result.outcome
        if outcome is None:
            continue
        if outcome not in possible:
            right = f"here it ends as {' or '.join(possible)}"
            if possible == ("done",):
                right = "an insert without a key always ends as done"
            message = f"{call.name!r} does not end as {outcome!r}; {right}"
            context.add("E207", ("flow", result.name, "result"), message)
        elif outcome in owners and not context.task.flow.nodes[owners[outcome]].when:
            message = f"{owners[outcome]!r} is for {outcome!r} already; leave one of them out"
            context.add("E209", ("flow", result.name, "result"), message)
        owners[outcome] = result.name
    blind = len({result.outcome for result in results} & set(possible)) < len(results)
    dangling = any(name not in context.task.flow.nodes for name in node.then)
    for outcome in possible if not (blind or dangling) else ():
        if outcome not in owners:
            message = f"no node is for the outcome {outcome!r} of {call.name!r}"
            right = f"add one with `result: {outcome}` and lead there"
            context.add("E208", (*at, "then"), f"{message}; {right}")
            nodes = context.task.flow.nodes.values()
            context.excused.update(n.name for n in nodes if n.outcome == outcome)


_CHECKS = {"user": _check_user, "system": _check_system, "call": _check_call}


def _check_reached(context: ValidationContext) -> None:
    """Report nodes without a path from the start, once per group of connected nodes."""
    lost = [name for name in context.task.flow.nodes if name not in context.reached]
    covered: set[str] = set()
    # a group is reported at a node that no other leads to, or else at its first node
    heads = [name for name in lost if not set(context.before[name]) - {name}]
    for name in (*heads, *lost):
        if name in covered:
            continue
        covered.update(reachable((name,), context.after.__getitem__))
        if name in context.excused:
            continue
        message = f"nothing leads to {name!r}; name it in the `then` of another node"
        context.add("E202", ("flow", name), message)


def _check_ends(context: ValidationContext) -> None:
    """Report loops without an exit; a dangling edge counts as an exit."""
    nodes = context.task.flow.nodes
    ends = [
        node.name
        for node in nodes.values()
        if not (context.after[node.name] or node.corrects)
        or any(name not in nodes for name in node.then)
    ]
    if not any(not nodes[name].then for name in ends):
        first = next(iter(nodes), None)
        if first is not None and not ends:
            right = "a node without `then` ends the dialogue"
            context.add("E203", ("flow", first), f"from here the dialogue cannot end; {right}")
        return
    ending = {*reachable(ends, context.before.__getitem__)}
    ending |= {name for name in nodes if nodes[name].corrects}
    stuck = [name for name in nodes if name not in ending]
    covered: set[str] = set()
    after = context.after.__getitem__
    for name in stuck:
        ring = reachable((name,), after)
        if name in covered or any(name not in reachable((other,), after) for other in ring):
            continue  # it leads to the loop but is not part of it
        covered.update(ring)
        names = ", ".join(sorted(ring, key=list(nodes).index)[:6])
        message = f"a loop without an exit: {names}; let one of them lead to the end as well"
        context.add("E204", ("flow", name), message)


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
