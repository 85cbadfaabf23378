"""Fixtures of the tests in a real browser: Debian's Chromium, people in contexts of their own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.serve.browser.person import PATIENCE, People, Person

PROGRAM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""Debian's Chromium: without a window, which takes half the time, or else as people have it."""

ARGUMENTS = (
    "--no-sandbox",
    "--disable-features=LocalNetworkAccessChecks",
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
)
"""A recruiter's page is not of this machine, and shows one of this machine in a frame; there is a
microphone that beeps, and is given to whoever asks."""


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium; without it the tests are skipped, but not on CI.

    Not for the whole session: while Playwright runs, no other test can have an event loop.
    """
    if PROGRAM is None:
        reason = "needs Debian's Chromium: apt-get install chromium"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def people(chromium: Browser) -> Iterator[People]:
    """Make people, each with a browser context; at the end no page may have complained."""
    persons: list[Person] = []

    def person(link: str, **context: object) -> Person:
        persons.append(Person(chromium, link, **context))
        return persons[-1]

    yield person
    complaints = [complaint for one in persons for complaint in one.complaints]
    for one in persons:
        one.context.close()
    assert complaints == []
