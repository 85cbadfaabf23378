"""Marking words in the text itself, with mouse, touch and keyboard; endings, undo, acts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from dialoom.collect.settings import Settings, Stage
from tests.serve.browser.document_scenes import at_hand, enter, hand_in, looked_at
from tests.serve.browser.person import People, Person
from tests.serve.page import Page as Foreign
from tests.serve.served import Served, served

pytestmark = pytest.mark.browser

TASKS = ("coffee_ordering", "pizza_ordering")
LINES = ("Hi, a large café latte, please.", "Here you are.")


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Served]:
    stages = (
        Stage(name="write", kind="self_dialogue", tasks=TASKS, least=2, only=("w",)),
        Stage(name="mark", kind="annotation", of="write", layers=("spans", "acts", "relations")),
    )
    with served(tmp_path / "marks.sqlite", Settings(stages=stages, scenarios=1, seed=3)) as study:
        writer = study.page(None, worker="w")
        writer.do("consent")
        writer.until_step("room")
        speakers = ("user", "assistant")
        for part, (speaker, text) in enumerate(zip(speakers, LINES, strict=True), start=1):
            writer.do("save", part=str(part), rev=0, value={"speaker": speaker, "text": text})
        writer.do("submit")
        yield study


def word(one: Person, text: str) -> Locator:
    return one.page.locator('[data-line="0"] [data-from]', has_text=re.compile(f"^{text}$"))


def chosen(one: Person, piece: str) -> None:
    """Check the words that are chosen."""
    one.until(
        "[...document.querySelectorAll('#marked .chosen')].map(e => e.textContent).join('')"
        f" === {piece!r}"
    )


def label(one: Person, name: str) -> Locator:
    return one.page.locator(f'.legend button[title="coffee_ordering.{name}"]')


def test_labels_are_those_of_the_dialogues_task_in_words(people: People, study: Served) -> None:
    one = enter(people, study, "a")
    expect(one.page.locator("#marked")).to_be_focused()
    expect(label(one, "name.drink")).to_contain_text("drink name")
    titles = [each.get_attribute("title") for each in one.page.locator(".legend [title]").all()]
    assert titles
    assert not [title for title in titles if not str(title).startswith("coffee_ordering.")]
    assert {"coffee_ordering.accept", "coffee_ordering.reject"} <= set(titles)
    looked_at(one)


def test_words_are_chosen_with_the_mouse(people: People, study: Served) -> None:
    one = enter(people, study, "a")
    first, last = word(one, "café").bounding_box(), word(one, "latte").bounding_box()
    assert first is not None
    assert last is not None
    mouse = one.page.mouse
    mouse.move(first["x"] + 1, first["y"] + first["height"] / 2)
    mouse.down()
    mouse.move(last["x"] + last["width"] - 1, last["y"] + last["height"] / 2)
    mouse.up()
    chosen(one, "café latte")
    label(one, "name.drink").click()
    expect(one.tags).to_have_text([re.compile("drink name")])
    expect(one.page.locator("#marked")).to_be_focused()
    word(one, "large").click()
    chosen(one, "large")
    label(one, "size.drink").click()
    expect(one.tags).to_have_count(2)
    one.tags.first.click()
    expect(one.tags).to_have_text([re.compile("drink name")])
    word(one, "Hi").click()
    word(one, "large").click(modifiers=["Shift"])
    chosen(one, "Hi, a large")


def test_words_are_chosen_by_touch(people: People, study: Served) -> None:
    phone = {"viewport": {"width": 360, "height": 640}, "has_touch": True}
    one = people(study.own("a"), **phone).join().agree()
    word(one, "café").tap()
    word(one, "latte").tap()
    chosen(one, "café latte")
    label(one, "name.drink").tap()
    expect(one.tags).to_have_count(1)
    word(one, "large").tap()
    chosen(one, "large")
    word(one, "large").tap()
    chosen(one, "")
    one.page.locator('[data-line="1"] [data-from]', has_text="Here").tap()
    at_hand(one, LINES[1])
    one.button("Done with this line").tap()
    one.page.locator("#submit.main").tap()
    one.code()


def test_a_label_gets_an_ending_and_goes_away(people: People, study: Served) -> None:
    one = enter(people, study, "a")
    one.choose_words("large")
    keys = one.page.keyboard
    size = label(one, "size.drink").get_attribute("aria-keyshortcuts") or ""
    for pressed, tag in (
        (size, "drink size ×"),
        ("+", "drink size · accepted ×"),
        ("-", "drink size · rejected ×"),
        ("-", "drink size ×"),
        (size, None),
    ):
        keys.press(pressed)
        if tag is None:
            expect(one.tags).to_have_count(0)
        else:
            expect(one.tags.first).to_contain_text(tag)
    for _ in range(2):
        keys.press("Control+z")
    expect(one.tags.first).to_contain_text("drink size · rejected")
    keys.press("Enter")
    at_hand(one, LINES[1])
    keys.press("Control+z")
    at_hand(one, LINES[0])
    expect(one.tags.first).to_contain_text("drink size · accepted")
    keys.press("Enter")
    at_hand(one, LINES[1])
    keys.press("Enter")
    hand_in(one)


def test_an_act_is_about_something_only_if_that_was_said_for_it(
    people: People, study: Served
) -> None:
    one = enter(people, study, "a")
    keys = one.page.keyboard
    one.choose_words("large")
    keys.press(label(one, "size.drink").get_attribute("aria-keyshortcuts") or "")
    keys.press("Shift+G")
    keys.press("=")
    expect(one.page.locator("#value")).to_have_value("large")
    keys.press("Shift+I")
    expect(one.page.locator("#slot")).to_have_value("")
    keys.press("Shift+T")
    one.page.locator("#marked").press("Escape")
    keys.press(label(one, "name.drink").get_attribute("aria-keyshortcuts") or "")
    keys.press("Shift+R")
    acts = ["greet", "inform (drink size = large)", "thank", "request (drink name)"]
    expect(one.chips.locator("> span")).to_have_text(acts)


def related(one: Person) -> Locator:
    """Return the relations that are written under the line at hand."""
    return one.page.locator(".marked-lines [aria-current=true] > p.small")


def test_words_are_related_to_others_with_the_keyboard(people: People, study: Served) -> None:
    one = enter(people, study, "a")
    keys = one.page.keyboard
    drink = label(one, "name.drink").get_attribute("aria-keyshortcuts") or ""
    one.choose_words("café latte")
    for key in (drink, "Enter"):
        keys.press(key)
    at_hand(one, LINES[1])
    one.choose_words("Here")
    for key in (drink, ">", "ArrowDown", "Tab", "Enter"):
        keys.press(key)
    expect(related(one)).to_have_text("Here → café latte (refers to)")
    expect(one.page.locator("#marked")).to_be_focused()
    looked_at(one)
    keys.press("Shift+Enter")
    one.tags.first.click()
    expect(one.page.locator("#submit-why")).to_contain_text("no label")
    keys.press("Control+z")
    hand_in(one)


def test_words_are_related_to_others_by_touch(people: People, study: Served) -> None:
    phone = {"viewport": {"width": 360, "height": 640}, "has_touch": True}
    one = people(study.own("a"), **phone).join().agree()
    for text in ("large", "latte"):
        word(one, text).tap()
        label(one, "name.drink").tap()
    one.page.get_by_label("Other words").select_option(label="1: large (drink name)")
    one.button("Relate").tap()
    expect(related(one)).to_have_text("latte → large (refers to)")
    looked_at(one)
    one.page.locator(".chip", has_text="refers to").get_by_role("button").tap()
    expect(related(one)).to_have_count(0)


def test_a_label_may_have_an_ending_and_is_of_the_dialogues_task(study: Served) -> None:
    one = study.page(None, worker="a")
    one.do("consent")
    one.until_step("room")
    for valid, name in ((True, "coffee_ordering.size.drink.accept"), (False, "pizza_ordering.x")):
        assert _saved(one, name) is valid


def _saved(one: Foreign, name: str) -> bool:
    place = LINES[0].index("large")
    span = {"start": place, "end": place + 5, "text": "large", "labels": [name]}
    value = {"spans": [span], "acts": [], "states": [], "active": None}
    rev = 1 if name.startswith("pizza") else 0
    return bool(one.ask("save", part="0", rev=rev, value=value)["type"] == "ack")
