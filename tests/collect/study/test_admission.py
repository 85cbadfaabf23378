"""Who is let in: as many as there are seats for, and nobody who was let in is sent away."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import pytest

from dialoom.collect.kinds.room.messages import Accomplish, Say
from dialoom.collect.log.record import RoomRole
from dialoom.collect.message import Consent, Leave, Ready, Refused
from tests.collect.studied import Played


def admitted(
    played: Played, many: int, role: RoomRole | None = None, first: str = "w"
) -> list[int]:
    """Let as many of some people in as come in; they do nothing yet."""
    numbers = []
    for number in range(many):
        try:
            numbers.append(played.enter(f"{first}{number}", role))
        except Refused as refused:
            assert refused.code == "full"
    return numbers


@pytest.mark.parametrize(
    ("changes", "seats"),
    [
        ({"scenarios": 1}, 2),
        ({"scenarios": 2, "target": 2}, 8),
        ({"scenarios": 1, "spare": 1}, 4),
        ({"scenarios": 1, "stages": "star"}, 2),
    ],
)
def test_as_many_come_in_as_there_are_seats(changes: dict[str, Any], seats: int) -> None:
    played = Played(**changes)
    assert len(admitted(played, 12)) == seats


def test_each_role_has_its_own_seats() -> None:
    played = Played(scenarios=2)
    assert len(admitted(played, 9, "user", "u")) == 2
    assert len(admitted(played, 9, "wizard", "v")) == 2
    assert not admitted(played, 9)


def test_who_may_play_either_role_takes_a_seat_of_either() -> None:
    played = Played(scenarios=2)
    assert len(admitted(played, 1, "user", "u")) == 1
    assert len(admitted(played, 2)) == 2
    assert len(admitted(played, 9, "user", "v")) == 1
    assert not admitted(played, 9, "wizard", "x")


def test_only_the_pool_has_wizards_seats() -> None:
    played = Played(scenarios=2, wizards=("t0",))
    assert len(admitted(played, 9)) == 2
    assert len(admitted(played, 1, "wizard", "t")) == 1


def test_who_gives_up_leaves_a_seat_to_another() -> None:
    played = Played(scenarios=1)
    one, _ = admitted(played, 4)
    played.send(one, Leave())
    assert len(admitted(played, 4, first="x")) == 1


def test_who_is_gone_for_longer_than_the_grace_keeps_nobody_out_and_may_come_back() -> None:
    played = Played(scenarios=1)
    one, other = admitted(played, 2)
    played.take(played.study.disconnected(one, played.now))
    played.tick(40)
    assert not admitted(played, 2, first="x")
    played.tick(30)
    assert len(admitted(played, 2, first="y")) == 1
    played.take(played.study.connected(one, played.now))
    for number in (one, other):
        played.send(number, Consent())
        played.send(number, Ready())
    assert played.step(one) == played.step(other) == "room"


def test_rooms_under_way_have_their_seats_until_they_die() -> None:
    played = Played(scenarios=1)
    played.ready("w1", "user")
    played.ready("w2", "wizard")
    assert not admitted(played, 3, first="x")
    user, wizard = played.seats()
    played.send(user, Leave())  # the survivor waits again, and one seat is free
    assert played.step(wizard) == "waiting"
    assert not admitted(played, 3, "wizard", "x")
    assert len(admitted(played, 3, "user", "y")) == 1


def test_all_who_were_let_in_finish_or_are_paid_when_nothing_is_left() -> None:
    played = Played(scenarios=1, spare=1)
    people = admitted(played, 9)
    for number in people:
        played.send(number, Consent())
        played.send(number, Ready())
    user, wizard = played.seats()
    for number in cycle((user, wizard)):
        if played.state(user)["room"]["can_accomplish"]:
            break
        played.send(number, Say("Well."))
    played.send(user, Accomplish())
    played.fill(user)
    played.fill(wizard)
    played.tick(601)
    outcomes = {played.study.assignment(number).outcome for number in people}
    assert outcomes == {"completed", "waited"}
    for number in set(people) - {user, wizard}:
        assert played.state(number)["done"]["cents"] > 0


def test_a_tutorial_leads_to_seats() -> None:
    """Who is in a tutorial is counted; once they passed, their seat is there."""
    played = Played(scenarios=1, stages="star")
    one, other = (played.ready_for_quiz(name) for name in ("w1", "w2"))
    assert not admitted(played, 2, first="x")
    for name, number in (("w1", one), ("w2", other)):
        played.quiz(number)
        done = played.state(number)["done"]
        assert (done["outcome"], done["next"]) == ("completed", "single")
        assert played.study.assignment(played.ready(name)).stage == "single"
    assert len(played.study.units) == 1


def test_the_page_offers_another_dialogue_only_where_one_would_be_let_in() -> None:
    played = Played(scenarios=2)
    one, other = played.dialogue("w1", "w2")
    assert played.state(one)["done"]["next"] == "single"
    admitted(played, 2, first="x")
    done = played.state(other)["done"]
    assert (done["next"], done["next_reason"]) == (None, "full")


def test_scenarios_are_offered_no_further_than_there_are_people_for_them() -> None:
    played = Played(scenarios=12)
    admitted(played, 3)
    assert played.study.state.pool.offered.total() == 2


def test_programs_take_nobodys_seat() -> None:
    played = Played(scenarios=1)
    played.enter("bot:1", "wizard")
    assert len(admitted(played, 9)) == 2


def test_who_has_read_all_texts_there_are_keeps_nobody_out() -> None:
    played = Played(scenarios=1)
    user, wizard = played.ready("w1", "user"), played.ready("w2", "wizard")
    played.send(user, Say("Hello."))
    played.send(wizard, Leave())
    assert played.state(user)["step"] == "waiting"
    assert len(admitted(played, 2, "user", "new")) == 1


def test_who_joins_and_never_connects_keeps_nobody_out_for_long() -> None:
    played = Played(scenarios=1)
    for worker, role in (("w1", "user"), ("w2", "wizard")):
        _, change = played.study.enter(worker, played.now, role=role)
        played.take(change)
    assert not admitted(played, 1, "user", "late")
    played.tick(10)
    assert len(admitted(played, 1, "user", "late")) == 1
    here = played.enter("w3", "wizard")
    played.take(played.study.disconnected(here, played.now))
    played.tick(20)  # a connection that was there has the whole grace to come back
    assert not admitted(played, 1, "wizard", "later")
