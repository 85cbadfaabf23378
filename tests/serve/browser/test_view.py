"""The page that `dialoom view` writes: searched, sorted, filtered and read in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.cli.runner import Run

SAMPLE = Path(__file__).parents[3] / "examples" / "sample"


@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 360])
def test_dialogues_are_found_and_read(
    run: Run, chromium: Browser, tmp_path: Path, width: int
) -> None:
    folder = tmp_path / "page"
    assert run("view", SAMPLE, "--out", folder).code == 0
    page = chromium.new_page(viewport={"width": width, "height": 900})
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto((folder / "index.html").as_uri())
    rows = page.locator("#rows tr")
    expect(rows).to_have_count(10)
    page.get_by_label("Text").fill("seeded rolls")
    page.get_by_label("Text").press("Tab")
    expect(rows).to_have_count(1)
    page.get_by_role("link", name="3", exact=True).click()
    expect(page.locator("#reader")).to_contain_text("a dozen, so 12")
    page.get_by_label("Text").fill("")
    page.get_by_label("Id, task or outcome").fill("museum")
    page.get_by_label("Id, task or outcome").press("Tab")
    expect(rows).to_have_count(3)
    page.get_by_role("button", name="turns").click()
    expect(rows.first).to_contain_text("9")
    page.get_by_label("with findings only").check()
    expect(rows).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()
    assert complaints == []
