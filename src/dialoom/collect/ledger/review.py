"""Submitted dialogues and their reviews by the admin (Mosig et al. 2020, 3.1 and appendix B).

First evaluation: a worker's first two dialogues of a stage are reviewed by the admin before they
are paid; if both are accepted, the worker is qualified for the next stage. Second evaluation:
workers who passed the first one and have enough dialogues in each role are ranked by ratings of how
well they followed their instructions and, as users, how creative they were; the best tenth gets a
bonus for each dialogue.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from statistics import fmean, median
from typing import Any, Literal

from msgspec.structs import replace

from dialoom.collect.kinds.room.scenario import Scenario
from dialoom.collect.ledger.ledger import Payment
from dialoom.collect.log.record import (
    ROLES,
    USER_ROLE,
    WIZARD_ROLE,
    Answered,
    Reviewed,
    Role,
    Tally,
    Undone,
    is_bot,
)
from dialoom.collect.settings import Pay
from dialoom.dialogue import COMPLETE
from dialoom.dialogue.annotation import Struct
from dialoom.quality.stats.order import Orders, in_order
from dialoom.schema.task import TaskSchema

LOW = 2
"""The highest rating (of 1 to 5) that counts as a complaint."""


class Measure(Struct, frozen=True, kw_only=True):
    """The measures of one dialogue for one of its two people.

    Attributes:
        replies: Number of the wizard's replies.
        custom: Number of these that they typed.
        in_order: Whether the wizard began in the schema's order; None where it is not checked.
        gaps: The duration of each answer (ms).
        complaints: The partner's low rating, and their comment where they rated low or answered a
            question with no.
        one_topic: Whether only one of several tasks was touched.
    """

    replies: int = 0
    custom: int = 0
    in_order: bool | None = None
    gaps: tuple[int, ...] = ()
    complaints: tuple[str, ...] = ()
    one_topic: bool = False


class QualityMeasures:
    """Computes the measures of dialogues; `orders` accumulates STAR's Table 8 over all of them."""

    def __init__(self, tasks: Mapping[str, TaskSchema]) -> None:
        self.orders = Orders(tasks)
        self._expected = cache(self.orders.checked)

    def measure(
        self, tally: Tally, scenario: Scenario, outcome: str, answers: Mapping[Role, Answered]
    ) -> dict[Role, Measure]:
        """Return the measures of a closed dialogue by role; `outcome` is STAR's CompletionLevel."""
        topic = len(scenario.tasks) > 1 and len(tally.topics) < len(scenario.tasks[:2])
        return {
            USER_ROLE: Measure(
                gaps=tally.gaps.get(USER_ROLE, ()),
                complaints=_complaints(answers.get(WIZARD_ROLE)),
                one_topic=topic,
            ),
            WIZARD_ROLE: Measure(
                replies=tally.replies,
                custom=tally.custom,
                in_order=self._in_order(tally.actions, scenario, outcome),
                gaps=tally.gaps.get(WIZARD_ROLE, ()),
                complaints=_complaints(answers.get(USER_ROLE)),
                one_topic=topic,
            ),
        }

    def _in_order(self, actions: Sequence[str], scenario: Scenario, outcome: str) -> bool | None:
        if len(scenario.tasks) != 1 or outcome != COMPLETE:
            return None
        [task] = scenario.tasks
        self.orders.count(task, actions, happy=scenario.happy)
        expected = self._expected(task)
        return in_order(actions, expected) if expected else None


def _complaints(answered: Answered | None) -> tuple[str, ...]:
    if answered is None:
        return ()
    low = answered.rating is not None and answered.rating <= LOW
    if not low and all(answered.answers.values()):  # a comment alone may be praise
        return ()
    comments = (answered.comment,) if answered.comment else ()
    return (*comments, f"{answered.rating}/5") if low else comments


FIRST = 2
"""A worker's dialogues of a stage that are in the first evaluation."""

SAMPLED = 3
"""Dialogues of each role that are read for the second evaluation; the paper gives no number."""


@dataclass(slots=True)
class Submission:
    """A worker's part in the units of an assignment, handed in for review.

    Attributes:
        time: When it was handed in (ms since 1970).
        review: The admin's review; None without one.
        measure: Its measures of quality; None until the unit is closed.
        automatic: Whether it was accepted unseen, by the rules of its stage.
        undone: Number of reviews of it were taken back.
    """

    assignment: int
    worker: str
    stage: str
    role: Role
    units: tuple[int, ...]
    time: int
    first: bool
    payments: tuple[Payment, ...]
    review: Reviewed | None = None
    measure: Measure | None = None
    automatic: bool = False
    undone: int = 0

    def due(self, *payments: Payment) -> tuple[Payment, ...]:
        """Return payments with keys that no payment before a review was taken back had."""
        again = f"-{self.undone + 1}" if self.undone else ""
        return tuple(replace(payment, key=f"{payment.key}{again}") for payment in payments)

    @property
    def unseen(self) -> bool:
        """True if it was accepted by rules, and nobody has reviewed it since."""
        return self.review is not None and self.review.automatic

    @property
    def waits(self) -> bool:
        """True if its pay waits for the review."""
        return self.first and self.review is None


@dataclass(slots=True)
class Reviews:
    """All submissions, by assignment and by worker."""

    all: dict[int, Submission] = field(default_factory=dict)
    _by_worker: dict[tuple[str, str], list[Submission]] = field(default_factory=dict)
    _measures: dict[int, Measure] = field(default_factory=dict)

    def submit(self, one: Submission) -> None:
        """Add a submission."""
        self.all[one.assignment] = one
        self._by_worker.setdefault((one.worker, one.stage), []).append(one)
        one.measure = self._measures.pop(one.assignment, None)

    def is_first(self, worker: str, stage: str) -> bool:
        """True if the worker's next submission in a stage is of the first evaluation."""
        return len(self._by_worker.get((worker, stage), ())) < FIRST

    def measured(self, assignment: int, measure: Measure) -> None:
        """Note the measures of an assignment's dialogue."""
        if assignment in self.all:
            self.all[assignment].measure = measure
        else:
            self._measures[assignment] = measure

    def apply(self, body: Reviewed) -> None:
        """Note a review."""
        one = self.all[body.assignment]
        one.review, one.automatic = body, one.automatic or body.automatic

    def undo(self, body: Undone) -> None:
        """Note that a review was taken back."""
        one = self.all[body.assignment]
        one.review, one.automatic, one.undone = None, False, one.undone + 1

    def of(self, worker: str, stage: str) -> Sequence[Submission]:
        """Return a worker's submissions in a stage, in order."""
        return self._by_worker.get((worker, stage), ())

    def accepted(self, worker: str, stage: str) -> bool:
        """True if the worker's first dialogues of a stage were all accepted."""
        first = self.of(worker, stage)[:FIRST]
        return len(first) == FIRST and all(one.review and one.review.accepted for one in first)

    def queue(self) -> Iterator[Submission]:
        """Yield the submissions that wait for a review, in order."""
        return (one for one in self.all.values() if one.waits)

    def owed(self) -> int:
        """Return the sum of the payments that wait for a review, in cents."""
        return sum(payment.cents for one in self.queue() for payment in one.payments)

    def workers(self) -> dict[str, dict[str, Any]]:
        """Return worker to the measures over all their submissions (`worker_measures`)."""
        groups: dict[str, list[Submission]] = {}
        for one in self.all.values():
            groups.setdefault(one.worker, []).append(one)
        return {worker: worker_measures(ones) for worker, ones in groups.items()}

    def samples(self, worker: str, stage: str) -> list[int]:
        """Return SAMPLED unreviewed assignments of each role for a second evaluation."""
        numbers: list[int] = []
        for role in ROLES:
            ones = [one for one in self.of(worker, stage) if one.role == role]
            step = max(1, len(ones) // SAMPLED)
            sample = ones[step - 1 :: step][-SAMPLED:]
            numbers += [one.assignment for one in sample if one.review is None]
        return numbers

    def ranking(self, stage: str, pay: Pay) -> list[tuple[str, float]]:
        """Return the workers of a stage's second evaluation with their mean rating, best first."""
        ranked = [
            (worker, _score(ones))
            for (worker, at), ones in self._by_worker.items()
            if at == stage
            and self.accepted(worker, stage)
            and all(sum(one.role == role for one in ones) >= pay.top_least for role in ROLES)
        ]
        return sorted(ranked, key=lambda one: (-one[1], one[0]))

    def best(self, stage: str, pay: Pay) -> list[tuple[str, float]]:
        """Return the top share of a stage's ranking: at least one worker, and only rated ones."""
        ranked = self.ranking(stage, pay)
        return [one for one in ranked[: math.ceil(len(ranked) * pay.top_share)] if one[1] > 0]


def worker_measures(ones: Sequence[Submission]) -> dict[str, Any]:
    """Return a worker's measures as JSON values.

    dialogues by role, the share of replies they typed themselves (`custom_share`), of single-task
    dialogues the share that began in the schema's order (`in_order`, Table 8), the median time
    of their answers in seconds, complaints by their partners, mean ratings by the admin.
    """
    measures = [one.measure for one in ones if one.measure is not None]
    replies = sum(m.replies for m in measures)
    ordered = [m.in_order for m in measures if m.in_order is not None]
    gaps = [gap for m in measures for gap in m.gaps]
    ratings = [one.review for one in ones if one.review is not None]
    return {
        "dialogues": {role: sum(one.role == role for one in ones) for role in ROLES},
        "custom_share": round(sum(m.custom for m in measures) / replies, 4) if replies else None,
        "in_order": round(fmean(ordered), 4) if ordered else None,
        "median_answer": round(median(gaps) / 1000, 1) if gaps else None,
        "complaints": [text for m in measures for text in m.complaints],
        "one_topic": sum(m.one_topic for m in measures),
        "instructions": _mean(r.instructions for r in ratings),
        "creativity": _mean(r.creativity for r in ratings),
        "accepted": sum(r.accepted for r in ratings),
        "rejected": sum(not r.accepted for r in ratings),
        "waiting": sum(one.waits for one in ones),
    }


def _score(ones: Sequence[Submission]) -> float:
    reviews = [one.review for one in ones if one.review is not None]
    ratings = [r for one in reviews for r in (one.instructions, one.creativity) if r is not None]
    return fmean(ratings) if ratings else 0.0


def _mean(ratings: Iterator[int | None]) -> float | None:
    numbers = [rating for rating in ratings if rating is not None]
    return round(fmean(numbers), 2) if numbers else None


Mark = Literal["entered", "attempted", "passed", "went_on"]
MARKS: tuple[Mark, ...] = ("entered", "attempted", "passed", "went_on")


class Funnel:
    """Workers at each stage, without programs (STAR: 210 attempted, 162 passed, 74 went on).

    `attempted`: answered a question of the quiz, or got a seat; `passed`: passed the quiz, or did
    their part of a dialogue; `went_on`: may enter the next stage.
    """

    def __init__(self) -> None:
        self._workers: dict[tuple[str, Mark], set[str]] = {}

    def mark(self, worker: str, stage: str, mark: Mark) -> None:
        """Note that a worker reached a mark."""
        if not is_bot(worker):
            self._workers.setdefault((stage, mark), set()).add(worker)

    def go_on(self, worker: str, stage: str) -> None:
        """Note that a worker may go on from a stage, if they have been in it."""
        if worker in self._workers.get((stage, "entered"), ()):
            self.mark(worker, stage, "went_on")

    def rows(self, stages: Iterable[str]) -> list[dict[str, Any]]:
        """Return a row for each stage, with the share of those attempting it that passed."""
        return [self._row(stage) for stage in stages]

    def _row(self, stage: str) -> dict[str, Any]:
        counts: dict[str, int] = {mark: len(self._workers.get((stage, mark), ())) for mark in MARKS}
        tried = counts["attempted"]
        share = round(counts["passed"] / tried, 4) if tried else None
        return {"stage": stage, **counts, "passed_share": share}
