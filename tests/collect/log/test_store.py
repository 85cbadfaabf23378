"""What was written is there, once and in order, whatever happens; on SQLite and on PostgreSQL."""

from __future__ import annotations

import itertools
import sqlite3
import threading
from collections import Counter
from concurrent.futures import Future
from itertools import count

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.collect.log.change import (
    Change,
    Claim,
    Code,
    Given,
    Lease,
    LeaseReleased,
    LinkUsed,
    Paid,
    Seat,
    SeatLeft,
)
from dialoom.collect.log.record import Body, Closed, Opened, Record, Tally
from dialoom.collect.log.store import Conflict, Store, StoreFailed
from dialoom.dialogue import Utterance
from dialoom.errors import FormatError
from tests.collect.log.stores import Gate, claims, execute, line, outcomes, said, together
from tests.make import refuses
from tests.strategies import texts

# --- the log --------------------------------------------------------------------------------------


def test_what_was_written_is_read_in_the_order_of_writing(where: str) -> None:
    lines = [line("unit/1", 1), line("study", 1), line("unit/1", 2, client="c"), line("unit/2", 1)]
    with Store.open(where) as store:
        assert list(store.records()) == []
        secret = store.secret()
        store.submit(Change(tuple(lines[:2]))).result()
        store.submit(Change(tuple(lines[2:]))).result()
        assert list(store.records()) == lines
    with Store.open(where) as store:
        assert list(store.records()) == lines
        assert store.stream("unit/1") == [lines[0], lines[2]]
        assert store.stream("unit/9") == []
        assert store.secret() == secret
        assert len(secret) == 32


def test_reading_goes_from_page_to_page(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dialoom.collect.log.reader.PAGE", 3)
    lines = [line("unit/1", seq) for seq in range(1, 12)]
    store.submit(Change(tuple(lines[:7]))).result()
    reading = store.records()
    first = next(reading)
    store.submit(Change(tuple(lines[7:]))).result()  # nobody who reads holds the writer up
    assert [first, *reading] == lines
    assert list(store.records()) == lines


def test_what_was_said_in_rooms_that_are_over_is_not_needed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = [
        _fact("unit/1", 1, Opened(stage="s", item="s", seats={}, batch="b")),
        line("unit/1", 2),
    ]
    over += [line("unit/1", 3), _fact("unit/1", 4, Closed(outcome="Complete", tally=Tally()))]
    rest = [line("unit/2", 1), line("unit/2", 2), line("study", 1)]
    store.submit(Change((*over, *rest))).result()
    assert list(store.needed()) == [*over, *rest]  # it is the end of the log
    monkeypatch.setattr("dialoom.collect.log.reader.RECENT", 4)
    assert list(store.needed()) == [*over, *rest]
    monkeypatch.setattr("dialoom.collect.log.reader.RECENT", 3)
    assert list(store.needed()) == [over[0], over[-1], *rest]
    monkeypatch.setattr("dialoom.collect.log.reader.PAGE", 2)
    assert list(store.needed()) == [over[0], over[-1], *rest]
    assert list(store.records()) == [*over, *rest]


def test_nothing_is_needed_of_an_empty_log(store: Store) -> None:
    assert list(store.needed()) == []


def test_a_stream_with_a_gap_is_no_log(where: str) -> None:
    with Store.open(where) as store:
        store.submit(Change(tuple(line("unit/1", seq) for seq in (1, 2, 3)))).result()
    fixed = "record_delete" if "://" not in where else "record_fixed ON record"
    execute(where, f"DROP TRIGGER {fixed}")
    execute(where, "DELETE FROM record WHERE seq = 2")
    with Store.open(where) as store, refuses(FormatError, "damaged", "unit/1"):
        list(store.needed())


def _fact(stream: str, seq: int, body: Body) -> Record:
    return Record(stream, seq, 1_700_000_000_000, "server", "", body)


def test_any_text_comes_back() -> None:
    with Store.open(":memory:") as store:
        streams = (f"unit/{number}" for number in count(1))

        @given(text=texts)
        def comes_back(text: str) -> None:
            stream = next(streams)
            store.submit(Change((line(stream, 1, text=text),))).result()
            [record] = store.stream(stream)
            assert record.body == Utterance(agent="user", text=text)

        comes_back()


def test_a_nul_in_a_text(store: Store) -> None:
    record = line("unit/1", 1, text="a\0b")
    store.submit(Change((record,))).result()
    assert list(store.records()) == [record]


def test_the_log_only_grows(where: str) -> None:
    with Store.open(where) as store:
        store.submit(said("unit/1", 1)).result()
    for sql in ("UPDATE record SET body = ''", "DELETE FROM record"):
        with pytest.raises((sqlite3.IntegrityError, psycopg.IntegrityError), match="only grows"):
            execute(where, sql)
    with Store.open(where, readonly=True) as store:
        assert list(store.records()) == [line("unit/1", 1)]


# --- groups ---------------------------------------------------------------------------------------


def test_what_waits_is_written_together(store: Store, gate: Gate) -> None:
    resolved: list[Future[None]] = []
    futures = together(store, gate, [said("unit/1", seq) for seq in range(1, 101)])
    for future in futures:
        future.add_done_callback(resolved.append)
    assert outcomes(futures) == [None] * 100
    assert gate.groups == 2
    assert [record.seq for record in store.records()] == list(range(1, 101))
    store.submit(Change()).result()  # so that every callback has been called
    assert resolved == futures


def test_interleaved_submitters(store: Store) -> None:
    """Streams of their own, and one that all share: no gap, nothing doubled, nothing lost."""
    shared, turn = itertools.count(1), threading.Lock()
    futures: list[Future[None]] = []

    def work(number: int) -> None:
        for seq in range(1, 51):
            with turn:  # as the server's event loop takes turns
                both = line(f"unit/{number}", seq), line("study", next(shared))
                futures.append(store.submit(Change(both)))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes(futures) == [None] * 400
    counts: Counter[str] = Counter()
    for record in store.records():
        counts[record.stream] += 1
        assert record.seq == counts[record.stream]
    assert counts == Counter({"study": 400} | {f"unit/{number}": 50 for number in range(8)})


def test_only_the_change_that_breaks_a_constraint_fails(store: Store, gate: Gate) -> None:
    store.submit(said("unit/1", 1, "c-1")).result()
    again = Change((line("unit/2", 1), line("unit/1", 2, client="c-1")))  # a message sent twice
    futures = together(store, gate, [said("unit/3", 1), again, said("unit/4", 1)])
    assert outcomes(futures) == [None, Conflict, None]
    error = futures[1].exception()
    assert isinstance(error, Conflict)
    assert error.change is again
    assert "\n" not in str(error)
    assert [r.stream for r in store.records()] == ["unit/1", "unit/3", "unit/4"]


def test_what_builds_on_a_change_that_failed_fails(store: Store, gate: Gate) -> None:
    changes = [said("unit/1", 2), said("unit/1", 3), said("unit/1", 1), said("unit/1", 2)]
    assert outcomes(together(store, gate, changes)) == [Conflict, Conflict, None, None]
    assert [r.seq for r in store.records()] == [1, 2]


def test_a_body_that_is_no_json_fails_alone(store: Store, gate: Gate) -> None:
    half = Change((line("unit/1", 1, text="\ud800"),))
    futures = together(store, gate, [said("unit/2", 1), half, said("unit/3", 1)])
    assert outcomes(futures) == [None, UnicodeEncodeError, None]
    assert [r.stream for r in store.records()] == ["unit/2", "unit/3"]


def test_a_submitted_change_cannot_be_cancelled(store: Store) -> None:
    future = store.submit(said("unit/1", 1))
    assert not future.cancel()
    future.result()


def test_closing_writes_what_was_submitted(where: str, gate: Gate) -> None:
    store = Store.open(where)
    store.reached = gate
    with gate.shut():
        futures = [store.submit(said("unit/1", seq)) for seq in range(1, 21)]
        closing = threading.Thread(target=store.close)
        closing.start()
    closing.join()
    assert outcomes(futures) == [None] * 20
    assert outcomes([store.submit(said("unit/1", 21))]) == [StoreFailed]
    with pytest.raises(StoreFailed):
        store.recover()
    with Store.open(where, readonly=True) as store:
        assert len(list(store.records())) == 20


def test_in_memory_one_connection_serves_all_threads() -> None:
    with Store.open(":memory:") as store:
        futures = []
        for seq in range(1, 200):
            futures.append(store.submit(said("unit/1", seq)))
            list(store.records())  # in the midst of the writer's transactions
        assert outcomes(futures) == [None] * 199
        assert len(store.stream("unit/1")) == 199


# --- claims ---------------------------------------------------------------------------------------


def seat(room: int, role: str, assignment: int, worker: str) -> Seat:
    return Seat(unit=room, role=role, assignment=assignment, worker=worker)


def lease(scenario: str, number: int, room: int) -> Lease:
    return Lease(item=scenario, number=number, unit=room)


LEFT = SeatLeft(unit=1, role="user")


@pytest.mark.parametrize(
    ("claim", "other", "fine"),
    [
        (seat(1, "user", 1, "a"), seat(1, "user", 2, "b"), False),  # the seat is taken
        (seat(1, "user", 1, "a"), seat(1, "wizard", 1, "b"), False),  # an assignment has one
        (seat(1, "user", 1, "a"), seat(1, "wizard", 2, "a"), False),  # paired with themselves
        (seat(1, "user", 1, "a"), seat(2, "user", 2, "a"), False),  # in two rooms
        (seat(1, "user", 1, "a"), seat(1, "wizard", 2, "b"), True),
        (lease("s", 1, 1), lease("s", 1, 2), False),
        (lease("s", 1, 1), lease("s", 2, 2), True),
        (Given(worker="a", digest="t"), Given(worker="a", digest="t"), False),
        (Given(worker="a", digest="t"), Given(worker="b", digest="t"), True),
        (Code(code="x", assignment=1), Code(code="x", assignment=2), False),
        (Code(code="x", assignment=1), Code(code="y", assignment=1), False),
        (Code(code="x", assignment=1), Code(code="y", assignment=2), True),
        (Paid(key="k", worker="a", cents=1), Paid(key="k", worker="a", cents=1), False),
        (Paid(key="k", worker="a", cents=1), Paid(key="l", worker="a", cents=0), True),
        (Paid(key="k", worker="a", cents=1), Paid(key="l", worker="a", cents=-1), False),
        (LinkUsed(nonce="n", assignment=1), LinkUsed(nonce="n", assignment=2), False),
        (LinkUsed(nonce="n", assignment=1), LinkUsed(nonce="m", assignment=1), True),
    ],
)
def test_claims(store: Store, claim: Claim, other: Claim, fine: bool) -> None:
    store.submit(claims(claim)).result()
    change = Change((line("unit/1", 1),), (other,))
    assert outcomes([store.submit(change)]) == [None if fine else Conflict]
    assert len(list(store.records())) == fine


def test_who_left_may_sit_elsewhere(store: Store) -> None:
    moved = claims(seat(1, "user", 1, "a"), LEFT, seat(2, "user", 1, "a"))
    back = claims(seat(1, "user", 1, "a"))  # the seat itself is not given again
    futures = [store.submit(change) for change in (moved, claims(LEFT), back)]
    assert outcomes(futures) == [None, None, Conflict]


def test_a_released_scenario_is_given_again(store: Store) -> None:
    release = LeaseReleased(item="s", number=1)
    changes = [
        claims(lease("s", 1, 1), release, release),
        claims(lease("s", 1, 2)),
        claims(lease("s", 1, 3)),
    ]
    assert outcomes([store.submit(change) for change in changes]) == [None, None, Conflict]


few = st.integers(1, 3)
workers = st.sampled_from("abc")
any_claim = st.one_of(
    st.builds(seat, few, st.sampled_from(["user", "wizard"]), few, workers),
    st.builds(SeatLeft, unit=few, role=st.sampled_from(["user", "wizard"])),
    st.builds(lease, st.just("s"), few, few),
    st.builds(LeaseReleased, item=st.just("s"), number=few),
    st.builds(Given, worker=workers, digest=st.sampled_from("tu")),
    st.builds(Code, code=st.sampled_from("xyz"), assignment=few),
)
any_record = st.builds(
    lambda stream, seq, client: line(f"unit/{stream}", seq, client=client),
    *(few, few, st.sampled_from(["", "", "c-1", "c-2"])),
)
any_change = st.builds(
    lambda records, claims: Change(tuple(records), tuple(claims)),
    *(st.lists(any_record, max_size=3), st.lists(any_claim, max_size=3)),
)


@settings(max_examples=40)
@given(changes=st.lists(any_change, max_size=8))
def test_a_group_is_as_one_after_the_other(changes: list[Change]) -> None:
    """What a group writes and refuses is what changes written one by one would."""
    gate = Gate()
    with Store.open(":memory:") as grouped, Store.open(":memory:") as single:
        grouped.reached = gate
        ours = outcomes(together(grouped, gate, changes))
        assert ours == [outcomes([single.submit(change)])[0] for change in changes]
        records = list(grouped.records())
        assert records == list(single.records())
    survivors = [r for c, error in zip(changes, ours, strict=True) if not error for r in c.records]
    assert records == survivors
    for stream in {record.stream for record in records}:
        numbers = [record.seq for record in records if record.stream == stream]
        assert numbers == list(range(1, len(numbers) + 1))
