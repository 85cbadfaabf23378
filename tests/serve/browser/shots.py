"""Writes pictures of each page, wide and 360 px narrow: `python -m tests.serve.browser.shots OUT`.

Pictures in `docs/images` are some of these, shrunk to 64 colours.
"""

from __future__ import annotations

import sys
import tempfile
from itertools import chain
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from tests.serve.browser.conftest import ARGUMENTS, PROGRAM
from tests.serve.browser.person import NARROW, PATIENCE, Person
from tests.serve.browser.scenes import scenes
from tests.serve.browser.spoken_scenes import spoken
from tests.studio.browser.scenes import studio_scenes

WHOLE = ("user", "wizard", "leave", "admin-reading", "studio")
"""Scenes that fill the window, so that there is nothing below it."""


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=ARGUMENTS)

        def person(link: str, **context: object) -> Person:
            return Person(browser, link, reduced_motion="reduce", **context)

        places = Path(folder)
        studio = studio_scenes(person, places / "studio")
        for name, page in chain(scenes(person, places), spoken(person, places), studio):
            _shoot(page, out / f"{name}.png", name)
            if not name.startswith("wizard"):
                size = page.viewport_size
                assert size is not None
                page.set_viewport_size(NARROW)
                _shoot(page, out / f"{name}-narrow.png", name)
                page.set_viewport_size(size)


def _shoot(page: Page, path: Path, name: str) -> None:
    page.evaluate("scrollTo(0, 0)")  # what sticks to the top is drawn there
    page.evaluate("new Promise(requestAnimationFrame)")
    page.screenshot(path=path, full_page=not name.startswith(WHOLE))
    print(path, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
