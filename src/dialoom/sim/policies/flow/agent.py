"""An agent that follows a task's flow: hears the user, asks what is missing, makes the calls.

    agent = FlowAgent(compile_task(task), seed)
    agent.reply((said,))             # (Utterance(…),), or (…, Query(…)), whose result comes next

It is not trained and does not see the user's goal: it reads the user's text (hearing.py) and does
what the flow says next. If the flow opens with a turn of the system, the agent answers a greeting
with it, and leaves it out after any other first utterance that it understands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from dialoom.dialogue import USER, Event, Query, Result, Utterance
from dialoom.flow.node import FAILURES, Step
from dialoom.flow.program import TaskProgram
from dialoom.reading.task_words import task_words
from dialoom.schema.call import outcomes
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.flow.hearing import HeardTurn, explained, listen
from dialoom.sim.policies.flow.state import DialogueState
from dialoom.sim.policies.flow.system import FlowSystem
from dialoom.sim.policies.flow.walk import FlowWalk

MOST_NODES = 60
"""Most nodes passed in one reply, so that a circular flow cannot hang the agent."""

Listen = Callable[[TaskProgram, Utterance, Sequence[Step], DialogueState], HeardTurn]
"""Understands a user's utterance, by its text (`hearing.listen`) or by its acts."""


class FlowAgent(FlowWalk):
    """Plays the system of one task: `seed` draws replies, `hearing` understands the user."""

    __slots__ = ("_apologies", "_listen", "_lost", "_query", "_taken")

    def __init__(self, program: TaskProgram, seed: bytes, hearing: Listen = listen) -> None:
        super().__init__(FlowSystem(program, None, SeededRng(seed, b"agent")))
        self.step = self.program.first
        self._listen = hearing
        self._lost = False
        self._taken = self._apologies = 0
        self._query: Query | None = None

    def reply(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """Return the next utterances, up to the user's turn or a query that waits for its result.

        `events` are all events of the dialogue so far; earlier ones are not read again.
        """
        for event in events[self._taken :]:
            self._take_in(event)
        self._taken = len(events)
        return tuple(self._act((events[-1].time if events else 0) or 0))

    def fitness(self, utterance: Utterance, *, now: bool = True) -> float:
        """Return how well the user's turns explain a text, in words of it.

        Possible turns count, and those that open the task: a user may open it once more. Without
        `now`, the text can only open the task.
        """
        turns = dict.fromkeys((*(self._turns() if now else ()), *self.program.openings))
        return explained(self.program, utterance.text, tuple(turns), self.state)

    def _take_in(self, event: Event) -> None:
        if isinstance(event, Utterance) and event.agent == USER:
            self._hear(event)
        elif isinstance(event, Result):
            self._learn(event)

    def _act(self, time: int) -> Iterator[Event]:
        if self._lost:
            yield from self._apologise(time)
        for _ in range(MOST_NODES):
            step = self.step
            if step is None or step.kind == "user":
                return
            if step.kind == "call":
                question = self._lacking(step)
                if question is None:
                    yield self._ask(step, time)
                    return
                step = question
            if step.forget:
                self._forget(step)
            if step.kind == "system":
                self.asked |= step.asks
                self._heard = False
                yield self.system.say(step, self.state, time)
            else:
                self.state.take(step)
            self.move(step)

    def _apologise(self, time: int) -> Iterator[Event]:
        self._lost = False
        self._apologies += 1
        apology, before = self.program.apology, self.before
        if apology is not None:
            if self._apologies > apology.node.not_understood:
                apology = next((s for s in apology.then if s.kind == "system"), apology)
            question = self.state.asked
            yield self.system.say(apology, self.state, time)
            self.state.asked = question
            if not apology.node.not_understood:
                FlowWalk.move(self, apology)
        elif before is not None and before.kind == "system" and not before.reads:
            yield self.system.say(before, self.state, time)

    def _lacking(self, step: Step) -> Step | None:
        slots = self.state.said.keys() | self.state.found.keys()
        inputs = (entry.slot for entry in step.inputs if entry.required and entry.operator)
        lacking = self.program.mask(slot for slot in inputs if slot not in slots)
        return next((q for q in self.program.steps.values() if q.asks & lacking), None)

    def _ask(self, step: Step, time: int) -> Query:
        call = step.call
        if call is None:
            raise self.program.error(f"node {step.name} makes no call")
        self._query = self.system.query(step, call, self.state, time)
        return self._query

    def _learn(self, result: Result) -> None:
        step = self.step
        if step is None or step.call is None or self._query is None:
            return
        ended = outcomes(step.call, self._query.constraints, result.items)
        possible = (*ended, *sorted(FAILURES))  # a call that cannot be made failed somehow
        outcome = next((each for each in possible if each in step.outcomes), "failed")
        self.system.note(step, step.call, outcome, result.items, self.state)
        self.move(step)

    def _hear(self, utterance: Utterance) -> None:
        turns = self._turns()
        if not turns:
            return
        turn = self._listen(self.program, utterance, turns, self.state)
        step = turn.step or (turns[0] if turn.values else None)
        opening = self._opening()
        if opening is not None:
            # a greeting, or a call for help, has no words of the task
            concerns = turn.values or task_words(self.program.schema).concerns(utterance.text)
            if step is None or not concerns:
                return
            self.before, self.asked = opening, self.asked | opening.asks
        elif self.before is None:
            step = step or self.program.first  # whatever a user opens with opens the dialogue
        self._lost = step is None
        if step is None:
            return
        self._apologies, self._heard = 0, True
        if step.node.corrects:
            self._correct(step, turn.values)
        else:
            self._note(step, turn.values)
            self.move(step)

    def _opening(self) -> Step | None:
        step = self.step if self.before is None else None
        for _ in self.program.detours:
            if step is None or step.kind != "system" or step.users:
                break
            step = step.then[0] if step.then else None
        return step if step is not None and step.kind == "system" else None

    def _turns(self) -> tuple[Step, ...]:
        opening = self._opening()
        if opening is not None:
            return opening.users
        if self.step is None or self.step.kind != "user":
            return ()
        after = self.before.users if self.before is not None else ()
        turns = after if self.step in after else (self.step,)
        if self.before is None and self.step.past is not None:
            turns = (*turns, self.step.past)
        return (*turns, *self.program.corrections, *self.program.anytime)

    def _note(self, step: Step, values: Mapping[str, Any]) -> None:
        state, forms = self.state, self.program.words.forms
        if step.forget:
            self._forget(step)
        for slot, value in values.items():
            state.give(forms(slot, value)[0])
        for form in step.sets:
            state.give(form)
        for slot, output in step.node.takes.items():
            if slot not in values and state.shown.get(output) is not None:
                state.give(forms(slot, state.shown[output])[0])
        if step.node.gives_none:
            state.give_none(state.needs(state.asked))
        if step.node.next and step.node.next not in values:
            state.count(step.node.next)

    def _forget(self, step: Step) -> None:
        self.state.drop(self.program.bound(step.node.forget))

    def _correct(self, step: Step, values: Mapping[str, Any]) -> None:
        state = self.state
        changed = self.program.bound(slot for slot in step.node.corrects if slot in state.said)
        if values:
            changed = [slot for slot in changed if slot in values] or changed
        state.drop(changed)
        state.asked = 0
        self._note(step, values)
        self.resume(step, changed)
