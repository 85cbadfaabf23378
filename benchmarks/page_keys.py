"""Counts what a person does on the pages of a study: `python benchmarks/page_keys.py`.

An annotator makes eight marks in six lines by the keyboard alone, and by touch. A reviewer reads,
rates and accepts sixty submissions, one by one and all at once. Programs press and touch what a
person would; each press of a key and each click or touch counts.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from dialoom.collect.settings import Settings, Stage

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.serve.browser.conftest import ARGUMENTS, PROGRAM
from tests.serve.browser.person import PATIENCE, Person
from tests.serve.browser.review_scenes import play
from tests.serve.served import Served, served

LINES = (
    "A large café latte, please.",
    "Which store shall I send it to?",
    "Mill Street, please.",
    "With oat milk?",
    "Yes, and two of them.",
    "It is ready.",
)
STAGES = (
    Stage(name="write", kind="self_dialogue", tasks=("coffee_ordering",), least=2, only=("w",)),
    Stage(name="mark", kind="annotation", of="write", workers=2, only=("a", "b")),
)
SUBMISSIONS = 60
SPANS = (
    (0, "large", "size.drink"),
    (0, "café latte", "name.drink"),
    (2, "Mill Street", "location.store"),
    (3, "oat milk", "type.milk"),
    (4, "two", "num.drink"),
)


class Hands:
    """Presses keys and touches, and counts both."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0
        self.keys = {
            each.get_attribute("title"): each.get_attribute("aria-keyshortcuts")
            for each in page.locator(".legend button[title]").all()
        }

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.count += 1

    def touch(self, selector: str, **more: str) -> None:
        self.page.locator(selector, **more).first.tap()  # type: ignore[arg-type]
        self.count += 1

    def key(self, label: str) -> str:
        return self.keys[f"coffee_ordering.{label}"] or ""

    def word(self, line: int, word: str) -> None:
        self.touch(f'[data-line="{line}"] [data-from]', has_text=word)


def by_keys(one: Person) -> int:
    """Mark by the keyboard alone, and return the number of keys."""
    hands = Hands(one.page)
    hands.press("ArrowRight", "ArrowRight", hands.key("size.drink"), "=", "Shift+I")
    hands.press("ArrowRight", "Shift+ArrowRight", hands.key("name.drink"), "Enter")
    hands.press(hands.key("location.store"), "Shift+R", "Enter")
    hands.press("ArrowRight", "Shift+ArrowRight", hands.key("location.store"), "Enter")
    hands.press("ArrowRight", "ArrowRight", "Shift+ArrowRight", hands.key("type.milk"), "Enter")
    hands.press("Shift+A", *["ArrowRight"] * 4, hands.key("num.drink"), "Enter")
    hands.press("Enter")
    expect(one.page.locator("#submit")).to_be_focused()
    expect(one.page.locator("#submit")).to_contain_text("all lines")
    hands.press("Enter")
    return hands.count


def by_touch(one: Person) -> int:
    """Mark by touch alone, and return the number of touches."""
    hands = Hands(one.page)

    def act(name: str) -> None:
        hands.touch(".legend button:not([title])", has_text=name)

    for line, piece, label in SPANS:
        words = piece.split()
        for word in (words[0], words[-1])[: len(words)]:
            hands.word(line, word)
        hands.touch(f'.legend button[title="coffee_ordering.{label}"]')
        if label == "size.drink":
            hands.touch("button[aria-keyshortcuts='=']")
            act("inform")
        if label == "name.drink":
            hands.touch(".turns .main")
            hands.touch('.legend button[title="coffee_ordering.location.store"]')
            act("request")
        if label == "num.drink":
            act("affirm")
    for _ in range(2):
        hands.touch(".turns .main")
    hands.touch("#submit.main")
    return hands.count


def reviewed(study: Served, browser: Browser, *, at_once: bool) -> int:
    """Accept what waits for a review, and return the number of keys and clicks."""
    admin = Person(browser, f"{study.base}/admin#{study.signer.admin_token()}")
    admin.turn_to("Review")
    count, page = 1, admin.page
    if at_once:
        for name in ("Choose all", "Accept"):
            page.locator(".panes").get_by_role("button", name=name).first.click()
            count += 1
        expect(page.get_by_text("Nothing waits for a review.")).to_be_visible(timeout=PATIENCE * 4)
        return count
    for _ in range(SUBMISSIONS):
        title = page.locator("#submission")
        before = title.inner_text()
        expect(page.locator("#review .bubble").first).to_be_visible()  # it is read
        for key in ("4", "4", "a") if "User" in before else ("4", "a"):
            page.keyboard.press(key)
            count += 1
        expect(title.filter(has_text=before)).to_have_count(0)
    return count


def reviews(browser: Browser, folder: Path) -> None:
    """Print what a review of sixty submissions takes."""
    for at_once in (False, True):
        settings = Settings(tasks=("restaurant_book",), scenarios=SUBMISSIONS, seed=3)
        with served(folder / f"reviews-{at_once}.sqlite", settings) as study:
            for pair in range(SUBMISSIONS // 2):
                play(study, f"u-{pair}", f"w-{pair}")
            begun = time.perf_counter()
            count = reviewed(study, browser, at_once=at_once)
            seconds = time.perf_counter() - begun
            how = "at once" if at_once else "one by one"
            print(f"{SUBMISSIONS} submissions, {how}: {count} in {seconds:.0f} s")


def main() -> None:
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        expect.set_options(timeout=PATIENCE)
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=ARGUMENTS)
        settings = Settings(stages=STAGES, scenarios=1, seed=3)
        with served(Path(folder) / "marks.sqlite", settings) as study:
            writer = Person(browser, study.own("w")).join().agree()
            for number, line in enumerate(LINES, start=1):
                writer.field.fill(line)
                writer.field.press("Enter")
                expect(writer.lines).to_have_count(number)
            writer.button("Hand in").click()
            writer.code()
            phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
            for worker, marks, context in (("a", by_keys, {}), ("b", by_touch, phone)):
                one = Person(browser, study.own(worker), **context).join().agree()
                expect(one.page.locator("#marked")).to_be_focused()
                count = marks(one)
                one.code()
                print(f"six lines, eight marks, {marks.__name__}: {count}")
        reviews(browser, Path(folder))
        browser.close()


if __name__ == "__main__":
    main()
