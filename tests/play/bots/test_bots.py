"""Correct bots in words of their own succeed with simulated users; wrong ones are found out."""

from __future__ import annotations

import pytest

from dialoom.play.agents.base import AGENTS
from dialoom.play.results.summary import played, summarise
from tests.play.bots.machines import BOARD, FORM, BotPlan
from tests.play.bots.measure import run, served, share_of_styles, wrong_dialogues
from tests.play.bots.misconduct import MISCONDUCT

TASKS = ("hotel_book", "restaurant_book", "weather")


@pytest.fixture(autouse=True)
def _agents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(AGENTS._builtin, "free", "tests.play.bots.bots:FreeBots")
    monkeypatch.setitem(AGENTS._builtin, "wrong", "tests.play.bots.wrong:WrongBots")


@pytest.mark.parametrize("style", ["formal", "casual", "markdown", "terse"])
def test_a_bot_in_own_words_succeeds(style: str) -> None:
    """With 20 goals a task, 98.3 to 100 % were measured."""
    assert share_of_styles(style, 8, TASKS) >= 95


def test_a_bot_that_reads_texts_serves_several_tasks() -> None:
    dialogues = run("formal", "simulated:multi", 3, 7, TASKS)
    assert any(verdict.passed for d in dialogues if (verdict := played(d)) is not None)


@pytest.mark.parametrize("style", ["formal", "casual", "markdown", "terse"])
def test_a_bot_that_hears_rightly_always_succeeds(style: str) -> None:
    """All failures of 60 dialogues with several tasks are then the user's."""
    dialogues = run(f"{style}+acts", "simulated:multi", 6, 7, TASKS)
    assert all(verdict.passed for d in dialogues if (verdict := played(d)) is not None)


@pytest.mark.parametrize(
    ("plan", "task"),
    [
        (FORM, "restaurant_book"),
        (FORM, "hotel_book"),
        (FORM, "doctor_schedule"),
        (BOARD, "weather"),
        (BOARD, "ride_book"),
        (BOARD, "hotel_book"),
    ],
)
def test_a_bot_over_http_that_follows_no_flow_succeeds(plan: BotPlan, task: str) -> None:
    """With 30 goals a task, 87 to 100 % were measured.

    The bots know a few words of users, so these say the task file's lines.
    """
    pytest.importorskip("httpx")
    verdicts = served(plan, (task,), "simulated:scripted", 8, 7)
    assert sum(each.passed for each in verdicts) >= 7


def test_a_bot_that_cannot_be_read_is_a_fault_of_the_user() -> None:
    dialogues = run("garbled", "simulated", 3, 7, ("weather",))
    whole = summarise([p for d in dialogues if (p := played(d)) is not None])["all"]
    assert whole["not_understood"] > 50
    assert whole["unread"]


@pytest.mark.parametrize("style", ["task", "casual"])
@pytest.mark.parametrize("name", ["other_place", "other_time", "other_name"])
def test_a_user_contradicts_another_value_than_theirs(name: str, style: str) -> None:
    """With 30 goals a task, 94 to 100 % were contradicted."""
    cases = list(wrong_dialogues(name, style, 4, 7))
    assert len(cases) >= 4
    assert sum(each.objected for each in cases) >= 0.75 * len(cases)


@pytest.mark.parametrize("style", ["task", "casual"])
@pytest.mark.parametrize(
    "name", ["claims_success", "claims_failure", "books_other", "books_refused", "wrong_row"]
)
def test_the_verdict_fails_what_is_not_so(name: str, style: str) -> None:
    cases = list(wrong_dialogues(name, style, 4, 7))
    assert len(cases) >= 2
    figures_alone = name == "books_refused"  # a booking that the user only did not want yet
    assert all(each.failed or (figures_alone and each.found) for each in cases)


@pytest.mark.parametrize("style", ["task", "casual"])
def test_a_user_does_not_understand_a_question_beside_the_task(style: str) -> None:
    cases = list(wrong_dialogues("asks_needless", style, 4, 7))
    assert sum(each.objected for each in cases) >= len(cases) / 2
    assert all("asked_needless" in each.figures for each in cases)


OWN = {
    "asks_again": "asked_twice",
    "books_early": "booked_unconfirmed",
    "books_unasked": "booked_unconfirmed",
    "books_twice": "called_twice",
    "books_more": "booked_unconfirmed",
    "checks_twice": "called_twice",
    "offers_unchecked": "reported_unchecked",
    "leaks": "leaked",
    "shows_tools": "leaked",
    "insults": "forbidden",
    "foreign": "wrong_language",
    "slow": "latency_p95",
    "silent": "broken_off",
    "empty": "broken_off",
    "forgets": "left_out",
}
"""Wrong bots to the figure that counts what they do."""


@pytest.mark.parametrize("name", sorted({*MISCONDUCT, *OWN}))
def test_a_bot_that_misbehaves_is_found(name: str) -> None:
    """With 30 goals a task, 98 to 100 % of each were found."""
    cases = list(wrong_dialogues(name, "task", 2, 7))
    assert cases
    assert all(each.found for each in cases)
    assert all(name not in OWN or OWN[name] in each.figures for each in cases)


@pytest.mark.parametrize("style", ["task", "formal", "casual", "markdown", "terse"])
@pytest.mark.parametrize("user", ["simulated", "simulated:unhappy", "simulated:multi"])
def test_a_correct_bot_is_at_no_fault(style: str, user: str) -> None:
    dialogues = run(f"{style}+acts", user, 4, 7, TASKS)
    assert not [verdict.verdict["conduct"] for d in dialogues if (verdict := played(d)) is not None
                and verdict.verdict.get("conduct")]  # fmt: skip
