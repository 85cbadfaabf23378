"""A served bot's page in a real browser: by keyboard, narrow and dark, as axe sees it."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import expect

from dialoom.serve.chat.settings import ChatSettings
from tests.serve.browser.axe import FAINT, violations
from tests.serve.browser.person import NARROW, People, Person
from tests.serve.chat.served import served_chats

pytestmark = pytest.mark.browser

SETTINGS = ChatSettings(tasks=("hotel_book", "weather"), seed=7)


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with served_chats(":memory:", SETTINGS) as client:
        yield client


def begin(person: Person) -> None:
    """Agree on the page after the front page."""
    person.button("Start").click()
    person.button("I agree and want").click()
    person.my_turn()


def test_by_keyboard_from_the_beginning_to_the_rating(client: httpx.Client, people: People) -> None:
    person = people(str(client.base_url))
    page = person.page
    keys = page.keyboard
    select = page.get_by_label("What about")
    expect(select.locator("option")).to_have_count(2)
    person.reach(select)
    keys.type("Ask what")  # chooses the weather
    keys.press("Tab")
    keys.press("Enter")
    person.reach(person.button("I agree and want"))
    keys.press("Enter")
    expect(person.field).to_be_focused()
    expect(page.locator(".task-text")).to_contain_text("weather")
    keys.type("The weather in Velmora on Monday?")
    keys.press("Enter")
    expect(person.lines.nth(1)).to_be_visible()
    page.reload()  # goes on where it was
    expect(person.lines.nth(1)).to_be_visible()
    person.my_turn()
    person.reach(person.button("Good").first)
    keys.press("Enter")
    expect(person.button("Good").first).to_have_attribute("aria-pressed", "true")
    person.reach(person.button("I have finished talking"))
    keys.press("Enter")
    expect(person.button("Hand in")).to_contain_text("answered")
    person.reach(person.button("Hand in"))
    keys.press("Enter")
    person.shows("Thank you, you are done")
    expect(page.get_by_text("code", exact=False)).to_have_count(0)
    expect(page.locator(".notice")).to_contain_text("your task asks")
    person.reach(person.button("New conversation"))
    keys.press("Enter")
    expect(select).to_be_visible()
    person.button("Start").click()  # who has agreed is not asked again
    person.my_turn()
    expect(person.lines).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_can_be_read(client: httpx.Client, people: People, scheme: str) -> None:
    person = people(str(client.base_url), color_scheme=scheme, reduced_motion="reduce")
    page = person.page
    page.set_viewport_size(NARROW)
    expect(page.locator("option")).to_have_count(2)

    def readable() -> None:
        assert violations(page) == []
        assert page.evaluate(FAINT) == []
        assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]

    readable()
    person.button("Start").click()
    expect(person.button("I agree and want")).to_be_visible()
    readable()
    person.button("I agree and want").click()
    person.my_turn()
    person.field.fill("Hello, I need a room.")
    person.button("Send").click()
    expect(person.lines.nth(1)).to_be_visible()
    person.my_turn()
    person.button("I have finished talking").click()
    person.button("Hand in").click()
    expect(page.locator(".notice")).to_contain_text("not as your task asks")
    expect(page.locator("dt")).to_have_text(["Was changed", "Was to be changed"])
    readable()


def test_the_page_says_that_the_bot_has_failed(people: People) -> None:
    settings = ChatSettings(tasks=("weather",), agent="http:http://127.0.0.1:9/", goal="hidden")
    with served_chats(":memory:", settings) as client:
        person = people(str(client.base_url))
        begin(person)
        expect(person.page.locator(".task-text")).to_contain_text("what you like")
        person.field.fill("Hello")
        person.button("Send").click()
        expect(person.page.get_by_role("alert")).to_contain_text("has failed")
