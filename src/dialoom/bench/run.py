"""Fitting a model on each hold-out's training questions and asking it the others."""

from __future__ import annotations

import inspect
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from multiprocessing import get_context
from typing import Any

from dialoom.bench.protocol import HoldOut, Plan, actions
from dialoom.dialogue import Prediction
from dialoom.errors import UnknownNameError, UsageError
from dialoom.models.base import Model
from dialoom.schema.task import TaskSchema

Build = Callable[[], Model]
"""Makes a fresh model; must survive pickling where several processes are asked for."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a model answered on one hold-out.

    Attributes:
        holdout: The hold-out's name.
        predictions: One for each of its test questions, in order.
        seconds: Wall-clock time of fitting and asking.
    """

    holdout: str
    predictions: list[Prediction]
    seconds: float


def build(name: str, settings: Mapping[str, Any]) -> Model:
    """Make the registered model `name` with these settings.

    Raises:
        UsageError: The model has no such setting.
    """
    from dialoom.models import MODELS

    factory = MODELS.get(name)
    known = accepted(factory)
    if known is not None and (unknown := sorted(set(settings) - known)):
        raise UnknownNameError(f"setting of model {name}", unknown[0], known)
    return factory(**settings)


def variants(name: str) -> list[dict[str, Any]]:
    """Return the candidate settings a model offers to choose among: `variants` of its factory.

    Raises:
        UsageError: It offers none.
    """
    from dialoom.models import MODELS

    offered = getattr(MODELS.get(name), "variants", None)
    if offered is None:
        raise UsageError(f"model {name} offers no settings to choose among: --nested has no use")
    return [dict(settings) for settings in offered()]


def seeded(name: str, settings: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """Return the settings with the seed, where the model takes one."""
    from dialoom.models import MODELS

    known = accepted(MODELS.get(name))
    return {**settings, "seed": seed} if known is None or "seed" in known else dict(settings)


def accepted(factory: Callable[..., Model]) -> set[str] | None:
    """Return the settings a model's factory takes; None where it takes any."""
    parameters = inspect.signature(factory).parameters.values()
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters):
        return None
    return {parameter.name for parameter in parameters}


def select(plan: Plan, names: Sequence[str]) -> Plan:
    """Return the plan with these hold-outs only; all of them where none is named.

    Raises:
        UnknownNameError: The plan has no such hold-out.
    """
    if not names:
        return plan
    known = [holdout.name for holdout in plan.holdouts]
    for name in names:
        if name not in known:
            raise UnknownNameError("hold-out", name, known)
    kept = [holdout for holdout in plan.holdouts if holdout.name in names]
    options = {**plan.options, "only": ",".join(holdout.name for holdout in kept)}
    return replace(plan, holdouts=kept, options=options)


def run(plan: Plan, make: Build, *, workers: int = 1) -> Iterator[Outcome]:
    """Yield the outcome of each hold-out as it is done.

    Every hold-out gets a fresh model, so the number of processes changes nothing but the time.

    Raises:
        UsageError: A process died, as a rule for want of memory.
    """
    if workers <= 1 or len(plan.holdouts) <= 1:
        for holdout in plan.holdouts:
            yield run_one(holdout, make, plan.train_schemas, plan.schemas, masked=plan.masked)
        return
    # spawn: forking a process whose progress bar and numerical libraries have threads may hang.
    pool = ProcessPoolExecutor(
        min(workers, len(plan.holdouts)), get_context("spawn"), initializer=_quiet
    )
    try:
        waiting = [
            pool.submit(
                run_one, holdout, make, plan.train_schemas, plan.schemas, masked=plan.masked
            )
            for holdout in plan.holdouts
        ]
        for done in as_completed(waiting):
            yield done.result()
    except BrokenProcessPool as error:
        raise UsageError("a worker process died; try again with fewer --workers") from error
    finally:
        pool.shutdown(cancel_futures=True)


def _quiet() -> None:
    """Let Ctrl-C end a worker without a traceback; the parent says what happened."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run_one(
    holdout: HoldOut,
    make: Build,
    train_schemas: Mapping[str, TaskSchema],
    schemas: Mapping[str, TaskSchema],
    *,
    masked: bool = False,
) -> Outcome:
    """Fit a fresh model on a hold-out's training questions and ask it all others at once.

    Each part is read with the schemas of its own corpus: a task of one name may have other
    actions there.
    """
    start = time.perf_counter()
    model = make()
    model.fit([target.example() for target in holdout.train], train_schemas)
    predictions = model.predict([target.question() for target in holdout.test], schemas)
    if masked:
        known = {name: actions(task) for name, task in schemas.items()}
        predictions = [
            mask(prediction, known.get(target.task, frozenset()))
            for target, prediction in zip(holdout.test, predictions, strict=True)
        ]
    return Outcome(holdout.name, predictions, time.perf_counter() - start)


def mask(prediction: Prediction, allowed: frozenset[str]) -> Prediction:
    """Restrict a prediction to some actions.

    A value among them stays. Any other is replaced by the best-ranked candidate among them. Where
    the model ranked none of them (or gave no ranking), its value stays, to be scored as it is.
    """
    if prediction.value in allowed:
        return prediction
    inside = tuple(entry for entry in prediction.ranking if entry[0] in allowed)
    return Prediction(inside[0][0], inside) if inside else prediction
