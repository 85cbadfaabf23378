"""Whatever is typed stays until the server has it: limits are in characters, refusals come back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Locator, expect

from dialoom.collect.message import LONGEST_TEXT
from dialoom.collect.settings import Settings, Stage
from tests.serve.browser.person import People, Person, pair, talk
from tests.serve.conftest import SINGLE
from tests.serve.served import Served, served

pytestmark = pytest.mark.browser

LONG = "\U0001f600" * (LONGEST_TEXT + 1)
"""One character more than the server takes; twice as many units of JavaScript."""

UNSEEN = "\u200b\u200b"
"""A text that the page takes for one, and the server refuses."""


@pytest.fixture
def documents(tmp_path: Path) -> Iterator[Served]:
    stages = (
        Stage(name="write", kind="self_dialogue", tasks=("coffee_ordering",), only=("w",)),
        Stage(name="reword", kind="paraphrase", tasks=("Coaches_1",), only=("p",)),
        Stage(name="talk", kind="bot", tasks=("weather",), only=("t",)),
    )
    with served(tmp_path / "documents.sqlite", Settings(stages=stages, scenarios=1)) as study:
        yield study


def enter(people: People, study: Served, worker: str) -> Person:
    return people(study.own(worker)).join().agree().seated()


def stays(field: Locator, press: str = "Enter", most: str = "2,000") -> None:
    """See that a text that is too long is kept whole and counted, and that nothing is sent."""
    page = field.page
    field.fill(LONG)
    expect(page.locator(".length")).to_contain_text(f"2,001 of {most} characters")
    field.press(press)
    expect(field).to_have_value(LONG)
    expect(field).to_have_attribute("aria-invalid", "true")
    assert (
        page.evaluate("e => Object.values(sessionStorage).join().includes('client_msg_id')")
        is False
    )


@pytest.mark.parametrize("letter", ["好", "नि", "\U0001f600"])
def test_a_text_of_the_most_characters_arrives(people: People, study: Served, letter: str) -> None:
    user, wizard = pair(people, study)
    text = letter * (LONGEST_TEXT // len(letter))
    user.say(text)
    expect(wizard.lines.last).to_have_text(text)


def test_a_dialogue_keeps_every_text_that_is_too_long(people: People, tmp_path: Path) -> None:
    settings = replace(SINGLE, guard="reason")
    with served(tmp_path / "study.sqlite", settings) as study:
        user, wizard = pair(people, study)
        stays(user.field)
        expect(user.button("Send")).to_have_attribute("aria-disabled", "true")
        user.page.reload()
        expect(user.field).to_have_value(LONG)
        user.say(LONG[1:])
        for press in ("Enter", "Control+Enter"):
            stays(wizard.field, press)
        wizard.field.fill("Hello.")
        wizard.field.press("Control+Enter")
        stays(wizard.page.locator("#reason"), "Tab")
        send = wizard.button("Send it all the same")
        expect(send).to_have_attribute("aria-disabled", "true")
        wizard.page.locator("#reason").fill("I greet them.")
        send.click()
        expect(wizard.lines.last).to_have_text("Hello.")
        expect(wizard.field).to_have_value("")
        talk(user, wizard, 8, "I may.")
        user.finish()
        comment = user.page.locator("#comment")
        stays(comment, "Tab")
        for question in user.page.locator("form fieldset").all():
            question.locator("input").first.check()
        user.button("Send the answers").click()
        expect(comment).to_be_focused()
        user.page.reload()
        expect(comment).to_have_value(LONG)


def test_a_text_that_is_refused_comes_back_with_the_reason(people: People, study: Served) -> None:
    user, wizard = pair(people, study)
    user.field.fill(UNSEEN)
    user.field.press("Enter")
    expect(user.page.locator(".composer .wrongly")).to_contain_text("Not sent.")
    expect(user.field).to_have_value(UNSEEN)
    expect(user.page.locator(".line.failed")).to_have_count(0)
    user.say("Hello")
    expect(user.page.locator(".composer .wrongly")).to_have_count(0)
    wizard.my_turn()
    wizard.field.fill(UNSEEN)
    wizard.field.press("Control+Enter")
    expect(wizard.page.locator(".composer .wrongly")).to_contain_text("Not sent.")
    expect(wizard.field).to_have_value(UNSEEN)


def test_a_text_that_is_refused_waits_while_another_is_typed(people: People, study: Served) -> None:
    user, _ = pair(people, study)
    user.page.context.set_offline(True)
    user.field.fill(UNSEEN)
    user.field.press("Enter")
    user.field.fill("Second")
    user.page.context.set_offline(False)
    failed = user.page.locator(".line.failed")
    user.page.evaluate("void dispatchEvent(new Event('online'))")
    expect(failed).to_have_count(1)
    expect(user.field).to_have_value("Second")
    failed.get_by_role("button").click()
    expect(user.field).to_have_value(f"{UNSEEN}\nSecond")


def test_documents_keep_every_text_that_is_too_long(people: People, documents: Served) -> None:
    writer = enter(people, documents, "w")
    stays(writer.field)
    writer.field.fill("A coffee.")
    writer.field.press("Enter")
    writer.field.fill("The second turn")
    writer.button("Edit 1").click()
    expect(writer.field).to_have_value("A coffee.")
    writer.field.press("Enter")
    expect(writer.field).to_have_value("The second turn")
    rewording = enter(people, documents, "p")
    stays(rewording.field)
    rewording.page.locator(".marked-lines button").nth(1).click()
    expect(rewording.field).to_have_value("")
    rewording.page.locator(".marked-lines button").first.click()
    expect(rewording.field).to_have_value(LONG)
    tester = enter(people, documents, "t")
    stays(tester.field)
    tester.field.fill("Hello")
    tester.field.press("Enter")
    expect(tester.lines.nth(1)).to_be_visible()
    tester.my_turn()
    tester.button("I have finished talking").click()
    comment = tester.page.locator("#comment")
    stays(comment, "Tab")
    for name in ("rating", "reached"):
        tester.page.locator(f'label:has(input[name="{name}"])').first.click()
    expect(tester.page.locator("#submit-why")).to_contain_text("have answered")
    tester.button("Hand in").click()
    expect(comment).to_be_focused()
    expect(tester.page.get_by_text("not saved yet")).to_be_visible()
    comment.fill("Well done.")
    comment.blur()
    tester.button("Hand in").click()
    tester.code()


def test_a_line_that_is_refused_comes_back(people: People, documents: Served) -> None:
    rewording = enter(people, documents, "p")
    values = rewording.page.locator(".marked-lines button")
    rewording.field.fill(UNSEEN)
    rewording.field.press("Enter")
    expect(rewording.page.locator(".chat > .wrongly")).to_be_visible()
    expect(values.first).to_have_attribute("aria-current", "true")
    expect(rewording.field).to_have_value(UNSEEN)


def test_a_workers_id_is_never_cut(people: People, study: Served) -> None:
    one = people(study.link("user"))
    field = one.page.locator("#worker")
    stays(field, most="64")
    field.fill("w" * 64)
    one.join().shows("Take part in a dialogue study")
