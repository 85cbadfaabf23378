"""Realisation by retrieval: acts in a training wording of the same or similar acts.

It selects the one with the largest expected BLEU gain: minimum Bayes risk decoding for the
logarithm of corpus BLEU in linear form (Tromble et al. 2008). The expectation is over the training
utterances, weighted by the similarity of their dialogues' wording. Among the wordings with the
largest expected gains, a ranker chooses; it learnt the true gains of such candidates on training
utterances.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from dialoom.dialogue import Dialogue, Event, Example, Prediction, Question, Realise
from dialoom.learn.model import Kinds, Schemas, Seed, need
from dialoom.models.realiser.forms import ActTexts
from dialoom.models.realiser.ranking import (
    LikelyWordings,
    WordingRanker,
    bleu_gain,
    candidates,
)
from dialoom.models.realiser.similarity import DialogueStyle, SchemaSimilarity
from dialoom.models.realiser.store import CandidatePool, WordingStore
from dialoom.models.realiser.wording import (
    ContentItem,
    Signature,
    Wording,
    content,
    fill,
    find_wording,
    numbered,
    signature,
)
from dialoom.schema.task import TaskSchema

BATCH = 256
"""Questions compared with training's dialogues at a time, so that memory stays small."""

LEARNT = 20_000
"""Most utterances of training that the ranker learns from, drawn at random: on six thousand more,
BLEU rose by 0.8 on left-out services of SGD's training part."""

UNSEEN = 3
"""For one in so many of them, wordings of its own service are no candidates, so that the ranker
also learns the choice for unseen services."""


@dataclass
class Retrieve:
    """Realises acts in a wording of training.

    Attributes:
        style: Weight of the similarity of dialogues' wording; 0 to ignore it.
        length: Gain of each further token, in place of BLEU's brevity penalty: the smaller, the
            shorter the texts.
        rank: Whether the learnt ranker chooses among the wordings with the largest expected gains.
    """

    name: ClassVar[str] = "retrieve"
    kinds: ClassVar[Kinds] = (Realise,)
    style: Annotated[float, Meta(ge=0, le=1000)] = 40.0
    length: Annotated[float, Meta(ge=0, le=1000)] = 0.6
    rank: bool = True
    seed: Seed = 0
    _store: WordingStore = field(default_factory=WordingStore, init=False, repr=False)
    _styles: DialogueStyle | None = field(default=None, init=False, repr=False)
    _ranker: WordingRanker = field(default_factory=WordingRanker, init=False, repr=False)
    _schemas: Mapping[str, TaskSchema] = field(default_factory=dict, init=False, repr=False)

    def fit(
        self, examples: Sequence[Example[Realise, str]], schemas: Mapping[str, TaskSchema]
    ) -> None:
        """Store the utterances of training, and fit the ranker."""
        need(examples)
        self._store, self._schemas = WordingStore(), schemas
        self._styles, self._ranker = None, WordingRanker()
        dialogues: dict[str, tuple[int, Dialogue]] = {}
        learnt: list[Learnt] = []
        for example in examples:
            question = example.question
            number, _ = dialogues.setdefault(
                question.dialogue.id, (len(dialogues), question.dialogue)
            )
            items = content(question.asked.acts)
            wording = find_wording(example.answer, numbered(items))
            if wording is not None:
                self._store.add(items, wording, number)
                learnt.append((question, wording, number))
        known = [dialogue.events for _, dialogue in dialogues.values()]
        if self.style and any(known):
            self._styles = DialogueStyle(known)
        if self.rank:
            self._learn(Random(self.seed).sample(learnt, min(LEARNT, len(learnt))), schemas)

    def _learn(self, learnt: Sequence[Learnt], schemas: Schemas) -> None:
        """Fit the ranker on utterances whose acts occur in other training dialogues as well."""
        decoder = Decoder(self, self._store, schemas)
        rows, gains = [], []
        for start in range(0, len(learnt), BATCH):
            batch = learnt[start : start + BATCH]
            nears = self._near([question for question, *_ in batch])
            for n, (question, wording, own) in enumerate(batch):
                items = content(question.asked.acts)
                hidden = items[0].service if n % UNSEEN == 0 else ""
                pool = decoder.pool(items, hidden)
                if pool is not None and (pool.dialogues != own).any():
                    found = decoder.candidates(pool, nears[n], question.history, items, own)
                    rows.append(found.rows)
                    reference = self._store.row(wording)
                    gains.append(bleu_gain(pool, found.places, reference))
        self._ranker.fit(rows, gains, self.seed)

    def predict(
        self, questions: Sequence[Question[Realise]], schemas: Mapping[str, TaskSchema]
    ) -> list[Prediction[str]]:
        """Answer each question with a text.

        Acts without a common wording in training are realised in parts, and an act without any by a
        template.
        """
        decoder = Decoder(self, self._store, {**self._schemas, **schemas})
        found: list[Prediction[str]] = []
        for start in range(0, len(questions), BATCH):
            batch = questions[start : start + BATCH]
            parts = [list(decoder.parts(content(question.asked.acts))) for question in batch]
            asked = [
                decoder.candidates(pool, near, question.history, items)
                for question, near, said in zip(batch, self._near(batch), parts, strict=True)
                for items, pool in said
                if pool is not None
            ]
            best = iter(self._ranker.best(asked))
            for said in parts:
                texts = [
                    decoder.plain(items)
                    if pool is None
                    else fill(pool.wordings[next(best)], numbered(items))
                    for items, pool in said
                ]
                found.append(Prediction(" ".join(texts)))
        return found

    def _near(self, questions: Sequence[Question[Realise]]) -> Sequence[Any]:
        if self._styles is None:
            return [None] * len(questions)
        return list(self._styles.similarity(question.history for question in questions))


Learnt = tuple[Question[Realise], Wording, int]


class Decoder:
    """Finds (and caches) wordings for acts among training utterances.

    `schemas` has the services of training and of the questions.
    """

    def __init__(self, model: Retrieve, store: WordingStore, schemas: Schemas) -> None:
        self._model, self._store = model, store
        self._similarity, self._texts = SchemaSimilarity(schemas), ActTexts(schemas, "template")
        self._pools: dict[tuple[str, Signature, str], CandidatePool | None] = {}

    def parts(
        self, items: Sequence[ContentItem]
    ) -> Iterator[tuple[Sequence[ContentItem], CandidatePool | None]]:
        """Yield content items in parts, each with its pool.

        A part is as large as training has wordings for; a single item without any has no pool.
        """
        pool = self.pool(items)
        if pool is not None or len(items) == 1:
            yield items, pool
        else:
            for part in self._halves(items):
                yield from self.parts(part)

    def plain(self, items: Sequence[ContentItem]) -> str:
        """Return the text of templates."""
        return self._texts.say(items)

    def _halves(self, items: Sequence[ContentItem]) -> list[Sequence[ContentItem]]:
        def fit(place: int) -> float:
            pool = self.pool([*items[:place], *items[place + 1 :]])
            return pool.fit if pool else 0.0

        out = max(range(len(items)), key=fit)
        rest = [*items[:out], *items[out + 1 :]]
        return [rest, [items[out]]] if out else [[items[0]], rest]

    def pool(self, items: Sequence[ContentItem], without: str = "") -> CandidatePool | None:
        """Return the candidate wordings for content items, or None.

        `without` is a service whose utterances are left out; empty for none.
        """
        key = items[0].service, signature(items), without
        if key not in self._pools:
            self._pools[key] = self._store.pool(items, self._similarity, without)
        return self._pools[key]

    def candidates(
        self,
        pool: CandidatePool,
        near: Any,
        history: Sequence[Event],
        items: Sequence[ContentItem],
        own: int = -1,
    ) -> LikelyWordings:
        """Return the wordings with the largest expected gains; arguments as in `ranking`."""
        style, length = self._model.style, self._model.length
        return candidates(pool, near, history, items, style, length, own)
