"""A served agent's page in a real browser: by keyboard, narrow and dark, as axe sees it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future

import httpx
import pytest
from playwright.sync_api import expect

from dialoom.collect.log.store import Store, StoreFailed
from dialoom.serve.chat.settings import ChatSettings
from tests.serve.browser.conftest import People
from tests.serve.browser.scenes import NARROW
from tests.serve.browser.test_axe import FAINT, violations
from tests.serve.chat.served import served_chats

pytestmark = pytest.mark.browser

SETTINGS = ChatSettings(tasks=("hotel_book", "weather"), seed=7)


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with served_chats(":memory:", SETTINGS) as client:
        yield client


def test_by_keyboard_from_the_beginning_to_the_rating(client: httpx.Client, people: People) -> None:
    person = people(str(client.base_url))
    page = person.page
    keys = page.keyboard
    select = page.get_by_label("What about")
    expect(select.locator("option")).to_have_count(2)
    keys.press("Tab")
    expect(select).to_be_focused()
    keys.type("Ask what")  # chooses the weather
    keys.press("Tab")
    keys.press("Enter")
    field = page.get_by_label("Your message")
    expect(field).to_be_focused()
    keys.type("The weather in Velmora on Monday?")
    keys.press("Enter")
    bubbles = page.locator(".lines .bubble")
    expect(bubbles.nth(1)).to_be_visible()
    expect(field).to_be_focused()
    expect(field).to_have_value("")
    keys.press("Shift+Tab")  # the last answer's verdicts stand before the field
    keys.press("Shift+Tab")
    keys.press("Enter")
    good = page.get_by_role("button", name="Good", exact=True).last
    expect(good).to_have_attribute("aria-pressed", "true")
    page.reload()  # goes on where it stood
    expect(bubbles.nth(1)).to_be_visible()
    expect(good).to_have_attribute("aria-pressed", "true")
    expect(field).to_be_focused()
    keys.type("Good to know. No, that was my only question.")
    keys.press("Enter")
    expect(field).to_have_value("")
    expect(bubbles.nth(3)).to_be_visible()
    end = page.get_by_role("button", name="End and rate")
    person.reach(end, "Shift+Tab")  # past the messages and their verdicts
    keys.press("Enter")
    expect(page.get_by_role("heading", name="How did it go?")).to_be_focused()
    keys.press("Tab")
    keys.press("Space")
    keys.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("Please answer both questions.")
    expect(page.get_by_label("Yes")).to_be_focused()
    keys.press("Space")
    keys.press("Enter")
    expect(page.get_by_role("heading", name="Thank you")).to_be_focused()
    expect(page.locator(".said")).to_have_text("You gave 1 of 5, and got what you wanted.")
    expect(page.locator(".notice")).to_contain_text("as your task asks")
    page.get_by_role("button", name="New conversation").click()
    expect(select).to_be_visible()


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
    page.get_by_role("button", name="Start").click()
    person.field.fill("Hello, I need a room.")
    page.get_by_role("button", name="Send").click()
    expect(person.lines.nth(1)).to_be_visible()
    readable()
    page.get_by_role("button", name="End and rate").click()
    expect(page.get_by_role("heading", name="How did it go?")).to_be_visible()
    readable()
    page.locator(".scale label").nth(2).click()
    page.get_by_label("No", exact=True).check()
    page.get_by_role("button", name="Send the rating").click()
    expect(page.locator(".notice")).to_contain_text("does not stand as your task asks")
    expect(page.locator("dt")).to_have_text(["Was changed", "Was to be changed"])
    readable()


def test_what_is_not_kept_can_be_sent_again(
    client: httpx.Client, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = people(str(client.base_url))
    page = person.page
    page.get_by_role("button", name="Start").click()
    person.field.fill("Hello")
    failed: Future[None] = Future()
    failed.set_exception(StoreFailed("no space left on device"))
    with monkeypatch.context() as full:
        full.setattr(Store, "submit", lambda store, change: failed)
        page.get_by_role("button", name="Send").click()
        expect(page.locator("#turn")).to_contain_text("Nothing can be kept now")
        expect(person.field).to_have_value("Hello")
    page.get_by_role("button", name="Send").click()
    expect(person.lines.nth(1)).to_be_visible()
    expect(person.lines.first).to_have_text("Hello")
    person.complaints.clear()  # the browser says itself that the server answered 503


def test_the_page_says_that_the_agent_has_failed(people: People) -> None:
    settings = ChatSettings(tasks=("weather",), agent="http:http://127.0.0.1:9/")
    with served_chats(":memory:", settings) as client:
        person = people(str(client.base_url))
        page = person.page
        page.get_by_role("button", name="Start").click()
        person.field.fill("Hello")
        page.get_by_role("button", name="Send").click()
        expect(page.locator("#turn")).to_contain_text("has failed")
        person.complaints.clear()  # the browser says itself that the server answered 502


def test_what_is_typed_is_not_cut_and_not_lost(client: httpx.Client, people: People) -> None:
    person = people(str(client.base_url))
    page = person.page
    page.get_by_role("button", name="Start").click()
    long = "好" * 2001
    person.field.fill(long)
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#turn")).to_contain_text("this one has 2,001")
    page.get_by_role("button", name="End and rate").click()
    page.get_by_role("button", name="Back to the conversation").click()
    expect(person.field).to_have_value(long)
    person.field.fill(long[1:])
    page.get_by_role("button", name="Send").click()
    expect(person.lines.first).to_have_text(long[1:])
    person.complaints.clear()  # the browser says itself that the server answered 400
