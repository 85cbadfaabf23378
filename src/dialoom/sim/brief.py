"""Two who are brief: optional questions and courtesies are left out, answers come unasked.

    course = BriefCourse(program, user, system, seed, brief=0.6)

Few people who help others are as thorough as a flow chart: they come to the point, do not ask for
what they can do without, and let the other go when all is done. What the flow can spare is told by
`dialoom.sim.spare`; each of these nodes is left out with the same probability. With it users, too,
do not wait to be asked: who says what they came for, or that they want something else, names a
value or two of it. Whoever has spoken of another task in the dialogue is not greeted once more.
"""

from __future__ import annotations

from dialoom.dialogue import Event, Utterance
from dialoom.sim.compiled import Program, Step
from dialoom.sim.course import Course
from dialoom.sim.extending import extended
from dialoom.sim.manner import fill, manner
from dialoom.sim.stream import Stream
from dialoom.sim.system import System
from dialoom.sim.user import User
from dialoom.sim.words import Said

MOST = 2
"""How many values a user names unasked at most."""

FINE = 1 << 16
"""Steps in which a probability is told."""


class BriefCourse(Course):
    """One task in one dialogue, with a system that leaves out what it can.

    Args:
        program: The task.
        user: Who wants something.
        system: Who helps.
        pauses: The dialogue's seed.
        brief: The probability with which a node is left out that the flow can spare, and with
            which a user says at once what they would be asked.
    """

    __slots__ = ("_brief", "_direct", "_heard", "_polite", "_skips", "_texts")

    def __init__(
        self, program: Program, user: User, system: System, pauses: bytes, brief: float
    ) -> None:
        super().__init__(program, user, system, pauses)
        self._brief = round(brief * FINE)
        self._polite = round(brief**2 * FINE)
        self._direct = round((1 - (1 - brief) ** 2) * FINE)
        self._skips = Stream(pauses, b"brief")
        self._heard = False
        self._texts = manner(program.language).volunteer

    def _act(self, step: Step, events: list[Event]) -> int:
        """Do what a node says; the user may say more."""
        length = super()._act(step, events)
        if step.kind == "user" and not (self.quiet or self.board.asked):
            self._volunteer(step, events)
        return length

    def _volunteer(self, step: Step, events: list[Event]) -> None:
        """Let the user name what they would be asked next, where they have named nothing yet."""
        said, goal, program = events[-1], self.user.goal, self.program
        if not isinstance(said, Utterance) or said.layers[0].parts[0].spans:
            return
        if step in program.closing:
            return
        untold = goal.mask & program.asked & ~program.fixed & ~self.board.known
        if step.forget:
            untold &= step.forget
        if not untold or self._skips.below(FINE) >= self._brief:
            return
        slots = [slot for slot in goal.said if untold & program.bits[slot]]
        for slot in slots[: 1 + self._skips.below(MOST)]:
            value, names = goal.said[slot], program.design.slots
            self.board.give(value)
            held: dict[str, Said | str] = {"value": value}
            held["slot"] = names[slot].description or slot
            text, spans = fill(self.user.language.choice(self._texts), held)
            said = extended(said, "", text, spans, (step.act(value),), self.board.state())
        events[-1] = said

    def _next(self, step: Step) -> Step | None:
        """Return the node that follows, or None at the end."""
        self._heard = step.kind == "user"
        return super()._next(step)

    def _arrive(self, step: Step) -> Step | None:
        """Pass over what is known, and at times over what the flow can spare."""
        arrived = super()._arrive(step)
        for _ in range(len(self.program.steps)):
            if arrived is None or not arrived.spare or not self._leaves_out(arrived):
                break
            passed = self._past(arrived)
            arrived = None if passed is None else super()._arrive(passed)
        return arrived

    def _leaves_out(self, step: Step) -> bool:
        if not step.asks and self._past(step) is step:
            return False
        if step not in self.program.opening:
            return self._skips.below(FINE) < self._brief
        if self.met:
            return True
        rate = self._brief
        if self._heard:  # who comes to the point is answered to the point, who greets is greeted
            rate = self._direct if self.board.known else self._polite
        return self._skips.below(FINE) < rate

    def _past(self, step: Step) -> Step | None:
        if step.asks:
            return self._pass(step)
        return step.past_user if self._heard else step.past
