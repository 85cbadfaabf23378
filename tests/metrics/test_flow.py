"""F1 of edges, FuDGE and Flow-F1 on flows of a few actions."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.metrics.flow import ActionFlow, edge_counts, flow_f1, flow_of, fudge, scores
from dialoom.schema import pack

WAY = [None, "hello", "ask", "query", "bye"]


def flow(*edges: tuple[str | None, str]) -> ActionFlow:
    names = dict.fromkeys(name for edge in edges for name in edge if name)
    return ActionFlow({name: (name,) for name in names}, frozenset(edges))


LINE = flow(*zip(WAY[:-1], [str(name) for name in WAY[1:]], strict=True))


def cost(turn: str, name: str) -> float:
    """Half of a turn in another's place is right where they begin alike."""
    return 0.0 if turn == name else 0.5 if turn[0] == name[0] else 1.0


def distance(turns: Sequence[str], way: ActionFlow = LINE) -> float:
    return fudge(turns, way, cost)


def test_edges_are_compared_without_those_that_open() -> None:
    graph = flow((None, "ask"), ("hello", "ask"), ("ask", "bye"))
    values = {name: score.value for name, score in scores(edge_counts(graph, LINE)).items()}
    assert values == pytest.approx(
        {"edge_f1": 40.0, "edge_precision": 50.0, "edge_recall": 100 / 3}
    )


def test_a_dialogue_along_the_flow_is_at_no_distance() -> None:
    assert distance(["hello", "ask", "query", "bye"]) == 0.0


@pytest.mark.parametrize(
    ("turns", "value"),
    [
        (["hello", "ask", "bye"], 1 / 4),  # a node without a turn
        (["hello", "ask", "ask", "query", "bye"], 1 / 5),  # a turn without a node
        (["hi", "ask", "query", "bye"], 0.5 / 4),  # a turn like a node
        (["x"], 1.0),
        ([], 0.0),
    ],
)
def test_what_differs_costs(turns: list[str], value: float) -> None:
    assert distance(turns) == pytest.approx(value)


def test_a_loop_may_be_passed_as_often_as_it_takes() -> None:
    again = flow(*LINE.edges, ("ask", "ask"))
    assert distance(["hello", "ask", "ask", "ask", "query", "bye"], again) == 0.0
    endless = flow((None, "a"), ("a", "a"))
    assert fudge(["a", "a", "a"], endless, cost) == 0.0


def test_what_may_not_stand_for_a_node_is_left_out() -> None:
    never = float("inf")
    assert fudge(["hello"], flow((None, "hello")), lambda turn, name: never) == 1.0


def test_a_flow_of_nothing_is_nothing_like_a_dialogue() -> None:
    assert distance(["hello"], flow()) == 1.0


def test_flow_f1_wants_a_small_flow_too() -> None:
    assert flow_f1(0.0, 0, 100) == 1.0
    assert flow_f1(0.0, 50, 100) == pytest.approx(2 / 3)
    assert flow_f1(1.0, 100, 100) == 0.0


def test_the_flow_of_a_task_is_that_of_its_actions() -> None:
    graph = flow_of(pack.load("weather"))
    assert "query" in graph.texts
    assert not graph.texts["query"]
    assert any(before is None for before, _ in graph.edges)


words = st.lists(st.sampled_from(["hello", "ask", "query", "bye", "x"]), max_size=6)


@given(words)
def test_a_distance_is_a_share(turns: list[str]) -> None:
    assert 0.0 <= distance(turns) <= 1.0
