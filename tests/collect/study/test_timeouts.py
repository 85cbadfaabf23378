"""Partners who are lost, waits that come to nothing, and the server's own absence."""

from __future__ import annotations

from dialoom.collect.kinds.room.messages import Say
from dialoom.collect.log.change import LeaseReleased, Paid
from dialoom.collect.message import Leave
from dialoom.collect.settings import Times
from dialoom.collect.study import dashboard
from tests.collect.studied import SECOND, Played, bodies


def _ended(played: Played, number: int) -> str | None:
    return played.study.assignment(number).outcome


# --- losing partners ----------------------------------------------------------------------------


def test_who_lost_their_partner_keeps_their_assignment_and_goes_first() -> None:
    played = Played()
    first = played.ready("w0", "wizard")
    one = played.ready("w1", "user")
    second = played.ready("w2", "wizard")
    played.send(one, Say("Hi."))
    change = played.send(one, Leave())
    assert bodies(change) == ["Departed", "Closed", "Ended", "Waiting"]
    assert played.study.units[1].outcome == "EarlyDisconnectDuringDialogue"
    assert played.step(first) == "waiting" and played.state(first)["waiting"]["first"]
    newcomer = played.ready("w3", "user")
    assert played.seats(2) == (newcomer, first)
    assert played.step(second) == "waiting"


def test_a_lost_connection_has_a_grace_to_come_back() -> None:
    played = Played()
    played.ready("w1")
    played.ready("w2")
    played.tick()
    user, wizard = played.seats()
    moment = played.now
    played.take(played.study.disconnected(user, moment))
    room = played.state(wizard)["room"]
    assert (room["partner"], room["partner_until"]) == ("away", moment + 60 * SECOND)
    played.tick(30)
    played.take(played.study.connected(user, played.now))
    played.tick(60)
    assert played.step(user) == "room" and played.state(wizard)["room"]["partner"] == "here"
    played.take(played.study.disconnected(user, played.now))
    played.tick(62)
    assert _ended(played, user) == "lost"
    assert played.step(wizard) == "waiting"


def test_when_both_are_lost_both_end() -> None:
    played = Played()
    one, other = played.ready("w1"), played.ready("w2")
    played.tick()
    for number in (one, other):
        played.take(played.study.disconnected(number, played.now))
    played.tick(63)
    assert _ended(played, one) == "lost" and played.step(other) == "waiting"
    played.tick(600)
    assert _ended(played, other) == "lost"


def test_whose_turn_it_is_loses_the_seat_for_idleness() -> None:
    played = Played()
    played.ready("w1")
    played.ready("w2")
    played.tick()
    user, wizard = played.seats()
    played.tick(95)
    ((warned, since, until),) = played.study.timeouts.idle_warnings(played.now)
    assert warned == user and until == since + 300 * SECOND
    played.tick(210)
    assert _ended(played, user) == "idle" and played.step(wizard) == "waiting"


def test_who_does_not_fill_in_the_questionnaire_loses_only_their_own_part() -> None:
    played = Played()
    played.ready("w1")
    played.ready("w2")
    played.tick()
    user, wizard = played.seats()
    played.talk()
    played.fill(user)
    played.tick()
    played.take(played.study.disconnected(wizard, played.now))
    played.tick(310)
    assert _ended(played, user) == "completed" and _ended(played, wizard) == "lost"
    assert played.study.units[1].outcome == "DisconnectDuringQuestionnaire"
    released = [c for c in played.claims if isinstance(c, LeaseReleased)]
    assert len(released) == 1


def test_a_person_left_with_the_questionnaire_is_informed_and_done_when_they_answered() -> None:
    played = Played()
    played.ready("w1")
    played.ready("w2")
    user, wizard = played.seats()
    played.talk()
    played.send(wizard, Leave())
    assert played.state(user)["questionnaire"]["partner"] == "gone"
    played.fill(user)
    assert _ended(played, user) == "completed"
    assert played.study.units[1].outcome == "DisconnectDuringQuestionnaire"


# --- waiting, and the server's own absence ------------------------------------------------------


def test_waiting_in_vain_is_paid() -> None:
    played = Played()
    one = played.ready("w1")
    played.tick(601)
    assert _ended(played, one) == "waited"
    (claim,) = (c for c in played.claims if isinstance(c, Paid))
    assert claim == Paid(key=f"wait/{one}", worker="w1", cents=150)


def test_who_leaves_the_waiting_room_is_paid_so_far() -> None:
    played = Played()
    one = played.ready("w1")
    played.tick(120)
    cents = played.state(one)["waiting"]["cents"]
    played.send(one, Leave())
    assert played.state(one)["done"]["cents"] == cents == 30
    assert _ended(played, one) == "waited"


def test_who_lost_a_partner_and_waits_in_vain_is_paid_for_all_of_it() -> None:
    played = Played()
    played.ready("w1")
    played.ready("w2")
    user, wizard = played.seats()
    played.tick(240)
    played.send(user, Leave())
    played.tick(602)
    assert _ended(played, wizard) == "partner_lost"
    assert played.state(wizard)["done"]["cents"] >= 15 * 14


def test_who_is_not_connected_is_not_paired_and_not_paid_for_being_away() -> None:
    played = Played()
    one = played.ready("w1")
    played.tick(10)
    played.take(played.study.disconnected(one, played.now))
    other = played.ready("w2")
    assert played.step(other) == "waiting"
    waiting = dashboard.state(played.study, played.now)["waiting"]
    assert [row["reason"] for row in waiting] == ["away", "partner"]
    played.tick(602)
    assert _ended(played, one) == "lost"
    assert played.state(one)["done"]["cents"] < 15
    played.take(played.study.connected(other, played.now))


def test_coming_back_pairs() -> None:
    played = Played()
    one = played.ready("w1")
    played.take(played.study.disconnected(one, played.now))
    other = played.ready("w2")
    played.take(played.study.connected(one, played.now))
    assert played.step(one) == played.step(other) == "room"


def test_the_server_s_own_absence_costs_nobody_their_seat() -> None:
    played = Played()
    played.ready("w1")
    played.ready("w2")
    third = played.ready("w3")
    played.tick()
    user, wizard = played.seats()
    played.study = played.replayed()
    played.now += 3600 * SECOND
    played.tick(30)
    assert played.step(user) == played.step(wizard) == "room"
    for number in (user, wizard, third):
        played.take(played.study.connected(number, played.now))
    played.tick(200)
    assert played.step(user) == "room" and played.step(third) == "waiting"
    played.now += 3600 * SECOND  # the process was stopped
    played.tick(200)
    assert played.step(user) == "room" and played.step(third) == "waiting"
    played.tick(110)
    assert _ended(played, user) == "idle"


def test_who_answers_first_after_the_server_s_absence_takes_no_time_from_the_other() -> None:
    played = Played()
    played.ready("w1")
    played.ready("w2")
    user, wizard = played.seats()
    played.talk()
    played.study = played.replayed()
    played.now += 3600 * SECOND
    for number in (user, wizard):
        played.take(played.study.connected(number, played.now))
    played.tick()
    played.fill(user)
    played.tick(200)
    assert played.step(wizard) == "questionnaire"
    assert played.state(wizard)["questionnaire"]["until"] > played.now
    played.tick(110)
    assert _ended(played, wizard) == "idle"


def test_a_server_that_was_stopped_for_longer_than_the_grace_takes_no_seat() -> None:
    played = Played(times=Times(idle_warning=3, idle=4, grace=2, wait=4))
    played.ready("w1")
    played.ready("w2")
    third = played.ready("w3")
    played.tick()
    user, wizard = played.seats()
    played.take(played.study.disconnected(user, played.now))
    played.now += 6 * SECOND  # nobody could come back meanwhile
    played.tick()
    steps = [played.step(number) for number in (user, wizard, third)]
    assert steps == ["room", "room", "waiting"]
    played.tick(2)
    assert _ended(played, user) == "lost"


def test_who_never_begins_is_ended() -> None:
    played = Played()
    one = played.enter("w1")
    played.tick(3602)
    assert _ended(played, one) == "idle"
