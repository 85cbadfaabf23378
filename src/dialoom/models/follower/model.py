"""The schema follower: ranks the actions of a task's schema, without having seen the task.

Trees are boosted over task-independent features of (history, action), see features.py; what only
the flow of the task itself can tell is laid over their scores as rules, see rules.py. The model
reads what came before the question and the schema, nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

import numpy as np
from msgspec import Meta

from dialoom.dialogue import Example, NextAction, Prediction, Question
from dialoom.errors import UsageError
from dialoom.models.base import Kinds, Seed
from dialoom.models.encoder import encoders
from dialoom.models.follower.features import GROUPS
from dialoom.models.follower.reader import QuestionReader
from dialoom.models.follower.rules import RULES, DescribedActions
from dialoom.models.follower.similarity import Vector
from dialoom.schema.task import TaskSchema

TREES: dict[str, Any] = {
    "max_iter": 200,
    "learning_rate": 0.08,
    "max_leaf_nodes": 15,
    "min_samples_leaf": 40,
    "l2_regularization": 1.0,
    "max_features": 0.5,
    "early_stopping": False,
}
"""Settings of the boosted trees: small trees, which carry better to unlike domains.

Chosen by learning from four and from seven of STAR's ten domains and asking the others.
"""


@dataclass
class Follower:
    """Ranks the actions of a task's schema.

    Attributes:
        encoder: The text encoder, by name.
        without: Groups of features and rules to leave out, for ablations.
        members: How many models, of consecutive seeds, to average.
        seed: The first seed.
    """

    name: ClassVar[str] = "follower"
    kinds: ClassVar[Kinds] = (NextAction,)
    encoder: str = "tfidf"
    without: tuple[str, ...] = ()
    members: Annotated[int, Meta(ge=1, le=1000)] = 3
    seed: Seed = 0
    _cached: QuestionReader | None = field(default=None, init=False, repr=False)
    _trees: list[Any] = field(default_factory=list, init=False, repr=False)

    def __post_init__(self) -> None:
        self.without = tuple(self.without)
        unknown = sorted(set(self.without) - GROUPS.keys() - RULES.keys())
        if unknown:
            known = ", ".join([*GROUPS, *RULES])
            raise UsageError(f"no such group of features: {', '.join(unknown)}; known: {known}")
        if self.members < 1:
            raise UsageError(f"members should be at least 1, not {self.members}")

    @staticmethod
    def variants() -> list[dict[str, Any]]:
        """Return the settings to choose among without a look at any test part."""
        return [{}, {"without": ("program",)}]

    def fit(
        self, examples: Sequence[Example[NextAction, str]], schemas: Mapping[str, TaskSchema]
    ) -> None:
        """Grow the trees on examples whose label is an action of their task's schema.

        Raises:
            UsageError: No example is.
        """
        from sklearn.ensemble import HistGradientBoostingClassifier
        from threadpoolctl import threadpool_limits

        reader = self._reader(schemas)
        rows, marks = [], []
        for number, here in reader.read([example.question for example in examples]):
            label = examples[number].answer
            if label in here.actions:
                rows.append(here.features)
                marks.append(np.array([action == label for action in here.actions]))
        if not rows:
            raise UsageError("nothing to learn from: no example's label is in its task's schema")
        features, labels = np.concatenate(rows), np.concatenate(marks)
        # several threads only spin while they wait for a busy machine; processes share it better
        with threadpool_limits(limits=1):
            self._trees = [
                HistGradientBoostingClassifier(**TREES, random_state=seed).fit(features, labels)
                for seed in range(self.seed, self.seed + self.members)
            ]

    def predict(
        self, questions: Sequence[Question[NextAction]], schemas: Mapping[str, TaskSchema]
    ) -> list[Prediction[str]]:
        """Rank the actions of each question's task.

        Raises:
            UsageError: The model has not been fitted.
        """
        from threadpoolctl import threadpool_limits

        if not self._trees:
            raise UsageError("a follower must be fitted before it predicts")
        described = dict(self._reader(schemas).read(questions))
        if not described:
            return []
        ordered = [described[number] for number in range(len(questions))]
        features = np.concatenate([here.features for here in ordered])
        with threadpool_limits(limits=1):
            scores = sum(trees.decision_function(features) for trees in self._trees) / self.members
        ends = np.cumsum([len(here.actions) for here in ordered])[:-1]
        return [
            _prediction(here, self._ruled(here, part))
            for here, part in zip(ordered, np.split(scores, ends), strict=True)
        ]

    def _reader(self, schemas: Mapping[str, TaskSchema]) -> QuestionReader:
        if self._cached is None or self._cached.schemas is not schemas:
            groups = tuple(group for group in GROUPS if group not in self.without)
            self._cached = QuestionReader(schemas, encoders.get(self.encoder)(), groups)
        return self._cached

    def _ruled(self, here: DescribedActions, scores: Vector) -> Vector:
        for name, rule in RULES.items():
            if name not in self.without:
                scores = rule(here, scores)
        return scores


def _prediction(here: DescribedActions, scores: Vector) -> Prediction[str]:
    odds = np.exp(scores - scores.max())
    shares = odds / odds.sum()
    # equal scores keep the order of the schema
    order = np.argsort(-shares, kind="stable")
    ranking = tuple((here.actions[place], round(float(shares[place]), 6)) for place in order)
    return Prediction(ranking[0][0], ranking)
