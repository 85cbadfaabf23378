"""Running a plan: fits a model on each hold-out's training questions and asks it the test ones."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import structs

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.engines import DEFAULT, ENGINES
from dialoom.bench.core.making import Build, ModelFile
from dialoom.bench.core.protocol import HoldOut, Outcome, Plan, examples, questions
from dialoom.corpus.files import read_bytes, write_atomic
from dialoom.corpus.processes import sharing
from dialoom.dialogue import Act, Query, Span, State, digest
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.question import (
    Acts,
    FrameOf,
    InScope,
    NextActs,
    NextCall,
    NextCalls,
    Prediction,
    ServiceAct,
    Spans,
    StateOf,
    kind_name,
)
from dialoom.dialogue.references import ActFrames
from dialoom.errors import FormatError, UsageError, check_name
from dialoom.learn.code_digest import code_digest
from dialoom.learn.kept import fitted, keeping
from dialoom.learn.memory import forget, remembering
from dialoom.learn.model import GivesLikelihoods, Keeping, signed_settings
from dialoom.learn.text import encoder_modules
from dialoom.metrics import METRICS, Metric
from dialoom.schema.task import TaskSchema

ANSWERS: dict[type[Struct], Any] = {
    StateOf: dict[str, State],
    NextCall: Query,
    NextCalls: tuple[Query, ...],
    InScope: float,
    FrameOf: tuple[ActFrames, ...],
    Acts: tuple[Act, ...],
    NextActs: tuple[ServiceAct, ...],
    Spans: tuple[Span, ...],
}
"""Kind of question to the type of its answers; kinds that are not listed have texts."""

FITS = "fits"
"""The folder of fitted models within the folder of outcomes."""


def with_metrics(plan: Plan, names: Sequence[str]) -> Plan:
    """Return the plan with more metrics, such as `bleurt=python score.py`.

    `UnknownNameError` for others, `UsageError` for other kinds of questions.
    """
    added = [_metric(name) for name in names]
    for name, metric in zip(names, added, strict=True):
        if metric.kind is not plan.kind:
            raise UsageError(
                f"metric {name} scores questions of the kind {kind_name(metric.kind)}; "
                f"{plan.protocol} asks {kind_name(plan.kind)}",
                code="wrong-kind",
            )
    return replace(plan, metrics=(*plan.metrics, *added))


def _metric(text: str) -> Metric:
    name, sign, argument = text.partition("=")
    make: Callable[..., Metric] = METRICS.get(name)
    if sign and not hasattr(make, "argument"):
        raise UsageError(
            f"metric {name} takes no argument, and was given {argument!r}", code="not-taken"
        )
    return make(argument) if sign else make()


def select(plan: Plan, names: Sequence[str]) -> Plan:
    """Return the plan with these hold-outs, or all of them; `UnknownNameError` for others."""
    if not names:
        return plan
    choices = [holdout.name for holdout in plan.holdouts]
    for name in names:
        check_name("hold-out", name, choices)
    selection = [holdout for holdout in plan.holdouts if holdout.name in names]
    options = {**plan.options, "only": ",".join(holdout.name for holdout in selection)}
    return replace(plan, holdouts=selection, options=options)


def limited(plan: Plan, limit: int, seed: int) -> Plan:
    """Return the plan with an even sample of its questions; `UsageError` below 1."""
    if limit < 1:
        raise UsageError(f"--limit {limit}: should be 1 or more", code="out-of-range")
    orders = []
    for holdout in plan.holdouts:
        places = [n for n, target in enumerate(holdout.test) if not target.aside]
        Random(f"{seed} {holdout.name}").shuffle(places)
        orders.append(places)
    turns = sorted((turn, n) for n, places in enumerate(orders) for turn in range(len(places)))
    sizes = Counter(n for _, n in turns[:limit])
    sample = [
        replace(holdout, test=[holdout.test[place] for place in sorted(orders[n][: sizes[n]])])
        for n, holdout in enumerate(plan.holdouts)
        if sizes[n]
    ]
    if limit >= len(turns):
        return plan
    options = {**plan.options, "limit": f"{limit}-of-{len(turns)}/seed-{seed}"}
    return replace(plan, holdouts=sample, options=options)


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
    hold-outs, they share each fit and its answers if the model can. `cache` keeps outcomes;
    `notify` gets the names of hold-outs in progress. `UsageError` if a process dies, as a rule
    because memory ran out; `FormatError` for foreign files in `cache`.
    """
    store = KeptOutcomes(plan, make, cache)
    todo = []
    for holdout in plan.holdouts:
        hit = store.read(holdout)
        if hit is None:
            todo.append(holdout)
        else:
            yield hit
    fit = partial(
        run_one,
        make=make,
        train_schemas=plan.train_schemas,
        schemas=plan.schemas,
        allowed=plan.allowed,
        folder=cache,
        workers=max(1, workers // max(1, len(todo))) if engine == DEFAULT else 1,
    )

    def begun(holdouts: Sequence[HoldOut]) -> None:
        notify(", ".join(holdout.name for holdout in holdouts))

    try:
        for outcome in ENGINES.get(engine)(fit, todo, workers, begun):
            store.write(outcome)
            yield outcome
    finally:
        forget()


class KeptOutcomes:
    """Outcomes of a plan's hold-outs in a folder, if any, one file each.

    A file's name is the digest of what the outcome depends on: questions, data, model and code.
    """

    def __init__(self, plan: Plan, make: Build, folder: Path | None) -> None:
        self._files: dict[str, Path] = {}
        if folder is not None:
            model = make()
            options = {name: text for name, text in plan.options.items() if name != "only"}
            home = [PROTOCOLS.module(plan.protocol)] if plan.protocol in PROTOCOLS else []
            settings = signed_settings(model)
            modules = encoder_modules(options, settings)
            code = code_digest(type(model).__module__, *home, *modules, __name__)
            signed = getattr(model, "signature", {})
            about = code, signed, plan.protocol, options, plan.digests, model.name
            for holdout in plan.holdouts:
                learnt, tests = (
                    [(t.source, t.event) for t in part] for part in (holdout.train, holdout.test)
                )
                name = digest((about, settings, learnt, tests))
                self._files[holdout.name] = folder / f"{name}.json"
        answer = ANSWERS.get(plan.kind, str)
        self._type = tuple[float, bool, list[Prediction[answer]]]  # type: ignore[valid-type]

    def read(self, holdout: HoldOut) -> Outcome | None:
        """Return a hold-out's outcome or None; `FormatError` if it is for other questions."""
        file = self._files.get(holdout.name)
        if file is None or not file.exists():
            return None
        try:
            seconds, shared, predictions = msgspec.json.decode(read_bytes(file), type=self._type)
        except msgspec.MsgspecError as error:
            raise FormatError(file, "not the answers of a hold-out; remove it") from error
        if len(predictions) != len(holdout.test):
            problem = f"{len(predictions)} answers for {len(holdout.test)} questions; remove it"
            raise FormatError(file, problem)
        return Outcome(holdout.name, predictions, seconds, shared)

    def write(self, outcome: Outcome) -> None:
        """Write an outcome to its file, if outcomes are kept."""
        file = self._files.get(outcome.holdout)
        if file is not None:
            record = outcome.seconds, outcome.shared, outcome.predictions
            write_atomic(file, msgspec.json.encode(record))


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
    batch = questions(holdout.test)
    with remembering(), sharing(workers):
        with keeping(folder and folder / FITS) as use:
            if not isinstance(make, ModelFile):
                model = fitted(model, examples(holdout.train), train_schemas)
        predictions = model.predict(batch, schemas)
    if allowed is not None:
        predictions = [
            mask(prediction, allowed.get(question.asked.task, frozenset()))
            for question, prediction in zip(batch, predictions, strict=True)
        ]
    if isinstance(model, GivesLikelihoods):
        chances = model.log_likelihoods(batch, [target.gold for target in holdout.test], schemas)
        predictions = [
            structs.replace(prediction, log_likelihood=value)
            for prediction, value in zip(predictions, chances, strict=True)
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
