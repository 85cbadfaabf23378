"""STAR's stages: tutorial and quiz, passed and failed, then a dialogue."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from dialoom.collect.settings import Settings
from dialoom.collect.study.quizzes import load_quiz
from tests.collect.quizzes import example
from tests.serve.browser.axe import CUT, violations
from tests.serve.browser.person import NARROW, People, Person
from tests.serve.served import Served, served

pytestmark = pytest.mark.browser

QUESTIONS = load_quiz("single_tutorial", "en").questions


@pytest.fixture
def staged(tmp_path: Path) -> Iterator[Served]:
    settings = Settings(
        tasks=("restaurant_book",), stages="star", scenarios=4, purpose="We study <i>talk</i>."
    )
    with served(tmp_path / "staged.sqlite", settings) as study:
        yield study


def learn(people: People, staged: Served) -> Person:
    """Come as far as the questions."""
    worker = people(staged.link("user")).join()
    expect(worker.page.get_by_text("We study <i>talk</i>.")).to_be_visible()
    expect(worker.page.get_by_role("row", name="you are here")).to_contain_text("$2.00")
    worker.agree().button("To the questions").click()
    return worker


def choose(worker: Person, place: int, option: str) -> None:
    """Answer a question."""
    question = worker.page.locator("form.question").nth(place)
    question.get_by_text(QUESTIONS[place].options[option], exact=True).click()
    question.get_by_role("button", name="Check").click()


def test_the_quiz_passed_opens_the_dialogues(people: People, staged: Served) -> None:
    worker = learn(people, staged)
    focused = worker.page.locator(":focus")
    worker.button("Show a hint").first.click()
    expect(worker.page.get_by_role("status").first).to_contain_text("Hints used: 1")
    expect(worker.page.get_by_text(QUESTIONS[0].hint)).to_be_visible()
    expect(focused).to_contain_text(QUESTIONS[0].text)
    for place, question in enumerate(QUESTIONS):
        choose(worker, place, str(question.right))
        if place + 1 < len(QUESTIONS):
            expect(worker.page.locator("form.solved")).to_have_count(place + 1)
            expect(focused).to_contain_text(question.text)
    expect(worker.page.get_by_text("Your dialogue is complete")).to_have_count(0)
    expect(worker.page.get_by_text("You passed the quiz. Hints used: 1.")).to_be_visible()
    expect(worker.page.get_by_role("row", name="Total")).to_contain_text("$2.25")
    worker.button("Start the next part").click()  # and agrees to nothing twice
    expect(worker.button("I am ready")).to_be_visible()


def test_a_worker_who_leaves_the_quiz_has_not_failed_it(people: People, staged: Served) -> None:
    worker = learn(people, staged)
    worker.button("Leave").first.click()
    worker.page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    expect(worker.page.get_by_text("You ended your part early.")).to_be_visible()
    expect(worker.page.get_by_text("too many to pass")).to_have_count(0)


def test_too_many_hints_end_the_quiz(people: People, staged: Served) -> None:
    worker = learn(people, staged)
    for place in range(9):
        worker.page.locator("form.question").nth(place).get_by_role(
            "button", name="Show a hint"
        ).click()
        if place < 8:
            expect(worker.page.get_by_role("status").first).to_contain_text(
                f"Hints used: {place + 1}"
            )
    worker.shows("Your part ends here")
    expect(worker.page.locator(".code")).to_be_visible()
    expect(worker.button("Start the next part")).to_have_count(0)


def test_a_wrong_answer_shows_the_hint(people: People, staged: Served) -> None:
    worker = learn(people, staged)
    wrong = next(each for each in QUESTIONS[0].options if each != QUESTIONS[0].right)
    choose(worker, 0, wrong)
    first = worker.page.locator("form.question").first
    expect(first.get_by_text(QUESTIONS[0].hint)).to_be_visible()
    expect(first.locator("input:disabled")).to_have_count(1)
    worker.button("Read the tutorial again").click()
    worker.shows("How the dialogues work")
    worker.button("To the questions").click()
    expect(worker.page.get_by_role("status").first).to_contain_text("Hints used: 1")


@pytest.mark.parametrize(("name", "element"), [("tour.mp4", "video"), ("watch?v=1", "iframe")])
def test_a_tutorial_by_video(people: People, tmp_path: Path, name: str, element: str) -> None:
    address = f"https://videos.example/{name}"
    settings = Settings(
        tasks=("restaurant_book",), stages="star", scenarios=2, video={"single_tutorial": address}
    )
    with served(tmp_path / "video.sqlite", settings) as study:
        worker = people(study.link("user"))
        worker.page.route("https://videos.example/**", lambda route: route.fulfill(body=""))
        worker.join().agree().shows("How the dialogues work")
        expect(worker.page.locator(element)).to_have_attribute("src", address)
        way_out = worker.page.get_by_role("link", name="Open the video in a new window")
        expect(way_out).to_have_attribute("href", address)
        expect(worker.page.get_by_text("Two sides, in turns")).to_be_visible()


GO = {"en": "To the questions", "de": "Zu den Fragen"}


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_quiz_of_the_studys_own_by_keyboard(
    people: People, tmp_path: Path, language: str
) -> None:
    with served(tmp_path / "own.sqlite", example()) as study:
        worker = people(f"{study.link('user')}?language={language}&worker=w", locale=language)
        page, keys = worker.page, worker.page.keyboard
        for _ in range(2):
            page.locator("button.main").click()
        guidelines = "Wetter" if language == "de" else "weather"
        expect(page.locator(".task-text")).to_contain_text(guidelines)
        assert violations(page) == []
        worker.button(GO[language]).click()
        one, two = page.locator("form.question").all()
        one.locator("input").nth(1).check()
        one.locator("button.main").click()
        expect(page.locator("form.solved")).to_have_count(1)
        boxes = two.locator("input[type=checkbox]")
        boxes.first.focus()
        keys.press("Space")
        two.locator("button.main").click()
        expect(two.get_by_role("alert")).to_be_visible()
        expect(two.locator(".notice")).to_be_visible()
        expect(two.locator("button.main")).to_have_attribute("aria-disabled", "true")
        assert violations(page) == []
        page.set_viewport_size(NARROW)
        assert page.evaluate(CUT) == []
        boxes.nth(2).check()
        two.locator("button.main").click()
        expect(page.locator(".code")).to_be_visible()
        admin = people(f"{study.base}/admin#{study.signer.admin_token()}")
        admin.turn_to("Figures")
        expect(admin.page.get_by_role("img").first).to_contain_text("Rules")
