from __future__ import annotations

import pytest

from dialoom.collect.log.record import STAGES, Stage
from dialoom.collect.message import Refused
from dialoom.collect.study.stages import (
    Worker,
    next_stage,
    scenario_kinds,
    stage_after,
    study_stages,
)
from tests.collect.studied import settings

STAR = settings(stages="star", scenario="mixed")


def _next(granted: dict[Stage, bool], closed: frozenset[str] = frozenset()) -> str:
    worker = Worker("w1", granted=granted)
    try:
        return next_stage(worker, STAR, lambda stage: stage not in closed)
    except Refused as refused:
        return refused.code


@pytest.mark.parametrize(
    ("granted", "stage"),
    [
        ({}, "single_tutorial"),
        ({"single": True}, "single"),
        ({"single": True, "multi_tutorial": True}, "multi_tutorial"),
        ({"single": True, "multi_tutorial": True, "multi": True}, "multi"),
        ({"single_tutorial": False}, "screened_out"),
        ({"single": False}, "rejected"),
        ({"single": True, "multi_tutorial": False}, "single"),
        ({"single": True, "multi_tutorial": True, "multi": False}, "rejected"),
    ],
)
def test_a_stage_is_entered_with_the_qualification_for_it(
    granted: dict[Stage, bool], stage: str
) -> None:
    assert _next(granted) == stage


def test_a_stage_that_is_full_gives_way_to_the_one_before() -> None:
    several = frozenset({"multi_tutorial", "multi"})
    granted: dict[Stage, bool] = {"single": True, "multi_tutorial": True, "multi": True}
    assert _next(granted, several) == "single"
    assert _next(granted, frozenset(STAGES)) == "full"


def test_a_study_has_the_stages_that_its_scenarios_are_for() -> None:
    assert study_stages(STAR) == STAGES
    assert study_stages(settings(stages="star", scenario="happy")) == ("single_tutorial", "single")
    assert study_stages(settings(stages="star", scenario="multi")) == ("multi_tutorial", "multi")
    assert study_stages(settings(scenario="multi")) == ("multi",)
    assert study_stages(settings(scenario="mixed")) == ("single",)
    assert scenario_kinds("single", settings(scenario="mixed")) == ("single", "multi")
    assert scenario_kinds("multi_tutorial", STAR) == ("multi",)
    assert stage_after("multi") is None


def test_programs_skip_the_quizzes() -> None:
    bot = Worker("bot:1")
    assert next_stage(bot, STAR, lambda stage: True) == "single"
