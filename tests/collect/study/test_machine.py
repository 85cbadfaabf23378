"""Whatever people do, in whatever order: what must hold of a study, and of the store behind it."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

from tests.collect.study.machines import Direct, Star

_SETTINGS = settings(
    max_examples=25,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestDirect = Direct.TestCase
TestStar = Star.TestCase
TestDirect.settings = TestStar.settings = _SETTINGS
