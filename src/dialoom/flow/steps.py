"""Compiles the nodes of a task's flow: templates parsed, nodes linked, branches sorted.

Branches at a user's choice are sorted by the graph alone: a branch goes *back* if a slot is to be
asked for again ("no, another day") or the dialogue cannot end well without passing the same choice
once more ("another question"), and *onward* otherwise.

A question may be left out by a brief system if every slot it asks for is optional, no call and no
condition of the flow needs one, and one of its answers gives none. A courtesy is a reply that gives
no value, asks for no slot, reads out no list and has one successor at most. A user's turn that only
leads to a courtesy is left out with it: a greeting before "hello", or a goodbye that "goodbye"
answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from dialoom.dialogue import GOLD, Act, Constraint, Layer, Part
from dialoom.dialogue.constraint import Operator
from dialoom.flow.node import FAILURES, REQUEST, Input, Step, flow_line, mask, union
from dialoom.schema.call import Call
from dialoom.schema.flow import STEP, Node, label, reachable
from dialoom.schema.functions import names
from dialoom.schema.slot import Slot, canonical
from dialoom.schema.task import TaskSchema
from dialoom.schema.values.forms import ValueForms


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
        sequels = {name for node in nodes if node.kind == "result" for name in node.then}
        self.courtesies = frozenset(
            node.name
            for node in nodes
            if _says_nothing(node) and node.name not in sequels and len(self._after(node)) < 2
        )
        self._answered = {name for node in nodes if node.kind != "user" for name in node.then}
        self._answered |= {node.name for node in nodes if node is task.flow.first}
        self.openings = dict(self._openings())
        last = {name for name in self.courtesies if not self._nodes[name].then}
        self.farewells = frozenset(
            node.name for node in nodes if _bare(node) and node.then and last.issuperset(node.then)
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
    effects = (node.asks, node.reads, node.last, node.detail, node.forget, node.set, node.when)
    active = any(effects) or node.hands_over or node.not_understood
    return node.kind == "system" and not active and not names(node)


def _bare(node: Node) -> bool:
    effects = (node.forget, node.set, node.gives_none, node.next, node.takes, node.corrects)
    return node.kind == "user" and not any(effects) and not node.anytime


class StepBuilder:
    """Compiles the existing nodes of a flow (`compile_task` checks it); `bits` is by slot."""

    def __init__(self, task: TaskSchema, words: ValueForms, bits: Mapping[str, int]) -> None:
        self.task, self.words, self.bits = task, words, bits

    def steps(self) -> dict[str, Step]:
        """Return the nodes by name, in the task's order."""
        index = {name: self._step(node) for name, node in self.task.flow.nodes.items()}
        for step in index.values():
            self._link(step, index)
        for step in index.values():
            _share_list(step)
        _mark_spare(Omissible(self.task), index)
        for step in index.values():
            _sort_branches(step, index.values())
            step.bare = not (step.alters or step.node.gives_none or step.node.takes)
            step.reads_last = step.last is not None and step.last.reads is not None
            reply = step.kind == "system"
            step.gate = step.spare or (reply and (step.asks > 0 or step.reads_last))
        for step in index.values():
            step.straight = _straight(step)
        return index

    def _mask(self, names: Iterable[str]) -> int:
        return mask((name for name in names if name in self.bits), self.bits)

    def _step(self, node: Node) -> Step:
        # the texts of published flows are no templates that anybody speaks
        lines = (
            tuple(flow_line(text, self.bits, self.task.language) for text in node.texts)
            if self.task.flow.complete
            else ()
        )
        sets = tuple(
            self.words.forms(slot, canonical(self.task.slots[slot], text, self.task.language))[0]
            for slot, text in node.set.items()
            if slot in self.task.slots
        )
        acts = tuple(Act(node.name, (form.argument,)) for form in sets) or (Act(node.name),)
        slots = union(line.slots for line in lines)
        changed = {*node.forget, *node.set, *node.takes, *filter(None, (node.next,))}
        return Step(
            node=node,
            kind=node.kind,
            label=label(node) if node.kind in ("system", "call") else "",
            lines=lines,
            asks=self._mask(node.asks),
            forget=self._mask(node.forget),
            when=node.when,
            sets=sets,
            gives=self._mask(node.set) | slots,
            alters=self._mask(changed),
            plain_acts=acts,
            plain_layers=(Layer(GOLD, (Part(None, acts),)),),
            call=self.task.calls.get(node.call or "") if node.kind == "call" else None,
            inputs=tuple(self._inputs(node)),
            reads=node.reads,
            slots=slots,
            outputs=frozenset().union(*(line.outputs for line in lines)),
            plain=not any(line.names for line in lines),
        )

    def _inputs(self, node: Node) -> Iterator[Input]:
        call = self.task.calls.get(node.call or "") if node.kind == "call" else None
        for column in call.inputs if call is not None else ():
            if column.type == REQUEST and column.slot is None:
                if node.request is not None:
                    request = Constraint(column.name, "equal", (node.request,))
                    yield Input(column.name, "", column.required, None, (request,))
            elif column.slot in self.task.slots:
                operator = _operator(call, self.task.slots[column.slot])
                yield Input(column.name, column.slot, column.required, operator)

    def _link(self, step: Step, steps: Mapping[str, Step]) -> None:
        node = step.node
        step.after = tuple(steps[name] for name in self.task.flow.after[node.name])
        step.then = tuple(steps[name] for name in node.then if name in steps)
        step.users = tuple(after for after in step.then if after.kind == "user")
        step.guarded = any(after.when for after in step.users)
        step.takes_none = any(after.node.gives_none for after in step.users)
        if step.asks:
            step.answers = tuple(sorted(step.users, key=lambda user: user.node.gives_none))
            step.declining = tuple(sorted(step.users, key=lambda user: not user.node.gives_none))
        step.last = steps.get(node.last or "")
        for after in step.then if node.kind == "call" else ():
            outcome = after.node.outcome or ""
            step.outcomes[outcome] = (*step.outcomes.get(outcome, ()), after)


def _operator(call: Call | None, slot: Slot) -> Operator:
    """Return how a value restricts its column: in a search an amount is an upper limit."""
    searched = call is not None and call.effect == "search"
    if slot.type == "amount" and searched:
        return "at_most"
    if slot.type == "categories":
        return "contains" if searched else "one_of"
    return "equal"


def _straight(step: Step) -> Step | None:
    """The only possible next node, if neither a choice nor the dialogue state decides on it."""
    if step.kind == "call" or len(step.then) != 1 or step.reads:
        return None
    after = step.then[0]
    settled = after.kind == "user" and step.asks and not step.takes_none
    return None if settled else after


def _mark_spare(spare: Omissible, steps: Mapping[str, Step]) -> None:
    for name in (*spare.questions, *spare.farewells, *spare.openings, *spare.courtesies):
        steps[name].spare = True
    for name, ways in spare.ways.items():
        steps[name].ways = tuple(tuple(steps[each] for each in way) for way in ways)
    for name, (_, after) in spare.openings.items():
        steps[name].past = steps[name].past_user = steps[after]
    for name in spare.courtesies:
        step, reply = steps[name], spare.reply(name)
        step.past = step.past_user = step.then[0] if step.then else None
        if step.past is None or step.past.kind == "user":  # the user does not speak twice
            step.past_user = step if reply is None else steps[reply].then[0]


def _share_list(step: Step) -> None:
    """Let the node for a list's last element read the same list, if it reads out an element."""
    after = step.last
    if after is not None and any(STEP in line.outputs for line in after.lines):
        after.reads = after.reads or step.reads


def _sort_branches(step: Step, steps: Iterable[Step]) -> None:
    if len(step.users) < 2:
        step.onward = step.users
        return
    # the same choice may be offered at several nodes: after a right and after a wrong answer
    alike = {other for other in steps if other.users == step.users}
    step.onward = tuple(a for a in step.users if not a.forget and _ends(a, alike))
    step.back = tuple(after for after in step.users if after not in step.onward)
    if not step.onward:  # read out step by step: the first branch is the way on
        step.onward, step.back = step.users[:1], step.users[1:]


def _ends(start: Step, without: set[Step]) -> bool:
    """Return True if a dialogue can end from `start` without some nodes or a failure."""

    def after(step: Step) -> list[Step]:
        return [a for a in step.after if a not in without and a.node.outcome not in FAILURES]

    return any(not step.after for step in reachable((start,), after))
