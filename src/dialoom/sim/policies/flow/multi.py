"""Several tasks in one dialogue: the user changes between them until all are done.

    conductor = MultiTaskRunner(runners, wishes, language)
    events = conductor.events()

Each task has its own runner, so that a task that was left continues where it was. Before the last
task, the user leaves a flow as soon as only its goodbye is left. Values that describe the user (a
name, a number of guests) are the same in every task that asks for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from dialoom.dialogue import (
    Dialogue,
    Event,
    Scenario,
    Selection,
)
from dialoom.flow.node import Step
from dialoom.schema.slot import Slot
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.flow.briefing import topic, topics, wizard_briefing
from dialoom.sim.policies.flow.recorder import FlowRecorder
from dialoom.sim.policies.flow.runner import FlowRunner
from dialoom.sim.policies.flow.scenario_texts import fill, scenario_texts
from dialoom.sim.policies.flow.simulator import Simulator

FEWEST, MOST = 2, 5
"""Least and most tasks of a dialogue with several (STAR, appendix A)."""

STRAY = 8
"""Users leave an unfinished task in one of so many turns."""


def dialogue(simulators: Sequence[Simulator], index: int) -> Dialogue:
    """Return dialogue `index` of a run, over all the tasks of some simulators."""
    seed = seed_of(simulators[0].seed, index)
    name = str(index + 1)
    runners: list[FlowRunner] = []
    recorder = FlowRecorder(seed)
    known: dict[str, tuple[Slot, Any]] = {}
    person = simulators[0].persons.draw(seed)
    for number, simulator in enumerate(simulators, start=1):
        task = simulator.program.task
        own = seed + task.encode()
        rates = simulator.beside["multi"]
        runner = simulator.runner(own, person, known, f"{number}.q", recorder, rates)
        slots = simulator.program.schema.slots
        for slot, said in runner.user.goal.said.items():
            known.setdefault(slot, (slots[slot], said.canonical))
        if number > 1 and runner.user.voice is not None:
            runner.user.voice.fresh = False
        runners.append(runner)
    told = topics(runners)
    with ExitStack() as stack:
        sessions = [stack.enter_context(s.base.dialogue(name)) for s in simulators]
        rng = SeededRng(seed, b"turns")
        events = MultiTaskRunner(runners, rng, runners[0].user.language).events()
        events = person.typist.typed(events)
        for runner, session in zip(runners, sessions, strict=True):
            if effects := session.difference().data():
                runner.user.goal.record["effects"] = effects
    scenario = Scenario(
        domains=tuple(dict.fromkeys(s.program.schema.domain for s in simulators)),
        capabilities=tuple(simulator.capability for simulator in simulators),
        user_task=told,
        system_task=wizard_briefing([runner.program for runner in runners]),
        happy=False,
        multi_task=True,
        goal={"tasks": {c.program.task: c.user.goal.record for c in runners}},
    )
    return Dialogue(id=name, events=events, scenario=scenario, provenance="simulated")


def chosen(rng: SeededRng, which: int, tasks: int) -> list[int]:
    """Draw the tasks of a dialogue; return their numbers, that of the given first task in front.

    Args:
        rng: Draws how many tasks there are, and which.
        which: The number of the first task.
        tasks: How many tasks there are to choose from, two or more.
    """
    many = FEWEST + rng.below(min(MOST, tasks) - FEWEST + 1)
    found = [which]
    while len(found) < many:
        other = rng.below(tasks)
        if other not in found:
            found.append(other)
    return found


class MultiTaskRunner:
    """One dialogue over several tasks.

    Args:
        runners: A runner for each task; the dialogue begins with the first.
        wishes: Draws when the user changes to which task.
        language: Draws the words in which they say so.
    """

    def __init__(
        self, runners: Sequence[FlowRunner], wishes: SeededRng, language: SeededRng
    ) -> None:
        self.runners, self.wishes, self.language = runners, wishes, language
        self.texts = scenario_texts(runners[0].program.language)
        self.waiting = list(range(1, len(runners)))
        self.started = {0}
        self.now = 0
        self.recorder = runners[0].recorder

    def events(self) -> tuple[Event, ...]:
        """Simulate all tasks, and return the events of the dialogue."""
        self.runners[0].begin()
        self._instruct(self.texts.begin, self.runners[0])
        self._select(self.runners[0], 0)
        while True:
            runner = self.runners[self.now]
            step = runner.step
            if step is None:
                if not self.waiting:
                    break
                self._turn(back=False)
            elif step.kind == "user" and self._leaves(runner, step):
                self._turn(back=step not in runner.program.closing)
            elif step.kind == "user":
                runner.turn()
            else:
                runner.until_user()
        return self.recorder.finish(self.texts.numbered)

    def _leaves(self, runner: FlowRunner, step: Step) -> bool:
        """Return whether the user changes to another task at this node."""
        if not self.waiting or runner.before is None:
            return False
        return step in runner.program.closing or self.wishes.once_in(STRAY)

    def _turn(self, *, back: bool) -> None:
        """Change to another task; `back` says whether the user returns to this one later."""
        follower = self.waiting.pop(self.wishes.below(len(self.waiting)))
        if back:
            self.waiting.append(self.now)
        self.now = follower
        runner = self.runners[follower]
        resumed = follower in self.started
        self.started.add(follower)
        ways = self.texts.back if resumed else self.texts.turn
        self._instruct(self.language.choice(ways), runner)
        if not resumed:
            runner.met = True
            runner.begin()
        self._announce(runner, resumed)

    def _instruct(self, template: str, runner: FlowRunner) -> None:
        """Record the instruction that names the next task."""
        self.recorder.instruct(fill(template, {"task": topic(runner.program)})[0])

    def _announce(self, runner: FlowRunner, resumed: bool) -> None:
        """Record the user's first turn of a task with its lead-in, and the wizard's selection."""
        step, events = runner.step, self.recorder.events
        at = len(events)
        if step is not None and step.kind == "user":
            runner.advance()
            voice, ways = runner.user.voice, self.texts.resume if resumed else self.texts.then
            before = (
                self.language.choice(ways)
                if voice is None
                else voice.lead("resume" if resumed else "bridge")
            )
            self.recorder.extend(at, "", before=before)
        self._select(runner, events[-1].time)

    def _select(self, runner: FlowRunner, time: int | None) -> None:
        """Record that the wizard selects a task."""
        selection = Selection(kind="task", task=runner.program.task, time=time)
        self.recorder.events.append(selection)
