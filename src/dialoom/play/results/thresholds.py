"""Thresholds for the figures of a run.

limits = read_thresholds("success=90", at_most="latency_p95=2")
list(missed(limits, summary["all"]))          # ["success 85.0 is below 90"]

For some figures less is better: there the number is the most that is allowed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any

from dialoom.errors import UsageError, check_name, clip
from dialoom.play.judging.conduct import CONDUCT

MORE_IS_BETTER: Mapping[str, bool] = {
    "success": True,
    "reached": True,
    "reported": True,
    "adherence": True,
    "success_without_user_faults": True,
    "unasked": False,
    "misstated": False,
    **dict.fromkeys(CONDUCT, False),
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


def read_thresholds(at_least: str | None, at_most: str | None = None) -> dict[str, float]:
    """Parse `name=number,…` into a mapping of figures to thresholds.

    `at_most` has figures of which less is better. `UsageError` for another form or figure and for
    a figure with two thresholds, `UnknownNameError` for unknown figures.
    """
    most = _parsed(at_most, "--at-most", "asked_twice=5,latency_p95=2")
    limits = joined(_parsed(at_least, "--at-least", "success=90,latency_p95=2"), most)
    check(limits)
    wrong = next((name for name in most if MORE_IS_BETTER[name]), None)
    if wrong is not None:
        raise UsageError(f"--at-most {wrong}: more of it is better; set it by --at-least")
    return limits


def _parsed(text: str | None, option: str, example: str) -> dict[str, float]:
    limits: dict[str, float] = {}
    for part in text.split(",") if text is not None else ():
        name, _, number = part.partition("=")
        try:
            limit = float(number)
        except ValueError:
            what = f"should be figures with numbers, such as {example}"
            raise UsageError(f"{option} {clip(part)}: {what}") from None
        limits = joined(limits, {name.strip(): limit})
    return limits


def joined(one: Mapping[str, float], other: Mapping[str, float]) -> dict[str, float]:
    """Return the thresholds of both; `UsageError` if a figure has one in each."""
    for name in other:
        if name in one:
            what = f"{one[name]:g} and {other[name]:g}; a figure takes one"
            raise UsageError(f"threshold {clip(name)}: {what}", code="twice")
    return {**one, **other}


def check(thresholds: Mapping[str, float]) -> None:
    """Check thresholds; `UnknownNameError` for an unknown figure, `UsageError` for a limit."""
    for name, limit in thresholds.items():
        check_name("figure", name, MORE_IS_BETTER)
        if not isfinite(limit):
            raise UsageError(f"threshold {name}={limit}: should be a finite number")


def failed(thresholds: Mapping[str, float], figures: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each reason why a run fails: `missed`, or dialogues without a result.

    Any dialogue without a result is one, unless `no_result` has a threshold.
    """
    many = figures["no_result"]
    lacking = [f"{many} dialogues have no result"] if many and "no_result" not in thresholds else []
    return [*lacking, *missed(thresholds, figures)]


def missed(thresholds: Mapping[str, float], figures: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each figure beyond its threshold, or without a value."""
    values = {"calls": 0, "cost": 0.0, **figures.get("spent", {}), **figures}
    for name, limit in thresholds.items():
        value = values.get(name)
        if value is None:
            yield f"{name} has no value; it should be {limit:g}"
        elif MORE_IS_BETTER[name] and value < limit:
            yield f"{name} {value:.1f} is below {limit:g}"
        elif not MORE_IS_BETTER[name] and value > limit:
            yield f"{name} {value:.4g} is above {limit:g}"
