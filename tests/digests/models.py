"""Answers of models: each model on each kind of question, through a protocol.

The digest is of answers, the first answers of rankings and rounded probabilities. The rest is left
out: its last digits differ between processors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from msgspec import to_builtins

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.data import open_data
from dialoom.bench.core.making import NamedModel
from dialoom.bench.core.protocol import Outcome, Plan, Target
from dialoom.bench.core.results import summarise
from dialoom.bench.core.run import run, select
from dialoom.dialogue import Prediction, digest
from dialoom.learn.model import Model
from dialoom.models import MODELS
from tests.digests.corpora import SHORT, SHORT_STAR, TYPED, Corpora
from tests.digests.table import NEURAL, Entry

FIRST = 3
"""How many answers of a ranking count."""

DIGITS = 2
"""Decimals of probabilities."""

SCORES = 3
"""How many scores an entry shows."""


@dataclass(frozen=True)
class Experiment:
    """Models on one protocol.

    Attributes:
        protocol: The protocol's name.
        models: The models' names.
        only: The hold-out, by its name or place; None for all.
        corpus: The name of the corpora; the protocol's own where empty.
        settings: Settings of the models.
    """

    protocol: str
    models: tuple[str, ...]
    only: str | int | None = None
    corpus: str = ""
    settings: Mapping[str, Any] | None = None


EXPERIMENTS = (
    Experiment("babi", ("ranker",), "task5"),
    Experiment("calls", ("empty",)),
    Experiment("dstc6", ("lookup", "random", "ranker", "tfidf"), "task5FULL"),
    Experiment("frames-nlu", ("frame-reader",), 0),
    Experiment("frames-tracking", ("frame-rules", "frame-trees"), 0),
    Experiment("gem-generation", ("copy", "retrieve", "template")),
    Experiment("sgd-calls", ("call-policy", "call-rules")),
    Experiment("sgd-policy", ("act-policy", "act-rules")),
    Experiment("sgd-slots", ("slot-spans", "span-rules"), corpus=SHORT),
    Experiment("sgd-tracking", ("empty", "rules")),
    Experiment("sgd-tracking", ("tracker",), corpus=SHORT, settings={"members": 1}),
    Experiment("sgd-user", ("act-policy",)),
    Experiment("star-call", ("caller", "tracked"), "multi"),
    Experiment("star-next-action", ("majority", "nearest"), "multi"),
    Experiment("star-next-action", ("schema-attention",), "happy", SHORT_STAR, {"rate": 1e-2}),
    Experiment("star-out-of-domain", ("scope", "word-count"), "unhappy"),
    Experiment("star-response", ("majority", "nearest", "responder"), "multi"),
    Experiment("star-selection", ("selector",), "5"),
    Experiment("star-suggestions", ("suggester", "typed"), "fold1", TYPED),
    Experiment("star-zero-shot-domain", ("follower",), "hotel"),
    Experiment("taskmaster-arguments", ("argument-tagger",)),
    Experiment("taskmaster-response", ("ngram",)),
)


class Ran(NamedTuple):
    """The entry of a case, its plan, and the fitted model of each hold-out."""

    entry: Entry
    plan: Plan
    models: list[Model]


@dataclass(frozen=True)
class ModelCase:
    """One model on one protocol.

    Attributes:
        experiment: The experiment.
        model: The model's name.
    """

    experiment: Experiment
    model: str

    @property
    def name(self) -> str:
        return f"model/{self.experiment.protocol}/{self.model}"

    @property
    def needs(self) -> tuple[str, ...]:
        """The libraries besides those of `dialoom[models]`."""
        return NEURAL if ".neural." in MODELS.module(self.model) else ()

    @property
    def answers(self) -> tuple[str, type[Any]]:
        """The model's name and the kind of question that it answers here."""
        return self.model, PROTOCOLS.get(self.experiment.protocol).kind

    def measure(self, corpora: Corpora) -> Entry:
        return self.run(corpora).entry

    def run(self, corpora: Corpora) -> Ran:
        """Fit and ask the model."""
        plan = self.plan(corpora)
        make = NamedModel(self.model, self.experiment.settings or {})
        models: list[Model] = []

        def made() -> Model:
            models.append(make())
            return models[-1]

        outcomes = list(run(plan, made))
        scores = summarise(plan, outcomes, make(), samples=1).scores
        score = ", ".join(f"{name} {each.value:.1f}" for name, each in [*scores.items()][:SCORES])
        output = list(answers(outcomes, alone=bool(self.needs)))
        entry = Entry(digest(output), _digest_of_inputs(*self._planned, corpora), score)
        return Ran(entry, plan, models)

    def plan(self, corpora: Corpora) -> Plan:
        """Return the plan, which the models of one experiment share."""
        return _plan(*self._planned, corpora)

    @property
    def _planned(self) -> tuple[str, str, str | int | None]:
        own = self.experiment
        return own.protocol, own.corpus, own.only


@lru_cache(maxsize=2)
def _plan(name: str, corpus: str, only: str | int | None, corpora: Corpora) -> Plan:
    protocol = PROTOCOLS.get(name)
    tested, training = corpora.of(corpus or protocol.corpus)
    plan = protocol.plan(open_data(protocol, tested, training), protocol.settings())
    if isinstance(only, int):
        return replace(plan, holdouts=[plan.holdouts[only]])
    return select(plan, () if only is None else (only,))


@lru_cache(maxsize=2)
def _digest_of_inputs(name: str, corpus: str, only: str | int | None, corpora: Corpora) -> str:
    return digest(list(inputs(_plan(name, corpus, only, corpora))))


def answers(outcomes: Iterable[Outcome], *, alone: bool = False) -> Iterator[Any]:
    """Yield what counts of each prediction: of neural models the answers `alone`."""
    for prediction in chain.from_iterable(outcome.predictions for outcome in outcomes):
        yield prediction.answer if alone else counted(prediction)


def counted(prediction: Prediction[Any]) -> Any:
    """Return what counts of a prediction, as JSON values."""
    first = [answer for answer, _ in prediction.ranking[:FIRST]]
    output = prediction.answer, first, prediction.confidence
    return rounded(to_builtins(output, str_keys=True))


def rounded(value: Any) -> Any:
    """Return JSON values with rounded numbers."""
    match value:
        case float():
            return round(value, DIGITS) + 0.0  # -0.0 and 0.0 are the same
        case dict():
            return {name: rounded(each) for name, each in value.items()}
        case list() | tuple():
            return [rounded(each) for each in value]
        case _:
            return value


def inputs(plan: Plan) -> Iterator[Any]:
    """Yield what a model is fitted on and asked."""
    yield dict(plan.train_schemas)
    yield dict(plan.schemas)
    for holdout in plan.holdouts:
        yield holdout.name
        for targets in (holdout.train, holdout.test):
            yield from _questions(targets)


def _questions(targets: Iterable[Target]) -> Iterator[Any]:
    ids: set[int] = set()
    for target in targets:
        if id(target.seen) not in ids:
            ids.add(id(target.seen))
            yield target.seen
        yield to_builtins((target.position, target.asked, target.gold), str_keys=True)


MODEL_CASES = [ModelCase(each, model) for each in EXPERIMENTS for model in each.models]
