"""The user of one task among several, who gets a story's instructions during the dialogue.

user = StoryUser(runner, wishes, language, frozenset({"name"}))
user.carry_out(StoryInstruction(kind="chat"))        # True if it fits in this turn
"""

from __future__ import annotations

from msgspec.structs import replace

from dialoom.dialogue import USER, Utterance
from dialoom.sim.core.grammar import Grammar, speech
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.flow.runner import FlowRunner
from dialoom.sim.policies.flow.scenario_texts import InstructionKind, fill
from dialoom.sim.policies.flow.unhappy import UnhappyUser
from dialoom.sim.stories.story import StoryInstruction


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

    def carry_out(self, given: StoryInstruction) -> bool:
        """Carry out an instruction, if it fits in this turn; return True if it did."""
        before = self.runner.before
        if before is None or (given.task and given.task != self.runner.program.task):
            return False
        if given.kind == "event" and given.happens and not given.slot:
            return self._mention(given)
        self._about = given.slot
        return self.follow(given.kind, self._kind(given), before)

    def _kind(self, instruction: StoryInstruction) -> InstructionKind:
        """Return the texts of a kind of instruction, with the story's own."""
        kind, symbol = self.texts.kinds[instruction.kind], f"instruct_{instruction.kind}"
        given = ("new", "other", "reason", "slot")
        if instruction.instruct:
            kind = replace(kind, instruct=instruction.instruct)
        elif symbol in self._grammar.symbols:
            drawn = self._grammar.template(symbol, self.language, given)
            kind = replace(kind, instruct=(drawn,))
        if instruction.happens:
            return replace(kind, reasons={instruction.happens: instruction.say})
        return (
            replace(kind, user=tuple(f" {text}" for text in instruction.say))
            if instruction.say
            else kind
        )

    def _mention(self, instruction: StoryInstruction) -> bool:
        """Let an event happen that changes nothing; the user says so before the next answer."""
        step, events = self.runner.step, self.recorder.events
        if step is None:
            return False
        drawn = self._grammar.template("instruct_mention", self.language, ("reason",))
        template = self.language.choice(instruction.instruct) if instruction.instruct else drawn
        self.recorder.instruct(fill(template, {"reason": instruction.happens})[0])
        at = len(events)
        self.runner.advance()
        said = events[at]
        if isinstance(said, Utterance) and said.agent == USER:
            self.recorder.extend(at, "", before=f"{self.language.choice(instruction.say)} ")
        return True

    def _read(self, slot: str) -> bool:
        """Return True if an instruction allows a slot: any, or its own."""
        wanted = slot == self._about if self._about else slot not in self._shared
        return wanted and super()._read(slot)
