"""Frames' set-up: a search over every field of the packages, a rating by the user at the end."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from dialoom import formats
from dialoom.collect.export import export
from dialoom.collect.settings import Settings
from dialoom.dialogue import Query
from tests.serve.browser.person import People, Person, pair, talk_until_done
from tests.serve.served import served

pytestmark = pytest.mark.browser


def search(wizard: Person, **wanted: str) -> None:
    """Fill the search in, and ask."""
    form = wizard.page.locator("form", has=wizard.button("Ask the knowledge base"))
    for field, text in wanted.items():
        entry = form.locator(f'[data-field="{field}"]')
        if entry.evaluate("element => element.tagName") == "SELECT":
            entry.select_option(text)
        else:
            entry.fill(text)
    wizard.button("Ask the knowledge base").click()


def test_a_journey_is_found_and_rated(people: People, tmp_path: Path) -> None:
    settings = Settings(tasks=("packages",), scenarios=4, seed=3)
    with served(tmp_path / "journeys.sqlite", settings) as study:
        user, wizard = pair(people, study)
        user.say("We want to travel.")
        fields = wizard.page.locator("[data-field]")
        expect(fields).not_to_have_count(0)
        names = {str(field.get_attribute("data-field")) for field in fields.all()}
        assert len(names) > 10, names
        search(wizard)
        expect(wizard.page.locator(".item.primary")).to_have_count(1)
        count = wizard.page.locator(".item").count()
        assert count > 1, "a search lists several packages"
        other = wizard.page.locator(".item:not(.primary)").first
        other.get_by_role("button", name="Secondary").click()
        expect(wizard.page.locator(".item [aria-pressed=true]")).to_have_count(2)
        wizard.say("Here is what I found.")
        talk_until_done(user, wizard)
        user.finish()
        user.answer("A fine trip.")
        wizard.answer()
        user.code()
        wizard.code()
        export(study.opened.store, "frames", tmp_path / "frames")
    [dialogue] = formats.load(tmp_path / "frames", "frames").dialogues()
    assert any(isinstance(event, Query) for event in dialogue.events)
