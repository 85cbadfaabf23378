"""`dialoom collect preview`: pages that a browser opens from files, without a server."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from dialoom.collect.settings import Settings, Stage
from dialoom.serve.preview import preview
from tests.serve.browser.person import People

pytestmark = pytest.mark.browser

STAGES = (
    Stage(name="talk", minutes=8),
    Stage(name="write", kind="self_dialogue", tasks=("coffee_ordering",), least=2),
    Stage(
        name="mark",
        kind="annotation",
        of="write",
        workers=2,
        pay=60,
        minutes=3,
        guidelines="Mark drinks.\n![A cup](https://p.example/cup.png)",
    ),
    Stage(name="settle", kind="adjudication", of="mark"),
)
SETTINGS = Settings(tasks=("restaurant_book",), stages=STAGES, scenarios=2, seed=3, budget=9)


def test_each_step_is_a_page_that_needs_no_server(people: People, tmp_path: Path) -> None:
    pages = preview(SETTINGS, tmp_path / "preview")
    steps = [(each.stage, each.person, each.step) for each in pages]
    assert {("talk", "wizard", step) for step in ("room", "questionnaire", "done")} <= set(steps)
    assert [each for each in steps if each[0] == "settle"] == [
        ("settle", "adjudicator", step) for step in ("consent", "room", "done")
    ]
    files = {each[:3]: page.file for each, page in zip(steps, pages, strict=True)}
    tab = people((tmp_path / "preview/index.html").as_uri()).page
    expect(tab.get_by_role("link")).to_have_count(len(pages))
    picture = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
    tab.route(
        "https://p.example/**",
        lambda route: route.fulfill(body=picture, content_type="image/svg+xml"),
    )
    tab.goto((tmp_path / "preview" / files["mark", "annotator", "consent"]).as_uri())
    expect(tab.get_by_text("It takes about 3 minutes. The pay is $0.60.")).to_be_visible()
    expect(tab.locator(".role")).to_have_text("You annotate")
    tab.goto((tmp_path / "preview" / files["mark", "annotator", "room"]).as_uri())
    expect(tab.locator("#marked")).to_be_focused()
    cup = tab.get_by_role("img", name="A cup")
    expect(cup).to_have_attribute("src", "https://p.example/cup.png")
    tab.goto((tmp_path / "preview" / files["mark", "annotator", "done"]).as_uri())
    expect(tab.get_by_text("Parts handed in: 2.")).to_be_visible()
    tab.goto((tmp_path / "preview" / files["write", "writer", "room"]).as_uri())
    expect(tab.get_by_text("drink name").first).to_be_visible()
    tab.goto((tmp_path / "preview" / files["talk", "wizard", "room"]).as_uri())
    expect(tab.locator(".chart .flow")).to_be_visible()
    expect(tab.get_by_text("in steps of 30 minutes")).to_be_visible()


def test_a_study_in_stages_has_all_of_them(tmp_path: Path) -> None:
    tasks = ("restaurant_book", "hotel_book", "weather")
    star = Settings(tasks=tasks, stages="star", scenario="mixed", scenarios=4)
    pages = preview(star, tmp_path / "preview")
    steps = {(each.stage, each.step) for each in pages}
    assert {("single_tutorial", "tutorial"), ("multi_tutorial", "tutorial")} <= steps
    assert {("single", "room"), ("multi", "room")} <= steps


@pytest.mark.parametrize(("tutorial", "shown"), [(50, 1), (200, 0)])
def test_the_consent_promises_a_rise_only_where_pay_rises(
    people: People, tmp_path: Path, tutorial: int, shown: int
) -> None:
    quiz = Stage(name="single_tutorial", kind="quiz", pay=tutorial)
    stages = (quiz, Stage(name="talk", gate="quiz", pay=100))
    first, *_ = preview(Settings(tasks=("weather",), stages=stages, scenarios=2), tmp_path / "p")
    assert first.step == "consent"
    page = people((tmp_path / "p" / first.file).as_uri()).page
    expect(page.get_by_role("heading", name="What you earn")).to_be_visible()
    expect(page.get_by_text("Later parts pay more")).to_have_count(shown)


def test_spoken_dialogues_are_played_with_silence(people: People, tmp_path: Path) -> None:
    stages = (
        Stage(name="talk", kind="spoken"),
        Stage(name="check", kind="transcription", of="talk"),
    )
    pages = preview(Settings(tasks=("weather",), stages=stages, scenarios=1), tmp_path / "p")
    files = {(each.person, each.step): each.file for each in pages}
    steps = ("questionnaire", "done")
    assert {("user", step) for step in steps} | {("wizard", step) for step in steps} <= set(files)
    assert ("transcriber", "done") in files
    page = people((tmp_path / "p" / files["transcriber", "room"]).as_uri()).page
    page.wait_for_function("document.querySelector('audio[src^=blob]')?.duration === 1")
