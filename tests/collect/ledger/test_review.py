from __future__ import annotations

from typing import Any

import pytest

from dialoom.collect.kinds.room.messages import Say, SwitchTask
from dialoom.collect.ledger.review import Funnel
from dialoom.collect.log.change import Paid
from dialoom.collect.log.record import Answered
from dialoom.collect.message import Refused
from dialoom.collect.settings import Pay, Stage
from dialoom.collect.study import administration, dashboard
from tests.collect.studied import Played


def test_the_paper_s_funnel() -> None:
    funnel = Funnel()
    for number in range(210):
        funnel.mark(f"w{number}", "single_tutorial", "attempted")
    for number in range(162):
        funnel.mark(f"w{number}", "single_tutorial", "passed")
    row = funnel.rows(["single_tutorial"])[0]
    assert (row["attempted"], row["passed"], row["passed_share"]) == (210, 162, 0.7714)


def test_workers_are_counted_once_and_programs_not() -> None:
    funnel = Funnel()
    for worker in ("w1", "w1", "bot:1"):
        funnel.mark(worker, "single", "entered")
    assert funnel.rows(["single"])[0]["entered"] == 1
    assert funnel.rows(["single"])[0]["passed_share"] is None


def test_who_was_never_in_a_stage_does_not_go_on_from_it() -> None:
    funnel = Funnel()
    funnel.go_on("w1", "single_tutorial")
    assert funnel.rows(["single_tutorial"])[0]["went_on"] == 0
    funnel.mark("w1", "single_tutorial", "entered")
    funnel.go_on("w1", "single_tutorial")
    assert funnel.rows(["single_tutorial"])[0]["went_on"] == 1


def test_a_study_s_funnel() -> None:
    played = Played(stages="star", scenario="mixed")
    passed, failed = played.ready_for_quiz("w1"), played.ready_for_quiz("w2")
    played.enter("w3")
    played.quiz(passed)
    played.quiz(failed, wrong=7)
    rows = {row["stage"]: row for row in dashboard.state(played.study, 0)["funnel"]}
    first = rows["single_tutorial"]
    counts = [first[mark] for mark in ("entered", "attempted", "passed", "went_on")]
    assert counts == [3, 2, 1, 1]
    assert list(rows) == ["single_tutorial", "single", "multi_tutorial", "multi"]
    assert dashboard.state(played.replayed(), 0)["funnel"] == list(rows.values())


def _review(played: Played, number: int, accepted: bool = True, **more: Any) -> str | None:
    try:
        change = administration.review(played.study, number, played.now, accepted=accepted, **more)
        played.take(change)
    except Refused as refused:
        return refused.code
    return None


def _star() -> Played:
    """A study in which four workers may have dialogues of stage II."""
    played = Played(stages="star", scenario="mixed", target=3)
    for worker in ("w1", "w2"):
        played.take(played.study.grant(worker, "single", played.now))
    return played


def test_the_first_two_dialogues_of_a_stage_wait_and_later_ones_are_paid_at_once() -> None:
    played = Played()
    numbers = [played.dialogue("w1", f"p{n}")[0] for n in range(3)]
    done = [played.state(number)["done"] for number in numbers]
    assert [page["review"] for page in done] == [True, True, False]
    assert [page["cents"] for page in done] == [0, 0, 100]
    queue = dashboard.state(played.study, played.now)["queue"]
    assert [row["assignment"] for row in queue if row["worker"] == "w1"] == numbers[:2]
    assert not [c for c in played.claims if isinstance(c, Paid) and c.worker != "w1"]


def test_what_is_accepted_is_paid_once() -> None:
    played = Played()
    number, _ = played.dialogue("w1", "w2")
    assert _review(played, number, instructions=5, creativity=4) is None
    assert played.state(number)["done"]["cents"] == 100
    assert not played.state(number)["done"]["review"]
    assert _review(played, number) == "reviewed_already"
    assert [c for c in played.claims if isinstance(c, Paid)] == [
        Paid(key=f"pay/{number}", worker="w1", cents=100)
    ]
    (row,) = (r for r in dashboard.state(played.study, 0)["workers"] if r["worker"] == "w1")
    assert (row["instructions"], row["creativity"], row["accepted"]) == (5, 4, 1)


def test_two_accepted_dialogues_grant_the_next_stage() -> None:
    played = _star()
    first, _ = played.dialogue("w1", "w2")
    second, _ = played.dialogue("w1", "w2")
    _review(played, first)
    assert played.state(second)["done"]["next"] == "single"
    _review(played, second)
    assert played.state(second)["done"]["next"] == "multi_tutorial"
    number = played.enter("w1")
    assert played.study.assignment(number).stage == "multi_tutorial"


def test_a_rejection_needs_a_reason_and_ends_the_stage_for_the_worker() -> None:
    played = _star()
    number, other = played.dialogue("w1", "w2")
    assert _review(played, number, accepted=False) == "reason_wanted"
    assert _review(played, number, accepted=False, reason="Said nothing.") is None
    page = played.state(number)["done"]
    assert page["booked"] == [{"kind": "rejection", "cents": 0, "reason": "Said nothing."}]
    assert (page["next"], page["next_reason"]) == (None, "rejected")
    with pytest.raises(Refused) as refused:
        played.study.enter("w1", played.now)
    assert refused.value.code == "rejected"
    assert played.state(other)["done"]["next"] == "single"


def test_what_cannot_be_reviewed_is_refused() -> None:
    played = Played()
    one = played.enter("w1")
    assert _review(played, one) == "unknown"
    number, _ = played.dialogue("w2", "w3")
    assert _review(played, number, instructions=6) == "bad_rating"
    numbers = [played.dialogue("w2", f"p{n}")[0] for n in range(2)]
    assert _review(played, numbers[-1], accepted=False, reason="No.") == "paid_already"
    assert _review(played, numbers[-1], instructions=3) is None


def _ranked(least: int = 2, **changes: Any) -> Played:
    """Two workers who had enough dialogues in both roles, the second one rated better."""
    played = Played(pay=Pay(top_least=least), pair_cap=99, **changes)
    for number in range(4):
        pair = ("w1", "w2") if number % 2 else ("w2", "w1")
        played.dialogue(*pair)
    for number, one in list(played.study.state.reviews.all.items()):
        if one.first:
            rating = 5 if one.worker == "w2" else 3
            _review(played, number, instructions=rating, creativity=rating)
    return played


def test_the_best_get_a_bonus_for_each_dialogue_once_it_is_confirmed() -> None:
    played = _ranked()
    assert played.study.state.reviews.ranking("single", played.settings.pay) == [
        ("w2", 5.0),
        ("w1", 3.0),
    ]
    proposed = administration.proposed(played.study)
    assert {row["worker"] for row in proposed} == {"w2"} and len(proposed) == 4
    assert {row["cents"] for row in proposed} == {40}
    keys = [row["key"] for row in proposed]
    assert not [c for c in played.claims if isinstance(c, Paid) and c.key in keys]
    played.take(administration.confirm_bonuses(played.study, keys, played.now))
    assert [c.key for c in played.claims if isinstance(c, Paid)][-4:] == keys
    assert administration.proposed(played.study) == []
    with pytest.raises(Refused):
        administration.confirm_bonuses(played.study, keys, played.now)
    ledger = dashboard.state(played.study, 0)["ledger"]
    assert ledger["totals"]["bonus"] == {"rows": 4, "cents": 160}


@pytest.mark.parametrize(("own", "cents"), [(None, {40}), (70, set())])
def test_bonuses_of_the_best_follow_the_dialogues_and_not_the_name_of_the_stage(
    own: int | None, cents: set[int]
) -> None:
    played = _ranked(stages=(Stage(name="talk", pay=own),))
    assert {row["cents"] for row in administration.proposed(played.study)} == cents


def test_the_second_evaluation_names_dialogues_to_read_in_each_role() -> None:
    played = _ranked()
    ranking = {row["worker"]: row for row in dashboard.state(played.study, played.now)["ranking"]}
    assert [row["score"] for row in ranking.values()] == [5.0, 3.0]
    for worker, row in ranking.items():
        ones = [played.study.state.reviews.all[number] for number in row["read"]]
        assert ones and all(one.worker == worker and one.review is None for one in ones)


def test_nobody_is_ranked_before_they_had_enough_dialogues_in_each_role() -> None:
    assert administration.proposed(_ranked(least=3).study) == []


def test_what_is_shown_next_to_a_worker() -> None:
    played = Played()
    played.ready("w1")
    played.ready("w2")
    user, wizard = played.seats()
    played.talk()
    played.fill(user, rating=1, comment="Slow.")
    played.fill(wizard)
    rows = {row["worker"]: row for row in dashboard.state(played.study, 0)["workers"]}
    assert rows["w2"]["custom_share"] == 1.0 and rows["w1"]["custom_share"] is None
    assert rows["w2"]["complaints"] == ["Slow.", "1/5"]
    assert rows["w1"]["complaints"] == []
    assert rows["w2"]["median_answer"] == 1.0
    assert rows["w2"]["in_order"] == 1.0
    assert rows["w2"]["dialogues"] == {"user": 0, "wizard": 1}
    answered = [r.body for r in played.log if isinstance(r.body, Answered)]
    assert answered[0].rating == 1


def test_a_dialogue_of_several_tasks_about_one_only_is_flagged() -> None:
    played = Played(scenario="multi")
    played.ready("w1")
    played.ready("w2")
    user, wizard = played.seats()
    tasks = played.state(wizard)["room"]["tasks"]
    played.send(user, Say("Hi."))
    played.send(wizard, SwitchTask(tasks[0]["id"]))
    played.send(wizard, Say("Hello."))
    played.talk()
    for number in (user, wizard):
        played.fill(number)
    assert [row["one_topic"] for row in dashboard.state(played.study, 0)["queue"]] == [True, True]


def test_a_rejection_is_taken_back_by_accepting_after_all() -> None:
    played = Played()
    [one, _] = played.dialogue("w1", "w2")
    assert _review(played, one, accepted=False, reason="Too short.") is None
    assert played.study.state.worker("w1").granted == {"single": False}
    assert _review(played, one, accepted=False, reason="Again.") == "reviewed_already"
    assert _review(played, one) is None
    assert played.state(one)["done"]["cents"] == 100
    assert played.study.state.worker("w1").granted == {"single": True}
    assert _review(played, one) == "reviewed_already"
    again = played.replayed().state.reviews.all[one].review
    assert again is not None
    assert again.accepted
    assert played.step(played.ready("w1")) == "waiting"


def _undone(played: Played, number: int) -> str | None:
    try:
        played.take(administration.undo(played.study, number, played.now))
    except Refused as refused:
        return refused.code
    return None


def test_an_acceptance_is_taken_back_with_what_it_brought() -> None:
    played = _star()
    numbers = [played.dialogue("w1", "w2")[0] for _ in range(2)]
    assert _undone(played, numbers[0]) == "not_now"
    for number in numbers:
        assert _review(played, number) is None
    assert played.state(numbers[1])["done"]["next"] == "multi_tutorial"
    assert _undone(played, numbers[1]) is None
    done = played.state(numbers[1])["done"]
    assert [(row["cents"], row["reason"]) for row in done["booked"]] == [
        (100, "dialogue"),
        (-100, "taken_back"),
    ]
    assert (done["review"], done["cents"], done["next"]) == (True, 0, "single")
    assert _undone(played, numbers[1]) == "not_now"
    assert _review(played, numbers[1], accepted=False, reason="A slip.") is None
    assert played.study.state.worker("w1").granted["single"] is False
    assert _undone(played, numbers[1]) is None
    assert _review(played, numbers[1]) is None
    assert played.state(numbers[1])["done"]["cents"] == 100
    assert played.state(numbers[1])["done"]["next"] == "multi_tutorial"
    keys = [claim.key for claim in played.claims if isinstance(claim, Paid)]
    assert len(keys) == len(set(keys))
    again = played.replayed().state
    assert again.ledger.rows == played.study.state.ledger.rows
    assert again.workers == played.study.state.workers
    assert again.reviews.all == played.study.state.reviews.all


def test_a_good_dialogue_that_was_paid_at_once_stays_paid() -> None:
    played = Played()
    numbers = [played.dialogue("w1", f"p{n}")[0] for n in range(3)]
    assert _review(played, numbers[2], instructions=1) is None
    assert _undone(played, numbers[2]) is None
    assert played.state(numbers[2])["done"]["cents"] == 100
    assert _review(played, numbers[2], instructions=5) is None
