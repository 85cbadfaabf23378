"""What the dialogues of a task itself teach about its next actions, where training holds any.

A logistic regression a task, over what was done last, what is known, what the user said, and what
the learners of all tasks tell of each action, which it corrects (stacking, Wolpert 1992).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from dialoom.models.follower.progress import DialogueProgress
from dialoom.models.follower.rules import DescribedActions
from dialoom.models.follower.similarity import Vector
from dialoom.models.follower.word_weights import spoken_words

LEAST = 1e-3
"""Added to probabilities, so that no action is beyond reach of the other learners."""

LOGIT: dict[str, Any] = {"C": 0.3, "max_iter": 200, "tol": 1e-2}
"""Settings of the regression, chosen by leaving out dialogues of training."""

CONTEXT = 0.3
"""The standard deviation given to columns about the dialogue, beside words that are 0 or 1."""

FLOOR = -7.0
"""Logarithms of shares below this say no more than this."""

SAME = 1e-6
"""Columns that differ by less are the same."""

LONGEST = 30
"""Values of an item with more characters are no words of the task's own."""


def situation(progress: DialogueProgress, filled: Sequence[str]) -> frozenset[str]:
    """Return what tells where a dialogue stands in its task, as words.

    Args:
        progress: What is known.
        filled: The questions on the way to a query whose answers are known.
    """
    return frozenset(_situation(progress, filled))


def _situation(progress: DialogueProgress, filled: Sequence[str]) -> Iterator[str]:
    before, last = [None, None, *progress.trail][-2:]
    here, known = f"{progress.kind} after {last}", ",".join(filled)
    yield from (here, f"{here} after {before}", f"{here} knowing {known}", f"knowing {known}")
    yield from (f"known {each}" for each in filled)
    if progress.kind == "user":
        spoken = spoken_words(progress.user)
        yield from (f"said {word}" for word in spoken)
        yield from (f"said {word} after {last}" for word in spoken)
        yield from (f"said {one} {two}" for one, two in pairwise(spoken))
    elif progress.kind == "result":
        values = (progress.item or {"": "nothing"}).items()
        yield from (f"{key} is {value}" for key, value in values if len(str(value)) <= LONGEST)


class TaskExperience:
    """Tells from a task's own dialogues how probable each action is.

    Args:
        described: The task's actions at each point to learn from.
        general: What the learners of all tasks tell there, the logarithm of each action's share.
        labels: The action taken there.
    """

    def __init__(
        self,
        described: Sequence[DescribedActions],
        general: Sequence[Vector],
        labels: Sequence[str],
    ) -> None:
        from sklearn.feature_extraction import DictVectorizer
        from sklearn.linear_model import LogisticRegression

        features = np.stack([here.features for here in described])
        spread = features[:, 0].std(axis=0)
        alike = np.ptp(features, axis=1).max(axis=0) < SAME
        self._context = np.flatnonzero(alike & (spread > SAME))
        """The columns that tell of the dialogue, not of an action."""
        self._mean = features[:, 0, self._context].mean(axis=0)
        self._spread = spread[self._context]
        self._words = DictVectorizer(dtype=np.float32).fit([_counts(here) for here in described])
        self._only = labels[0] if len(set(labels)) == 1 else None
        self._model: Any = LogisticRegression(**LOGIT)
        if self._only is None:
            self._model.fit(self._rows(described, general), labels)

    def weigh(
        self, described: Sequence[DescribedActions], general: Sequence[Vector]
    ) -> list[Vector]:
        """Return the logarithm of the probability of each action at each point."""
        actions = described[0].actions
        if self._only is not None:
            told = np.array([[action == self._only for action in actions]] * len(described))
        else:
            place = {action: number for number, action in enumerate(self._model.classes_)}
            shares = self._model.predict_proba(self._rows(described, general))
            none = np.zeros(len(described))
            told = np.stack([shares[:, place[a]] if a in place else none for a in actions], axis=1)
        return list(np.log(told + LEAST))

    def _rows(self, described: Sequence[DescribedActions], general: Sequence[Vector]) -> Any:
        """Return what tells of each point, as a sparse matrix."""
        from scipy.sparse import csr_matrix, hstack

        context = np.stack([here.features[0, self._context] for here in described])
        scaled = CONTEXT * (context - self._mean) / self._spread
        told = np.maximum(np.stack(general), FLOOR)
        words = self._words.transform([_counts(here) for here in described])
        return hstack([words, csr_matrix(np.hstack([scaled, told]))]).tocsr()


def _counts(here: DescribedActions) -> dict[str, int]:
    return dict.fromkeys(sorted(here.situation), 1)
