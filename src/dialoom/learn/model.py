"""The interface of models: fitted on examples, then asked questions, both with task schemas.

A model is a dataclass whose fields are its settings: they rebuild it, and go into the signature of
every score.

    @dataclass
    class Fixed:
        name: ClassVar[str] = "fixed"
        kinds: ClassVar[Kinds] = (NextAction,)
        label: str = "hello"

        def fit(self, examples, schemas): ...

        def predict(self, questions, schemas):
            return [Prediction(self.label) for _ in questions]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import Field, fields
from pathlib import Path
from typing import Annotated, Any, ClassVar, Protocol, TypeVar, runtime_checkable

from msgspec import Meta

from dialoom.dialogue import Example, Prediction, Question
from dialoom.dialogue.annotation import Struct
from dialoom.errors import UsageError
from dialoom.schema.task import TaskSchema

T = TypeVar("T")

Seed = Annotated[
    int, Meta(ge=0, le=2**31 - 1, description="The seed of the model's random numbers.")
]

RANKED = 200
"""Most answers in a ranking: more than the labels of any task, fewer than the texts of a corpus."""

KEPT = 20
"""Number of best candidates in a ranking of a list longer than `RANKED`."""

Kinds = tuple[type[Struct], ...]
"""Kinds of questions: members of `dialoom.dialogue.question.Asked`."""

Examples = Sequence[Example[Any, Any]]
"""Questions of the model's kinds with their answers, for training."""

Questions = Sequence[Question[Any]]
"""Questions of the model's kinds."""

Schemas = Mapping[str, TaskSchema]
"""The schemas of the tasks or services that questions are about, by id."""


class Model(Protocol):
    """A model that answers questions about dialogues.

    `predict` gets dialogues that end at the question. Tasks of questions may be absent
    from the examples of training, and are then given by their schemas alone.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    name: ClassVar[str]
    kinds: ClassVar[Kinds]

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Fit on examples, replacing an earlier fit; `UsageError` if there is nothing to learn."""

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[Any]]:
        """Answer each question, in order; `UsageError` if the model has to be fitted first."""


@runtime_checkable
class Keeping(Protocol):
    """A model that can keep its answers in a folder."""

    def keep_in(self, folder: Path) -> None:
        """Keep them there; called before the model is fitted."""


@runtime_checkable
class Sampling(Protocol):
    """A model that learns from a sample of the dialogues in its examples."""

    def learnt_from(self, examples: Examples) -> frozenset[str]:
        """Return the ids of the dialogues that `fit` learns from."""


@runtime_checkable
class GivesLikelihoods(Protocol):
    """A model that gives the probability of any text, by which perplexity is measured."""

    def log_likelihoods(
        self, questions: Questions, answers: list[str], schemas: Schemas
    ) -> list[float]:
        """Return the logarithm (nats) of the probability of an answer to each question."""


class Unlearnt:
    """Base of models without learning."""

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Do nothing."""


def settings_of(model: Model) -> dict[str, Any]:
    """Return the settings that rebuild a model; defaults left out."""
    settings = {}
    for field in fields(model):
        default = field.default_factory() if callable(field.default_factory) else field.default
        if field.init and (value := getattr(model, field.name)) != default:
            settings[field.name] = value
    return settings


def signed_settings(model: Model) -> dict[str, Any]:
    """Return the settings that answers depend on; defaults left out."""
    unsigned = getattr(model, "unsigned", ())
    return {name: value for name, value in settings_of(model).items() if name not in unsigned}


def known(learnt: T | None) -> T:
    """Return a fitted part of a model; `UsageError` if it is missing."""
    if not learnt:
        raise UsageError("a model must be fitted before it predicts", code="not-fitted")
    return learnt


def by_score(scores: Mapping[str, float]) -> Prediction[str]:
    """Return answers in descending order of scores, with six digits; equal ones keep their order.

    Without any, the answer is empty.
    """
    order = sorted(scores, key=lambda answer: -scores[answer])
    ranking = tuple((answer, round(scores[answer], 6)) for answer in order)
    return Prediction(order[0] if order else "", ranking)


def spread(items: Sequence[T], most: int) -> Sequence[T]:
    """Return at most so many items, evenly spaced."""
    return items[:: max(-(-len(items) // most), 1)]


def need(examples: Examples) -> None:
    """Check that there are examples to learn from, else raise `UsageError`."""
    if not examples:
        raise UsageError(
            "nothing to learn from: no examples; --train-corpus names some", code="nothing-to-learn"
        )
