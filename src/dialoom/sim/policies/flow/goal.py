"""What a user wants: values that the knowledge base can satisfy, and how long they go on.

    goals = Goals(program, kb.snapshot(), HAPPY)
    goal = goals.draw(wishes, language)
    goal.said["time"].canonical          # "19:30"

A goal is satisfiable by construction. What a call searches, finds or updates comes from a row of
its table; what it books comes from keys that are free. Some goals begin with a wish that nothing
meets (a taken table), and the user changes what the flow lets them change: `renew` draws that anew,
to fit the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

from dialoom.dialogue.event import Item
from dialoom.kb.domain import Domain, slot_domain
from dialoom.schema.condition import Condition, all_hold
from dialoom.schema.slot import Slot
from dialoom.sim.core.forms import SurfaceForm
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.flow.program import MISSES, Program, Step, successors
from dialoom.sim.policies.flow.sources import TRIES, Source, sources

ROUNDS = 4
"""How often a user goes round a loop ("another question"): fewer times than this."""

PATIENCE = 3
"""How often a user changes a wish that came to nothing, before they leave it."""


@dataclass(frozen=True, slots=True)
class BehaviourRates:
    """How users of a scenario are; each figure is "once in so many dialogues", 0 is never.

    Attributes:
        miss: The first wish is one that nothing meets.
        change: They change what they asked for although nothing made them.
        unclear: An optional slot is left open.
    """

    miss: int = 6
    change: int = 3
    unclear: int = 2


Known = Mapping[str, tuple[Slot, Any]]
"""Slot name to what the slot is in another task, and the value it has there."""

HAPPY = BehaviourRates()
"""Users who follow the flow; they change a wish only where the flow offers it."""


@dataclass(slots=True)
class Goal:
    """What one user wants, as far as they know it now.

    Attributes:
        said: Slot to the value and the form it is said in.
        mask: The bits of these slots.
        open: The bits of the slots that the user has no wish for.
        rounds: How often they will still go round a loop.
        changes: How often they will still change a wish without need.
        patience: How often they will still change a wish that came to nothing.
        wrong: The bits of slots whose values nothing meets.
        record: What they wanted at first, and what they changed it to.
    """

    said: dict[str, SurfaceForm]
    mask: int
    open: int
    rounds: int
    changes: int
    patience: int = PATIENCE
    wrong: int = 0
    record: dict[str, Any] = field(default_factory=dict)

    def take(self, said: SurfaceForm, bit: int) -> None:
        """Make a value the user's wish, since it was offered."""
        self.said[said.slot] = said
        self.mask |= bit
        self.open &= ~bit
        self.wrong &= ~bit
        self.record.setdefault("changes", []).append({said.slot: said.canonical})

    def keep(self) -> None:
        """Write down the goal as it is at the beginning."""
        self.record["values"] = {slot: said.canonical for slot, said in self.said.items()}
        if self.rounds:
            self.record["rounds"] = self.rounds


class Goals:
    """Draws the goals of one task over one knowledge base."""

    def __init__(
        self, program: Program, tables: Mapping[str, list[Item]], rates: BehaviourRates
    ) -> None:
        self._program, self._rates = program, rates
        self._domains: dict[str, Domain | None] = {
            name: slot_domain(program.schema.slots[name]) for name in program.owned
        }
        self._drawn = [(n, d, d.size) for n, d in self._domains.items() if d is not None]
        self._sources = sources(program, tables, self._domains)
        looked_up = {slot for source in self._sources for slot in source.looked_up}
        self._constrained = program.schema.constrained
        self._portable = self._domains.keys() - looked_up
        self._optional = list(self._droppable())
        self._when = _conditions(program, program.owned)
        self._missable = [source for source in self._sources if _may_miss(program, source)]

    def draw(self, wishes: SeededRng, language: SeededRng, known: Known | None = None) -> Goal:
        """Return a goal: its values are drawn from `wishes`, their forms from `language`.

        Args:
            wishes: What the values are drawn from.
            language: What their forms are drawn from.
            known: What this user has said of themself in other tasks; taken over where it fits.

        Raises:
            SchemaError: No values that meet the task's constraints come up.
        """
        kept = self._own(known) if known else {}
        opened = self._open(wishes).difference(kept)
        values = self._values(kept, opened, wishes)
        broken = self._conflict(values)
        if broken is not None:
            raise self._program.error(f"no values come up of which it is so that {broken}")
        goal = Goal(
            said={},
            mask=0,
            open=self._program.mask(opened),
            rounds=wishes.below(ROUNDS),
            changes=1 + wishes.below(2) if wishes.once_in(self._rates.change) else 0,
        )
        if self._missable and wishes.once_in(self._rates.miss):
            goal.wrong = self._miss(values, wishes)
        self._say(goal, values, language)
        goal.keep()
        return goal

    def given(self, values: Mapping[str, Any], language: SeededRng) -> Goal:
        """Return the goal of who wants just these values; slots of other tasks are passed over.

        What may be left open and has no value stays open; for the rest `settle` finds one. Where
        nothing meets these values the user wants no others, and leaves it at that.
        """
        kept = {slot: value for slot, value in values.items() if slot in self._program.bits}
        opened = [name for name, _ in self._optional if name not in kept]
        goal = Goal(
            said={}, mask=0, open=self._program.mask(opened), rounds=0, changes=0, patience=0
        )
        self._say(goal, kept, language)
        goal.keep()
        return goal

    def domain(self, slot: str) -> Domain | None:
        """Return the values that a slot may have, where they can be told and there are several."""
        found = self._domains.get(slot)
        return found if found is not None and found.size > 1 else None

    def _own(self, known: Known) -> dict[str, Any]:
        """Return what fits of other tasks: texts, and values of slots that are just the same.

        What a call looks up among the rows is not the user's to bring along.
        """
        slots = self._program.schema.slots
        own = {
            name: value
            for name, (slot, value) in known.items()
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
        old = {slot: said.canonical for slot, said in goal.said.items()}
        opened = {name for name, bit in self._program.bits.items() if goal.open & bit}
        opened = opened.difference(changed) | self._open(wishes).intersection(changed)
        kept = {slot: value for slot, value in old.items() if slot not in changed}
        for _ in range(TRIES if self._choice(changed, kept) else 1):
            values = self._values(kept, opened, wishes)
            if any(values.get(slot) != old.get(slot) for slot in changed):
                break
        if self._conflict(values) is not None:
            return []  # nothing else goes with what they want besides
        new = {slot: value for slot, value in values.items() if slot not in kept}
        bits = self._program.mask(changed)
        goal.said = {slot: goal.said[slot] for slot in kept}
        goal.mask &= ~bits
        goal.wrong &= ~bits
        goal.open = self._program.mask(opened)
        self._say(goal, new, language)
        goal.record.setdefault("changes", []).append(new)
        return changed

    def exchange(
        self, goal: Goal, slots: tuple[str, ...], wishes: SeededRng, language: SeededRng
    ) -> list[str]:
        """Give some slots that have values others; return all that have changed.

        Where no such values come up nothing changes.
        """
        new = replace(goal, record=deepcopy(goal.record))
        old = [goal.said[slot].canonical for slot in slots]
        changed = self.renew(new, slots, wishes, language)
        now = [said.canonical for slot in slots if (said := new.said.get(slot)) is not None]
        if len(now) < len(slots) or now == old:
            return []
        goal.said, goal.mask, goal.open, goal.wrong = new.said, new.mask, new.open, new.wrong
        goal.record = new.record
        return changed

    def _choice(self, slots: Iterable[str], kept: Mapping[str, Any]) -> bool:
        """Whether what is kept leaves the user a choice for some of the slots."""
        settled = {slot for source in self._sources for slot in source.settled(kept)}
        return not settled.issuperset(slots)

    def settle(self, goal: Goal, slots: int, wishes: SeededRng, language: SeededRng) -> None:
        """Make up the user's mind about slots they left open, since somebody insists."""
        goal.open &= ~slots
        old = {slot: said.canonical for slot, said in goal.said.items()}
        opened = {name for name, bit in self._program.bits.items() if not slots & bit}
        values = self._values(old, opened, wishes)
        for name, domain, size in self._drawn:
            if name not in values and name not in opened:
                values[name] = domain.at(wishes.below(size))
        new = {slot: value for slot, value in values.items() if slot not in old}
        if not new:
            return
        self._say(goal, new, language)
        goal.record.setdefault("changes", []).append(new)

    def _say(self, goal: Goal, values: Mapping[str, Any], language: SeededRng) -> None:
        """Draw a way to say each value; half of the draws go to the plain one beforehand."""
        bits, words, said = self._program.bits, self._program.words, goal.said
        for slot, value in values.items():
            forms = words.forms(slot, value)
            many = len(forms)
            place = language.below(2 * many)
            said[slot] = forms[place if place < many else 0]
            goal.mask |= bits[slot]

    def _open(self, wishes: SeededRng) -> set[str]:
        """Choose the slots that the user leaves open."""
        found: set[str] = set()
        for name, other in self._optional:
            if other not in found and wishes.once_in(self._rates.unclear):
                found.add(name)
        return found

    def _droppable(self) -> Iterator[tuple[str, str | None]]:
        """Yield the slots that may be left open, each with the one that then must not be."""
        for name in self._domains:
            other = self._program.schema.slots[name].unless
            if _droppable(self._program, name) and (other is None or other in self._domains):
                yield name, other

    def _values(
        self, kept: Mapping[str, Any], opened: set[str], wishes: SeededRng
    ) -> dict[str, Any]:
        """Return values that fit together, if such come up: else some that do not."""
        values = self._filled(kept, opened, wishes)
        for _ in range(TRIES * TRIES):
            if self._conflict(values) is None:
                return values
            values = self._filled(kept, opened, wishes)
        return values

    def _conflict(self, values: Mapping[str, Any]) -> str | None:
        """Return what has to hold between some values but does not, if anything."""
        if not self._constrained:
            return None
        return next((what for _, what in self._program.schema.broken(values)), None)

    def _filled(
        self, kept: Mapping[str, Any], opened: set[str], wishes: SeededRng
    ) -> dict[str, Any]:
        values = dict(kept)
        for source in self._sources:
            source.fill(values, opened, wishes)
        for name, domain, size in self._drawn:
            if name not in values and name not in opened:
                values[name] = domain.at(wishes.below(size))
        for name, conditions in self._when.items():
            settled = name in kept or any(all_hold(when, values) for when in conditions)
            if name in values and not settled:
                del values[name]
        return values

    def _miss(self, values: dict[str, Any], wishes: SeededRng) -> int:
        """Make one call's wish one that nothing meets; return what may be wrong with it."""
        source = wishes.choice(self._missable)
        before = dict(values)
        wrong = self._program.mask(source.spoil(values, wishes))
        if self._conflict(values) is None:
            return wrong
        values |= before
        return 0


def _droppable(program: Program, name: str) -> bool:
    """Whether a slot may be left open: nothing requires it, and whoever asks takes no answer."""
    slot = program.schema.slots[name]
    if not slot.optional and slot.unless is None:
        return False
    needed = any(
        column.slot == name and column.required
        for call in program.schema.calls.values()
        for column in call.inputs
    )
    if needed and slot.unless is None:
        return False
    bit = program.bits[name]
    asked = [step for step in program.steps.values() if step.asks & bit]
    return not asked or any(step.takes_none for step in asked)


def _conditions(program: Program, owned: tuple[str, ...]) -> dict[str, list[tuple[Condition, ...]]]:
    """Slot to the conditions under which it is asked for, where it is never asked without one."""
    found: dict[str, list[tuple[Condition, ...]]] = {}
    for name in owned:
        asked = [step for step in program.steps.values() if step.asks & program.bits[name]]
        if asked and all(step.when for step in asked):
            found[name] = [step.when for step in asked]
    return found


def _may_miss(program: Program, source: Source) -> bool:
    """Whether the flow goes on sensibly when a call comes to nothing.

    A way that leads back to the call without letting the user change anything would never end.
    """
    for step in program.steps.values():
        if step.call is not source.call:
            continue
        failed = [after for after in step.then if after.node.outcome in MISSES]
        if failed:
            return not any(_comes_back(after, step) for after in failed)
    return False


def _comes_back(start: Step, query: Step) -> bool:
    stack, seen = [start], {start}
    while stack:
        step = stack.pop()
        if step is query:
            return True
        if step.forget:
            continue
        following = [after for after in successors(step) if after not in seen]
        seen.update(following)
        stack += following
    return False
