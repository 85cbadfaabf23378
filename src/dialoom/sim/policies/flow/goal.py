"""Goals of simulated users: slot values that the knowledge base can satisfy, and their patience.

    goals = Goals(program, kb.snapshot(), HAPPY)
    goal = goals.draw(wishes, language)
    goal.said["time"].canonical          # "19:30"

A goal is satisfiable by construction: the inputs of a search, find or update come from one row of
the table, those of a booking from a free key. Some goals begin with values that no row has (a taken
table). The user then changes the slots that the flow offers to change, and `renew` draws new values
that fit the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

from dialoom.dialogue.event import Item
from dialoom.errors import SchemaError
from dialoom.flow.node import MISSES
from dialoom.flow.program import TaskProgram
from dialoom.kb.domain import Domain, slot_domain
from dialoom.schema.condition import Condition, all_hold
from dialoom.schema.flow import reachable
from dialoom.schema.slot import Slot
from dialoom.schema.values.forms import SurfaceForm
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.flow.sources import TRIES, Source, drawn, sources
from dialoom.sim.stories.shared import FREE, Demands

ROUNDS = 4
"""Exclusive upper limit of how often a user repeats a loop of the flow ("another question")."""

PLAINEST = 6
"""A value has any of its forms once in so many times, else a usual one."""

PATIENCE = 3
"""Number of changes of the goal after failed calls before a user gives up."""


@dataclass(frozen=True, slots=True)
class BehaviourRates:
    """Rates of deviations from a plain goal: 1 in so many times, 0 is never.

    `miss`: dialogues whose first goal no table row fits; `change`: dialogues in which the user
    changes the goal although no call has failed; `unclear`: optional slots without a value.
    """

    miss: int = 6
    change: int = 3
    unclear: int = 2


Known = Mapping[str, tuple[Slot, Any]]
"""Slot name to the slot of that name in another task of the dialogue, and its value there."""

HAPPY = BehaviourRates()
"""Users who follow the flow; they change a wish only where the flow offers it."""


@dataclass(slots=True)
class Goal:
    """The current goal of one user.

    Attributes:
        said: Slot to its value and its spoken form.
        mask: The bits of these slots.
        open: The bits of the slots without a preference.
        rounds: How often the user will still repeat a loop.
        changes: How often the user will still change the goal although no call has failed.
        patience: How often the user will still change the goal after a failed call.
        wrong: The bits of slots whose values no row of the table has.
        record: The first values and their changes, for `Scenario.goal`.
        demands: A story's demands on the values, including later ones.
    """

    said: dict[str, SurfaceForm] = field(default_factory=dict)
    mask: int = 0
    open: int = 0
    rounds: int = 0
    changes: int = 0
    patience: int = PATIENCE
    wrong: int = 0
    record: dict[str, Any] = field(default_factory=dict)
    demands: Demands = FREE

    def take(self, form: SurfaceForm, bit: int) -> None:
        """Take an offered value into the goal."""
        self.said[form.slot] = form
        self.mask |= bit
        self.open &= ~bit
        self.wrong &= ~bit
        self.record.setdefault("changes", []).append({form.slot: form.canonical})

    def keep(self) -> None:
        """Record the goal as it is at the beginning."""
        self.record["values"] = {slot: form.canonical for slot, form in self.said.items()}
        if self.rounds:
            self.record["rounds"] = self.rounds


class UnmetConstraintError(SchemaError):
    """No drawn values of a task meet all constraints."""


class Goals:
    """Draws the goals of one task over one knowledge base."""

    def __init__(
        self, program: TaskProgram, tables: Mapping[str, list[Item]], rates: BehaviourRates
    ) -> None:
        self._program, self._rates = program, rates
        self._domains: dict[str, Domain | None] = {
            name: slot_domain(program.schema.slots[name]) for name in program.owned
        }
        self._drawn = [(n, d) for n, d in self._domains.items() if d is not None]
        self._sources = sources(program, tables, self._domains)
        self._looked_up = {slot for source in self._sources for slot in source.looked_up}
        self._constrained = program.schema.constrained
        self._portable = self._domains.keys() - self._looked_up
        self._optional = list(self._droppable())
        self._when = _conditions(program, program.owned)
        self._missable = [source for source in self._sources if _may_miss(program, source)]

    def draw(
        self,
        wishes: SeededRng,
        language: SeededRng,
        memory: Known | None = None,
        demands: Demands = FREE,
    ) -> Goal:
        """Return a goal with values drawn from `wishes`, their forms from `language`.

        `memory` are the user's values in other tasks, reused where they fit. If a table lacks the
        values that a story demands, the record has its initial `state` (`KnowledgeBase.arrange`).
        `UnmetConstraintError` if no drawn values meet the constraints of the task and the story.
        """
        shared = demands.values
        basis = {**(self._own(memory) if memory else {}), **shared}
        opened = self._open(wishes).difference(basis)
        values = self._values(basis, opened, wishes, demands)
        state: dict[str, Any] = {}
        if shared and not all(source.has(values) for source in self._sources):
            own = {slot: value for slot, value in basis.items() if slot not in self._looked_up}
            for _ in range(TRIES):  # a row may have a value that the shared ones exclude
                values = self._values(own, opened, wishes, demands)
                state = self._arrange(values, shared)
                if self._conflict(values, demands) is None:
                    break
        broken = self._conflict(values, demands)
        if broken is not None:
            what = f"no values were found of which it is so that {broken}"
            raise UnmetConstraintError(f"task {self._program.task}", what)
        goal = Goal(
            open=self._program.mask(opened),
            rounds=wishes.below(ROUNDS),
            changes=1 + wishes.below(2) if wishes.once_in(self._rates.change) else 0,
            demands=demands,
        )
        missable = [each for each in self._missable if not each.slots & shared.keys()]
        if missable and wishes.once_in(self._rates.miss):
            goal.wrong = self._miss(wishes.choice(missable), values, wishes, demands)
        self._say(goal, values, language)
        goal.keep()
        if state:
            goal.record["state"] = state
        return goal

    def given(self, values: Mapping[str, Any], language: SeededRng) -> Goal:
        """Return a goal with just these values; slots of other tasks are ignored.

        Slots that may be left open and have no value stay open; `settle` draws a value for another
        slot when the system asks for it. The user changes none of the values after a failed call.
        """
        wishes = {slot: value for slot, value in values.items() if slot in self._program.bits}
        opened = [name for name, _ in self._optional if name not in wishes]
        goal = Goal(open=self._program.mask(opened), patience=0)
        self._say(goal, wishes, language)
        goal.keep()
        return goal

    def domain(self, slot: str) -> Domain | None:
        """Return a slot's possible values; None if unknown or only one."""
        choices = self._domains.get(slot)
        return choices if choices is not None and choices.size > 1 else None

    def _own(self, others: Known) -> dict[str, Any]:
        """Return the values of other tasks that fit: short texts, and those of identical slots.

        Slots that a call looks up in its table are left out: their values must be in its rows.
        """
        slots = self._program.schema.slots
        own = {
            name: value
            for name, (slot, value) in others.items()
            if name in self._portable
            and (slot.type == slots[name].type == "short text" or slot == slots[name])
        }
        for names, _ in self._program.schema.broken(own):
            own.pop(names[-1], None)
        return own

    def renew(
        self, goal: Goal, slots: tuple[str, ...], wishes: SeededRng, language: SeededRng
    ) -> list[str]:
        """Give some slots new values that fit those that stay; return all that have changed."""
        changed = [slot for slot in self._program.bound(slots) if slot in self._domains]
        if not changed:
            return []
        old = {slot: form.canonical for slot, form in goal.said.items()}
        opened = {name for name, bit in self._program.bits.items() if goal.open & bit}
        opened = opened.difference(changed) | self._open(wishes).intersection(changed)
        rest = {slot: value for slot, value in old.items() if slot not in changed}
        for _ in range(TRIES if self._choice(changed, rest) else 1):
            values = self._values(rest, opened, wishes, goal.demands)
            if any(values.get(slot) != old.get(slot) for slot in changed):
                break
        if self._conflict(values, goal.demands) is not None:
            return []  # no other values fit those that stay
        new = {slot: value for slot, value in values.items() if slot not in rest}
        bits = self._program.mask(changed)
        goal.said = {slot: goal.said[slot] for slot in rest}
        goal.mask &= ~bits
        goal.wrong &= ~bits
        goal.open = self._program.mask(opened)
        self._say(goal, new, language)
        goal.record.setdefault("changes", []).append(new)
        return changed

    def exchange(
        self, goal: Goal, slots: tuple[str, ...], wishes: SeededRng, language: SeededRng
    ) -> list[str]:
        """Replace values; return all changed slots, or none if no others fit (goal unchanged)."""
        new = replace(goal, record=deepcopy(goal.record))
        old = [goal.said[slot].canonical for slot in slots]
        changed = self.renew(new, slots, wishes, language)
        now = [form.canonical for slot in slots if (form := new.said.get(slot)) is not None]
        if len(now) < len(slots) or now == old:
            return []
        goal.said, goal.mask, goal.open, goal.wrong = new.said, new.mask, new.open, new.wrong
        goal.record = new.record
        return changed

    def _arrange(self, values: dict[str, Any], shared: Mapping[str, Any]) -> dict[str, Any]:
        """Give looked-up slots their shared values; return the rows that the tables then need."""
        moved = {slot: value for slot, value in shared.items() if slot in self._looked_up}
        sources = (source for source in self._sources if moved.keys() & source.looked_up)
        state = {each.call.table: {"changed": [each.moved(values, moved)]} for each in sources}
        values |= moved
        return state

    def _choice(self, slots: Iterable[str], basis: Mapping[str, Any]) -> bool:
        settled = {slot for source in self._sources for slot in source.settled(basis)}
        return not settled.issuperset(slots)

    def settle(self, goal: Goal, slots: int, wishes: SeededRng, language: SeededRng) -> None:
        """Draw values for slots (bits) without one, since the flow requires a value; changes
        `goal`.
        """
        goal.open &= ~slots
        old = {slot: form.canonical for slot, form in goal.said.items()}
        opened = {name for name, bit in self._program.bits.items() if not slots & bit}
        values = self._values(old, opened, wishes, goal.demands)
        for name, domain in self._drawn:
            if name not in values and name not in opened:
                values[name] = drawn(domain, wishes)
        new = {slot: value for slot, value in values.items() if slot not in old}
        if not new:
            return
        self._say(goal, new, language)
        goal.record.setdefault("changes", []).append(new)

    def _say(self, goal: Goal, values: Mapping[str, Any], language: SeededRng) -> None:
        bits, words, wishes = self._program.bits, self._program.words, goal.said
        for slot, value in values.items():
            forms = words.forms if language.once_in(PLAINEST) else words.usual
            wishes[slot] = language.choice(forms(slot, value))
            goal.mask |= bits[slot]

    def _open(self, wishes: SeededRng) -> set[str]:
        names: set[str] = set()
        for name, other in self._optional:
            if other not in names and wishes.once_in(self._rates.unclear):
                names.add(name)
        return names

    def _droppable(self) -> Iterator[tuple[str, str | None]]:
        """Yield the slots that may be left open, each with the slot that then needs a value."""
        for name in self._domains:
            other = self._program.schema.slots[name].unless
            if _droppable(self._program, name) and (other is None or other in self._domains):
                yield name, other

    def _values(
        self, basis: Mapping[str, Any], opened: set[str], wishes: SeededRng, demands: Demands
    ) -> dict[str, Any]:
        """Return values that meet all constraints; the last drawn ones if none do."""
        for _ in range(1 + TRIES * TRIES):
            values = self._filled(basis, opened, wishes)
            if self._conflict(values, demands) is None:
                break
        return values

    def _conflict(self, values: Mapping[str, Any], demands: Demands) -> str | None:
        broken = self._program.schema.broken(values) if self._constrained else ()
        return next((what for _, what in broken), None) or demands.broken(values)

    def _filled(
        self, basis: Mapping[str, Any], opened: set[str], wishes: SeededRng
    ) -> dict[str, Any]:
        values = dict(basis)
        for source in self._sources:
            source.fill(values, opened, wishes)
        for name, domain in self._drawn:
            if name not in values and name not in opened:
                values[name] = drawn(domain, wishes)
        for name, conditions in self._when.items():
            settled = name in basis or any(all_hold(when, values) for when in conditions)
            if name in values and not settled:
                del values[name]
        return values

    def _miss(
        self, source: Source, values: dict[str, Any], wishes: SeededRng, demands: Demands
    ) -> int:
        """Change values so that a call fails; return the bits of the slots that may be wrong."""
        before = dict(values)
        wrong = self._program.mask(source.spoil(values, wishes))
        if self._conflict(values, demands) is None:
            return wrong
        values |= before
        return 0


def _droppable(program: TaskProgram, name: str) -> bool:
    """Return True if a slot may be left open: not required, and its question takes "no wish"."""
    slot = program.schema.slots[name]
    if not slot.optional and slot.unless is None:
        return False
    needed = any(each.slot == name and each.required for each in program.schema.call_inputs)
    if needed and slot.unless is None:
        return False
    bit = program.bits[name]
    questions = [step for step in program.steps.values() if step.asks & bit]
    return not questions or any(step.takes_none for step in questions)


def _conditions(
    program: TaskProgram, owned: tuple[str, ...]
) -> dict[str, list[tuple[Condition, ...]]]:
    """Return slot to the conditions of its questions, for slots always asked under a condition."""
    conditions: dict[str, list[tuple[Condition, ...]]] = {}
    for name in owned:
        questions = [step for step in program.steps.values() if step.asks & program.bits[name]]
        if questions and all(step.when for step in questions):
            conditions[name] = [step.when for step in questions]
    return conditions


def _may_miss(program: TaskProgram, source: Source) -> bool:
    """Return True if no branch returns to a failed call without a change of values (endless)."""
    for step in program.steps.values():
        if step.call is not source.call:
            continue
        failed = [after for after in step.then if after.node.outcome in MISSES]
        if failed:
            return step not in reachable(failed, lambda step: () if step.forget else step.after)
    return False
