"""The state machine of a flow: which questions are needless, and which nodes may come next.

    machine = FlowMachine(task)
    machine.need(node, known={"travel_mode": "driving"})        # "needless"
    machine.expected("ask_name", known={"guests": 4})           # ("restaurant_ask_restaurant",)
    machine.permitted(["ask_name"], omissible={"hello"})        # {"query_check", …}

A question is needless where each of its slots is known, declined or replaced by another slot
(`unless`), and where its condition (`when`) does not hold of the known values. While the condition
depends on an unknown value, asking and passing over are both permitted, and passing over is
expected. After a question that is passed over, the flow goes on where an answer to it leads.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Literal

from dialoom.schema.condition import all_hold
from dialoom.schema.flow import Node, label
from dialoom.schema.task import TaskSchema

Need = Literal["needed", "open", "needless"]
"""Whether a node must come, may come (its condition depends on an unknown slot) or is needless."""

Onward = Callable[[Node], Iterable[tuple[str, ...]]]
"""A node that is passed over to the ways on from it, each with all its nodes to the last."""


class FlowMachine:
    """The state machine of one task's flow.

    Attributes:
        flow: The flow.
        labels: System or call node to the action that it stands for.
        named: Action to its nodes.
    """

    def __init__(self, task: TaskSchema) -> None:
        self.flow, self._slots = task.flow, task.slots
        nodes = task.flow.nodes
        self.labels = {n.name: label(n) for n in nodes.values() if n.kind in ("system", "call")}
        self.named: dict[str, tuple[str, ...]] = {}
        for name, action in self.labels.items():
            self.named[action] = (*self.named.get(action, ()), name)

    def need(self, node: Node, known: Mapping[str, Any], declined: Collection[str] = ()) -> Need:
        """Tell whether a node must come; only questions may be left out.

        Args:
            node: The node.
            known: Slot to canonical value.
            declined: The slots that the user has no preference for.
        """
        if not node.asks:
            return "needed"
        met = all_hold(node.when, known, declined)
        if met is False or not any(self._lacks(slot, known, declined) for slot in node.asks):
            return "needless"
        return "needed" if met else "open"

    def _lacks(self, name: str, known: Mapping[str, Any], declined: Collection[str]) -> bool:
        slot = self._slots.get(name)
        made_up = slot is not None and slot.unless in known
        return not (name in known or name in declined or made_up)

    def answers(self, question: Node, *, declined: bool) -> list[str]:
        """Return a question's answers: those that decline first if `declined`, else last."""
        users = (node for node in self.flow.following(question) if node.kind == "user")
        return [node.name for node in sorted(users, key=lambda n: n.gives_none != declined)]

    def likely(
        self, name: str, known: Mapping[str, Any], outcome: str | None = None
    ) -> tuple[str, ...]:
        """Return the nodes that may follow a node, those whose conditions hold in front.

        Args:
            name: The node.
            known: Slot to canonical value.
            outcome: The outcome of the last query, where that is known.
        """
        after = [n for n in self.flow.following(self.flow.nodes[name]) if _possible(n, outcome)]
        return tuple(n.name for n in sorted(after, key=lambda n: not all_hold(n.when, known)))

    def resumed(self, correction: Node) -> tuple[str, ...]:
        """Return the questions that the flow may go on from after a correction."""
        slots = set(correction.corrects)
        slots |= {s.name for s in self._slots.values() if not slots.isdisjoint(s.depends_on)}
        nodes = self.flow.nodes.values()
        return tuple(node.name for node in nodes if not slots.isdisjoint(node.asks))

    def past(self, question: Node, known: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
        """Yield the ways past a question, the likeliest first: its answer and the node after."""
        answers = self.answers(question, declined=known.keys().isdisjoint(question.asks))
        if not answers:
            yield from ((after,) for after in self.likely(question.name, known))
        for answer in answers:
            yield from ((answer, after) for after in self.likely(answer, known))

    def expected(
        self, at: str | None, known: Mapping[str, Any], outcome: str | None = None
    ) -> tuple[str, ...]:
        """Return the nodes that come next, whatever the user says; the nearest first.

        Args:
            at: The node of the last action; None at the start.
            known: Slot to canonical value: needless and open questions are passed over.
            outcome: How the last query ended, where that is known.
        """

        def following(name: str) -> tuple[str, ...]:
            after = self.likely(name, known, outcome)
            if not any(self.flow.nodes[each].when for each in after):
                return after
            first: dict[str | None, str] = {}  # of results, of each outcome
            for each in after:
                first.setdefault(self.flow.nodes[each].outcome, each)
            return tuple(first.values())

        def needed(node: Node) -> bool:
            return self.need(node, known) == "needed"

        ends = () if at is None else (at,)
        reached = self.reach(ends, lambda node: not needed(node), outcome, following)
        return tuple(name for name in reached if needed(self.flow.nodes[name]))

    def permitted(
        self, at: Collection[str], omissible: Collection[str] = (), outcome: str | None = None
    ) -> frozenset[str]:
        """Return the actions that may come next.

        Args:
            at: The nodes that the last action may stand for; none at the start.
            omissible: The replies that may be left out besides questions.
            outcome: How the last query ended, where that is known.
        """

        def passes(node: Node) -> bool:
            return node.kind == "system" and bool(node.asks or node.name in omissible)

        return frozenset(self.labels[name] for name in self.reach(at, passes, outcome))

    @cached_property
    def anytime(self) -> frozenset[str]:
        """The actions that may come at any time: they answer what a user may say at any time.

        Where the flow shows the usual way only, a user may begin anew as well.
        """
        openings = [] if self.flow.complete else list(self.flow.nodes.values())[:1]
        spoken = (*self.flow.anytime, *(node for node in openings if node.kind == "user"))
        after = [name for node in spoken for name in self.flow.after[node.name]]
        after += [node.name for node in self.flow.apologies]
        return frozenset(self.labels[name] for name in after if name in self.labels)

    def reach(
        self,
        at: Collection[str],
        passes: Callable[[Node], bool],
        outcome: str | None = None,
        following: Callable[[str], Iterable[str]] | None = None,
    ) -> tuple[str, ...]:
        """Return the actions' nodes in reach, the nearest first.

        Args:
            at: The nodes to start from; none at the start of the dialogue.
            passes: Tells which actions may be left out: those after them are in reach, too.
            outcome: How the last query ended, where that is known.
            following: The nodes that may follow one; by default all that the flow has.
        """
        after = following or self.flow.after.__getitem__

        def onward(node: Node) -> Iterator[tuple[str, ...]]:
            if _possible(node, outcome) and (node.name not in self.labels or passes(node)):
                yield from ((name,) for name in after(node.name))

        first = [name for each in at for name in after(each)] if at else list(self.flow.nodes)[:1]
        return tuple(way[-1] for way in self.ways(first, onward) if way[-1] in self.labels)

    def ways(self, first: Iterable[str], onward: Onward) -> Iterator[tuple[str, ...]]:
        """Yield the shortest way to each node in reach, the nearest first.

        Args:
            first: The nodes that may come next.
            onward: Where a node leads that is passed over.
        """
        queue: list[tuple[str, ...]] = [(name,) for name in dict.fromkeys(first)]
        seen = {way[-1] for way in queue}
        for way in queue:
            yield way
            for further in onward(self.flow.nodes[way[-1]]):
                if further[-1] not in seen:
                    seen.add(further[-1])
                    queue.append((*way, *further))


def _possible(node: Node, outcome: str | None) -> bool:
    """Tell whether a node may come after a call with this outcome; None if that is unknown."""
    return node.kind != "result" or outcome in (None, node.outcome)
