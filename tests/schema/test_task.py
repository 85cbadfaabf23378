"""Tasks as values: encoded and decoded, and found by either name."""

from __future__ import annotations

import msgspec
import pytest

from dialoom.errors import UnknownNameError
from dialoom.schema.task import PAPER, SAM, TaskSchema, resolve
from tests.schema.tiny import API, BARE, VISIT, WAY

TASKS = {task.id: task for task in (VISIT, WAY, BARE)}


@pytest.mark.parametrize("task", TASKS.values(), ids=list(TASKS))
def test_codec(task: TaskSchema) -> None:
    assert msgspec.json.decode(msgspec.json.encode(task), type=TaskSchema) == task


def test_either_name() -> None:
    assert resolve("garden_visit", TASKS) == resolve("visit_garden", TASKS) == "garden_visit"
    with pytest.raises(UnknownNameError, match="garden_visit"):
        resolve("garden_visits", TASKS)


def test_looking_up() -> None:
    assert VISIT.api("garden_visit") == API
    assert VISIT.api("other") is None
    paper = VISIT.view(PAPER)
    assert paper is not None and paper.nodes is None
    assert BARE.view(SAM) is None
    hour = API.input("Hour")
    assert hour is not None and hour.values[0] == "12 am"
    assert API.input("Minute") is None
