"""Running a plan: fits a model on each hold-out's training questions and asks it the test ones."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

from msgspec import structs

from dialoom.bench.core.engines import DEFAULT, ENGINES
from dialoom.bench.core.making import Build, ModelFile
from dialoom.bench.core.protocol import HoldOut, Outcome, Plan, examples, questions
from dialoom.corpus.processes import sharing
from dialoom.dialogue import (
    Prediction,
)
from dialoom.dialogue.question import kind_name
from dialoom.errors import UnknownNameError, UsageError
from dialoom.learn.kept import fitted, keeping
from dialoom.learn.memory import forget, remembering
from dialoom.learn.model import GivesLikelihoods, Keeping
from dialoom.metrics import METRICS, Metric
from dialoom.schema.task import TaskSchema

FITS = "fits"
"""The folder of fitted models within the cache; a language model keeps its answers next to it."""


def with_metrics(plan: Plan, names: Sequence[str]) -> Plan:
    """Return the plan with more metrics, such as `bleurt=python score.py`.

    `UnknownNameError` for others, `UsageError` for other kinds of questions.
    """
    added = [_metric(name) for name in names]
    for name, metric in zip(names, added, strict=True):
        if metric.kind is not plan.kind:
            raise UsageError(
                f"metric {name} scores questions of the kind {kind_name(metric.kind)}; "
                f"{plan.protocol} asks {kind_name(plan.kind)}"
            )
    return replace(plan, metrics=(*plan.metrics, *added))


def _metric(text: str) -> Metric:
    name, given, argument = text.partition("=")
    make: Callable[..., Metric] = METRICS.get(name)
    if given and not hasattr(make, "argument"):
        raise UsageError(f"metric {name} takes no argument, and was given {argument!r}")
    return make(argument) if given else make()


def select(plan: Plan, names: Sequence[str]) -> Plan:
    """Return the plan with these hold-outs, or all of them; `UnknownNameError` for others."""
    if not names:
        return plan
    known = [holdout.name for holdout in plan.holdouts]
    for name in names:
        if name not in known:
            raise UnknownNameError("hold-out", name, known)
    kept = [holdout for holdout in plan.holdouts if holdout.name in names]
    options = {**plan.options, "only": ",".join(holdout.name for holdout in kept)}
    return replace(plan, holdouts=kept, options=options)


def limited(plan: Plan, limit: int, seed: int) -> Plan:
    """Return the plan with an even sample of its questions; `UsageError` below 1."""
    if limit < 1:
        raise UsageError(f"--limit {limit}: should be 1 or more")
    orders = []
    for holdout in plan.holdouts:
        places = [n for n, target in enumerate(holdout.test) if not target.aside]
        Random(f"{seed} {holdout.name}").shuffle(places)
        orders.append(places)
    turns = sorted((turn, n) for n, places in enumerate(orders) for turn in range(len(places)))
    sizes = Counter(n for _, n in turns[:limit])
    held = [
        replace(holdout, test=[holdout.test[place] for place in sorted(orders[n][: sizes[n]])])
        for n, holdout in enumerate(plan.holdouts)
        if sizes[n]
    ]
    if limit >= len(turns):
        return plan
    options = {**plan.options, "limit": f"{limit}-of-{len(turns)}/seed-{seed}"}
    return replace(plan, holdouts=held, options=options)


def run(
    plan: Plan,
    make: Build,
    *,
    workers: int = 1,
    engine: str = DEFAULT,
    cache: Path | None = None,
    notify: Callable[[str], None] = lambda name: None,
) -> Iterator[Outcome]:
    """Yield the outcome of each hold-out as it is done.

    Every hold-out gets a fresh model, so `workers` changes nothing but the time: with fewer
    hold-outs, they share each fit and its answers if the model can. `cache` keeps fitted models;
    `notify` gets the names of hold-outs in progress. `UsageError` if a process dies, as a rule
    because memory ran out.
    """
    fit = partial(
        run_one,
        make=make,
        train_schemas=plan.train_schemas,
        schemas=plan.schemas,
        allowed=plan.allowed,
        folder=cache,
        workers=max(1, workers // max(1, len(plan.holdouts))) if engine == DEFAULT else 1,
    )

    def begun(holdouts: Sequence[HoldOut]) -> None:
        notify(", ".join(holdout.name for holdout in holdouts))

    try:
        yield from ENGINES.get(engine)(fit, plan.holdouts, workers, begun)
    finally:
        forget()


def run_one(
    holdout: HoldOut,
    make: Build,
    train_schemas: Mapping[str, TaskSchema],
    schemas: Mapping[str, TaskSchema],
    allowed: Mapping[str, frozenset[str]] | None = None,
    folder: Path | None = None,
    workers: int = 1,
) -> Outcome:
    """Fit a fresh model on a hold-out's training questions and ask it all test questions at once.

    A model from a file is not fitted. A language model then also gets the right answers, to give
    their log likelihoods. Training schemas may have other actions. `allowed` maps a task to the
    possible labels; None is no restriction. `folder` keeps fitted models, if any.
    """
    start = time.perf_counter()
    model = make()
    if folder is not None and isinstance(model, Keeping):
        model.keep_in(folder)
    asked = questions(holdout.test)
    with remembering(), sharing(workers):
        with keeping(folder and folder / FITS) as use:
            if not isinstance(make, ModelFile):
                model = fitted(model, examples(holdout.train), train_schemas)
        predictions = model.predict(asked, schemas)
    if allowed is not None:
        predictions = [
            mask(prediction, allowed.get(question.asked.task, frozenset()))
            for question, prediction in zip(asked, predictions, strict=True)
        ]
    if isinstance(model, GivesLikelihoods):
        found = model.log_likelihoods(asked, [target.gold for target in holdout.test], schemas)
        predictions = [
            structs.replace(prediction, log_likelihood=value)
            for prediction, value in zip(predictions, found, strict=True)
        ]
    return Outcome(holdout.name, predictions, time.perf_counter() - start, use.taken > 0)


def mask(prediction: Prediction[str], allowed: frozenset[str]) -> Prediction[str]:
    """Restrict a prediction to some labels.

    An answer that is not among them is replaced by the best-ranked label that is; where the ranking
    has none, the answer stays.
    """
    if prediction.answer in allowed:
        return prediction
    inside = tuple(entry for entry in prediction.ranking if entry[0] in allowed)
    return (
        structs.replace(prediction, answer=inside[0][0], ranking=inside) if inside else prediction
    )
