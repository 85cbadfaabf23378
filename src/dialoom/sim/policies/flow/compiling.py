"""Compiles a task for simulation: parses its templates, links its nodes, sorts its branches.

    program = compile_task(task)
    program.first.name, program.steps["ask_time"].asks

Branches at a user's choice are sorted by the graph alone: a branch goes *back* where a slot is to
be asked for again ("no, another day") or the dialogue cannot end well without passing the same
choice once more ("another question"), and *onward* otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from dialoom.dialogue import GOLD, Act, Constraint, Layer, Part
from dialoom.dialogue.constraint import Operator
from dialoom.errors import SchemaError
from dialoom.schema.call import Call, Column
from dialoom.schema.flow import Node
from dialoom.schema.flow_machine import FlowMachine, canonical
from dialoom.schema.lexicon import lexicon
from dialoom.schema.omissible import Omissible
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import Slot as Place
from dialoom.schema.template import parse
from dialoom.sim.core.forms import ValueForms
from dialoom.sim.policies.flow.program import (
    FAILURES,
    REQUEST,
    STEP,
    FlowLine,
    Input,
    Program,
    Step,
    mask,
    reads_last,
    successors,
)

_WORDS = (3, 2)
"""Least number of words besides the value in an answer that counts as a whole sentence: the second
number is used where no answer has the first."""


def compile_task(task: TaskSchema) -> Program:
    """Compile a task.

    Raises:
        SchemaError: It has no flow, or its flow does not hold together.
    """
    if not task.flow.complete:
        raise SchemaError(f"task {task.id}", "has no flow with words of its own to simulate")
    words = ValueForms(task.slots, task.language)
    bits = {slot: 1 << place for place, slot in enumerate(task.slots)}
    builder = _Builder(task, words, bits)
    steps = builder.steps()
    unless = tuple((bits[s.name], s.unless) for s in task.slots.values() if s.unless)
    owned = _owned(task, bits, steps)
    columns = {call.name: _columns(call, task) for call in task.calls.values()}
    program = Program(
        task=task.id,
        schema=task,
        language=task.language,
        words=words,
        bits=bits,
        unless=unless,
        owned=owned,
        first=next(iter(steps.values())),
        steps=steps,
        columns=columns,
        inputs={
            call.name: mask((c.slot for c in call.inputs if c.slot in bits), bits)
            for call in task.calls.values()
        },
        brought={
            api: tuple((c.slot, c.name) for c in held.values() if c.slot and c.slot not in owned)
            for api, held in columns.items()
        },
        namesakes=frozenset(name for held in columns.values() for name in held if name in bits),
        asked=_union(step.asks for step in steps.values()),
        needed=_needed(task, bits),
        fixed=_fixed(steps.values(), bits) | mask((other for _, other in unless), bits),
        closing=_closing(steps.values()),
        detours=range(2 * len(steps) + 1),
        opening=_opening(next(iter(steps.values()))),
        sentences=_sentences(task, steps.values()),
        corrections=tuple(step for step in steps.values() if step.node.corrects),
        anytime=tuple(step for step in steps.values() if step.node.anytime),
        apology=next((step for step in steps.values() if step.node.not_understood), None),
        repeated=frozenset(s.node.call or "" for s in steps.values() if s.node.another),
    )
    told = mask(program.sentences, bits) & program.asked & ~program.fixed
    for step in _stating_wishes(program):
        step.unasked = told & (step.forget or -1)
    return program


def _stating_wishes(program: Program) -> Iterator[Step]:
    """Yield the user's turns that state a wish: opening turns, and those that reject a result.

    Turns that confirm or choose a result are not among them.
    """
    leading: dict[Step, list[Step]] = {step: [] for step in program.steps.values()}
    for step in program.steps.values():
        for after in successors(step):
            leading[after].append(step)
    for step, before in leading.items():
        if step.kind != "user" or step in program.closing:
            continue
        if step.forget or program.opening.issuperset(before):
            yield step


def _sentences(task: TaskSchema, steps: Iterable[Step]) -> dict[str, tuple[FlowLine, ...]]:
    """Return, for each slot, the answers to its question that can stand without the question.

    Such an answer names no other slot, has words besides the value, and begins neither with the
    value nor with a yes or no (which would answer a question that was not asked).
    """
    spoken = lexicon(task.language)
    found: dict[str, list[FlowLine]] = {}
    for step in steps:
        for answer in step.users if step.asks else ():
            for line in answer.lines if answer.bare else ():
                first = line.literals[0].split()
                if len(line.names) == 1 and first and spoken.truth(first[0].strip(",")) is None:
                    found.setdefault(line.names[0], []).append(line)
    slots = {name: lines for name, lines in found.items() if name in task.slots}
    return {
        name: kept
        for name, lines in slots.items()
        if task.slots[name].type != "boolean" and (kept := _fullest(lines))
    }


def _fullest(lines: Iterable[FlowLine]) -> tuple[FlowLine, ...]:
    """Return the lines with the most words besides the value, by the limits of `_WORDS`."""
    counted = [(line, sum(len(part.split()) for part in line.literals)) for line in lines]
    for fewest in _WORDS:
        if kept := tuple(dict.fromkeys(line for line, many in counted if many >= fewest)):
            return kept
    return ()


def _union(masks: Iterable[int]) -> int:
    found = 0
    for bits in masks:
        found |= bits
    return found


def _needed(task: TaskSchema, bits: Mapping[str, int]) -> int:
    """The bits of slots of required inputs, always required or only with some other values."""
    inputs = [column for call in task.calls.values() for column in call.inputs]
    found = {column.slot for column in inputs if column.required or column.required_if}
    return mask((slot for slot in found if slot is not None and slot in bits), bits)


def _fixed(steps: Iterable[Step], bits: Mapping[str, int]) -> int:
    """The bits of slots that conditions name, or that nodes set or count by themselves."""
    found = 0
    for step in steps:
        named = {name for condition in step.when for name in condition.names if name in bits}
        named |= {said.slot for said in step.sets}
        found |= mask({*named, *filter(None, (step.node.next,))}, bits)
    return found


def _closing(steps: Iterable[Step]) -> frozenset[Step]:
    """The nodes from which no query can be reached."""
    everything = frozenset(steps)
    calling = {step for step in everything if step.kind == "call"}
    before = -1
    while len(calling) != before:
        before = len(calling)
        calling |= {step for step in everything if not calling.isdisjoint(successors(step))}
    return everything - calling


def _opening(first: Step) -> frozenset[Step]:
    """The first node and the replies without a question that answer it."""
    return frozenset((first, *(after for after in first.then if after.spare and not after.asks)))


def _owned(task: TaskSchema, bits: Mapping[str, int], steps: Mapping[str, Step]) -> tuple[str, ...]:
    """The slots that a user's goal has values for: those a user can say or set, except counters."""
    used = {column.slot for call in task.calls.values() for column in call.inputs}
    used |= {n for s in steps.values() for c in s.when for n in c.names}
    said = put = 0
    counted = {step.node.next for step in steps.values()}
    for step in steps.values():
        if step.node.kind == "user":
            for line in step.lines:
                said |= line.slots
            put |= mask((s for s in step.node.set if s in used and s not in counted), bits)
    return tuple(slot for slot, bit in bits.items() if bit & (said | put))


def _columns(call: Call, task: TaskSchema) -> dict[str, Column]:
    return {column.name: column for column in (*task.columns(call), *call.outputs, *call.inputs)}


class _Builder:
    def __init__(self, task: TaskSchema, words: ValueForms, bits: dict[str, int]) -> None:
        self.task, self.words, self.bits = task, words, bits
        self.machine = FlowMachine(task)

    def steps(self) -> dict[str, Step]:
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

    def error(self, node: Node, what: str) -> SchemaError:
        return SchemaError(f"task {self.task.id}", f"node {node.name}: {what}")

    def _step(self, node: Node) -> Step:
        named = {*node.asks, *node.forget, *node.set, *node.takes, *node.corrects}
        named |= {*filter(None, (node.next,))}
        for slot in sorted(named - set(self.bits)):
            raise self.error(node, f"there is no slot {slot}")
        lines = tuple(self._line(text) for text in node.texts)
        if node.kind in ("user", "system") and not lines:
            raise self.error(node, "has nothing to say; give it one text or more")
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
            slots=_union(line.slots for line in lines),
            outputs=frozenset().union(*(line.outputs for line in lines)),
            plain=not any(line.names for line in lines),
        )

    def _call(self, node: Node) -> Call | None:
        if node.kind != "call":
            return None
        if node.call not in self.task.calls:
            raise self.error(node, f"there is no API {node.call}")
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
                    raise self.error(node, f"{call and call.name}: there is no slot {column.slot}")
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
                raise self.error(node, f"leads to {name}, which is no node")
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
                    raise self.error(node, f"leads to {after.name}, which stands for no result")
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
