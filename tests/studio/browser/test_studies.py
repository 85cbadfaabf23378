"""A study is designed in a real browser: form, text and pages, from nothing to a valid file."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from dialoom.collect.settings_check import file_mistakes
from dialoom.schema.places import read_document
from tests.serve.browser.axe import misfits
from tests.serve.browser.person import People
from tests.studio.browser.conftest import Link

pytestmark = pytest.mark.browser

EVIL = '<img src=x onerror=alert(1)></script><script>alert(2)</script>"'

STUDY = f"""\
# mine
purpose: {EVIL!r}  # read first
tasks: [weather.yaml]
stages:
  - name: talk  # the only one
    asks:
      - {{id: trust, text: {EVIL!r}, scale: [no, partly, fully]}}
"""


def field(page: Page, pointer: str) -> Locator:
    return page.locator(f"[id='{pointer}']")


def found(page: Page) -> Locator:
    return page.locator(".study .found summary")


def text(page: Page) -> str:
    read = "e => e.cmTile?.view?.state.doc.toString() ?? e.cmView.view.state.doc.toString()"
    content: str = page.locator(".cm-content").evaluate(read)
    return content


def test_a_study_from_nothing_to_a_file_without_mistakes(
    link: Link, people: People, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = people(link("studies")).page
    page.get_by_label("Name").fill("trust")
    page.keyboard.press("Enter")
    field(page, "/purpose").fill("We study trust.\n\nThank you.")
    page.get_by_text("Tasks and scenarios").click()
    field(page, "/tasks").fill("weather.yaml\n")
    page.get_by_role("heading", name="Stages").click()
    field(page, "/stages").select_option("a list of your own")
    add = page.get_by_role("button", name="Add: Stage")
    add.click()
    field(page, "/stages/1/kind").select_option("quiz")
    page.get_by_role("group", name="Stage 2").get_by_role("button", name="Up").first.click()

    page.get_by_role("button", name="Add: Question").first.click()
    question = "/stages/0/questions/0"
    field(page, f"{question}/text").fill("Who knows the weather?")
    field(page, f"{question}/options/a").fill("I do")
    field(page, f"{question}/options/b").fill("The assistant")
    right = field(page, f"{question}/right")
    right.get_by_label("b", exact=True).check()
    right.get_by_label("a", exact=True).uncheck()
    hint = page.locator(".findings button", has_text="no text")
    expect(hint).to_have_count(1)
    expect(found(page)).to_have_text("1 error")
    hint.click()
    expect(field(page, f"{question}/hint")).to_be_focused()
    page.keyboard.type("You ask it.")

    field(page, "/stages/1/gate").select_option("quiz")
    page.get_by_role("button", name="Add: Question").last.click()
    field(page, "/stages/1/asks/0/text").fill("How much do you trust it?")
    field(page, "/stages/1/asks/0/scale").fill("not at all\npartly\nfully")
    expect(found(page)).to_have_text("No findings")

    page.get_by_role("tab", name="Pages").click()
    page.get_by_label("Page", exact=True).select_option("talk · user · questionnaire")
    frame = page.frame_locator("iframe")
    expect(frame.get_by_text("How much do you trust it?")).to_be_visible()
    expect(frame.get_by_label("partly")).to_be_visible()

    assert not (folder / "trust.yaml").exists()
    field(page, "/name").fill("Trust in weather")
    page.keyboard.press("Control+s")
    expect(page.locator(".file [role=status]")).to_have_text("Saved")
    monkeypatch.chdir(folder)
    document = read_document(Path("trust.yaml"))
    assert list(file_mistakes(document)) == []
    value = document.value
    assert value["name"] == "Trust in weather"
    assert value["purpose"] == "We study trust.\n\nThank you."
    assert [(stage["name"], stage.get("gate")) for stage in value["stages"]] == [
        ("stage-2", None),
        ("talk", "quiz"),
    ]
    assert value["stages"][0]["questions"][0]["right"] == "b"
    assert value["stages"][1]["asks"][0]["scale"] == ["not at all", "partly", "fully"]


def test_the_text_keeps_its_comments_and_broken_text_stops_the_form(
    link: Link, people: People, folder: Path
) -> None:
    (folder / "study.yaml").write_text(STUDY)
    page = people(link("studies/study.yaml")).page
    field(page, "/stages/0/asks/0/required").uncheck()
    field(page, "/stages/0/name").fill("chat")
    expect(page.locator(".cm-content")).to_contain_text("name: chat  # the only one")
    assert text(page).startswith(STUDY[: STUDY.index("stages")])
    page.get_by_role("button", name="Undo").click()
    expect(field(page, "/stages/0/name")).to_have_value("talk")
    page.locator(".cm-content").focus()
    page.keyboard.press("Control+Home")
    page.keyboard.insert_text("name: [\n")
    expect(field(page, "/purpose")).to_be_disabled()
    page.keyboard.press("Control+z")
    expect(field(page, "/purpose")).to_be_enabled()
    assert (folder / "study.yaml").read_text() == STUDY


@pytest.mark.parametrize("width", [360, 1440])
def test_the_form_is_accessible_and_fits(
    link: Link, people: People, folder: Path, width: int
) -> None:
    (folder / "study.yaml").write_text(STUDY + "budget: 0\n")
    page = people(link(), viewport={"width": width, "height": 800}, locale="de").page
    for place in ("studies", "studies/study.yaml?tab=text", "studies/study.yaml?tab=pages"):
        page.evaluate("place => { location.hash = '#/' + place }", place)
        page.locator("main h1").wait_for(state="attached")
        if "tab" in place:
            expect(field(page, "/budget")).to_be_attached()
            expect(found(page)).to_have_text("1 Fehler", use_inner_text=False)
            page.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true })")
        assert misfits(page) == [], place
