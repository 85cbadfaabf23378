"""Nested cross-validation: a model's settings are chosen on the training part of each hold-out.

In each hold-out, every candidate setting is tried on the training part alone: each of its groups
(domains, or tasks) is left out in turn, and the candidate with the best mean of the main score over
them is fitted on the whole training part and asked the test questions, as the STAR paper does.

Leaving out `ride` while `trip` is held out, and `trip` while `ride` is held out, give the same
training set; such a fold is fitted once and used for both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from dialoom.bench.core.engines import DEFAULT
from dialoom.bench.core.making import Build
from dialoom.bench.core.protocol import HoldOut, Key, Outcome, Plan, Target
from dialoom.bench.core.results import answers, main_score
from dialoom.bench.core.run import run
from dialoom.errors import UsageError
from dialoom.metrics.lists import DIGITS

Settings = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The candidate for one hold-out, and each one's mean main score (%) within training."""

    variant: int
    inner: list[float]


@dataclass(frozen=True, slots=True)
class Fold:
    """A hold-out within the training part; `out` is the outer hold-out and one more group."""

    out: frozenset[str]
    holdout: HoldOut


def folds(plan: Plan) -> list[Fold]:
    """Return the folds of a plan, each once; `UsageError` if it has too few groups."""
    pool = _pool(plan)
    if len(pool) < 2:
        raise UsageError(
            f"{plan.protocol}: there are no groups to leave out one at a time", code="too-few"
        )
    outs = {
        frozenset((holdout.name, group)) & frozenset(pool)
        for holdout in plan.holdouts
        for group in pool
        if group != holdout.name
    }
    train = {t.key: t for holdout in plan.holdouts for t in holdout.train}
    splits = [_fold(plan, pool, train.values(), out) for out in sorted(outs, key=sorted)]
    if not all(fold.holdout.train for fold in splits):
        raise UsageError(
            f"{plan.protocol}: leaving one more group out leaves nothing to learn from",
            code="nothing-to-learn",
        )
    return splits


def _pool(plan: Plan) -> dict[str, list[Target]]:
    pool: dict[str, dict[Key, Target]] = {}
    for holdout in plan.holdouts:
        for target in holdout.train:
            groups = plan.groups.get(target.source, frozenset())
            if len(groups) == 1:  # a dialogue of several is learnt from only
                (group,) = groups
                pool.setdefault(group, {})[target.key] = target
    return {name: list(pool[name].values()) for name in sorted(pool)}


def _fold(
    plan: Plan, pool: Mapping[str, list[Target]], train: Iterable[Target], out: frozenset[str]
) -> Fold:
    test = [target for name in sorted(out) for target in pool[name]]
    rest = [t for t in train if out.isdisjoint(plan.groups.get(t.source, frozenset()))]
    if plan.closed:
        absent = [holdout for holdout in plan.holdouts if holdout.name not in pool]
        targets = chain(test, *(holdout.test for holdout in absent))
        tasks = {target.asked for target in targets}
        rest = [target for target in rest if target.asked not in tasks]
    return Fold(out, HoldOut("+".join(sorted(out)), rest, test))


def choose(
    plan: Plan,
    makes: Sequence[Build],
    *,
    workers: int = 1,
    engine: str = DEFAULT,
    cache: Path | None = None,
    notify: Callable[[str], None] = lambda name: None,
    done: Callable[[], None] = lambda: None,
) -> dict[str, Chosen]:
    """Choose a candidate for each hold-out; the first of equal `makes` is preferred.

    `cache` keeps answers of folds, as of `run`. `notify` gets the names of folds in progress,
    `done` is called after each fit of a candidate on a fold. `UsageError` as of `folds`.
    """
    todo = {fold.holdout.name: fold for fold in folds(plan)}
    scores: list[dict[tuple[frozenset[str], str], float]] = [{} for _ in makes]
    # a fold asks about a part of the training data: its schemas are that corpus's too
    data = replace(plan.data, corpus=plan.data.corpora[-1], train_corpus=None, tested=None)
    inner = replace(plan, holdouts=[fold.holdout for fold in todo.values()], data=data)
    for make, table in zip(makes, scores, strict=True):
        for outcome in run(inner, make, workers=workers, engine=engine, cache=cache, notify=notify):
            table.update(_scores(inner, todo[outcome.holdout], outcome))
            done()
    return {holdout.name: _choice(holdout.name, scores) for holdout in plan.holdouts}


def _scores(plan: Plan, fold: Fold, outcome: Outcome) -> dict[tuple[frozenset[str], str], float]:
    replies = list(answers(replace(plan, holdouts=[fold.holdout]), [outcome]))
    return {
        (fold.out, name): main_score(
            plan, (a for a in replies if name in plan.groups[a.target.source])
        )
        for name in fold.out
    }


def _choice(holdout: str, scores: Sequence[Mapping[tuple[frozenset[str], str], float]]) -> Chosen:
    """Choose by the scores on the other group of the folds that leave this hold-out out.

    If the training part, of another corpus, lacks the hold-out, all folds count.
    """
    keys = [key for key in scores[0] if holdout in key[0] and key[1] != holdout]
    keys = keys or [key for key in scores[0] if len(key[0]) == 1]
    means = [sum(table[key] for key in keys) / len(keys) for table in scores]
    return Chosen(means.index(max(means)), [round(mean, DIGITS) for mean in means])


def run_chosen(
    plan: Plan, makes: Sequence[Build], choices: Mapping[str, Chosen], **options: Any
) -> Iterator[Outcome]:
    """Yield the outcome of each hold-out under the candidate chosen for it; options as of `run`."""
    for index, make in enumerate(makes):
        holdouts = [h for h in plan.holdouts if choices[h.name].variant == index]
        yield from run(replace(plan, holdouts=holdouts), make, **options)


def describe(choices: Mapping[str, Chosen], variants: Sequence[Settings]) -> dict[str, Any]:
    """Return the run record's entry: the candidates, their scores and the choice by hold-out."""
    return {
        "variants": [dict(variant) for variant in variants],
        "holdouts": {
            name: {"chosen": choice.variant, "inner": choice.inner}
            for name, choice in choices.items()
        },
    }


def with_variants(plan: Plan, n: int) -> Plan:
    """Return the plan with an option, for signatures, that names a choice among `n` candidates."""
    return replace(plan, options={**plan.options, "nested": f"leave-one-out/{n}"})
