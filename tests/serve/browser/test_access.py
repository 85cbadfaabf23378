"""Keyboard, narrow windows, other languages, what screen readers are told."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from dialoom.collect.settings import Settings, Translation
from tests.make import GERMAN
from tests.serve.browser.axe import CUT, FAINT, violations
from tests.serve.browser.person import People, Person, pair, talk
from tests.serve.served import Served, served

pytestmark = pytest.mark.browser

NARROW = {"width": 360, "height": 640}

UNNAMED = """() => [...document.querySelectorAll("input, select, textarea, button, a[href]")]
  .filter((e) => e.checkVisibility() && !(e.labels?.length || e.ariaLabel || e.textContent.trim()
    || e.getAttribute("aria-labelledby"))).map((e) => e.outerHTML)"""


def press(person: Person, *names: str) -> None:
    """Come to buttons by Tab, see that each shows it, and press it."""
    for name in names:
        person.reach(person.button(name))
        expect(person.button(name)).not_to_have_css("outline-style", "none")
        person.page.keyboard.press("Enter")


def speak(person: Person, text: str, end: str) -> None:
    """Type where the focus is."""
    person.my_turn()
    expect(person.field).to_be_focused()
    person.page.keyboard.type(text)
    person.page.keyboard.press(end)
    expect(person.lines.last).to_have_text(text)


def test_a_dialogue_by_keyboard_alone(people: People, study: Served) -> None:
    user, wizard = people(study.link("user")), people(study.link("wizard"))
    for person in (user, wizard):
        press(person, "Continue", "I agree and want to take part", "I am ready")
    speak(user, "Hello", "Enter")
    wizard.my_turn()
    expect(wizard.field).to_be_focused()
    wizard.page.keyboard.type("hello")
    wizard.page.keyboard.press("Enter")
    expect(wizard.page.locator("button.reply").first).to_be_focused()
    wizard.page.keyboard.press("ArrowDown")
    expect(wizard.page.locator("button.reply").nth(1)).to_be_focused()
    wizard.page.keyboard.press("ArrowUp")
    wizard.page.keyboard.press("Escape")
    expect(wizard.field).to_be_focused()
    wizard.page.keyboard.press("Control+Enter")
    for turn in range(8):
        speak(user, f"user {turn}", "Enter")
        speak(wizard, f"wizard {turn}", "Control+Enter")
    user.my_turn()
    press(user, "I have accomplished my task(s)", "Yes, all done")
    questions = user.page.locator("form fieldset")
    expect(questions.first).to_be_visible()
    user.reach(user.page.get_by_text("Read the dialogue again"))
    for _ in range(questions.count()):
        user.page.keyboard.press("Tab")
        user.page.keyboard.press("Space")
    press(user, "Send the answers")
    user.shows("Thank you, you are done")


def test_the_users_page_fits_a_narrow_window(people: People, study: Served) -> None:
    user = people(study.link("user"), viewport=NARROW).wait()
    wizard = people(study.link("wizard")).wait().seated()
    talk(user.seated(), wizard, 2)
    user.say("word " * 60 + "W" * 80)
    assert user.page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    for element in (user.field, user.button("Send"), user.accomplished, user.lines.last):
        expect(element).to_be_in_viewport()
    expect(user.page.locator(".task-text")).to_be_hidden()
    user.page.get_by_text("Your task").click()
    expect(user.page.locator(".task-text")).to_be_visible()


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_dialogs_can_be_read_in_a_narrow_window(
    people: People, tmp_path: Path, language: str, scheme: str
) -> None:
    tasks = {"en": "weather", "de": GERMAN}
    settings = Settings(
        tasks=(tasks[language],), language=language, scenarios=2, guard="reason", name="N" * 40
    )
    with served(tmp_path / "narrow.sqlite", settings) as study:
        look = {"viewport": NARROW, "color_scheme": scheme, "locale": language}
        user, wizard = (people(study.link(role), **look) for role in ("user", "wizard"))
        for person in (user, wizard):
            for _ in range(3):
                person.page.locator("button.main").click()
        user.seated().field.fill("Hello")
        user.field.press("Enter")
        for person in (user, wizard):
            person.page.locator(".bar button").click()
            _readable(person)
            person.page.keyboard.press("Escape")
        wizard.field.fill("Hello")
        wizard.field.press("Control+Enter")
        _readable(wizard)


def _readable(person: Person) -> None:
    """See that each text of the open dialog is inside it, and looks as elsewhere."""
    dialog = person.page.locator("dialog[open]")
    expect(dialog).to_be_visible()
    assert person.page.evaluate(CUT) == []
    assert person.page.evaluate(FAINT) == []
    for style, value in (("white-space", "normal"), ("font-size", "16px")):
        expect(dialog.locator("p").first).to_have_css(style, value)


def test_everything_has_a_name(people: People, study: Served) -> None:
    user, wizard = pair(people, study)
    user.say("Hello")
    wizard.suggest("hello")
    admin = people(f"{study.base}/admin#{study.signer.admin_token()}")
    expect(admin.page.locator("#live")).to_be_visible()
    for person in (user, wizard, admin):
        assert person.page.evaluate(UNNAMED) == []
        expect(person.page.get_by_role("heading", level=1)).to_have_count(1)
        expect(person.page.get_by_role("main")).to_have_count(1)
    expect(wizard.page.locator(".heard[role=status]").first).to_have_text("User: Hello")
    wizard.page.get_by_text("The flow chart as text").click()
    expect(wizard.page.locator(".as-text li")).not_to_have_count(0)
    assert not [text for text in wizard.page.locator(".chart").all_inner_texts() if "_" in text]
    expect(wizard.page.locator(".flow .name")).not_to_have_count(0)
    names = wizard.page.locator(".flow .name").all_text_contents()
    assert not [name for name in names if "_" in name]


def come_in_german(person: Person) -> Person:
    """Agree and be ready, on pages in German."""
    person.button("Ich bin einverstanden und mache mit").click()
    person.button("Ich bin bereit").click()
    return person


def test_a_study_in_two_languages(people: People, tmp_path: Path) -> None:
    german = Translation(purpose="Damit Maschinen Deutsch lernen.")
    both = Settings(tasks=("weather", GERMAN), scenarios=4, translations={"de": german})
    with served(tmp_path / "both.sqlite", both) as study:
        english = people(f"{study.link('wizard')}?language=en").wait()
        user = people(study.link("user"), locale="de-DE")
        user.button("Weiter").click()
        user.shows("In welcher Sprache möchten Sie teilnehmen?")
        assert violations(user.page) == []
        user.complaints.clear()  # the browser tells of the 400
        user.button("Deutsch").click()
        expect(user.page.get_by_text("Damit Maschinen Deutsch lernen.")).to_be_visible()
        come_in_german(user).shows("Wir suchen jemanden für Sie")
        expect(
            user.page.get_by_text("Andere nehmen in einer anderen Sprache teil.")
        ).to_be_visible()
        admin = people(f"{study.base}/admin#{study.signer.admin_token()}")
        waiting = admin.page.get_by_role("row").filter(has_text="another language")
        expect(waiting.filter(has_text="Deutsch")).to_have_count(1)
        expect(waiting.filter(has_text="English")).to_have_count(1)
        wizard = people(f"{study.link('wizard')}?language=de", locale="de-DE")
        wizard.button("Weiter").click()
        come_in_german(wizard)
        expect(user.page.locator(".task-text")).to_contain_text("Fragen Sie")
        expect(wizard.page.locator(".task-text")).to_contain_text("Sagen Sie dem Gast")
        user.field.fill("Guten Tag!")
        user.field.press("Enter")
        expect(wizard.lines).to_have_text(["Guten Tag!"])
        english.shows("We are looking for a partner")
        expect(user.page.locator("html")).to_have_attribute("lang", "de")
