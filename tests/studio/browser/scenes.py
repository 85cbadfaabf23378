"""The studio's pages, one after the other, with a task, a corpus, runs and a study to show."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Page, expect

import dialoom
from dialoom.schema import pack
from dialoom.serve.server import address, listen
from dialoom.studio.app import create_app
from dialoom.studio.corpora.building import build
from dialoom.studio.corpora.index import CorpusIndex
from tests.serve.browser.person import People
from tests.serve.served import running
from tests.studio.conftest import TOKEN

STUDY = """\
name: Weather talks
purpose: We study how people ask for the weather.
stages:
  - {name: talk, kind: bot, tasks: [weather.yaml], agents: [flow], pay: 50}
"""

PLACES = {
    "start": ("", "main h1"),
    "task": ("tasks/weather.yaml?tab=chart", ".drawn [role=button]"),
    "dialogues": ("tasks/weather.yaml?tab=dialogues", ".dialogue"),
    "corpus": ("corpora/talks", ".rows a"),
    "runs": ("runs", "main form"),
    "run": ("runs/reciter?other=flow", "main h1"),
    "study": ("studies/study.yaml?tab=pages", "iframe"),
}
"""Name of a scene to its place, and what it shows once it is complete."""


def studio_scenes(people: People, folder: Path) -> Iterator[tuple[str, Page]]:
    """Yield each page with a name, once it is complete."""
    folder.mkdir()
    (folder / "weather.yaml").write_text(pack.text("weather"), encoding="utf-8")
    (folder / "study.yaml").write_text(STUDY, encoding="utf-8")
    corpus = dialoom.simulate("weather", n=40, seed=7, out=folder / "talks", progress=False)
    for _ in build(CorpusIndex(folder / "talks"), corpus):
        pass
    for agent in ("flow", "reciter"):
        dialoom.play(agent, tasks="weather", n=5, seed=7, out=folder / agent, progress=False)
    app = create_app(folder, TOKEN)
    with listen("127.0.0.1", 0) as listening, running(app, listening):
        for name, (place, selector) in PLACES.items():
            page = people(f"{address(listening)}/?token={TOKEN}#/{place}").page
            expect(page.locator(selector).first).to_be_visible()
            expect(page.locator("[aria-busy=true]")).to_have_count(0)
            yield f"studio-{name}", page
