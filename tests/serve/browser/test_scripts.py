"""Whatever people type is text: a script in every field, on every page that shows it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dialoom.collect.settings import Settings
from tests.serve.browser.person import People, Person, talk
from tests.serve.served import served

pytestmark = pytest.mark.browser

PURPOSE = "<b>why</b>"
EVIL = '<script>window.taken=1</script><img src=x onerror="window.taken=1">'
WORKER = "<img src=x onerror=window.taken=1>"


def harmless(*pages: Page) -> None:
    for page in pages:
        assert page.evaluate("window.taken") is None
        expect(page.locator("img, body script:not([src])")).to_have_count(0)


def test_scripts_are_text(people: People, tmp_path: Path) -> None:
    settings = Settings(
        tasks=("restaurant_book",), name=EVIL, purpose=PURPOSE + EVIL, scenarios=4, guard="reason"
    )
    with served(tmp_path / "evil.sqlite", settings) as study:
        user, wizard = people(study.link("user")), people(study.link("wizard"))
        user.page.get_by_label("Your participant id").fill(WORKER)
        user.join()
        expect(user.page.get_by_text(PURPOSE + EVIL)).to_be_visible()
        expect(user.page.get_by_role("banner")).to_contain_text(EVIL)
        user.agree().button("I am ready").click()
        wizard.wait().seated()
        user.seated().say(EVIL)
        expect(wizard.lines.last).to_have_text(EVIL)
        _asks(wizard)
        _strays(wizard, user)
        user.say("Go on.")
        wizard.say(EVIL, EVIL)
        expect(user.lines.last).to_have_text(EVIL)
        harmless(user.page, wizard.page)

        talk(user, wizard, 2, EVIL)
        user.finish()
        user.answer(EVIL)
        wizard.answer(EVIL)
        user.code()
        wizard.code()
        _reviewed(people(f"{study.base}/admin#{study.signer.admin_token()}"))
        harmless(user.page, wizard.page)


def _asks(wizard: Person) -> None:
    """Put a script into every field of the form that takes a text."""
    form = wizard.page.locator("form", has=wizard.button("Ask the knowledge base"))
    form.locator("select").select_option(index=1)
    form.locator('[data-field="Time"]').fill(EVIL)
    form.locator('[data-field="PartySize"]').fill("4")
    form.locator('[data-field="CustomerName"]').fill(EVIL)
    form.get_by_label("Check").check()
    wizard.button("Ask the knowledge base").click()
    expect(form.get_by_role("alert")).to_be_visible()  # not a time
    form.locator('[data-field="Time"]').fill("7 pm")
    wizard.button("Ask the knowledge base").click()
    expect(wizard.page.locator(".aside").first).to_contain_text(EVIL)
    expect(wizard.page.locator(".item")).to_contain_text(EVIL)


def _strays(wizard: Person, user: Person) -> None:
    """Ask for replies to a script, and give one as the reason for a reply off the flow."""
    stray = wizard.suggest(f"{EVIL} is that all").filter(has_text="off the flow").first
    stray.click()
    wizard.page.locator("#reason").fill(EVIL)
    wizard.button("Send it all the same").click()
    user.my_turn()


def _reviewed(admin: Person) -> None:
    """Look at all of it as the admin, and reject with a script."""
    page = admin.page
    expect(page.get_by_role("banner")).to_contain_text(EVIL)
    admin.turn_to("Figures")
    expect(page.locator(".comments").get_by_text(EVIL)).to_have_count(2)
    admin.turn_to("Review")
    read = page.get_by_role("article", name=WORKER)
    expect(read.locator(".aside", has_text="Query")).to_contain_text(f"CustomerName is {EVIL}")
    expect(read.locator(".aside", has_text="Against the flow").first).to_contain_text(EVIL)
    expect(read.locator(".bubble").first).to_have_text(EVIL)
    read.get_by_label("Reason").fill(EVIL)
    read.get_by_role("button", name="Reject").click()
    admin.turn_to("Pay")
    page.get_by_text("Ledger: ").click()
    expect(page.get_by_role("cell", name=EVIL)).to_be_visible()
    harmless(page)
