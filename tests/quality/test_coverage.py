"""What a corpus uses of a task file, counted by hand and over simulated dialogues."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from dialoom.dialogue import Act, Argument, Dialogue, Layer, Part, Span, Utterance
from dialoom.errors import SchemaError
from dialoom.flow.alignment import follow
from dialoom.flow.program import program_of
from dialoom.quality.coverage import KINDS, coverage, coverage_table, template_of
from dialoom.schema.task import TaskSchema
from dialoom.sim.policies.flow.persons import PLAIN, Persons
from dialoom.sim.policies.flow.simulator import Simulator
from tests.make import refuses
from tests.quality.lint_sample import BOAT, GOOD, change, insert, part, user
from tests.schema.tiny import VISIT
from tests.sim.designs import guide


def nodes(dialogue: Dialogue) -> list[str | None]:
    return [visit.node for visit in follow(program_of(BOAT), dialogue.events)]


def test_the_way_of_a_dialogue() -> None:
    assert nodes(GOOD) == [
        *("open", "ask_time", "give_time", "ask_extras", "no_extras", "check", "free", "offer"),
        *("accept", "book", "done", "confirm", "goodbye"),
    ]


def test_one_dialogue_counted() -> None:
    figures = coverage(BOAT, [GOOD])
    assert (figures.task, figures.dialogues, figures.off) == ("boat_hire", 1, 0)
    assert {name for name, count in figures.nodes.items() if count} == set(nodes(GOOD))
    steps = {edge for edge, count in figures.edges.items() if count}
    # ask_boat and ask_crew are passed over: their answers are known
    assert {"open -> ask_boat", "give_boat -> ask_time", "give_crew -> ask_extras"} <= steps
    assert "offer -> refuse" in figures.missing("edges")
    assert figures.slots == {"boat": 1, "time": 1, "crew": 1, "extras": 0}
    assert figures.values["boat = Heron"] == 1
    assert figures.values["time = 10:00"] == 1
    assert figures.values["crew = 2"] == 1
    assert "boat = Otter" in figures.missing("values")
    assert figures.templates["open: Hello, {boat} for {crew}, please."] == 1
    assert figures.templates["ask_time: What time?"] == 1
    assert figures.share("slots") == 0.75


def test_an_event_off_the_flow_is_counted() -> None:
    assert coverage(BOAT, [insert(GOOD, 11, instead=1)]).off == 1
    assert coverage(BOAT, [change(GOOD, 11, layers=())]).off == 0


def test_the_table() -> None:
    table = coverage_table(coverage(BOAT, [GOOD])).rows
    assert [row[0] for row in table] == list(KINDS)
    assert table[2] == ["slots", 3, 4, 75.0, "extras"]
    assert str(table[0][4]).count(";") == 2
    assert "more" in str(table[0][4])


@pytest.mark.parametrize("task", [BOAT, guide()], ids=lambda task: task.id)
def test_simulated_dialogues_cover_a_task(task: TaskSchema) -> None:
    simulator = Simulator(task, 1, persons=Persons(PLAIN, task.language, scripted=True))
    figures = coverage(task, (simulator.dialogue(index) for index in range(1000)))
    assert figures.off == 0
    assert set(figures.missing("nodes")) <= {"lost", "nothing", "sorry"}
    assert len(figures.missing("templates")) <= 2
    nodes = task.flow.nodes
    spoken = sum(count for name, count in figures.nodes.items() if nodes[name].texts)
    assert sum(figures.templates.values()) == spoken


def _said(text: str, spans: Sequence[Span]) -> Utterance:
    return user(text, Layer("gold", (Part(spans=tuple(spans)),)))


def test_the_template_of_an_utterance() -> None:
    task = BOAT
    extras, crew = task.flow.nodes["give_extras"], task.flow.nodes["give_crew"]
    utterance = _said("Yes, Oars, Vests.", [Span(5, 9, ("extras",)), Span(11, 16, ("extras",))])
    assert template_of(extras, utterance) == "Yes, {extras}."
    assert template_of(crew, _said("We are 4.", [])) == "We are {crew}."
    assert template_of(task.flow.nodes["no_extras"], _said("Four or five.", [])) is None


def test_a_slot_given_without_an_annotated_value_is_not_counted() -> None:
    acts = (Act("give_time", (Argument("time"),)),)
    silent = change(GOOD, 2, layers=(Layer("gold", (Part(acts=acts),)),))
    assert coverage(BOAT, [silent]).slots["time"] == 0


def test_forgotten_and_declined_slots_are_asked_for_again() -> None:
    refused = insert(GOOD, 8, user("Wait.", part("refuse", boat=("Heron",), crew=(2,))), instead=1)
    visits = list(follow(program_of(BOAT), refused.events[:9]))
    assert visits[-1].permitted
    assert visits[3].node == "ask_extras"
    assert not any(visit.needless for visit in visits)


def test_a_published_task_has_nothing_to_count() -> None:
    with refuses(SchemaError, "no-flow"):
        coverage(VISIT, [])
