"""The nodes of a task's flow, compiled: templates parsed, nodes linked, branches sorted.

    StepBuilder(task, words, bits).steps()["ask_time"].asks

Branches at a user's choice are sorted by the graph alone: a branch goes *back* where a slot is to
be asked for again ("no, another day") or the dialogue cannot end well without passing the same
choice once more ("another question"), and *onward* otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from dialoom.dialogue import GOLD, Act, Constraint, Layer, Part
from dialoom.dialogue.constraint import Operator
from dialoom.errors import SchemaError
from dialoom.flow.machine import FlowMachine
from dialoom.flow.node import (
    FAILURES,
    REQUEST,
    STEP,
    FlowLine,
    Input,
    Step,
    mask,
    reads_last,
    successors,
    union,
)
from dialoom.flow.omissible import Omissible
from dialoom.schema.call import Call
from dialoom.schema.flow import Node
from dialoom.schema.slot import Slot, canonical
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import Slot as Place
from dialoom.schema.template import parse
from dialoom.schema.values.forms import ValueForms


class StepBuilder:
    """Compiles the nodes of a task's flow.

    Args:
        task: The task.
        words: How its values are said.
        bits: Slot to its bit.
    """

    def __init__(self, task: TaskSchema, words: ValueForms, bits: dict[str, int]) -> None:
        self.task, self.words, self.bits = task, words, bits
        self.machine = FlowMachine(task)

    def steps(self) -> dict[str, Step]:
        """Return the nodes by name, in the task's order.

        Raises:
            SchemaError: A node leads to none, or to one that cannot follow it.
        """
        found = {name: self._step(node) for name, node in self.task.flow.nodes.items()}
        for step in found.values():
            self._link(step, found)
        for step in found.values():
            _share_list(step)
        _mark_spare(Omissible(self.task), found)
        for step in found.values():
            _sort_branches(step, found.values())
            step.bare = not (step.alters or step.node.gives_none or step.node.takes)
            reply = step.kind == "system"
            step.gate = step.spare or (reply and (step.asks > 0 or reads_last(step)))
        for step in found.values():
            step.straight = _straight(step)
        return found

    def _error(self, node: Node, what: str) -> SchemaError:
        return SchemaError(f"task {self.task.id}", f"node {node.name}: {what}")

    def _step(self, node: Node) -> Step:
        named = {*node.asks, *node.forget, *node.set, *node.takes, *node.corrects}
        named |= {*filter(None, (node.next,))}
        for slot in sorted(named - set(self.bits)):
            raise self._error(node, f"there is no slot {slot}")
        lines = tuple(self._line(text) for text in node.texts)
        if node.kind in ("user", "system") and not lines:
            raise self._error(node, "has nothing to say; give it one text or more")
        sets = tuple(
            self.words.forms(slot, canonical(self.task.slots[slot], text, self.task.language))[0]
            for slot, text in node.set.items()
        )
        gives = mask(node.set, self.bits)
        for line in lines:
            gives |= line.slots
        acts = tuple(Act(node.name, (said.argument,)) for said in sets) or (Act(node.name),)
        return Step(
            node=node,
            kind=node.kind,
            lines=lines,
            asks=mask(node.asks, self.bits),
            forget=mask(node.forget, self.bits),
            when=node.when,
            sets=sets,
            gives=gives,
            alters=mask(
                {*node.forget, *node.set, *node.takes, *filter(None, (node.next,))}, self.bits
            ),
            plain_acts=acts,
            plain_layers=(Layer(GOLD, (Part(None, acts),)),),
            call=self._call(node),
            inputs=tuple(self._inputs(node)),
            reads=node.reads,
            slots=union(line.slots for line in lines),
            outputs=frozenset().union(*(line.outputs for line in lines)),
            plain=not any(line.names for line in lines),
        )

    def _call(self, node: Node) -> Call | None:
        if node.kind != "call":
            return None
        if node.call not in self.task.calls:
            raise self._error(node, f"there is no API {node.call}")
        return self.task.calls[node.call]

    def _inputs(self, node: Node) -> Iterator[Input]:
        call = self._call(node)
        for column in call.inputs if call is not None else ():
            if column.type == REQUEST and column.slot is None:
                if node.request is not None:
                    request = Constraint(column.name, "equal", (node.request,))
                    yield Input(column.name, "", column.required, None, (request,))
            elif column.slot is not None:
                if column.slot not in self.bits:
                    raise self._error(node, f"{call and call.name}: there is no slot {column.slot}")
                slot = self.task.slots[column.slot]
                operator = self._operator(call, slot)
                yield Input(column.name, column.slot, column.required, operator)

    def _operator(self, call: Call | None, slot: Slot) -> Operator:
        """Return how a value restricts its column: in a search an amount is an upper limit."""
        searched = call is not None and call.effect == "search"
        if slot.type == "amount" and searched:
            return "at_most"
        if slot.type == "categories":
            return "contains" if searched else "one_of"
        return "equal"

    def _line(self, text: str) -> FlowLine:
        literals, names = [""], []
        for part in parse(text).parts:
            if isinstance(part, Place):
                names.append(part.name)
                literals.append("")
            else:
                literals[-1] += part
        return FlowLine(
            literals=tuple(literals),
            names=tuple(names),
            slots=mask((name for name in names if name in self.bits), self.bits),
            outputs=frozenset(name for name in names if name not in self.bits),
        )

    def _link(self, step: Step, steps: Mapping[str, Step]) -> None:
        node = step.node
        for name in (*node.then, *filter(None, (node.last,))):
            if name not in steps:
                raise self._error(node, f"leads to {name}, which is no node")
        step.then = tuple(steps[name] for name in node.then)
        step.users = tuple(after for after in step.then if after.node.kind == "user")
        step.guarded = any(after.node.when for after in step.users)
        step.takes_none = any(after.node.gives_none for after in step.users)
        if step.asks:
            given = self.machine.answers(node, declined=False)
            declined = self.machine.answers(node, declined=True)
            step.given, step.declined = (steps[next(iter(a), node.name)] for a in (given, declined))
        step.last = steps[node.last] if node.last else None
        if node.kind == "call":
            for after in step.then:
                if after.node.outcome is None:
                    raise self._error(node, f"leads to {after.name}, which stands for no result")
                held = step.outcomes.get(after.node.outcome, ())
                step.outcomes[after.node.outcome] = (*held, after)


def _straight(step: Step) -> Step | None:
    """The only possible next node, if neither a choice nor the dialogue state decides on it."""
    if step.kind == "call" or len(step.then) != 1 or step.reads:
        return None
    after = step.then[0]
    settled = after.kind == "user" and step.asks and not step.takes_none
    return None if settled else after


def _mark_spare(spare: Omissible, steps: Mapping[str, Step]) -> None:
    """Mark the nodes that a brief system leaves out, and set the nodes that come instead."""
    for name in (*spare.questions, *spare.farewells, *spare.openings, *spare.courtesies):
        steps[name].spare = True
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
    """Tell whether a dialogue can end from `start` on without passing some nodes or a failure."""
    stack, seen = [start], {start, *without}
    while stack:
        step = stack.pop()
        following = successors(step)
        if not following:
            return True
        stack += [a for a in following if a not in seen and a.node.outcome not in FAILURES]
        seen.update(following)
    return False
