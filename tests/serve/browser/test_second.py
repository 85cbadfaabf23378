"""The admin's second evaluation, qualifications by hand, and the figures to look at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from dialoom.collect.settings import Pay, Settings
from tests.serve.browser.person import People
from tests.serve.browser.review_scenes import board, play
from tests.serve.served import Served, served

pytestmark = pytest.mark.browser

TASKS = ("restaurant_book", "hotel_book")


@pytest.fixture
def ranked(tmp_path: Path) -> Iterator[Served]:
    """A study whose workers come to the second evaluation after two dialogues in each role."""
    settings = Settings(tasks=TASKS, scenarios=8, seed=3, pay=Pay(top_least=2))
    with served(tmp_path / "ranked.sqlite", settings) as study:
        yield study


def test_sampled_dialogues_are_read_for_the_second_evaluation(
    people: People, ranked: Served
) -> None:
    for _ in range(2):
        play(ranked, "w-1", "w-2")
        play(ranked, "w-2", "w-1")
    admin = board(people, ranked)
    review = admin.page.locator("#review")
    admin.turn_to("Review")
    rows, one = review.locator(".queue li"), review.get_by_role("article")
    expect(rows).to_have_count(4)
    expect(admin.button("Second evaluation (0)")).to_be_visible()
    for left in (3, 2, 1, 0):
        one.get_by_role("button", name="Accept").click()
        expect(rows).to_have_count(left)
    expect(review).to_contain_text("Nothing waits for a review.")
    admin.button("Second evaluation").click()
    expect(rows).not_to_have_count(0)
    before = rows.count()
    one.get_by_role("button", name="5", exact=True).first.click()
    one.get_by_role("button", name="Accept", exact=True).click()
    expect(rows).to_have_count(before - 1)
    admin.turn_to("Workers")
    ranking = admin.page.locator("#workers .card").filter(has_text="Ranking")
    expect(ranking.get_by_role("row").nth(1)).to_contain_text("5.00")


def test_a_part_is_opened_for_a_worker(people: People, tmp_path: Path) -> None:
    staged = Settings(tasks=TASKS, stages="star", scenarios=4)
    with served(tmp_path / "staged.sqlite", staged) as study:
        study.page("user", worker="w-1")
        admin = board(people, study)
        admin.turn_to("Workers")
        part = admin.page.locator("#workers .card").filter(has_text="Qualifications")
        part.get_by_label("Worker").fill("w-1")
        part.get_by_label("Stage").select_option("single")
        admin.button("Open", exact=True).click()
        expect(part.get_by_role("status")).to_have_text("Opened for w-1.")
        assert "single" in study.opened.study.state.worker("w-1").granted
        admin.button("Close for them").click()
        expect(part.get_by_role("status")).to_have_text("Closed for w-1.")


def test_figures_are_drawn_and_are_in_tables(people: People, study: Served) -> None:
    play(study, "w-1", "w-2")
    admin = board(people, study)
    admin.turn_to("Figures")
    figures = admin.page.locator("#figures")
    for name in ("How many came how far", "Share of steps in the schema's order"):
        expect(figures.get_by_role("img", name=name)).to_be_visible()
    funnel = figures.get_by_role("img", name="How many came how far")
    widths = funnel.locator("rect.done").evaluate_all("all => all.map(e => e.width.baseVal.value)")
    numbers = [int(text) for text in funnel.locator("text.value").all_text_contents()]
    assert numbers[0] == 2
    assert [round(width / max(widths) * max(numbers)) for width in widths] == numbers
    table = figures.get_by_role("table").first
    expect(table).to_be_hidden()
    figures.get_by_text("As a table").first.click()
    expect(table).to_be_visible()
    expect(table.get_by_role("row").nth(1)).to_contain_text("Dialogues about one task")
