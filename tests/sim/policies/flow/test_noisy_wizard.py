"""A wizard who errs: every slip occurs, calls stay whole, and without noise nothing changes."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise

import pytest

from dialoom.dialogue import SYSTEM, Query, Utterance, encode
from dialoom.dialogue.views import label
from dialoom.errors import UsageError
from dialoom.quality.lint import Linter
from dialoom.schema import pack
from dialoom.sim import Maker, StarPlan
from dialoom.sim.presets.star import BRIEF
from tests.make import refuses

TASKS = tuple(pack.load(name) for name in ("hotel_book", "party_plan", "restaurant_search"))
NUMBER = 150


@cache
def maker(slips: float, scenario: str = "happy", brief: float = BRIEF) -> Maker:
    plan = StarPlan(
        tasks=TASKS,
        seed=3,
        dialogues=NUMBER,
        scenario=scenario,
        wizard_noise=slips,
        brief=brief,
        digress=0,
    )
    return Maker(plan)


def test_every_slip_occurs_as_often_as_it_is_asked_for() -> None:
    counts: dict[float, Counter[str]] = {}
    for slips in (0.0, 0.1, 0.5):
        count = counts[slips] = Counter()
        for index in range(NUMBER):
            dialogue = maker(slips, brief=0.0).dialogue(index)
            turns = [e for e in dialogue.events if isinstance(e, Utterance) and e.agent == SYSTEM]
            names = [label(event) for event in turns]
            count["typed"] += names.count(None)
            count["twice"] += sum(a == b and a is not None for a, b in pairwise(names))
            count["said"] += len(turns)
    assert counts[0.0]["typed"] == counts[0.0]["twice"] == 0
    for kind in ("typed", "twice"):
        assert 0 < counts[0.1][kind] < counts[0.5][kind]
    assert counts[0.5]["said"] - counts[0.5]["twice"] < counts[0.0]["said"]


@pytest.mark.parametrize("scenario", ["happy", "unhappy", "mixed"])
def test_calls_have_all_that_they_must(scenario: str) -> None:
    linter = Linter({task.id: task for task in TASKS}, 3)
    codes = Counter(
        finding.code
        for index in range(NUMBER)
        for finding in linter.check(maker(0.4, scenario).dialogue(index))
    )
    assert set(codes) <= {"E705", "W704"}  # off the flow, and asking what is known: the noise
    assert codes["E705"]
    assert codes["W704"]


def test_no_noise_is_no_change() -> None:
    plain = Maker(StarPlan(tasks=TASKS, seed=3, dialogues=NUMBER, digress=0))
    for index in range(20):
        assert encode(maker(0.0).dialogue(index)) == encode(plain.dialogue(index))
        assert any(isinstance(e, Query) for e in maker(0.9).dialogue(index).events)


@pytest.mark.parametrize("slips", [-0.1, 1.1])
def test_the_noise_is_a_probability(slips: float) -> None:
    with refuses(UsageError, "out-of-range", "0", "1"):
        maker(slips)
