"""The simulated user as a participant: answers a system that need not follow the flow.

    user = simulated_user([task], seed=7)
    user.reply(())                       # (Utterance(agent="user", text="Hi, I need a table …"),)

In a simulated run both sides walk the flow together. Here the system is a person or a model: its
replies are read (dialoom.reading) by their action label, or in any words where they have none. The
user answers everything that a turn asks for. After a turn that cannot be read, the user repeats
what they said last. The user always speaks first: where the flow opens with a turn of the system's,
they greet, and take any reply for that opening.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from dialoom.dialogue import (
    SYSTEM,
    USER,
    Completion,
    Event,
    Query,
    Result,
    Selection,
    Utterance,
)
from dialoom.errors import SchemaError
from dialoom.reading.dialogue import DialogueReading
from dialoom.schema.call import outcomes, requested
from dialoom.schema.lexicon import lexicon
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.flow.multi import STRAY
from dialoom.sim.policies.flow.program import FAILURES, Step, union
from dialoom.sim.policies.flow.recorder import extended
from dialoom.sim.policies.flow.scenario_texts import scenario_texts
from dialoom.sim.policies.flow.simulator import Simulator
from dialoom.sim.policies.flow.turns import UnhappyTurns, UserRunner
from dialoom.sim.policies.flow.user import utter

PATIENCE = 3
"""Most replies that cannot be read, without one that can, before the user gives up."""


def simulated_user(
    tasks: Sequence[TaskSchema],
    seed: int,
    index: int = 0,
    goals: Mapping[str, Mapping[str, Any]] | None = None,
) -> SimulatedUser:
    """Return a simulated user with a goal for one or several tasks.

    Args:
        tasks: The tasks, in the order in which the user begins them.
        seed: Seed of the knowledge bases and, with `index`, of the user's goal.
        index: The number of the user; others have other goals.
        goals: Task to slot to value, in place of drawn goals: `Scenario.goal` has such values.

    Raises:
        SchemaError: A task has no flow with words of its own.
    """
    drawn, held = seed_of(seed, index), goals or {}
    own = [(task, drawn + task.id.encode()) for task in tasks]
    runners = [Simulator(t, seed).user(s, s, wanted=held.get(t.id)) for t, s in own]
    return SimulatedUser(runners, drawn)


class SimulatedUser:
    """A simulated user with a goal for one or several tasks.

    Args:
        runners: The tasks with the user's goals, in the order in which the user begins them; at
            most one is left unfinished, and taken up again later.
        seed: Seed of the user's choices. A choice depends on the node and on how often it came,
            not on when the system comes to it.
        unhappy: Seed of an unhappy user's further behaviour; None for a happy user.
    """

    def __init__(
        self,
        runners: Sequence[UserRunner],
        seed: bytes,
        unhappy: bytes | None = None,
    ) -> None:
        self._sides = [_Side(each, seed, unhappy) for each in runners]
        self._texts = scenario_texts(runners[0].program.language)
        for runner in runners[1:]:
            runner.met = True
        self._waiting = list(range(1, len(runners)))
        self._now = 0
        self._heard = 0

    def reply(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """Return the user's next utterance, or a completion when all tasks are done.

        Args:
            events: All events of the dialogue so far; those of earlier calls are not read again.
        """
        for event in events[self._heard :]:
            self._hear(event)
        self._heard = len(events)
        time = (events[-1].time if events else 0) or 0
        said = self._stray(time) or self._sides[self._now].say(time, alone=not self._waiting)
        while said is None and self._waiting:
            said = self._turn(time)
        return (Completion(time=time) if said is None else said,)

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
        ways = self._texts.resume if side.begun else self._texts.then
        said = side.say(time, alone=not self._waiting)
        lead = side.runner.user.language.choice(ways)
        return None if said is None else extended(said, "", before=lead)

    def _hear(self, event: Event) -> None:
        if isinstance(event, Selection) and event.kind == "task":
            ids = [side.program.task for side in self._sides]
            if event.task in ids and self._sides[ids.index(event.task)].begun:
                self._now = ids.index(event.task)
        else:
            self._sides[self._now].hear(event)


class _Side:
    """One task of a user, and the node of its flow that the system has come to."""

    def __init__(
        self,
        runner: UserRunner,
        seed: bytes,
        unhappy: bytes | None,
    ) -> None:
        self.runner, self.program = runner, runner.program
        self.begun = False
        self._seed = seed + runner.program.task.encode()
        self._visits: dict[str, int] = {}
        self._at: Step | None = None
        first = self.program.first
        self._opening = first if first.kind != "user" else None
        self._answered: tuple[Step, Step] | None = None
        self._query: Query | None = None
        self._taken_leave = False
        self._unplaced = 0
        self._reading = DialogueReading(runner.program.schema)
        self._questions: tuple[Step, ...] = ()
        self._left = (0, 0, 0)
        self._last: Utterance | None = None
        self._spoken: Step | None = None
        self._later: tuple[Utterance, ...] = ()
        self._turns: UserRunner | UnhappyTurns = runner
        if unhappy is not None:
            wishes, language = SeededRng(unhappy, b"mood"), runner.user.language
            self._turns = UnhappyTurns(runner, wishes, language)

    def hear(self, event: Event) -> None:
        """Note an event of the dialogue."""
        self._reading.observe(event)
        if isinstance(event, Query):
            self._query, self._answered = event, None
        elif isinstance(event, Result):
            self._learn(event)
        elif isinstance(event, Utterance) and event.agent == SYSTEM:
            self._at = self._place()
            if self._at is not None:
                self._listen(self._at)
            else:
                self._at = self._opening

    def _place(self) -> Step | None:
        """Return the node of the system's last reply; None where it is not in the flow.

        An apology for not understanding counts as not in the flow, so that the user repeats.
        """
        step = self.program.steps.get(self._reading.turn.action or "")
        fits = step is not None and step.kind == "system" and not step.node.not_understood
        return step if fits else None

    def _listen(self, step: Step) -> None:
        """Note the slots that a reply asks for; those asked for again are answered again."""
        state, steps = self.runner.state, self.program.steps
        more = self.program.mask(self._reading.turn.asks) & ~step.asks
        self._questions = tuple(each for each in steps.values() if each.asks & more)
        asks = union((step.asks, *(each.asks for each in self._questions)))
        state.asked = step.asks
        if not (self._later and step is self.runner.before):  # else the answer is ready
            state.known &= ~asks
            state.none &= ~asks
        if step.forget:
            self._forget(step)
        self._taken_leave |= step in self.program.closing and not step.then

    def _learn(self, result: Result) -> None:
        """Apply a call's result to the dialogue state and to the user's goal."""
        query, state = self._query, self.runner.state
        call = self.program.schema.calls.get(query.api) if query else None
        if query is None or call is None:
            return
        asked = {c.slot: c.values[0] for c in query.constraints if len(c.values) == 1}
        state.api = call.name
        state.shown = {**asked, **(result.items[0] if result.items else {})}
        state.offered = self.program.offered(result.items)
        state.outcome = next(iter(outcomes(call, query.constraints, result.items)), "failed")
        state.failed = state.outcome in FAILURES
        request = requested(call, query.constraints)
        for step in self.program.steps.values():
            if step.call is call and step.node.request in (request, None):
                ways = step.outcomes.get(state.outcome, ())
                ended = next((way for way in ways if state.holds(way.when)), None)
                if ended is not None:
                    self._conclude(ended)
                return

    def _conclude(self, step: Step) -> None:
        if step.forget:
            self._forget(step)
        for slot, output in step.node.takes.items():
            self.runner.state.take(slot, output)

    def _forget(self, step: Step) -> None:
        self._decide(step)
        self.runner.user.forget(step, self.runner.state)

    def _decide(self, step: Step, *, again: bool = False) -> None:
        """Seed the user's choices with the node and how often it came."""
        visit = self._visits[step.name] = self._visits.get(step.name, 0) + (not again)
        self.runner.user.wishes = SeededRng(self._seed, f"{step.name}:{visit}".encode())

    def strays(self) -> bool:
        """Return whether the user leaves the task here, to take it up again later."""
        step = self._at
        if step is None or not step.asks or self._later:
            return False
        visit = self._visits.get(step.name, 0)
        return SeededRng(self._seed, f"stray {step.name}:{visit}".encode()).once_in(STRAY)

    def say(self, time: int, *, alone: bool) -> Utterance | None:
        """Return what the user says now; None when the task is done, or the user gives up.

        Args:
            time: Milliseconds since the dialogue began.
            alone: Whether no other task waits; while one does, the user says no goodbye.
        """
        if not self.begun:
            self.begun = True
            self._decide(self.program.first)
            if self._opening is None:
                return self._speak(self.program.first, time)
            self._at = self._opening
            if not self.runner.met:
                return utter((self.runner.greeting(), (), ()), self.runner.state, time)
        step = self._at
        if self._taken_leave:
            return None
        if self._later and (step is None or step is self.runner.before):
            return self._say_next(time)
        if step is None:
            self._unplaced += 1
            return self._again(time) if self._unplaced <= PATIENCE else None
        self._at, self._unplaced, self._later = None, 0, ()
        follower = self._answer(step)
        if follower in self.program.closing and not alone:
            self._taken_leave = True
            return None
        if follower is None:
            return self._nod(time) if step not in self.program.closing else None
        self.runner.before = step
        return self._speak(follower, time)

    def _answer(self, step: Step) -> Step | None:
        """Return the node the user goes on with: the same one where the question is the same."""
        if self._answered is not None and self._answered[0] is step and not step.reads:
            again = self._answered[1]
            if not again.forget:
                self._decide(again, again=True)
                return again
        self._decide(step)
        goal = self.runner.user.goal
        self._left = goal.rounds, goal.changes, goal.patience
        follower = self._follower(step)
        self._answered = None if follower is None else (step, follower)
        if follower is not None:
            self._decide(follower)
        return follower

    def _follower(self, step: Step) -> Step | None:
        """Return the user's node that follows, past system nodes that take no answer."""
        runner = self.runner
        for _ in range(len(self.program.steps)):
            if step.users:
                return runner.user.choose(step, runner.state)
            following = next((s for s in step.then if s.kind in ("system", "user")), None)
            if following is None:
                return None
            if following.kind == "user":
                return following
            step = following
        return None

    def _speak(self, step: Step, time: int) -> Utterance:
        before, self._spoken, self._opening = self.runner.before, step, None
        try:
            self._later = self._turns.say(step)
        except (SchemaError, KeyError):  # the lines name outputs that no call has returned yet
            return self._nod(time)
        if self._questions and not self._turns.put_off:
            self._answer_more()
        if self._turns.put_off and before is not None:
            for each in {before.name, step.name}:
                self._visits[each] = max(0, self._visits.get(each, 0) - 1)
            self._answered = None
            goal = self.runner.user.goal
            goal.rounds, goal.changes, goal.patience = self._left
        self.runner.before = before
        return self._say_next(time)

    def _answer_more(self) -> None:
        """Put the answers to further questions of the system's turn behind the answer."""
        said, *later = self._later
        state, user = self.runner.state, self.runner.user
        for question in self._questions:
            state.asked = question.asks
            if state.needs(question.asks):
                with suppress(SchemaError, KeyError):
                    self._decide(question)
                    step = user.choose(question, state)
                    self._decide(step)
                    answer, acts, spans = user.speak(step, state)
                    said = extended(said, f" {answer}", spans, acts, state.annotation())
        self._questions, self._later = (), (said, *later)

    def _say_next(self, time: int) -> Utterance:
        """Return the next of the utterances that are ready; the others come after the replies."""
        said, *later = self._later
        self._later = tuple(later)
        step = self._spoken
        if not later and step in self.program.closing and step is not None:
            self._taken_leave |= not any(after.users for after in step.then)
        self._last = msgspec.structs.replace(said, time=time)
        return self._last

    def _again(self, time: int) -> Utterance:
        """Repeat the last turn in plain words, since the reply to it is not in the flow."""
        step = self._spoken
        if step is not None and not step.alters:
            self._decide(step, again=True)
            with suppress(SchemaError, KeyError):
                self._later = (self.runner.user.say(step, self.runner.state, time),)
        if not self._later and self._last is not None:
            self._later = (self._last,)
        return self._say_next(time) if self._later else self._nod(time)

    def _nod(self, time: int) -> Utterance:
        return Utterance(agent=USER, text=lexicon(self.program.language).yes[0], time=time)
