"""A task is written in a real browser: by keyboard, with edits from outside, hostile texts, axe."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from dialoom.schema import pack
from tests.serve.browser.axe import misfits
from tests.serve.browser.person import People
from tests.studio.browser.conftest import Link
from tests.studio.browser.editing import Editing

pytestmark = pytest.mark.browser

EVIL = '<img src=x onerror=alert(1)>"><script>alert(2)</script>'

TABS = ("Chart", "Dialogues", "Talk to it", "Understand", "Values", "Doctor")


@pytest.fixture
def weather(link: Link, people: People) -> Iterator[Editing]:
    """Give somebody who has opened a task file."""
    yield Editing(people(link("tasks/weather.yaml")))


def test_findings_come_as_one_types_and_go(weather: Editing) -> None:
    expect(weather.found).to_have_text("No findings")
    weather.type("\ngoalz: 1\n")
    expect(weather.found).to_contain_text("1 error")
    finding = weather.page.locator(".findings button")
    expect(finding).to_contain_text("did you mean 'goals'?")
    expect(weather.page.locator(".cm-lintRange-error")).to_be_visible()
    expect(weather.page.get_by_text("As before the errors.")).to_be_visible()
    weather.page.keyboard.press("Control+z")
    expect(weather.found).to_have_text("No findings")


def test_a_node_of_the_chart_leads_to_its_lines(weather: Editing) -> None:
    node = weather.page.locator(".drawn [role=button]").last
    name = (node.get_attribute("aria-label") or "").split(",")[0]
    node.focus()
    weather.page.keyboard.press("Enter")
    expect(weather.page.locator(".cm-activeLine")).to_contain_text(f"{name}:")
    expect(weather.page.locator(".drawn .here")).to_have_attribute(
        "aria-label", re.compile(f"^{name},")
    )


def test_dialogues_change_with_an_edit(weather: Editing, folder: Path) -> None:
    dialogues = weather.panel("Dialogues").locator(".dialogue")
    expect(dialogues).to_have_count(5)
    expect(dialogues.locator(".fresh")).to_have_count(0)
    file = folder / "weather.yaml"
    text = file.read_text(encoding="utf-8")
    bye = text.index("weather_bye:")
    pattern = re.compile(r"- .*")
    file.write_text(text[:bye] + pattern.sub("- Ahoy.", text[bye:], count=3), encoding="utf-8")
    expect(dialogues.locator(".fresh").first).to_contain_text("Ahoy.")


def test_the_bot_answers_and_shows_what_it_understood(weather: Editing) -> None:
    panel = weather.panel("Talk to it")
    field = panel.get_by_label("What you say")
    field.fill("What is the weather on Monday?")
    field.press("Enter")
    expect(panel.locator(".lines .system")).not_to_have_count(0)
    expect(panel.locator(".understood").first).to_contain_text("Monday")


def test_a_line_is_understood(weather: Editing) -> None:
    panel = weather.panel("Understand")
    panel.get_by_label("The line").fill("on Tuesday")
    expect(panel.locator(".understood")).to_contain_text("Tuesday")


def test_nothing_is_written_before_it_is_saved(weather: Editing, folder: Path) -> None:
    file = folder / "weather.yaml"
    before = file.read_text(encoding="utf-8")
    weather.type("# mine\n")
    expect(weather.state).to_have_text("Not saved")
    assert file.read_text(encoding="utf-8") == before
    weather.page.keyboard.press("Control+s")
    expect(weather.state).to_have_text("Saved")
    assert file.read_text(encoding="utf-8") == before + "# mine\n"


def test_an_edit_from_outside_is_taken_up(weather: Editing, folder: Path) -> None:
    file = folder / "weather.yaml"
    file.write_text("# theirs\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
    expect(weather.lines).to_contain_text("# theirs")
    expect(weather.state).to_have_text("Saved")
    file.write_text("a: [", encoding="utf-8")
    expect(weather.found).to_contain_text("1 error")


def test_both_texts_are_offered_where_both_have_changed(weather: Editing, folder: Path) -> None:
    file = folder / "weather.yaml"
    weather.type("# mine\n")
    file.write_text("task: theirs\n", encoding="utf-8")
    expect(weather.page.get_by_role("alert")).to_contain_text("Another program has changed")
    with weather.page.expect_console_message(lambda message: "422" in message.text):  # the refusal
        weather.page.keyboard.press("Control+s")
    expect(weather.page.get_by_role("alert")).to_contain_text("Another program has changed")
    assert file.read_text(encoding="utf-8") == "task: theirs\n"
    assert all("422" in complaint for complaint in weather.person.complaints)
    weather.person.complaints.clear()
    weather.page.get_by_role("button", name="Take the file's text").click()
    assert weather.text() == "task: theirs\n"
    weather.lines.focus()
    weather.page.keyboard.press("Control+z")
    assert weather.text().endswith("# mine\n")
    weather.page.keyboard.press("Control+s")
    expect(weather.state).to_have_text("Saved")
    assert file.read_text(encoding="utf-8").endswith("# mine\n")


def test_edits_outlast_another_place_of_the_page(weather: Editing) -> None:
    weather.type("# mine\n")
    weather.page.get_by_role("link", name="Corpora").click()
    weather.page.get_by_role("navigation", name="Views").get_by_role("link", name="Tasks").click()
    weather.page.get_by_role("link", name="weather.yaml").click()
    expect(weather.state).to_have_text("Not saved")
    assert weather.text().endswith("# mine\n")


def test_two_hundred_edits_and_changes_from_outside(weather: Editing, folder: Path) -> None:
    file, chance = folder / "weather.yaml", random.Random(5)
    whole = weather.text()
    weather.lines.focus()
    for number in range(200):
        typed = chance.choice(["{", "}", "x", "\n", "  - ", ": ", "flow:", '"', "[", EVIL, "\t"])
        for _ in range(chance.randrange(3)):
            weather.page.keyboard.press(chance.choice(["ArrowDown", "PageDown", "End", "ArrowUp"]))
        weather.page.keyboard.insert_text(typed)
        if number % 50 == 25:
            file.write_text(whole + f"# outside {number}\n", encoding="utf-8")
            mine = weather.text()
            expect(weather.page.get_by_role("alert")).to_be_visible()
            assert weather.text() == mine
            weather.page.get_by_role("button", name="Keep my text").click()
            weather.lines.focus()
    mine = weather.text()
    assert EVIL in mine
    expect(weather.found).to_contain_text("error")
    weather.page.keyboard.press("Control+s")
    expect(weather.state).to_have_text("Saved")
    assert file.read_text(encoding="utf-8") == mine


def test_hostile_texts_are_inert(link: Link, people: People, folder: Path) -> None:
    text = pack.text("hotel_book")
    quoted = EVIL.replace('"', "'")
    for words in ("Hi, can you find me a hotel?", "Good day, this is the hotel desk."):
        text = text.replace(words, quoted)
    file = folder / "<img src=x onerror=alert(3)>.yaml"
    file.write_text(text.replace("description: the hotel", f"description: {quoted}"))
    person = people(link())
    person.page.on("dialog", lambda dialog: pytest.fail(dialog.message))
    person.page.get_by_role("link", name="onerror").click()
    editing = Editing(person)
    for tab in TABS:
        panel = editing.panel(tab)
        expect(panel.locator("> *").first).to_be_visible()
    field = editing.panel("Talk to it").get_by_label("What you say")
    field.fill(EVIL)
    field.press("Enter")
    expect(person.page.locator(".lines .user")).to_contain_text("<script>")
    assert person.page.locator("img, script:not([src]), [onerror]").count() == 0


def test_enter_ends_a_line_whose_value_is_whole(weather: Editing) -> None:
    weather.type("\nslots:\n  note:\n    ")
    for words, count in (("type: short", 1), (" text", 0)):
        weather.page.keyboard.type(words)
        expect(weather.page.locator(".cm-tooltip-autocomplete")).to_have_count(count)
    weather.page.keyboard.press("Enter")
    assert weather.text().rstrip(" ").endswith("    type: short text\n")


def test_one_can_be_the_wizard(weather: Editing) -> None:
    panel = weather.panel("Talk to it")
    panel.get_by_label("You are").select_option("wizard")
    lines = panel.get_by_role("list", name="The dialogue so far").get_by_role("listitem")
    expect(lines).to_have_count(1)
    panel.get_by_label("What do you want to say?").fill("hello")
    weather.page.keyboard.press("Enter")
    expect(panel.get_by_role("list", name="Suggested replies")).to_be_visible()
    weather.page.keyboard.press("1")
    expect(lines).to_have_count(3)
    panel.get_by_role("button", name="Take back").click()
    expect(lines).to_have_count(1)


def test_a_new_task_begins_with_a_template(link: Link, people: People, folder: Path) -> None:
    person = people(link("tasks"))
    page = person.page
    page.get_by_label("Name").fill("pizza_order")
    page.get_by_role("button", name="Begin").click()
    editing = Editing(person)
    expect(editing.found).to_have_text("No findings")
    expect(editing.state).to_have_text("Not saved")
    assert not (folder / "pizza_order.yaml").exists()
    page.get_by_role("button", name="Save").click()
    expect(editing.state).to_have_text("Saved")
    assert (folder / "pizza_order.yaml").read_text(encoding="utf-8") == editing.text()


def test_an_address_leads_to_a_line(link: Link, people: People) -> None:
    page = people(link("tasks/weather.yaml?line=3&tab=values")).page
    expect(page.locator(".cm-activeLineGutter, .cm-activeLine").first).to_be_visible()
    line = page.locator(".cm-activeLine").inner_text()
    assert line == pack.text("weather").splitlines()[2]


def test_completion_knows_the_grammar(weather: Editing) -> None:
    weather.type("\n")
    weather.page.keyboard.type("const")
    suggested = weather.page.locator(".cm-tooltip-autocomplete")
    expect(suggested).to_contain_text("constraints")
    suggested.locator("li").dispatch_event("mousedown")  # Enter is for lists seen a while
    expect(suggested).to_have_count(0)
    assert weather.text().endswith("\nconstraints: ")


def test_completion_knows_the_names_of_the_task(link: Link, people: People) -> None:
    lines = pack.text("weather").splitlines()
    line = lines.index("    then: hello") + 1
    editing = Editing(people(link(f"tasks/weather.yaml?line={line}")))
    expect(editing.page.locator(".cm-activeLine")).to_contain_text("then: hello")
    expect(editing.found).to_have_text("No findings")
    editing.page.keyboard.press("End")
    editing.page.keyboard.press("Control+Space")
    expect(editing.page.locator(".cm-tooltip-autocomplete")).to_contain_text("flow, line")


@pytest.mark.parametrize("width", [360, 1440])
def test_every_tab_is_accessible_and_fits(link: Link, people: People, width: int) -> None:
    page = people(link(), viewport={"width": width, "height": 800}).page
    for place in ("", "tasks", *(f"tasks/weather.yaml?tab={tab}" for tab in PANELS)):
        page.evaluate("place => { location.hash = '#/' + place }", place)
        page.locator("main h1").wait_for(state="attached")
        if "tab" in place:
            expect(page.locator(".cm-content")).to_be_attached()
            expect(page.locator(".found summary")).to_have_text("No findings", use_inner_text=False)
            expect(page.locator("[aria-busy=true]")).to_have_count(0)
        assert misfits(page) == [], place


PANELS = ("text", "chart", "dialogues", "talk", "understand", "values", "doctor")
