"""A spoken dialogue in browsers, from the links to the transcript: what its people do and see."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace
from playwright.sync_api import Page, expect

from tests.serve.browser.person import People, Person
from tests.serve.served import Served, served
from tests.serve.spoken import SPOKEN

AUTOMATED = replace(
    SPOKEN, name="Weather", present_wizard_as="automated", debriefing="It was Eve who answered."
)

VOICE = """
  window.told = [];
  speechSynthesis.getVoices = () => [{}];
  speechSynthesis.speak = (each) => told.push(each.text);
"""
"""A browser with a voice that nobody hears."""

REFUSING = """
  navigator.mediaDevices.getUserMedia = async () => {
    throw new DOMException("no", sessionStorage.getItem("trouble") ?? "NotAllowedError");
  };
"""
"""A browser that gives no microphone."""


HELD = 500
"""Milliseconds of a press that is no mere click."""


def pause(user: Person) -> None:
    """Let a press be longer than a click, by the page's own clock."""
    deadline = user.page.evaluate("performance.now()") + HELD
    user.until(f"performance.now() > {deadline}")


def record(user: Person) -> None:
    """Press the button, wait until the microphone beeps, and press again: by the keyboard."""
    expect(user.button("Press and speak")).to_be_focused()
    user.page.keyboard.press("Space")
    expect(user.button("Stop")).to_be_focused()
    pause(user)
    user.until("document.querySelector('meter').value > 0.02")
    user.page.keyboard.press("Enter")
    expect(user.button("Send", exact=True)).to_be_focused()


def hold(user: Person) -> None:
    """Hold the button with the mouse for a while, and send what was recorded."""
    before = user.page.locator(".lines audio").count()
    user.button("Press and speak").hover()
    user.page.mouse.down()
    expect(user.button("Stop")).to_be_visible()
    pause(user)
    user.page.mouse.up()
    user.button("Send", exact=True).click()
    expect(user.page.locator(".lines audio")).to_have_count(before + 1)


def listen(wizard: Person) -> None:
    """Hear what was said last, which plays by itself, and once more by the keyboard."""
    wizard.my_turn()
    played = "[...document.querySelectorAll('.lines audio')].at(-1)"
    wizard.until(f"{played}.currentTime > 0")
    wizard.page.evaluate(f"{played}.pause(); {played}.onplay = () => {{ window.again = true }}")
    wizard.field.press("F2")
    wizard.until("window.again")


def spoken(people: People, folder: Path) -> Iterator[tuple[str, Page]]:
    """Play a spoken dialogue, and type it; yield the pages when they are to be looked at."""
    with served(folder / "spoken.sqlite", AUTOMATED) as study:
        user = people(f"{study.link('user')}?worker=speaker")
        user.page.add_init_script(VOICE)
        user.page.reload()
        user.join().shows("Take part in a dialogue study")
        yield "spoken-consent", user.page
        user.agree().button("Try the microphone").click()
        expect(user.page.get_by_text("The microphone works.")).to_be_visible()
        yield "spoken-ready", user.page
        user.button("I am ready").click()
        size = {"width": 1320, "height": 820}
        wizard = people(f"{study.link('wizard')}?worker=listener", viewport=size).wait().seated()
        record(user)
        user.button("Record again").click()
        record(user)
        yield "spoken-user-recorded", user.page
        user.page.keyboard.press("Enter")
        listen(wizard)
        yield "wizard-spoken", wizard.page
        wizard.say("Which city do you mean?")
        user.until("told.length > 0")
        assert user.page.evaluate("told") == ["Which city do you mean?"]
        hold(user)
        wizard.say("It will rain there.")
        user.page.add_init_script(REFUSING)
        user.page.reload()
        user.button("Press and speak").click()
        expect(user.page.get_by_role("alert").filter(has_text="was denied")).to_be_visible()
        yield "spoken-user-refused", user.page
        user.finish()
        user.answer()
        wizard.answer()
        expect(user.page.get_by_text("It was Eve who answered.")).to_be_visible()
        yield from _typing(people, study)


def _typing(people: People, study: Served) -> Iterator[tuple[str, Page]]:
    typist = people(study.own("typist")).join().agree()
    typist.field.fill("um what will the weather be like")
    typist.field.press("Enter")
    expect(typist.page.locator(".marked-lines [aria-current=true]")).to_have_count(1)
    lines = typist.page.locator(".marked-lines button")
    expect(lines.nth(2)).to_have_attribute("aria-current", "true")  # the one between was written
    typist.field.fill("Not saved yet")
    lines.nth(1).click()
    expect(typist.field).to_have_value("Which city do you mean?")
    lines.nth(2).click()
    expect(typist.field).to_have_value("Not saved yet")
    typist.until("document.querySelector('audio').currentTime > 0")
    typist.button("Remove this turn").click()
    expect(typist.page.locator(".fate", has_text="Removed")).to_have_count(1)
    typist.button("Insert a turn before this one").click()
    typist.field.fill("In Alva, please.")
    yield "document-type", typist.page
    typist.field.press("Enter")
    expect(typist.page.locator(".fate", has_text="Inserted")).to_have_count(1)
    typist.button("Hand in").click()
    typist.code()
    admin = people(f"{study.base}/admin#{study.signer.admin_token()}")
    admin.page.get_by_label("Find a unit or a worker").fill("speaker")
    one = admin.page.get_by_role("region", name="speaker")
    one.get_by_role("button", name="Read along").click()
    expect(admin.page.locator("dialog .bubble audio")).not_to_have_count(0)
    yield "admin-spoken", admin.page
