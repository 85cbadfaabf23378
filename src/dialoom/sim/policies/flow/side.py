"""One task of a simulated user who answers a system that need not follow the flow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

import msgspec

from dialoom.dialogue import SYSTEM, USER, Event, Query, Result, Utterance
from dialoom.errors import SchemaError
from dialoom.flow.cursor import calls
from dialoom.flow.node import FAILURES, Step, union
from dialoom.reading.dialogue import DOUBTFUL, DialogueReading
from dialoom.reading.spoken import SpokenTurn
from dialoom.reading.statements import flat, unfounded
from dialoom.schema.call import outcomes
from dialoom.schema.lexicon import lexicon
from dialoom.schema.values.forms import SurfaceForm
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.flow.multi import STRAY
from dialoom.sim.policies.flow.recorder import extended
from dialoom.sim.policies.flow.scenario_texts import scenario_texts
from dialoom.sim.policies.flow.turns import UnhappyTurns, UserRunner
from dialoom.sim.policies.flow.user import utter

PATIENCE = 3
"""Most replies that cannot be read, without one that can, before the user gives up."""


class TaskSide:
    """One task of a user, and the node of its flow that the system has come to."""

    def __init__(
        self,
        runner: UserRunner,
        seed: bytes,
        turns: UserRunner | UnhappyTurns,
        patience: int = PATIENCE,
    ) -> None:
        self.runner, self.program = runner, runner.program
        self.begun = self.insists = False
        self._seed = seed + runner.program.task.encode()
        self._visits: dict[str, int] = {}
        self._at: Step | None = None
        first = self.program.first
        self._opening = first if first.kind != "user" else None
        self._answered: tuple[Step, Step] | None = None
        self._query: Query | None = None
        self._taken_leave = False
        self._unplaced = 0
        self._gone = False
        self._repeated = 0
        self._heard = ""
        self._wrong: tuple[SurfaceForm, ...] = ()
        self._objected: dict[str, int] = {}
        self._texts = scenario_texts(runner.program.language)
        self._reading = DialogueReading(runner.program.schema)
        self._questions: tuple[Step, ...] = ()
        self._left = (0, 0, 0)
        self._last: Utterance | None = None
        self._spoken: Step | None = None
        self._later: tuple[Utterance, ...] = ()
        self._turns, self._patience = turns, patience

    def hear(self, event: Event) -> None:
        """Note an event of the dialogue."""
        self._reading.observe(event)
        if isinstance(event, Query):
            self._query, self._answered = event, None
        elif isinstance(event, Result):
            self._learn(event)
        elif isinstance(event, Utterance) and event.agent == SYSTEM:
            self._repeated = self._repeated + 1 if event.text == self._heard else 0
            self._heard, self._at = event.text, self._place()
            wrong = contradicted(self.runner, self._reading.turn, event.text)
            self._wrong = tuple(w for w in wrong if self._objected.get(w.slot, 0) < PATIENCE)
            if self._at is not None:
                self._listen(self._at)
            else:
                self._at = self._opening

    @property
    def puzzled(self) -> bool:
        """True if the system's last turn was not understood."""
        turn = self._reading.turn
        return turn.main is not None and not turn.understood

    def knows(self, event: Event) -> bool:
        """Return True if a turn of the system is surely a line of this task; notes nothing."""
        if not (isinstance(event, Utterance) and event.agent == SYSTEM):
            return False
        turn = self._reading.read(event)
        return turn.action is not None and turn.certainty >= DOUBTFUL

    def _place(self) -> Step | None:
        """Return the node of the system's last reply; None if it is off the flow.

        An apology for not understanding counts as off the flow, so that the user repeats.
        """
        step = self.program.steps.get(self._reading.turn.action or "")
        fits = step is not None and step.kind == "system" and not step.node.not_understood
        return step if fits else None

    def _listen(self, step: Step) -> None:
        """Note the slots that a reply asks for; repeated questions are answered again."""
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
        query, state = self._query, self.runner.state
        call = self.program.schema.calls.get(query.api) if query else None
        if query is None or call is None:
            return
        inputs = {c.slot: c.values[0] for c in query.constraints if len(c.values) == 1}
        state.api = call.name
        state.shown = {**inputs, **(result.items[0] if result.items else {})}
        state.offered = self.program.offered(result.items)
        state.outcome = next(iter(outcomes(call, query.constraints, result.items)), "failed")
        state.failed = state.outcome in FAILURES
        for step in calls(self.program, query)[:1]:
            ways = step.outcomes.get(state.outcome, ())
            ended = next((way for way in ways if state.holds(way.when)), None)
            if ended is not None:
                self._conclude(ended)

    def _conclude(self, step: Step) -> None:
        if step.forget:
            self._forget(step)
        self.runner.state.take(step)

    def _forget(self, step: Step) -> None:
        self._decide(step)
        self.runner.user.forget(step, self.runner.state)

    def _decide(self, step: Step, *, again: bool = False) -> None:
        visit = self._visits[step.name] = self._visits.get(step.name, 0) + (not again)
        self.runner.user.wishes = SeededRng(self._seed, f"{step.name}:{visit}".encode())

    def strays(self) -> bool:
        """Return True if the user leaves the task here, to resume it later."""
        step = self._at
        if step is None or not step.asks or self._later:
            return False
        visit = self._visits.get(step.name, 0)
        return SeededRng(self._seed, f"stray {step.name}:{visit}".encode()).once_in(STRAY)

    def say(self, time: int, *, alone: bool) -> Utterance | None:
        """Return the user's next text; None when the task is done, or the user gives up.

        `time` is in milliseconds since the dialogue began. While another task waits (not `alone`),
        the user says no goodbye.
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
        if step is None or self._repeated > 2 * self._patience:
            return self._not_placed(time)
        if self._wrong:
            self._at = None
            return self._object(time)
        self._at, self._unplaced, self._later = None, 0, ()
        step, follower = self._go_on(step)
        if follower in self.program.closing and not alone:
            self._taken_leave = True
            return None
        if follower is None:
            return self._nod(time) if step not in self.program.closing else None
        self.runner.before = step
        return self._speak(follower, time)

    def _answer(self, step: Step) -> Step | None:
        """Return the user's node: the same one for the same question."""
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

    def _go_on(self, step: Step) -> tuple[Step, Step | None]:
        """Return the last of the system's nodes in its turn, and the user's answer.

        A turn includes a further node if the user would only nod in between.
        """
        follower = self._answer(step)
        if follower is not None and not (follower.gives or follower.alters or follower.forget):
            actions = {act.action for act in self._reading.turn.acts} - {step.name}
            further = next((each for each in follower.then if each.name in actions), None)
            if further is not None:
                return further, self._answer(further)
        return step, follower

    def _follower(self, step: Step) -> Step | None:
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
        utterance, *later = self._later
        state, user = self.runner.state, self.runner.user
        for question in self._questions:
            state.asked = question.asks
            if state.needs(question.asks):
                with suppress(SchemaError, KeyError):
                    self._decide(question)
                    step = user.choose(question, state)
                    self._decide(step)
                    answer, acts, spans = user.speak(step, state)
                    utterance = extended(utterance, f" {answer}", spans, acts, state.annotation())
        self._questions, self._later = (), (utterance, *later)

    def _say_next(self, time: int) -> Utterance:
        """Return the next ready utterance; the others come after the replies."""
        utterance, *later = self._later
        self._later = tuple(later)
        step = self._spoken
        if not later and step in self.program.closing and step is not None:
            self._taken_leave |= not any(after.users for after in step.then)
        self._last = msgspec.structs.replace(utterance, time=time)
        return self._last

    def _object(self, time: int) -> Utterance:
        wish = self._wrong[0]
        self._objected[wish.slot] = self._objected.get(wish.slot, 0) + 1
        self._wrong, self._answered = (), None
        self._decide(self.program.first, again=True)
        self._last = objection(self.runner, wish, time)
        return self._last

    def _not_placed(self, time: int) -> Utterance | None:
        """Return the user's reply to a turn off the flow; None once they have left.

        Users say in changing words that they did not understand, then repeat themselves; after
        several such turns they leave, and say why.
        """
        self._unplaced += 1
        read = self._reading.turn.understood
        if self._unplaced <= self._patience:
            again = self._again(time)
            return again if read else extended(again, "", before=f"{self._word(self._texts.lost)} ")
        if read or self._gone:
            return None
        self._gone = True
        return Utterance(agent=USER, text=self._word(self._texts.gone), time=time)

    def _word(self, ways: Sequence[str]) -> str:
        return ways[self._unplaced % len(ways)]

    def _again(self, time: int) -> Utterance:
        """Repeat the last turn in plain words, since the reply to it is off the flow.

        A user with a changed mind says that later; the turn is repeated as it was. If the system
        goes on with another task of the user's, they restate their wish here.
        """
        step, first = self._spoken, self.program.first
        if self.insists and first.kind == "user":
            self._decide(first)
            self._later = (self.runner.user.say(first, self.runner.state, time),)
        elif step is not None and not step.alters and not self._wavers(step):
            self._decide(step, again=True)
            with suppress(SchemaError, KeyError):
                self._later = (self.runner.user.say(step, self.runner.state, time),)
        if not self._later and self._last is not None:
            self._later = (self._last,)
        return self._say_next(time) if self._later else self._nod(time)

    def _wavers(self, step: Step) -> bool:
        """Return True if the user wants another value now than they gave at a node."""
        values, goal = self.runner.state.said, self.runner.user.goal.said
        slots = (slot for slot, bit in self.program.bits.items() if step.gives & bit)
        return any(
            values[slot].canonical != goal[slot].canonical
            for slot in slots
            if slot in values and slot in goal
        )

    def _nod(self, time: int) -> Utterance:
        return Utterance(agent=USER, text=lexicon(self.program.language).yes[0], time=time)


def contradicted(runner: UserRunner, turn: SpokenTurn, text: str) -> Iterator[SurfaceForm]:
    """Yield the user's values that a turn contradicts without naming the right one, as wanted."""
    goal, state, task = runner.user.goal.said, runner.state, runner.program.schema
    claims = {slot: form.canonical for slot, form in state.said.items() if slot in goal}
    if not claims:
        return
    right = {
        slot: value
        for slot, value in claims.items()
        if value == goal[slot].canonical and not isinstance(value, list)
    }
    facts = flat(form.canonical for form in (*goal.values(), *state.said.values()))
    facts += flat(state.shown.values())
    stated = [(mention.slot, mention.value) for mention in turn.mentions]
    places = {(mention.start, mention.end): mention.slot for mention in turn.mentions}
    for place in unfounded(task, text, turn, facts):
        slots = [mention.slot for mention in place if mention.slot in right]
        open_ = [slot for slot in slots if (slot, right[slot]) not in stated]
        likely = places.get((place[0].start, place[0].end))
        if open_:
            yield goal[likely if likely in open_ else open_[0]]


def objection(runner: UserRunner, wish: SurfaceForm, time: int) -> Utterance:
    """Return a user's correction, in the task's words if it has some for the slot."""
    program, user, state = runner.program, runner.user, runner.state
    bit = program.bits[wish.slot]
    own = [s for s in program.corrections if any(line.slots == bit for line in s.lines)]
    if own:
        step = user.wishes.choice(own)
        state.asked = bit
        return utter(user.speak(step, state), state, time)
    spoken = lexicon(program.language)
    no = spoken.no[0].capitalize()
    text = f"{no}, {wish.text}."
    state.give(wish)
    acts = (program.first.act(wish),)
    return utter((text, acts, tuple(wish.at(len(no) + 2))), state, time)
