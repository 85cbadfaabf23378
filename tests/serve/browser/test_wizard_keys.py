"""A wizard's whole turn without a mouse: a task's tab, query, items, reply, the guard's dialog."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from dialoom.collect.settings import Settings
from tests.serve.browser.person import People
from tests.serve.served import Served, served

pytestmark = pytest.mark.browser


@pytest.fixture
def several(tmp_path: Path) -> Iterator[Served]:
    settings = Settings(
        tasks=("restaurant_book", "weather"), scenario="multi", scenarios=4, seed=3, guard="reason"
    )
    with served(tmp_path / "several.sqlite", settings) as study:
        yield study


def test_a_turn_by_keyboard_alone(people: People, several: Served) -> None:
    user = several.page("user").wait()
    wizard = people(several.link("wizard"))
    page, keys = wizard.page, wizard.page.keyboard
    for name in ("Continue", "I agree and want to take part", "I am ready"):
        wizard.reach(wizard.button(name))
        keys.press("Enter")
    user.until_step("room")
    user.do("say", text="Is it going to rain?")
    wizard.my_turn()
    expect(wizard.field).to_be_focused()

    keys.type("Hello!")
    keys.press("Enter")
    expect(page.get_by_text("Choose a task first.")).to_be_visible()
    wizard.field.clear()
    wizard.reach(page.get_by_role("tab").first)
    weather = page.get_by_role("tab", name="Weather")
    keys.press("ArrowRight")
    if not weather.evaluate("element => element === document.activeElement"):
        keys.press("ArrowRight")
    expect(weather).to_be_focused()
    keys.press("Enter")
    expect(weather).to_have_attribute("aria-selected", "true")

    for field in ("City", "Day"):
        wizard.reach(page.locator(f'select[data-field="{field}"]'))
        keys.press("ArrowDown")
    wizard.reach(wizard.button("Ask the knowledge base"))
    keys.press("Enter")
    expect(page.locator(".item.primary")).to_have_count(1)
    wizard.reach(page.locator(".item").get_by_role("button", name="Secondary"))
    keys.press("Space")
    expect(page.locator(".item [aria-pressed=true]")).to_have_count(2)

    wizard.reach(wizard.field, "Shift+Tab")
    keys.type("goodbye")
    keys.press("Enter")
    replies = page.locator("button.reply")
    expect(replies.first).to_be_focused()
    stray = replies.filter(has_text="off the flow").first
    wizard.reach(stray, "ArrowDown")
    text = stray.locator(".text").inner_text().split("\n")[0]
    keys.press("Enter")
    expect(page.get_by_role("dialog", name="Off the flow")).to_be_visible()
    wizard.reach(page.get_by_label("Why does this reply fit better?"))
    keys.type("They are in a hurry.")
    wizard.reach(wizard.button("Send it all the same"))
    keys.press("Enter")
    expect(wizard.lines.last).to_have_text(text)
    while len(user.said()) < 2:
        user.receive()
    assert user.said()[-1] == text


def test_what_is_missing_gets_the_focus(people: People, study: Served) -> None:
    user = study.page("user").wait()
    wizard = people(study.link("wizard")).wait().seated()
    user.until_step("room")
    user.do("say", text="Hello")
    wizard.my_turn()
    wizard.reach(wizard.button("Ask the knowledge base"))
    wizard.page.keyboard.press("Enter")
    expect(wizard.page.get_by_text("Please fill in the marked fields.")).to_be_visible()
    expect(wizard.page.locator("[data-field]").first).to_be_focused()
    expect(wizard.page.locator("[data-field]").first).to_have_attribute("aria-invalid", "true")
    wizard.page.keyboard.press("Escape")
    expect(wizard.field).to_be_focused()
    # what comes next is taken from there, and people read its words, no labels
    following = wizard.page.locator(".chart .next")
    button = following.get_by_role("button").first
    expect(following.locator("code")).to_have_count(0)
    button.click()
    expect(wizard.field).not_to_have_value("")
    expect(wizard.page.locator("button.reply").first).to_be_focused()
    expect(wizard.page.locator("button.reply").filter(has_text="_")).to_have_count(0)
