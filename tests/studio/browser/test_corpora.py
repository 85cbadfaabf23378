"""Corpora and runs in a real browser: the keyboard alone, hostile words, narrow windows, axe."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect
from starlette.testclient import TestClient

from dialoom import formats
from dialoom.play.running.plan import make_run, plan_of
from dialoom.schema import pack
from dialoom.studio.corpora.building import build
from dialoom.studio.corpora.index import CorpusIndex
from tests.serve.browser.axe import complaints
from tests.serve.browser.person import People, Person
from tests.studio.browser.conftest import Link
from tests.studio.conftest import client, stranger
from tests.studio.corpora.talks import ACT, HOSTILE, labelled, mend, talk, written

__all__ = ["client", "stranger"]

pytestmark = pytest.mark.browser

Open = Callable[..., Person]


@pytest.fixture
def corpus(folder: Path) -> Path:
    place = folder / "talks"
    others = [talk(f"d{number}", f"word{number} hotel", HOSTILE) for number in range(60)]
    written(place, labelled(), *others)
    list(build(CorpusIndex(place), formats.load(place)))
    return place


@pytest.fixture
def at(link: Link, people: People, corpus: Path) -> Open:
    return lambda place, **context: people(link(place), **context)


def test_search_open_mend_and_take_back_by_keyboard(at: Open, corpus: Path) -> None:
    page = at("corpora/talks").page
    expect(page.get_by_text("1–50 of 61 dialogues")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("rome")
    expect(page.get_by_text("1–1 of 1 dialogues")).to_be_visible()
    expect(page.locator(".excerpt mark")).to_have_text("Rome")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".said mark")).to_have_text("Rome")
    act = page.get_by_role("button", name="Change: inform(city = Rome)")
    act.focus()
    page.keyboard.press("Enter")
    page.get_by_label("Name", exact=True).fill("confirm")
    page.get_by_label("Your name").fill("ada")
    overlay = corpus.with_name("talks.patches.jsonl")
    assert not overlay.exists()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Change: confirm(city = Rome)")).to_be_visible()
    assert b'"who":"ada"' in overlay.read_bytes()
    page.get_by_role("button", name="Take the last change back").press("Enter")
    expect(page.get_by_role("button", name="Change: inform(city = Rome)")).to_be_visible()


def test_a_form_ends_with_its_dialogue_or_its_version(
    at: Open, client: TestClient, corpus: Path
) -> None:
    person = at("corpora/talks?id=d3")
    page = person.page
    expect(page.get_by_role("heading", name="d3 ")).to_be_visible()
    page.evaluate("location.hash = '#/corpora/talks?id=labelled'")
    act = page.get_by_role("button", name="Change: inform(city = Rome)")
    act.click()
    page.go_back()
    expect(page.get_by_role("heading", name="d3 ")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.go_forward()
    act.click()
    opened = client.get("/api/corpora/dialogue?path=talks&id=labelled").json()
    mend(client, opened, pointer=ACT, form={"kind": "act", "name": "confirm"})
    page.get_by_label("Your name").fill("bob")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("the dialogue changed meanwhile")
    expect(page.get_by_role("button", name="Change: confirm")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert len(corpus.with_name("talks.patches.jsonl").read_bytes().splitlines()) == 1
    assert all("422" in complaint for complaint in person.complaints)  # the refusal
    person.complaints.clear()


def test_a_span_is_added_to_chosen_words(at: Open, corpus: Path) -> None:
    page = at("corpora/talks?id=d3").page
    page.get_by_role("button", name="Label event 0").click()
    page.get_by_role("dialog").get_by_label("What").select_option("span")
    words = page.get_by_label("Select the words")
    words.evaluate("e => e.setSelectionRange(6, 11)")
    words.dispatch_event("select")
    expect(page.locator("dialog strong")).to_have_text("hotel")
    page.get_by_label("Labels, with commas").fill("place")
    page.get_by_label("Your name").fill("ada")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".said mark")).to_have_text("hotel")


def test_links_and_keys_lead_through_the_corpus(at: Open) -> None:
    person = at("corpora/talks?text=word7")
    page = person.page
    expect(page.get_by_role("searchbox")).to_have_value("word7")
    page.get_by_role("link", name="d7").click()
    expect(page.get_by_role("heading", name="d7 ")).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_role("heading", name="d8 ")).to_be_visible()
    page.keyboard.press("p")
    expect(page.get_by_role("heading", name="d7 ")).to_be_visible()
    page.get_by_label("Id of a dialogue to show next to this one").fill("d9")
    page.keyboard.press("Enter")
    expect(page.get_by_role("article")).to_have_count(2)
    page.go_back()
    expect(page.get_by_role("article")).to_have_count(1)
    page.reload()
    expect(page.get_by_role("heading", name="d7 ")).to_be_visible()


def test_hostile_words_do_nothing(at: Open) -> None:
    page = at("corpora/talks?id=d1&text=onerror").page
    expect(page.locator(".said").last).to_have_text(HOSTILE)
    expect(page.locator(".excerpt").first).to_contain_text("<img src=x")
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img, main script").count() == 0


def test_a_corpus_that_changes_is_listed_anew(at: Open, corpus: Path) -> None:
    page = at("corpora/talks").page
    expect(page.get_by_text("1–50 of 61 dialogues")).to_be_visible()
    written(corpus, *(talk(f"new{number}", "fresh") for number in range(3)))
    expect(page.get_by_text("1–3 of 3 dialogues")).to_be_visible()


@pytest.fixture
def runs(folder: Path) -> Path:
    for agent in ("flow", "reciter"):
        make_run(plan_of((pack.load("weather"),), agent, "simulated", 2, 1, 7), folder / agent)
    return folder


def test_from_a_score_to_the_line_of_the_task_by_keyboard(runs: Path, at: Open) -> None:
    page = at("runs/reciter?other=flow").page
    expect(page.get_by_role("heading", name="reciter")).to_be_visible()
    expect(page.get_by_role("region", name="Pairs")).to_contain_text("neither")
    page.get_by_role("region", name="Success by task").get_by_role("link", name="weather").press(
        "Enter"
    )
    page.locator(".dialogues .rows a").first.press("Enter")
    expect(page.get_by_role("complementary", name="Outcome")).to_contain_text("Goal")
    line = page.locator(".task-line").first
    number = line.inner_text().split("line ")[1].split(" ")[0]
    line.press("Enter")
    page.wait_for_url(f"**/#/tasks/weather.yaml?line={number}")
    page.go_back()
    page.get_by_role("link", name="Open it in the corpus").click()
    expect(page.get_by_role("article")).to_be_visible()


@pytest.mark.parametrize(
    "place",
    [
        "corpora/talks?text=rome&task=",
        "corpora/talks?id=labelled",
        "runs/flow?other=reciter",
        "runs",
    ],
)
def test_pages_are_accessible_and_fit_a_narrow_window(runs: Path, at: Open, place: str) -> None:
    page = at(place).page
    expect(page.locator(".rows a, .line, .participants").first).to_be_visible()
    assert complaints(place, page) == []


def test_the_form_is_accessible(at: Open) -> None:
    page = at("corpora/talks?id=labelled").page
    page.get_by_role("button", name="Change: inform").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert complaints("form", page) == []
