"""Who goes to another address in the same tab, with the browser's back/forward cache on."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.serve.browser.person import Person
from tests.serve.served import Served

pytestmark = pytest.mark.browser

DISABLING = "--disable-back-forward-cache"
"""What launchers of tests add, and people's browsers do not have."""


@pytest.fixture
def caching(chromium: Browser) -> Iterator[Browser]:
    """A browser that keeps pages for a way back, as people's do; without windows none is kept."""
    browser = chromium.browser_type.launch(
        executable_path=shutil.which("chromium"),
        args=["--no-sandbox"],
        ignore_default_args=[DISABLING],
    )
    yield browser
    browser.close()


def test_the_partner_hears_at_once_and_the_way_back_leads_to_the_seat(
    caching: Browser, study: Served
) -> None:
    user = Person(caching, study.link("user")).wait()
    wizard = study.page("wizard").wait()
    wizard.until_step("room")
    user.seated().say("Hello")
    wizard.until_turn()
    user.page.evaluate("window.before = true")
    user.page.goto(f"{study.base}/pages/icon.svg")
    wizard.until(lambda frame: frame["type"] == "presence" and frame["partner"] == "away")
    user.page.go_back(wait_until="commit")
    wizard.until(lambda frame: frame["type"] == "presence" and frame["partner"] == "here")
    assert user.page.evaluate("window.before"), "the page was loaded anew: this browser keeps none"
    expect(user.lines.last).to_have_text("Hello")
    wizard.do("say", text="You are back!")
    expect(user.lines.last).to_have_text("You are back!")
    user.say("So I am.")
    assert not [line for line in user.complaints if "404" not in line]  # the other page has no icon
