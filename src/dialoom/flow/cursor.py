"""The position of a dialogue in the flow of its task.

cursor = FlowCursor(program, GivenValues(program, {"guests": 4}))
cursor.place_at(program.steps["ask_name"])
cursor.expected()                 # the nodes that come next
cursor.permitted({"hello"})       # the actions that may come next

A question is needless if each of its slots is filled, declined or replaced by another slot
(`unless`), or if its condition (`when`) does not hold. While the condition depends on an unknown
value, the flow permits both asking and skipping, and expects skipping. After a skipped question,
the flow goes on as after an answer to it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, Protocol

from dialoom.dialogue import Query, Result
from dialoom.flow.node import Step
from dialoom.flow.program import TaskProgram
from dialoom.schema.call import outcomes, requested
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

    def needs(self, slots: int) -> int:
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

    def needs(self, slots: int) -> int:
        """Return those of some slots (as bits) that are still to be asked for."""
        settled = self.program.bits.keys() & {*self.values, *self.declined}
        return self.program.lacking(slots & ~self.program.mask(settled), self.values)

    def holds(self, when: Iterable[Condition]) -> bool | None:
        """Return True if conditions hold; None if that depends on an unknown value."""
        return all_hold(when, self.values, self.declined)


def need(step: Step, knowledge: SlotKnowledge) -> Need:
    """Return how much a node is needed; only questions may be left out."""
    if not step.asks:
        return "needed"
    if not knowledge.needs(step.asks):
        return "needless"
    met = knowledge.holds(step.when) if step.when else True
    return "needed" if met else "open" if met is None else "needless"


def likely(steps: Sequence[Step], knowledge: SlotKnowledge) -> Sequence[Step]:
    """Return possible next nodes, those whose conditions hold in front."""
    if len(steps) < 2:
        return steps
    return sorted(steps, key=lambda step: not knowledge.holds(step.when))


def answers(question: Step, knowledge: SlotKnowledge) -> tuple[Step, ...]:
    """Return the answers to a question that is passed over, the likeliest first."""
    return question.answers if question.asks & knowledge.known else question.declining


def past(question: Step, knowledge: SlotKnowledge) -> Iterator[Way]:
    """Yield the ways past a question, the likeliest first: its answer and the node after."""
    if not question.users:
        yield from ((after,) for after in likely(question.after, knowledge))
    for answer in answers(question, knowledge):
        yield from ((answer, after) for after in likely(answer.after, knowledge))


def ways(first: Iterable[Step], onward: Callable[[Step], Iterable[Way]]) -> Iterator[Way]:
    """Yield the shortest way to each node in reach, the nearest first.

    `onward` returns the ways on from a skipped node, each with all its nodes.
    """
    queue: list[Way] = [(step,) for step in dict.fromkeys(first)]
    nodes = {way[-1] for way in queue}
    for way in queue:
        yield way
        for further in onward(way[-1]):
            if further[-1] not in nodes:
                nodes.add(further[-1])
                queue.append((*way, *further))


class FlowCursor:
    """The position of one dialogue in one task's flow.

    `at` are the possible nodes of the last event, none at the start; `outcome` is that of the last
    call, if it was the last event and is known. After a correction, the flow may go on from
    `resumed`.
    """

    __slots__ = ("at", "known", "outcome", "program", "resumed")

    def __init__(
        self, program: TaskProgram, knowledge: SlotKnowledge, at: Iterable[Step] = ()
    ) -> None:
        self.program, self.known = program, knowledge
        self.at: tuple[Step, ...] = tuple(at)
        self.outcome: str | None = None
        self.resumed: tuple[Step, ...] = ()

    def place_at(self, *steps: Step) -> None:
        """Go to a node, or to several possible nodes of one event."""
        corrected = self.program.mask(self.program.bound(steps[0].node.corrects))
        questions = [each for each in self.program.steps.values() if each.asks & corrected]
        self.resumed = (*questions, *self.at) if corrected else ()
        self.at, self.outcome = steps, None

    def need(self, step: Step) -> Need:
        """Return True if a node must come; only questions may be left out."""
        return need(step, self.known)

    def nearest(self, action: str) -> Step | None:
        """Return the node of an action; of several the nearest one."""
        steps = self.program.named.get(action, ())
        if len(steps) < 2:
            return steps[0] if steps else None
        near = self.reach(lambda step: True)
        return next((step for step in near if step in steps), steps[0])

    def expected(self) -> tuple[Step, ...]:
        """Return the next replies and calls, nearest first, without needless and open questions."""

        def following(step: Step) -> Iterable[Step]:
            after = likely([each for each in step.after if self._open_to(each)], self.known)
            if not any(each.when for each in after):
                return after
            first: dict[str | None, Step] = {}  # of results, of each outcome
            for each in after:
                first.setdefault(each.node.outcome, each)
            return first.values()

        reached = self.reach(lambda step: self.need(step) != "needed", following)
        return tuple(step for step in reached if self.need(step) == "needed")

    def permitted(self, omissible: Collection[str] = ()) -> frozenset[str]:
        """Return the actions that may come next; `omissible` replies may be left out like
        questions.
        """

        def passes(step: Step) -> bool:
            return step.kind == "system" and bool(step.asks or step.name in omissible)

        return frozenset(step.label for step in self.reach(passes))

    def replies(self) -> Iterator[Step]:
        """Yield the replies in reach before the user speaks again, past answered questions."""

        def answered(step: Step) -> bool:
            return step.asks > 0 and not step.asks & ~self.known.known

        def onward(step: Step) -> Iterator[Way]:
            if answered(step):
                yield from past(step, self.known)
            elif step.kind != "user":
                yield from ((after,) for after in step.after)

        for way in ways(self._first(lambda step: step.after), onward):
            if way[-1].kind == "system" and not answered(way[-1]):
                yield way[-1]

    def reach(
        self,
        passes: Callable[[Step], bool],
        following: Callable[[Step], Iterable[Step]] = lambda step: step.after,
    ) -> list[Step]:
        """Return the replies and calls in reach, the nearest first.

        Nodes after one that `passes` are in reach, too. `following` returns the successors of a
        node, by default those of the flow.
        """

        def onward(step: Step) -> Iterator[Way]:
            if self._open_to(step) and (not step.label or passes(step)):
                yield from ((each,) for each in following(step))

        first = self._first(following)
        return [way[-1] for way in ways(first, onward) if way[-1].label]

    def _first(self, following: Callable[[Step], Iterable[Step]]) -> list[Step]:
        if not self.at:
            return [*self.program.steps.values()][:1]
        return [after for step in self.at for after in following(step)]

    def _open_to(self, step: Step) -> bool:
        return step.kind != "result" or self.outcome in (None, step.node.outcome)

    def way(self, targets: Collection[Step]) -> Way:
        """Return the nodes passed to get to the nearest of some nodes; empty if none is in reach.

        A node is left by any of its edges; needless and omissible nodes are skipped.
        """
        first = self._first(lambda step: step.after)
        if self.at:
            first += [*self.resumed, *self.program.interruptions]
        return next((way for way in ways(first, self._onward) if way[-1] in targets), ())

    def _onward(self, step: Step) -> Iterator[Way]:
        if step.reads and step.last:  # the last element is that node's to read
            yield (step.last,)
        yield from step.ways
        if self.need(step) != "needed":
            yield from past(step, self.known)
        elif step.spare and step.asks:
            yield from (way for way in past(step, self.known) if way[0].node.gives_none)


def calls(program: TaskProgram, query: Query) -> list[Step]:
    """Return the possible nodes of a call; those for another row if it rules out earlier ones."""
    call = program.schema.calls.get(query.api)
    request = requested(call, query.constraints) if call else None
    steps = [
        step
        for step in program.steps.values()
        if step.kind == "call"
        and step.node.call == query.api
        and step.node.request in (request, None)
    ]
    excluded = {each.slot for each in query.constraints if each.operator == "not"}
    return [step for step in steps if step.node.another in excluded] or steps


def stated(query: Query, result: Result) -> dict[str, Any]:
    """Return the values that a call asks for, by input, and those of the first item returned."""
    inputs = {c.slot: c.value for c in query.constraints if c.operator == "equal"}
    return inputs | (result.items[0] if result.items else {})


def results(step: Step, query: Query, result: Result) -> list[Step]:
    """Return the nodes that a result of a call may lead to, by its outcome and its values.

    Values that are neither in the call nor in the result leave a condition open.
    """
    call = step.call
    if call is None:
        return []
    outcome = outcomes(call, query.constraints, result.items)
    facts = stated(query, result)
    facts |= {c.slot: facts[c.name] for c in call.inputs if c.slot and c.name in facts}
    steps, met = list[Step](), set[str | None]()
    for after in (each for each in step.after if each.node.outcome in outcome):
        holds = after.node.outcome not in met and all_hold(after.when, facts)
        steps += [after] if holds is not False else []
        met |= {after.node.outcome} if holds else set()
    return steps
