"""Simulates dialogues of one task: two agents exchange acts along its flow.

    simulator = Simulator(task, seed=7)
    dialogue = simulator.dialogue(41)

Turn-taking comes from the task's flow, texts from its templates, results from its knowledge base. A
dialogue is a function of the task, the seed and its index.

The scenario's goal records the user's goal at first (`values`, `rounds`), its changes (`changes`)
and the dialogue's changes of the knowledge base (`effects`). `kb.replay` with the run's seed and
the dialogue's id as its name gives the same results and effects.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from dialoom.dialogue import SYSTEM, USER, Capability, Dialogue, Scenario, Utterance
from dialoom.flow.node import Step
from dialoom.flow.program import compile_task
from dialoom.kb import KnowledgeBase
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.flow.briefing import briefing, wizard_briefing
from dialoom.sim.policies.flow.digressions import STAGES, DigressionRates
from dialoom.sim.policies.flow.goal import HAPPY, BehaviourRates, Goals, Known
from dialoom.sim.policies.flow.persons import Manner, Person, Persons
from dialoom.sim.policies.flow.recorder import FlowRecorder
from dialoom.sim.policies.flow.runner import FlowRunner
from dialoom.sim.policies.flow.system import FlowSystem
from dialoom.sim.policies.flow.task_speech import task_speech
from dialoom.sim.policies.flow.turns import UserRunner
from dialoom.sim.policies.flow.unhappy import UnhappyUser
from dialoom.sim.policies.flow.user import BriefUser, FlowUser, SteadyUser
from dialoom.sim.policies.flow.verbosity import FINE, Verbosity, verbosity, volunteering
from dialoom.sim.policies.flow.voice import voice_of
from dialoom.sim.stories.shared import FREE, Demands


class NoisyWizardRunner(FlowRunner):
    """One task in one dialogue, with a wizard who deviates from the flow.

    `rate` is the probability of each kind of deviation at each possible place; the other arguments
    are those of `FlowRunner`.
    """

    __slots__ = ("_noise", "_rate")

    def __init__(
        self,
        user: FlowUser,
        system: FlowSystem,
        seed: bytes,
        rate: float,
        verbosity: Verbosity | None = None,
        recorder: FlowRecorder | None = None,
        rates: DigressionRates | None = None,
    ) -> None:
        super().__init__(user, system, seed, verbosity, recorder, rates)
        self._rate = round(rate * FINE)
        self._noise = SeededRng(seed, b"wizard_noise")

    def advance(self) -> None:
        """Pass one node, at times without its label (a typed reply) or with its question twice."""
        step, before, events = self.step, self.before, self.recorder.events
        at = len(events)
        super().advance()
        event = events[at] if len(events) == at + 1 else None
        if step is None or step is not self.before or not isinstance(event, Utterance):
            return
        if event.agent == SYSTEM and self._errs():
            events[at] = msgspec.structs.replace(event, layers=())
        answered = event.agent == USER and before is not None and before.asks and not before.reads
        if before is not None and answered and self.step is not None and self._errs():
            self._again(event)

    def _again(self, answer: Utterance) -> None:
        events = self.recorder.events
        earlier = next((e for e in reversed(events[:-1]) if isinstance(e, Utterance)), None)
        if earlier is None or earlier.agent != SYSTEM:
            return
        for utterance in (earlier, answer):
            events.append(msgspec.structs.replace(utterance, time=self.recorder.time))
            self.recorder.wait(len(utterance.text))

    def arrive(self, step: Step) -> Step | None:
        """Return the next node: questions that are answered are passed over, others at times."""
        arrived = super().arrive(step)
        for _ in range(len(self.program.steps)):
            if arrived is None or not self._dispensable(arrived) or not self._errs():
                return arrived
            passed = self._pass(arrived) if arrived.asks else arrived.then[0]
            arrived = None if passed is None else super().arrive(passed)
        return arrived

    def _dispensable(self, step: Step) -> bool:
        """Return True if a reply may be left out: a question no call needs, or a plain reply."""
        if step.kind != "system" or step.reads or step.last or step.node.detail:
            return False
        if step.asks:
            return not step.asks & (self.program.needed | self.program.fixed) and bool(step.users)
        return step.plain and len(step.then) == 1 and step.then[0].kind == "system"

    def _errs(self) -> bool:
        return self._noise.below(FINE) < self._rate


TALKATIVE = 0.7
"""Probability that a talkative user volunteers values, where they could."""

BRANCHING = frozenset({"change", "proceed", "detail", "more", "unsure"})
"""Purposes of user turns that choose a branch of the flow. Users of `play` say them in the author's
lines, because the grammar's seldom show the branch: with 144 happy users, `--agent flow` succeeds
in 94.4 % where the grammar words these turns, and in 99.3 % where the author does."""


class Simulator:
    """Simulates the dialogues of one task over one knowledge base.

    `wizard_noise` is the probability with which the wizard deviates from the flow. Without
    `verbosity`, both sides follow the flow to the letter. `stage_rates` maps kinds of dialogue
    (happy, unhappy, multi) to the rates at which users leave the flow.
    """

    def __init__(
        self,
        task: TaskSchema,
        seed: int,
        rates: BehaviourRates = HAPPY,
        *,
        wizard_noise: float = 0.0,
        brief: float = 0.0,
        stage_rates: Mapping[str, DigressionRates] = STAGES,
        persons: Persons | None = None,
    ) -> None:
        self.program = compile_task(task)
        self.seed = seed
        self.wizard_noise, self.verbosity = wizard_noise, verbosity(brief)
        self.stage_rates, self._brief = stage_rates, brief
        self.persons = persons or Persons("", task.language)
        self.base = KnowledgeBase()
        self.base.populate(self.program.schema, seed)
        tables = self.base.snapshot().tables
        rows = {name: list(table.values()) for name, table in tables.items()}
        self._goals = Goals(self.program, rows, rates)
        kinds, slots = task_speech(self.program).values, self.program.schema.slots
        self._names = [slots[name] for name, kind in kinds.items() if kind == "name"]
        task = self.program.schema
        self._scenario: dict[str, Any] = {
            "domains": (task.domain,),
            "capabilities": (self.capability,),
            "multi_task": False,
            "system_task": wizard_briefing([self.program]),
        }

    @property
    def capability(self) -> Capability:
        """The task as a dialogue names it."""
        return Capability(self.program.task, self.program.schema.domain)

    def dialogue(self, index: int, *, unhappy: bool = False) -> Dialogue:
        """Return dialogue `index`; `SchemaError` if the flow does not end or no values fit."""
        seed = seed_of(self.seed, index)
        person = self.persons.draw(seed)
        rates = self.stage_rates["unhappy" if unhappy else "happy"]
        runner = self.runner(seed, person, rates=rates)
        goal = runner.user.goal
        task = briefing(runner)
        name = str(index + 1)
        with self.base.dialogue(name) as session:
            walk: UnhappyUser | FlowRunner = runner
            if unhappy:
                walk = UnhappyUser(runner, SeededRng(seed, b"mood"), runner.user.language)
            events = walk.events()
            if person.typist is not None:
                events = person.typist.typed(events)
            effects = session.difference().data()
        if effects:
            goal.record["effects"] = effects
        scenario = Scenario(**self._scenario, user_task=task, happy=not unhappy, goal=goal.record)
        return Dialogue(id=name, events=events, scenario=scenario, provenance="simulated")

    def runner(
        self,
        seed: bytes,
        person: Person,
        memory: Known | None = None,
        prefix: str = "q",
        recorder: FlowRecorder | None = None,
        rates: DigressionRates | None = None,
        demands: Demands = FREE,
    ) -> FlowRunner:
        """Return a runner with a user whose goal is drawn from the dialogue's seed.

        `memory` are the user's values in other tasks of the dialogue, `prefix` that of the ids of
        calls. All tasks of a dialogue share the `recorder`. Without `rates`, the user never leaves
        the flow; `demands` are a story's, on the goal.
        """
        wishes, language = SeededRng(seed, b"goal"), SeededRng(seed, b"language")
        own = {**self._called(person), **memory} if memory else self._called(person)
        goal = self._goals.draw(wishes, language, own, demands)
        voice = voice_of(self.program, person.grammar, language)
        user = FlowUser(self.program, self._goals, goal, wishes, language, voice)
        verbosity, trait = self.verbosity, person.trait
        if trait is not None:
            if verbosity is not None and trait.volunteers is not None:
                verbosity = volunteering(self._brief, trait.volunteers)
            rates = rates.times(trait.digress) if rates is not None else None
        system = FlowSystem(self.program, self.base, language, prefix)
        if self.wizard_noise:
            rate = self.wizard_noise
            return NoisyWizardRunner(user, system, seed, rate, verbosity, recorder, rates)
        return FlowRunner(user, system, seed, verbosity, recorder, rates)

    def _called(self, person: Person) -> Known:
        return {slot.name: (slot, person.name) for slot in self._names} if person.name else {}

    def user(
        self,
        seed: bytes,
        wording: bytes,
        manner: Manner = "plain",
        memory: Known | None = None,
        values: Mapping[str, Any] | None = None,
        person: Person | None = None,
    ) -> UserRunner:
        """Return a runner with a user alone, for a system that is not simulated.

        `seed` is the seed of the user's goal, `wording` that of the wording alone. A talkative
        `manner` volunteers values. `memory` are values of other tasks of the dialogue; `values`
        replaces drawn values. Without a `person`, the user says the task's lines.
        """
        wishes, language = SeededRng(seed, b"goal"), SeededRng(wording, b"language")
        if values is None:
            goal = self._goals.draw(wishes, language, memory)
        else:
            goal = self._goals.given(values, language)
        kind = BriefUser if manner == "brief" else SteadyUser
        grammar = None if person is None or manner == "brief" else person.grammar
        voice = voice_of(self.program, grammar, language)
        if voice is not None:
            voice.scripted = BRANCHING
        user = kind(self.program, self._goals, goal, wishes, language, voice)
        system = FlowSystem(self.program, None, language)
        unasked = verbosity(TALKATIVE) if manner == "talkative" else None
        return UserRunner(user, system, wording, unasked)
