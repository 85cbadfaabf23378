"""Retrieval: acts are said as training said the same acts, in the style of the dialogue so far.

Of all wordings that training has for the acts, the one is said that is expected to have the most
n-grams in common with what a person would say here (minimum Bayes risk decoding for the logarithm
of corpus BLEU in linear form; Tromble et al. 2008). What a person would say is known from
training's own utterances, those of dialogues worded like this one before others. Among the best by
this, a ranker chooses that learnt from training what such candidates were worth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar

from dialoom.dialogue import Dialogue, Event, Example, Prediction, Question, Realise
from dialoom.models.base import Kinds, Schemas, Seed, need
from dialoom.models.realiser.forms import ActTexts
from dialoom.models.realiser.likeness import SchemaLikeness
from dialoom.models.realiser.ranking import (
    LikelyWordings,
    WordingRanker,
    candidates,
    expected,
    worth,
)
from dialoom.models.realiser.store import CandidatePool, WordingStore
from dialoom.models.realiser.style import DialogueStyle
from dialoom.models.realiser.wording import (
    ContentItem,
    Signature,
    Wording,
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

LEARNT = 4000
"""Utterances of training that the choice is learnt from at most."""

UNSEEN = 3
"""Of one in so many of them nothing of its own service is a candidate."""


@dataclass
class Retrieve:
    """Says acts in a wording of training.

    Attributes:
        style: How much the style of the dialogue so far weighs; nothing at 0.
        length: How much a token more is worth: the smaller, the shorter the texts.
        rank: Choose among the likeliest by what was learnt from training's own utterances.
        seed: Where its randomness comes from.
    """

    name: ClassVar[str] = "retrieve"
    kinds: ClassVar[Kinds] = (Realise,)
    style: float = 40.0
    length: float = 0.6
    rank: bool = True
    seed: Seed = 0
    _store: WordingStore = field(default_factory=WordingStore, init=False, repr=False)
    _styles: DialogueStyle | None = field(default=None, init=False, repr=False)
    _ranker: WordingRanker = field(default_factory=WordingRanker, init=False, repr=False)
    _schemas: Mapping[str, TaskSchema] = field(default_factory=dict, init=False, repr=False)

    def fit(
        self, examples: Sequence[Example[Realise, str]], schemas: Mapping[str, TaskSchema]
    ) -> None:
        """Take up the utterances of training, and learn to choose among them.

        Raises:
            UsageError: There are no examples.
        """
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
        if self.style:
            self._styles = DialogueStyle(dialogue.events for _, dialogue in dialogues.values())
        if self.rank:
            self._learn(Random(self.seed).sample(learnt, min(LEARNT, len(learnt))), schemas)

    def _learn(self, learnt: Sequence[Learnt], schemas: Schemas) -> None:
        """Learn the choice from utterances that others of training could stand for."""
        decoder = Decoder(self, self._store, schemas)
        rows, worths = [], []
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
                    worths.append(worth(pool, found.places, reference, self.length))
        self._ranker.fit(rows, worths, self.seed)

    def predict(
        self, questions: Sequence[Question[Realise]], schemas: Mapping[str, TaskSchema]
    ) -> list[Prediction[str]]:
        """Answer each question with a text."""
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
        """Return for each dialogue how alike it is to each of training."""
        if self._styles is None:
            return [None] * len(questions)
        return list(self._styles.likeness(question.history for question in questions))


Learnt = tuple[Question[Realise], Wording, int]
"""A question of training, the wording of its answer, and the number of its dialogue."""


class Decoder:
    """Finds wordings for acts among training utterances; candidates found once are kept.

    Args:
        model: Whose settings count.
        store: What training said.
        schemas: The services of training and those asked about.
    """

    def __init__(self, model: Retrieve, store: WordingStore, schemas: Schemas) -> None:
        self._model, self._store = model, store
        self._likeness, self._texts = SchemaLikeness(schemas), ActTexts(schemas, "template")
        self._pools: dict[tuple[str, Signature, Signature, str], CandidatePool | None] = {}

    def parts(
        self, items: Sequence[ContentItem]
    ) -> Iterator[tuple[Sequence[ContentItem], CandidatePool | None]]:
        """Yield what is to be said in parts that training has wordings for, or that are single."""
        pool = self.pool(items)
        if pool is not None or len(items) == 1:
            yield items, pool
        else:
            for part in self._halves(items):
                yield from self.parts(part)

    def plain(self, items: Sequence[ContentItem]) -> str:
        """Return what templates say."""
        return self._texts.say(items)

    def _halves(self, items: Sequence[ContentItem]) -> list[Sequence[ContentItem]]:
        """Return some acts in two parts: the one left out that leaves what fits best."""

        def fit(place: int) -> float:
            pool = self.pool([*items[:place], *items[place + 1 :]])
            return pool.fit if pool else 0.0

        out = max(range(len(items)), key=fit)
        rest = [*items[:out], *items[out + 1 :]]
        return [rest, [items[out]]] if out else [[items[0]], rest]

    def pool(self, items: Sequence[ContentItem], without: str = "") -> CandidatePool | None:
        """Return what training has for some acts: nothing of a service that is left out."""
        known = not without and self._store.said(items)
        kinds = () if known else tuple(sorted(map(_kinds, items)))
        key = items[0].service, signature(items), kinds, without
        if key not in self._pools:
            self._pools[key] = self._store.pool(items, self._likeness, without)
        return self._pools[key]

    def candidates(
        self,
        pool: CandidatePool,
        near: Any,
        history: Sequence[Event],
        items: Sequence[ContentItem],
        own: int = -1,
    ) -> LikelyWordings:
        """Return the likeliest wordings, as `ranking` finds them."""
        found = expected(pool, near, self._model.style, self._model.length, own)
        return candidates(pool, near, history, items, found, own)


def _kinds(item: ContentItem) -> str:
    return " ".join((item.key, *map(value_kind, item.values)))
