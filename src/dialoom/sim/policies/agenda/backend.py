"""Search and booking over the rows of services; bookings last for one dialogue.

    backend = Backend(providers, seed=7)
    with backend.dialogue():
        backend.call(provider, call, {"town": "Ostby"})     # ({"place_name": "Copper Pan", …}, …)

A search compares the slots that are columns of the rows; a result has the requested values in the
open slots. A booking of a row taken at the same time is refused, with an empty result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from itertools import islice

from dialoom.dialogue import Dialogue, Query, Result
from dialoom.dialogue.event import Item
from dialoom.schema.service import ANYTHING
from dialoom.sim.policies.agenda.provider import Provider, ServiceCall

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
            for name, held in provider.booked.items()
            for thing, values in held.items()
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

    def call(self, provider: Provider, call: ServiceCall, given: Parameters) -> tuple[Item, ...]:
        """Make a call, and return its results: none after a failure."""
        if not call.books:
            wanted = {name: value for name, value in given.items() if name not in provider.open}
            rows = list(islice(provider.having(wanted), MOST)) if provider.rows else [{}]
            return tuple([self._item(provider, call, given, row) for row in rows])
        key = [given.get(name, "") for name in call.key]
        if call.scarce is not None:
            taken = (provider.name, call.name, *key, given.get(call.scarce, ""))
            if taken in self._booked or taken in self._new:
                return ()
            self._new.add(taken)
        thing = provider.having(dict(zip(call.key, key, strict=True))) if call.key else ()
        return (self._item(provider, call, given, next(iter(thing), {})),)

    def _item(
        self, provider: Provider, call: ServiceCall, given: Parameters, row: Parameters
    ) -> Item:
        """Return a call's result for a row: its columns, and the requested values in open slots."""
        item: Item = {}
        for name in call.intent.results:
            value = given.get(name) or row.get(name) or call.defaults.get(name)
            item[name] = value or self._any(provider, name, {**row, **given})
        return item

    def _any(self, provider: Provider, name: str, inputs: Parameters) -> str:
        """Return a value for a slot without one: the same for the same request."""
        values = provider.slots[name].values
        if not values:
            return ANYTHING
        asked = ascii((self._seed, provider.name, name, sorted(inputs.items()))).encode()
        place = int.from_bytes(blake2b(asked, digest_size=8).digest(), "little")
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
                given = {each.slot: str(each.value) for each in event.constraints}
                items = backend.call(provider, provider.calls[event.api], given)
                yield event.id, results[event.id].items, items
