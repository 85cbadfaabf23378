"""Dialogues of a task with a flow, labelled as Taskmaster-1's are."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from dialoom import formats
from dialoom.dialogue import Utterance, encode
from dialoom.dialogue.views import parts
from dialoom.errors import UsageError
from dialoom.quality.lint import lint
from dialoom.schema import pack
from dialoom.schema.services import contract
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.plan import Request
from dialoom.sim.policies.outline.view import View
from dialoom.sim.presets.taskmaster import PRESET
from tests.make import refuses

VIEW = View(pack.load("hotel_book"), seed=7)

indices = st.integers(0, 10**6)


def outcomes(index: int) -> dict[str, set[str]]:
    """Label without its outcome to the outcomes that it has."""
    labels: dict[str, set[str]] = {}
    for event in VIEW.dialogue(index).events:
        assert isinstance(event, Utterance)
        for part in parts(event):
            for span in part.spans or ():
                assert event.text[span.start : span.end].strip()
                for label in span.labels:
                    name, dot, outcome = label.rpartition(".")
                    ended = dot and outcome in ("accept", "reject")
                    labels.setdefault(name if ended else label, set()).add(outcome if ended else "")
    return labels


@given(indices)
def test_labels_are_those_of_the_ontology(index: int) -> None:
    labels = {f"hotel_book.{slot.name}" for slot in contract(VIEW.schema).slots}
    assert outcomes(index).keys() <= labels


@given(indices)
def test_nothing_is_accepted_where_nothing_is_booked(index: int) -> None:
    dialogue = VIEW.dialogue(index)
    assert dialogue.scenario is not None
    if "effects" not in dialogue.scenario.goal:
        assert all("accept" not in each for each in outcomes(index).values())


def test_values_that_are_given_up_are_rejected() -> None:
    results = [outcomes(index).get("hotel_book.hotel", set()) for index in range(60)]
    assert {"accept", "reject"} in results
    assert {"accept"} in results


def test_a_vertical_and_a_task_side_by_side(tmp_path: Path) -> None:
    plan = PRESET.plan(Request(number=30, seed=7, tasks="pizza_ordering,hotel_book,weather"))
    assert list(plan.schemas) == ["pizza_ordering", "hotel_book", "weather"]
    dialogues = [plan.source()(index) for index in range(30)]
    formats.get(PRESET.format).write(dialogues, plan.schemas, tmp_path)
    corpus = formats.load(tmp_path)
    assert corpus.schemas == plan.schemas
    assert [dialogue.events for dialogue in corpus.dialogues()] == [d.events for d in dialogues]
    assert [finding for finding in lint(corpus) if finding.severity != "information"] == []


def test_every_task_of_the_pack_has_one() -> None:
    plan = PRESET.plan(Request(number=1, seed=7, tasks="all"))
    make = plan.source()
    dialogues = [make(index) for index in range(len(plan.schemas))]
    assert len(dialogues) == len(pack.names())
    assert encode(make(3)) == encode(dialogues[3])


def test_a_task_without_slots_has_none() -> None:
    with refuses(UsageError, "unfit-task", "empty"):
        View(TaskSchema(id="empty"), seed=7)


def test_a_task_is_named_once() -> None:
    with refuses(UsageError, "twice"):
        PRESET.plan(Request(number=1, seed=7, tasks="weather,all"))
