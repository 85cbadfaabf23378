"""The follower's reader over the real tasks, whole and with parts of their schemas missing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import pytest

from dialoom.dialogue import Dialogue, NextAction, Question, views
from dialoom.formats.star import FORMAT
from dialoom.formats.star.importing import to_schema
from dialoom.models.follower.features import GROUPS
from dialoom.models.follower.model import QuestionReader
from dialoom.schema.source import StarSource
from dialoom.schema.task import TaskSchema

FEW = 2
"""Dialogues read of each task: enough to meet every kind of event."""


@pytest.fixture(scope="module")
def dialogues(star: Path) -> list[Dialogue]:
    groups: dict[str, list[Dialogue]] = defaultdict(list)
    for file in FORMAT.files(star)[:1500]:
        for dialogue in FORMAT.read_file(file, star):
            task = next(iter(views.tasks(dialogue)), None)
            if task is not None and len(groups[task]) < FEW:
                groups[task].append(dialogue)
    return [dialogue for several in groups.values() for dialogue in several]


@pytest.fixture(scope="module")
def schemas(star: Path) -> dict[str, TaskSchema]:
    return FORMAT.schemas(star)


def whole(task: TaskSchema) -> TaskSchema:
    return task


def changed(task: TaskSchema, **parts: object) -> TaskSchema:
    assert isinstance(task.source, StarSource)
    source = msgspec.structs.replace(task.source, **parts)
    return to_schema(task.id, task.name, task.replies, source)


def plain_view(task: TaskSchema) -> TaskSchema:
    return changed(task, sam=None)


def without_apis(task: TaskSchema) -> TaskSchema:
    return changed(task, apis=())


def replies_alone(task: TaskSchema) -> TaskSchema:
    return to_schema(task.id, None, task.replies, StarSource())


@pytest.mark.corpus
@pytest.mark.parametrize("change", [whole, plain_view, without_apis, replies_alone])
def test_every_question_is_described(
    dialogues: list[Dialogue],
    schemas: dict[str, TaskSchema],
    change: Callable[[TaskSchema], TaskSchema],
) -> None:
    changed = {name: change(task) for name, task in schemas.items()}
    questions = [
        Question(dialogue, place, NextAction(views.tasks(dialogue)[0]))
        for dialogue in dialogues
        for place, event in enumerate(dialogue.events)
        if views.action(event) is not None
    ]
    assert questions
    for number, here in QuestionReader(changed, tuple(GROUPS)).read(questions):
        assert here.features.shape[0] == len(here.actions) > 1
        assert np.isfinite(here.features).all()
        assert 0 <= number < len(questions)
