"""The dialogue as people read and write it: long ones, long words, other scripts, small windows."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.serve.browser.person import NARROW, People, Person
from tests.serve.page import Page, say
from tests.serve.served import Served

pytestmark = pytest.mark.browser

TURNS = 100
"""Of each, in a dialogue that is longer than most."""

MAGNIFIED = {"width": 640, "height": 450}
"""A window of 1280 x 900 at 200 % (WCAG 2.2, 1.4.4)."""

SMALLEST = {"width": 320, "height": 256}
"""A window of 1280 x 1024 at 400 % (WCAG 2.2, 1.4.10)."""

TEXTS = {
    "long word": "Donaudampfschiff" * 25,
    "right to left": "\u05e9\u05dc\u05d5\u05dd, \u05d0\u05e0\u05d9 \u05e8\u05d5\u05e6\u05d4",
    "emoji": "\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f600\U0001f3fd",
    "lines": "one\ntwo\n\nthree",
}


def wired(study: Served, people: People, **context: object) -> tuple[Person, Page]:
    """Return a user in a browser, and a wizard who is quick."""
    wizard = study.page("wizard").wait()
    user = people(study.link("user"), **context).wait().seated()
    wizard.until_step("room")
    return user, wizard


def seated(people: People, page: Page) -> Person:
    """Return a browser that has the session of another client, and its seat."""
    page.close()
    person = people(page.link)
    for name, value in page.browser.cookies.items():
        person.context.add_cookies([{"name": name, "value": value, "url": page.base}])
    return person.join().seated()


def test_a_long_dialogue_stays_at_its_end_but_not_while_one_reads(
    people: People, study: Served
) -> None:
    first, wizard = study.pair()
    for turn in range(TURNS):
        say(first, f"user {turn}")
        say(wizard, f"wizard {turn}")
    user = seated(people, first)
    lines = user.page.locator(".lines")
    expect(user.lines).to_have_count(2 * TURNS)
    expect(user.lines.last).to_be_in_viewport()
    user.say("and now I read")
    expect(user.lines.last).to_be_in_viewport(ratio=1)
    lines.hover()
    user.page.mouse.wheel(0, -100_000)
    expect(user.lines.first).to_be_in_viewport()
    say(wizard, "news")
    newer = user.button("New messages")
    expect(newer).to_be_visible()
    expect(user.lines.first).to_be_in_viewport()
    newer.click()
    expect(user.lines.last).to_be_in_viewport()
    expect(newer).to_have_count(0)
    user.say("I have read it")
    expect(user.lines.last).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_whatever_is_written_fits_and_arrives(people: People, study: Served, text: str) -> None:
    user, wizard = wired(study, people, viewport=NARROW)
    user.my_turn()
    user.field.fill(text)
    user.button("Send").click()
    expect(user.lines).to_have_text([text], use_inner_text=True)
    wizard.until_turn()
    assert wizard.said() == [text]
    wizard.do("say", text=text)
    expect(user.lines).to_have_count(2)
    assert user.page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    inside = "e => e.scrollWidth <= e.clientWidth"
    assert user.page.locator(".lines").evaluate(inside)
    directions = {line.evaluate("e => getComputedStyle(e).direction") for line in user.lines.all()}
    assert directions == {"rtl" if text == TEXTS["right to left"] else "ltr"}


@pytest.mark.parametrize("size", [MAGNIFIED, SMALLEST], ids=["200 %", "400 %"])
def test_a_magnified_page_can_be_used(people: People, study: Served, size: dict[str, int]) -> None:
    user, wizard = wired(study, people, viewport=size)
    user.say("Hello")
    say(wizard, "Good morning, what can I do for you?")
    user.my_turn()
    assert user.page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    for element in (user.lines.last, user.accomplished, user.button("Send"), user.field):
        element.scroll_into_view_if_needed()
        expect(element).to_be_in_viewport(ratio=0.9)
    user.say("A table, please.")


def test_the_turn_does_not_take_the_keyboard_from_a_form(people: People, study: Served) -> None:
    user = study.page("user").wait()
    wizard = people(study.link("wizard")).wait().seated()
    expect(wizard.field).to_be_focused()
    time = wizard.page.locator("input[data-field]").first
    time.click()
    wizard.page.keyboard.type("7 ")
    user.until_step("room")
    user.do("say", text="Hello")
    wizard.my_turn()
    expect(time).to_be_focused()
    wizard.page.keyboard.type("pm")
    expect(time).to_have_value("7 pm")


def test_what_was_read_steps_back(people: People, study: Served) -> None:
    user = study.page("user").wait()
    wizard = people(study.link("wizard")).wait().seated()
    brief = wizard.page.locator(".brief .task-text")
    expect(brief).to_be_visible()
    user.until_step("room")
    user.do("say", text="Hello")
    wizard.my_turn()
    expect(brief).to_be_hidden()
    wizard.page.get_by_text("Your task", exact=True).click()
    expect(brief).to_be_visible()
