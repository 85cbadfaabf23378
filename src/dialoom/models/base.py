"""What a model is: fitted on examples, then asked questions, with the task schemas at hand.

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

Seed = Annotated[int, Meta(ge=0, le=2**31 - 1)]
"""Where a model's randomness comes from."""

RANKED = 200
"""Answers in a ranking at most: more than the labels of any task, fewer than there are texts."""

KEPT = 20
"""How many of the best candidates a ranking keeps, of a list longer than `RANKED`."""

Kinds = tuple[type[Struct], ...]
"""Kinds of questions: members of `dialoom.dialogue.question.Asked`."""

Examples = Sequence[Example[Any, Any]]
"""Questions of the model's kinds with their answers, to learn from."""

Questions = Sequence[Question[Any]]
"""Questions of the model's kinds."""

Schemas = Mapping[str, TaskSchema]
"""The schemas of the tasks or services that questions are about, by id."""


class Model(Protocol):
    """Answers questions about dialogues.

    `predict` gets dialogues that end where the question is asked; the tasks it is asked about may
    be absent from the examples it was fitted on, and are then known from their schemas alone.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    name: ClassVar[str]
    kinds: ClassVar[Kinds]

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Learn from examples; replaces what was learnt before."""

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[Any]]:
        """Answer each question, in order."""


@runtime_checkable
class Keeping(Protocol):
    """A model that can keep what is costly to work out in a folder, and take it from there."""

    def keep_in(self, folder: Path) -> None:
        """Keep it in this folder; called before the model is fitted."""


@runtime_checkable
class GivesLikelihoods(Protocol):
    """A model of texts that tells the probability of any: what perplexity is measured by."""

    def log_likelihoods(
        self, questions: Questions, answers: list[str], schemas: Schemas
    ) -> list[float]:
        """Return the logarithm (nats) of the probability of an answer to each question."""


class Unlearnt:
    """Base of models that learn nothing."""

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Do nothing."""


def settings_of(model: Model) -> dict[str, Any]:
    """Return the settings that rebuild a model; defaults left out."""
    found = {}
    for field in fields(model):
        default = field.default_factory() if callable(field.default_factory) else field.default
        if field.init and (value := getattr(model, field.name)) != default:
            found[field.name] = value
    return found


def known(learnt: T | None) -> T:
    """Return what a model has learnt.

    Raises:
        UsageError: It is empty: the model has not been fitted.
    """
    if not learnt:
        raise UsageError("a model must be fitted before it predicts")
    return learnt


def need(examples: Examples) -> None:
    """Check that there is something to learn from.

    Raises:
        UsageError: There is not.
    """
    if not examples:
        raise UsageError("nothing to learn from: no examples; --train-corpus names some")
