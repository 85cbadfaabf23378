from __future__ import annotations

from pathlib import Path

import pytest

from dialoom.collect.kinds.room.messages import Accomplish, Say
from dialoom.collect.log.change import (
    Change,
    Code,
    Given,
    Lease,
    LeaseReleased,
    LinkUsed,
    Paid,
    Seat,
    SeatLeft,
)
from dialoom.collect.log.record import Closed, Departed, Ended, Offered, Record, Started, Tally
from dialoom.collect.log.store import Store
from dialoom.collect.message import Consent, Envelope, Leave, Ready, Refused
from dialoom.collect.study import dashboard, page
from dialoom.errors import UnknownNameError
from tests.collect.studied import Played, Shelf, bodies, library
from tests.make import refuses


def _ended(played: Played, number: int) -> str | None:
    return played.study.assignment(number).outcome


def _refused(played: Played, worker: str, **more: object) -> str:
    with pytest.raises(Refused) as refused:
        played.study.enter(worker, played.now, **more)  # type: ignore[arg-type]
    return refused.value.code


# --- the plain path -----------------------------------------------------------------------------


def test_two_come_in_talk_and_leave_with_their_codes() -> None:
    played = Played()
    one = played.enter("w1")
    assert played.step(one) == "consent"
    assert played.state(one)["consent"]["purpose"] == "Better assistants."
    played.send(one, Consent())
    assert played.state(one)["waiting"]["ready"] is False
    played.send(one, Ready())
    assert played.state(one)["waiting"]["reason"] == "partner"
    other = played.ready("w2")
    assert played.step(one) == played.step(other) == "room"
    assert played.seats() == (one, other)
    played.talk()
    assert played.step(one) == played.step(other) == "questionnaire"
    played.fill(one, comment="Nice.")
    assert played.step(one) == "done" and played.step(other) == "questionnaire"
    assert played.state(other)["questionnaire"]["partner"] == "done"
    played.fill(other)
    done = [played.state(number)["done"] for number in (one, other)]
    assert [view["outcome"] for view in done] == ["completed", "completed"]
    assert len({view["code"] for view in done}) == 2
    assert [view["pending"] for view in done] == [100, 100]  # the first two wait for a review
    assert played.study.units[1].outcome == "Complete"
    view = dashboard.state(played.study, played.now)
    assert view["quota"]["complete"] == 1 and view["rooms"] == []
    assert view["comments"][0]["text"] == "Nice."
    assert view["order"]["tasks"]["restaurant_book"]["dialogues"] == 1


def test_the_claims_of_a_dialogue() -> None:
    played = Played()
    one, other = played.dialogue("w1", "w2")
    kinds = [type(claim) for claim in played.claims]
    assert kinds == [Lease, Given, Seat, Seat, SeatLeft, Code, SeatLeft, Code]
    assert [c.assignment for c in played.claims if isinstance(c, Seat)] == [one, other]
    assert [c.worker for c in played.claims if isinstance(c, Given)] == ["w1"]


def test_the_log_begins_with_the_settings_and_scenarios_come_when_they_are_needed() -> None:
    played = Played()
    assert isinstance(played.log[0].body, Started)
    assert bodies(played.study.start(played.now)) == []
    played.ready("w1", "user")
    offered = [record for record in played.log if isinstance(record.body, Offered)]
    assert len(offered) == 1
    played.ready("w2", "wizard")
    played.ready("w3", "user")
    played.ready("w4", "wizard")
    assert [played.study.units[n].item.id for n in (1, 2)] == ["s1", "s2"]


def test_a_message_sent_again_is_not_carried_out_again() -> None:
    played = Played()
    played.ready("w1")
    played.ready("w2")
    user, wizard = played.seats()
    assert played.send(user, Say("Hi."), client="m-1").records
    assert not played.send(user, Say("Hi."), client="m-1").records
    played.send(wizard, Say("Hello."), client="m-1")  # each client has ids of its own
    assert not played.send(wizard, Say("Hello."), client="m-1").records
    study = played.replayed()
    assert not study.handle(user, Envelope("m-1", 0, Say("Hi.")), played.now).records


def test_only_the_first_record_of_a_message_has_its_id() -> None:
    played = Played()
    played.ready("w1")
    played.ready("w2")
    user, wizard = played.seats()
    played.send(user, Say("Hi."))
    change = played.send(wizard, Say("Hello."), client="m-2")
    assert [record.client for record in change.records] == ["m-2", ""]
    assert bodies(change) == ["Options", "Utterance"]


@pytest.mark.parametrize("message", [Say("Hi."), Accomplish(), Ready()])
def test_what_cannot_be_done_in_a_step_is_refused(message: Say) -> None:
    played = Played()
    assert played.refusal(played.enter("w1"), message) == "not_now"


def test_after_the_end_nothing_is_taken() -> None:
    played = Played()
    one = played.enter("w1")
    played.send(one, Leave())
    assert _ended(played, one) == "left"
    assert played.refusal(one, Consent()) == "over"
    with pytest.raises(Refused):
        played.study.handle(99, Envelope("x", 0, Consent()), played.now)


def test_a_study_whose_language_has_no_quiz_does_not_begin() -> None:
    with refuses(UnknownNameError, "unknown-name", "language of quizzes"):
        Played(stages="star", scenario="mixed", language="tlh")


# --- coming in ----------------------------------------------------------------------------------


def test_a_worker_is_in_the_study_once() -> None:
    played = Played()
    one = played.enter("w1")
    assert _refused(played, "w1") == "already_in"
    played.take(played.study.disconnected(one, played.now))
    again = played.enter("w1")  # the browser before was left behind
    assert again != one and _ended(played, one) == "lost"


def test_an_invite_admits_one() -> None:
    played = Played()
    played.enter("w1", invite="n-1")
    assert [c.nonce for c in played.claims if isinstance(c, LinkUsed)] == ["n-1"]
    assert _refused(played, "w2", invite="n-1") == "link_used"
    with pytest.raises(Refused):
        played.replayed().enter("w3", played.now, invite="n-1")


def test_somebody_unknown_gets_an_id_and_keeps_it() -> None:
    played = Played()
    one, change = played.study.enter(None, played.now)
    played.take(change)
    worker = played.study.assignment(one).worker
    assert worker.startswith("visitor-")
    played.send(one, Leave())
    again, change = played.study.enter(None, played.now, again_of=one)
    played.take(change)
    assert played.study.assignment(again).worker == worker


@pytest.mark.parametrize("worker", ["", "a\x00b", "x" * 201])
def test_strange_ids_are_refused(worker: str) -> None:
    assert _refused(Played(), worker) == "malformed"


def test_only_the_pool_may_play_the_wizard() -> None:
    played = Played(wizards=("w9",))
    assert _refused(played, "w1", role="wizard") == "not_a_wizard"
    one, trained = played.ready("w1"), played.ready("w9")
    assert played.seats() == (one, trained)
    third = played.ready("w3")
    assert played.state(third)["waiting"]["roles"] == ["user"]
    fourth = played.enter("w4")
    played.send(fourth, Consent())
    assert played.refusal(fourth, Ready("wizard")) == "role_closed"


def test_when_all_dialogues_are_there_nobody_new_comes_in_but_all_others_are_paid() -> None:
    played = Played(scenarios=1, spare=1)
    late = played.enter("w3")
    played.dialogue("w1", "w2")
    assert _refused(played, "w4") == "full"
    played.send(late, Consent())
    played.send(late, Ready())
    assert played.state(late)["waiting"]["reason"] == "full"
    played.tick(601)
    assert _ended(played, late) == "waited"
    assert played.state(late)["done"]["cents"] == 150


# --- scenarios ----------------------------------------------------------------------------------


def test_nobody_gets_the_same_texts_twice() -> None:
    played = Played(scenarios=2, target=3)
    for number in range(2):
        played.dialogue("w1", f"p{number}")
    assert {played.study.units[n].item.id for n in (1, 2)} == {"s1", "s2"}
    assert _refused(played, "w1", role="user") == "full"  # there is nothing new to read
    one = played.ready("w1")
    other = played.ready("p2", "wizard")
    assert played.step(one) == played.step(other) == "waiting"
    assert played.state(one)["waiting"]["reason"] == "texts"
    third = played.ready("w3", "user")
    assert played.seats(3) == (third, one)  # who has read all of them may be the wizard
    claims = [c for c in played.claims if isinstance(c, Given)]
    assert len(claims) == len(set(claims))


def test_a_scenario_is_given_out_as_often_as_it_is_wanted_and_again_when_a_room_dies() -> None:
    played = Played(scenarios=1, target=2)
    pairs = [("a", "b"), ("c", "d"), ("e", "f")]
    for user, wizard in pairs:
        if played.study.pairing.find("single", played.now) is not None:
            played.ready(user, "user")
            played.ready(wizard, "wizard")
    leases = [c for c in played.claims if isinstance(c, Lease)]
    assert [(c.item, c.number) for c in leases] == [("s1", 1), ("s1", 2)]
    left, survivor = played.seats(1)
    played.send(left, Leave())
    assert LeaseReleased(item="s1", number=1) in played.claims
    assert _ended(played, left) == "left"
    third = played.ready("g", "user")
    assert played.seats(3) == (third, survivor)
    assert [c.number for c in played.claims if isinstance(c, Lease)] == [1, 2, 1]


def test_after_a_restart_scenarios_come_from_the_log() -> None:
    played = Played(scenarios=3)
    played.dialogue("w1", "w2")
    shelf = played.shelf
    assert isinstance(shelf, Shelf)
    shelf.asked = 0
    played.study = played.replayed()
    assert shelf.asked == 0
    played.dialogue("w3", "w4")
    assert played.study.units[2].item.id == "s2"
    assert len({r.body.item["id"] for r in played.log if isinstance(r.body, Offered)}) == 2


def test_what_was_offered_on_the_way_to_a_refusal_is_written_with_the_next_change() -> None:
    catalogue, _ = library("mixed")
    several = tuple(scenario for scenario in catalogue.made if scenario.kind == "multi")
    played = Played(Shelf(several, catalogue.tasks), stages="star", scenario="mixed")
    assert _refused(played, "w1") == "full"  # all were offered in search of one for stage I
    change = played.take(played.study.grant("w1", "multi", played.now))
    assert bodies(change) == ["Offered"] * len(several) + ["Qualified"]
    assert played.replayed().state.records == played.study.state.records


def test_a_pair_is_made_only_so_often() -> None:
    played = Played(pair_cap=2)
    for _ in range(2):
        played.dialogue("w1", "w2")
    one, other = played.ready("w1", "user"), played.ready("w2", "wizard")
    assert played.state(one)["waiting"]["reason"] == "pair_cap"
    assert played.step(other) == "waiting"


def test_roles_are_balanced() -> None:
    played = Played()
    played.dialogue("w1", "w2")
    one, other = played.ready("w1"), played.ready("w2")
    assert played.seats(2) == (other, one)


# --- the admin ----------------------------------------------------------------------------------


def test_the_admin_ends_a_room_and_both_are_paid_for_their_time() -> None:
    played = Played()
    one, other = played.ready("w1"), played.ready("w2")
    played.tick(120)
    change = played.take(played.study.end_unit(1, played.now))
    assert {_ended(played, one), _ended(played, other)} == {"ended"}
    assert played.state(other)["done"]["cents"] == 30
    kinds = [type(record.body) for record in change.records]
    assert kinds.count(Departed) == kinds.count(Ended) == 2 and kinds.count(Closed) == 1
    with pytest.raises(Refused):
        played.study.end_unit(1, played.now)


def test_the_admin_ends_somebody_who_waits() -> None:
    played = Played()
    one = played.ready("w1")
    played.take(played.study.end(one, played.now))
    assert _ended(played, one) == "ended"
    with pytest.raises(Refused):
        played.study.end(one, played.now)


def test_the_dashboard_shows_what_nobody_checked() -> None:
    rows = dashboard.state(Played(country="US", approved=100).study, 0)["unchecked"]
    assert [(row["what"], row["checked"]) for row in rows] == [
        ("approval", False),
        ("approved", False),
        ("country", False),
    ]


def test_a_debriefing_is_needed_after_an_automated_wizard() -> None:
    played = Played(present_wizard_as="automated", debriefing="It was a person.")
    user, wizard = played.dialogue("w1", "w2")
    assert played.state(user)["done"]["debriefing"] == "It was a person."
    assert played.state(wizard)["done"]["debriefing"] is None
    alone = played.ready("w3", "user")  # was told of it, and waits in vain
    played.send(alone, Leave())
    assert played.state(alone)["done"]["debriefing"] == "It was a person."


# --- replay -------------------------------------------------------------------------------------


def test_the_log_gives_the_same_study() -> None:
    played = Played(scenarios=3)
    played.dialogue("w1", "w2")
    played.ready("w3")
    played.ready("w4")
    played.send(played.seats(2)[0], Say("Hi."))
    again = played.replayed()
    for number in played.study.state.live:
        again.presence.connect(number)
    again.presence.tick(played.now)
    played.study.presence.tick(played.now)
    for number in played.study.state.assignments:
        assert page.state(again, number, played.now) == page.state(played.study, number, played.now)
    assert dashboard.state(again, played.now) == dashboard.state(played.study, played.now)


def test_what_was_sent_in_a_room_that_is_over_is_known_as_long_as_its_people_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dialoom.collect.log.reader.RECENT", 0)
    played = Played()
    user, wizard = played.ready("w1", "user"), played.ready("w2", "wizard")
    played.send(user, Say("Hi there."), "mine-1")
    played.take(played.study.disconnected(user, played.now))  # before it is acknowledged
    played.send(wizard, Leave())
    other = played.ready("w3", "wizard")
    study = played.fresh()
    with Store.open(tmp_path / "study.sqlite") as store:
        store.submit(Change(tuple(played.log), tuple(played.claims))).result()
        for record in store.needed():
            study.state.apply(record, passed=True)
    for number in (other, user):
        study.connected(number, played.now)
    seat = study.seat(user)
    assert seat is not None and (seat[0].number, seat[1]) == (2, "user")
    assert study.handle(user, Envelope("mine-1", 0, Say("Hi there.")), played.now) == Change()


def test_a_log_with_a_gap_is_damaged() -> None:
    played = Played()
    played.enter("w1")
    study = played.fresh()
    with pytest.raises(ValueError, match="not the next one"):
        study.state.apply(Record("study", 2, 0, "server", "", played.log[0].body))
    with pytest.raises(ValueError, match="begins with"):
        study.state.apply(
            Record("unit/7", 1, 0, "server", "", Closed(outcome="Complete", tally=Tally()))
        )


def test_a_program_takes_any_seat_that_is_left_and_is_not_paid() -> None:
    played = Played()
    bot = played.ready("bot:1", "wizard")
    second = played.ready("bot:2", "user")
    played.tick(3700)
    assert played.step(bot) == played.step(second) == "waiting"
    one = played.ready("w1")
    assert played.seats() == (one, bot)
    played.talk()
    for number in (one, bot):
        played.fill(number)
    assert all(claim.worker == "w1" for claim in played.claims if isinstance(claim, Paid))
    assert [row["worker"] for row in dashboard.state(played.study, 0)["queue"]] == ["w1"]


def test_codes_are_the_recruiters_where_there_are_some() -> None:
    played = Played(codes={"completed": "C1AB2", "screened_out": "NOPE"})
    one, other = played.dialogue("w1", "w2")
    assert [played.state(number)["done"]["code"] for number in (one, other)] == ["C1AB2"] * 2
    late = played.enter("w3")
    played.send(late, Leave())
    assert played.state(late)["done"]["code"] == played.study.assignment(late).code
