"""State shared by all dialogues of a run: services, knowledge base, automaton, words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from itertools import accumulate, islice

from dialoom.dialogue import SYSTEM, USER, Dialogue, Query, Result
from dialoom.dialogue.event import Item
from dialoom.schema.act_wording import wording
from dialoom.schema.service import ANYTHING
from dialoom.schema.service_words import domain_of
from dialoom.schema.services import contract
from dialoom.schema.task import TaskSchema
from dialoom.schema.values.forms import SurfaceForm
from dialoom.sim.policies.agenda import table
from dialoom.sim.policies.agenda.phrases import Drafts, Phrasebook
from dialoom.sim.policies.agenda.provider import Provider, Row, ServiceCall
from dialoom.sim.policies.agenda.slots import NO_METADATA, ServiceMetadata, SlotOf

MOST = 10
"""Most results of a search, as in SGD."""

Parameters = Mapping[str, str]
"""Input of a call to its value."""


class Backend:
    """The services' knowledge base and bookings; `seed` gives values that no row has."""

    def __init__(self, providers: Iterable[Provider], seed: int) -> None:
        self._seed = seed
        self._booked = {
            (provider.name, name, *thing, value)
            for provider in providers
            for name, things in provider.booked.items()
            for thing, values in things.items()
            for value in values
        }
        self._new: set[tuple[str, ...]] = set()

    @contextmanager
    def dialogue(self) -> Iterator[None]:
        """Take the bookings of one dialogue, and undo them at its end."""
        self._new.clear()
        try:
            yield
        finally:
            self._new.clear()

    def call(self, provider: Provider, call: ServiceCall, inputs: Parameters) -> tuple[Item, ...]:
        """Make a call, and return its results: none after a failure."""
        if not call.books:
            filters = {name: value for name, value in inputs.items() if name not in provider.open}
            rows = list(islice(provider.having(filters), MOST)) if provider.rows else [{}]
            return tuple([self._item(provider, call, inputs, row) for row in rows])
        key = [inputs.get(name, "") for name in call.key]
        if call.scarce is not None:
            booking = (provider.name, call.name, *key, inputs.get(call.scarce, ""))
            if booking in self._booked or booking in self._new:
                return ()
            self._new.add(booking)
        thing = provider.having(dict(zip(call.key, key, strict=True))) if call.key else ()
        return (self._item(provider, call, inputs, next(iter(thing), {})),)

    def _item(
        self, provider: Provider, call: ServiceCall, inputs: Parameters, row: Parameters
    ) -> Item:
        item: Item = {}
        for name in call.intent.results:
            value = inputs.get(name) or row.get(name) or call.defaults.get(name)
            item[name] = value or self._any(provider, name, {**row, **inputs})
        return item

    def _any(self, provider: Provider, name: str, inputs: Parameters) -> str:
        values = provider.slots[name].values
        if not values:
            return ANYTHING
        key = ascii((self._seed, provider.name, name, sorted(inputs.items()))).encode()
        place = int.from_bytes(blake2b(key, digest_size=8).digest(), "little")
        return values[place % len(values)]


def replayed(
    backend: Backend, providers: Mapping[str, Provider], dialogue: Dialogue
) -> Iterator[tuple[str, tuple[Item, ...], tuple[Item, ...]]]:
    """Repeat a dialogue's calls; yield each query's id, its recorded and its new results."""
    results = {e.query: e for e in dialogue.events if isinstance(e, Result)}
    with backend.dialogue():
        for event in dialogue.events:
            if isinstance(event, Query):
                provider = providers[event.service or ""]
                inputs = {each.slot: str(each.value) for each in event.constraints}
                items = backend.call(provider, provider.calls[event.api], inputs)
                yield event.id, results[event.id].items, items


class World:
    """State shared by all dialogues of a run.

    Args:
        metadata: Service to the metadata of its pack.
        things: Service to its rows; drawn if None.

    Attributes:
        providers: The services by name.
        books: Service to its phrases.
        drafts: Side to its ways of wording turns.
        concepts: Service to slot to concept, for the slots that have one.
    """

    def __init__(
        self,
        tasks: Iterable[TaskSchema],
        seed: int,
        metadata: Mapping[str, ServiceMetadata],
        things: Mapping[str, Sequence[Row]] | None = None,
    ) -> None:
        self.seed = seed
        self.table = table.load()
        self.providers: dict[str, Provider] = {}
        self.books: dict[str, Phrasebook] = {}
        self.drafts: dict[str, Drafts] = {}
        self._sums: dict[tuple[str, tuple[SurfaceForm, ...], str], list[int]] = {}
        self._after: dict[str, tuple[str, ...] | None] = {}
        self.concepts: dict[str, dict[str, str]] = {}
        for task in tasks:
            details = metadata.get(task.id, NO_METADATA)
            own = None if things is None else things.get(task.id, ())
            provider = Provider(task, seed, details, own)
            self.providers[task.id] = provider
            self._after[task.id] = details.goes_with
            words = wording(task.language)
            self.books[task.id] = Phrasebook(provider, contract(task), words, details)
            self.drafts = {side: Drafts(side, words, task.language) for side in (USER, SYSTEM)}
            self.concepts[task.id] = {
                name: concept
                for name, slot in provider.slots.items()
                if (concept := _concept(slot, details, self.books[task.id])) is not None
            }
        self.backend = Backend(self.providers.values(), seed)

    def sums(self, slot: SlotOf, value: str, side: str) -> list[int]:
        """Return the summed weights with which a side chooses among the forms of a value."""
        key = slot.kind, slot.ways(value), side
        if key not in self._sums:
            words = next(iter(self.books.values())).wording
            weights = [words.weight(slot.kind, form.text, side) for form in slot.ways(value)]
            self._sums[key] = list(accumulate(weights if any(weights) else [1] * len(weights)))
        return self._sums[key]

    def leads(self, service: str, other: str) -> bool:
        """Return True if another service may come after a service in a dialogue."""
        after = self._after[service]
        domain = domain_of(other)
        return domain != domain_of(service) if after is None else domain in after

    def companions(self, services: Sequence[str]) -> list[str]:
        """Return the services that go with each of some services, before or after it."""
        return [
            other
            for other in self.providers
            if all(self.leads(each, other) or self.leads(other, each) for each in services)
        ]


def _concept(slot: SlotOf, metadata: ServiceMetadata, book: Phrasebook) -> str | None:
    if metadata.concepts:
        return next((name for name, slots in metadata.concepts.items() if slot.name in slots), None)
    tokens = set(slot.name.replace("_", " ").lower().split())
    for concept in book.wording.concepts:
        if tokens & concept.words and not tokens & concept.without:
            return concept.name
    return None
