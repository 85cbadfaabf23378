"""One dialogue with what the rules need to know of it, its events sorted once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import msgspec

from dialoom.dialogue import (
    GOLD,
    Argument,
    Constraint,
    Dialogue,
    Options,
    Part,
    Query,
    Result,
    Utterance,
    views,
)
from dialoom.quality.flow_alignment import Visit
from dialoom.quality.lint.corpus_context import CorpusContext, Needs
from dialoom.schema.legality import SchemaRules


class LocatedPart(msgspec.Struct, frozen=True, gc=False):
    """A part of an annotation layer, and where it stands.

    Attributes:
        event: The index of the utterance.
        utterance: The utterance.
        layer: The index of the layer.
        source: Who made the layer.
        number: The index of the part.
        part: The part.
    """

    event: int
    utterance: Utterance
    layer: int
    source: str
    number: int
    part: Part

    @property
    def pointer(self) -> str:
        """The JSON pointer of the part."""
        return f"/events/{self.event}/layers/{self.layer}/parts/{self.number}"

    def argument(self, act: int, index: int) -> str:
        """Return the JSON pointer of an argument of an act."""
        return f"{self.pointer}/acts/{act}/arguments/{index}"

    def arguments(self) -> Iterator[tuple[int, int, Argument]]:
        """Yield the arguments of the part's acts, each with the index of its act and its own."""
        for number, act in enumerate(self.part.acts or ()):
            for index, argument in enumerate(act.arguments):
                yield number, index, argument


class LintContext:
    """One dialogue under check.

    Args:
        dialogue: The dialogue.
        corpus: What it shares with the other dialogues of its corpus.
        folder: The folder of the corpus that it came from.
        repeated: Whether an earlier dialogue has the same id.

    Attributes:
        utterances: The utterances with the indices of their events.
        queries: The queries with the indices of their events.
        results: The results with the indices of their events.
        options: The replies on offer, with the indices of their events.
        parts: All parts of all layers, in order.
        services: The rules of the services by name.
        tasks: The dialogue's tasks, as far as the corpus has them; each once.
        designed: The dialogue's task where it is the only one and comes from a task file.
    """

    def __init__(
        self, dialogue: Dialogue, corpus: CorpusContext, folder: str = "", repeated: bool = False
    ) -> None:
        self.dialogue, self.corpus, self.repeated = dialogue, corpus, repeated
        self.services = corpus.services_in(folder)
        known = (corpus.known.get(name) for name in views.tasks(dialogue))
        self.tasks = tuple(dict.fromkeys(task for task in known if task is not None))
        alone = len(self.tasks) == 1 and self.tasks[0].task.flow.complete
        self.designed = self.tasks[0] if alone else None
        events: dict[type, list[tuple[int, Any]]] = defaultdict(list)
        for located in enumerate(dialogue.events):
            events[type(located[1])].append(located)
        self.utterances: list[tuple[int, Utterance]] = events[Utterance]
        self.queries: list[tuple[int, Query]] = events[Query]
        self.results: list[tuple[int, Result]] = events[Result]
        self.options: list[tuple[int, Options]] = events[Options]
        self.parts = [
            LocatedPart(index, event, number, layer.source, place, part)
            for index, event in self.utterances
            for number, layer in enumerate(event.layers)
            for place, part in enumerate(layer.parts)
        ]

    def has(self) -> int:
        """Return the bits of all that checks may need and find here."""
        parts = [each.part for each in self.parts]
        frames = [p for p in parts if p.frames is not None or p.active_frame is not None]
        present = (
            (Needs.UTTERANCES, self.utterances),
            (Needs.QUERIES, self.queries),
            (Needs.RESULTS, self.results),
            (Needs.OPTIONS, self.options),
            (Needs.ACTS, any(part.acts for part in parts)),
            (Needs.SPANS, any(part.spans for part in parts)),
            (Needs.STATES, any(part.state is not None for part in parts)),
            (Needs.FRAMES, frames),
            (Needs.SERVICES, self.corpus.services),
            (Needs.DESIGNED, self.designed),
            (Needs.PUBLISHED, self.designed is None and any(t.published for t in self.tasks)),
        )
        return sum(int(need) for need, there in present if there)

    def service(self, name: str | None) -> SchemaRules | None:
        """Return the rules of a service, where the corpus has it."""
        return None if name is None else self.services.get(name)

    @cached_property
    def constraints(self) -> list[tuple[str, Query, Constraint]]:
        """The constraints of all queries, each with its JSON pointer and its query."""
        return [
            (f"/events/{index}/constraints/{number}", query, constraint)
            for index, query in self.queries
            for number, constraint in enumerate(query.constraints)
        ]

    @cached_property
    def actions(self) -> list[tuple[int, str]]:
        """The labels of the system's actions with the indices of their events."""
        named = ((index, views.action(event)) for index, event in enumerate(self.dialogue.events))
        return [(index, name) for index, name in named if name is not None]

    @cached_property
    def by_id(self) -> dict[str, Query]:
        """The queries by their ids."""
        return {query.id: query for _, query in reversed(self.queries)}

    def gold(self) -> Iterator[LocatedPart]:
        """Yield the parts that the corpus was published with."""
        return (place for place in self.parts if place.source == GOLD)

    @cached_property
    def visits(self) -> list[Visit]:
        """The way of the dialogue through its task file's flow; empty where it has none."""
        task = self.designed
        if task is None or task.alignment is None:
            return []
        return list(task.alignment.follow(self.dialogue.events))
