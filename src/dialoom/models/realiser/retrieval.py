"""Retrieval: acts are said as training said the same acts, in the style of the dialogue so far.

Of all wordings that training has for the acts, the one is said that is expected to have the most
n-grams in common with what a person would say here (minimum Bayes risk decoding for the logarithm
of corpus BLEU in linear form; Tromble et al. 2008). What a person would say is known from
training's own utterances, those of dialogues worded like this one before others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from dialoom.dialogue import Dialogue, Example, Prediction, Question, Realise
from dialoom.models.base import Kinds, Schemas, need
from dialoom.models.realiser.forms import ActTexts
from dialoom.models.realiser.likeness import SchemaLikeness
from dialoom.models.realiser.store import CandidatePool, WordingStore
from dialoom.models.realiser.style import DialogueStyle
from dialoom.models.realiser.wording import (
    ContentItem,
    Signature,
    content,
    fill,
    find_wording,
    numbered,
    signature,
    value_kind,
)
from dialoom.schema.task import TaskSchema

BATCH = 256
"""Questions whose style is compared at a time."""

PRECISIONS = (0.55, 0.36, 0.26, 0.19)
"""The precisions of n-grams around which the logarithm of BLEU is made linear."""


@dataclass
class Retrieve:
    """Says acts in a wording of training.

    Attributes:
        style: How much the style of the dialogue so far weighs; nothing at 0.
        length: How much a token more is worth: the smaller, the shorter the texts.
    """

    name: ClassVar[str] = "retrieve"
    kinds: ClassVar[Kinds] = (Realise,)
    style: float = 40.0
    length: float = 0.6
    _store: WordingStore = field(default_factory=WordingStore, init=False, repr=False)
    _styles: DialogueStyle | None = field(default=None, init=False, repr=False)
    _schemas: Mapping[str, TaskSchema] = field(default_factory=dict, init=False, repr=False)

    def fit(
        self, examples: Sequence[Example[Realise, str]], schemas: Mapping[str, TaskSchema]
    ) -> None:
        """Take up the utterances of training.

        Raises:
            UsageError: There are no examples.
        """
        need(examples)
        self._store, self._schemas = WordingStore(), schemas
        dialogues: dict[str, tuple[int, Dialogue]] = {}
        for example in examples:
            question = example.question
            number, _ = dialogues.setdefault(
                question.dialogue.id, (len(dialogues), question.dialogue)
            )
            items = content(question.asked.acts)
            wording = find_wording(example.answer, numbered(items))
            if wording is not None:
                self._store.add(items, wording, number)
        if self.style:
            self._styles = DialogueStyle(dialogue.events for _, dialogue in dialogues.values())

    def predict(
        self, questions: Sequence[Question[Realise]], schemas: Mapping[str, TaskSchema]
    ) -> list[Prediction[str]]:
        """Answer each question with a text."""
        decoder = Decoder(self, self._store, {**self._schemas, **schemas})
        found: list[Prediction[str]] = []
        for start in range(0, len(questions), BATCH):
            batch = questions[start : start + BATCH]
            alike = self._styles.likeness(q.history for q in batch) if self._styles else None
            for place, question in enumerate(batch):
                near = None if alike is None else alike[place]
                found.append(Prediction(decoder.say(content(question.asked.acts), near)))
        return found


class Decoder:
    """Chooses the wording of acts, and keeps the candidates of acts it has met.

    Args:
        model: Whose settings count.
        store: What training said.
        schemas: The services of training and those asked about.
    """

    def __init__(self, model: Retrieve, store: WordingStore, schemas: Schemas) -> None:
        self._model, self._store = model, store
        self._likeness, self._texts = SchemaLikeness(schemas), ActTexts(schemas, "template")
        self._pools: dict[tuple[str, Signature, Signature], CandidatePool | None] = {}

    def say(self, items: Sequence[ContentItem], near: Any) -> str:
        """Return a text for what is to be said.

        Args:
            items: What is to be said.
            near: How alike this dialogue is to each of training; None where that is nothing.
        """
        pool = self._pool(items)
        if pool is not None:
            return fill(pool.wordings[self._best(pool, near)], numbered(items))
        if len(items) == 1:
            return self._texts.say(items)
        parts = self._parts(items)
        return " ".join(self.say(part, near) for part in parts)

    def _parts(self, items: Sequence[ContentItem]) -> list[Sequence[ContentItem]]:
        """Return some acts in two parts: the one left out that leaves what fits best."""

        def fit(place: int) -> float:
            pool = self._pool([*items[:place], *items[place + 1 :]])
            return pool.fit if pool else 0.0

        out = max(range(len(items)), key=fit)
        rest = [*items[:out], *items[out + 1 :]]
        return [rest, [items[out]]] if out else [[items[0]], rest]

    def _pool(self, items: Sequence[ContentItem]) -> CandidatePool | None:
        kinds = () if self._store.said(items) else tuple(sorted(map(_kinds, items)))
        key = items[0].service, signature(items), kinds
        if key not in self._pools:
            self._pools[key] = self._store.pool(items, self._likeness)
        return self._pools[key]

    def _best(self, pool: CandidatePool, near: Any) -> int:
        import numpy as np

        weights = pool.weights
        if near is not None:
            alike = near[pool.dialogues]
            weights = weights * np.exp(self._model.style * (alike - alike.max()))
        shares = np.bincount(pool.said, weights, len(pool.wordings)) / weights.sum()
        expected = pool.ngrams.T @ shares
        precisions = np.array(PRECISIONS)[pool.orders]
        gain = pool.ngrams @ ((expected - precisions) / (4 * precisions))
        return int(np.argmax(gain + self._model.length * pool.lengths))


def _kinds(item: ContentItem) -> str:
    return " ".join((item.key, *map(value_kind, item.values)))
