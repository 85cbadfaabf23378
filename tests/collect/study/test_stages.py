from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from dialoom.collect.item import ItemFilter
from dialoom.collect.message import Leave, Refused
from dialoom.collect.settings import ConsentText, Stage
from dialoom.collect.study.stages import (
    STAR as FOUR,
)
from dialoom.collect.study.stages import (
    Stages,
    Worker,
    next_stage,
    study_stages,
)
from tests.collect.studied import Played, settings

STAR = settings(stages="star", scenario="mixed")


def _next(granted: dict[str, bool], closed: frozenset[str] = frozenset()) -> str:
    worker = Worker("w1", granted=granted)
    try:
        return next_stage(worker, study_stages(STAR), lambda name: name not in closed).name
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
    granted: dict[str, bool], stage: str
) -> None:
    assert _next(granted) == stage


def test_a_stage_that_is_full_gives_way_to_the_one_before() -> None:
    several = frozenset({"multi_tutorial", "multi"})
    granted: dict[str, bool] = {"single": True, "multi_tutorial": True, "multi": True}
    assert _next(granted, several) == "single"
    assert _next(granted, frozenset(stage.name for stage in FOUR)) == "full"


def test_a_study_has_the_stages_that_its_scenarios_are_for() -> None:
    assert _names(stages="star", scenario="mixed") == [stage.name for stage in FOUR]
    assert _names(stages="star", scenario="happy") == ["single_tutorial", "single"]
    assert _names(stages="star", scenario="multi") == ["multi_tutorial", "multi"]
    assert _names(scenario="multi") == ["multi"]
    assert _names(scenario="mixed") == ["single"]


def _names(**changes: Any) -> list[str]:
    return [stage.name for stage in study_stages(settings(**changes))]


def test_a_tutorial_leads_to_the_items_of_the_stage_after_it() -> None:
    stages = study_stages(STAR)
    assert stages.items("multi_tutorial") == stages.items("multi") == ItemFilter("", ("multi",))
    assert study_stages(settings(scenario="mixed")).items("single") == ItemFilter("")
    assert {stages.source(stage.name) for stage in stages} == {""}
    assert stages.after("multi") is None


def test_a_list_of_stages_opens_what_has_no_gate() -> None:
    listed = (Stage(name="talk"), Stage(name="more", gate="review"), Stage(name="free"))
    stages = Stages(listed)
    assert stages.source("more") == ""
    assert next_stage(Worker("w"), stages, lambda name: True).name == "free"
    assert next_stage(Worker("w"), stages, lambda name: name != "free").name == "talk"
    granted = Worker("w", granted={"more": True})
    assert next_stage(granted, stages, lambda name: name != "free").name == "more"


def test_programs_skip_the_quizzes() -> None:
    bot = Worker("bot:1")
    assert next_stage(bot, study_stages(STAR), lambda name: True).name == "single"


def test_people_agree_once_to_each_version_and_kind_of_work() -> None:
    played = Played(stages="star", scenario="mixed", consent=ConsentText(version="1"))
    one = played.ready_for_quiz("w1")
    played.quiz(one)
    two = played.enter("w1")
    assert played.step(two) == "waiting"
    kept = [type(record.body).__name__ for record in played.log if record.stream == "assignment/2"]
    assert kept == ["Entered", "Consented"]
    assert played.replayed().assignment(two).step == "waiting"
    played.send(two, Leave())
    played.study.settings = replace(played.settings, consent=ConsentText(version="2"))
    assert played.step(played.enter("w1")) == "consent"
