"""Realisation by retrieval: acts in a training wording of the same or similar acts.

It selects the one with the largest expected BLEU gain (minimum Bayes risk decoding, ranking.py).
Training utterances are weighted by the similarity of their dialogues' wording.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from dialoom.dialogue import Dialogue, Prediction, Question, Realise
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, Seed, need
from dialoom.models.realiser.forms import ActTexts
from dialoom.models.realiser.ranking import LikelyWordings, WordingRanker, bleu_gain, candidates
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

BATCH = 256
"""Questions compared with training's dialogues at a time, so that memory stays small."""

LEARNT = 60_000
"""Most utterances of training that the ranker learns from, drawn at random. This, the trees and the
length were chosen on 1,523 dialogues of SGD's training part, 30 % of their utterances of four
services that the 8,518 learned dialogues lacked: uncased BLEU is 36.7 with 20,000 utterances, 300
trees and length 0.6, 37.2 with 60,000, and 37.9 with 600 trees and length 0.55 as well."""

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
    length: Annotated[float, Meta(ge=0, le=1000)] = 0.55
    rank: bool = True
    seed: Seed = 0
    _store: WordingStore = field(default_factory=WordingStore, init=False, repr=False)
    _styles: DialogueStyle | None = field(default=None, init=False, repr=False)
    _ranker: WordingRanker = field(default_factory=WordingRanker, init=False, repr=False)
    _schemas: Schemas = field(default_factory=dict, init=False, repr=False)

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Store the utterances of training, and fit the ranker."""
        need(examples)
        self._store, self._schemas = WordingStore(), schemas
        self._styles, self._ranker = None, WordingRanker()
        dialogues: dict[str, tuple[int, Dialogue]] = {}
        learnt: list[Learnt] = []
        for example in examples:
            question, own = example.question, example.question.dialogue
            number, _ = dialogues.setdefault(own.id, (len(dialogues), own))
            items = content(question.asked.acts)
            wording = find_wording(example.answer, numbered(items))
            if wording is not None:
                self._store.add(items, wording, number)
                learnt.append((question, wording, number))
        corpus = [dialogue.events for _, dialogue in dialogues.values()]
        if self.style and any(corpus):
            self._styles = DialogueStyle(corpus)
        if self.rank:
            self._learn(Random(self.seed).sample(learnt, min(LEARNT, len(learnt))), schemas)

    def _learn(self, learnt: Sequence[Learnt], schemas: Schemas) -> None:
        """Fit the ranker on utterances whose acts occur in other training dialogues as well."""
        decoder = Decoder(self._store, schemas)
        rows, gains = [], []
        for start in range(0, len(learnt), BATCH):
            batch = learnt[start : start + BATCH]
            nears = self._near([question for question, *_ in batch])
            for n, (question, wording, own) in enumerate(batch):
                items = content(question.asked.acts)
                hidden = items[0].service if n % UNSEEN == 0 else ""
                pool = decoder.pool(items, hidden)
                if pool is not None and (pool.dialogues != own).any():
                    shortlist = self._candidates(pool, nears[n], question, items, own)
                    rows.append(shortlist.rows)
                    gains.append(bleu_gain(pool, shortlist.places, self._store.row(wording)))
        self._ranker.fit(rows, gains, self.seed)

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[str]]:
        """Answer each question with a text.

        Acts without a common wording in training are realised in parts, and an act without any by a
        template.
        """
        decoder = Decoder(self._store, {**self._schemas, **schemas})
        predictions: list[Prediction[str]] = []
        for start in range(0, len(questions), BATCH):
            batch = questions[start : start + BATCH]
            parts = [list(decoder.parts(content(question.asked.acts))) for question in batch]
            shortlists = [
                self._candidates(pool, near, question, items)
                for question, near, pairs in zip(batch, self._near(batch), parts, strict=True)
                for items, pool in pairs
                if pool is not None
            ]
            best = iter(self._ranker.best(shortlists))
            for pairs in parts:
                texts = [
                    decoder.templates.say(items)
                    if pool is None
                    else fill(pool.wordings[next(best)], numbered(items))
                    for items, pool in pairs
                ]
                predictions.append(Prediction(" ".join(texts)))
        return predictions

    def _near(self, questions: Questions) -> Sequence[Any]:
        if self._styles is None:
            return [None] * len(questions)
        return list(self._styles.similarity(question.history for question in questions))

    def _candidates(
        self,
        pool: CandidatePool,
        near: Any,
        question: Question[Realise],
        items: Sequence[ContentItem],
        own: int = -1,
    ) -> LikelyWordings:
        return candidates(pool, near, question.history, items, self.style, self.length, own)


Learnt = tuple[Question[Realise], Wording, int]


class Decoder:
    """Finds (and caches) wordings for acts among training utterances, or `templates`.

    `schemas` has the services of training and of the questions.
    """

    def __init__(self, store: WordingStore, schemas: Schemas) -> None:
        self._store, self._similarity = store, SchemaSimilarity(schemas)
        self.templates = ActTexts(schemas, "template")
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
