"""Snapshots, differences and dialogues: what is done can be told and undone."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from dialoom.errors import UnknownNameError, UsageError
from dialoom.kb import Difference, KnowledgeBase, Snapshot, diff
from tests.kb.sample import SLOTS, TASK, asking, filled, free
from tests.make import refuses

keys = st.tuples(
    st.sampled_from(sorted(SLOTS["place"].values)),
    st.sampled_from(["17:00", "17:30", "18:00", "18:30"]),
)


class Bookings(RuleBasedStateMachine):
    """A model of what is taken beside the knowledge base, through nested dialogues."""

    @initialize()
    def fill(self) -> None:
        self.kb = filled()
        self.taken = {(row["Name"], row["Time"]) for row in self.kb.rows("bookings")}
        self.open: list[tuple[ExitStack, set[Any], str]] = []
        self.kept: tuple[Snapshot, set[Any]] | None = None

    def ask(self, key: tuple[str, str], request: str) -> str:
        name, time = key
        constraints = asking(Name=name, Time=time, RequestType=request)
        return self.kb.call("table_book", constraints).outcome

    @rule(key=keys)
    def check(self, key: tuple[str, str]) -> None:
        expected = "unavailable" if key in self.taken else "available"
        assert self.ask(key, "Check") == expected

    @rule(key=keys)
    def book(self, key: tuple[str, str]) -> None:
        checked = self.ask(key, "Check")
        assert self.ask(key, "Book") == ("done" if checked == "available" else "failed")
        assert self.ask(key, "Check") == "unavailable"
        self.taken.add(key)

    @rule()
    @precondition(lambda self: len(self.open) < 3)
    def begin(self) -> None:
        stack = ExitStack()
        before = self.kb.snapshot().digest
        stack.enter_context(self.kb.dialogue("d"))
        self.open.append((stack, set(self.taken), before))

    @rule()
    @precondition(lambda self: self.open)
    def end(self) -> None:
        stack, self.taken, before = self.open.pop()
        stack.close()
        assert self.kb.snapshot().digest == before

    @rule()
    def keep(self) -> None:
        self.kept = (self.kb.snapshot(), set(self.taken))

    @rule()
    @precondition(lambda self: self.kept)
    def restore(self) -> None:
        if self.kept is None:
            return
        snapshot, keys = self.kept
        self.kb.restore(snapshot)
        self.taken = set(keys)
        assert self.kb.snapshot() == snapshot
        assert self.kb.snapshot().digest == snapshot.digest

    @invariant()
    def a_search_finds_what_is_taken_and_no_more(self) -> None:
        answer = self.kb.call("table_search", limit=100)
        assert {(item["Name"], item["Time"]) for item in answer.items} == self.taken
        assert answer.total == len(self.taken)

    @invariant()
    def what_is_taken_is_in_the_table(self) -> None:
        assert {(row["Name"], row["Time"]) for row in self.kb.rows("bookings")} == self.taken

    def teardown(self) -> None:
        for stack, _, _ in reversed(self.open):
            stack.close()


TestBookings = Bookings.TestCase


asked = st.builds(
    lambda api, key, **values: (api, asking(Name=key[0], Time=key[1], **values)),
    st.sampled_from(["table_book", "table_change"]),
    keys,
    RequestType=st.sampled_from(["Check", "Book"]),
    Guests=st.integers(1, 3),
)
searched = keys.map(lambda key: ("table_search", asking(Name=key[0], Time=key[1])))
begun = st.booleans().map(lambda keep: ("begin", keep))


@given(st.lists(asked | searched | begun | st.just(("end", None)), max_size=25))
def test_in_memory_nothing_is_answered_otherwise_than_in_a_file(steps: list[Any]) -> None:
    """What is remembered, and what is written late or never, cannot be told from outside."""
    with tempfile.TemporaryDirectory() as folder:
        bases = (filled(), KnowledgeBase(Path(folder) / "kb.sqlite"))
        bases[1].populate(TASK, 1)
        stacks: list[list[ExitStack]] = [[], []]
        for name, values in steps:
            pair = [_do(kb, open_, name, values) for kb, open_ in zip(bases, stacks, strict=True)]
            assert pair[0] == pair[1]
        for open_ in stacks:
            while open_:
                open_.pop().close()
        assert bases[0].snapshot() == bases[1].snapshot()
        bases[1].close()


def _do(kb: KnowledgeBase, opened: list[ExitStack], name: str, values: Any) -> Any:
    """Make a call, or begin or end a dialogue; return what came of it."""
    if name == "begin":
        stack = ExitStack()
        session = stack.enter_context(kb.dialogue("d", keep=values))
        opened.append(stack)
        return session.difference()
    if name == "end":
        return opened.pop().close() if opened else None
    return kb.call(name, values)


def test_a_booking_that_nobody_reads_about_leaves_what_was_remembered() -> None:
    kb = filled()
    key = free(kb)
    check = asking(**key, RequestType="Check")
    for _ in range(3):
        with kb.dialogue("d"):
            assert kb.call("table_book", check).outcome == "available"
            assert kb.call("table_book", asking(**key)).outcome == "done"
            assert kb.call("table_book", check).outcome == "unavailable"
            assert kb.call("table_book", asking(**key)).outcome == "failed"
            assert kb.call("table_search", asking(**key)).total == 1
        assert kb.call("table_search", asking(**key)).total == 0


def test_a_dialogue_that_fails_is_rolled_back_too() -> None:
    kb = filled()
    before = kb.snapshot().digest
    with pytest.raises(UsageError), kb.dialogue(keep=True):
        kb.call("table_book", asking(**free(kb)))
        kb.call("table_book")
    assert kb.snapshot().digest == before


def test_an_inner_dialogue_that_is_kept_belongs_to_the_outer_one() -> None:
    kb = filled()
    before = kb.snapshot()
    with kb.dialogue("outer") as outer:
        with kb.dialogue("inner", keep=True):
            kb.call("table_book", asking(**free(kb)))
        assert outer.difference() == diff(before, kb.snapshot())
        assert outer.difference()
    assert kb.snapshot() == before


def test_a_snapshot_restored_within_a_dialogue_is_undone_with_it() -> None:
    kb = filled()
    before = kb.snapshot()
    kb.call("table_book", asking(**free(kb)))
    booked = kb.snapshot()
    with kb.dialogue() as session:
        kb.restore(before)
        assert kb.call("table_search").total == 3
        assert session.difference() == diff(booked, before)
    assert kb.call("table_search").total == 4


def test_calls_outside_a_dialogue_are_not_kept_in_mind() -> None:
    kb = filled()
    with kb.dialogue("d") as session:
        assert kb.call("table_book", asking(**free(kb))).outcome == "done"
    kb.call("table_book", asking(**free(kb)))
    assert len(session.moves) == 1


def test_a_session_shows_the_difference_of_two_snapshots() -> None:
    kb = filled()
    before = kb.snapshot()
    with kb.dialogue() as session:
        key = free(kb)
        kb.call("table_book", asking(**key))
        kb.call("table_change", asking(**key, Guests=7))
        row = kb.rows("bookings")[0]
        kb.call("table_change", asking(Name=row["Name"], Time=row["Time"], Guest="Zoë"))
        after = kb.snapshot()
    assert session.difference() == diff(before, after)
    assert sorted(session.difference().data()["bookings"]) == ["added", "changed"]


cells = st.none() | st.integers(-9, 9) | st.text(max_size=4)
tables = st.dictionaries(
    st.sampled_from(["a", "b"]),
    st.dictionaries(st.integers(1, 4), st.fixed_dictionaries({"x": cells, "y": cells})),
)


@given(tables, tables)
def test_there_is_no_difference_just_where_the_rows_are_equal(one: Any, other: Any) -> None:
    before, after = Snapshot(one), Snapshot(other)
    filled = {name: rows for name, rows in one.items() if rows}
    equal = filled == {name: rows for name, rows in other.items() if rows}
    assert bool(diff(before, after)) != equal
    assert (str(diff(before, after)) == "") == equal


@given(tables, tables)
def test_a_difference_read_backwards_undoes_itself(one: Any, other: Any) -> None:
    there, back = diff(Snapshot(one), Snapshot(other)), diff(Snapshot(other), Snapshot(one))
    for name, changes in there.tables.items():
        assert changes.added == back.tables[name].removed
        assert changes.changed == tuple((old, new) for new, old in back.tables[name].changed)


def test_a_difference_is_readable() -> None:
    before = Snapshot({"bookings": {1: {"Name": "Juniper", "Guests": 2}, 2: {"Name": "Oak"}}})
    after = Snapshot({"bookings": {1: {"Name": "Juniper", "Guests": 4}, 3: {"Name": " \n"}}})
    assert str(diff(before, after)).splitlines() == [
        "bookings",
        '  + Name: " \\n"',
        "  - Name: Oak",
        "  ~ Name: Juniper: Guests: 2 -> Guests: 4",
    ]
    assert str(Difference()) == ""


def test_a_snapshot_of_other_tables_is_refused() -> None:
    with refuses(UsageError, "mismatch"):
        filled().restore(Snapshot({}))


def test_values_and_tables() -> None:
    kb = filled()
    assert {row["Area"] for row in kb.rows("hotels")} == {"East", "North", "South"}
    assert {row["Open"] for row in kb.rows("hotels")} == {True, False}
    assert kb.tables == ("hotels", "bookings")
    with refuses(UnknownNameError, "unknown-name", "hotel"):
        kb.rows("hotel")


def test_rows_may_be_changed_by_who_gets_them() -> None:
    kb = filled()
    before = kb.snapshot().digest
    kb.rows("hotels")[0]["Extras"].append("casino")
    kb.call("hotel_find", asking(Id=100)).items[0]["Extras"].clear()
    assert kb.snapshot().digest == before


def test_a_knowledge_base_is_empty_before_it_is_filled() -> None:
    kb = KnowledgeBase()
    assert kb.snapshot().tables == {}
    assert kb.snapshot() == Snapshot({})
