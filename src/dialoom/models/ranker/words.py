"""The meaning of a bot's line by its words.

    words = line_words(learnt.templates, asks, frozenset({"location", "cuisine"}))
    words.chances("where should it be")[Meaning("", "location")]      # 0.9…

The learnt templates are the replies of a task, and so are questions for slots that training never
asks for: these have the slot's name for words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache

from dialoom.models.ranker.wording import Meaning
from dialoom.reading.turn import TurnReader
from dialoom.reading.wording import NAME
from dialoom.schema.flow import FlowGraph, Node
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import PLACEHOLDER


class LineWords:
    """Scores the meanings of a bot's lines by words; `asks` maps templates to requested slots."""

    def __init__(
        self, templates: Collection[str], asks: Mapping[str, str], slots: Collection[str]
    ) -> None:
        self._meanings = tuple(_meanings(templates, asks, slots))
        named = {name for template in templates for name in PLACEHOLDER.findall(template)}
        known = {name: Slot(name=name, type="category") for name in {*named, *slots}}
        nodes = {str(n): _node(n, each, asks) for n, each in enumerate(self._meanings)}
        task = TaskSchema(id="bookings", slots=known, flow=FlowGraph(nodes=nodes))
        self._reader = TurnReader(task, "system")

    def chances(self, template: str) -> dict[Meaning, float]:
        """Return meaning to its probability by the words of a template."""
        found = self._reader.chances(PLACEHOLDER.sub(f" {NAME} ", template), {})
        return {self._meanings[int(name)]: chance for name, chance in found.items()}


@lru_cache(maxsize=8)
def line_words(
    templates: frozenset[str], asks: frozenset[tuple[str, str]], slots: frozenset[str]
) -> LineWords:
    """Return the scorer of a learnt wording (cached); `asks` has templates with their slots."""
    return LineWords(templates, dict(asks), slots)


def _meanings(
    templates: Iterable[str], asks: Mapping[str, str], slots: Iterable[str]
) -> Iterator[Meaning]:
    yield from (Meaning(template) for template in sorted(templates) if template not in asks)
    yield from (Meaning("", slot) for slot in sorted({*slots, *asks.values()}))


def _node(number: int, meaning: Meaning, asks: Mapping[str, str]) -> Node:
    slot = meaning.slot
    if not slot:
        return Node(name=str(number), kind="system", texts=(meaning.template,))
    texts = tuple(template for template, asked in asks.items() if asked == slot)
    return Node(name=str(number), kind="system", texts=texts or (slot,), asks=(slot,))
