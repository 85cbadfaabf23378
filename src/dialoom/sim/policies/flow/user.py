"""The simulated user of a flow: answers from the goal and chooses among branches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from dialoom.dialogue import GOLD, USER, Act, Argument, Layer, Part, Span, Utterance
from dialoom.flow.node import FlowLine, Step
from dialoom.flow.program import TaskProgram
from dialoom.schema.condition import all_hold
from dialoom.schema.values.forms import SurfaceForm
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.flow.goal import Goal, Goals
from dialoom.sim.policies.flow.state import DialogueState
from dialoom.sim.policies.flow.voice import Voice

LEAVES = 4
"""After one of so many failed calls a user gives up although they could change a value."""

KEPT = 4096
"""Most choices of lines kept in memory for a node."""

Speech = tuple[str, tuple[Act, ...], tuple[Span, ...]]
"""The text of an utterance, its acts and its spans."""


def utter(spoken: Speech, state: DialogueState, time: int) -> Utterance:
    """Return a user's utterance as an event, annotated with the state after it."""
    text, acts, spans = spoken
    part = Part(None, acts, spans, state.annotation())
    return Utterance(agent=USER, text=text, time=time, layers=(Layer(GOLD, (part,)),))


Volunteers = Callable[[Step], Sequence[str]]
"""Draws the slots whose values a user volunteers at a node."""


@dataclass(slots=True)
class FlowUser:
    """One user in one dialogue.

    `goals` draws changes of the goal, `wishes` values and choices, `language` the wording. `voice`
    words turns in addition to the task's lines, if set.
    """

    program: TaskProgram
    goals: Goals
    goal: Goal
    wishes: SeededRng
    language: SeededRng
    voice: Voice | None = None

    def choose(self, step: Step, state: DialogueState) -> Step:
        """Return the user's node that follows a node of the system's."""
        users = step.users
        if step.asks and not step.takes_none:
            self._settle(step, state)
        if len(users) == 1:
            return users[0]
        if step.guarded:
            fitting = [after for after in users if self._fits(after, state)]
            return self._prefer(fitting or users)
        if step.asks:
            answers = self._answers(step, state)
            if len(answers) == 1:
                return answers[0]
            if answers:
                return self._prefer(answers)
        if state.failed:
            change = self._change(step)
            if change is not None:
                return change
        return self._go(step)

    def _settle(self, step: Step, state: DialogueState) -> None:
        slots = state.needs(step.asks)
        if slots and not slots & self.goal.mask:
            slots = self.wishes.choice([bit for bit in self.program.bits.values() if slots & bit])
            self.goals.settle(self.goal, slots, self.wishes, self.language)

    def _answers(self, step: Step, state: DialogueState) -> list[Step]:
        slots = step.asks & ~state.known
        goal = self.goal
        if not slots & goal.mask:
            return [after for after in step.users if after.node.gives_none]
        return [after for after in step.users if after.gives & slots and self._agrees(after)]

    def _fits(self, step: Step, state: DialogueState) -> bool:
        names = {name for condition in step.when for name in condition.names}
        values = {name: v for name in names if (v := self._value(name, state)) is not None}
        return bool(all_hold(step.when, values))

    def _value(self, name: str, state: DialogueState) -> Any:
        wish = self.goal.said.get(name)
        return state.value(name) if wish is None else wish.canonical

    def _agrees(self, step: Step) -> bool:
        for form in step.sets:
            wish = self.goal.said.get(form.slot)
            if wish is not None and wish.canonical != form.canonical:
                return False
        return True

    def _change(self, step: Step) -> Step | None:
        goal = self.goal
        helpful = [after for after in step.users if after.alters & (goal.wrong or -1)]
        if not helpful or not goal.patience:
            return None
        goal.patience -= 1
        return None if self.wishes.once_in(LEAVES) else self.wishes.choice(helpful)

    def _go(self, step: Step) -> Step:
        goal = self.goal
        for after in step.back:
            if after.forget and goal.changes and self.wishes.once_in(2):
                goal.changes -= 1
                return self.wishes.choice([other for other in step.back if other.forget])
            if not after.forget and goal.rounds:
                goal.rounds -= 1
                again = [other for other in step.back if not other.forget]
                return self.wishes.choice(again)
        return self._prefer(step.onward)

    def _prefer(self, branches: list[Step] | tuple[Step, ...]) -> Step:
        """Return the first branch half of the time, else any: the first is the usual course."""
        if len(branches) == 1 or self.wishes.once_in(2):
            return branches[0]
        return self.wishes.choice(branches)

    def say(self, step: Step, state: DialogueState, time: int) -> Utterance:
        """Say a node, noting its values; `SchemaError` if every line misses a value."""
        return utter(self.speak(step, state), state, time)

    def speak(self, step: Step, state: DialogueState, more: Volunteers | None = None) -> Speech:
        """Return the text, acts and spans of a node, and note their values in the state.

        `more` draws slots whose values the user volunteers. `SchemaError` if every line names a
        missing value.
        """
        before = [form for slot in step.node.forget if (form := state.said.get(slot))]
        if step.forget:
            self.forget(step, state)
        refused = [form for form in before if not self._wants(form)]
        lines = step.lines if step.plain else self._lines(step, state)
        line = self.pick(_renewed(lines, before, refused))
        if self.voice is not None:
            volunteered = more(step) if more is not None and not line.names else ()
            old = next(iter((*refused, *before)), None)
            line = self.voice.line(step, line, volunteered, old)
        acts, text = step.plain_acts, line.literals[0]
        spans: tuple[Span, ...] = ()
        if line.names:
            text, acts, spans, _ = line.speak(step, self._give(step, line, state), apart=True)
        if not step.bare:
            acts = self._besides(step, line, state, acts)
        return text, acts, spans

    def _wants(self, form: SurfaceForm) -> bool:
        wish = self.goal.said.get(form.slot)
        return wish is not None and wish.canonical == form.canonical

    def pick(self, lines: Sequence[FlowLine]) -> FlowLine:
        """Return one of the lines that fit."""
        return self.language.choice(lines)

    def unasked(self, slot: str) -> FlowLine:
        """Return a line that gives a slot's value without having been asked."""
        line = self.language.choice(self.program.sentences[slot])
        return line if self.voice is None else self.voice.unasked(line)

    def forget(self, step: Step, state: DialogueState) -> None:
        """Draw new values for the slots that a node forgets and for those that depend on them."""
        slots = step.node.forget
        changed = self.goals.renew(self.goal, slots, self.wishes, self.language)
        state.drop((*slots, *changed))

    def _besides(
        self, step: Step, line: FlowLine, state: DialogueState, acts: tuple[Act, ...]
    ) -> tuple[Act, ...]:
        """Note values that a node sets, takes over, declines or counts; return acts with these."""
        for form in step.sets:
            state.give(form)
        for slot in step.node.takes:
            accepted = None if slot in line.names else self._taken(step, slot, state)
            if accepted is not None:
                state.give(accepted)
                act = step.act(accepted)
                acts = (*acts, act) if acts[0].arguments else (act,)
        if step.node.gives_none:
            acts = self._decline(step, state) or acts
        if step.node.next:
            tally = step.act(state.count(step.node.next))
            acts = (*acts, tally) if acts[0].arguments else (tally,)
        return acts

    def _decline(self, step: Step, state: DialogueState) -> tuple[Act, ...]:
        mask = state.needs(state.asked)
        state.give_none(mask)
        slots = [slot for slot, bit in self.program.bits.items() if mask & bit]
        return tuple(Act(step.name, (Argument(slot),)) for slot in slots)

    def _give(self, step: Step, line: FlowLine, state: DialogueState) -> tuple[SurfaceForm, ...]:
        wishes, takes, forms = self.goal.said, step.node.takes, []
        for name in line.names:
            form = self._taken(step, name, state) if takes else None
            form = form or wishes.get(name)
            if form is None:  # an input or output of the last call
                column = self.program.columns[state.api][name]
                form = self.program.words.show(column, state.shown[name])
            else:
                state.give(form)
            forms.append(form)
        return tuple(forms)

    def _taken(self, step: Step, slot: str, state: DialogueState) -> SurfaceForm | None:
        value = state.shown.get(step.node.takes.get(slot, ""))
        if value is None:
            return None
        form = self.goal.said.get(slot)
        if form is None or form.canonical != value:
            form = self.program.words.forms(slot, value)[0]
            self.goal.take(form, self.program.bits[slot])
        return form

    def _lines(self, step: Step, state: DialogueState) -> tuple[FlowLine, ...]:
        """Return the lines that give the requested slots and repeat no given value, if any do."""
        mask, facts = self.goal.mask, state.known
        needs = state.asked & ~facts & mask
        key = (mask & step.slots, facts & step.slots, needs)
        lines = None if step.outputs else step.chosen.get(key)
        if lines is None:
            if len(step.chosen) > KEPT:
                step.chosen.clear()
            lines = step.chosen[key] = tuple(self._fitting(step, state, needs))
        return lines

    def _fitting(self, step: Step, state: DialogueState, needs: int) -> list[FlowLine]:
        lacking = ~self.goal.mask
        lines = [
            line
            for line in step.lines
            if not line.slots & lacking and line.outputs <= state.shown.keys()
        ]
        if not lines:
            raise self.program.error(f"node {step.name}: every template names what is not known")
        lines = (
            [line for line in lines if line.slots & needs == needs]
            or [line for line in lines if line.slots & needs]
            or lines
        )
        fresh = [line for line in lines if not line.slots & state.known & ~needs]
        return fresh or lines


def _renewed(
    lines: Sequence[FlowLine], before: Sequence[SurfaceForm], refused: Sequence[SurfaceForm]
) -> Sequence[FlowLine]:
    """Return the lines that announce no value as another one that stays as it was, if any do."""
    stay = {form.slot for form in before} - {form.slot for form in refused}
    return [line for line in lines if stay.isdisjoint(line.names)] or lines if stay else lines


class SteadyUser(FlowUser):
    """A user whose choice of values at a node does not depend on the seed of the wording."""

    __slots__ = ()

    def pick(self, lines: Sequence[FlowLine]) -> FlowLine:
        """Return one of the lines: its placeholders are drawn from the wishes, then its words."""
        names = frozenset(self.wishes.choice(lines).names)
        return self.language.choice([line for line in lines if frozenset(line.names) == names])


class BriefUser(SteadyUser):
    """A user who gives the same values as `SteadyUser` by the task file's shortest lines."""

    __slots__ = ()

    def pick(self, lines: Sequence[FlowLine]) -> FlowLine:
        """Return the shortest line with the drawn placeholders."""
        names = frozenset(self.wishes.choice(lines).names)
        alike = (line for line in lines if frozenset(line.names) == names)
        return min(alike, key=lambda line: sum(map(len, line.literals)))
