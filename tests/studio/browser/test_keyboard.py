"""The whole job in a real browser by keyboard alone: from a new task to the line that failed."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from dialoom.play.results.run import read_run
from tests.serve.browser.person import People
from tests.studio.browser.conftest import Link
from tests.studio.browser.editing import Editing

pytestmark = pytest.mark.browser

FAR = 16
"""Most presses of Tab to the next thing that one wants."""


def tab_to(page: Page, wanted: Locator, key: str = "Tab") -> None:
    """Press Tab until an element has the focus."""
    expect(wanted).to_be_attached()
    for _ in range(FAR):
        page.keyboard.press(key)
        if wanted.evaluate("e => e === document.activeElement"):
            return
    pytest.fail(f"{wanted} is more than {FAR} presses of Tab away")


def replace(page: Page, text: str, by: str) -> None:
    """Search the editor for a text, and type another in its place."""
    page.keyboard.press("Control+f")
    page.keyboard.type(text)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.keyboard.type(by)
    page.keyboard.press("Escape")  # a list of suggestions


def panel(page: Page, name: str, *keys: str) -> None:
    """Go from the tabs into a panel."""
    for key in keys:
        page.keyboard.press(key)
    expect(page.get_by_role("tab", name=name)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("tabpanel", name=name)).to_be_focused()


def test_from_a_new_task_to_the_line_of_a_failure(link: Link, people: People, folder: Path) -> None:
    person = people(link())
    page, file = person.page, folder / "bike_repair.yaml"
    views = page.get_by_role("navigation", name="Views")
    tab_to(page, views.get_by_role("link", name="Tasks"))
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_label("Name"))
    page.keyboard.type("bike_repair")
    page.keyboard.press("Enter")
    editing = Editing(person)
    expect(editing.found).to_have_text("No findings")

    expect(page.locator(".editor")).to_be_focused()
    replace(page, "Hello, this is the workshop.", "Ahoy!")
    replace(page, "then: ask_note", "then: ask_nothing")
    expect(editing.found).to_contain_text("1 error")
    for key in ("F8", "End", "Control+Backspace"):
        page.keyboard.press(key)
    page.keyboard.type("ask_note")
    page.keyboard.press("Escape")
    expect(editing.found).to_have_text("No findings")
    page.keyboard.press("Control+s")
    expect(editing.state).to_have_text("Saved")
    assert "- Ahoy!" in file.read_text(encoding="utf-8")

    for key in ("Escape", "Shift+Tab"):  # takes indentation away, and stays in the text
        page.keyboard.press(key)
    expect(page.locator(".editor")).to_be_focused()
    for key in ("Escape", "Tab", "Escape"):
        page.keyboard.press(key)
    panel(page, "Talk to it", "ArrowRight", "ArrowRight")
    tab_to(page, page.get_by_label("What you say"))
    page.keyboard.type("My bike needs new brakes.")
    page.keyboard.press("Enter")
    expect(page.locator(".understood").first).to_contain_text("new brakes")
    expect(page.locator(".lines .system").last).to_be_visible()

    page.keyboard.press("Escape")
    panel(page, "Dialogues", "ArrowLeft")
    expect(page.locator(".dialogue")).to_have_count(5)
    expect(page.get_by_role("tabpanel")).to_contain_text("Ahoy!")

    page.keyboard.press("Escape")
    tab_to(page, page.get_by_role("link", name="Make a run"), "Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("checkbox", name="bike_repair.yaml")).to_be_checked()
    tab_to(page, page.get_by_label("Agent"))
    page.keyboard.type("reciter")
    tab_to(page, page.get_by_label("Goals of each task"))
    page.keyboard.type("2")  # Tab has chosen what is in the field
    tab_to(page, person.button("Make the run"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/#/runs/runs/reciter")
    assert len(read_run(folder / "runs" / "reciter").dialogues) == 2
    tab_to(page, page.locator(".dialogues .rows a").first)
    page.keyboard.press("Enter")
    expect(page.get_by_role("complementary", name="Outcome")).to_contain_text("Goal")
    tab_to(page, page.locator(".task-line").first)
    page.keyboard.press("Enter")
    page.wait_for_url("**/#/tasks/bike_repair.yaml?line=*")
    lines = file.read_text(encoding="utf-8").splitlines()
    line = lines[int(page.url.rpartition("=")[2]) - 1]
    expect(editing.page.locator(".cm-activeLine")).to_have_text(line)
    expect(page.locator(".editor")).to_be_focused()
