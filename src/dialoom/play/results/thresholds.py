"""Thresholds for the figures of a run.

limits = read_thresholds("success=90,latency_p95=2")
list(missed(limits, summary["all"]))          # ["success 85.0 is below 90"]

Of some figures less is better: there the number is the most that is allowed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dialoom.errors import UnknownNameError, UsageError, clip

MORE_IS_BETTER: Mapping[str, bool] = {
    "success": True,
    "reached": True,
    "told": True,
    "adherence": True,
    "success_without_user_faults": True,
    "unasked": False,
    "asked_twice": False,
    "turns": False,
    "no_result": False,
    "not_understood": False,
    "user_faults": False,
    "calls": False,
    "cost": False,
    "latency": False,
    "latency_p50": False,
    "latency_p95": False,
}
"""Figure to whether its threshold is the least (else the most) that is allowed."""


def read_thresholds(told: str | None) -> dict[str, float]:
    """Parse `name=number,…` into a mapping of figures to thresholds.

    Raises:
        UsageError: It has another form.
        UnknownNameError: There is no such figure.
    """
    found: dict[str, float] = {}
    for part in told.split(",") if told is not None else ():
        name, _, number = part.partition("=")
        try:
            found[name.strip()] = float(number)
        except ValueError:
            what = "should be figures with numbers, such as success=90,latency_p95=2"
            raise UsageError(f"--at-least {clip(part)}: {what}") from None
    check(found)
    return found


def check(thresholds: Mapping[str, float]) -> None:
    """Refuse unknown names of figures.

    Raises:
        UnknownNameError: There is no such figure.
    """
    for name in thresholds:
        if name not in MORE_IS_BETTER:
            raise UnknownNameError("figure", name, MORE_IS_BETTER)


def missed(thresholds: Mapping[str, float], figures: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each figure beyond its threshold; one without a value is beyond any.

    Args:
        thresholds: Figure to threshold.
        figures: The figures of a run over all tasks (`summarise`).
    """
    held = {"calls": 0, "cost": 0.0, **figures.get("spent", {}), **figures}
    for name, limit in thresholds.items():
        value = held.get(name)
        if value is None:
            yield f"{name} has no value; it should be {limit:g}"
        elif MORE_IS_BETTER[name] and value < limit:
            yield f"{name} {value:.1f} is below {limit:g}"
        elif not MORE_IS_BETTER[name] and value > limit:
            yield f"{name} {value:.4g} is above {limit:g}"
