"""Two workers and a reviewer."""

from __future__ import annotations

from playwright.sync_api import expect

from dialoom.serve.links import AdminRole
from tests.serve.browser.person import People, Person
from tests.serve.page import Page
from tests.serve.play import whole
from tests.serve.served import Served


def board(people: People, study: Served, role: AdminRole = "owner") -> Person:
    """Open the link that was printed for the admin."""
    admin = people(f"{study.base}/admin#{study.signer.admin_token(role)}")
    expect(admin.page.locator("#live")).to_be_visible()
    return admin


def play(study: Served, user: str, wizard: str, pause: int = 0) -> tuple[Page, Page]:
    """Let two workers have a dialogue, over the wire; it begins after a pause (s)."""
    pages = study.page("user", worker=user).wait(), study.page("wizard", worker=wizard).wait()
    for page in pages:
        page.until_step("room")
    study.tick(pause)
    whole(*pages)
    return pages
