"""The meaning of a bot's line by its words.

    words = line_words(learnt.templates, asks, frozenset({"location", "cuisine"}))
    words.chances("where should it be")[Meaning("", "location")]      # 0.9…

The learnt templates are the replies of a task, and so are questions for slots that training never
asks for: these have the slot's name for words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import exp

from dialoom.learn.text import encoders
from dialoom.models.ranker.wording import Meaning
from dialoom.reading.turn import TurnReader
from dialoom.reading.wording import NAME, word_reader
from dialoom.schema.flow import FlowGraph, Node
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import PLACEHOLDER

NEAR = 4.0
"""Weight of the similarity to the nearest line. Chosen by leaving out each of the eight bundled
wordings: the mean log probability of the right meaning rises from -0.68 to -0.58."""

CACHED = 10_000
"""Most templates whose meanings are cached: twice the candidates of bAbI."""


class LineWords:
    """Scores the meanings of a bot's lines by words; `asks` maps templates to requested slots.

    `variants` are templates that other bots say in place of those in `templates`.
    """

    def __init__(
        self,
        templates: Collection[str],
        asks: Mapping[str, str],
        slots: Collection[str],
        variants: Collection[tuple[str, str]] = (),
    ) -> None:
        self._meanings = tuple(_meanings(templates, asks, slots))
        said = {template: [template] for template in templates}
        for variant, template in sorted(variants):
            said.setdefault(template, [template]).append(variant)
        named = {name for template in templates for name in PLACEHOLDER.findall(template)}
        known = {name: Slot(name=name, type="category") for name in {*named, *slots}}
        nodes = {str(n): _node(n, each, asks, said) for n, each in enumerate(self._meanings)}
        task = TaskSchema(id="bookings", slots=known, flow=FlowGraph(nodes=nodes))
        self._reader = TurnReader(task, "system")
        self._texts = [(name, _plain(text)) for name, node in nodes.items() for text in node.texts]
        self._encoder = encoders.get("tfidf")()
        self._encoder.fit(text for _, text in self._texts)
        self._chances: dict[str, Mapping[Meaning, float]] = {}

    def chances(self, template: str) -> Mapping[Meaning, float]:
        """Return the probability of each meaning, judged by the words of a template (cached).

        It is that of the reader, times exp(NEAR times the similarity to the nearest known line).
        """
        if template not in self._chances:
            if len(self._chances) >= CACHED:
                self._chances.clear()
            self._chances[template] = self._scored(template)
        return self._chances[template]

    def _scored(self, template: str) -> dict[Meaning, float]:
        found = self._reader.chances(PLACEHOLDER.sub(f" {NAME} ", template), {})
        (alike,) = self._encoder.similarity([_plain(template)], [text for _, text in self._texts])
        near = dict.fromkeys(found, 0.0)
        for (name, _), each in zip(self._texts, alike, strict=True):
            near[name] = max(near.get(name, 0.0), float(each))
        weights = {name: chance * exp(NEAR * near[name]) for name, chance in found.items()}
        whole = sum(weights.values()) or 1.0
        return {self._meanings[int(name)]: weight / whole for name, weight in weights.items()}


def _plain(template: str) -> str:
    """Return a template's words without placeholders, short forms in full."""
    return " ".join(word_reader("en").tokens(PLACEHOLDER.sub(" ", template)))


@lru_cache(maxsize=8)
def line_words(
    templates: frozenset[str],
    asks: frozenset[tuple[str, str]],
    slots: frozenset[str],
    variants: frozenset[tuple[str, str]] = frozenset(),
) -> LineWords:
    """Return the scorer of a learnt wording (cached); `asks` has templates with their slots."""
    return LineWords(templates, dict(asks), slots, variants)


def _meanings(
    templates: Iterable[str], asks: Mapping[str, str], slots: Iterable[str]
) -> Iterator[Meaning]:
    yield from (Meaning(template) for template in sorted(templates) if template not in asks)
    yield from (Meaning("", slot) for slot in sorted({*slots, *asks.values()}))


def _node(
    number: int, meaning: Meaning, asks: Mapping[str, str], said: Mapping[str, Sequence[str]]
) -> Node:
    slot = meaning.slot
    if not slot:
        return Node(name=str(number), kind="system", texts=tuple(said[meaning.template]))
    asking = [template for template, asked in asks.items() if asked == slot]
    texts = tuple(text for each in asking for text in said.get(each, (each,)))
    return Node(name=str(number), kind="system", texts=texts or (slot,), asks=(slot,))
