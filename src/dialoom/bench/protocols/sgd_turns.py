"""Base of the protocols on turns of schema-guided dialogues: sampling, left-out services, slices.

A part is asked about (`--split dev`), and a model learns from the part `train` of `--train-corpus`.
With `-P leave=4` and `--split train`, services are divided into four groups, and each group is
asked about by a model that learns from dialogues without its services: of the same part, or of
each `--train-corpus`. Models and settings are chosen by this, without a look at the test part.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Annotated

from msgspec import Meta

from dialoom import formats
from dialoom.bench.core.data import check_found
from dialoom.bench.core.protocol import SEEN, UNSEEN, Data, HoldOut, Plan, Target, check_described
from dialoom.bench.core.settings import spelled
from dialoom.corpus.mixed import by_part, unmarked
from dialoom.dialogue import Dialogue
from dialoom.metrics import Metric

TRAIN = "train"
"""The part of the corpus that is learnt from; services of its schemas count as seen."""

PARTS = ("dev", TRAIN)

SEED = 0

Some = Annotated[int, Meta(ge=0)]


@dataclass(frozen=True, slots=True)
class TurnSettings:
    """Settings of the protocols about turns.

    Attributes:
        learn: Most dialogues of each training corpus; 0 for all.
        sample: Most test dialogues of each hold-out; 0 for all.
        leave: How many groups of services are left out of training in turn; 0 learns from the
            training corpora, whatever their services.
    """

    learn: Some = 0
    sample: Some = 0
    leave: Some = 0


TargetFinder = Callable[[Dialogue, Collection[str] | None], Iterator[Target]]
"""Yields the questions about a dialogue; takes the dialogue and the services seen in training."""


def plan(
    name: str,
    data: Data,
    settings: TurnSettings,
    metrics: tuple[Metric, ...],
    asking: TargetFinder,
    what: str,
    teaching: TargetFinder | None = None,
) -> Plan:
    """Return the plan of hold-outs of turns; `MissingDataError` names `what` if there is none.

    `asking` finds the questions about test dialogues, `teaching` (default: `asking`) those about
    training dialogues.
    """
    teaching = teaching or asking
    holdouts = list(_groups(data, settings, asking, teaching) if settings.leave else [])
    if not settings.leave:
        services = seen_services(data)
        taught = by_part(data.train_corpus) if data.train_corpus else ()
        learnt = [each for part in taught for each in _some(part, settings.learn)]
        stream = data.corpus.dialogues()
        test = _targets(_some(stream, settings.sample), asking, services)
        train = _targets(learnt, teaching, services)
        holdouts = [HoldOut(data.corpus.path.name, train, test)]
    holdouts = [holdout for holdout in holdouts if holdout.test]
    check_found(holdouts, data.corpus, what)
    options, count = spelled(settings), len(data.corpus.files)
    files = f"{count} dialogue file{'s were' if count > 1 else ' was'}"
    return Plan(
        protocol=name,
        title=", ".join([name, *_chosen(options)]),
        data=data,
        metrics=metrics,
        holdouts=holdouts,
        options=options,
        notes=[f"{files} at hand, not the whole part", GIVEN],
    )


GIVEN = "a model gets the services of each turn"


def described(plan: Plan) -> Plan:
    """Return the plan if all its services have schemas; otherwise `MissingDataError`."""
    for holdout in plan.holdouts:
        check_described(holdout.test, plan.schemas, plan.data.corpus.path)
        check_described(holdout.train, plan.train_schemas, plan.data.corpora[-1].path)
    return plan


def _chosen(options: dict[str, str]) -> Iterator[str]:
    for key, value in options.items():
        if key not in ("learn", "sample") and value not in ("0", "acts"):
            yield f"{key} {value}"


def _groups(
    data: Data, settings: TurnSettings, asking: TargetFinder, teaching: TargetFinder
) -> Iterator[HoldOut]:
    names = sorted(data.corpus.schemas)
    dialogues = _shuffled(data.corpus.dialogues())
    parts = by_part(data.train_corpus) if data.train_corpus else ()
    training = list(map(_shuffled, parts)) or [dialogues]
    for n in range(min(settings.leave, len(names))):
        group = set(names[n :: settings.leave])
        others = {name for name in data.train_schemas if unmarked(name) not in group}
        matches = [each for each in dialogues if not group.isdisjoint(each.services)]
        test = _targets(matches[: settings.sample or None], asking, others)
        taught = [
            dialogue
            for part in training
            for dialogue in _without(part, group)[: settings.learn or None]
        ]
        yield HoldOut(f"group{n + 1}", _targets(taught, teaching, others), test)


def _shuffled(dialogues: Iterable[Dialogue]) -> list[Dialogue]:
    order = list(dialogues)
    Random(SEED).shuffle(order)
    return order


def _without(dialogues: Iterable[Dialogue], group: Collection[str]) -> list[Dialogue]:
    return [each for each in dialogues if not any(unmarked(s) in group for s in each.services)]


def _some(dialogues: Iterable[Dialogue], most: int) -> list[Dialogue]:
    pool = list(dialogues)
    if not 0 < most < len(pool):
        return pool
    return [pool[n] for n in sorted(Random(SEED).sample(range(len(pool)), most))]


def _targets(
    dialogues: Iterable[Dialogue], asking: TargetFinder, services: Collection[str] | None
) -> list[Target]:
    return [target for dialogue in dialogues for target in asking(dialogue, services)]


def seen_services(data: Data) -> Collection[str] | None:
    """Return the services of the training schemas; None where the corpus has no such schemas."""
    if data.train_corpus is not None:
        return data.train_corpus.schemas.keys()
    sibling = data.corpus.root.parent / TRAIN
    return formats.load(sibling, "sgd").schemas.keys() if sibling.is_dir() else None


def slices(service: str, training: Collection[str] | None) -> tuple[str, ...]:
    """Return the slices of a question about a service."""
    domain = service.rpartition("_")[0] or service
    novelty = () if training is None else (SEEN if service in training else UNSEEN,)
    return (f"service:{service}", f"domain:{domain}", *novelty)
