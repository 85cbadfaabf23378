"""Submissions are approved, rejected and paid once, as the ledger has it."""

from __future__ import annotations

import csv
from pathlib import Path

import httpx
import pytest

from dialoom.collect.log.record import RoomRole
from dialoom.collect.message import Leave
from dialoom.collect.recruiters.mturk import RECRUITER as MTURK
from dialoom.collect.recruiters.prolific import RECRUITER as PROLIFIC
from dialoom.collect.recruiters.recruiter import RECRUITERS, Recruiter
from dialoom.collect.settings import Pay
from dialoom.collect.settling import Journal, Sent, check_sum, orders, send, write_files
from dialoom.collect.study import administration
from dialoom.errors import FormatError, UsageError
from tests.collect.recruiters.platforms import Platform
from tests.collect.studied import Played
from tests.make import refuses

KEYS = {"PROLIFIC_TOKEN": "t0", "AWS_ACCESS_KEY_ID": "AK", "AWS_SECRET_ACCESS_KEY": "s3cret"}


def source(worker: str, recruiter: Recruiter = PROLIFIC) -> dict[str, str]:
    """Return the parameters with which a worker comes."""
    return {name: f"{name}-{worker}" for name in recruiter.required} | {recruiter.worker: worker}


def played(recruiter: str = "prolific", reward: int | None = 100) -> Played:
    """Return a study in which one was accepted, one rejected, one waited, and one is there."""
    adapter = RECRUITERS.get(recruiter)
    study = Played(recruiter=recruiter, reward=reward, pay=Pay(single=120, waiting=15))
    seats: tuple[tuple[str, RoomRole], ...] = (("good", "user"), ("bad", "wizard"))
    for worker, role in seats:
        study.ready(worker, role, source=source(worker, adapter))
    study.talk()
    for number in study.seats():
        study.fill(number)
    good, bad = study.seats()
    waiting = study.ready("waiter", "user", source=source("waiter", adapter))
    study.tick(200)
    study.send(waiting, Leave())
    study.enter("late", "user", source=source("late", adapter))
    assert [order.kind for order in orders(study.study, adapter)] == ["bonus"]  # reviews are open
    review = administration.review
    study.take(review(study.study, good, study.now, accepted=True))
    study.take(review(study.study, bad, study.now, accepted=False, reason="One word a turn."))
    return study


def sent(study: Played, adapter: Recruiter, platform: Platform, path: Path) -> Sent:
    """Send all orders."""
    with platform.web as web:
        return send(adapter, orders(study.study, adapter), Journal(path), web, KEYS)


def test_a_review_that_was_taken_back_is_waited_for() -> None:
    study = played()
    study.take(administration.undo(study.study, 1, study.now))
    assert [o.worker for o in orders(study.study, PROLIFIC)] == ["bad", "waiter"]
    study.take(administration.review(study.study, 1, study.now, accepted=False, reason="A slip."))
    assert [(o.kind, o.worker, o.reason) for o in orders(study.study, PROLIFIC)][:2] == [
        ("reject", "good", "A slip."),
        ("reject", "bad", "One word a turn."),
    ]


def test_what_is_asked_of_prolific_and_never_twice(tmp_path: Path) -> None:
    study, platform, path = played(), Platform(), tmp_path / "sent.jsonl"
    assert [(o.kind, o.worker, o.cents) for o in orders(study.study, PROLIFIC)] == [
        ("approve", "good", 0),
        ("bonus", "good", 20),
        ("reject", "bad", 0),
        ("bonus", "waiter", 50),
    ]
    assert len(sent(study, PROLIFIC, platform, path).done) == 4
    approve, bulk, paid, reject, *_ = platform.asked
    assert approve == ("/api/v1/submissions/SESSION_ID-good/transition/", {"action": "APPROVE"})
    assert bulk[1] == {"study_id": "STUDY_ID-good", "csv_bonuses": "good,0.20"}
    assert paid[0] == "/api/v1/bulk-bonus-payments/bulk-0/pay/"
    assert reject[1]["message"].startswith("One word a turn.")
    assert len(reject[1]["message"]) >= 100
    assert set(platform.tokens) == {"Token t0"}
    assert sent(study, PROLIFIC, platform, path).done == []  # all is done
    study.take(
        administration.bonus(study.study, 1, study.now, cents=35, reason="Well done", key="k")
    )
    [more] = sent(study, PROLIFIC, platform, path).done
    assert (more.worker, more.cents, platform.paid) == ("good", 35, {"good": 0.55, "waiter": 0.5})


def test_a_bonus_that_may_have_been_paid_is_not_paid_again(tmp_path: Path) -> None:
    study, platform, path = played(), Platform(), tmp_path / "sent.jsonl"
    platform.breaks = {"/pay/"}
    with pytest.raises(httpx.ReadError):
        sent(study, PROLIFIC, platform, path)
    platform.breaks = set()
    ended = sent(study, PROLIFIC, platform, path)
    assert [order.key for order in ended.unknown] == ["bonus/SESSION_ID-good/0"]
    assert [order.worker for order in ended.done] == ["bad", "waiter"]
    assert platform.paid == {"good": 0.2, "waiter": 0.5}


def test_what_a_recruiter_refuses_is_reported_and_sent_again(tmp_path: Path) -> None:
    study, platform, path = played(), Platform(), tmp_path / "sent.jsonl"
    platform.refuses = {"bonus": "too little money"}
    ended = sent(study, PROLIFIC, platform, path)
    assert [(o.worker, "too little money" in why) for o, why in ended.refused] == [
        ("good", True),
        ("waiter", True),
    ]
    platform.refuses = {}
    assert [order.kind for order in sent(study, PROLIFIC, platform, path).done] == ["bonus"] * 2


def test_mechanical_turk_pays_a_bonus_once_however_often_it_is_asked(tmp_path: Path) -> None:
    study, platform, path = played("mturk"), Platform(), tmp_path / "sent.jsonl"
    platform.breaks = {"SendBonus"}
    for _ in range(2):
        with pytest.raises(httpx.ReadError):
            sent(study, MTURK, platform, path)
    platform.breaks = set()
    assert len(sent(study, MTURK, platform, path).done) == 3
    assert sorted(platform.paid.values()) == [0.2, 0.5]
    rejected = [body for operation, body in platform.asked if operation == "RejectAssignment"]
    assert rejected == [
        {"AssignmentId": "assignmentId-bad", "RequesterFeedback": "One word a turn."}
    ]
    assert all("Credential=AK/" in token for token in platform.tokens)


def test_without_a_token_the_files_say_the_same(tmp_path: Path) -> None:
    write_files(PROLIFIC.files(orders(played().study, PROLIFIC)), tmp_path / "prolific")
    write_files(MTURK.files(orders(played("mturk").study, MTURK)), tmp_path / "mturk")
    assert {path.name: _rows(path) for path in (tmp_path / "prolific").iterdir()} == {
        "approve.csv": [["good"]],
        "reject.csv": [["bad", "One word a turn."]],
        "bonus.csv": [["good", "0.20"], ["waiter", "0.50"]],
    }
    assert _rows(tmp_path / "mturk" / "review.csv") == [
        ["AssignmentId", "Approve", "Reject"],
        ["assignmentId-good", "x", ""],
        ["assignmentId-bad", "", "One word a turn."],
    ]


def test_an_id_is_no_formula_of_a_spreadsheet(tmp_path: Path) -> None:
    rows = [["=HYPERLINK(1)", "@x", "w-1", "0.20"]]
    write_files({"bonus.csv": rows}, tmp_path / "out")
    assert _rows(tmp_path / "out" / "bonus.csv") == [["'=HYPERLINK(1)", "'@x", "w-1", "0.20"]]


def _rows(path: Path) -> list[list[str]]:
    return list(csv.reader(path.read_text(encoding="utf-8").splitlines()))


def test_the_ledgers_payment_is_the_reward_where_none_is_said() -> None:
    requests = orders(played(reward=None).study, PROLIFIC)
    assert [(o.kind, o.cents) for o in requests if o.worker == "good"] == [("approve", 0)]


def test_a_file_that_is_no_journal(tmp_path: Path) -> None:
    path = tmp_path / "sent.jsonl"
    path.write_text('{"key": "a", "state": "done"}\nnonsense\n')
    with refuses(FormatError, "damaged", "2"):
        Journal(path)


def test_sums_above_a_limit_are_refused_with_rewards_counted() -> None:
    requests = orders(played().study, PROLIFIC)  # a reward of 1.00, bonuses of 0.20 and 0.50
    check_sum(requests, 1.7, "USD")
    for limit in (1.69, 0, float("nan")):
        with refuses(UsageError, "over-limit", "1.70", "USD"):
            check_sum(requests, limit, "USD")
