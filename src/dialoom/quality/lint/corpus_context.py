"""What all dialogues of a corpus share: its tasks, and what its format promises."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from enum import IntFlag, auto

from dialoom.corpus.traits import NO_COMPANIONS, NO_TRAITS, Companions, Traits
from dialoom.dialogue import Origin
from dialoom.quality.lint.task_facts import facts_by_name
from dialoom.schema.legality import SchemaRules
from dialoom.schema.task import TaskSchema


class Needs(IntFlag):
    """What a check needs: it is left out where a dialogue has nothing of the kind.

    The first eight are what a dialogue has. The others tell of its tasks: DESIGNED, that it has one
    task, which comes from a task file; PUBLISHED, that one of several has replies or a flow graph
    as they were published; SERVICES, that the corpus has schemas of services.
    """

    NOTHING = 0
    UTTERANCES = auto()
    QUERIES = auto()
    RESULTS = auto()
    OPTIONS = auto()
    ACTS = auto()
    SPANS = auto()
    STATES = auto()
    FRAMES = auto()
    DESIGNED = auto()
    PUBLISHED = auto()
    SERVICES = auto()


class CorpusContext:
    """What the dialogues of a corpus share.

    Args:
        tasks: The corpus's task schemas.
        seed: What the knowledge base was drawn from, where the corpus says so.
        traits: What the corpus's format promises.
        companions: What the files beside the dialogues tell.

    Attributes:
        known: The tasks by all their names.
        services: The rules of the services by name.
        companions: What the files beside the dialogues tell.
    """

    def __init__(
        self,
        tasks: Mapping[str, TaskSchema],
        seed: int | None = None,
        traits: Traits = NO_TRAITS,
        companions: Companions = NO_COMPANIONS,
    ) -> None:
        self.known = facts_by_name(tasks)
        self.seed, self.traits, self.companions = seed, traits, companions
        self.services: dict[str, SchemaRules] = {
            name: facts for name, facts in self.known.items() if facts.task.is_service
        }
        self._by_folder: dict[str, dict[str, SchemaRules]] = defaultdict(self.services.copy)
        for facts in self.known.values():
            if facts.task.is_service:
                for origin in facts.task.origins:
                    held = self._by_folder[folder_of(origin)]
                    held[facts.task.name or facts.task.id] = facts

    def services_in(self, folder: str) -> Mapping[str, SchemaRules]:
        """Return the services by name as the schemas of a folder have them, else as any have."""
        return self._by_folder.get(folder, self.services)


def folder_of(origin: Origin | None) -> str:
    """Return the folder of the corpus that something came from: a split, in SGD."""
    return origin.file.rpartition("/")[0] if origin else ""
