"""Models that predict whether the user's last turn is within the scope of a task.

Trees score comparisons of a turn with its task and dialogue, independent of the task: similarity to
the texts of the task's users, system and wizards, and to those of other tasks; cues; counts. Two
features are scores of linear models over words, fitted on other tasks than those they score
(cross-fitting), so that they carry over to unseen tasks.

Scores become calibrated probabilities by an isotonic regression (Zadrozny & Elkan 2002), mixed with
a small share of the score to keep the order on its flat parts. The threshold of the decision is
that of the best macro F1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
from msgspec import Meta

from dialoom.dialogue import SYSTEM, USER, InScope, Prediction, Query, Question, Result
from dialoom.dialogue.views import label
from dialoom.learn.crossfit import dealt, parts
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, Seed, known, need
from dialoom.learn.text import TermWeights, TextClassifier, TfidfEncoder, WordTerms
from dialoom.learn.trees import FittedTrees, Floats
from dialoom.models.follower import scorer
from dialoom.schema.flow import OUT_OF_SCOPE
from dialoom.schema.lexicon import cues, words
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import PLACEHOLDER


class TurnReading(NamedTuple):
    """A user's turn with the context before it.

    `before` is the system's last text, `earlier` are the user's earlier texts. `counts` are numbers
    of the user's turns, of the system's replies without a label or with the one for out of scope,
    the share of these, whether the last reply was one, the number of queries, and that of events
    since the last result, or `NO_RESULT`.
    """

    task: str
    text: str
    before: str
    earlier: tuple[str, ...]
    counts: tuple[float, ...]


def read(question: Question[Any]) -> TurnReading:
    """Return the user's turn before a question, with its history."""
    speech = question.utterances
    users = [e.text for e in speech if e.agent == USER]
    system = [e for e in speech if e.agent == SYSTEM]
    free = [label(e) in (None, OUT_OF_SCOPE) for e in system]
    results = [n for n, e in enumerate(reversed(question.history)) if isinstance(e, Result)]
    queries = sum(isinstance(e, Query) for e in question.history)
    shares = sum(free), sum(free) / (len(free) or 1), bool(free and free[-1])
    return TurnReading(
        task=question.asked.task,
        text=users[-1] if users else "",
        before=system[-1].text if system else "",
        earlier=tuple(users[:-1]),
        counts=(len(users), *shares, queries, results[0] if results else NO_RESULT),
    )


class TaskWords(NamedTuple):
    """The texts of a task's schema, without placeholders.

    `wizards` are texts that wizards typed for its replies; `values` has a text for each slot.
    """

    users: tuple[str, ...]
    replies: tuple[str, ...]
    wizards: tuple[str, ...]
    values: tuple[str, ...]


NO_RESULT = 20
"""Events since the last result if there is none: more than follow most results."""

NOTHING = TaskWords((), (), (), ())


def words_of(task: TaskSchema) -> TaskWords:
    """Return the texts of a task's schema."""
    nodes = task.flow.nodes.values()
    users = [t for node in nodes if node.kind == "user" for t in (*node.texts, *node.examples)]
    replies = [text for node in nodes if node.kind == "system" for text in node.texts]
    wizards = [text for node in nodes if node.kind == "system" for text in node.examples]
    slots = [
        " ".join((slot.description or slot.name, *slot.values))
        for slot in (*task.slots.values(), *task.inputs)
    ]
    return TaskWords(_plain(users), _plain(replies), _plain(wizards), _plain(slots))


def _plain(texts: Sequence[str]) -> tuple[str, ...]:
    lines = (" ".join(PLACEHOLDER.sub(" ", text).split()) for text in texts)
    return tuple(dict.fromkeys(text for text in lines if text))


IN, OUT = "in", "out"
"""The decisions about a turn, as labels of a ranking."""

ORDERED = 0.02
"""The share of the score in a probability, to keep the order if the regression is flat."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Turns scores, from 0 to 1, into answers.

    `curve` is a fitted isotonic regression, from scores to the probability of being out of scope;
    turns with a score of `threshold` or more are out of scope.
    """

    curve: Any
    threshold: float

    def answers(self, scores: Floats) -> list[Prediction[float]]:
        """Return the answers to questions with given scores: shape (questions,)."""
        likely = (1 - ORDERED) * self.curve.predict(scores) + ORDERED * scores
        guesses = []
        for out, score in zip(likely.tolist(), scores, strict=True):
            ways = ((OUT, round(out, 6)), (IN, round(1 - out, 6)))
            guesses.append(Prediction(ways[1][1], ways if score >= self.threshold else ways[::-1]))
        return guesses


def learn(scores: Floats, out: Sequence[bool]) -> Decision:
    """Fit on the scores (0 to 1) of training questions, and whether each is out of scope."""
    from sklearn.isotonic import IsotonicRegression

    curve = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip")
    return Decision(curve.fit(scores, np.array(out, dtype=float)), _threshold(scores, out))


def _threshold(scores: Floats, out: Sequence[bool]) -> float:
    order = np.argsort(-scores, kind="stable")
    right = np.array(out, dtype=float)[order]
    hits = np.cumsum(right)
    ranks = np.arange(1, len(right) + 1)
    total, count = right.sum(), len(right)
    first = 2 * hits / (ranks + total)
    rest = (count - ranks) - (total - hits)
    second = 2 * rest / np.maximum((count - ranks) + (count - total), 1)
    return float(scores[order][int(np.argmax(first + second))])


MOST = 100
"""Number of words beyond which turns get the same score."""


@dataclass
class WordCount:
    """Scores whether a turn is out of scope by its number of words, longer ones higher."""

    name: ClassVar[str] = "word-count"
    kinds: ClassVar[Kinds] = (InScope,)
    _decision: Decision | None = field(default=None, init=False, repr=False)

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Fit the decision on training's turns."""
        need(examples)
        counts = _counted([example.question for example in examples])
        self._decision = learn(counts, [example.answer < 0.5 for example in examples])

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[float]]:
        """Answer each question."""
        return known(self._decision).answers(_counted(questions)) if questions else []


def _counted(questions: Questions) -> Floats:
    lengths = [min(len(words(read(question).text)), MOST) / MOST for question in questions]
    return np.array(lengths)


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
        odds = np.zeros((len(turns), 2))
        for rest, fold in parts(folds):
            model = _word_models([turns[n] for n in rest], out[rest])
            odds[fold] = _word_scores(model, [turns[n] for n in fold])
        features = np.hstack([base, odds])
        scores = np.zeros(len(turns))
        for rest, fold in parts(folds):
            grown = TREES.fit(features[rest], out[rest], self.seed)
            scores[fold] = grown.chance(True, features[fold])
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
        odds = _word_scores(known(self._words), turns)
        features = np.hstack([self._compared(turns, schemas), odds])
        chances = [trees.chance(True, features) for trees in self._trees]
        return decision.answers(np.sum(chances, axis=0) / len(chances))

    def _compared(self, turns: Sequence[TurnReading], schemas: Schemas) -> Floats:
        """Return the features of turns that need no fitting: shape (turns, features)."""
        tasks = {name: words_of(task) for name, task in schemas.items()}
        encoder = TfidfEncoder()
        encoder.fit(text for own in tasks.values() for part in own for text in part)
        rows: dict[int, Floats] = {}
        for task in sorted({turn.task for turn in turns}):
            places = [place for place, turn in enumerate(turns) if turn.task == task]
            others = [own for name, own in tasks.items() if name != task]
            here = [turns[place] for place in places]
            likeness = _similar(encoder, here, tasks.get(task, NOTHING), others)
            plain = np.array([_counts(turn, schemas[task].language) for turn in here])
            rows.update(zip(places, np.hstack([likeness, plain]), strict=True))
        return np.stack([rows[place] for place in range(len(turns))])


def _similar(
    encoder: TfidfEncoder, turns: Sequence[TurnReading], own: TaskWords, others: Sequence[TaskWords]
) -> Floats:
    """Return similarities of turns to their task's texts and to other tasks': (turns, 7)."""
    texts = [turn.text for turn in turns]
    apart = {*own.users, *own.wizards, *own.replies}
    foreign = dict.fromkeys(t for each in others for t in each.users if t not in apart)
    near = _nearest_of(encoder, texts, (*own, tuple(foreign)))
    (prompt,) = _nearest_of(encoder, [turn.before for turn in turns], (own.replies,))
    usual = np.maximum.reduce([near[0], near[2]])
    columns = [*near, prompt, usual - near[4]]
    return np.stack(columns, axis=1)


def _nearest_of(
    encoder: TfidfEncoder, texts: Sequence[str], pools: Sequence[Sequence[str]]
) -> list[Floats]:
    """Return for each pool the similarity of each text to its nearest text; 0 in an empty pool."""
    alike = encoder.similarity(texts, [text for pool in pools for text in pool])
    ends = np.cumsum([len(pool) for pool in pools])[:-1]
    parts = np.split(alike, ends, axis=1)
    return [part.max(axis=1) if part.shape[1] else np.zeros(len(texts)) for part in parts]


def _counts(turn: TurnReading, language: str) -> list[float]:
    tokens = words(turn.text)
    answered = words(turn.before)
    history = {word for text in turn.earlier for word in words(text)}
    shared = len({*tokens} & {*answered})
    return [
        *map(float, cues(turn.text, language).values()),
        float(turn.before.rstrip().endswith("?")),
        len(tokens),
        len(answered),
        shared / (len(tokens) or 1),
        sum(word not in history for word in tokens) / (len(tokens) or 1),
        *turn.counts,
        sum(letter.isdigit() for letter in turn.text),
        sum(mark in turn.text for mark in ".!"),
    ]


def _word_models(turns: Sequence[TurnReading], out: Floats) -> LinearModels:
    return _linear([turn.text for turn in turns], out), _linear([t.before for t in turns], out)


def _linear(texts: Sequence[str], out: Floats) -> TextClassifier:
    """Return a linear model of words; without words, it gives even odds."""
    model = TextClassifier(TermWeights(WordTerms()), 3.0)
    return model.fit(texts, out.tolist()) if any(words(text) for text in texts) else model


def _word_scores(models: LinearModels, turns: Sequence[TurnReading]) -> Floats:
    """Return the log odds of out of scope by each linear model: shape (turns, 2)."""
    texts = [turn.text for turn in turns], [turn.before for turn in turns]
    columns = [model.odds(part) for model, part in zip(models, texts, strict=True)]
    return np.stack(columns, axis=1)
