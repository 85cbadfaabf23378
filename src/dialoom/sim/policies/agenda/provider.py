"""A service ready for simulation: its slots, its calls and its rows.

    provider = Provider(task, seed=7, metadata=NO_METADATA)
    provider.rows[0]            # {"town": "Ostby", "place_name": "Copper Pan", …}
    provider.first              # the intents that a user may begin with

A schema has the slots that a call takes and returns, but no rows. Here a slot is either a column of
the rows (a restaurant's town) or open, for the user to choose (a party size, a day). The schema
alone decides. Open are dates and times that a search requires, options with a default in a search,
numbers that a booking takes and a search does not require, and slots that only a booking takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from dialoom.schema.service import ANYTHING, Service, ServiceIntent
from dialoom.schema.services import contract
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.agenda.slots import ServiceMetadata, SlotOf, read_slots

Row = dict[str, str]

GROUPS, EACH, TRIES = 24, 12, 4
"""Most combinations of values that searches require; most rows of each (SGD's searches return 10 at
most, so that some find more); most draws of a row until one is new."""

TAKEN = 3
"""One in so many values of the scarce slot is taken for a row at the start of a dialogue."""

TAKEN_MOST = 8
"""Most values of the scarce slot that are taken for a row at the start."""


@dataclass(frozen=True, eq=False)
class ServiceCall:
    """An intent of a service, which is a call of the same name.

    `inputs` begin with the required slots; `defaults` maps optional slots to values; `key` are the
    required slots that are columns and select the row. Each value of `scarce` can be booked only
    once for a row.
    """

    name: str
    intent: ServiceIntent
    inputs: tuple[str, ...]
    defaults: Mapping[str, str]
    key: tuple[str, ...]
    scarce: str | None

    @property
    def books(self) -> bool:
        """True if it is transactional: it books, and does not search."""
        return self.intent.transactional


class Provider:
    """One service.

    Args:
        metadata: Additions of its pack to the schema.
        things: Its rows, if known; then none of them is taken.

    Attributes:
        open: The slots that the user chooses rather than columns of the rows.
    """

    def __init__(
        self,
        task: TaskSchema,
        seed: int,
        metadata: ServiceMetadata,
        things: Sequence[Row] | None = None,
    ) -> None:
        service = contract(task)
        self.name, self.language, self.seed = task.id, task.language, seed
        self._facts = metadata.facts
        self.slots: dict[str, SlotOf] = read_slots(service, task.language, metadata)
        self.intents = service.intents
        self.open = frozenset(_open(service, self.slots)) | (metadata.varies & self.slots.keys())
        self.calls = {intent.name: self._call(intent) for intent in service.intents}
        self._drawn = things is None
        self.rows = self._draw() if things is None else list(self._distinct(things))

    @property
    def refuses(self) -> bool:
        """True if a booking can be refused."""
        return any(call.scarce is not None for call in self.calls.values())

    @cached_property
    def first(self) -> tuple[ServiceCall, ...]:
        """The calls that a user begins with: searches that need no result of another search."""
        searches = [call for call in self.calls.values() if not call.books]
        alone = [call for call in searches if not any(_leads(o, call) for o in searches)]
        return tuple(alone or searches or self.calls.values())

    def after(self, call: ServiceCall) -> tuple[ServiceCall, ...]:
        """Return the possible calls after a search: searches that use its results, and bookings.

        Only bookings that share most inputs with the search are returned: no one-way trip after a
        search for a round trip.
        """
        if call.books:
            return ()
        columns = {*call.intent.results, *call.inputs}
        following = (o for o in self.calls.values() if o.books or _leads(call, o))
        fitting = [other for other in following if columns.issuperset(other.key)]
        needs = set(call.intent.required)
        most = max((len(needs.intersection(o.inputs)) for o in fitting if o.books), default=0)
        return tuple(
            other
            for other in fitting
            if not other.books or len(needs.intersection(other.inputs)) == most
        )

    def having(self, filters: Mapping[str, str]) -> Iterator[Row]:
        """Return the rows that have all the given values, one after the other."""
        values = filters.items()
        return (row for row in self.rows if values <= row.items())

    def _call(self, intent: ServiceIntent) -> ServiceCall:
        required = tuple(dict.fromkeys(intent.required))
        scarce = None
        if intent.transactional:
            searched = {n for i in self.intents if not i.transactional for n in i.inputs}
            free = [name for name in required if name in self.open and name not in searched]
            timed = [name for name in free if self.slots[name].kind == "time"]
            dated = [name for name in free if self.slots[name].kind == "date"]
            scarce = next(iter((*timed, *dated)), None)
        return ServiceCall(
            name=intent.name,
            intent=intent,
            inputs=intent.inputs,
            defaults={
                name: str(value)
                for name, value in intent.optional.items()
                if str(value) != ANYTHING
            },
            key=tuple(name for name in required if name not in self.open),
            scarce=scarce,
        )

    # --- rows ----------------------------------------------------------------------------------

    def _distinct(self, things: Iterable[Row]) -> Iterator[Row]:
        keys = set()
        for thing in things:
            row = {name: value for name, value in thing.items() if name not in self.open}
            key = tuple(sorted(row.items()))
            if row and key not in keys:
                keys.add(key)
                yield row

    def _draw(self) -> list[Row]:
        rng = SeededRng(seed_of(self.seed, 0), f"rows of {self.name}".encode())
        searches = [call for call in self.calls.values() if not call.books]
        columns = [name for name in self.slots if name not in self.open]
        if not columns:
            return []
        keys = [call.key for call in self.calls.values() if call.books and call.key]
        shared = min((call.key for call in searches), key=len, default=())
        many = EACH if self._several(searches) else 1
        rows: list[Row] = []
        uses: dict[tuple[str, ...], set[tuple[str, ...]]] = {key: set() for key in keys}
        uses.setdefault(tuple(columns), set())
        for group in self._groups(shared, rng):
            for _ in range(1 + rng.below(many)):
                row = self._fresh(columns, group, uses, rng)
                if row is not None:
                    rows.append(row)
        return rows

    def _several(self, searches: Iterable[ServiceCall]) -> bool:
        """Return True if several rows can fit a search: a result has a name, a time or a date."""
        for call in searches:
            for name in call.intent.results:
                slot = self.slots[name]
                is_label = slot.kind in ("short text", "time", "date")
                if is_label and name not in call.inputs and name not in self.open:
                    return True
        return not searches

    def _groups(self, shared: tuple[str, ...], rng: SeededRng) -> Iterator[Row]:
        keys: set[tuple[str, ...]] = set()
        for _ in range(GROUPS if shared else 1):
            group: Row = {}
            for name in shared:
                free = [v for v in self.slots[name].values if v not in group.values()]
                group[name] = rng.choice(free or self.slots[name].values)
            key = tuple(group.values())
            if key not in keys:
                keys.add(key)
                yield group
        if not shared:
            yield from ({} for _ in range(GROUPS // 8))

    def _fresh(
        self,
        columns: list[str],
        group: Row,
        uses: dict[tuple[str, ...], set[tuple[str, ...]]],
        rng: SeededRng,
    ) -> Row | None:
        for _ in range(TRIES):
            row = dict(group)
            for name in columns:
                if name not in row:
                    values = self.slots[name].values
                    row[name] = rng.choice(self._agreeing(name, values, row) or values)
                facts = self._facts.get(name, {}).get(row[name], {})
                row |= {other: facts[other] for other in facts if other in columns}
            self._put_in_order(row)
            entries = {key: tuple([row[name] for name in key]) for key in uses}
            if all(entries[key] not in used for key, used in uses.items()):
                for key, used in uses.items():
                    used.add(entries[key])
                return row
        return None

    def _agreeing(self, name: str, values: Iterable[str], row: Row) -> list[str]:
        facts = self._facts.get(name)
        if not facts:
            return list(values)
        return [
            value
            for value in values
            if value not in facts
            or all(row.get(other, each) == each for other, each in facts[value].items())
        ]

    def _put_in_order(self, values: Row) -> None:
        for kind in ("time", "date"):
            both = [name for name in values if self.slots[name].kind == kind]
            if len(both) == 2 and values[both[0]] > values[both[1]]:
                one, two = both
                values[one], values[two] = values[two], values[one]

    @cached_property
    def booked(self) -> dict[str, dict[tuple[str, ...], frozenset[str]]]:
        """Call to the key of a row to the values of the scarce slot that are taken for it."""
        bookings: dict[str, dict[tuple[str, ...], frozenset[str]]] = {}
        for call in self.calls.values():
            if call.scarce is None or not self._drawn:
                continue
            rng = SeededRng(seed_of(self.seed, 1), f"{call.name} of {self.name}".encode())
            values = self.slots[call.scarce].values
            occupancy = bookings[call.name] = {}
            for row in self.rows or [{}]:
                key = tuple([row[name] for name in call.key])
                if key not in occupancy:
                    many = min(TAKEN_MOST, max(1, len(values) // TAKEN))
                    picks = {rng.choice(values) for _ in range(many)}
                    occupancy[key] = frozenset(picks if len(picks) < len(values) else ())
        return bookings


def _leads(call: ServiceCall, other: ServiceCall) -> bool:
    """Return True if a call returns a required column of another one that it does not take."""
    columns = set(call.intent.results) - set(call.inputs)
    return call is not other and not columns.isdisjoint(other.key)


def _open(service: Service, slots: Mapping[str, SlotOf]) -> Iterator[str]:
    searches = [intent for intent in service.intents if not intent.transactional]
    books = [intent for intent in service.intents if intent.transactional]
    needed = {name for intent in searches for name in intent.required}
    returned = {name for intent in searches for name in intent.results} | needed
    offered = {name: value for intent in searches for name, value in intent.optional.items()}
    demands = {name for intent in books for name in intent.inputs}
    for name, slot in slots.items():
        is_count = name in offered and name in demands and slot.counts and name not in needed
        timed = name in needed and slot.kind in ("date", "time")
        default = name in offered and str(offered[name]) != ANYTHING
        if is_count or timed or default or (name in demands and name not in returned):
            yield name
