"""The rules of a flow: which questions are needless, and the ways from node to node.

    need(step, known)                 # "needless"
    next(past(step, known))           # (the likeliest answer, the node after it)

A question is needless if each of its slots is filled, declined or replaced by another slot
(`unless`), or if its condition (`when`) does not hold. While the condition depends on an unknown
value, the flow permits both asking and skipping, and expects skipping. After a skipped question,
the flow goes on as after an answer to it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol

from dialoom.flow.node import Step
from dialoom.flow.program import TaskProgram
from dialoom.schema.condition import Condition, all_hold

Need = Literal["needed", "open", "needless"]
"""A node must come, may come (its condition depends on an unknown slot) or is needless."""

Way = tuple[Step, ...]
"""Nodes that follow each other."""


class SlotKnowledge(Protocol):
    """The shared knowledge of both sides at some point of a dialogue."""

    @property
    def known(self) -> int:
        """The bits of slots with a value."""

    def needs(self, asked: int) -> int:
        """Return those of some slots (as bits) that are still to be asked for."""

    def holds(self, when: Iterable[Condition]) -> bool | None:
        """Return True if conditions hold; None if that depends on an unknown value."""


class GivenValues:
    """SlotKnowledge values, as annotated in a dialogue.

    `values` maps names to canonical values; names that are no slots are ignored. `declined` are the
    slots without a preference.
    """

    __slots__ = ("declined", "program", "values")

    def __init__(
        self, program: TaskProgram, values: Mapping[str, Any] = {}, declined: Collection[str] = ()
    ) -> None:
        self.program, self.values, self.declined = program, values, declined

    @property
    def known(self) -> int:
        """The bits of slots with a value."""
        return self.program.mask(self.program.bits.keys() & self.values.keys())

    def needs(self, asked: int) -> int:
        """Return those of some slots (as bits) that are still to be asked for."""
        settled = self.program.bits.keys() & {*self.values, *self.declined}
        return self.program.lacking(asked & ~self.program.mask(settled), self.values)

    def holds(self, when: Iterable[Condition]) -> bool | None:
        """Return True if conditions hold; None if that depends on an unknown value."""
        return all_hold(when, self.values, self.declined)


def need(step: Step, known: SlotKnowledge) -> Need:
    """Return how much a node is needed; only questions may be left out."""
    if not step.asks:
        return "needed"
    if not known.needs(step.asks):
        return "needless"
    met = known.holds(step.when) if step.when else True
    return "needed" if met else "open" if met is None else "needless"


def likely(steps: Sequence[Step], known: SlotKnowledge) -> Sequence[Step]:
    """Return possible next nodes, those whose conditions hold in front."""
    if len(steps) < 2:
        return steps
    return sorted(steps, key=lambda step: not known.holds(step.when))


def answers(question: Step, known: SlotKnowledge) -> tuple[Step, ...]:
    """Return the answers to a question that is passed over, the likeliest first."""
    return question.answers if question.asks & known.known else question.declining


def past(question: Step, known: SlotKnowledge) -> Iterator[Way]:
    """Yield the ways past a question, the likeliest first: its answer and the node after."""
    if not question.users:
        yield from ((after,) for after in likely(question.after, known))
    for answer in answers(question, known):
        yield from ((answer, after) for after in likely(answer.after, known))


def ways(first: Iterable[Step], onward: Callable[[Step], Iterable[Way]]) -> Iterator[Way]:
    """Yield the shortest way to each node in reach, the nearest first.

    `onward` returns the ways on from a skipped node, each with all its nodes.
    """
    queue: list[Way] = [(step,) for step in dict.fromkeys(first)]
    seen = {way[-1] for way in queue}
    for way in queue:
        yield way
        for further in onward(way[-1]):
            if further[-1] not in seen:
                seen.add(further[-1])
                queue.append((*way, *further))
