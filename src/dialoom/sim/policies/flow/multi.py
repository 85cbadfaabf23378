"""Several tasks in one dialogue: the user changes between them until all are done.

    dialogue([Simulator(task, seed=7) for task in tasks], 41, story)

Each task has its own runner, so that an interrupted task continues at the same node. A task's goal
is drawn when it begins, with the values that it shares with earlier ones and their results. Before
the last task, the user leaves a flow as soon as only its goodbye is left. Instructions come during
the dialogue: those of the story, or those of STAR's users.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any, TypeVar

from msgspec.structs import replace

from dialoom.dialogue import USER, Dialogue, Event, Scenario, Selection, Utterance
from dialoom.errors import SchemaError
from dialoom.flow.node import Step
from dialoom.schema.slot import Slot
from dialoom.sim.core.grammar import Grammar, filled, speech
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.flow.briefing import story_briefing, topic, wizard_briefing
from dialoom.sim.policies.flow.goal import UnmetConstraintError
from dialoom.sim.policies.flow.recorder import FlowRecorder, lead_in
from dialoom.sim.policies.flow.runner import FlowRunner
from dialoom.sim.policies.flow.scenario_texts import InstructionKind, fill, scenario_texts
from dialoom.sim.policies.flow.simulator import Simulator
from dialoom.sim.policies.flow.unhappy import UnhappyUser
from dialoom.sim.stories.shared import SharedValues
from dialoom.sim.stories.story import Bridge, Kind, StoryInstruction, TaskStory


class StoryUser(UnhappyUser):
    """The user of one task in a dialogue of several.

    `wishes` draws the values in instructions, `language` the wording. Other tasks have the values
    of `shared` slots as well, so that these never change.
    """

    def __init__(
        self,
        runner: FlowRunner,
        wishes: SeededRng,
        language: SeededRng,
        shared: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(runner, wishes, language)
        self._shared, self._about = shared, ""
        self._grammar: Grammar = speech(runner.program.language, "story")

    def until_user(self) -> None:
        """Pass nodes until the user is to speak, or to the end."""
        at = len(self.recorder.events)
        self.runner.until_user()
        self._use(self.recorder.events[at:])

    def carry_out(self, command: StoryInstruction) -> bool:
        """Carry out an instruction, if it fits in this turn; return True if it did."""
        before = self.runner.before
        if before is None or (command.task and command.task != self.runner.program.task):
            return False
        if command.kind == "event" and command.happens and not command.slot:
            return self._mention(command)
        self._about = command.slot
        return self.follow(command.kind, self._kind(command), before)

    def _kind(self, instruction: StoryInstruction) -> InstructionKind:
        kind, symbol = self.texts.kinds[instruction.kind], f"instruct_{instruction.kind}"
        names = ("new", "other", "reason", "slot")
        if instruction.instruct:
            kind = replace(kind, instruct=instruction.instruct)
        elif symbol in self._grammar.symbols:
            wording = self._grammar.template(symbol, self.language, names)
            kind = replace(kind, instruct=(wording,))
        if instruction.happens:
            return replace(kind, reasons={instruction.happens: instruction.say})
        if instruction.say:
            kind = replace(kind, user=tuple(f" {text}" for text in instruction.say))
        return kind

    def _mention(self, instruction: StoryInstruction) -> bool:
        """Let an event happen that changes nothing; the user says so before the next answer."""
        step, events = self.runner.step, self.recorder.events
        if step is None:
            return False
        wording = self._grammar.template("instruct_mention", self.language, ("reason",))
        template = self.language.choice(instruction.instruct) if instruction.instruct else wording
        self.recorder.instruct(fill(template, {"reason": instruction.happens})[0])
        at = len(events)
        self.runner.advance()
        event = events[at]
        if isinstance(event, Utterance) and event.agent == USER:
            self.recorder.extend(at, "", before=f"{self.language.choice(instruction.say)} ")
        return True

    def _read(self, slot: str) -> bool:
        relevant = slot == self._about if self._about else slot not in self._shared
        return relevant and super()._read(slot)


STRAY = 8
"""Users leave an unfinished task in one of so many turns, unless they have left another one."""

PAUSE = 3
"""Users get a further instruction in one of so many turns in which it fits."""

RATES: dict[Kind, int] = {"chat": 80, "negation": 80, "change": 25, "event": 25}
"""Kind of instruction to the share (%) of dialogues with one, for stories without their own. STAR
asks for small talk and for negations in 718 of 902 complete dialogues (all instructions of 18
tasks); it asks for changes and events only in dialogues of one task."""

DRAWS = 10
"""Most draws of all values of a dialogue before a story's constraints count as impossible."""

NO_STORY = TaskStory(name="")

Template = TypeVar("Template", Bridge, StoryInstruction)
"""A value whose texts have places for values."""


def dialogue(simulators: Sequence[Simulator], index: int, story: TaskStory = NO_STORY) -> Dialogue:
    """Return dialogue `index` over several tasks; `SchemaError` for endless flows or unmet
    constraints.

    If the values of earlier tasks leave a later one none that the story allows, all are redrawn.
    """
    for attempt in range(DRAWS):
        try:
            return _dialogue(simulators, index, story, b"+" * attempt)
        except UnmetConstraintError as error:
            unmet = error
    raise SchemaError(f"story {story.name}", str(unmet)) if story.name else unmet


def _dialogue(
    simulators: Sequence[Simulator], index: int, story: TaskStory, again: bytes
) -> Dialogue:
    seed, name = seed_of(simulators[0].seed, index) + again, str(index + 1)
    with ExitStack() as stack:
        sessions = [stack.enter_context(s.base.dialogue(name)) for s in simulators]
        conductor = MultiTaskRunner(simulators, seed, story)
        events = conductor.typed()
        runners = conductor.runners
        for runner, session in zip(runners, sessions, strict=True):
            if effects := session.difference().data():
                runner.user.goal.record["effects"] = effects
    goal: dict[str, Any] = {"tasks": {r.program.task: r.user.goal.record for r in runners}}
    about = {"story": story.name, "person": conductor.person}
    scenario = Scenario(
        domains=tuple(dict.fromkeys(s.program.schema.domain for s in simulators)),
        capabilities=tuple(simulator.capability for simulator in simulators),
        user_task=story_briefing(runners, story, conductor.shared.found),
        system_task=wizard_briefing([runner.program for runner in runners]),
        happy=False,
        multi_task=True,
        goal=goal | {key: text for key, text in about.items() if text},
    )
    return Dialogue(id=name, events=events, scenario=scenario, provenance="simulated")


class MultiTaskRunner:
    """One dialogue over several tasks, in the order in which the user begins them.

    The story has `shared` values, bridges between tasks, and instructions. `person` is the user's
    role in the story, if any.
    """

    def __init__(self, simulators: Sequence[Simulator], seed: bytes, story: TaskStory) -> None:
        self._simulators, self._seed, self._story = simulators, seed, story
        self._wishes, self._language = SeededRng(seed, b"turns"), SeededRng(seed, b"story")
        tasks = [simulator.program.task for simulator in simulators]
        self._who = simulators[0].persons.draw(seed)
        self.shared = SharedValues(story, tasks, self._wishes)
        self._grammar = speech(simulators[0].program.language, "story")
        self._numbered = scenario_texts(simulators[0].program.language).numbered
        self._known: dict[str, tuple[Slot, Any]] = {}
        self._users: dict[int, StoryUser] = {}
        self._waiting = list(range(1, len(simulators)))
        self._now, self._lead = 0, ""
        self._plan = list(self._planned())
        self._recorder = FlowRecorder(seed)
        self.person = self._language.choice(story.personas) if story.personas else ""

    def typed(self) -> tuple[Event, ...]:
        """Simulate all tasks, and return the events as the user types their turns."""
        typist = self._who.typist
        return self.events() if typist is None else typist.typed(self.events())

    @property
    def runners(self) -> list[FlowRunner]:
        """The runners of the tasks, in the order of the simulators."""
        return [user.runner for _, user in sorted(self._users.items())]

    def _planned(self) -> Iterator[StoryInstruction]:
        for instruction in self._story.instructions:
            if self._wishes.once_in(instruction.once_in):
                yield instruction
        if not self._story.instructions:
            for kind, share in RATES.items():
                if self._wishes.below(100) < share:
                    yield StoryInstruction(kind=kind)

    def events(self) -> tuple[Event, ...]:
        """Simulate all tasks, and return the events of the dialogue."""
        if self.person:
            self._recorder.instruct(self._said("persona", person=self.person))
        user = self._start()
        self._recorder.instruct(self._said("begin", task=self._topic(user.runner)))
        self._select(user.runner, 0)
        while True:
            user = self._users[self._now]
            step = user.runner.step
            if step is None:
                if not self._waiting:
                    break
                self._turn(back=False)
            elif step.kind != "user":
                user.until_user()
            elif self._leaves(user.runner, step):
                self._turn(back=step not in user.runner.program.closing)
            else:
                self._speak(partial(self._user_turn, user))
        return self._recorder.finish(self._numbered)

    def _user_turn(self, user: StoryUser) -> None:
        if not self._follows(user):
            user.runner.turn()

    def _start(self) -> StoryUser:
        simulator = self._simulators[self._now]
        program = simulator.program
        demands = self.shared.demands(program.task)
        own, prefix = self._seed + program.task.encode(), f"{self._now + 1}.q"
        rates = simulator.stage_rates["multi"]
        runner = simulator.runner(
            own, self._who, self._known, prefix, self._recorder, rates, demands
        )
        if runner.user.voice is not None:
            runner.user.voice.fresh = not self._users
        simulator.base.arrange(runner.user.goal.record.get("state", {}))
        slots = program.schema.slots
        for slot, form in runner.user.goal.said.items():
            self._known.setdefault(slot, (slots[slot], form.canonical))
        user = StoryUser(runner, self._wishes, self._language, frozenset(demands.values))
        runner.met = bool(self._users)
        self._users[self._now] = user
        runner.begin()
        return user

    def _leaves(self, runner: FlowRunner, step: Step) -> bool:
        if not self._waiting or runner.before is None:
            return False
        if step in runner.program.closing:
            return True
        if not runner.offered:
            return False  # nothing would be left to come back to
        if not self._wishes.once_in(STRAY) or any(n in self._users for n in self._waiting):
            return False
        return not self.shared.leads(runner.program.task)

    def _turn(self, *, back: bool) -> None:
        """Change to another task; `back` is True if the user returns to this one later."""
        left = self._users[self._now].runner
        values = {slot: form.canonical for slot, form in left.user.goal.said.items()}
        result = {} if left.state.failed else left.state.shown
        self.shared.learn(left.program.task, result | values)
        follower = self._waiting.pop(0)
        if back:
            self._waiting.insert(self._wishes.below(len(self._waiting) + 1), self._now)
        self._now = follower
        resumed = follower in self._users
        user = self._users[follower] if resumed else self._start()
        self._announce(user.runner, *self._ways(left, user.runner, resumed=resumed, back=back))

    def _ways(
        self, left: FlowRunner, runner: FlowRunner, *, resumed: bool, back: bool
    ) -> tuple[str, str]:
        task, draw = self._topic(runner), self._language
        if resumed:
            return self._said("return", task=task), self._said("resume")
        bridge = None if back else self._bridge(left, runner)
        if bridge is None:
            change, lead = ("stray", "away") if back else ("turn", "then")
            return self._said(change, task=task), self._said(lead)
        say = draw.choice(bridge.say) if bridge.say else self._said("then")
        if bridge.instruct:
            return filled(draw.choice(bridge.instruct), {"task": task}).text, say
        if bridge.happens:
            return self._said("event", happens=bridge.happens, task=task), say
        return self._said("turn", task=task), say

    def _bridge(self, left: FlowRunner, runner: FlowRunner) -> Bridge | None:
        candidates = []
        for bridge in self._story.bridges:
            fits = bridge.source in ("", left.program.task) and bridge.target == runner.program.task
            if fits and (not bridge.when or left.state.outcome in bridge.when):
                candidate = self._filled(bridge)
                if candidate is not None:
                    candidates.append(candidate)
        return self._language.choice(candidates) if candidates else None

    def _follows(self, user: StoryUser) -> bool:
        """Carry out an instruction that fits in this turn, in one of `PAUSE` turns."""
        if not self._plan or not self._wishes.once_in(PAUSE):
            return False
        for planned in self._plan:
            version = self._filled(planned)
            if version is not None and user.carry_out(version):
                self._plan.remove(planned)
                return True
        return False

    def _filled(self, template: Template) -> Template | None:
        """Return a bridge or an instruction with its texts filled; None if values are missing."""
        if not (template.happens or template.instruct or template.say):
            return template
        lists = {name: getattr(template, name) for name in ("instruct", "say")}
        lines = {n: tuple(filter(None, map(self.shared.fill, texts))) for n, texts in lists.items()}
        happens = self.shared.fill(template.happens)
        if happens is None or any(lists[name] and not lines[name] for name in lists):
            return None
        return replace(template, happens=happens, **lines)

    def _said(self, symbol: str, **values: str) -> str:
        return self._grammar.say(symbol, self._language, values).text

    def _topic(self, runner: FlowRunner) -> str:
        return self._story.topics.get(runner.program.task) or topic(runner.program)

    def _announce(self, runner: FlowRunner, instruction: str, lead: str) -> None:
        self._recorder.instruct(instruction)
        self._lead = lead
        if runner.step is not None and runner.step.kind == "user":
            self._speak(runner.advance)
        self._select(runner, self._recorder.events[-1].time)

    def _speak(self, turn: Callable[[], Any]) -> None:
        events, lead = self._recorder.events, self._lead
        at = len(events)
        turn()
        for place in range(at, len(events)) if lead else ():
            event = events[place]
            if isinstance(event, Utterance) and event.agent == USER:
                language = self._users[self._now].runner.program.language
                events[place], self._lead = lead_in(event, lead, language), ""
                break

    def _select(self, runner: FlowRunner, time: int | None) -> None:
        selection = Selection(kind="task", task=runner.program.task, time=time)
        self._recorder.events.append(selection)
