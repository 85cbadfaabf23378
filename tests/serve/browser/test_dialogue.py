"""Two people, from the link to the code."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from dialoom.collect.export import Collected
from dialoom.collect.settings import Settings
from dialoom.dialogue import Query, Selection, Utterance
from tests.serve.browser.person import People, Person, pair, talk_until_done
from tests.serve.served import Served, served

pytestmark = pytest.mark.browser

ASKED = {"Time": "7 pm", "PartySize": "4", "CustomerName": "Ruth <b>Okonjo</b>"}


def ask(wizard: Person) -> None:
    """Ask the knowledge base for a table, or a room."""
    form = wizard.page.locator("form", has=wizard.button("Ask the knowledge base"))
    for choice in form.locator("select[data-field]").all():
        choice.select_option(index=1)
    for entry in form.locator("input[data-field]:not([type=radio])").all():
        name = str(entry.get_attribute("data-field"))
        entry.fill(ASKED.get(name, "May 6" if "Date" in name else "4"))
    form.get_by_label("Check").check()
    wizard.button("Ask the knowledge base").click()


def test_a_dialogue_of_one_task_to_the_end(people: People, study: Served) -> None:
    user, wizard = pair(people, study)
    expect(user.page.locator(".task-text")).not_to_be_empty()
    user.say("Hi, <b>I</b> need something.")
    expect(wizard.lines.last).to_have_text("Hi, <b>I</b> need something.")

    ask(wizard)
    expect(wizard.page.locator(".item.primary")).to_have_count(1)
    expect(wizard.page.locator(".flow .current")).to_have_count(1)
    replies = wizard.suggest("what is your name")
    choice = replies.nth(1).locator(".text").inner_text().split("\n")[0]
    off_flow = "off the flow" in replies.nth(1).inner_text()
    wizard.page.keyboard.press("2")
    if off_flow:
        wizard.button("Send it all the same").click()
    expect(user.lines.last).to_have_text(choice)

    talk_until_done(user, wizard)
    expect(user.accomplished).to_have_attribute("aria-disabled", "false")
    user.finish()
    user.answer("<script>alert(1)</script>")
    wizard.answer()
    assert user.code() != wizard.code()

    [dialogue] = Collected(study.opened.store).dialogues()
    texts = [e.text for e in dialogue.events if isinstance(e, Utterance)]
    assert texts[:2] == ["Hi, <b>I</b> need something.", choice]
    assert sum(isinstance(e, Query) for e in dialogue.events) == 1


def test_a_dialogue_of_several_tasks_to_the_end(people: People, tmp_path: Path) -> None:
    several = Settings(tasks=("restaurant_book", "hotel_book"), scenario="multi", scenarios=4)
    with served(tmp_path / "several.sqlite", several) as study:
        user, wizard = pair(people, study)
        user.say("A table and a room, please.")
        tabs = wizard.page.get_by_role("tab")
        expect(tabs).to_have_count(2)
        expect(wizard.page.get_by_role("tab", selected=True)).to_have_count(0)
        for place in (0, 1):
            tabs.nth(place).click()
            expect(tabs.nth(place)).to_have_attribute("aria-selected", "true")
            expect(wizard.page.locator(".chart .flow")).to_be_visible()
        expect(wizard.suggest("hello")).to_have_count(6)  # more where there are several tasks
        wizard.page.keyboard.press("Escape")
        expect(wizard.field).to_be_focused()
        wizard.say("Which one first?")
        talk_until_done(user, wizard)
        user.finish()
        user.answer()
        wizard.answer("All went well.")
        user.code()
        wizard.code()
        [dialogue] = Collected(study.opened.store).dialogues()
    turned = [e.task for e in dialogue.events if isinstance(e, Selection) and e.kind == "task"]
    assert len(set(turned)) == 2


def test_a_wizard_changes_a_suggested_reply(people: People, study: Served) -> None:
    user, wizard = pair(people, study)
    user.say("Hello")
    replies = wizard.suggest("hello")
    expect(replies).to_have_count(3)
    offered = replies.first.locator(".text").inner_text().split("\n")[0]
    wizard.page.keyboard.press("e")
    expect(wizard.field).to_have_value(offered)
    expect(wizard.field).to_be_focused()
    wizard.field.press("End")
    wizard.page.keyboard.type(" Welcome!")
    wizard.page.keyboard.press("Control+Enter")
    expect(user.lines.last).to_have_text(f"{offered} Welcome!")
    user.say("Thanks")
