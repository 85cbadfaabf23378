"""The story of a travel day, told by two people in two browsers."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from dialoom.collect.export import Collected
from dialoom.collect.settings import Settings
from dialoom.dialogue import Instruction, Selection
from dialoom.quality.lint import Linter
from dialoom.sim.stories.reading import read_story
from tests.serve.browser.person import People, talk_until_done
from tests.serve.served import served

pytestmark = pytest.mark.browser

EXAMPLE = Path(__file__).parents[3] / "examples" / "travel_day.yaml"


def test_a_travel_day_is_played_by_two_people(people: People, tmp_path: Path) -> None:
    settings = Settings(story=str(EXAMPLE), scenarios=3)
    with served(tmp_path / "travel.sqlite", settings) as study:
        user, wizard = people(study.link("user")).wait(), people(study.link("wizard")).wait()
        user, wizard = user.seated(), wizard.seated()
        briefing = user.page.locator(".task-text").inner_text()
        assert "Find a bed for the nights of your stay." in briefing
        assert "Names and numbers that you can use" in briefing
        user.say("Hello, I have a whole day to arrange.")
        tabs = wizard.page.get_by_role("tab")
        assert tabs.count() >= 4
        for place in range(2):
            tabs.nth(place).click()
            expect(tabs.nth(place)).to_have_attribute("aria-selected", "true")
        wizard.say("Gladly, what comes first?")
        talk_until_done(user, wizard)
        user.finish()
        user.answer()
        wizard.answer()
        user.code()
        wizard.code()
        [dialogue] = Collected(study.opened.store).dialogues()
    story = read_story(EXAMPLE)
    assert dialogue.scenario is not None
    assert dialogue.scenario.multi_task
    instructions = [e.text for e in dialogue.events if isinstance(e, Instruction)]
    assert any(person in instructions[0] for person in story.personas)
    assert len({e.task for e in dialogue.events if isinstance(e, Selection)}) == 2
    errors = [f for f in Linter(dict(story.tasks), 0).check(dialogue) if f.code.startswith("E")]
    assert errors == []
