"""Automatic acceptance of work by the rules of its stage, and the sample that is looked at.

Work that does not meet a rule waits for a review by the admin. It is compared with the rules again
when its worker answers another gold item, or somebody else finishes one of its items.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import cache, lru_cache
from math import exp, lgamma
from typing import Any, Literal

from dialoom.collect.kinds.document.kind import ComparableKind
from dialoom.collect.ledger.review import Submission
from dialoom.collect.log.record import SERVER, STUDY, Qualified, Reviewed
from dialoom.collect.settings import Stage
from dialoom.collect.stage_rules import Acceptance
from dialoom.collect.study.state import StudyState
from dialoom.collect.study.transaction import Transaction
from dialoom.collect.unit import WorkUnit
from dialoom.sim.core.rng import SeededRng, seed_of


def most_wrong(population: int, sample: int, wrong: int, confidence: float) -> int:
    """Return the highest number of wrong pieces that a sample is compatible with."""
    doubt = 1 - confidence
    candidates = range(wrong, population - (sample - wrong) + 1)
    # the first number that is not compatible; a sample of none is compatible with all
    first = bisect_left(
        candidates, True, key=lambda all: _at_most(wrong, population, all, sample) <= doubt
    )
    return candidates[max(first, 1) - 1]


@lru_cache
def bound(population: int, sample: int, wrong: int, confidence: float) -> float:
    """Return the highest share of wrong pieces among those that were not looked at.

    A bound for one look (Wright 1991, Exact Confidence Bounds when Sampling from Small Finite
    Universes), from the hypergeometric distribution of wrong pieces in the sample; it is slightly
    too small if a sample goes on until it fits.
    """
    unseen = population - sample
    return (most_wrong(population, sample, wrong, confidence) - wrong) / unseen if unseen else 0.0


@lru_cache
def more_to_see(population: int, sample: int, wrong: int, error: float, confidence: float) -> int:
    """Return how many more have to be looked at until the bound is at most `error`.

    It assumes that none of them is wrong.
    """
    sizes = range(sample, population + 1)  # the bound does not fall with each of them
    good = (size for size in sizes if bound(population, size, wrong, confidence) <= error)
    return next(good) - sample


def _at_most(wrong: int, population: int, all: int, sample: int) -> float:
    """Return P(X <= wrong) for a sample from a population with `all` wrong pieces."""
    lowest = max(0, sample - (population - all))
    return sum(
        exp(
            _log_choose(all, count)
            + _log_choose(population - all, sample - count)
            - _log_choose(population, sample)
        )
        for count in range(lowest, min(wrong, all, sample) + 1)
    )


def _log_choose(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


Rule = Literal["seconds", "gold", "agreement"]

SHOWN = 25
"""The most submissions of a sample that are listed at once."""


def lacks(state: StudyState, one: Submission) -> tuple[Rule, ...]:
    """Return the rules of its stage that a submission does not meet, or for which facts lack."""
    rules = state.stages[one.stage].accept
    if rules is None:
        return ()
    units = [state.units[number] for number in one.units]
    answers = state.gold.of(one.worker, one.stage)
    agreed = None if rules.agreement is None else _agreement(state, units)
    met: dict[Rule, bool] = {
        "seconds": all(each.last - each.opened >= 1000 * rules.seconds for each in units),
        "gold": rules.gold is None or (bool(answers) and sum(answers) >= rules.gold * len(answers)),
        "agreement": rules.agreement is None or (agreed or 0) >= rules.agreement,
    }
    return tuple(rule for rule, holds in met.items() if not holds)


def _agreement(state: StudyState, units: list[WorkUnit]) -> float | None:
    scores = []
    for unit in units:
        results = state.results.get(unit.item.id, ())
        mine = next((each for each in results if each.unit == unit.number), None)
        others = [each for each in results if each.unit != unit.number]
        if mine is not None and isinstance(unit.kind, ComparableKind) and not unit.item.gold:
            kind, content = unit.kind, unit.kind.given(unit.item)
            scores += [kind.agreement(content, mine.document, each.document) for each in others]
    return sum(scores) / len(scores) if scores else None


def accept_waiting(state: StudyState, draft: Transaction, unit: WorkUnit, now: int) -> None:
    """Accept the waiting work that meets the rules of its stage after a unit was closed."""
    if state.stages[unit.stage].accept is None or unit.outcome is None:
        return
    workers = {state.assignments[number].worker for number in unit.seats.values()}
    about = {each.unit for each in state.results.get(unit.item.id, ())}
    for one in list(state.reviews.queue()):
        concerned = one.worker in workers or not about.isdisjoint(one.units)
        if one.stage == unit.stage and concerned and not lacks(state, one):
            body = Reviewed(assignment=one.assignment, accepted=True, reason="", automatic=True)
            draft.write(STUDY, SERVER, body, now)
            draft.book(one.assignment, one.worker, one.due(*one.payments), now)
            qualify(state, draft, one, now, accepted=True, author=SERVER)


def qualify(
    state: StudyState,
    transaction: Transaction,
    one: Submission,
    now: int,
    *,
    accepted: bool,
    author: str,
) -> None:
    """Qualify a worker whose first work of a stage is accepted; a rejection disqualifies."""
    granted, after = state.worker(one.worker).granted, state.stages.after(one.stage)
    if not accepted:
        body = Qualified(one.worker, one.stage, False)
    elif (
        after is not None
        and after.name not in granted
        and state.reviews.accepted(one.worker, one.stage)
    ):
        body = Qualified(one.worker, after.name)
    else:
        return
    transaction.write(STUDY, author, body, now)


@cache
def _place(seed: int, assignment: int) -> int:
    """Return the number by which an assignment is drawn for the sample, the smallest first."""
    return SeededRng(seed_of(seed, assignment), b"sample").below(2**32)


def samples(state: StudyState) -> Iterator[dict[str, Any]]:
    """Yield the sampled review of each stage with rules of acceptance, as JSON values."""
    for stage in state.stages:
        if stage.accept is not None:
            yield {"stage": stage.name, **_sample(state, stage, stage.accept)}


def _sample(state: StudyState, stage: Stage, rules: Acceptance) -> dict[str, Any]:
    """Return a stage's sample: work in an order that is drawn, as far as all of it was seen."""
    seed, submissions = state.settings.seed, state.reviews.all.values()
    candidates = [one for one in submissions if one.automatic and one.stage == stage.name]
    queue = sorted(candidates, key=lambda one: _place(seed, one.assignment))
    unseen = [one.assignment for one in queue if one.unseen]
    depth = next((n for n, one in enumerate(queue) if one.unseen), len(queue))
    wrong = sum(one.review is not None and not one.review.accepted for one in queue[:depth])
    counts = len(queue), depth, wrong
    more = more_to_see(*counts, rules.error, rules.confidence)
    return {
        "accepted": len(queue),
        "seen": depth,
        "wrong": wrong,
        "bound": round(bound(*counts, rules.confidence), 4),
        "error": rules.error,
        "confidence": rules.confidence,
        "more": more,
        "next": unseen[: min(more, SHOWN)],
    }
