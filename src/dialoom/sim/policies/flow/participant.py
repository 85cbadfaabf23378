"""The simulated user as a participant: answers a system that need not follow the flow.

    user = simulated_user([task], seed=7)
    user.reply(())                       # (Utterance(agent="user", text="Hi, I need a table …"),)

In a simulated run both sides walk the flow together. Here the system is a person or a model: its
replies are read (dialoom.reading) by their action label, or by their words without one. The user
answers everything that a turn asks for. After an unreadable turn, the user repeats their last turn.
The user always speaks first: if the flow opens with a turn of the system's, they greet, and accept
any reply as that opening.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dialoom.dialogue import Completion, Event, Selection, Utterance
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.grammar import speech
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.flow.persons import Trait
from dialoom.sim.policies.flow.recorder import lead_in
from dialoom.sim.policies.flow.side import PATIENCE, TaskSide
from dialoom.sim.policies.flow.simulator import Simulator
from dialoom.sim.policies.flow.turns import TraitTurns, UnhappyTurns, UserRunner
from dialoom.sim.policies.flow.typing import Typist

SWITCHING = frozenset({"open"})
"""Purposes of turns that go on to another task, in whose words they are said: of 32 users with
several tasks `flow` serves 3 wrongly who say them in general words, and none of the others."""


def simulated_user(
    tasks: Sequence[TaskSchema],
    seed: int,
    index: int = 0,
    goals: Mapping[str, Mapping[str, Any]] | None = None,
) -> SimulatedUser:
    """Return a simulated user with a goal for one or several tasks, in the user's order.

    `seed` is that of the knowledge bases and, with the user's number `index`, of the goal. `goals`
    (task to slot to value, as in `Scenario.goal`) replaces drawn goals. `SchemaError` if a task has
    no flow with words of its own.
    """
    goal_seed, wishes = seed_of(seed, index), goals or {}
    own = [(task, goal_seed + task.id.encode()) for task in tasks]
    runners = [Simulator(t, seed).user(s, s, values=wishes.get(t.id)) for t, s in own]
    return SimulatedUser(runners, goal_seed)


class SimulatedUser:
    """A simulated user with a goal for one or several tasks.

    Args:
        runners: The tasks with the user's goals, in the order in which the user begins them; at
            most one is left unfinished, and resumed later.
        seed: Seed of the user's choices. A choice depends on the node and on how often it came, not
            on when the system comes to it.
        unhappy: Seed of an unhappy user's further behaviour; None for a happy user.
        trait: Traits of the user, if any.
        mood: Seed of their behaviour by these.
        typist: Typing of the user; None keeps lines as written.
    """

    def __init__(
        self,
        runners: Sequence[UserRunner],
        seed: bytes,
        unhappy: bytes | None = None,
        trait: Trait | None = None,
        mood: bytes = b"",
        typist: Typist | None = None,
    ) -> None:
        self._unhappy, self._trait, self._mood = unhappy, trait, mood
        self._typist = typist
        patience = PATIENCE if trait is None or trait.patience is None else trait.patience
        self._sides = [TaskSide(r, seed, self._turns(r), patience) for r in runners]
        for runner in runners[1:]:
            runner.met = True
            if runner.user.voice is not None:
                runner.user.voice.fresh = False
                runner.user.voice.scripted |= SWITCHING
        self._waiting = list(range(1, len(runners)))
        self._now = 0
        self._heard = 0

    def _turns(self, runner: UserRunner) -> UserRunner | UnhappyTurns:
        unhappy, language = self._unhappy is not None, runner.user.language
        wishes = SeededRng(self._unhappy or self._mood, b"mood")
        if self._trait is not None:
            return TraitTurns(runner, wishes, language, self._trait, unhappy=unhappy)
        return UnhappyTurns(runner, wishes, language) if unhappy else runner

    def reply(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """Return the user's next utterance, or a completion when all tasks are done.

        `events` are all events of the dialogue so far; earlier ones are not read again.
        """
        for event in events[self._heard :]:
            self._hear(event)
        self._heard = len(events)
        time = (events[-1].time if events else 0) or 0
        answer = self._stray(time) or self._sides[self._now].say(time, alone=not self._waiting)
        while answer is None and self._waiting:
            answer = self._turn(time)
        if answer is None:
            return (Completion(time=time),)
        return (answer if self._typist is None else self._typist.turn(answer),)

    def _stray(self, time: int) -> Utterance | None:
        """Return the first utterance of the next task if the user leaves this one now."""
        whole = len(self._waiting) == len(self._sides) - 1
        if not (whole and self._waiting and self._sides[self._now].strays()):
            return None
        self._waiting.append(self._now)
        return self._turn(time)

    def _turn(self, time: int) -> Utterance | None:
        """Change to the next waiting task; return the first utterance there with its lead-in."""
        self._now = self._waiting.pop(0)
        side = self._sides[self._now]
        language, symbol = side.program.language, "plain-back" if side.begun else "plain"
        answer = side.say(time, alone=not self._waiting)
        before = speech(language, "story").template(symbol, side.runner.user.language)
        return None if answer is None else lead_in(answer, before, language)

    def _hear(self, event: Event) -> None:
        if isinstance(event, Selection) and event.kind == "task":
            ids = [side.program.task for side in self._sides]
            if event.task in ids and self._sides[ids.index(event.task)].begun:
                self._now = ids.index(event.task)
        else:
            side = self._sides[self._now]
            side.hear(event)
            others = (each for each in self._sides if each.begun and each is not side)
            side.insists = side.puzzled and any(each.knows(event) for each in others)
