"""Reloads, other tabs, a dying server, partners who go, and those who say nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.serve.browser.person import People, pair
from tests.serve.served import Command, Served, command

pytestmark = pytest.mark.browser


def later(study: Served, seconds: int) -> None:
    """Let time pass in steps: a longer one is an outage of the server's own."""
    for _ in range(0, seconds, 20):
        study.tick(20)


def test_a_reload_loses_nothing(people: People, study: Served) -> None:
    user, wizard = pair(people, study)
    user.say("one")
    wizard.say("two")
    user.my_turn()
    user.field.fill("a draft")
    user.page.reload()
    expect(user.lines).to_have_text(["one", "two"])
    expect(user.field).to_have_value("a draft")
    wizard.page.reload()
    expect(wizard.lines).to_have_text(["one", "two"])
    user.say("three")
    expect(wizard.lines).to_have_text(["one", "two", "three"])


def test_one_tab_at_a_time(people: People, study: Served) -> None:
    user, wizard = pair(people, study)
    first, second = user.page, user.tab()
    expect(second.locator("#say")).to_be_visible()
    user.shows("Open in another tab")
    user.page = second
    user.say("from the second")
    user.page = first
    user.button("Continue in this tab").click()
    expect(second.get_by_role("heading", name="Open in another tab")).to_be_visible()
    expect(user.lines).to_have_text(["from the second"])
    wizard.say("hello")
    user.say("from the first")
    expect(wizard.lines).to_have_text(["from the second", "hello", "from the first"])


@pytest.fixture
def start() -> Iterator[Callable[..., Command]]:
    """Start the command; whatever runs is killed at the end."""
    with ExitStack() as ends:

        def started(*arguments: str | Path | int, fault: str = "") -> Command:
            server = command(*arguments, fault=fault)
            ends.callback(server.kill)
            return server

        yield started


def test_the_server_is_killed_in_mid_send(
    people: People, tmp_path: Path, start: Callable[..., Command]
) -> None:
    db = tmp_path / "study.sqlite"
    first = start("--tasks", "restaurant_book", "--db", db, "--port", 0)
    user, wizard = people(first.user).wait(), people(first.wizard).wait()
    user.seated().say("before")
    wizard.seated().say("an answer")
    user.my_turn()
    user.field.fill("into the dying server")
    first.kill()
    user.field.press("Enter")
    expect(user.page.locator(".fate")).to_be_visible()
    expect(user.alerts).to_contain_text("The connection is lost")
    expect(user.alerts).to_contain_text("Your place is kept for")
    dying = start("--db", db, "--port", first.port, fault="after_commit:1")
    dying.process.wait(60)
    start("--db", db, "--port", first.port)
    texts = ["before", "an answer", "into the dying server"]
    expect(user.lines).to_have_text(texts)
    expect(wizard.lines).to_have_text(texts)
    wizard.say("it arrived")
    expect(user.lines.last).to_have_text("it arrived")
    expect(user.page.locator(".fate")).to_have_count(0)


def test_a_partner_who_leaves(people: People, study: Served) -> None:
    user, wizard = pair(people, study)
    user.say("Hello")
    wizard.button("Leave the dialogue").click()
    wizard.page.locator("dialog").get_by_role("button", name="Leave the dialogue").click()
    wizard.shows("You have left")
    user.shows("We are looking for a new dialogue")
    other = people(study.link("wizard")).wait().seated()
    user.seated().say("Hello again")
    expect(other.lines).to_have_text(["Hello again"])


def test_a_partner_who_is_lost(people: People, study: Served) -> None:
    user, wizard = pair(people, study)
    user.say("Hello")
    wizard.page.close()
    expect(user.alerts).to_contain_text("The assistant has lost the connection. We wait for")
    later(study, 80)
    user.shows("We are looking for a new dialogue")


def test_whoever_says_nothing_gets_an_idle_warning_and_then_the_room_ends(
    people: People, study: Served
) -> None:
    user, wizard = pair(people, study)
    later(study, 100)
    expect(user.alerts).to_contain_text("The assistant is waiting for your message.")
    expect(wizard.alerts).to_have_text("")
    later(study, 220)
    user.shows("The dialogue was ended")
    wizard.shows("We are looking for a new dialogue")


def test_waiting_in_vain_is_paid(people: People, study: Served) -> None:
    user = people(study.link("user")).wait()
    user.shows("We are looking for a partner")
    expect(user.page.get_by_text("Nobody else is ready yet.")).to_be_visible()
    later(study, 120)
    user.button("Stop waiting and be paid").click()
    user.page.locator("dialog").get_by_role("button", name="Stop waiting and be paid").click()
    expect(user.page.locator(".code")).to_be_visible()
    expect(user.page.get_by_role("row", name="Waiting")).to_contain_text("$0.3")
