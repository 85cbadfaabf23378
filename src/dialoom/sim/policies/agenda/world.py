"""State shared by all dialogues of a run: services, knowledge base, automaton, words.

world = World(tasks, seed=7, metadata={})
world.providers["Tables_1"].rows
world.concepts("Tables_1")["town"]    # "city"
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

from dialoom.dialogue import SYSTEM, USER
from dialoom.schema.act_wording import wording
from dialoom.schema.service_words import domain_of
from dialoom.schema.services import contract
from dialoom.schema.task import TaskSchema
from dialoom.schema.values.forms import SurfaceForm
from dialoom.sim.policies.agenda import table
from dialoom.sim.policies.agenda.backend import Backend
from dialoom.sim.policies.agenda.phrases import Drafts, Phrasebook
from dialoom.sim.policies.agenda.provider import Provider, Row
from dialoom.sim.policies.agenda.slots import NO_METADATA, ServiceMetadata, SlotOf


class World:
    """State shared by all dialogues of a run.

    Args:
        metadata: Service to the metadata of its pack.
        things: Service to its rows; drawn if None.

    Attributes:
        providers: The services by name.
        books: Service to its phrases.
        drafts: Side to its ways of wording turns.
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
        self._concepts: dict[str, dict[str, str]] = {}
        for task in tasks:
            known = metadata.get(task.id, NO_METADATA)
            own = None if things is None else things.get(task.id, ())
            provider = Provider(task, seed, known, own)
            self.providers[task.id] = provider
            self._after[task.id] = known.goes_with
            words = wording(task.language)
            self.books[task.id] = Phrasebook(provider, contract(task), words, known)
            self.drafts = {side: Drafts(side, words, task.language) for side in (USER, SYSTEM)}
            self._concepts[task.id] = {
                name: concept
                for name, slot in provider.slots.items()
                if (concept := _concept(slot, known, self.books[task.id])) is not None
            }
        self.backend = Backend(self.providers.values(), seed)

    def concepts(self, service: str) -> Mapping[str, str]:
        """Return slot to concept, for the slots of a service that have one."""
        return self._concepts[service]

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
    named = set(slot.name.replace("_", " ").lower().split())
    for concept in book.wording.concepts:
        if named & concept.words and not named & concept.without:
            return concept.name
    return None
