"""How often each task comes in runs of the preset `star`."""

from __future__ import annotations

from collections import Counter

import pytest

from dialoom.schema import pack
from dialoom.sim import StarPlan
from dialoom.sim.presets.star import SHARES, in_turn

NAMES = tuple(pack.names())


@pytest.mark.parametrize("several", [False, True])
def test_tasks_come_as_often_as_in_star(several: bool) -> None:
    counts = Counter(NAMES[number] for number in in_turn(NAMES, several=several))
    whole = sum(shares[several] for shares in SHARES.values())
    for name, shares in SHARES.items():
        expected = shares[several] / whole * len(SHARES) / len(NAMES)
        assert counts[name] / counts.total() == pytest.approx(expected, abs=1 / counts.total())


def test_tasks_without_a_share_are_balanced() -> None:
    assert Counter(in_turn(("mine", "yours"))) == {0: 16, 1: 16}


def test_the_first_dialogues_have_frequent_and_rare_tasks() -> None:
    assert len({*in_turn(NAMES)[: 2 * len(NAMES)]}) > 0.7 * len(NAMES)


def test_runs_of_one_kind_of_user_are_balanced() -> None:
    tasks = tuple(pack.load(name) for name in NAMES[:4])
    assert list(StarPlan(tasks=tasks, seed=1, dialogues=8, scenario="happy").turns) == [0, 1, 2, 3]


def test_a_shard_is_made_task_by_task() -> None:
    tasks = tuple(pack.load(name) for name in NAMES)
    plan = StarPlan(tasks=tasks, seed=1, dialogues=100, scenario="mixed")
    order = list(plan.order(range(40, 100)))
    numbers = [plan.turns[index % len(plan.turns)] for index in order]
    assert sorted(order) == list(range(40, 100))
    assert numbers == sorted(numbers)
