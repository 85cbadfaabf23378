"""Which slots and outputs have a value at each node of a flow: on every path, and on some path.

A question is skipped if its slots are known or its condition does not hold; the dialogue then goes
on after its answers. `sure` is the intersection over all paths, `perhaps` the union.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from dialoom.schema.call import Call
from dialoom.schema.flow import Node
from dialoom.schema.yaml.validation import ValidationContext, gives, placeholders

_Known = frozenset[str]


class Knowledge(NamedTuple):
    """The names known at each reachable node: on every path (`sure`), or on at least one."""

    sure: dict[str, _Known]
    perhaps: dict[str, _Known]


def trace(context: ValidationContext) -> Knowledge:
    """Return the names known at each node, by iterating over the edges until nothing changes."""
    return Knowledge(_solve(context, sure=True), _solve(context, sure=False))


def _solve(context: ValidationContext, *, sure: bool) -> dict[str, _Known]:
    first = next(iter(context.task.flow.nodes), None)
    if first is None:
        return {}
    anytime = frozenset() if sure else context.slots
    by_node = dict.fromkeys(context.task.flow.entries, anytime) | {first: frozenset[str]()}
    waiting = list(by_node)
    while waiting:
        node = context.task.flow.nodes[waiting.pop()]
        for after, names in _leaving(context, node, by_node[node.name], sure):
            before = by_node.get(after)
            joined = names if before is None else before & names if sure else before | names
            if joined != before:
                by_node[after] = joined
                waiting.append(after)
    return by_node


def _leaving(
    context: ValidationContext, node: Node, names: _Known, sure: bool
) -> Iterator[tuple[str, _Known]]:
    if node.kind == "call":
        yield from _called(context, node, names, sure)
        return
    after = names | node.takes.keys()
    if node.kind == "user":
        after -= set(node.forget)
        after |= _given(context, node, after, sure)
    evasions = _evasions(context, node) if sure else frozenset[str]()
    for name in context.after[node.name]:
        if name not in evasions:
            yield name, after
    if node.asks:
        passed = names | (_answered(context, node) if sure else frozenset())
        for answer in context.following(node, "user"):
            for name in context.after[answer.name]:
                yield name, passed


def _given(context: ValidationContext, node: Node, names: _Known, sure: bool) -> _Known:
    """Return the slots that a user node gives: in all its templates (`sure`), or in any.

    After a question, users prefer templates with all unknown slots asked for to those with some.
    """
    if not sure:
        return frozenset(gives(node, context.slots))
    mentions = [context.slots.intersection(placeholders(text)) for text in node.texts]
    answers: list[_Known] = []
    for question in context.before[node.name]:
        topics = context.slots.intersection(context.task.flow.nodes[question].asks)
        whole = [each for each in mentions if topics - names <= each]
        partial = [each for each in mentions if (topics - names) & each]
        answers.append(topics.intersection(*(whole or partial or mentions or [frozenset()])))
    always = [frozenset.intersection(*sets) for sets in (mentions, answers) if sets]
    return frozenset(node.set).union(*always, filter(None, (node.next,)))


def _evasions(context: ValidationContext, node: Node) -> _Known:
    """Return the user nodes after a question that are never chosen.

    They give none of the slots asked for, and the other ones give all.
    """
    topics = context.slots.intersection(node.asks)
    users = context.following(node, "user")
    answers = {user.name: topics & gives(user, context.slots) for user in users}
    other_ways = any(user.when or user.gives_none for user in users)
    if other_ways or not topics or topics != frozenset().union(*answers.values()):
        return frozenset()
    return frozenset(name for name, slots in answers.items() if not slots)


def _answered(context: ValidationContext, node: Node) -> _Known:
    if node.when or any(after.gives_none for after in context.following(node, "user")):
        return frozenset()
    slots = context.task.slots
    return frozenset(s for s in node.asks if s in slots and not slots[s].unless)


def _called(
    context: ValidationContext, node: Node, names: _Known, sure: bool
) -> Iterator[tuple[str, _Known]]:
    """Yield each result node of a call with its known names; old outputs are dropped."""
    call = context.call(node)
    slots = names & context.slots
    arguments = inputs(call, slots) if call else frozenset()
    for result in context.following(node, "result"):
        brought = arguments
        if call is not None:
            # a call that selects its row before its rules returns it with a refusal, too
            refused = ("refused",) if call.effect in ("find", "update") else ()
            if result.outcome in ("found", "available", "done", *refused):
                brought |= {column.name for column in context.task.result_columns(call)}
            brought |= call.answers.get(result.outcome or "", {}).keys()
        yield result.name, slots | brought


def inputs(call: Call, slots: Iterable[str]) -> _Known:
    """Return the inputs of a call whose slots are known."""
    names = set(slots)
    return frozenset(column.name for column in call.inputs if column.slot in names)
