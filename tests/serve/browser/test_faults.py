"""What can go wrong before and beside a dialogue: each page says what to do next."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from dialoom.collect.settings import Settings
from tests.serve.browser.person import People, Person, pair
from tests.serve.page import say
from tests.serve.served import Served, served

pytestmark = pytest.mark.browser

JOINING = "**/api/join/**"


def gone(route: Route) -> None:
    route.abort("connectionrefused")


def test_a_server_that_is_away_is_asked_again(people: People, study: Served) -> None:
    user = people(study.link("user"))
    user.page.clock.install()
    user.page.route(JOINING, gone)
    user.join()
    problem = user.page.get_by_role("alert")
    expect(problem).to_contain_text("The server cannot be reached.")
    expect(user.page.get_by_text("Trying again in")).to_be_visible()
    user.page.unroute(JOINING)
    user.page.clock.run_for(6000)
    user.shows("Take part in a dialogue study")


def test_a_full_study(people: People, tmp_path: Path) -> None:
    settings = Settings(tasks=("restaurant_book",), scenarios=1, target=1)
    with served(tmp_path / "small.sqlite", settings) as study:
        first, second = study.pair()
        say(first, "Hello")
        late = people(study.link("user")).join()
        late.shows("The study is full")
        expect(late.page.get_by_text("Please return the assignment")).to_be_visible()
        late.complaints.clear()  # the browser tells of the 403
        assert second.state["step"] == "room"


ELSEWHERE = """
    window.calls = [];
    document.hasFocus = () => window.focused ?? false;
    window.Notification = class {
        static permission = "granted";
        constructor(title, { body }) { calls.push(title, body); }
        close() { calls.push("closed"); }
    };
    const create = AudioContext.prototype.createGain;
    AudioContext.prototype.createGain = function () {
        calls.push("sound");
        return create.call(this);
    };
"""
"""Has a page believe that its window is not looked at, and notes what it does to be."""


def test_a_session_that_is_forgotten_joins_again_and_who_looks_elsewhere_is_called(
    people: People, study: Served
) -> None:
    user = people(study.link("user"))
    user.context.add_init_script(ELSEWHERE)
    pages: list[Route] = []  # of the dialogue, which may come after the call
    user.page.route("**/pages/user.js", lambda route: pages.append(route))
    user.page.reload()
    user.join().agree()
    expect(user.page.get_by_label("Alert me with a sound")).to_be_checked()
    user.button("I am ready").click()
    user.shows("We are looking for a partner")
    study.page("wizard").wait().until_step("room")
    expect(user.page).to_have_title("Your dialogue is starting")
    pages.pop().continue_()
    user.seated()
    expect(user.page).to_have_title("Your dialogue is starting")
    calls = [
        "sound",
        "Your dialogue is starting",
        "Your dialogue is open. Please come back to its page.",
    ]
    assert user.page.evaluate("calls") == calls
    user.page.evaluate("window.focused = true; void dispatchEvent(new Event('focus'))")
    expect(user.page).to_have_title("Your turn · Dialogue")
    assert user.page.evaluate("calls") == [*calls, "closed"]
    user.context.clear_cookies()
    user.page.unroute("**/pages/user.js")
    user.page.reload()
    user.seated()


def test_an_invite_whose_browser_forgot_everything(people: People, study: Served) -> None:
    user = people(study.invite("user")).wait()
    user.shows("We are looking for a partner")
    user.context.clear_cookies()
    user.page.evaluate("localStorage.clear()")
    user.page.reload()
    user.join().shows("This invitation has been used")
    expect(user.page.get_by_role("alert")).to_contain_text("It works once.")
    user.complaints.clear()  # the browser tells of the 403


def test_a_script_that_does_not_load(people: People, study: Served) -> None:
    wizard = people(study.link("wizard"))
    wizard.page.route("**/pages/wizard.js", gone)
    wizard.wait()
    study.page("user").wait()
    fault = wizard.page.get_by_role("alert").filter(has_text="Something went wrong on this page")
    expect(fault).to_contain_text("Everything that you sent is stored.")
    wizard.complaints.clear()
    wizard.page.unroute("**/pages/wizard.js")
    wizard.button("Load the page again").click()
    wizard.seated()


def test_a_page_that_cannot_be_drawn(people: People, study: Served) -> None:
    user = people(study.link("user"))
    user.wait().shows("We are looking for a partner")
    user.page.evaluate("void (matchMedia = () => { throw new Error('odd') })")
    study.page("wizard").wait()
    user.shows("Something went wrong on this page")
    expect(user.page.get_by_text("Error: odd")).to_be_visible()
    user.complaints.clear()
    user.button("Load the page again").click()
    user.seated()


def test_no_code_is_lost_by_going_on(people: People, study: Served) -> None:
    user = people(study.link("user")).wait()
    codes = []
    for _ in range(2):
        user.button("Stop waiting and be paid").click()
        user.page.locator("dialog").get_by_role("button", name="Stop waiting").click()
        user.shows("No dialogue started")
        codes.append(user.page.locator(".code").inner_text())
        if len(codes) == 1:
            user.button("Start the next part").click()
            user.button("I am ready").click()
    assert len(set(codes)) == 2
    user.page.get_by_text("Codes of earlier parts (1)").click()
    expect(user.page.get_by_text(codes[0])).to_be_visible()
    user.page.reload()
    user.page.get_by_text("Codes of earlier parts (1)").click()
    expect(user.page.get_by_text(codes[0])).to_be_visible()


def test_a_server_that_stays_away_longer_than_the_seat(people: People, study: Served) -> None:
    user, _ = pair(people, study)
    user.page.clock.install()
    user.page.reload()  # for the timers that it has already
    user.seated().context.set_offline(True)
    user.page.evaluate("dispatchEvent(new Event('offline'))")
    _silent(user, 30)
    expect(user.alerts).to_contain_text("Your place is kept for")
    user.page.clock.run_for(70_000)
    expect(user.alerts).to_contain_text("it shows your place and your code")
    user.context.set_offline(False)


def test_failures_of_the_dashboard_stay_visible(people: People, study: Served) -> None:
    say(study.pair()[0], "Hello")
    admin = people(f"{study.base}/admin#{study.signer.admin_token()}")
    admin.button("End", exact=True).click()
    admin.page.route("**/end", gone)
    admin.page.locator("dialog").get_by_role("button", name="End").click()
    alert = admin.page.get_by_role("alert")
    expect(alert).to_have_text("The server cannot be reached.")
    with admin.page.expect_response("**/api/admin/dashboard"):
        pass
    expect(alert).to_have_text("The server cannot be reached.")
    admin.page.unroute("**/end")
    admin.button("End", exact=True).click()
    admin.page.locator("dialog").get_by_role("button", name="End").click()
    expect(admin.page.get_by_text("No unit is under way.")).to_be_visible()
    expect(alert).to_have_text("")
    admin.complaints.clear()


def _silent(user: Person, seconds: int) -> None:
    """Let so much time pass that a silent line counts as broken."""
    user.page.clock.run_for(seconds * 1000)
