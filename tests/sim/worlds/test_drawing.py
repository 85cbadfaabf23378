"""Drawn tasks are valid, differ in shape, and can be simulated."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from dialoom.dialogue import Query
from dialoom.errors import UsageError
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.including import read_string
from dialoom.schema.yaml.reading import review
from dialoom.sim import StarPlan
from dialoom.sim.core.plan import PRESETS, Request
from dialoom.sim.worlds.drawing import MOST, document, drawn_tasks
from tests.make import refuses

MANY = 64
"""Two tasks of each domain."""


@pytest.fixture(scope="module")
def tasks() -> dict[str, TaskSchema]:
    return {task.id: task for task in drawn_tasks(MANY, seed=3)}


def test_schema_check_finds_nothing() -> None:
    for place in range(MANY):
        file = read_string(json.dumps(document(place, 3)), f"task {place}")
        assert [str(finding) for finding in review(file)] == []


@pytest.mark.parametrize("scenario", ["happy", "unhappy"])
def test_each_task_is_simulated_with_a_noisy_wizard(
    tasks: dict[str, TaskSchema], scenario: str
) -> None:
    plan = StarPlan(
        tasks=tuple(tasks.values()), seed=5, dialogues=MANY, scenario=scenario, wizard_noise=0.2
    )
    make = plan.source()
    calls = [any(isinstance(e, Query) for e in make(index).events) for index in range(MANY)]
    # a few unhappy users leave before a call
    assert sum(calls) > 0.8 * MANY


def test_flows_differ_in_shape(tasks: dict[str, TaskSchema]) -> None:
    requests = Counter(
        tuple(sorted(node.request or "" for node in task.flow.nodes.values() if node.call))
        for task in tasks.values()
    )
    assert set(requests) == {("",), ("Book",), ("Book", "Check"), ("", "Book")}
    assert max(requests.values()) < 0.7 * MANY


def test_some_flows_ask_for_what_no_call_requires(tasks: dict[str, TaskSchema]) -> None:
    loose = [
        task
        for task in tasks.values()
        if {slot for node in task.flow.nodes.values() for slot in node.asks}
        - {column.slot for call in task.calls.values() for column in call.inputs if column.required}
    ]
    assert MANY / 4 < len(loose) < MANY


def test_a_task_does_not_depend_on_how_many_are_drawn(tasks: dict[str, TaskSchema]) -> None:
    assert list(drawn_tasks(3, seed=3)) == list(tasks.values())[:3]
    assert list(drawn_tasks(3, seed=4)) != list(tasks.values())[:3]


def test_the_preset_draws_tasks_with_its_seed(tasks: dict[str, TaskSchema]) -> None:
    plan = PRESETS.get("star").plan(Request(number=2, seed=3, tasks="drawn:4"))
    assert list(plan.schemas) == list(tasks)[:4]


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ("drawn:", "not-given"),
        ("drawn:many", "not-given"),
        ("drawn:0", "out-of-range"),
        (f"drawn:{MOST + 1}", "out-of-range"),
    ],
)
def test_a_number_of_tasks_out_of_range_is_refused(wanted: str, code: str) -> None:
    with refuses(UsageError, code):
        PRESETS.get("star").plan(Request(number=2, seed=3, tasks=wanted))
