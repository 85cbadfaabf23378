"""A task compiled once: its flow as linked nodes, its slots as bits, and what follows from them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from dialoom.dialogue.event import Item
from dialoom.errors import SchemaError
from dialoom.flow.node import FlowLine, Step, mask, union
from dialoom.flow.steps import StepBuilder
from dialoom.schema.call import Column
from dialoom.schema.flow import reachable
from dialoom.schema.lexicon import lexicon
from dialoom.schema.once import once_for_each
from dialoom.schema.slot import is_truth
from dialoom.schema.task import TaskSchema
from dialoom.schema.values.forms import ValueForms

_WORDS = (3, 2)
"""Least number of words besides the value in an answer that counts as a whole sentence; the second
number applies if no answer has the first."""


@once_for_each
def program_of(task: TaskSchema) -> TaskProgram:
    """Return a task compiled, as far as it has a flow (cached)."""
    return TaskProgram(task)


def compile_task(task: TaskSchema) -> TaskProgram:
    """Return a task compiled for both sides of its flow (cached); `SchemaError` for a bad flow."""
    if not task.flow.complete:
        raise SchemaError(
            f"task {task.id}", "has no flow with words of its own to simulate", code="no-flow"
        )
    program = program_of(task)
    for step in program.steps.values():
        for what in _faults(step, program):
            raise program.error(f"node {step.name}: {what}")
    return program


def _faults(step: Step, program: TaskProgram) -> Iterator[str]:
    node, task = step.node, program.schema
    mentions = {*node.asks, *node.forget, *node.set, *node.takes, *node.corrects}
    mentions |= {*filter(None, (node.next,))}
    yield from (f"there is no slot {slot}" for slot in sorted(mentions - task.slots.keys()))
    if step.kind in ("user", "system") and not step.lines:
        yield "has nothing to say; give it one text or more"
    if step.kind == "call" and step.call is None:
        yield f"there is no API {node.call}"
    for column in step.call.inputs if step.call is not None else ():
        if column.slot is not None and column.slot not in task.slots:
            yield f"{node.call}: there is no slot {column.slot}"
    for name in node.successors:
        if name not in program.steps:
            yield f"leads to {name}, which is no node"
        elif step.kind == "call" and name in node.then and not program.steps[name].node.outcome:
            yield f"leads to {name}, which stands for no result"


class TaskProgram:
    """A compiled task.

    `bits` maps slots to bits, `unless` bits of slots to the other slots whose values make them
    needless, `steps` names to nodes, `named` actions to their nodes. `words` has the wordings of
    values.
    """

    def __init__(self, task: TaskSchema) -> None:
        self.task, self.schema, self.language = task.id, task, task.language
        self.words = ValueForms(task.slots, task.language)
        targets = (slot for node in task.flow.nodes.values() for slot in node.asks)
        slots = dict.fromkeys((*task.slots, *targets))
        self.bits = {slot: 1 << place for place, slot in enumerate(slots)}
        self.unless = tuple((self.bits[s.name], s.unless) for s in task.slots.values() if s.unless)
        self.steps = StepBuilder(task, self.words, self.bits).steps()
        self.named: dict[str, tuple[Step, ...]] = {}
        for step in self.steps.values():
            if step.label:
                self.named[step.label] = (*self.named.get(step.label, ()), step)
        if task.flow.complete and self.steps:
            self._mark_unasked()

    def error(self, what: str, code: str = "") -> SchemaError:
        """Return an error about the task."""
        return SchemaError(f"task {self.task}", what, code=code)

    # --- slots

    def mask(self, slots: Iterable[str]) -> int:
        """Return the bits of some slots."""
        return mask(slots, self.bits)

    def lacking(self, slots: int, values: Container[str]) -> int:
        """Return the given slots (as bits) without those that a filled slot makes needless
        (`unless`).
        """
        for bit, other in self.unless if slots else ():
            if slots & bit and other in values:
                slots &= ~bit
        return slots

    def bound(self, slots: Iterable[str]) -> list[str]:
        """Return the slots followed by those whose values depend on them, even indirectly."""
        closure = list(slots)
        for name in closure:
            dependent = self.schema.dependent
            closure += [s.name for s in dependent if name in s.depends_on and s.name not in closure]
        return closure

    @cached_property
    def owned(self) -> tuple[str, ...]:
        """The slots of a user's goal: those that a user can say or set, without counters."""
        steps = self.steps.values()
        used = {column.slot for column in self.schema.call_inputs}
        used |= {name for step in steps for each in step.when for name in each.names}
        used -= {step.node.next for step in steps}
        mentioned = 0
        for step in steps:
            if step.kind == "user":
                mentioned |= step.slots | self.mask(slot for slot in step.node.set if slot in used)
        return tuple(slot for slot, bit in self.bits.items() if bit & mentioned)

    @cached_property
    def asked(self) -> int:
        """The bits of slots that the system asks for."""
        return union(step.asks for step in self.steps.values())

    @cached_property
    def needed(self) -> int:
        """The bits of slots of required inputs, always required or only with some other values."""
        inputs = (each for each in self.schema.call_inputs if each.required or each.required_if)
        return self.mask(each.slot for each in inputs if each.slot in self.bits)

    @cached_property
    def fixed(self) -> int:
        """The bits of slots that decide the course of the flow, or that nodes set or count."""
        deciders = {other for _, other in self.unless}
        for step in self.steps.values():
            deciders |= {name for condition in step.when for name in condition.names}
            deciders |= {*step.node.set, *filter(None, (step.node.next,))}
        return self.mask(deciders & self.bits.keys())

    # --- nodes

    @cached_property
    def first(self) -> Step:
        """The node that opens the dialogue."""
        return next(iter(self.steps.values()))

    @cached_property
    def opening(self) -> frozenset[Step]:
        """The first node, and the replies without a question that answer it."""
        replies = (after for after in self.first.then if after.spare and not after.asks)
        return frozenset((self.first, *replies))

    @cached_property
    def openings(self) -> tuple[Step, ...]:
        """The user's turns that open the flow."""
        if self.first.kind == "user":
            return (self.first,)
        systems = (self.first, *sorted(self.opening, key=lambda step: step.name))
        return tuple(dict.fromkeys(user for step in systems for user in step.users))

    @cached_property
    def closing(self) -> frozenset[Step]:
        """The nodes from which no call can be reached any more."""
        before, steps = self.schema.flow.before, self.steps
        calls = (step for step in steps.values() if step.kind == "call")
        calling = reachable(calls, lambda step: (steps[name] for name in before[step.name]))
        return frozenset(steps.values()).difference(calling)

    @cached_property
    def uncalled(self) -> frozenset[Step]:
        """The nodes that the flow reaches without a call, and those that end it."""
        flow, steps = self.schema.flow, self.steps
        loose = (steps[each.name] for each in (*flow.anytime, *flow.apologies))
        first = (*[*steps.values()][:1], *loose)
        reach = reachable(first, lambda step: () if step.kind == "call" else step.after)
        return frozenset((*reach, *(step for step in steps.values() if not step.then)))

    @cached_property
    def corrections(self) -> tuple[Step, ...]:
        """The user's nodes that change values given before."""
        return tuple(step for step in self.steps.values() if step.node.corrects)

    @cached_property
    def anytime(self) -> tuple[Step, ...]:
        """The user's other nodes that may come at any time."""
        return tuple(step for step in self.steps.values() if step.node.anytime)

    @cached_property
    def apology(self) -> Step | None:
        """The system's reply to an utterance that it does not understand."""
        return next((step for step in self.steps.values() if step.node.not_understood), None)

    @cached_property
    def interruptions(self) -> tuple[Step, ...]:
        """Both, in the task's order."""
        return tuple(s for s in self.steps.values() if s.node.corrects or s.node.anytime)

    @property
    def digressive(self) -> bool:
        """True if the task has nodes for corrections, interruptions or misunderstandings."""
        return bool(self.interruptions or self.apology)

    @cached_property
    def loose(self) -> frozenset[str]:
        """The actions possible at any time, as replies to utterances possible at any time.

        If the flow shows only the usual way, a user may also begin anew.
        """
        flow = self.schema.flow
        openings = [] if flow.complete else [*self.steps.values()][:1]
        spoken = (*(self.steps[node.name] for node in flow.anytime), *openings)
        after = {each for step in spoken if step.kind == "user" for each in step.after}
        after |= {self.steps[node.name] for node in flow.apologies}
        return frozenset(step.label for step in after if step.label)

    @cached_property
    def detours(self) -> range:
        """A range of as many nodes as may be passed over in a row; more are a circle."""
        return range(2 * len(self.steps) + 1)

    # --- calls

    @cached_property
    def columns(self) -> dict[str, dict[str, Column]]:
        """API to its inputs, outputs and the columns of its table, by name."""
        task = self.schema
        return {
            call.name: {each.name: each for each in (*task.result_columns(call), *call.inputs)}
            for call in task.calls.values()
        }

    @cached_property
    def inputs(self) -> dict[str, int]:
        """API to the bits of the slots that it is called with."""
        return {
            call.name: self.mask(each.slot for each in call.inputs if each.slot in self.bits)
            for call in self.schema.calls.values()
        }

    @cached_property
    def brought(self) -> dict[str, tuple[tuple[str, str], ...]]:
        """API to the slots that its result fills (no goal has them), each with its column."""
        return {
            api: tuple(
                (c.slot, c.name) for c in outputs.values() if c.slot and c.slot not in self.owned
            )
            for api, outputs in self.columns.items()
        }

    @cached_property
    def repeated(self) -> frozenset[str]:
        """The APIs that are asked for another row."""
        return frozenset(s.node.call or "" for s in self.steps.values() if s.node.another)

    @cached_property
    def namesakes(self) -> frozenset[str]:
        """The slots with the name of a column.

        The system says a result's value for such a slot until the user gives another.
        """
        return frozenset(name for row in self.columns.values() for name in row) & self.bits.keys()

    def offered(self, items: Sequence[Item]) -> dict[str, Any]:
        """Return the values that a result's first row has for slots named like its columns."""
        row = items[0] if items and self.namesakes else {}
        return {name: row[name] for name in self.namesakes if row.get(name) is not None}

    # --- lines

    @cached_property
    def sentences(self) -> dict[str, tuple[FlowLine, ...]]:
        """Slot to the answers that need no question.

        Such an answer names no other slot, has words besides the value, and begins neither with the
        value nor with a yes or no (which would answer a question that was not asked), nor with a
        word such as "that". Questions that only follow a refusal need to be asked, and numbers need
        what is counted.
        """
        spoken = lexicon(self.language)
        pools: dict[str, list[FlowLine]] = {}
        answers = (answer for step in self.steps.values() if step.asks for answer in step.users)
        for line in (line for answer in answers if answer.bare for line in answer.lines):
            first = line.literals[0].split()
            word = first[0].strip(",").lower() if first else ""
            fits = word and spoken.truth(word) is None and word not in spoken.pointing
            if fits and len(line.names) == 1 and self._is_whole(line):
                pools.setdefault(line.names[0], []).append(line)
        slots, mask = self.schema.slots, self.asked & ~self.fallback
        return {
            name: best
            for name, lines in pools.items()
            if name in slots and self.bits[name] & mask and not is_truth(slots[name], self.language)
            if (best := _fullest(lines))
        }

    def _is_whole(self, line: FlowLine) -> bool:
        """Return True unless a line has a number without what is counted ("it should have 4")."""
        slot = self.schema.slots.get(line.names[0])
        if slot is None or slot.type != "integer":
            return True
        terms = f"{slot.name} {slot.description}".replace("_", " ").lower().split()
        tokens = {word.strip(".,!?") for part in line.literals for word in part.lower().split()}
        return bool(tokens & {*terms} - lexicon(self.language).stop)

    @cached_property
    def fallback(self) -> int:
        """The bits of slots that are asked for only after the user has refused another value."""
        first = [self.first.name] if self.steps else []
        usual = reachable(
            self._usual(first), lambda name: self._usual(self.steps[name].node.successors)
        )
        free = self.mask(slot for name in usual for slot in self.steps[name].node.asks)
        return self.asked & ~free

    def _usual(self, names: Iterable[str]) -> Iterator[str]:
        return (n for n in names if n in self.steps and not self.steps[n].node.gives_none)

    def _mark_unasked(self) -> None:
        """Set the slots that a user may volunteer in turns with a wish.

        Those are the opening turns and turns that reject a result, not those that confirm or choose
        one.
        """
        mentioned = self.mask(self.sentences) & self.asked & ~self.fixed
        for step in self.steps.values():
            before = (self.steps[name] for name in self.schema.flow.before[step.name])
            wishes = step.forget or self.opening.issuperset(before)
            if step.kind == "user" and step not in self.closing and wishes:
                step.unasked = mentioned & (step.forget or -1)


def _fullest(lines: Iterable[FlowLine]) -> tuple[FlowLine, ...]:
    """Return the lines with the most words besides the value, by the limits of `_WORDS`."""
    pairs = [(line, sum(len(part.split()) for part in line.literals)) for line in lines]
    for fewest in _WORDS:
        if best := tuple(dict.fromkeys(line for line, many in pairs if many >= fewest)):
            return best
    return ()
