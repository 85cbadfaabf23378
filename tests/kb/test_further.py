"""Calls that compute columns and change several tables; states from which dialogues begin."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.dialogue.constraint import parse
from dialoom.errors import UnknownNameError, UsageError
from dialoom.kb import Answer, KnowledgeBase
from tests.make import order_cancel, refuses

TASK = order_cancel()


@pytest.fixture(scope="module")
def base() -> KnowledgeBase:
    kb = KnowledgeBase()
    kb.populate(TASK, 1)
    return kb


def cancel(base: KnowledgeBase, order: str, card: str) -> Answer:
    return base.call("cancel", (parse("Order", f'"{order}"'), parse("Card", f'"{card}"')))


def test_a_call_changes_two_tables_and_adds_to_a_third(base: KnowledgeBase) -> None:
    with base.dialogue("one") as session:
        answer = cancel(base, "O1", "G1")
        assert answer.outcome == "done"
        assert answer.items[0]["Balance"] == 115.5  # an output of the call, of another table
        changes = session.difference().data()
    assert set(changes) == {"orders", "cards", "payments"}
    assert changes["cards"]["changed"][0][1] == {"Card": "G1", "Balance": 115.5}
    assert changes["orders"]["changed"][0][1]["Total"] == 15.5
    assert changes["payments"]["added"] == [{"Number": 1, "Paid": 15.5, "On": "2026-11-27"}]


@pytest.mark.parametrize(
    ("order", "card", "outcome"), [("O2", "G1", "refused"), ("O4", "G1", "failed")]
)
def test_a_call_that_is_not_made_changes_nothing(
    base: KnowledgeBase, order: str, card: str, outcome: str
) -> None:
    with base.dialogue("two") as session:
        assert cancel(base, order, card).outcome == outcome
        assert not session.difference()


def test_a_call_without_the_row_of_another_table_fails_as_a_whole(base: KnowledgeBase) -> None:
    with base.dialogue("three") as session:
        base.arrange({"cards": {"removed": [{"Card": "G1"}]}})
        assert cancel(base, "O1", "G1").outcome == "failed"
        assert not session.difference()
        assert base.rows("orders", (parse("Order", '"O1"'),))[0]["Status"] == "pending"


def test_a_value_that_cannot_be_computed_fails_as_a_whole(base: KnowledgeBase) -> None:
    with base.dialogue("four") as session:
        base.arrange({"orders": {"changed": [[{"Order": "O1"}, {"Total": None}]]}})
        assert cancel(base, "O1", "G1").outcome == "failed"
        assert not session.difference()


@given(st.lists(st.tuples(st.sampled_from(["O1", "O2", "O3", "O4"]), st.sampled_from("12"))))
def test_every_dialogue_begins_with_the_same_rows(asked: list[tuple[str, str]]) -> None:
    base = KnowledgeBase()
    base.populate(TASK, 1)
    before = base.snapshot()
    state: dict[str, Any] = {"cards": {"changed": [[{"Card": "G1"}, {"Balance": 0}]]}}
    with base.dialogue("many") as session:
        base.arrange(state)
        paid = sum(
            answer.items[0]["Total"]
            for order, card in asked
            if (answer := cancel(base, order, f"G{card}")).outcome == "done"
        )
        balance = sum(row["Balance"] for row in base.rows("cards"))
        assert round(balance - 0.2, 2) == paid  # what the cards got is what the orders gave
        assert len(base.rows("payments")) == len(
            session.difference().data().get("payments", {}).get("added", ())
        )
    assert base.snapshot() == before


def test_a_file_is_changed_as_memory_is(tmp_path: Path) -> None:
    base = KnowledgeBase(tmp_path / "rows.sqlite")
    base.populate(TASK, 1)
    with base.dialogue("file") as session:
        assert cancel(base, "O1", "G1").items[0]["Balance"] == 115.5
        assert set(session.difference().data()) == {"orders", "cards", "payments"}
    base.close()


def test_a_state_is_no_change_of_the_dialogue(base: KnowledgeBase) -> None:
    added = {"orders": {"added": [{"Order": "O4", "Status": "pending", "Total": 9}]}}
    with base.dialogue("state") as session:
        base.arrange(added)
        assert not session.difference()
        assert cancel(base, "O4", "G2").items[0]["Balance"] == 4.2


def test_a_state_of_rows_that_are_not_there_is_refused(base: KnowledgeBase) -> None:
    with base.dialogue("none"):
        with refuses(UsageError, "unknown-name", "cards"):
            base.arrange({"cards": {"removed": [{"Card": "G9"}]}})
        with pytest.raises(UnknownNameError):
            base.arrange({"coupons": {"added": [{}]}})
