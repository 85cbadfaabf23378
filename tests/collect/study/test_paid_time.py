"""Pay counts only time in which the server ran and the person was connected."""

from __future__ import annotations

import pytest

from dialoom.collect.kinds.room.messages import Say
from dialoom.collect.log.change import Paid
from dialoom.collect.log.facts import BEAT, Served
from dialoom.collect.message import Envelope, Leave
from dialoom.collect.settings import Pay, Stage
from dialoom.collect.study.presence import overlap
from tests.collect.documents import Documents
from tests.collect.studied import SECOND, Played

HOUR = 3600 * SECOND


def _cents(played: Played) -> dict[str, int]:
    """Return worker to the cents booked for them."""
    paid = [claim for claim in played.claims if isinstance(claim, Paid)]
    return {claim.worker: claim.cents for claim in paid}


def _restart(played: Played, away: int) -> None:
    """Let the server crash, and start again after `away` ms with the same log."""
    played.study = played.replayed()
    played.now += away


def _served(played: Played) -> list[Served]:
    return [record.body for record in played.log if isinstance(record.body, Served)]


def _disconnect(played: Played, *numbers: int) -> None:
    for number in numbers:
        played.take(played.study.disconnected(number, played.now))


def _connect(played: Played, *numbers: int) -> None:
    for number in numbers:
        played.take(played.study.connected(number, played.now))


@pytest.mark.parametrize("come_back", [True, False])
def test_a_wait_is_not_paid_while_the_server_is_down(come_back: bool) -> None:
    played = Played(wizards=("w9",))
    waiters = [played.ready(worker) for worker in ("w1", "w2", "w3")]
    played.tick(2)
    _restart(played, 8 * HOUR)
    if come_back:
        _connect(played, *waiters)
    else:
        played.tick(605)  # nobody comes back, and all waits end
    for number in waiters if come_back else ():
        played.send(number, Leave())
    assert all(played.study.assignment(number).outcome for number in waiters)
    assert max(_cents(played).values(), default=0) <= 15 * 20 // 60


def test_a_crash_takes_no_more_than_a_beat_from_a_wait() -> None:
    played = Played()
    one = played.ready("w1")
    played.tick(130)
    _restart(played, 8 * HOUR)
    _connect(played, one)
    played.tick(60)
    played.send(one, Leave())
    assert 15 * (190 * SECOND - BEAT) // 60_000 <= _cents(played)["w1"] <= 15 * 195 // 60


@pytest.mark.parametrize("away", [130 * SECOND, 3 * HOUR])
@pytest.mark.parametrize("first", ["message", "tick", "another message", "connection"])
def test_a_stopped_process_or_a_jump_of_the_clock_is_no_time(away: int, first: str) -> None:
    played = Played(wizards=("w9",))
    one, other = played.ready("w1"), played.ready("w2")
    played.tick(60)
    played.now += away
    if first == "tick":
        played.tick()
    elif first == "another message":
        played.send(other, Leave())
    elif first == "connection":
        _disconnect(played, other)
    played.send(one, Leave())
    assert 15 <= _cents(played)["w1"] <= 17
    [(start, end)] = [period for served in _served(played) for period in served.absent]
    assert away <= end - start <= away + 2 * SECOND


def test_short_steps_are_time() -> None:
    played = Played()
    one = played.ready("w1")
    for _ in range(30):
        played.now += 3 * SECOND
        played.tick()
    played.send(one, Leave())
    assert _cents(played) == {"w1": 30}
    assert set(_served(played)) == {Served()}


def test_a_wait_is_not_paid_while_the_person_is_away() -> None:
    played = Played()
    one = played.ready("w1")
    played.tick(60)
    _disconnect(played, one)
    played.tick(300)
    _connect(played, one)
    played.tick(60)
    assert played.state(one)["waiting"]["cents"] in (30, 31)
    played.send(one, Leave())
    assert _cents(played)["w1"] in (30, 31)


def test_a_replay_includes_absences_before_the_crash() -> None:
    played = Played()
    one, other = played.ready("w1", "user"), played.ready("w2", "user")
    played.tick(60)
    _disconnect(played, one)
    played.tick(300)
    _restart(played, HOUR)
    _connect(played, one, other)
    for number in (one, other):
        played.send(number, Leave())
    assert _cents(played)["w1"] <= 15 * 70 // 60
    assert _cents(played)["w2"] >= 15 * 340 // 60


def test_a_replay_gives_the_same_pay() -> None:
    played = Played()
    one = played.ready("w1")
    played.tick(50)
    played.now += HOUR
    played.tick(50)
    _disconnect(played, one)
    played.tick(50)
    _connect(played, one)
    again = played.replayed()
    _connect(played, one)  # a second passes
    again.connected(one, played.now - SECOND)
    for study in (played.study, again):
        study.handle(one, Envelope("c-leave", 0, Leave()), played.now)
    rows = [study.state.ledger.of(one) for study in (played.study, again)]
    assert rows[0] == rows[1] != ()
    assert 15 * 100 // 60 <= rows[0][0].cents <= 15 * 107 // 60


def test_the_page_counts_from_a_time_without_the_absence() -> None:
    played = Played()
    one = played.ready("w1")
    since = played.state(one)["waiting"]["since"]
    played.tick(10)
    played.now += HOUR
    played.tick()
    moment = played.state(one)["waiting"]["since"]
    assert HOUR <= moment - since <= HOUR + 2 * SECOND


def test_a_part_of_a_dialogue_is_not_paid_while_the_server_is_down() -> None:
    played = Played(pay=Pay(single=100, part=10))
    played.ready("w1"), played.ready("w2")
    user, wizard = played.seats()
    played.tick(3)
    _restart(played, 8 * HOUR)
    _connect(played, user, wizard)
    played.send(user, Say("Hello."))
    played.send(wizard, Leave())
    assert "w2" not in _cents(played)


def test_a_part_of_a_dialogue_brings_no_more_than_the_whole() -> None:
    played = Played(pay=Pay(single=100, part=10))
    played.ready("w1"), played.ready("w2")
    user, wizard = played.seats()
    for turn in range(10):
        played.tick(150)
        played.send((user, wizard)[turn % 2], Say("Well."))
    played.send(user, Leave())
    assert _cents(played) == {"w1": 100}


def test_a_part_of_unpaid_work_brings_nothing() -> None:
    played = Documents(
        Stage(name="write", kind="self_dialogue", tasks=("coffee_ordering",), pay=0),
        pay=Pay(part=10),
    )
    one = played.enter("w1")
    for _ in range(300):
        played.take(played.study.tick(played.now))
    played.send(one, Leave())
    assert not [claim for claim in played.claims if isinstance(claim, Paid)]


def test_the_server_writes_that_it_runs_only_while_somebody_is_there() -> None:
    played = Played()
    one = played.ready("w1")
    played.tick(60)
    beats = len(_served(played))
    assert beats == 60 * SECOND // BEAT or beats == 60 * SECOND // BEAT - 1
    _disconnect(played, one)
    played.tick(60)
    assert len(_served(played)) == beats


def test_overlapping_absences_count_once() -> None:
    periods = [(10, 20), (40, 50), (15, 45), (60, 70)]
    assert overlap(periods, 0, 100) == 50
    assert overlap(periods, 20, 30) == 10
    assert overlap(periods, 50, 60) == 0
    assert overlap(periods, 65, 66) == 1
