"""A wizard who hands over to a person: the user is told, and has nothing left to write in."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from dialoom.collect.settings import Settings
from tests.serve.browser.person import People, pair
from tests.serve.served import served

pytestmark = pytest.mark.browser


def test_the_user_reads_that_a_person_takes_over(people: People, tmp_path: Path) -> None:
    settings = Settings(tasks=("bank_transfer",), scenario="happy", scenarios=2, guard="off")
    with served(tmp_path / "bank.sqlite", settings) as study:
        user, wizard = pair(people, study)
        user.say("Let me talk to your staff.")
        wizard.suggest("a colleague will take over").first.click()
        expect(user.page.get_by_text("handed you over to a person")).to_be_visible()
        expect(wizard.page.get_by_text("You have handed the user over")).to_be_visible()
        expect(user.page.locator("textarea#say")).to_have_count(0)
        expect(user.button("Send the answers")).to_be_visible()
        user.page.reload()
        expect(user.page.get_by_text("handed you over to a person")).to_be_visible()
