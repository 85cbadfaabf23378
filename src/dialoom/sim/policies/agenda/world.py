"""All that the dialogues of a run share: services, knowledge base, automaton, words.

world = World(tasks, seed=7, metadata={})
world.providers["Tables_1"].rows
world.concepts("Tables_1")["town"]    # "city"
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

import msgspec

from dialoom.dialogue import SYSTEM, USER
from dialoom.schema.act_wording import wording
from dialoom.schema.services import contract
from dialoom.schema.task import TaskSchema
from dialoom.schema.values.forms import SurfaceForm
from dialoom.sim.policies.agenda import table
from dialoom.sim.policies.agenda.backend import Backend
from dialoom.sim.policies.agenda.phrases import Drafts, Phrasebook
from dialoom.sim.policies.agenda.provider import Provider, Row
from dialoom.sim.policies.agenda.slots import SlotOf


class ServiceMetadata(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a pack of services has beside their schemas; all of it is optional.

    Attributes:
        concepts: Concept to the slots of several services that mean it.
        names: Slot to its spoken name.
        say: Slot to its text in a list.
        variants: Value to other texts for it.
    """

    concepts: dict[str, tuple[str, ...]] = {}
    names: dict[str, str] = {}
    say: dict[str, str] = {}
    variants: dict[str, tuple[str, ...]] = {}


NO_METADATA = ServiceMetadata()
"""The metadata of a service without a pack."""


class World:
    """All that the dialogues of a run share.

    Args:
        tasks: The services.
        seed: The seed that rows are drawn with.
        metadata: Service to the metadata of its pack.
        things: Service to its rows; drawn where None.

    Attributes:
        providers: The services by name.
        books: Service to its phrases.
        drafts: Side to the ways in which it words turns.
        backend: The knowledge base.
        table: The automaton.
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
        self._concepts: dict[str, dict[str, str]] = {}
        for task in tasks:
            known = metadata.get(task.id, NO_METADATA)
            own = None if things is None else things.get(task.id, ())
            provider = Provider(task, seed, known.variants, own)
            self.providers[task.id] = provider
            words = wording(task.language)
            self.books[task.id] = Phrasebook(provider, contract(task), words, known.names)
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


def _concept(slot: SlotOf, metadata: ServiceMetadata, book: Phrasebook) -> str | None:
    if metadata.concepts:
        return next((name for name, slots in metadata.concepts.items() if slot.name in slots), None)
    named = set(slot.name.replace("_", " ").lower().split())
    for concept in book.wording.concepts:
        if named & concept.words and not named & concept.without:
            return concept.name
    return None
