"""The pages of those who work on documents, each at the moment when it is to be looked at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Page, expect

from dialoom.collect.settings import Settings, Stage
from tests.serve.browser.axe import violations
from tests.serve.browser.person import NARROW, People, Person
from tests.serve.page import Page as Foreign
from tests.serve.served import Served, served

STAGES = (
    Stage(name="write", kind="self_dialogue", tasks=("coffee_ordering",), least=2, only=("w",)),
    Stage(
        name="mark",
        kind="annotation",
        of="write",
        workers=2,
        only=("a", "b"),
        layers=("spans", "acts", "states", "frames"),
        guidelines="A drink is marked with its kind: “café latte”, not “latte”.",
    ),
    Stage(name="settle", kind="adjudication", of="mark", only=("j",)),
    Stage(name="reword", kind="paraphrase", tasks=("Coaches_1",), only=("p",)),
    Stage(name="talk", kind="bot", tasks=("hotel_book",), only=("t",)),
)
CONTEXT = [
    {"agent": "user", "text": "I would like a table at seven, please."},
    {"agent": "system", "text": "Sure. In which part of town?"},
    {"agent": "user", "text": "Downtown."},
]
OUTPUTS = {
    "transformer": "For how many people shall I look?",
    "n-gram": "A table is a table at seven.",
    "nearest": "Your room is booked.",
}
LINES = ("A large café latte, please.", "It is ready.")


def documents(people: People, folder: Path) -> Iterator[tuple[str, Page]]:
    """Yield the page of each kind of work on documents."""
    outputs = written(folder / "outputs.jsonl")
    rate = Stage(
        name="rate",
        kind="rating",
        outputs=str(outputs),
        criteria=("natural", "fits_the_dialogue"),
        only=("r",),
    )
    settings = Settings(name="Words", stages=(*STAGES, rate), scenarios=1, seed=3)
    with served(folder / "documents.sqlite", settings) as study:
        writer = _enter(people, study, "w")
        for number, line in enumerate(LINES, start=1):
            writer.field.fill(line)
            writer.field.press("Enter")
            expect(writer.lines).to_have_count(number)
        yield "document-write", writer.page
        writer.button("Hand in").click()
        writer.code()
        _handed_in(study.page(None, worker="b"), {"0": {}, "1": {}})
        annotator = _enter(people, study, "a")
        marked = annotator.page.locator("#marked")
        annotator.choose_words("café latte")
        for key in ("2", "=", "Shift+I"):
            annotator.page.keyboard.press(key)
        expect(annotator.tags).to_have_count(1)
        for value, button in (("café latte", "Set"), ("latte", "Add as another value")):
            annotator.page.locator("#state-slot").select_option(label="drink name")
            annotator.page.locator("#state-value").fill(value)
            annotator.button(button, exact=True).click()
        expect(annotator.chips.filter(has_text="café latte / latte")).to_have_count(1)
        annotator.choose_words("large")
        yield "document-annotate", annotator.page
        for _ in LINES:
            marked.press("Enter")
        annotator.button("Hand in").click()
        annotator.code()
        judge = _enter(people, study, "j")
        expect(judge.page.get_by_text("To be settled")).to_have_count(1)
        yield "document-settle", judge.page
        yield "document-reword", _rewording(_enter(people, study, "p")).page
        tester = _enter(people, study, "t")
        answered(tester, "Hello, I need a room in a hotel.")
        yield "document-talk", tester.page
        tester.button("Good 2").click()
        tester.button("I have finished talking").click()
        expect(tester.page.locator("#submit-why")).to_contain_text("2")
        yield "document-talk-rated", tester.page
        rater = _enter(people, study, "r")
        rater.page.locator('label:has(input[name="0.0"])').nth(3).click()
        expect(rater.page.locator("#submit-why")).to_contain_text("5")
        yield "document-rate", rater.page


def written(path: Path) -> Path:
    """Write outputs of three systems."""
    path.write_bytes(msgspec.json.encode({"id": "1", "context": CONTEXT, "outputs": OUTPUTS}))
    return path


def _enter(people: People, study: Served, worker: str) -> Person:
    return people(study.own(worker)).join().agree()


def _rewording(one: Person) -> Person:
    """Say a value twice, so that it is asked which one is meant."""
    one.page.locator(".marked-lines button", has_text="traveling to Stenhaven").click()
    one.field.fill("To Stenhaven, yes, Stenhaven, on March 10th.")
    one.field.press("Enter")
    expect(one.page.locator(".several button")).to_have_count(2)
    return one


def answered(tester: Person, text: str) -> None:
    """Say something to a bot, and wait until it has answered."""
    count = tester.lines.count()
    tester.field.fill(text)
    tester.field.press("Enter")
    expect(tester.lines.nth(count + 1)).to_be_visible()
    tester.my_turn()


def _handed_in(page: Foreign, values: dict[str, Any]) -> None:
    """Let a foreign client save parts and hand them in."""
    page.do("consent")
    page.until_step("room")
    for part, value in values.items():
        page.do("save", part=part, rev=0, value=value)
    page.do("submit")


def enter(people: People, study: Served, worker: str) -> Person:
    """Let a worker in, to the page of what there is for them."""
    one = people(study.own(worker))
    return one.join().agree()


def looked_at(one: Person) -> None:
    """Check a page for axe's rules, and that nothing lies outside of a narrow window."""
    assert violations(one.page) == []
    size = one.page.viewport_size
    one.page.set_viewport_size(NARROW)
    assert one.page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    assert size is not None
    one.page.set_viewport_size(size)


def at_hand(one: Person, line: str) -> None:
    """Wait until a line is at hand."""
    expect(one.page.locator("#marked")).to_have_attribute(
        "aria-label", re.compile(f": {re.escape(line)}$")
    )


def hand_in(one: Person) -> None:
    one.button("Hand in").click()
    one.code()
