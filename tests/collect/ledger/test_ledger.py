from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from dialoom.collect.kinds.room.scenario import Scenario
from dialoom.collect.ledger import ledger
from dialoom.collect.ledger.ledger import Ledger, Payment
from dialoom.collect.settings import Pay, Stage
from dialoom.collect.stage_rules import QuizLimits
from dialoom.collect.unit import WorkItem

PAY, QUIZ, STAGE = Pay(), QuizLimits(), Stage(name="single")

SINGLE = Scenario(
    id="s1", kind="single", tasks=("t",), domains=("d",), user_task="u", wizard_task="w"
)


def _item(scenario: Scenario) -> WorkItem:
    content = msgspec.to_builtins(scenario)
    return WorkItem(id="s1", group=scenario.kind, content=content, digest="d")


@pytest.mark.parametrize(
    ("hints", "cents"), [(0, [200, 50]), (1, [200, 25]), (3, [200, 25]), (4, [200]), (8, [200])]
)
def test_a_tutorial_is_paid_as_in_the_paper(hints: int, cents: list[int]) -> None:
    assert [payment.cents for payment in ledger.tutorial(PAY, STAGE, QUIZ, hints)] == cents


def test_a_tutorial_with_too_many_hints_is_rejected() -> None:
    (payment,) = ledger.tutorial(PAY, STAGE, QUIZ, 9)
    assert (payment.kind, payment.cents) == ("rejection", 0)


def test_a_dialogue_is_paid_by_its_kind_and_the_length_of_its_instructions() -> None:
    short = replace(SINGLE, kind="multi", instructions=((0, "a"),) * 4)
    long = replace(SINGLE, kind="multi", instructions=((0, "a"),) * 5)
    assert [payment.cents for payment in ledger.unit(PAY, STAGE, _item(SINGLE))] == [100]
    assert [payment.cents for payment in ledger.unit(PAY, STAGE, _item(short))] == [190]
    assert [payment.cents for payment in ledger.unit(PAY, STAGE, _item(long))] == [190, 90]
    fixed = Stage(name="single", pay=7)
    assert [payment.cents for payment in ledger.unit(PAY, fixed, _item(long))] == [7]
    talk = Stage(name="talk")
    assert [payment.cents for payment in ledger.top(PAY, talk, "single")] == [40]
    assert [payment.cents for payment in ledger.top(PAY, talk, "multi")] == [60]
    assert ledger.top(PAY, fixed, "single") == ()


def test_waiting_is_paid_by_the_minute_and_not_below_a_cent() -> None:
    assert ledger.wait(PAY, 3000) == ()
    assert [payment.cents for payment in ledger.wait(PAY, 90_000)] == [22]
    assert ledger.wait(PAY, -5) == ()


def test_a_key_is_booked_once() -> None:
    book = Ledger()
    due = Payment(key="pay", kind="payment", cents=100, reason="dialogue")
    ((row, claim),) = book.entries(8, "w2", [due])
    assert (row.key, claim.key, row.assignment) == ("pay/8", "pay/8", 8)
    book.apply(5, row)
    assert list(book.entries(8, "w2", [due])) == []
    assert book.of(8) == [row]
    assert book.totals()["payment"] == {"rows": 1, "cents": 100}
    assert book.totals()["cents"] == 100


def test_programs_are_not_paid() -> None:
    due = Payment(key="pay", kind="payment", cents=100, reason="dialogue")
    assert list(Ledger().entries(8, "bot:1", [due])) == []
