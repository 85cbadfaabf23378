"""Compiles a task for simulation: its nodes (steps.py), and what follows from them for the whole.

program = compile_task(task)
program.first.name, program.steps["ask_time"].asks
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from dialoom.errors import SchemaError
from dialoom.flow.node import FlowLine, Step, mask, successors, union
from dialoom.flow.program import TaskProgram
from dialoom.flow.steps import StepBuilder
from dialoom.schema.call import Call, Column
from dialoom.schema.lexicon import lexicon
from dialoom.schema.task import TaskSchema
from dialoom.schema.values.forms import ValueForms

_WORDS = (3, 2)
"""Least number of words besides the value in an answer that counts as a whole sentence: the second
number is used where no answer has the first."""


def compile_task(task: TaskSchema) -> TaskProgram:
    """Compile a task.

    Raises:
        SchemaError: It has no flow, or its flow does not hold together.
    """
    if not task.flow.complete:
        raise SchemaError(f"task {task.id}", "has no flow with words of its own to simulate")
    words = ValueForms(task.slots, task.language)
    bits = {slot: 1 << place for place, slot in enumerate(task.slots)}
    builder = StepBuilder(task, words, bits)
    steps = builder.steps()
    nodes = steps.values()
    first = next(iter(nodes))
    unless = tuple((bits[s.name], s.unless) for s in task.slots.values() if s.unless)
    owned = _owned(task, bits, steps)
    columns = {call.name: _columns(call, task) for call in task.calls.values()}
    program = TaskProgram(
        task=task.id,
        schema=task,
        language=task.language,
        words=words,
        bits=bits,
        unless=unless,
        owned=owned,
        first=first,
        steps=steps,
        columns=columns,
        inputs=_inputs(task, bits),
        brought=_brought(columns, owned),
        namesakes=frozenset(name for held in columns.values() for name in held if name in bits),
        asked=union(step.asks for step in nodes),
        needed=_needed(task, bits),
        fixed=_fixed(nodes, bits) | mask((other for _, other in unless), bits),
        closing=_closing(nodes),
        detours=range(2 * len(steps) + 1),
        opening=_opening(first),
        sentences=_sentences(task, nodes),
        corrections=tuple(step for step in nodes if step.node.corrects),
        anytime=tuple(step for step in nodes if step.node.anytime),
        apology=next((step for step in nodes if step.node.not_understood), None),
        repeated=frozenset(step.node.call or "" for step in nodes if step.node.another),
    )
    _mark_unasked(program)
    return program


def _inputs(task: TaskSchema, bits: dict[str, int]) -> dict[str, int]:
    """Return each API with the bits of the slots that it is called with."""
    return {
        call.name: mask((c.slot for c in call.inputs if c.slot in bits), bits)
        for call in task.calls.values()
    }


def _brought(
    columns: Mapping[str, Mapping[str, Column]], owned: Collection[str]
) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return each API with the slots that only its result fills, each with its column."""
    return {
        api: tuple((c.slot, c.name) for c in held.values() if c.slot and c.slot not in owned)
        for api, held in columns.items()
    }


def _mark_unasked(program: TaskProgram) -> None:
    """Set the slots that a user may give without having been asked, in turns that state a wish."""
    told = mask(program.sentences, program.bits) & program.asked & ~program.fixed
    for step in _stating_wishes(program):
        step.unasked = told & (step.forget or -1)


def _stating_wishes(program: TaskProgram) -> Iterator[Step]:
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


def _needed(task: TaskSchema, bits: Mapping[str, int]) -> int:
    """The bits of slots of required inputs, always required or only with some other values."""
    found = {each.slot for each in task.call_inputs if each.required or each.required_if}
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
    used = {column.slot for column in task.call_inputs}
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
    return {column.name: column for column in (*task.result_columns(call), *call.inputs)}
