"""One service in one dialogue: the user's goal for it, and the state so far.

    session = ServiceSession(world, provider, "over", memory, rng)
    session.wish("hour")           # the user's value, drawn at the first use
    session.set_value(slot, said)       # now it is in the state

The goal's values of columns (a town, a cuisine) come from one of the service's rows, so that a
search finds it; those of open slots (a day, a party size) are drawn from the slot's values. An
over-constrained goal fits no row, and keeps another value to fall back to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from dialoom.dialogue.annotation import Value
from dialoom.dialogue.event import Item
from dialoom.schema.service import ANYTHING
from dialoom.schema.values.forms import SurfaceForm
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.agenda.provider import Provider, Row, ServiceCall
from dialoom.sim.policies.agenda.slots import SlotOf
from dialoom.sim.policies.agenda.world import World

HAPPY, OVER, REFUSED, AMBIGUOUS = "happy", "over", "refused", "ambiguous"
"""Kinds of goals: a row fits; none does (over-constrained); the booking of the row is refused; too
many rows fit."""

LONGEST = 3
"""Most calls in the goal for one service."""

Memory = Mapping[str, SurfaceForm]
"""Concept to the value that the user gave for it in another service."""


class ServiceSession:
    """One service in one dialogue.

    Args:
        kind: The kind of goal; replaced by a possible one if the service does not allow it.
        memory: The user's values in other services of the dialogue.

    Attributes:
        calls: The calls of the goal, in order.
        wanted: The names of the goal's calls at first.
        values: The dialogue state: slot to the texts said for it.
        known: Slot to its canonical value.
        wishes: The goal: slot to its value.
        carried: Slot to its value in another service, for slots that take it over.
        untold: Optional slots of the goal not given yet.
        fallback: Slot to the user's value after a failure.
        corrections: Slots that the user corrects at the next confirmation; None if undecided.
        shown: How many of them were offered.
        item: The result under discussion.
        several: The results offered together for the user to choose from; otherwise empty.
        stated: The slots of `item` that the system has given.
        requests: How often the user still asks about a result.
        alternatives: How often the user still asks for another result.
    """

    def __init__(
        self, world: World, provider: Provider, kind: str, memory: Memory, rng: SeededRng
    ) -> None:
        self.provider, self.kind = provider, kind
        self._table, self._rng = world.table, rng
        self.values: dict[str, tuple[Value, ...]] = {}
        self.known: dict[str, str] = {}
        self.intent: str | None = None
        self.wishes: dict[str, str] = {}
        self.carried: dict[str, SurfaceForm] = {}
        self.untold: list[str] = []
        self.fallback: dict[str, str] = {}
        self.corrections: list[str] | None = None
        self.results: tuple[Item, ...] = ()
        self.shown = 0
        self.item: Item = {}
        self.several: tuple[Item, ...] = ()
        self.stated: set[str] = set()
        self.requests = int(self._table.choose("requests", rng))
        self.alternatives = int(self._table.choose("alternatives", rng))
        if kind == REFUSED and not provider.refuses:
            self.kind = OVER
        self.calls = self._chain()
        self.wanted = tuple(call.name for call in self.calls)
        self._place = 0
        self._elsewhere = self._meant(memory, world.concepts[provider.name])
        self._carry()
        self._target = self._choose_target()
        self._consider(self.call)
        if self.kind == OVER:
            self._block()

    # --- the goal ------------------------------------------------------------------------------

    @property
    def call(self) -> ServiceCall:
        """The call at hand."""
        return self.calls[self._place]

    @property
    def next(self) -> ServiceCall | None:
        """The goal's call after it, if any."""
        after = self._place + 1
        return self.calls[after] if after < len(self.calls) else None

    def _chain(self) -> list[ServiceCall]:
        rng, provider = self._rng, self.provider
        books = [call for call in provider.calls.values() if call.books]
        if self.kind == REFUSED:
            books = [call for call in books if call.scarce is not None]
        if books and self.kind != OVER and self._yes("direct"):
            return [rng.choice(books)]
        chain = [rng.choice(provider.first)]
        while len(chain) < LONGEST:
            after = [call for call in provider.after(chain[-1]) if call not in chain]
            if not after or not (self.kind == REFUSED or self._yes("follow")):
                break
            if self.kind == REFUSED:
                after = [call for call in after if call.scarce is not None] or after
            chain.append(rng.choice(after))
        return chain

    def _yes(self, state: str) -> bool:
        return self._table.choose(state, self._rng) == "yes"

    def _meant(self, memory: Memory, concepts: Mapping[str, str]) -> dict[str, SurfaceForm]:
        first: dict[str, str] = {}
        for name in (name for call in self.calls for name in call.inputs):
            if name in concepts:
                first.setdefault(concepts[name], name)
        return {name: memory[each] for each, name in first.items() if each in memory}

    def _carry(self) -> None:
        """Take over values of other services that some row has; the others remain wishes."""
        for name in self.call.inputs:
            form = self._elsewhere.get(name)
            if form is None or name == self.call.scarce or not self._fits(name, form.canonical):
                continue
            if self._yes("carry"):
                self.carried[name] = form
            elif name not in self.provider.open:  # the user says it again
                self.wishes[name] = form.canonical

    def _fits(self, name: str, value: str) -> bool:
        if name not in self.provider.open:
            return any(self.provider.having(self._same() | {name: value}))
        return self.provider.slots[name].kind == "short text" or value in self._possible(name)

    def _same(self) -> Row:
        values = self.wishes | {name: form.canonical for name, form in self.carried.items()}
        return {name: values[name] for name in values if name not in self.provider.open}

    def _choose_target(self) -> Row:
        rows = list(self.provider.having(self._same()))
        return self._rng.choice(rows) if rows else {}

    def _consider(self, call: ServiceCall) -> None:
        self.untold = []
        self.corrections = None
        for name in call.intent.optional:
            if name in self.known or name in self.carried:
                continue
            cares = self._table.choose("optional", self._rng)
            if cares == "yes":
                self.untold.append(name)
                self.wish(name)
            elif cares == "any" and name not in call.defaults and not call.books:
                self.untold.append(name)
                self.wishes[name] = ANYTHING
        if self.kind == AMBIGUOUS and not call.books and not self.untold:
            free = [name for name in call.intent.optional if name not in self.known]
            self.untold = free[:1]
            for name in self.untold:
                self.wish(name)

    def _block(self) -> None:
        """Make the goal over-constrained; where every value has a row, make it ambiguous."""
        target, optional = self._target, list(self.untold)
        more = [n for n in self.call.intent.optional if n in target and n not in optional]
        while not self._blocked(optional):
            if not more:
                self.kind = AMBIGUOUS if optional else HAPPY
                return
            optional.append(more.pop(self._rng.below(len(more))))
        for name in optional:
            if name not in self.untold:
                self.untold.append(name)
                self.wish(name)

    def _blocked(self, optional: Iterable[str]) -> bool:
        """Change a key or `optional` value so that no row fits; True (and a fallback) if found."""
        target, provider = self._target, self.provider
        names = [name for name in (*self.call.key, *optional) if name in target]
        needs = {name: target[name] for name in names if self.wishes.get(name) != ANYTHING}
        free = [name for name in needs if name not in self.carried]
        while free:
            name = free.pop(self._rng.below(len(free)))
            values = provider.slots[name].values
            start = self._rng.below(len(values))
            for value in (*values[start:], *values[:start]):
                query = needs | {name: value}
                if value not in needs.values() and not any(provider.having(query)):
                    self.wishes[name], self.fallback = value, {name: target[name]}
                    return True
        return False

    def wish(self, name: str) -> str:
        """Return the goal's value of a slot, drawn at the first use."""
        value = self.wishes.get(name)
        if value is None or (value == ANYTHING and name in self.call.intent.required):
            value = self.wishes[name] = self._draw(name)
        return value

    def _draw(self, name: str) -> str:
        if name not in self.provider.open and name in self._target:
            return self._target[name]
        values = self._possible(name)
        if name == self.call.scarce:
            bookings = self.taken()
            values = [v for v in values if (v in bookings) == (self.kind == REFUSED)] or values
        form = self._elsewhere.get(name)
        if form and (form.canonical in values or self.provider.slots[name].kind == "short text"):
            return str(form.canonical)
        return self._rng.choice(values)

    def taken(self) -> frozenset[str]:
        """Return the values of the scarce slot that are taken for the row of the goal."""
        bookings = self.provider.booked.get(self.call.name, {})
        thing = tuple([self.known.get(key) or self.wish(key) for key in self.call.key])
        return bookings.get(thing, frozenset())

    def _possible(self, name: str) -> list[str]:
        """Return a slot's possible values; those of a first date leave room for a later second."""
        slot = self.provider.slots[name]
        values = list(slot.values) or [name]
        if slot.kind not in ("date", "time") or name not in self.provider.open:
            return values
        inputs = self.provider.slots if slot.kind == "date" else self.call.inputs
        like = [
            other
            for other in inputs
            if self.provider.slots[other].kind == slot.kind and other in self.provider.open
        ]
        if len(like) < 2 or name not in like:
            return values
        place = like.index(name)
        before = [self.known.get(o) or self.wishes.get(o) or "" for o in like[:place]]
        after = [self.known.get(o) or self.wishes.get(o) or "" for o in like[place + 1 :]]
        least, most = max(before, default=""), min(filter(None, after), default="")
        fitting = [v for v in values if v > least and (not most or v < most)]
        return fitting[: max(1, len(fitting) * 2 // 3)] or values

    # --- the state -----------------------------------------------------------------------------

    def missing(self, call: ServiceCall) -> list[str]:
        """Return the required slots of a call without a value."""
        values = self.known
        return [name for name in call.intent.required if values.get(name, ANYTHING) == ANYTHING]

    def tellable(self, call: ServiceCall) -> list[str]:
        """Return the slots that the user could give for a call without being asked."""
        return [*self.missing(call), *(self.untold if self.kind != AMBIGUOUS else ())]

    def learned(self, name: str) -> str | None:
        """Return a slot's value if the user gave it, or heard it about the result at hand."""
        fact = str(self.item[name]) if name in self.stated and name in self.item else None
        return self.known.get(name, fact)

    def set_value(self, slot: SlotOf, form: SurfaceForm) -> None:
        """Put a slot's value into the state, with other texts of the same value."""
        name = slot.name
        old: tuple[Value, ...] = ()
        if self.known.get(name) == form.canonical and not slot.categorical:
            old = self.values.get(name, ())
        if form.text not in old:
            self.values = {**self.values, name: tuple(sorted((*map(str, old), form.text)))}
        self.known[name] = form.canonical
        if name in self.untold:
            self.untold.remove(name)

    def parameters(self) -> dict[str, str]:
        """Return the inputs of the present call with their values, sorted by name."""
        call, values = self.call, self.known
        entries = {name: values[name] for name in call.inputs if name in values}
        if call.books:
            entries = {**call.defaults, **entries}
        return {name: entries[name] for name in sorted(entries) if entries[name] != ANYTHING}

    def begin(self) -> list[str]:
        """Begin the first call; return the slots whose values come from other services."""
        self.intent = self.call.name
        for name, form in self.carried.items():
            self.wishes[name] = form.canonical
            self.set_value(self.provider.slots[name], form)
        return list(self.carried)

    def advance(self) -> None:
        """Begin the next call."""
        self._place += 1
        self.intent = self.call.name
        self.fallback = {}
        self._consider(self.call)

    def stop(self) -> None:
        """Drop the calls that are left in the goal."""
        del self.calls[self._place + 1 :]

    def select(self, offered: Iterable[tuple[SlotOf, tuple[SurfaceForm, ...]]]) -> None:
        """Take an offer: put those of its slots that calls require into the state."""
        needed = {name for call in self.provider.calls.values() for name in call.intent.required}
        for slot, (form,) in offered:
            if slot.name in needed:
                self.set_value(slot, form)
        self._target = {**self._target, **{name: str(v) for name, v in self.item.items()}}
        for name in list(self.wishes):
            if name not in self.known and name in self._target and name not in self.provider.open:
                del self.wishes[name]

    def askable(self) -> list[str]:
        """Return the slots that the user may ask about; none while several results are offered."""
        if self.several:
            return []
        names = self.item or (self.call.intent.results if self.call.books else ())
        facts = self.known.keys() | self.stated
        if self.call.books:
            facts |= self.call.defaults.keys()
        return [name for name in names if name not in facts]

    def correctable(self) -> list[str]:
        """Return the slots that the user corrects when asked to confirm; drawn once a call."""
        if self.corrections is None:
            self.corrections = [n for n in self.untold if self.wish(n) != self.call.defaults.get(n)]
            if not self.corrections and self._yes("change"):
                self.corrections = self._change()
        return self.corrections

    def _change(self) -> list[str]:
        own = self.provider.open - self._elsewhere.keys()
        free = [name for name in self.call.inputs if name in own]
        changed = []
        for name in self._rng.shuffle(free)[: int(self._table.choose("changed", self._rng))]:
            scarce = name == self.call.scarce
            now = {self.known.get(name) or self.call.defaults.get(name)}
            out = now | self.taken() if scarce else now
            others = [value for value in self._possible(name) if value not in out]
            if others and not (scarce and self.kind == REFUSED):
                self.wishes[name] = self._rng.choice(others)
                changed.append(name)
        return changed

    def others(self) -> Iterator[tuple[str, str]]:
        """Yield slots of the search with values that would lead to other results."""
        if self.kind not in (HAPPY, REFUSED) or self.call.books:
            return
        goals = {name: self.wishes.get(name, ANYTHING) for name in self.untold}
        inputs = {n: v for n, v in self.parameters().items() if n not in self.provider.open}
        same = inputs | {name: value for name, value in goals.items() if value != ANYTHING}
        for name in [name for name in inputs if name not in self._elsewhere]:
            for value in self.provider.slots[name].values:
                if value != inputs[name] and any(self.provider.having({**same, name: value})):
                    yield name, value

    def refine(self) -> list[str]:
        """Return a slot that the user gives to have other results: a new one, or a changed one."""
        others = list(self.others())
        if others and not (self.untold and self._rng.once_in(2)):
            name, self.wishes[name] = self._rng.choice(others)
            return [name]
        return self.untold[:1]

    @property
    def unsatisfied(self) -> bool:
        """True if the results do not meet the goal, and slots of it are still to be given."""
        open_still = len(self.results) > 1 if self.kind == AMBIGUOUS else bool(self.fallback)
        return open_still and bool(self.untold)
