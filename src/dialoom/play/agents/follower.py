"""The schema follower as an agent: a learnt model picks actions, the task file has their words.

    agent = LearntAgent(compile_task(task), seed, model)
    agent.reply((said,))             # (Utterance(…),), or (Query(…),), whose result comes next

The model ranks the actions of the schema; values are found in texts as by the agent `flow`. The
first action that can be taken is: one that names a value which nobody has said or found cannot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from msgspec.structs import replace

from dialoom import formats
from dialoom.dialogue import (
    USER,
    Dialogue,
    Event,
    Example,
    NextAction,
    Query,
    Question,
    Result,
    Utterance,
)
from dialoom.dialogue.participant import Participant
from dialoom.dialogue.views import action
from dialoom.dialogue.views import tasks as tasks_of
from dialoom.errors import SchemaError
from dialoom.flow.cursor import FlowCursor
from dialoom.flow.node import Step
from dialoom.flow.program import TaskProgram
from dialoom.learn.kept import cache_folder, fitted, keeping
from dialoom.learn.model import Model
from dialoom.models import load
from dialoom.models.follower import Follower
from dialoom.play.agents.base import Agent, AgentSeat
from dialoom.play.agents.flow import together
from dialoom.render.progress import track
from dialoom.schema import pack
from dialoom.schema.task import TaskSchema
from dialoom.sim.policies.flow.agent import MOST_NODES, FlowAgent
from dialoom.sim.presets.star import StarPlan

FOLDS = 4
"""Groups of the bundled tasks; the model that serves a task is not trained on the task's group."""

SEED = 0
"""The seed of the simulated dialogues and the models, whatever the seed of the run is."""

LESSONS = 40
"""Simulated dialogues of each task that a model of the other tasks learns from."""


class LearntAgent(FlowAgent):
    """Plays the system of one task in one dialogue, with actions picked by a fitted model.

    All dialogues share the object `schemas`, because models cache by it. `most` limits actions in
    one reply.
    """

    __slots__ = ("_cursor", "_events", "_model", "_most", "_schemas")

    def __init__(
        self,
        program: TaskProgram,
        seed: bytes,
        model: Model,
        schemas: Mapping[str, TaskSchema],
        most: int = MOST_NODES,
    ) -> None:
        super().__init__(program, seed)
        self._model, self._schemas, self._most = model, schemas, most
        self._cursor = FlowCursor(program, self.state)
        self._events: list[Event] = []

    def _take_in(self, event: Event) -> None:
        self._events.append(event)
        super()._take_in(event)

    def _act(self, time: int) -> Iterator[Event]:
        if self._lost:
            yield from self._apologise(time)
            return
        history = [*self._events]
        for _ in range(self._most):
            move = next(self._possible(history, time), None)
            if move is None:
                return
            step, event = move
            yield event
            history.append(event)
            if isinstance(event, Query) or step.users or not step.then:
                return

    def _possible(self, history: Sequence[Event], time: int) -> Iterator[tuple[Step, Event]]:
        """Yield the possible actions in the model's order, those that the flow permits first."""
        dialogue = Dialogue(id="live", events=tuple(history))
        question = Question(dialogue, len(history), NextAction(self.program.task))
        (prediction,) = self._model.predict([question], self._schemas)
        ranked = dict.fromkeys((prediction.answer, *(name for name, _ in prediction.ranking)))
        reached = self._reached()
        for name in sorted(ranked, key=lambda name: name not in reached):
            for step in (*reached.get(name, ()), *self.program.named.get(name, ())):
                event = self._event(step, history, time)
                if event is not None:
                    self._pass(step)
                    yield step, event

    def _reached(self) -> dict[str, list[Step]]:
        """Return each action in reach and its nodes, past questions that may be left out."""

        def passes(step: Step) -> bool:
            return bool(step.asks) and (step.takes_none or self.need(step) != "needed")

        by_label: dict[str, list[Step]] = {}
        for step in self._cursor.reach(passes):
            if self.need(step) == "needed":
                by_label.setdefault(step.label, []).append(step)
        return by_label

    def _event(self, step: Step, history: Sequence[Event], time: int) -> Event | None:
        if step.kind == "call":
            has_result = bool(history) and isinstance(history[-1], Result)
            return None if has_result or self._lacking(step) is not None else self._ask(step, time)
        try:
            return self.system.say(step, self.state, time)
        except (SchemaError, KeyError):  # it names a value that nobody has said or found
            return None

    def _pass(self, step: Step) -> None:
        self._cursor.place_at(step)
        self._forget(step)
        if step.kind == "call":
            self.step = step
            return
        self.asked |= step.asks
        self.before = step
        self.step = step.users[0] if step.users else None

    def move(self, step: Step) -> None:
        """Take in the values of a result; the model decides which action comes next."""
        self._cursor.place_at(step)
        if step.kind == "call":
            self._cursor.outcome = self.state.outcome
            ended = step.outcomes.get(self.state.outcome, ())
            result = next((way for way in ended if self.state.holds(way.when)), None)
            if result is not None:
                self._cursor.place_at(result)
                self._forget(result)
                self.state.take(result)

    def _turns(self) -> tuple[Step, ...]:
        turns = super()._turns()
        return turns or (*self._users(), *self.program.corrections, *self.program.anytime)

    def _users(self) -> Iterable[Step]:
        """Yield the user's turns in reach when the last reply has none of its own."""
        step = self.before
        while step is not None and not step.users and step.then:
            step = step.then[0] if step.then[0] is not self.before else None
        return step.users if step is not None else ()


def unannotated(dialogue: Dialogue) -> Dialogue:
    """Return a dialogue without the annotation of the user's utterances."""
    events = (
        replace(e, layers=()) if isinstance(e, Utterance) and e.agent == USER else e
        for e in dialogue.events
    )
    return replace(dialogue, events=tuple(events))


def examples(dialogue: Dialogue, task: str) -> Iterator[Example[NextAction, str]]:
    """Yield the actions of a dialogue, each with what came before it."""
    for place, event in enumerate(dialogue.events):
        name = action(event)
        if name is not None:
            yield Example(Question(dialogue, place, NextAction(task)), name)


def trained(
    model: Follower, schemas: Mapping[str, TaskSchema], dialogues: Iterable[Dialogue]
) -> Follower:
    """Return a follower fitted on the dialogues of one task each; `UsageError` without any.

    The fitted model is kept in the user's cache folder, and read from there the next time.
    """
    lessons: list[Example[NextAction, str]] = []
    for dialogue in dialogues:
        tasks = tasks_of(dialogue)
        if len(tasks) == 1 and tasks[0] in schemas:
            lessons += examples(unannotated(dialogue), tasks[0])
    with keeping(cache_folder()):
        return fitted(model, lessons, schemas)


def simulated(tasks: Sequence[TaskSchema], many: int, seed: int) -> Iterator[Dialogue]:
    """Yield `many` simulated dialogues of each task, whose system leaves no question out."""
    total = many * len(tasks)
    source = StarPlan(tasks=tuple(tasks), seed=seed, dialogues=total, brief=0.0).source()
    return map(source, range(total))


_TRAINED: dict[tuple[str, int], Model] = {}
"""(`FollowerAgents.origin`, fold left out) to the model."""


class FollowerAgents(Agent):
    """The agent `follower`: the schema follower, never trained on the task that it serves.

    Its settings name a saved model, or a corpus to learn from; by default it learns from simulated
    dialogues of the bundled tasks. Tasks are divided into `FOLDS` groups, and the group of the task
    that is served is left out of training.
    """

    remote: ClassVar[bool] = False

    def __init__(self, settings: str = "") -> None:
        self.settings = settings
        self._saved = not Path(settings).is_dir() if settings else False
        self._schemas: dict[str, Mapping[str, TaskSchema]] = {}

    def ready(self, tasks: Iterable[str]) -> None:
        """Train the models that some tasks need."""
        folds = sorted({self._fold(task) for task in tasks})
        for fold in track(folds, "models read, or trained the first time", len(folds)):
            self._model(fold)

    def join(self, seat: AgentSeat) -> Participant:
        """Return an agent with the model that does not know its task."""
        return together({each.task: self._agent(each, seat.seed) for each in seat.flows})

    def _agent(self, program: TaskProgram, seed: bytes) -> LearntAgent:
        schemas = self._schemas.setdefault(program.task, {program.task: program.schema})
        return LearntAgent(program, seed, self._model(self._fold(program.task)), schemas)

    def _fold(self, task: str) -> int:
        """Return the fold that excludes a task; for other tasks, one that excludes nothing."""
        tasks = [] if self._saved else sorted(self._known)
        return tasks.index(task) % FOLDS if task in tasks else FOLDS

    @cached_property
    def origin(self) -> str:
        """Name and digest of the saved model, or the digest of the corpus; empty without one."""
        if not self.settings:
            return ""
        if not self._saved:
            return f"corpus {formats.load(self.settings, None).digest}"
        saved = load(Path(self.settings), NextAction)
        origin = f"{saved.header.model}, sha256 {saved.header.sha256[:16]}"
        _TRAINED.setdefault((origin, FOLDS), saved.model)
        return origin

    @cached_property
    def _known(self) -> Mapping[str, TaskSchema]:
        if self.settings:
            return formats.load(self.settings, None).schemas
        return {name: pack.load(name) for name in pack.names()}

    def _model(self, fold: int) -> Model:
        key = self.origin, fold
        if key not in _TRAINED:
            _TRAINED[key] = self._made(fold)
        return _TRAINED[key]

    def _made(self, fold: int) -> Model:
        tasks = self._known
        schemas = {n: tasks[n] for place, n in enumerate(sorted(tasks)) if place % FOLDS != fold}
        model = Follower(seed=SEED, experience=False)
        if self.settings:
            return trained(model, schemas, formats.load(self.settings, None).dialogues())
        return trained(model, schemas, simulated(list(schemas.values()), LESSONS, SEED))
