"""The order of experiments, and how long they take by figures measured before.

ordered = cheapest_first(experiments())
print(estimate(ordered, Path("out")))     # 129 experiments, the cheapest first: ...
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from dialoom.bench.suite.experiments import Experiment
from dialoom.bench.suite.running import earlier
from dialoom.render.tables import counted

MINUTE, HOUR = 60, 3600


def cheapest_first(experiments: Iterable[Experiment]) -> list[Experiment]:
    """Return experiments by their measured CPU time; those that were not measured come last."""
    return sorted(experiments, key=lambda one: (one.seconds is None, one.seconds or 0))


def estimate(experiments: Sequence[Experiment], folder: Path) -> str:
    """Return text on the time of earlier runs, in the folder and elsewhere; or `FormatError`."""
    runs = {each.experiment.name: each.result for each in earlier(experiments, folder)}
    lines = [f"{counted(len(experiments), 'experiment')}, the cheapest first"]
    if runs:
        spent = sum(sum(result.seconds.values()) for result in runs.values())
        lines.append(
            f"with a result in {folder}: {len(runs):,}, {spell(spent)} of fitting and asking, run "
            "again only where data, settings or code changed"
        )
    left = [one for one in experiments if one.name not in runs]
    measured = [one.seconds for one in left if one.seconds is not None]
    if measured:
        lines.append(
            f"others that were measured: {len(measured):,}, {spell(sum(measured))} of CPU time if "
            "each is run alone, less with the fits that they share"
        )
    if len(left) > len(measured):
        lines.append(f"never measured: {len(left) - len(measured):,}")
    return "; ".join(lines)


def spell(seconds: float) -> str:
    """Return a length of time as text, in the largest unit of which there are two."""
    for unit, name in ((HOUR, "hours"), (MINUTE, "minutes")):
        if seconds >= 2 * unit:
            return f"{seconds / unit:,.1f} {name}"
    return f"{seconds:,.0f} seconds"
