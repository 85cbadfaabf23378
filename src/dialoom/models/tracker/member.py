"""A member of a tracker: scorers, and trees over the features that these give.

The scorers are fitted on all training dialogues. In training, features come from scorers that were
fitted on other dialogues and without some of the services (cross_fitting.py), so that the trees are
fitted on features like those of services new to them. Trees are fitted twice: the first ones on
half of the dialogues, with the annotated state before each turn; the final ones on all, in the
other half with states that the first ones predict.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import chain, zip_longest
from random import Random
from typing import Any, NamedTuple

import numpy as np

from dialoom.corpus.processes import shared
from dialoom.learn.trees import FittedTrees, Trees
from dialoom.models.tracker.cross_fitting import CrossFitPart, cross_fitted
from dialoom.models.tracker.features import FeatureSources
from dialoom.models.tracker.frame_rows import (
    NO_INTENT,
    TASKS,
    FrameRows,
    LabelledFrame,
    Table,
    TrainingRows,
    frame_rows,
    labelled,
    set_reference,
    update_state,
)
from dialoom.models.tracker.history import DialogueHistory
from dialoom.models.tracker.scorers import ScorerExample, Scorers
from dialoom.models.tracker.service import ServiceView
from dialoom.models.tracker.turns import TrackedTurn

TREES = Trees(rounds=250, rate=0.1, leaves=31, least=60, penalty=1.0)
"""Settings of the boosted trees of candidates, intents and requested slots."""
FEW, CAREFUL = 1_000_000, replace(TREES, rate=0.05, share=0.3)
"""Number of rows below which trees are fitted with these settings: on the 303,000 rows of 600
dialogues of MultiWOZ 2.1 they leave 501 errors in place of 556, of 1,650 changes of values."""
FIRST, OTHERS = 100, 80
"""Boosting rounds of the first trees, which only predict states for the final ones, and of the
trees of intents and requested slots."""

EACH = 6_000
"""Most training dialogues of one member; of more, each member learns from its own sample."""

CHUNK = 200
"""Number of dialogues that are tracked together."""

Views = Mapping[str, ServiceView]
"""Name of a service to its schema, as scorers read it."""
TreeModels = Mapping[str, FittedTrees]
"""The trees of each of `TASKS`."""
Step = list[tuple[TrackedTurn, list[FrameRows]]]
"""A turn and its frames, for each of several dialogues."""


class FrameChances(NamedTuple):
    """The probabilities of a frame's rows: shape (rows,) each, as those of `FrameRows`."""

    values: Any
    intents: Any
    requests: Any


@dataclass(frozen=True)
class Training:
    """Dialogues, services and settings that the members of a tracker learn from.

    Attributes:
        dialogues: Turns with located value spans.
        views: The services, in their own words.
        worded: Returns the views for a part, given the services hidden from its scorers.
        sources: Returns the sources of features, given scorers, views and hidden services.
        canonical: Whether states have canonical values.
        threshold: As of the tracker.
    """

    dialogues: list[list[TrackedTurn]]
    views: Views
    worded: Callable[[frozenset[str]], Views]
    sources: Callable[[Scorers, Views, frozenset[str]], FeatureSources]
    canonical: bool
    threshold: float


class Member(NamedTuple):
    """Scorers, and the trees of each of `TASKS` over their features."""

    scorers: Scorers
    trees: TreeModels


def fit_member(
    training: Training, draw: Random, seed: int
) -> tuple[Member, list[CrossFitPart], list[ScorerExample]]:
    """Return a fitted member, the parts that its trees learned from, and its scorers' examples."""
    dialogues = training.dialogues
    if len(dialogues) > EACH:
        dialogues = draw.sample(dialogues, EACH)
    parts, examples = cross_fitted(
        dialogues, training.views, draw, seed, canonical=training.canonical
    )
    scorers = Scorers()
    scorers.fit(examples, seed)
    rows = TrainingRows(Random(seed))
    first = _learn(training, parts, 0, rows, None, seed)
    return Member(scorers, _learn(training, parts, 1, rows, first, seed)), parts, examples


def _learn(
    training: Training,
    parts: Sequence[CrossFitPart],
    half: int,
    rows: TrainingRows,
    own: TreeModels | None,
    seed: int,
) -> TreeModels:
    """Add the rows of half of the dialogues to the training rows; return trees fitted on all.

    `half` 0 takes dialogues with even indices, 1 the others. `own` predict the state before each
    turn for the final trees; None takes the annotated state, for the first ones.
    """

    def halves() -> Iterator[tuple[Sequence[list[TrackedTurn]], Views, FeatureSources]]:
        for part, scorers, hidden in parts:
            dialogues, views = part[half::2], training.worded(hidden)
            _word_intents(dialogues, views)
            yield dialogues, views, training.sources(scorers, views, hidden)

    def taught(
        part: tuple[Sequence[list[TrackedTurn]], Views, FeatureSources],
    ) -> list[LabelledFrame]:
        return list(_taught(lockstep(*part), own, training.threshold))

    def fitted(task: str) -> bytes:
        rounds = OTHERS if task != "values" else TREES.rounds if own else FIRST
        few = training.canonical and rows.count(task) < FEW
        settings = replace(CAREFUL if few else TREES, rounds=rounds)
        return pickle.dumps(rows.fit(task, settings, seed))

    import_module("sklearn.ensemble")  # before processes are forked, which inherit it
    for frames in shared(taught, halves()):
        for frame in frames:
            rows.add(frame)
    return dict(zip(TASKS, map(pickle.loads, shared(fitted, TASKS)), strict=True))


def judge(frames: Sequence[FrameRows], models: TreeModels) -> list[FrameChances]:
    """Return the probabilities of the rows of each frame, by one call of each of the trees."""
    return [
        FrameChances(*each)
        for each in zip(
            _chances([frame.values for frame in frames], models["values"]),
            _chances([frame.intents for frame in frames], models["intents"]),
            _chances([frame.requests for frame in frames], models["requests"]),
            strict=True,
        )
    ]


def mean(frames: Sequence[FrameRows], judged: Sequence[FrameChances]) -> FrameChances:
    """Return the means of the probabilities of one frame by several members.

    Candidates are those of the first member; a member without one of them gives it 0.
    """
    values = np.zeros(len(frames[0].candidates), np.float32)
    for frame, each in zip(frames, judged, strict=True):
        chances = {
            (c.slot, c.value): chance
            for c, chance in zip(frame.candidates, each.values, strict=True)
        }
        values += [chances.get((c.slot, c.value), 0.0) for c in frames[0].candidates]
    return FrameChances(
        values / len(frames),
        np.mean([each.intents for each in judged], axis=0),
        np.mean([each.requests for each in judged], axis=0),
    )


def settle(now: int, frame: FrameRows, judged: FrameChances, threshold: float) -> tuple[str, ...]:
    """Update a frame's state and intent by probabilities; return the requested slots."""
    update_state(frame, judged.values, now, threshold)
    view = frame.held.view
    frame.held.intent = (*view.intents, NO_INTENT)[int(np.argmax(judged.intents))]
    return tuple(s.name for s, p in zip(view.slots, judged.requests, strict=True) if p > 0.5)


def _chances(groups: Sequence[Table], trees: FittedTrees) -> list[Any]:
    """Return the probabilities of the rows of each table: shape (rows,) each."""
    rows = [group for group in groups if len(group)]
    chances = trees.chance(True, np.concatenate(rows)) if rows else np.zeros(0)
    ends = np.cumsum([len(group) for group in groups])[:-1]
    return list(np.split(chances.astype(np.float32), ends)) if groups else []


def _taught(
    steps: Iterable[Step], own: TreeModels | None, threshold: float
) -> Iterator[LabelledFrame]:
    """Yield labelled frames; then set states to those that `own` predicts, else annotated ones."""
    for step in steps:
        known_ = [
            (turn, frame, state)
            for turn, frames in step
            for frame in frames
            if (state := turn.states.get(frame.held.view.name)) is not None
        ]
        for turn, frame, state in known_:
            yield labelled(frame, state, turn.weight)
            if own is None:
                set_reference(frame.held, state, turn.number)
        if own is not None:
            judged = judge([frame for _, frame, _ in known_], own)
            for (turn, frame, _), each in zip(known_, judged, strict=True):
                settle(turn.number, frame, each, threshold)


def _word_intents(dialogues: Sequence[list[TrackedTurn]], views: Views) -> None:
    """Draw the wordings of intents, by services in order of first use, on which draws depend."""
    for start in range(0, len(dialogues), CHUNK):
        for turn in chain.from_iterable(zip_longest(*dialogues[start : start + CHUNK])):
            for name in turn.services if turn else ():
                if name in views:
                    _ = views[name].intent_targets


def lockstep(
    dialogues: Sequence[list[TrackedTurn]], views: Views, sources: FeatureSources
) -> Iterator[Step]:
    """Yield the frames of the first turn of each dialogue, then of the second, and so on.

    Dialogues are tracked `CHUNK` at a time. The caller updates states before the next step.
    """
    for start in range(0, len(dialogues), CHUNK):
        part = dialogues[start : start + CHUNK]
        histories = [DialogueHistory(sources.scorers, views) for _ in part]
        for turns_ in zip_longest(*part):
            step = []
            for turn, history in zip(turns_, histories, strict=True):
                if turn is not None:
                    history.read(turn)
                    step.append((turn, frame_rows(history, sources)))
            yield step
