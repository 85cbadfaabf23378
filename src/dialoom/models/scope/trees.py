"""The learnt model of scope: boosted trees over comparisons of a turn with its task and dialogue.

Features are independent of the task: similarity to the texts of the task's users, system and
wizards, and to those of other tasks; cues; counts of the dialogue. Two of them are scores of linear
models over the words of the turn, and of the reply before it. For training, these are fitted on
other tasks than those they score (cross-fitting), so that they carry over to unseen tasks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np
from msgspec import Meta

from dialoom.dialogue import InScope, Prediction
from dialoom.learn.crossfit import dealt, parts
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, Seed, known, need
from dialoom.learn.text import (
    Encoder,
    EncoderName,
    TermWeights,
    TextClassifier,
    WordTerms,
    encoders,
)
from dialoom.learn.trees import FittedTrees
from dialoom.models.follower import scorer
from dialoom.models.scope.deciding import Decision, learn
from dialoom.models.scope.reading import NOTHING, TaskWords, TurnReading, read, words_of
from dialoom.schema.lexicon import cues, words

if TYPE_CHECKING:
    from dialoom.models.scope.deciding import Vector

FOLDS = 5
"""Number of folds of tasks for cross-fitting."""

TREES = replace(scorer.TREES, rounds=150, rate=0.05)
"""Settings of the trees: those of the follower, with more rounds and a lower learning rate."""


LinearModels = tuple[TextClassifier, TextClassifier]


@dataclass
class ScopeTrees:
    """Scores whether a turn is out of its task's scope, by boosted trees.

    Attributes:
        members: Number of averaged fits, of consecutive seeds.
    """

    name: ClassVar[str] = "scope"
    kinds: ClassVar[Kinds] = (InScope,)
    encoder: EncoderName = "tfidf"
    members: Annotated[int, Meta(ge=1, le=1000)] = 3
    seed: Seed = 0
    _words: LinearModels | None = field(default=None, init=False, repr=False)
    _trees: list[FittedTrees] = field(default_factory=list, init=False, repr=False)
    _decision: Decision | None = field(default=None, init=False, repr=False)

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Fit the trees, and the decision on scores of tasks that they were not fitted on."""
        need(examples)
        turns = [read(example.question) for example in examples]
        out = np.array([example.answer < 0.5 for example in examples])
        base = self._compared(turns, schemas)
        folds = dealt([turn.task for turn in turns], FOLDS)
        heard = np.zeros((len(turns), 2))
        for rest, held in parts(folds):
            model = _word_models([turns[n] for n in rest], out[rest])
            heard[held] = _word_scores(model, [turns[n] for n in held])
        features = np.hstack([base, heard])
        scores = np.zeros(len(turns))
        for rest, held in parts(folds):
            grown = TREES.fit(features[rest], out[rest], self.seed)
            scores[held] = grown.chance(True, features[held])
        self._decision = learn(scores, [bool(each) for each in out])
        self._words = _word_models(turns, out)
        seeds = range(self.seed, self.seed + self.members)
        self._trees = [TREES.fit(features, out, seed) for seed in seeds]

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[float]]:
        """Answer each question."""
        decision = known(self._decision)
        turns = [read(question) for question in questions]
        if not turns:
            return []
        heard = _word_scores(known(self._words), turns)
        features = np.hstack([self._compared(turns, schemas), heard])
        return decision.answers(_score(self._trees, features))

    def _compared(self, turns: Sequence[TurnReading], schemas: Schemas) -> Vector:
        """Return the features of turns that need no fitting: shape (turns, features)."""
        tasks = {name: words_of(task) for name, task in schemas.items()}
        encoder = encoders.get(self.encoder)()
        encoder.fit(text for own in tasks.values() for part in own for text in part)
        rows = np.zeros((len(turns), 0))
        for task in sorted({turn.task for turn in turns}):
            places = [place for place, turn in enumerate(turns) if turn.task == task]
            others = [own for name, own in tasks.items() if name != task]
            here = [turns[place] for place in places]
            found = _similar(encoder, here, tasks.get(task, NOTHING), others)
            plain = np.array([_counts(turn, schemas[task].language) for turn in here])
            if not rows.shape[1]:
                rows = np.zeros((len(turns), found.shape[1] + plain.shape[1]))
            rows[places] = np.hstack([found, plain])
        return rows


def _similar(
    encoder: Encoder, turns: Sequence[TurnReading], own: TaskWords, others: Sequence[TaskWords]
) -> Vector:
    """Return similarities of turns to their task's texts and to other tasks': (turns, 7)."""
    texts = [turn.text for turn in turns]
    apart = {*own.users, *own.wizards, *own.replies}
    foreign = dict.fromkeys(t for each in others for t in each.users if t not in apart)
    near = _nearest_of(encoder, texts, (*own, tuple(foreign)))
    (asked,) = _nearest_of(encoder, [turn.before for turn in turns], (own.replies,))
    usual = np.maximum.reduce([near[0], near[2]])
    columns = [*near, asked, usual - near[4]]
    return np.stack(columns, axis=1)


def _nearest_of(
    encoder: Encoder, texts: Sequence[str], pools: Sequence[Sequence[str]]
) -> list[Vector]:
    """Return for each pool the similarity of each text to its nearest text; 0 in an empty pool."""
    alike = encoder.similarity(texts, [text for pool in pools for text in pool])
    ends = np.cumsum([len(pool) for pool in pools])[:-1]
    parts = np.split(alike, ends, axis=1)
    return [part.max(axis=1) if part.shape[1] else np.zeros(len(texts)) for part in parts]


def _counts(turn: TurnReading, language: str) -> list[float]:
    said = words(turn.text)
    answered = words(turn.before)
    heard = {word for text in turn.earlier for word in words(text)}
    shared = len({*said} & {*answered})
    return [
        *map(float, cues(turn.text, language).values()),
        float(turn.before.rstrip().endswith("?")),
        len(said),
        len(answered),
        shared / (len(said) or 1),
        sum(word not in heard for word in said) / (len(said) or 1),
        *turn.counts,
        sum(letter.isdigit() for letter in turn.text),
        sum(mark in turn.text for mark in ".!"),
    ]


def _word_models(turns: Sequence[TurnReading], out: Vector) -> LinearModels:
    return _linear([turn.text for turn in turns], out), _linear([t.before for t in turns], out)


def _linear(texts: Sequence[str], out: Vector) -> TextClassifier:
    """Return a linear model of words; without words, it gives even odds."""
    model = TextClassifier(TermWeights(WordTerms()), 3.0)
    return model.fit(texts, out.tolist()) if any(words(text) for text in texts) else model


def _word_scores(models: LinearModels, turns: Sequence[TurnReading]) -> Vector:
    """Return the log odds of out of scope by each linear model: shape (turns, 2)."""
    texts = [turn.text for turn in turns], [turn.before for turn in turns]
    found = [model.odds(said) for model, said in zip(models, texts, strict=True)]
    return np.stack(found, axis=1)


def _score(trees: Sequence[FittedTrees], features: Vector) -> Vector:
    found: Vector = np.sum([each.chance(True, features) for each in trees], axis=0)
    return found / len(trees)
