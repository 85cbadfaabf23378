"""A dialogue's calls made again give what was recorded."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from dialoom.dialogue import Constraint, Event, Query, Result, Utterance
from dialoom.kb import KnowledgeBase, replay
from tests.kb.sample import asking, filled

calls = st.one_of(
    st.builds(lambda area: ("hotel_search", asking(Area=area)), st.sampled_from(["North", "West"])),
    st.builds(lambda number: ("hotel_find", asking(Id=number)), st.integers(95, 145)),
    st.builds(
        lambda api, name, request, guests: (
            api,
            asking(Name=name, Time="17:30", RequestType=request, Guests=guests),
        ),
        st.sampled_from(["table_book", "table_change"]),
        st.sampled_from(["Juniper", "Copper Pan"]),
        st.sampled_from(["Check", "Book"]),
        st.integers(1, 9),
    ),
)


def recorded(
    kb: KnowledgeBase, asked: list[tuple[str, tuple[Constraint, ...]]], name: str
) -> tuple[list[Event], dict[str, Any]]:
    events: list[Event] = [Utterance(text="Hello", agent="user")]
    with kb.dialogue(name) as session:
        for number, (api, constraints) in enumerate(asked):
            answer = kb.call(api, constraints)
            events.append(Query(id=f"q{number}", api=api, constraints=constraints))
            events.append(Result(query=f"q{number}", items=answer.items, total=answer.total))
        return events, session.difference().data()


@given(st.lists(calls, max_size=6), st.text(max_size=5))
def test_a_replay_on_a_fresh_knowledge_base_agrees(asked: Any, name: str) -> None:
    events, changes = recorded(filled(), asked, name)
    fresh = filled()
    before = fresh.snapshot().digest
    assert replay(fresh, events, name, changes) == ()
    assert fresh.snapshot().digest == before


def test_what_differs_is_reported() -> None:
    events, changes = recorded(filled(), [("table_note", asking(Name="Juniper"))], "d")
    query, result = events[1:]
    assert isinstance(result, Result)
    tampered = [query, Result(query="q0", items=result.items, total=3), Result(query="q9")]
    mismatches = replay(filled(), tampered, "d", {})
    assert [(m.query, m.field, m.recorded) for m in mismatches] == [
        ("q0", "total", 3),
        ("q9", "query", "q9"),
        ("", "changes", {}),
    ]
    assert mismatches[-1].replayed == changes


def test_another_seed_is_noticed() -> None:
    events, _ = recorded(filled(), [("hotel_find", asking(Id=101))], "d")
    assert [mismatch.field for mismatch in replay(filled(2), events, "d")] == ["items"]


def test_an_end_state_that_is_not_recorded_is_not_compared() -> None:
    events, _ = recorded(filled(), [("table_note", asking(Name="Juniper"))], "d")
    assert replay(filled(), events, "d") == ()
