from __future__ import annotations

import pytest

from dialoom.collect.log.change import Paid
from dialoom.collect.log.record import Consented, Ended, Record, Seated, Waiting
from dialoom.collect.message import Consent, Leave, QuizAnswer, QuizHint, Ready, Refused
from dialoom.collect.study.assignment import REMEMBERED, Assignment
from tests.collect.studied import Played


def _quizzed(hints: int) -> tuple[Played, int]:
    played = Played(stages="star", scenario="mixed")
    number = played.ready_for_quiz("w1")
    played.quiz(number, wrong=hints)
    return played, number


@pytest.mark.parametrize(
    ("hints", "outcome", "cents", "after", "reason"),
    [
        (0, "completed", 250, "single", None),
        (2, "completed", 225, "single", None),
        (6, "completed", 200, "single", None),
        (7, "screened_out", 200, None, "screened_out"),
        (9, "screened_out", 0, None, "screened_out"),
    ],
)
def test_a_quiz_ends_in_an_outcome_with_its_pay(
    hints: int, outcome: str, cents: int, after: str | None, reason: str | None
) -> None:
    played, number = _quizzed(hints)
    done = played.state(number)["done"]
    assert (done["outcome"], done["cents"]) == (outcome, cents)
    assert (done["next"], done["next_reason"]) == (after, reason)
    assert done["quiz"] == {"hints": hints, "passed": outcome == "completed"}
    assert sum(c.cents for c in played.claims if isinstance(c, Paid)) == cents


def test_a_tutorial_becomes_a_quiz_with_the_first_hint_or_answer() -> None:
    played = Played(stages="star", scenario="mixed", video={"single_tutorial": "/v.webm"})
    number = played.ready_for_quiz("w1")
    view = played.state(number)
    assert view["step"] == "tutorial" and view["tutorial"]["video"] == "/v.webm"
    played.send(number, QuizHint("end"))
    view = played.state(number)
    assert view["step"] == "quiz" and view["quiz"]["hints"] == 1
    assert played.refusal(number, QuizHint("end")) == "hinted_already"
    assert played.refusal(number, Ready()) == "not_now"
    played.send(number, QuizAnswer("end", "a"))
    assert played.state(number)["quiz"]["questions"][0]["answered"] == "a"


def test_who_leaves_in_the_quiz_gets_a_code_and_no_pay() -> None:
    played = Played(stages="star", scenario="mixed")
    number = played.ready_for_quiz("w1")
    played.send(number, Leave())
    done = played.state(number)["done"]
    assert (done["outcome"], done["cents"]) == ("left", 0) and done["code"]
    assert done["next"] == "single_tutorial"


def test_who_passed_goes_on_and_who_failed_does_not_come_in_again() -> None:
    played, number = _quizzed(0)
    again, change = played.study.enter(None, played.now, again_of=number)
    played.take(change)
    assert played.study.assignment(again).stage == "single"
    played, _ = _quizzed(9)
    with pytest.raises(Refused) as refused:
        played.study.enter("w1", played.now)
    assert refused.value.code == "screened_out"


def _apply(one: Assignment, *bodies: object) -> None:
    for seq, body in enumerate(bodies, start=2):
        one.apply(Record(one.stream, seq, 1000 * seq, "worker", "", body))  # type: ignore[arg-type]


def test_steps_follow_from_records() -> None:
    one = Assignment(1, "w1", "single", 0)
    steps: list[object] = [one.step]
    for body in (
        Consented(),
        Waiting(),
        Seated(4, "user"),
        Waiting(first=True),
        Ended("partner_lost", "c"),
    ):
        _apply(one, body)
        steps.append(one.step)
    assert steps == ["consent", "waiting", "waiting", "room", "waiting", "done"]
    assert (one.unit, one.role, one.lost, one.first, one.code) == (4, "user", 1, True, "c")


def test_a_step_is_done_once() -> None:
    one = Assignment(1, "w1", "single", 0)
    _apply(one, Consented())
    with pytest.raises(Refused):
        one.decide(Consent())
    _apply(one, Waiting())
    with pytest.raises(Refused):
        one.decide(Ready())


def test_the_link_s_role_is_stronger_than_a_wish() -> None:
    one = Assignment(1, "w1", "single", 0, "wizard", consented=True)
    assert one.decide(Ready()) == Waiting(role="wizard")


def test_of_an_assignment_that_is_over_only_the_last_ids_are_kept() -> None:
    one = Assignment(1, "w1", "single", 0, clients={f"c{n}": n for n in range(100)})
    _apply(one, Ended("left", "c"))
    assert list(one.clients) == [f"c{n}" for n in range(100 - REMEMBERED, 100)]
