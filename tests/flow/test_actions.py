"""The actions of a flow as a graph."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dialoom.flow.actions import Edge, Graph, read_graph
from dialoom.formats.star.importing import to_schema
from dialoom.schema import pack
from dialoom.schema.source import StarSource, StarView
from tests.schema.tiny import BARE, VISIT, WAY

GRAPH = read_graph(VISIT)


def test_markers_are_no_actions() -> None:
    assert "open" not in GRAPH.actions and "user_hour" not in GRAPH.actions
    assert "goodbye" in GRAPH.actions and "leave" in GRAPH.actions
    assert GRAPH.actions[-2:] == ("query_check", "query_book")
    assert read_graph(WAY).actions[-1] == "query"


def test_views_are_joined() -> None:
    assert Edge("ask_hour", "ask_size", "", "flow") in GRAPH.edges
    assert Edge("ask_hour", "ask_size", "[TIME]", "user") in GRAPH.edges
    assert Edge(None, "closed", "Closed", "marker") in GRAPH.edges
    results = [edge for edge in GRAPH.edges if edge.source == "kb"]
    assert {edge.before for edge in results} == {"query_check", "query_book"}
    assert not any(edge.condition.startswith("[RESULT]") for edge in results)


def test_reach_counts_the_steps_left() -> None:
    cost = GRAPH.reach("hello", {"ask_guest"})
    assert (cost["ask_guest"], cost["ask_hour"], cost["ask_size"]) == (0, 0, 1)
    assert "leave" not in cost


def test_answers_with_and_without_a_value_lead_on_by_edges_of_their_own() -> None:
    graph = read_graph(pack.load("bank_balance"))
    ask = "bank_ask_account_number"
    assert [edge.after for edge in graph.after_answer(ask, has_value=True)] == ["bank_ask_pin"]
    assert [e.after for e in graph.after_answer(ask, has_value=False)] == ["bank_ask_date_of_birth"]
    plain = graph.leaving["ask_name"]
    assert graph.after_answer("ask_name", has_value=False) == plain
    assert graph.after_answer("ask_name", has_value=True) == plain


def test_order_follows_the_graph() -> None:
    order = GRAPH.order
    way = ["hello", "ask_guest", "ask_hour", "ask_size", "query_check", "offer", "query_book"]
    assert sorted(way, key=order.__getitem__) == way
    assert order["leave"] == len(GRAPH.actions)


def test_a_task_without_a_flow() -> None:
    graph = read_graph(BARE)
    assert graph.edges == () and graph.actions == ("hello", "ask", "query")
    assert graph.reach(None) == {}


names = st.sampled_from(["a", "b", "c", "d", "e"])


@given(st.dictionaries(names, names), st.sets(names), names)
def test_any_graph_ends(edges: dict[str, str], known: set[str], at: str) -> None:
    source = StarSource(paper=StarView(edges=edges), suggestions=dict.fromkeys("abcde", "?"))
    task = to_schema("any", None, {name: f"This is {name}?" for name in "abcde"}, source)
    graph = read_graph(task)
    assert set(graph.order) == set(graph.actions)
    assert all(cost >= 0 for cost in graph.reach(at, known).values())
    assert isinstance(graph, Graph)
