"""The page that `dialoom view` writes: searched, sorted, filtered and read in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from dialoom.dialogue import Dialogue, Utterance, encode
from dialoom.render.page import Section, page
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


@pytest.mark.browser
def test_words_and_findings_of_the_second_corpus_are_found(
    run: Run, chromium: Browser, tmp_path: Path
) -> None:
    for name, text, reply in (("a", "Two loaves.", "Done."), ("b", "Two loavse.", "")):
        said = (Utterance(agent="user", text=text), Utterance(agent="system", text=reply))
        line = encode(Dialogue(id="1", events=said)) + b"\n"
        (tmp_path / f"{name}.jsonl").write_bytes(line)
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    assert run("view", *files, "--out", tmp_path / "page").code == 0
    page = chromium.new_page()
    page.goto((tmp_path / "page" / "index.html").as_uri())
    page.get_by_label("with findings only").check()  # the empty reply of b
    page.get_by_label("Text").fill("loavse")
    page.get_by_label("Text").press("Tab")
    expect(page.locator("#count")).to_contain_text("1 dialogues")
    page.get_by_role("link", name="1", exact=True).click()
    expect(page.locator("#reader article")).to_have_count(2)
    expect(page.locator("#reader")).to_contain_text("loavse")
    page.close()


@pytest.mark.browser
def test_a_long_id_does_not_widen_the_page(chromium: Browser, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(
        page("a", [Section("i" * 300, "Hi."), Section("b", "Hi.")])
    )
    narrow = chromium.new_page(viewport={"width": 390, "height": 900})
    narrow.goto((tmp_path / "index.html").as_uri())
    expect(narrow.locator("h2")).to_have_count(2)
    assert narrow.evaluate("document.documentElement.scrollWidth") <= 390
    narrow.close()
