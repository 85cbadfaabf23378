"""What a page is told: all of it once, then what has changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dialoom.collect.settings import Settings
from tests.serve.page import Page
from tests.serve.play import fill_in, filled
from tests.serve.served import Served, served


def after_a_break(page: Page) -> dict[str, Any]:
    """Return the state that the server tells a page which comes back."""
    page.drop()
    page.open(fresh=False)
    return page.state


def told(page: Page, type: str) -> list[dict[str, Any]]:
    return [frame for frame in page.frames if frame["type"] == type]


def still(state: dict[str, Any]) -> dict[str, Any]:
    """Return a state without the moments that the server's own absence moves on."""
    room = {name: value for name, value in state["room"].items() if not name.endswith("_at")}
    return {**state, "room": room}


def same(page: Page, partner: Page) -> None:
    """Check that what changed, put together, is the whole that comes with a welcome."""
    before = page.state
    assert still(after_a_break(page)) == still(before)
    partner.until_state(lambda state: state["room"]["partner"] == "away")
    partner.until_state(lambda state: state["room"]["partner"] == "here")


@pytest.fixture
def several(tmp_path: Path) -> Any:
    settings = Settings(
        tasks=("restaurant_book", "hotel_book"), scenario="multi", scenarios=4, seed=5, guard="warn"
    )
    with served(tmp_path / "study.sqlite", settings) as study:
        yield study


def test_what_changed_makes_the_same_state_as_all_of_it(several: Served) -> None:
    user, wizard = several.pair()
    user.do("say", text="A table for four at eight, please, and a room for two nights.")
    wizard.until_turn()
    same(wizard, user)
    task = wizard.state["room"]["tasks"][0]
    wizard.do("turn", task=task["id"])
    wizard.until_state(lambda state: state["room"]["task"] == task["id"])
    form = task["forms"][0]
    wizard.do("ask", api=form["api"], conditions=filled(form, "Check"))
    wizard.until_state(lambda state: state["room"]["items"])
    same(wizard, user)
    wizard.do("suggest", text="Good morning")
    wizard.until_state(lambda state: state["room"]["suggestions"])
    same(wizard, user)
    wizard.do("say", text="How may I help you?")
    user.until_turn()
    same(user, wizard)


def test_forms_are_sent_once(several: Served) -> None:
    user, wizard = several.pair()
    for number in range(3):
        user.do("say", text=f"Hello, the {number}th time.")
        wizard.until_turn()
        wizard.do("say", text="Good evening")
        user.until_turn()
    assert not [frame for frame in told(wizard, "room") if "tasks" in frame["room"]]
    for page in (user, wizard):
        assert [frame["state"]["step"] for frame in told(page, "state")].count("room") == 1
        assert len(told(page, "room")) >= 3


def test_a_new_step_and_a_new_room_are_reported_whole(study: Served) -> None:
    user, wizard = study.pair()
    while not user.state["room"]["can_accomplish"]:
        user.do("say", text="Hello")
        wizard.until_turn()
        wizard.do("say", text="Good evening")
        user.until_turn()
    user.do("accomplish")
    for page in (user, wizard):
        page.until_step("questionnaire")
        assert told(page, "state")[-1]["state"]["room"]["step"] == "questionnaire"
    fill_in(user)
    wizard.until_state(lambda state: state["questionnaire"]["partner"] == "done")
    wizard.do("leave")
    second = study.page("wizard").wait()
    third = study.page("user").wait()
    assert third.until_step("room")["room"]["number"] == 2
    assert "forms" in second.until_step("room")["room"]["tasks"][0]
