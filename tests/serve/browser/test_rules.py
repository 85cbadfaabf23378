"""When the task counts as accomplished, and what the flow guard does."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from dialoom.collect.log.record import Override, unit_stream
from dialoom.collect.settings import Settings
from tests.serve.browser.person import People, Person, pair
from tests.serve.served import served

pytestmark = pytest.mark.browser

TASKS = ("restaurant_book",)
OFF = ("off", "warn", "reason")


def off(user: Person, why: str) -> None:
    """The button is off, says why, and pressed it does nothing."""
    expect(user.accomplished).to_have_attribute("aria-disabled", "true")
    expect(user.page.locator("#finish-why")).to_have_text(why)
    user.accomplished.press("Enter")
    expect(user.page.locator("dialog")).to_have_count(0)


def test_the_button_is_on_after_the_last_instruction_and_a_turn(
    people: People, tmp_path: Path
) -> None:
    guided = Settings(tasks=TASKS, scenario="unhappy", scenarios=4, guard="off")
    with served(tmp_path / "guided.sqlite", guided) as study:
        user, wizard = pair(people, study)
        scenario = next(iter(study.hub.study.state.open.values())).work.scenario
        last, count = max(turn for turn, _ in scenario.instructions), len(scenario.instructions)
        assert count > 1
        for turn in range(1, last + 2):
            lacks = "Not yet: the guide has more instructions for you."
            off(
                user,
                lacks
                if turn <= last
                else "Not yet: follow the last instruction, or talk a little longer first.",
            )
            user.say(f"turn {turn}")
            off(user, "You can press this when it is your turn.")
            wizard.say("All right.")
            user.my_turn()
        expect(user.page.locator(".lines .guide")).to_have_count(count)
        expect(wizard.page.locator(".guide")).to_have_count(0)
        expect(user.accomplished).to_have_attribute("aria-disabled", "false")
        user.accomplished.click()
        user.page.keyboard.press("Escape")
        expect(user.page.locator("dialog")).to_have_count(0)
        expect(user.accomplished).to_be_focused()
        user.finish()
        expect(user.button("Send the answers")).to_be_visible()
        expect(wizard.button("Send the answers")).to_be_visible()


@pytest.mark.parametrize("guard", OFF)
def test_the_flow_guard(people: People, tmp_path: Path, guard: str) -> None:
    settings = Settings(tasks=TASKS, scenario="unhappy", scenarios=4, guard=guard)  # type: ignore[arg-type]
    with served(tmp_path / "guard.sqlite", settings) as study:
        user, wizard = pair(people, study)
        user.say("Hello")
        replies = wizard.suggest("Is that all?")
        stray = (replies if guard == "off" else replies.filter(has_text="off the flow")).first
        text = stray.locator(".text").inner_text().split("\n")[0]
        stray.click()
        dialog = wizard.page.locator("dialog")
        if guard != "off":
            expect(dialog.get_by_role("listitem")).not_to_have_count(0)
            wizard.page.keyboard.press("Escape")
            expect(dialog).to_have_count(0)
            stray.click()
        if guard == "reason":
            expect(wizard.button("Send it all the same")).to_have_attribute("aria-disabled", "true")
            wizard.page.locator("#reason").fill("They are in a hurry.")
        if guard != "off":
            wizard.button("Send it all the same").click()
        expect(user.lines.last).to_have_text(text)
        records = study.opened.store.stream(unit_stream(1))
        reasons = [r.body.reason for r in records if isinstance(r.body, Override)]
    assert reasons == {"off": [], "warn": [None], "reason": ["They are in a hurry."]}[guard]
