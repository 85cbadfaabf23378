"""The schema follower as the wizard: picks the next action, queries the KB, says what it found.

    wizard = FollowerWizard([task], seed=7)
    wizard.reply((said,))            # (Query(…),), and after its result (Utterance(…),)

What to do next is the model's choice among the actions of the schema; what is asked and said is the
task's own, filled with what the user was heard to say. The model learns from dialogues that are
simulated for it, so that a task nobody has played yet has a wizard.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dialoom.dialogue import (
    SYSTEM,
    USER,
    Constraint,
    Dialogue,
    Event,
    Example,
    NextAction,
    Query,
    Question,
    Result,
    Utterance,
    digest,
)
from dialoom.dialogue.views import action, label
from dialoom.errors import SchemaError
from dialoom.models.follower import Follower
from dialoom.schema.call import outcomes
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.flow.compiling import compile_task
from dialoom.sim.policies.flow.program import Program, Step
from dialoom.sim.policies.flow.simulator import Simulator
from dialoom.sim.policies.flow.state import DialogueState
from dialoom.sim.policies.flow.system import FlowSystem
from dialoom.sim.presets.star import StarPlan
from dialoom.tracking import SlotTracker
from dialoom.tracking.reading import reader_of

LESSONS = 120
"""Simulated dialogues of each task that the model learns from."""


class FollowerWizard:
    """Plays the wizard of one task.

    Args:
        task: The task.
        seed: Makes the knowledge base, and what the model learns from.
    """

    def __init__(self, task: TaskSchema, seed: int) -> None:
        self.task = task
        self._model = taught(task, seed)
        self._program: Program = compile_task(task)
        self._tracker = SlotTracker(task)
        self._system = FlowSystem(
            self._program, Simulator(task, seed).base, SeededRng(seed_of(seed, 0), b"language")
        )
        self._board = DialogueState(self._program)
        self._heard = 0
        self._step: Step | None = None
        self._said: Step | None = None
        self._lost = False
        self._apologies = 0
        self._asked: tuple[Constraint, ...] = ()

    def reply(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """Return a query, or what is said next; nothing where no action can be taken."""
        for event in events[self._heard :]:
            self._hear(event)
        self._heard = len(events)
        time = (events[-1].time if events else 0) or 0
        if self._lost and self._program.apology is not None:
            return (self._system.say(self._apologise(self._program.apology), self._board, time),)
        self._apologies = 0
        for name in self._ranked(events):
            done = self._do(self._program.steps.get(name), events, time)
            if done is not None:
                return (done,)
        return ()

    def _apologise(self, apology: Step) -> Step:
        """Return the reply to what was not understood: the next after so many in a row."""
        self._lost = False
        self._apologies += 1
        if self._apologies <= apology.node.not_understood:
            return apology
        after = (self._program.steps[name] for name in apology.node.then)
        return next((step for step in after if step.kind == "system"), apology)

    def _ranked(self, events: Sequence[Event]) -> Iterator[str]:
        dialogue = Dialogue(id="live", events=tuple(events))
        question = Question(dialogue, len(events), NextAction(self.task.id))
        (prediction,) = self._model.predict([question], {self.task.id: self.task})
        yield prediction.answer
        yield from (name for name, _ in prediction.ranking if name != prediction.answer)

    def _do(self, step: Step | None, events: Sequence[Event], time: int) -> Event | None:
        """Return the event of a node, or None where it cannot be made now."""
        if step is None or step.kind not in ("system", "call"):
            return None
        try:
            if step.kind == "call":
                return self._query(step, events, time)
            said = self._system.say(step, self._board, time)
        except (SchemaError, KeyError):  # it names what nobody has said or found
            return None
        return said

    def _query(self, step: Step, events: Sequence[Event], time: int) -> Event | None:
        """Return the query of a node; what was just asked is not asked again."""
        call = step.call
        if call is None or (events and isinstance(events[-1], Result)):
            return None
        self._step = step
        constraints = self._system.constraints(step, call, self._board)
        self._asked = constraints
        number = sum(isinstance(event, Query) for event in events) + 1
        return Query(id=f"q{number}", api=call.name, constraints=constraints, time=time)

    def _hear(self, event: Event) -> None:
        board, step = self._board, self._step
        self._tracker.observe(event)
        if isinstance(event, Utterance) and event.agent == USER:
            self._lost = False
            for slot, known in self._tracker.fresh.items():
                self._learn(slot, known.value)
            if self._said is not None and reader_of(self.task).agreed(event.text):
                takes = (after.node.takes for after in self._said.users)
                self._take(next(filter(None, takes), {}))
        elif isinstance(event, Utterance) and event.agent == SYSTEM:
            self._step, self._said = None, self._program.steps.get(label(event) or "")
        elif isinstance(event, Result) and step is not None and step.call is not None:
            found = outcomes(step.call, self._asked, event.items)
            ended = next(iter(found), "failed")
            self._system.note(step, step.call, ended, event.items, board)
            results = (each for each in step.outcomes.get(ended, ()) if board.holds(each.when))
            self._take(next((each.node.takes for each in results), {}))

    def _learn(self, slot: str, value: Any) -> None:
        """Note a value that was heard, unless it cannot be beside the others."""
        board = self._board
        if value is None:
            board.give_none(self._program.mask((slot,)))
            return
        known = {name: said.canonical for name, said in board.said.items()} | {slot: value}
        if next(self.task.broken(known), None) is None:
            board.give(self._program.words.forms(slot, value)[0])
        else:
            self._lost = True

    def _take(self, takes: Mapping[str, str]) -> None:
        """Note the slots that get their values from the last result."""
        for slot, output in takes.items():
            self._board.take(slot, output)


_TAUGHT: dict[tuple[str, int], Follower] = {}
"""What was learnt, by the task's digest and the seed: teaching takes some seconds."""


def taught(task: TaskSchema, seed: int) -> Follower:
    """Return a follower that has learnt from simulated dialogues of a task; made once."""
    key = (digest(task), seed)
    if key not in _TAUGHT:
        dialogue = StarPlan(tasks=(task,), seed=seed, dialogues=LESSONS).source()
        model = Follower(seed=seed)
        lessons = [e for i in range(LESSONS) for e in _examples(dialogue(i), task.id)]
        model.fit(lessons, {task.id: task})
        _TAUGHT[key] = model
    return _TAUGHT[key]


def _examples(dialogue: Dialogue, task: str) -> Iterator[Example[NextAction, str]]:
    for place, event in enumerate(dialogue.events):
        name = action(event)
        if name is not None:
            yield Example(Question(dialogue, place, NextAction(task)), name)
