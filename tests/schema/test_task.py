"""Tasks as values: encoded and decoded, and found by either name."""

from __future__ import annotations

import msgspec
import pytest

from dialoom.errors import UnknownNameError
from dialoom.schema.task import TaskSchema, resolve
from tests.make import refuses
from tests.schema.tiny import BARE, VISIT, WAY

TASKS = {task.id: task for task in (VISIT, WAY, BARE)}


@pytest.mark.parametrize("task", TASKS.values(), ids=list(TASKS))
def test_codec(task: TaskSchema) -> None:
    assert msgspec.json.decode(msgspec.json.encode(task), type=TaskSchema) == task


def test_either_name() -> None:
    assert resolve("garden_visit", TASKS) == resolve("visit_garden", TASKS) == "garden_visit"
    with refuses(UnknownNameError, "unknown-name", "garden_visit"):
        resolve("garden_visits", TASKS)


def test_inputs_are_slots_under_the_names_of_the_inputs() -> None:
    assert [slot.name for slot in VISIT.inputs] == ["GuestName", "Hour", "PartySize"]
    assert next(iter(VISIT.inputs[1].values)) == "12 am"
    assert VISIT.inputs[2].description == "Party Size"
    assert BARE.inputs == ()
