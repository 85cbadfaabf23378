"""Somebody who edits a task file in the studio."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.serve.browser.person import Person


class Editing:
    """Somebody who edits a task file."""

    def __init__(self, person: Person) -> None:
        self.person, self.page = person, person.page
        expect(self.lines).to_be_visible()

    @property
    def lines(self) -> Locator:
        return self.page.locator(".cm-content")

    @property
    def found(self) -> Locator:
        return self.page.locator(".workbench .found summary")

    @property
    def state(self) -> Locator:
        return self.page.locator(".file [role=status]")

    def panel(self, name: str) -> Locator:
        self.page.get_by_role("tab", name=name).click()
        return self.page.get_by_role("tabpanel")

    def text(self) -> str:
        """Return the text of the editor, also of lines that are not drawn."""
        read = "e => e.cmTile?.view?.state.doc.toString() ?? e.cmView.view.state.doc.toString()"
        content: str = self.lines.evaluate(read)
        return content

    def type(self, text: str) -> None:
        self.lines.focus()
        self.page.keyboard.press("Control+End")
        self.page.keyboard.insert_text(text)
