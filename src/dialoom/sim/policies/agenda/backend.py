"""The knowledge base behind the services: what calls find, and what they change.

    backend = Backend(providers, seed=7)
    with backend.dialogue("1_00000"):                       # put back at the end
        backend.call(provider, call, {"town": "Ostby"})     # ({"place_name": "Copper Pan", …}, …)

Slots are columns of tables, though not under their own names, which may be anything. A search is
on what the service has; what is open comes back as it was asked for. A booking is refused where
somebody has the same thing at the same time; it then returns nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b

from dialoom.dialogue import Constraint, Dialogue, Query, Result
from dialoom.dialogue.event import Item
from dialoom.kb import KnowledgeBase, Snapshot
from dialoom.schema.call import Call as Effect
from dialoom.schema.call import Column, Table
from dialoom.schema.task import TaskSchema
from dialoom.sim.policies.agenda.provider import Call, Provider
from dialoom.sim.policies.agenda.slots import ANYTHING

MOST = 10
"""Results a search returns at most, as SGD's do."""

SPARE = "spare"
"""A column that every table has: a table has one at least, a service need not have a slot."""

Parameters = Mapping[str, str]


class Backend:
    """One knowledge base for several services.

    Attributes:
        base: The knowledge base.
    """

    def __init__(self, providers: Iterable[Provider], seed: int) -> None:
        self.base = KnowledgeBase()
        self._seed = seed
        self._columns: dict[str, dict[str, str]] = {}
        self._names: dict[tuple[str, str], str] = {}
        self._conditions: dict[tuple[str, str], Constraint] = {}
        tables: dict[str, Table] = {}
        effects: dict[str, Effect] = {}
        filled: dict[str, dict[int, Item]] = {}
        for number, provider in enumerate(providers):
            self._add(f"s{number}", provider, tables, effects, filled)
        self.base.populate(TaskSchema(id="", tables=tables, calls=effects), seed)
        self.base.restore(Snapshot(filled))

    def _add(
        self,
        table: str,
        provider: Provider,
        tables: dict[str, Table],
        effects: dict[str, Effect],
        filled: dict[str, dict[int, Item]],
    ) -> None:
        columns = {name: f"c{place}" for place, name in enumerate(provider.slots)}
        self._columns[provider.name] = columns
        fields = {name: Column(name=column, values=("",)) for name, column in columns.items()}
        spare = Column(name=SPARE, values=("",))
        tables[table] = Table(name=table, rows=0, columns=(*fields.values(), spare))
        empty = dict.fromkeys((*columns.values(), SPARE))
        filled[table] = {
            place: {**empty, **{columns[name]: value for name, value in row.items()}}
            for place, row in enumerate(provider.rows, 1)
        }
        inputs = tuple(fields.values())
        effects[table] = Effect(api=table, effect="search", table=table, inputs=inputs)
        self._names[provider.name, ""] = table
        for place, call in enumerate(provider.calls.values()):
            if call.scarce is None:
                continue
            name = f"{table}b{place}"
            key = (*call.key, call.scarce)
            held = tuple(fields[slot] for slot in key)
            tables[name] = Table(name=name, rows=0, columns=held)
            effects[name] = Effect(
                api=name,
                effect="book",
                table=name,
                key=tuple(column.name for column in held),
                inputs=held,
            )
            self._names[provider.name, call.name] = name
            taken = (
                (*thing, value)
                for thing, values in provider.booked[call.name].items()
                for value in sorted(values)
            )
            filled[name] = {
                row: dict(zip((column.name for column in held), values, strict=True))
                for row, values in enumerate(taken, 1)
            }

    @contextmanager
    def dialogue(self, name: str) -> Iterator[None]:
        """Give a dialogue the knowledge base as it is; put everything back at its end."""
        with self.base.dialogue(name):
            yield

    def call(self, provider: Provider, call: Call, given: Parameters) -> tuple[Item, ...]:
        """Do what a call does, and return what came of it: nothing where it failed."""
        if not call.books:
            return self._search(provider, call, given)
        if call.scarce is not None:
            key = (*call.key, call.scarce)
            asked = [self._equal(provider, slot, given.get(slot, "")) for slot in key]
            if self.base.call(self._names[provider.name, call.name], asked).outcome != "done":
                return ()
        thing = self._rows(provider, {name: given.get(name, "") for name in call.key}, 1)
        return (self._item(provider, call, given, thing[0] if thing and call.key else {}),)

    def _search(self, provider: Provider, call: Call, given: Parameters) -> tuple[Item, ...]:
        wanted = {name: value for name, value in given.items() if name not in provider.open}
        rows = self._rows(provider, wanted, MOST) if provider.rows else [{}]
        return tuple([self._item(provider, call, given, row) for row in rows])

    def _rows(self, provider: Provider, wanted: Parameters, most: int) -> list[Item]:
        asked = [self._equal(provider, *pair) for pair in wanted.items()]
        answer = self.base.call(self._names[provider.name, ""], asked, limit=most)
        columns = self._columns[provider.name]
        return [
            {name: row[column] for name, column in columns.items() if column in row}
            for row in answer.items
        ]

    def _equal(self, provider: Provider, slot: str, value: str) -> Constraint:
        column = self._columns[provider.name][slot]
        found = self._conditions.get((column, value))
        if found is None:
            found = Constraint(column, "equal", (value,))
            self._conditions[column, value] = found
        return found

    def _item(self, provider: Provider, call: Call, given: Parameters, row: Parameters) -> Item:
        """Return what a call tells of a thing: its properties, and what is open as asked for."""
        item: Item = {}
        for name in call.intent.results:
            value = given.get(name) or row.get(name) or call.defaults.get(name)
            item[name] = value or self._any(provider, name, {**row, **given})
        return item

    def _any(self, provider: Provider, name: str, told: Parameters) -> str:
        """Return a value that nothing tells of: the same one whenever the same is asked."""
        values = provider.slots[name].values
        if not values:
            return ANYTHING
        asked = ascii((self._seed, provider.name, name, sorted(told.items()))).encode()
        place = int.from_bytes(blake2b(asked, digest_size=8).digest(), "little")
        return values[place % len(values)]


def replayed(
    backend: Backend, providers: Mapping[str, Provider], dialogue: Dialogue
) -> Iterator[tuple[str, tuple[Item, ...], tuple[Item, ...]]]:
    """Make a dialogue's calls again; yield each query's id, what was recorded and what comes now.

    Args:
        backend: A knowledge base with what the dialogue began with.
        providers: The services by name.
        dialogue: The dialogue, from the simulator or read back.
    """
    results = {e.query: e for e in dialogue.events if isinstance(e, Result)}
    with backend.dialogue(dialogue.id):
        for event in dialogue.events:
            if isinstance(event, Query):
                provider = providers[event.service or ""]
                given = {each.slot: str(each.value) for each in event.constraints}
                items = backend.call(provider, provider.calls[event.api], given)
                yield event.id, results[event.id].items, items
