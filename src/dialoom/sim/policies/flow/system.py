"""The simulated system of a flow: says the lines of its nodes and makes its calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from dialoom.dialogue import SYSTEM, Constraint, Event, Query, Result, Utterance
from dialoom.dialogue.event import Item
from dialoom.flow.node import FAILURES, FlowLine, Step
from dialoom.flow.program import TaskProgram
from dialoom.kb.effects import Answer
from dialoom.schema.call import Call, Column
from dialoom.schema.flow import STEP
from dialoom.schema.values.forms import SurfaceForm
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.flow.state import DialogueState


class Base(Protocol):
    """A knowledge base as the system sees it."""

    def call(self, api: str, constraints: tuple[Constraint, ...]) -> Answer:
        """Make a call."""


@dataclass(slots=True)
class FlowSystem:
    """One system in one dialogue.

    `base` is None if another party makes the calls; `language` draws the lines; `prefix` is that of
    the ids of calls, `calls` their number so far.
    """

    program: TaskProgram
    base: Base | None
    language: SeededRng
    prefix: str = "q"
    calls: int = 0

    def say(self, step: Step, state: DialogueState, time: int) -> Utterance:
        """Say a node, noting its requested slots; `SchemaError` if every line misses a value."""
        state.asked = step.asks
        if step.reads or step.node.detail:
            self._read(step, state)
        lines = step.lines if step.plain else self._lines(step, state)
        line = self.language.choice(lines)
        if not line.names:
            return Utterance(
                agent=SYSTEM, text=line.literals[0], time=time, layers=step.plain_layers
            )
        values = tuple([self._said(name, state) for name in line.names])
        spoken = line.speak(step, values, apart=False)
        return Utterance(agent=SYSTEM, text=spoken.text, time=time, layers=spoken.layers)

    def _said(self, name: str, state: DialogueState) -> SurfaceForm:
        words = self.program.words
        if name in self.program.bits:
            if name in state.offered:  # results take precedence over wishes
                return words.forms(name, state.offered[name])[0]
            form = state.said.get(name)
            if form is not None:
                return form.plain or form
            return words.forms(name, state.found[name])[0]
        column = self.program.columns[state.api].get(name) or Column(name=name)
        return words.show(column, state.shown[name])

    def _lines(self, step: Step, state: DialogueState) -> Sequence[FlowLine]:
        lacking = step.slots & ~state.known
        if lacking:
            lacking &= ~self.program.mask((*state.found, *state.offered))
        results = state.shown.keys()
        if not lacking and step.outputs <= results and not step.node.confirms:
            return step.lines
        lines = [x for x in step.lines if not x.slots & lacking and x.outputs <= results]
        if not lines:
            raise self.program.error(f"node {step.name}: every reply names what is not known")
        if step.node.confirms:  # all that will be done is listed
            most = max(line.slots.bit_count() for line in lines)
            return [line for line in lines if line.slots.bit_count() == most]
        return lines

    def _read(self, step: Step, state: DialogueState) -> None:
        """Set `{step}` to a list's next element, or to the detail of the element read last."""
        name = step.reads or ""
        place = state.read.get(name, 0)
        if step.reads:
            state.read[name] = place + 1
            state.reading = name
            elements = self._list(step, name, state)
        else:
            place = max(0, state.read.get(state.reading, 1) - 1)
            elements = self._list(step, step.node.detail or "", state)
        if place >= len(elements):
            raise self.program.error(f"node {step.name}: nothing is left to read out")
        state.shown[STEP] = elements[place]

    def _list(self, step: Step, name: str, state: DialogueState) -> list[Any]:
        items = state.shown.get(name)
        if not isinstance(items, list | tuple):
            raise self.program.error(f"node {step.name}: {name} is no list that a call returned")
        return list(items)

    def left(self, step: Step, state: DialogueState) -> int:
        """Return how many elements a node that reads out a list still has before it."""
        name = step.reads or ""
        return len(self._list(step, name, state)) - state.read.get(name, 0)

    def ask(self, step: Step, state: DialogueState, time: int, wait: int) -> tuple[Event, Event]:
        """Make a node's call, and note its result in the state; return the query and the result.

        `time` is that of the query, `wait` the delay of its result, both in milliseconds.
        `SchemaError` if the node makes no call, or a required input has no value.
        """
        call = step.call
        if call is None or self.base is None:
            raise self.program.error(f"node {step.name} makes no call")
        query = self.query(step, call, state, time)
        answer = self.base.call(call.name, query.constraints)
        self.note(step, call, answer.outcome, answer.items, state)
        items, total = answer.items, answer.total
        return query, Result(query=query.id, items=items, total=total, time=time + wait)

    def query(self, step: Step, call: Call, state: DialogueState, time: int) -> Query:
        """Return a node's call as a query."""
        constraints = self.constraints(step, call, state)
        self.calls += 1
        return Query(
            id=f"{self.prefix}{self.calls}", api=call.name, constraints=constraints, time=time
        )

    def constraints(self, step: Step, call: Call, state: DialogueState) -> tuple[Constraint, ...]:
        """Return the arguments of a node's call, filled from the dialogue state."""
        terms: list[Constraint] = []
        for entry in step.inputs:
            form = state.said.get(entry.slot)
            if form is None and entry.slot in state.found:  # a result brought it
                form = self.program.words.forms(entry.slot, state.found[entry.slot])[0]
            if form is not None:
                terms += entry.made.get(form) or entry.constrain(form)
            elif entry.operator is None:
                terms += entry.always
            elif entry.required:
                what = f"{call.name} needs {entry.name}, but nobody has said {entry.slot}"
                raise self.program.error(f"node {step.name}: {what}")
        if step.node.another:
            column = step.node.another
            terms += [Constraint(column, "not", (i[column],)) for i in state.seen if column in i]
        return tuple(terms)

    def note(
        self, step: Step, call: Call, outcome: str, items: Sequence[Item], state: DialogueState
    ) -> None:
        """Note the result of a node's call in the dialogue state."""
        forms = state.said
        facts = {i.name: forms[i.slot].canonical for i in step.inputs if i.slot in forms}
        if items:
            facts.update(items[0])
        state.api, state.shown = call.name, facts
        state.offered = self.program.offered(items)
        if call.name in self.program.repeated:
            state.seen = [*(state.seen if step.node.another else ()), *items]
        state.read, state.reading = {}, ""
        state.outcome = outcome
        state.failed = outcome in FAILURES
        if not state.failed:
            for slot, name in self.program.brought[call.name]:
                if name in facts:
                    state.found[slot] = facts[name]
