"""What may be changed of a study that has begun, and what the change brings."""

from __future__ import annotations

from itertools import islice

import pytest
from msgspec.structs import replace

from dialoom.collect.kinds.room.scenario import ScenarioLibrary
from dialoom.collect.message import Leave, Refused
from dialoom.collect.settings import ScenarioMode, Settings, Stage
from dialoom.collect.settings_change import BATCH, FIXED, FREE, GROWING, changed, edits
from dialoom.errors import UsageError
from tests.collect.studied import Played
from tests.make import refuses


def test_each_setting_may_change_or_says_why_not() -> None:
    names = [*BATCH, *FREE, *GROWING, *FIXED]
    assert sorted(names) == sorted(Settings.__struct_fields__)


def test_only_what_is_given_counts() -> None:
    start = Settings(tasks=("weather",), target=3)
    request = Settings(tasks=(), target=4, pair_cap=9)
    assert changed(start, request, {"target"}) == replace(start, target=4)
    with refuses(UsageError, "cannot-work", FIXED["tasks"]):
        changed(start, request, None)


def test_edits_are_listed_as_deep_as_they_differ() -> None:
    start = Settings(tasks=("weather",), stages=(Stage(name="a"), Stage(name="b")), batch="one")
    stages = (start.stages[0], Stage(name="b", pay=5))
    request = replace(start, stages=stages, target=2, batch="two", scenarios=1)
    changes = {edit.pointer: edit for edit in edits(start, request, None)}
    pay = changes["stages", 1, "pay"]
    assert (pay.was, pay.wants, pay.refusal) == (None, 5, FIXED["stages"])
    assert [changes[name,].refusal != "" for name in ("target", "batch", "scenarios")] == [
        *(False, False, True)
    ]
    assert len({changes[name,].effect for name in ("target", "batch", "scenarios")}) == 3


@pytest.mark.parametrize("scenario", ["happy", "mixed"])
def test_more_scenarios_begin_with_those_that_were_there(scenario: ScenarioMode) -> None:
    tasks = ("hotel_book", "weather")
    few, more = (
        ScenarioLibrary(Settings(tasks=tasks, scenario=scenario, seed=3, scenarios=many))
        for many in (4, 6)
    )
    assert list(few.scenarios()) == list(islice(more.scenarios(), 4))
    assert len(list(more.scenarios())) == 6


def test_who_is_in_goes_on_while_a_study_is_paused() -> None:
    played = Played()
    one = played.ready("w1", "user")
    played.settings = replace(played.settings, paused=True)
    played.study = played.replayed()
    played.take(played.study.connected(one, played.now))
    with pytest.raises(Refused) as refused:
        played.enter("w2")
    assert refused.value.code == "paused"
    assert played.step(one) == "waiting"
    played.send(one, Leave())
    assert played.state(one)["done"]["next_reason"] == "paused"


def test_a_target_that_is_raised_opens_scenarios_again() -> None:
    played = Played(scenarios=1, target=1)
    played.dialogue("w1", "w2")
    with refuses(Refused, "full"):
        played.enter("w3")
    played.settings = replace(played.settings, target=2)
    played.study = played.replayed()
    played.dialogue("w3", "w4")
    assert played.study.state.pool.complete[""] == 2
