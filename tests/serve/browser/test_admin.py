"""The admin's page: reading along, reviewing, ending, inviting, exporting."""

from __future__ import annotations

import zipfile

import pytest
from playwright.sync_api import expect

from tests.serve.browser.person import People, pair, talk_until_done
from tests.serve.served import Served

pytestmark = pytest.mark.browser


def test_the_token_is_asked_for(people: People, study: Served) -> None:
    admin = people(f"{study.base}/admin")
    admin.shows("Log in as admin")
    admin.page.get_by_label("Token").fill("guessed")
    admin.button("Log in").click()
    expect(admin.page.get_by_role("alert")).to_have_text("This is not the token of this study.")
    admin.complaints.clear()  # the browser tells of the 401
    admin.page.get_by_label("Token").fill(study.signer.admin_token())
    admin.button("Log in").click()
    expect(admin.page.locator("#live")).to_be_visible()


def test_a_study_from_the_dashboard(people: People, study: Served) -> None:
    user, wizard = pair(people, study)
    waiting = people(study.link("user")).wait()
    waiting.shows("We are looking for a partner")
    user.say("<img src=x onerror=alert(1)>")

    admin = people(f"{study.base}/admin#{study.signer.admin_token()}")
    board = admin.page
    expect(board.locator("#live")).to_contain_text("Nobody else waits.")
    assert study.signer.admin_token() not in board.url
    admin.button("Read along").click()
    expect(board.locator("dialog .bubble")).to_have_text(["<img src=x onerror=alert(1)>"])
    wizard.say("Good morning")
    expect(board.locator("dialog .bubble").last).to_have_text("Good morning")
    board.keyboard.press("Escape")

    talk_until_done(user, wizard)
    user.finish()
    user.answer("a comment of the user")
    wizard.answer()
    user.code()
    wizard.code()
    admin.turn_to("Figures")
    expect(board.locator("#figures")).to_contain_text("a comment of the user")
    admin.turn_to("Review")
    expect(board.locator(".queue li")).to_have_count(2)
    first = board.locator("#review article")
    first.get_by_role("button", name="Reject").click()
    expect(first.get_by_role("alert")).to_have_text("Please say why.")
    first.get_by_role("group").first.get_by_role("button", name="4").click()
    first.get_by_role("button", name="Accept").click()
    expect(board.locator(".queue li")).to_have_count(1)
    admin.turn_to("Pay")
    expect(board.locator("#pay")).to_contain_text("Payments1$1.00")
    admin.turn_to("Settings")
    expect(board.get_by_role("row", name="Approved work, %")).to_contain_text("not checked")

    with board.expect_download() as download:
        board.get_by_role("link", name="STAR JSON").click()
    with zipfile.ZipFile(download.value.path()) as packed:
        assert any(name.endswith("dialogues/1.json") for name in packed.namelist())

    admin.turn_to("Links")
    admin.button("Make links").click()
    [invite] = board.get_by_label("1 new links").input_value().split()
    invited = people(invite).join()
    expect(invited.button("I agree and want to take part")).to_be_visible()
    late = people(invite).join()
    expect(late.page.get_by_role("alert")).to_contain_text("It works once.")
    late.complaints.clear()  # the browser tells of the 403


def test_a_unit_gets_a_notice_and_is_ended(people: People, study: Served) -> None:
    user, wizard = pair(people, study)
    user.say("Hello")
    admin = people(f"{study.base}/admin#{study.signer.admin_token()}")
    admin.button("Read along").click()
    dialog = admin.page.get_by_role("dialog", name="Unit 1")
    for to, text in (("User", "Please <b>hurry</b>."), ("everybody in it", "We end soon.")):
        dialog.get_by_label("Write to").select_option(to)
        dialog.get_by_label("Message").fill(text)
        dialog.get_by_label("Message").press("Enter")
        expect(dialog.get_by_label("Message")).to_have_value("")
        expect(dialog.locator(".aside", has_text=text)).to_be_visible()
    expect(user.alerts).to_contain_text("Please <b>hurry</b>.")
    expect(wizard.alerts).to_contain_text("We end soon.")
    expect(wizard.alerts).not_to_contain_text("hurry")
    expect(user.lines).to_have_text(["Hello"])
    for left in (1, 0):
        user.button("I have read it").first.click()
        expect(user.button("I have read it")).to_have_count(left)
    user.page.reload()
    expect(user.lines).to_have_text(["Hello"])
    expect(user.alerts).to_have_text("")
    admin.page.keyboard.press("Escape")
    admin.button("End", exact=True).click()
    admin.page.locator("dialog").get_by_role("button", name="End").click()
    user.shows("The dialogue was ended")
    wizard.shows("The dialogue was ended")
    expect(admin.page.get_by_text("No unit is under way.")).to_be_visible()
