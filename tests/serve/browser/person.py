"""Somebody who uses the pages with mouse or keyboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, ViewportSize, expect

from tests.serve.served import Served

NARROW = ViewportSize(width=360, height=740)
"""The window of a small telephone."""

PATIENCE = 30_000
"""Milliseconds after which a test fails that waits for something to show."""

MOST = 80
"""Presses of a key after which everything on a page has been passed."""

OFFLINE = ("ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "WebSocket")
"""What the browser itself says while a server is gone."""


class Person:
    """A browser context with a page on a link.

    Attributes:
        page: The page.
        complaints: Errors and warnings of the page, and exceptions: a strict policy's as well.
    """

    def __init__(self, browser: Browser, link: str, **context: Any) -> None:
        usual = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"}
        self.context = browser.new_context(**{**usual, **context})
        self.context.set_default_timeout(PATIENCE)
        self.link, self.complaints = link, list[str]()
        self.page = self.tab()

    def tab(self) -> Page:
        """Open the link in another tab."""
        page = self.context.new_page()
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(self.link)
        return page

    def _said(self, message: ConsoleMessage) -> None:
        quiet = any(word in message.text for word in OFFLINE)
        if message.type in ("error", "warning") and not quiet:
            self.complaints.append(message.text)

    # --- what is there --------------------------------------------------------------------------

    def button(self, name: str, *, exact: bool = False) -> Locator:
        return self.page.get_by_role("button", name=name, exact=exact)

    @property
    def field(self) -> Locator:
        return self.page.locator("#say")

    @property
    def lines(self) -> Locator:
        """What was said."""
        return self.page.locator(".lines .bubble")

    @property
    def chips(self) -> Locator:
        """The acts and states of a line."""
        return self.page.locator(".chip")

    @property
    def tags(self) -> Locator:
        """The labels on the words of the line at hand."""
        return self.page.locator("#marked .tag")

    @property
    def accomplished(self) -> Locator:
        return self.button("I have accomplished my task(s)")

    @property
    def alerts(self) -> Locator:
        return self.page.locator(".alerts")

    def shows(self, heading: str) -> None:
        """Wait for a page."""
        expect(self.page.get_by_role("heading", name=heading, level=1)).to_be_visible()

    def my_turn(self) -> None:
        expect(self.page.locator(".composer.yours")).to_be_visible()

    def until(self, condition: str) -> None:
        """Wait until a condition holds in the page, whose policy forbids Playwright's own way."""
        success = self.page.evaluate(f"""() => new Promise((done) => {{
          const late = performance.now() + {PATIENCE};
          const look = () => {{
            if ({condition}) done(true);
            else if (performance.now() > late) done(false);
            else setTimeout(look, 50);
          }};
          look();
        }})""")
        assert success, condition

    # --- what is done ---------------------------------------------------------------------------

    def join(self) -> Person:
        self.button("Continue").click()
        return self

    def agree(self) -> Person:
        self.button("I agree and want to take part").click()
        return self

    def wait(self) -> Person:
        """Come to the waiting room."""
        self.join().agree().button("I am ready").click()
        return self

    def seated(self) -> Person:
        expect(self.field).to_be_visible()
        return self

    def reach(self, target: Locator, key: str = "Tab") -> None:
        """Press a key until something has the focus."""
        expect(target).to_be_visible()
        for _ in range(MOST):
            if target.evaluate("element => element === document.activeElement"):
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"{key} does not come to {target}")

    def choose(self, target: Locator, option: str) -> None:
        """Go to a list by Tab, and down in it to an option, which may be said in part."""
        self.reach(target)
        for _ in range(MOST):
            if option in target.evaluate("list => list.selectedOptions[0].text"):
                return
            self.page.keyboard.press("ArrowDown")
        raise AssertionError(f"there is no {option} in {target}")

    def choose_words(self, piece: str) -> None:
        """Choose words of the line at hand with the arrow keys."""
        choice = self.page.locator("#marked .chosen")
        self.page.locator("#marked").press("Escape")
        for key in ("ArrowRight", "Shift+ArrowRight"):
            for _ in range(MOST):
                text = "".join(choice.all_inner_texts())
                if text == piece or (key == "ArrowRight" and piece.startswith(text or "-")):
                    break
                self.page.keyboard.press(key)
        assert "".join(choice.all_inner_texts()) == piece

    def say(self, text: str, reason: str | None = None) -> None:
        """Say something as the user, or as the wizard in one's own words, for a reason if asked."""
        self.my_turn()
        self.field.fill(text)
        self.field.press("Enter" if self.is_user else "Control+Enter")
        if reason is not None:
            self.page.locator("#reason").fill(reason)
            self.button("Send it all the same").click()
        expect(self.lines.last).to_have_text(text)

    @property
    def is_user(self) -> bool:
        return self.page.locator(".unit.user").count() > 0

    def suggest(self, text: str) -> Locator:
        """Ask for replies, and return them."""
        self.my_turn()
        self.field.fill(text)
        self.field.press("Enter")
        replies = self.page.locator("button.reply")
        expect(replies.first).to_be_focused()
        return replies

    def finish(self) -> None:
        self.accomplished.click()
        self.button("Yes, all done").click()

    def turn_to(self, name: str) -> None:
        """Go to a page of the admin."""
        self.page.locator("header nav").get_by_role("link", name=name).click()
        expect(self.page.locator("header nav [aria-current=page]")).to_contain_text(name)

    def answer(self, comment: str = "") -> None:
        """Fill in the questionnaire."""
        expect(self.button("Send the answers")).to_be_visible()
        self.page.get_by_text("Read the dialogue again").click()
        expect(self.lines.first).to_be_visible()
        for question in self.page.locator("form fieldset").all():
            question.locator("input").first.check()
        if comment:
            self.page.locator("#comment").fill(comment)
        self.button("Send the answers").click()

    def code(self) -> str:
        self.shows("Thank you, you are done")
        return self.page.locator(".code").inner_text()


def talk(user: Person, wizard: Person, turns: int = 1, reason: str | None = None) -> None:
    """Let both say something, in turns; the wizard for a reason if asked."""
    for turn in range(turns):
        user.say(f"user {turn}")
        wizard.say(f"wizard {turn}", reason)
        user.my_turn()


def talk_until_done(user: Person, wizard: Person) -> None:
    """Let both talk until the user may say that all is accomplished."""
    for _ in range(MOST):
        talk(user, wizard)
        if user.accomplished.get_attribute("aria-disabled") == "false":
            return
    raise AssertionError("the last instruction never comes")


def pair(people: Callable[..., Person], study: Served) -> tuple[Person, Person]:
    user, wizard = people(study.link("user")).wait(), people(study.link("wizard")).wait()
    return user.seated(), wizard.seated()


People = Callable[..., Person]
"""Opens a page of a study as somebody."""
