"""One dialogue with what the rules need to know of it, worked out once and only when asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from dialoom.dialogue import GOLD, Dialogue, Part, Query, Result, Utterance, views
from dialoom.quality.lint.knowledge import Known
from dialoom.quality.walk import Visit


class Place(NamedTuple):
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


@dataclass
class Case:
    """One dialogue under check.

    Attributes:
        dialogue: The dialogue.
        known: The corpus's tasks by all their names; empty where it has none.
        seed: What the knowledge base was drawn from, where the corpus says so.
        repeated: Whether an earlier dialogue has the same id.
        kept: What one rule has worked out and another one needs.
    """

    dialogue: Dialogue
    known: Mapping[str, Known] = field(default_factory=dict)
    seed: int | None = None
    repeated: bool = False
    kept: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def tasks(self) -> tuple[Known, ...]:
        """The dialogue's tasks, as far as the corpus has them; each once."""
        found = (self.known.get(name) for name in views.tasks(self.dialogue))
        return tuple(dict.fromkeys(task for task in found if task is not None))

    @cached_property
    def designed(self) -> Known | None:
        """The dialogue's task where it is the only one and comes from a task file."""
        if len(self.tasks) != 1 or self.tasks[0].design is None:
            return None
        return self.tasks[0]

    @cached_property
    def utterances(self) -> list[tuple[int, Utterance]]:
        """The utterances with the indices of their events."""
        events = enumerate(self.dialogue.events)
        return [(index, event) for index, event in events if isinstance(event, Utterance)]

    @cached_property
    def queries(self) -> list[tuple[int, Query]]:
        """The queries with the indices of their events."""
        events = enumerate(self.dialogue.events)
        return [(index, event) for index, event in events if isinstance(event, Query)]

    @cached_property
    def results(self) -> list[tuple[int, Result]]:
        """The results with the indices of their events."""
        events = enumerate(self.dialogue.events)
        return [(index, event) for index, event in events if isinstance(event, Result)]

    @cached_property
    def actions(self) -> list[tuple[int, str]]:
        """The labels of the system's actions with the indices of their events."""
        named = ((index, views.action(event)) for index, event in enumerate(self.dialogue.events))
        return [(index, name) for index, name in named if name is not None]

    @cached_property
    def by_id(self) -> dict[str, Query]:
        """The queries by their ids."""
        return {query.id: query for _, query in reversed(self.queries)}

    @cached_property
    def places(self) -> list[Place]:
        """All parts of all layers, in order."""
        return [
            Place(event, utterance, layer_number, layer.source, number, part)
            for event, utterance in self.utterances
            for layer_number, layer in enumerate(utterance.layers)
            for number, part in enumerate(layer.parts)
        ]

    def gold(self) -> Iterator[Place]:
        """Yield the parts that the corpus was published with."""
        return (place for place in self.places if place.source == GOLD)

    @cached_property
    def visits(self) -> list[Visit]:
        """The way of the dialogue through its task file's flow; empty where it has none."""
        task = self.designed
        if task is None or task.walk is None:
            return []
        return list(task.walk.follow(self.dialogue.events))
