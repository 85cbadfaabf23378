"""What the admin decides on the page: reviews, bonuses, and what an export is."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from dialoom import formats
from dialoom.collect.settings import Pay, Settings
from dialoom.dialogue import Utterance
from dialoom.serve.links import AdminRole
from tests.serve.browser.person import People, Person
from tests.serve.browser.review_scenes import board, play
from tests.serve.served import Served, served

pytestmark = pytest.mark.browser

FORMATS = {"star": "STAR JSON", "frames": "Frames JSON", "native": "Native"}


def row(admin: Person, name: str) -> Locator:
    head = admin.page.get_by_role("rowheader", name=name, exact=True)
    return admin.page.get_by_role("row").filter(has=head)


def test_the_dashboard_shows_who_is_away(people: People, study: Served) -> None:
    user, wizard = study.pair()
    user.do("say", text="Hello")
    admin = board(people, study)
    expect(row(admin, "1")).to_contain_text("assistant's turn")
    expect(row(admin, "1").get_by_text("Offline")).to_have_count(0)
    wizard.drop()
    expect(row(admin, "1").get_by_text(wizard.state["worker"])).to_contain_text("Offline")
    expect(row(admin, "1").get_by_text(user.state["worker"])).to_contain_text("Connected")
    admin.turn_to("Figures")
    expect(admin.page.get_by_text("No complete dialogue yet.")).to_be_visible()


def test_viewers_find_no_button_that_the_server_refuses(people: People, study: Served) -> None:
    play(study, "w-u", "w-w")
    study.pair()
    study.page("user", worker="before")
    looks, decides = {"Read along", "Log out"}, {"End", "Accept", "Reject"}
    roles: dict[AdminRole, bool] = {"viewer": False, "reviewer": True}
    for role, may in roles.items():
        admin = board(people, study, role)
        buttons = set(admin.page.get_by_role("button").all_inner_texts())
        admin.turn_to("Review")
        expect(admin.page.locator(".queue li")).to_have_count(2)
        expect(admin.page.locator("#review .bubble").first).to_be_visible()
        buttons |= set(admin.page.get_by_role("button").all_inner_texts())
        admin.turn_to("Live")
        assert looks <= buttons
        assert decides & buttons == (decides if may else set())
        ending = admin.page.locator("#live").get_by_role("button", name="End", exact=True)
        expect(ending).to_have_count(2 if may else 0)
        admin.button("Read along").click()
        writing = admin.page.locator("dialog").get_by_label("Message")
        expect(admin.page.locator("dialog").get_by_role("list")).to_be_visible()
        expect(writing).to_have_count(1 if may else 0)


def test_a_login_ends(people: People, study: Served) -> None:
    admin = board(people, study)
    admin.page.reload()
    expect(admin.page.locator("#live")).to_be_visible()
    admin.button("Log out").click()
    admin.shows("Log in as admin")
    assert all("401" in complaint for complaint in admin.complaints)
    admin.complaints.clear()


def test_accepting_and_rejecting(people: People, study: Served) -> None:
    user, wizard = play(study, "w-u", "w-w")
    admin = board(people, study)
    queue = admin.page.locator("#review")
    first = queue.get_by_role("article", name="w-u, as User")
    second = queue.get_by_role("article", name="w-w, as Assistant")
    admin.turn_to("Review")
    queue.get_by_role("button", name="w-w, as Assistant").click()
    expect(second.get_by_text("Creativity")).to_have_count(0)
    expect(second.locator(".bubble").first).to_be_visible()
    queue.get_by_role("button", name="w-u, as User").click()
    for what, mark in (("Followed the instructions", "5"), ("Creativity", "4")):
        rating = first.get_by_role("group", name=what)
        rating.get_by_role("button", name=mark).click()
    first.get_by_role("button", name="Accept").click()
    expect(first).to_have_count(0)
    booked = user.until_state(lambda state: not state["done"]["review"])["done"]["booked"]
    assert [entry["cents"] for entry in booked] == [100]
    admin.turn_to("Workers")
    expect(row(admin, "w-u").last).to_contain_text("5.0")
    expect(row(admin, "w-u").last).to_contain_text("4.0")
    admin.turn_to("Review")
    second.get_by_label("Reason").fill("Nothing but <i>noise</i>.")
    second.get_by_role("button", name="Reject").click()
    expect(queue).to_contain_text("Nothing waits for a review.")
    done = wizard.until_state(lambda state: not state["done"]["review"])["done"]
    assert done["cents"] == 0
    admin.turn_to("Pay")
    admin.page.get_by_text("Ledger: ").click()
    expect(admin.page.get_by_role("cell", name="Nothing but <i>noise</i>.")).to_be_visible()
    admin.page.get_by_label("Find a unit or a worker").fill("w-w")  # and thinks better of it
    one = admin.page.get_by_role("region", name="w-w")
    one.get_by_role("button", name="Accept").click()
    expect(one.get_by_role("button", name="Accept")).to_have_count(0)
    wizard.until_state(lambda state: state["done"]["cents"] == 100)
    one.get_by_role("button", name="Take back").click()
    wizard.until_state(lambda state: state["done"]["review"] and state["done"]["cents"] == 0)
    expect(admin.page.get_by_role("cell", name="Taken back")).to_be_visible()
    admin.turn_to("Review")
    expect(queue.get_by_role("article", name="w-w, as Assistant")).to_be_visible()


def test_a_worker_is_found_and_a_dialogue_is_replayed(people: People, study: Served) -> None:
    play(study, "w-u", "w-w", pause=30)
    talking = study.page("user", worker="other"), study.page("wizard", worker="w-3")
    for each in talking:
        each.wait()
    admin = board(people, study)
    page, live = admin.page, admin.page.locator("#live")
    expect(live.get_by_role("button", name="Read along")).to_have_count(1)
    page.get_by_label("Find a unit or a worker").fill("w-u")
    expect(live.get_by_role("button", name="Read along")).to_have_count(0)
    one = page.get_by_role("region", name="w-u")
    expect(one).to_contain_text("Dialogues handed in: 1.")
    one.get_by_role("button", name="Read along").click()
    bubbles = page.locator("dialog .bubble")
    expect(bubbles.first).to_be_visible()
    count = bubbles.count()
    page.locator("dialog summary").click()
    expect(page.locator("dialog .task-text").first).not_to_be_empty()
    page.clock.install()  # time goes on by hand from here
    page.locator("dialog").get_by_role("button", name="Replay").click()
    page.clock.run_for(100)
    expect(bubbles).to_have_count(0)
    page.clock.run_for(600_000)
    expect(bubbles).to_have_count(count)
    page.keyboard.press("Escape")
    page.get_by_label("Find a unit or a worker").clear()
    admin.turn_to("Workers")
    page.locator("#workers").get_by_role("button", name="w-w").click()
    expect(page.get_by_role("heading", name="w-w", exact=True)).to_be_visible()


def test_what_is_downloaded_reads_back(people: People, study: Served, tmp_path: Path) -> None:
    play(study, "w-u", "w-w")
    admin = board(people, study)
    admin.turn_to("Settings")
    for format, name in FORMATS.items():
        with admin.page.expect_download() as coming:
            admin.page.get_by_role("link", name=name).click()
        zipfile.ZipFile(coming.value.path()).extractall(tmp_path)
        [dialogue] = formats.load(tmp_path / format, format).dialogues()
        texts = [e.text for e in dialogue.events if isinstance(e, Utterance)]
        assert texts[0] == "This is what I say in turn 0.", format


def test_the_best_get_a_bonus_once_the_admin_confirms(people: People, tmp_path: Path) -> None:
    best = Pay(top_least=1, top_share=1.0)
    settings = Settings(tasks=("restaurant_book", "hotel_book"), scenarios=8, pay=best)
    with served(tmp_path / "best.sqlite", settings) as study:
        play(study, "w-1", "w-2")
        play(study, "w-2", "w-1")
        admin = board(people, study)
        admin.turn_to("Review")
        rows = admin.page.locator(".queue li")
        for left in (4, 3, 2, 1):  # by keys alone
            expect(rows).to_have_count(left)
            expect(admin.page.locator("#review .bubble").first).to_be_visible()
            admin.page.keyboard.press("4")
            admin.page.keyboard.press("a")
        expect(rows).to_have_count(0)
        admin.turn_to("Pay")
        proposed = admin.page.get_by_role("checkbox", name="Bonus of")
        expect(proposed).not_to_have_count(0)
        count = proposed.count()
        proposed.first.uncheck()
        admin.button(f"Book {count - 1} bonuses").click()
        expect(proposed).to_have_count(1)
        expect(admin.page.locator("#pay")).to_contain_text(f"Bonuses{count - 1}$")


def test_submissions_are_accepted_at_once_and_lists_have_pages(
    people: People, tmp_path: Path
) -> None:
    settings = Settings(tasks=("restaurant_book", "hotel_book"), scenarios=20, budget=2700)
    with served(tmp_path / "many.sqlite", settings) as study:
        for pair in range(14):
            play(study, f"u-{pair}", f"w-{pair}")
        admin = board(people, study)
        admin.turn_to("Review")
        rows, page = admin.page.locator(".queue li"), admin.page
        expect(rows).to_have_count(25)
        expect(page.get_by_role("navigation", name="Pages of the list")).to_contain_text("of 28")
        admin.button("Next").click()
        expect(rows).to_have_count(3)
        page.keyboard.press("ArrowDown")
        expect(page.locator(".queue [aria-current=true]")).to_have_count(0)
        admin.button("Before").click()
        expect(page.locator(".queue [aria-current=true]")).to_contain_text("w-0")
        page.keyboard.press("r")
        page.keyboard.type("a 3")
        expect(page.get_by_label("Reason")).to_have_value("a 3")
        admin.button("Choose all 28").click()
        admin.button("Accept 28, $28.00").click()
        expect(page.locator("#review")).to_contain_text("Nothing waits for a review.")
        expect(page.get_by_text("The budget of $27.00 is used up (104%)")).to_be_visible()
        late = people(study.link("user")).join()
        expect(late.page.get_by_role("heading", name="The study is full")).to_be_visible()
        late.complaints.clear()
        admin.page.reload()
        expect(page.locator("#review")).to_be_visible()
