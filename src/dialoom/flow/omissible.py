"""The nodes of a flow that a brief system may leave out: optional questions and courtesies.

    omissible = Omissible(task)
    "hotel_ask_customer_request" in omissible.questions
    omissible.ways["hello"]           # where the flow goes on when it is left out

The task file alone decides. A question may be left out if every slot it asks for is optional, no
call and no condition of the flow needs one, and one of its answers gives none. A courtesy is a
reply that gives no value, asks for no slot, reads out no list and has one successor at most. A
user's turn that only leads to a courtesy is left out with it: a greeting before "hello", or a
goodbye that "goodbye" answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dialoom.schema.flow import Node
from dialoom.schema.functions import names
from dialoom.schema.task import TaskSchema


class Omissible:
    """The nodes of a task that may be left out.

    Attributes:
        questions: Optional questions.
        courtesies: Replies that are courtesies.
        openings: User's turn that only leads to a courtesy (a greeting) to this courtesy and the
            user's turn after it, which gives values.
        farewells: User's turns that only a last courtesy follows.
        ways: Courtesy or opening to the ways on without it, each with its nodes in order.
    """

    def __init__(self, task: TaskSchema) -> None:
        self._nodes, nodes = task.flow.nodes, task.flow.nodes.values()
        needed = set(_needed(task))
        self.questions = frozenset(
            node.name
            for node in nodes
            if node.kind == "system" and self._optional(node, task, needed)
        )
        taken = {name for node in nodes if node.kind == "result" for name in node.then}
        self.courtesies = frozenset(
            node.name
            for node in nodes
            if _says_nothing(node) and node.name not in taken and len(self._after(node)) < 2
        )
        self._answered = {name for node in nodes if node.kind != "user" for name in node.then}
        self._answered |= {node.name for node in nodes if node is task.flow.first}
        self.openings = dict(self._openings())
        self.farewells = frozenset(
            node.name
            for node in nodes
            if _bare(node) and node.then and all(self._is_last(name) for name in node.then)
        )
        self.ways: Mapping[str, tuple[tuple[str, ...], ...]] = {
            **{name: tuple(self._ways(self._nodes[name])) for name in self.courtesies},
            **{name: (way,) for name, way in self.openings.items()},
        }

    def _optional(self, node: Node, task: TaskSchema, needed: set[str]) -> bool:
        slots = [task.slots[name] for name in node.asks if name in task.slots]
        return (
            bool(slots)
            and all(slot.optional and slot.name not in needed for slot in slots)
            and not (node.reads or node.last or node.detail or node.forget)
            and any(after.gives_none for after in self._after(node))
        )

    def _after(self, node: Node) -> list[Node]:
        return [self._nodes[name] for name in node.then if name in self._nodes]

    def reply(self, name: str) -> str | None:
        """Return the user's turn after a courtesy if it gives no value and changes no slot."""
        for after in self._after(self._nodes[name]):
            if _bare(after) and not names(after) and len(after.then) == 1:
                return after.name
        return None

    def _ways(self, node: Node) -> Iterator[tuple[str, ...]]:
        for after in self._after(node):
            if after.kind != "user" or node.name in self._answered:
                yield (after.name,)
        reply = self.reply(node.name)
        if reply is not None:
            yield from ((reply, after.name) for after in self._after(self._nodes[reply]))

    def _openings(self) -> Iterator[tuple[str, tuple[str, str]]]:
        for node in self._nodes.values():
            if not _bare(node) or len(node.then) != 1 or node.then[0] not in self.courtesies:
                continue
            for after in self._after(self._nodes[node.then[0]]):
                if after.kind == "user" and names(after):
                    yield node.name, (node.then[0], after.name)

    def _is_last(self, name: str) -> bool:
        return name in self.courtesies and not self._nodes[name].then


def _needed(task: TaskSchema) -> Iterator[str]:
    """Yield the slots that calls, conditions or other slots need, or that nodes set or correct."""
    yield from (c.slot for c in task.call_inputs if c.slot and (c.required or c.required_if))
    for node in task.flow.nodes.values():
        yield from (name for condition in node.when for name in condition.names)
        yield from (*node.set, *node.corrects, *filter(None, (node.next,)))
    yield from (name for condition in task.constraints for name in condition.names)
    yield from (other for slot in task.dependent for other in slot.depends_on)
    yield from (slot.unless for slot in task.slots.values() if slot.unless)


def _says_nothing(node: Node) -> bool:
    """Return True if a reply has no values, questions, lists or effects."""
    held = (node.asks, node.reads, node.last, node.detail, node.forget, node.set, node.when)
    active = any(held) or node.hands_over or node.not_understood
    return node.kind == "system" and not active and not names(node)


def _bare(node: Node) -> bool:
    """Return True if a user's turn has no effect besides the values that its text gives."""
    held = (node.forget, node.set, node.gives_none, node.next, node.takes, node.corrects)
    return node.kind == "user" and not any(held) and not node.anytime
