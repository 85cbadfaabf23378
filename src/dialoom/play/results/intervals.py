"""95 % intervals of the shares of a run.

    share_interval({("weather", 0): (2, 3), ("weather", 1): (3, 3)})    # (36.05, 98.09), "goals"

Over tasks, it is a bootstrap that draws whole tasks. With few tasks, or if all have the same share,
that is too narrow: then it is Wilson's over goals, which does not extend to other tasks.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Literal

from dialoom.metrics.bootstrap import SAMPLES, Bounds, percentiles, wilson

Unit = Literal["tasks", "goals"]

Ratio = tuple[float, float]
"""The sum and the number of the things that a mean is over."""

FEW_TASKS = 10
"""Number of tasks from which on intervals are over tasks: of fewer a bootstrap is too narrow (two
tasks at 98 % are covered in a third of the runs)."""


def ratio(parts: Sequence[Ratio]) -> float | None:
    """Return the mean over all parts; None if there is nothing to have a mean of."""
    number = sum(part[1] for part in parts)
    return sum(part[0] for part in parts) / number if number else None


def draws(parts: Sequence[Ratio], seed: int = 0) -> list[float | None]:
    """Return the means of resampled parts; one seed draws the same places of as many parts."""
    random_ = random.Random(seed)
    return [ratio(random_.choices(parts, k=len(parts))) for _ in range(SAMPLES)]


def share_interval(goals: Mapping[tuple[str, int], Ratio]) -> tuple[Bounds, Unit]:
    """Return the interval, in per cent, of the mean over all goals, and its unit.

    `goals` maps (task, goal) to successes and trials.
    """
    tasks: dict[str, Ratio] = {}
    for (task, _), (successes, trials) in goals.items():
        before = tasks.get(task, (0.0, 0.0))
        tasks[task] = before[0] + successes, before[1] + trials
    shares = {successes / trials for successes, trials in tasks.values()}
    if len(tasks) >= FEW_TASKS and len(shares) > 1:
        resampled = draws(list(tasks.values()))
        return percentiles([100 * each for each in resampled if each is not None]).bounds, "tasks"
    return wilson(100 * (ratio(list(goals.values())) or 0.0), len(goals)), "goals"
