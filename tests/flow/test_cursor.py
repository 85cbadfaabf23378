"""The position of a dialogue in a flow: replies in reach, corrections, the nodes of events."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dialoom.dialogue import SYSTEM, USER, Constraint, Query
from dialoom.errors import SchemaError
from dialoom.flow.alignment import follow
from dialoom.flow.cursor import FlowCursor, GivenValues, calls
from dialoom.flow.program import TaskProgram, compile_task, program_of
from dialoom.schema import pack
from dialoom.schema.flow import FlowGraph
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.services import from_service, to_task
from dialoom.sim.policies.flow.simulator import Simulator
from tests.make import refuses
from tests.schema.tiny import VISIT

HOTEL = program_of(pack.load("hotel_book"))


def at(program: TaskProgram, name: str, *known: str) -> FlowCursor:
    values = GivenValues(program, dict.fromkeys(known, "any"))
    return FlowCursor(program, values, (program.steps[name],))


def questions(program: TaskProgram) -> list[str]:
    return [step.name for step in program.steps.values() if step.asks and step.users]


@pytest.mark.parametrize("name", questions(HOTEL))
def test_answered_questions_are_no_replies_in_reach(name: str) -> None:
    question = HOTEL.steps[name]
    [before, *_] = (step for step in HOTEL.steps.values() if question in step.after)
    slots = question.node.asks
    assert question in at(HOTEL, before.name).replies()
    assert question not in at(HOTEL, before.name, *slots).replies()


def test_a_call_that_rules_out_rows_is_one_for_another_row() -> None:
    train = program_of(pack.load("train_journey"))
    origin = Constraint("From", "equal", ("Dorn",))
    first = Query(id="q1", api="train_search", constraints=(origin,))
    other = replace(first, constraints=(origin, Constraint("Number", "not", (104,))))
    assert [step.name for step in calls(train, first)] == ["search", "another"]
    assert [step.name for step in calls(train, other)] == ["another"]


def test_a_user_is_waited_for_after_a_question() -> None:
    name = questions(HOTEL)[0]
    assert not [*at(HOTEL, name).replies()]


def test_after_a_correction_the_flow_resumes_where_it_was_or_at_the_question() -> None:
    [task, *_] = (t for n in pack.names() if (t := program_of(pack.load(n))).corrections)
    correction = task.corrections[0]
    before = questions(task)[0]
    cursor = at(task, before)
    cursor.place_at(correction)
    assert cursor.at == (correction,)
    assert task.steps[before] in cursor.resumed
    corrected = set(correction.node.corrects)
    steps = (step for step in cursor.resumed if corrected & {*step.node.asks})
    for step in steps:
        assert cursor.way([step]) == (step,)


def test_a_program_is_compiled_once() -> None:
    task = pack.load("hotel_book")
    assert program_of(task) is compile_task(task)


def test_a_published_flow_has_actions_but_cannot_be_simulated() -> None:
    assert program_of(VISIT).named["ask_guest"]
    with pytest.raises(SchemaError):
        compile_task(VISIT)


@pytest.mark.parametrize(
    "change",
    [{"asks": ("moon",)}, {"texts": ()}, {"then": ("nowhere",)}, {"forget": ("moon",)}],
    ids=["slot", "text", "node", "forgotten slot"],
)
def test_a_flow_that_does_not_hold_together_names_the_node(change: dict[str, object]) -> None:
    task = pack.load("hotel_book")
    name = questions(HOTEL)[0]
    nodes = {**task.flow.nodes, name: replace(task.flow.nodes[name], **change)}
    with refuses(SchemaError, "bad-task", name):
        compile_task(replace(task, flow=FlowGraph(nodes=nodes, complete=True)))


@pytest.mark.parametrize("name", pack.names())
def test_simulated_dialogues_are_at_a_node_in_each_event(name: str) -> None:
    task = pack.load(name)
    program = program_of(task)
    for visit in follow(program, Simulator(task, 1).dialogue(0).events):
        assert visit.node in program.steps
        assert visit.permitted


def test_a_user_may_speak_before_a_system_that_only_greets() -> None:
    intent = ServiceIntent(name="light", transactional=True, required=("room",))
    service = Service(slots=(ServiceSlot(name="room"),), intents=(intent,))
    task = to_task(from_service("lamp", service))
    greeting, *events = Simulator(task, 1).dialogue(0).events
    assert (greeting.agent, events[0].agent) == (SYSTEM, USER)
    assert all(visit.permitted for visit in follow(program_of(task), events))


def test_a_call_of_another_task_has_no_node() -> None:
    dialogue = Simulator(pack.load("weather"), 1).dialogue(0)
    queries = [event for event in dialogue.events if isinstance(event, Query)]
    assert queries
    assert not any(calls(HOTEL, query) for query in queries)
