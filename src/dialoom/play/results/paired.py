"""Compares two runs of the same goals: the difference in success, its interval and p value.

    found = compare(read_run(one), read_run(other))
    found.difference, found.interval, found.p

Trials are paired by task, goal and number, so that both agents have the same user and database.
Trials of one goal are not independent, so goals are resampled: with replacement for the interval of
the difference (cluster bootstrap, Efron & Tibshirani 1993, ch. 8), and with random signs for p
(paired randomisation test, Noreen 1989). With few goals, or if all differ alike, a bootstrap is
too narrow: then the interval is Newcombe's.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import ceil, sqrt
from statistics import pstdev

from dialoom.dialogue.annotation import Struct
from dialoom.errors import UsageError, clip
from dialoom.metrics.bootstrap import Z95, Bounds, difference_bounds, mean_bounds
from dialoom.play.results.run import PlayRun
from dialoom.play.results.summary import Played

SAME = ("tasks", "goals", "trials", "seed", "user", "traits", "rules")

FLIPS = 10_000
"""Draws of the signs: the standard error of p is 0.005 or less."""

LEAST_SPREAD = 21.8
"""Standard deviation of a share of 5 per cent, in points: (5 x 95) to the power of a half."""

FEW_GOALS = 20
"""Number of goals from which on the interval is a bootstrap."""

Trial = tuple[str, int, int]


class PairedRuns(Struct, frozen=True, kw_only=True):
    """The comparison of two runs, in percentage points (second less first).

    `outcomes` counts trials by (success of the first, success of the second). The interval is 95 %
    over goals, `p` two-sided. `spread` is the standard deviation of the goals' differences.
    `left_out` trials lack a result.
    """

    outcomes: Mapping[tuple[bool, bool], int]
    difference: float
    interval: Bounds
    p: float
    tasks: Mapping[str, float]
    goals: int = 0
    spread: float = 0.0
    left_out: int = 0

    def needed(self, precision: float) -> int:
        """Return how many goals give a 95 % interval of so many points to either side.

        For runs that hardly differ the spread is taken as 5 points, as of shares near 0 and 100.
        """
        return ceil((Z95 * max(self.spread, LEAST_SPREAD) / precision) ** 2)


def compare(one: PlayRun, other: PlayRun) -> PairedRuns:
    """Return how the second run differs from the first; `UsageError` for other goals."""
    for name in SAME:
        values = [run.settings.get(name) for run in (one, other)]
        if values[0] != values[1]:
            values_text = (
                "other tasks" if name == "tasks" else " and ".join(clip(str(v)) for v in values)
            )
            raise UsageError(
                f"{other.path}: its runs are not those of {one.path}: {name}: {values_text}; "
                "two agents are compared on the same goals, users and seed",
                code="mismatch",
            )
    first, second = by_trial(one), by_trial(other)
    outcomes: Counter[tuple[bool, bool]] = Counter()
    goals: defaultdict[tuple[str, int], list[float]] = defaultdict(list)
    both = first.keys() & second.keys()
    scored = [t for t in both if first[t].failure is None and second[t].failure is None]
    for trial in scored:
        before, after = first[trial].passed, second[trial].passed
        outcomes[before, after] += 1
        goals[trial[:2]].append(100.0 * (after - before))
    means = [sum(goals[goal]) / len(goals[goal]) for goal in sorted(goals)]
    tasks: defaultdict[str, list[float]] = defaultdict(list)
    for (task, _), points in goals.items():
        tasks[task] += points
    return PairedRuns(
        outcomes=outcomes,
        difference=_mean(means),
        interval=_bounds(means, outcomes),
        p=_p(means),
        tasks={task: _mean(tasks[task]) for task in sorted(tasks)},
        goals=len(means),
        spread=pstdev(means) if means else 0.0,
        left_out=len(both) - len(scored),
    )


def _bounds(means: Sequence[float], outcomes: Mapping[tuple[bool, bool], int]) -> Bounds:
    if len(means) >= FEW_GOALS and len(set(means)) > 1:
        return mean_bounds(means)
    both, lost, won, neither = (outcomes.get(pair, 0) for pair in _CELLS)
    trials = both + lost + won + neither
    if not trials:
        return 0.0, 0.0
    one, other = 100 * (both + lost) / trials, 100 * (both + won) / trials
    margins = (both + lost) * (won + neither) * (both + won) * (lost + neither)
    alike = (both * neither - lost * won) / sqrt(margins) if margins else 0.0
    return difference_bounds(one, other, len(means), alike)


_CELLS = ((True, True), (True, False), (False, True), (False, False))


def by_trial(run: PlayRun) -> dict[Trial, Played]:
    """Return the dialogues of a run by task, goal and trial."""
    plays = (each.played for each in run.dialogues)
    return {(each.task, each.goal, int(each.verdict.get("trial", 0))): each for each in plays}


def _p(differences: Sequence[float]) -> float:
    """Return the share of draws of the signs whose mean is at least as far from 0."""
    nonzero = [value for value in differences if value]
    if not nonzero:
        return 1.0
    rng, least = random.Random(0), abs(sum(nonzero)) - 1e-9
    far = sum(
        abs(sum(value if rng.random() < 0.5 else -value for value in nonzero)) >= least
        for _ in range(FLIPS)
    )
    return (far + 1) / (FLIPS + 1)


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers) if numbers else 0.0
