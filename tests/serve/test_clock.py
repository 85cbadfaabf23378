"""A clock that is set back or forward while people wait."""

from __future__ import annotations

import pytest

from dialoom.serve.hub import SteadyClock
from tests.serve.served import Served

HOURS = 3 * 3600


def test_the_time_of_a_study_never_goes_back() -> None:
    readings = iter([1000, 1500, 700, 900, 1600, 5000])
    clock = SteadyClock(lambda: next(readings), least=0)
    assert [clock() for _ in range(5)] == [1500, 1500, 1700, 2400, 5800]


def test_the_time_begins_no_earlier_than_the_log_ends() -> None:
    readings = iter([1000, 1000, 1250])
    clock = SteadyClock(lambda: next(readings), least=4000)
    assert [clock() for _ in range(2)] == [4000, 4250]


@pytest.mark.parametrize("jump", [HOURS, -HOURS])
def test_a_jump_of_the_clock_is_not_paid_and_ends_no_wait(study: Served, jump: int) -> None:
    page = study.page("user").wait()
    study.tick(120)
    study.clock.sleep(jump)
    study.tick(120)
    assert page.ask("leave")["type"] == "ack"
    done = page.until_step("done")["done"]
    assert done["outcome"] == "waited"
    assert 58 <= done["cents"] < 300
