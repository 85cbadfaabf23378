"""Simulated dialogues: true to the goal, the flow and the knowledge base."""

from __future__ import annotations

from collections import Counter
from functools import cache

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.dialogue import SYSTEM, USER, Query, Result, encode
from dialoom.errors import SchemaError
from dialoom.kb import KnowledgeBase, replay
from dialoom.schema.flow import FlowGraph, Node
from dialoom.schema.task import TaskSchema
from dialoom.sim.policies.flow.goal import BehaviourRates
from dialoom.sim.policies.flow.simulator import Simulator
from dialoom.sim.presets.star import load_tasks
from tests.make import refuses
from tests.sim.checks import check, words_of
from tests.sim.designs import boat, guide


@cache
def simulator(name: str, seed: int = 3, rates: BehaviourRates | None = None) -> Simulator:
    task = {"boat": boat, "guide": guide}[name]()
    return Simulator(task, seed, rates or BehaviourRates())


@given(st.integers(0, 2**40), st.sampled_from([boat, guide]))
def test_dialogues_hold_together(index: int, make: object) -> None:
    name = "boat" if make is boat else "guide"
    check(simulator(name).dialogue(index), boat() if name == "boat" else guide())


@settings(max_examples=10)
@given(st.integers(0, 2**63 - 1), st.integers(0, 10**6))
def test_a_dialogue_is_a_function_of_seed_and_index(seed: int, index: int) -> None:
    one = Simulator(boat(), seed)
    for other in (7, 8, index):
        last = one.dialogue(other)
    assert encode(last) == encode(Simulator(boat(), seed).dialogue(index))


@pytest.mark.parametrize("name", ["boat", "guide"])
def test_calls_replay_on_a_fresh_knowledge_base(name: str) -> None:
    program = simulator(name).program
    fresh = KnowledgeBase()
    fresh.populate(program.schema, 3)
    for index in range(60):
        dialogue = simulator(name).dialogue(index)
        assert dialogue.scenario is not None
        effects = dialogue.scenario.goal.get("effects", {})
        assert not replay(fresh, dialogue.events, dialogue.id, effects)


def test_every_node_fires() -> None:
    for name in ("boat", "guide"):
        dialogues = [simulator(name).dialogue(index) for index in range(300)]
        fired = {act for d in dialogues for agent in (USER, SYSTEM) for act in words_of(d, agent)}
        nodes = simulator(name).program.schema.flow.nodes.values()
        names = {node.name for node in nodes if node.kind in ("user", "system")}
        assert names - fired <= {"sorry"}


def test_a_goal_is_met_where_nothing_is_missed_or_changed() -> None:
    easy = simulator("boat", 3, BehaviourRates(miss=0, change=0))
    for index in range(100):
        dialogue = easy.dialogue(index)
        results = [event for event in dialogue.events if isinstance(event, Result)]
        assert [result.items[0]["Message"] for result in results] == ["Free", "Yours"]
        assert "sorry" not in words_of(dialogue, SYSTEM)


def test_a_missed_wish_is_changed_and_then_met() -> None:
    unlucky = simulator("boat", 3, BehaviourRates(miss=1, change=0))
    ends = Counter(words_of(unlucky.dialogue(index), SYSTEM)[-2] for index in range(100))
    assert set(ends) == {"confirm", "sorry"}
    assert ends["confirm"] > 50


def test_the_flow_decides_who_asks_what() -> None:
    for index in range(100):
        dialogue = simulator("guide").dialogue(index)
        acts = words_of(dialogue)
        assert ("give_guide" in acts) == ("with_guide" in acts)
        replies = words_of(dialogue, SYSTEM)
        assert replies.count("arrive") == 1
        assert "ask_garden" not in replies or "give_garden" in acts


def test_constraints_have_operators_and_request_types() -> None:
    dialogues = [simulator("boat").dialogue(index) for index in range(60)]
    queries = [event for d in dialogues for event in d.events if isinstance(event, Query)]
    kinds = {c.slot: c.operator for query in queries for c in query.constraints}
    assert kinds["Time"] == "equal"
    assert kinds["Extras"] == "one_of"
    assert {c.value for q in queries for c in q.constraints if c.slot == "RequestType"} == {
        "Check",
        "Book",
    }


def change(task: TaskSchema, **nodes: Node) -> TaskSchema:
    return msgspec.structs.replace(
        task, flow=FlowGraph(nodes={**task.flow.nodes, **nodes}, complete=True)
    )


def node(name: str, task: TaskSchema) -> Node:
    return task.flow.nodes[name]


def test_a_flow_without_an_end_is_refused_and_does_not_hang() -> None:
    task = boat()
    endless = msgspec.structs.replace(node("goodbye", task), then=("open",))
    with refuses(SchemaError, "endless"):
        Simulator(change(task, goodbye=endless), 1).dialogue(0)


def test_questions_in_a_circle_are_refused() -> None:
    task = boat()
    circle = msgspec.structs.replace(node("give_crew", task), then=("ask_boat",))
    with refuses(SchemaError, "endless"):
        Simulator(change(task, give_crew=circle), 1).dialogue(0)


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("ask_boat", {"then": ("nowhere",)}, ("bad-task", "nowhere")),
        ("ask_boat", {"asks": ("colour",)}, ("bad-task", "slot colour")),
        ("ask_boat", {"texts": ()}, ("bad-task", "ask_boat", "say")),
        ("check", {"call": "fly"}, ("bad-task", "API fly")),
        ("check", {"then": ("ask_boat",)}, ("bad-task", "result")),
        ("check", {"then": ("gone",)}, ("bad-task", "available")),
        ("offer", {"texts": ("{Moon} shines",)}, ("bad-task", "offer", "reply")),
        ("give_boat", {"then": ("check",)}, ("bad-task", "check", "crew")),
    ],
)
def test_ill_formed_flows_are_refused(
    name: str, changes: dict[str, object], message: tuple[str, ...]
) -> None:
    task = boat()
    broken = msgspec.structs.replace(node(name, task), **changes)
    with refuses(SchemaError, *message) as refused:
        for index in range(30):
            Simulator(change(task, **{name: broken}), 1).dialogue(index)
    assert str(refused.value).startswith(f"task {task.id}: node ")


def test_a_task_without_a_flow_is_refused() -> None:
    with refuses(SchemaError, "no-flow"):
        Simulator(TaskSchema(id="old"), 1)


def test_the_pack() -> None:
    for task in load_tasks("all"):
        one = Simulator(task, 5)
        fresh = KnowledgeBase()
        fresh.populate(one.program.schema, 5)
        for index in range(25):
            dialogue = one.dialogue(index)
            check(dialogue, task)
            assert dialogue.scenario is not None
            effects = dialogue.scenario.goal.get("effects", {})
            assert not replay(fresh, dialogue.events, dialogue.id, effects)
