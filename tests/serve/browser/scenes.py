"""All pages, one after the other, as people come to see them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect

from dialoom.collect.settings import Settings, Times
from tests.serve.browser.document_scenes import documents
from tests.serve.browser.person import People, Person
from tests.serve.page import Page as Foreign
from tests.serve.play import whole
from tests.serve.served import Served, served

Scene = tuple[str, Page]

PURPOSE = "Your dialogues are published to teach computers how people book tables and rooms."
TASKS = ("restaurant_book", "hotel_book")
UNHURRIED = Times(idle_warning=3600, idle=7200, grace=1800)
"""However long pages are looked at, nobody gets an idle warning, and no seat is given up."""
STAGED = Settings(
    tasks=TASKS, name="Tables and rooms", purpose=PURPOSE, stages="star", scenarios=4, seed=3
)
SINGLE = Settings(
    tasks=TASKS,
    name="Tables and rooms",
    purpose=PURPOSE,
    scenario="unhappy",
    scenarios=9,
    seed=3,
    times=UNHURRIED,
)
SEVERAL = Settings(
    tasks=(*TASKS, "weather"),
    name="A day out",
    scenario="multi",
    scenarios=4,
    seed=3,
    times=UNHURRIED,
)
JOURNEYS = Settings(tasks=("packages",), name="Journeys", scenarios=4, seed=3, times=UNHURRIED)


def scenes(people: People, folder: Path) -> Iterator[Scene]:
    """Yield each page with a name, at the moment when it is to be looked at."""
    with served(folder / "staged.sqlite", STAGED) as study:
        yield from _learning(people(study.link("user")))
    with served(folder / "single.sqlite", SINGLE) as study:
        yield from _entering(people, study)
        with _pair(people, study) as (user, wizard):
            yield from _talking(user, wizard)
            yield from _administering(people, study)
            yield from _breaking(user, wizard)
            yield from _answering(user, wizard)
    with (
        served(folder / "several.sqlite", SEVERAL) as study,
        _pair(people, study) as (user, wizard),
    ):
        yield from _several(user, wizard)
    with (
        served(folder / "journeys.sqlite", JOURNEYS) as study,
        _pair(people, study) as (user, wizard),
    ):
        user.say("We want to travel to the sea.")
        wizard.my_turn()
        wizard.button("Ask the knowledge base").click()
        expect(wizard.page.locator(".item.primary")).to_be_visible()
        yield "wizard-packages", wizard.page
    yield from documents(people, folder)


@contextmanager
def _pair(people: People, study: Served) -> Iterator[tuple[Person, Person]]:
    size = {"width": 1320, "height": 820}
    user = people(study.link("user")).wait()
    wizard = people(study.link("wizard"), viewport=size).wait()
    yield user.seated(), wizard.seated()


def _learning(worker: Person) -> Iterator[Scene]:
    worker.shows("Welcome")
    yield "join", worker.page
    worker.join().shows("Take part in a dialogue study")
    yield "consent", worker.page
    worker.agree().shows("How the dialogues work")
    yield "tutorial", worker.page
    worker.button("To the questions").click()
    hint = worker.button("Show a hint")
    hint.first.click()
    expect(hint).to_have_count(9)
    question = worker.page.locator("form.question").nth(1)
    question.locator("input").first.check()
    question.get_by_role("button", name="Check").click()
    expect(worker.page.locator("form.solved, .wrongly")).to_have_count(1)
    yield "quiz", worker.page
    for left in range(hint.count(), 0, -1):
        hint.first.click()
        expect(hint).not_to_have_count(left)
        if worker.page.locator(".code").count():
            break
    worker.shows("Your part ends here")
    yield "done-screened-out", worker.page


def _entering(people: People, study: Served) -> Iterator[Scene]:
    nowhere = people(f"{study.base}/join/forged.link").join()
    expect(nowhere.page.get_by_role("alert")).to_be_visible()
    yield "join-refused", nowhere.page
    nowhere.complaints.clear()
    early = people(study.link("user"))
    early.page.route("**/api/join/**", lambda route: route.abort("connectionrefused"))
    early.join()
    expect(early.page.get_by_text("Trying again")).to_be_visible()
    yield "join-retry", early.page
    early.page.close()
    worker = people(study.link(None)).join().agree()
    worker.shows("Ready to start?")
    yield "ready", worker.page
    worker.button("I am ready").click()
    worker.shows("We are looking for a partner")
    yield "waiting", worker.page
    worker.button("Stop waiting and be paid").click()
    yield "leave", worker.page
    worker.page.locator("dialog").get_by_role("button", name="Stop waiting").click()
    expect(worker.page.locator(".code")).to_be_visible()
    yield "done-waited", worker.page


def _talking(user: Person, wizard: Person) -> Iterator[Scene]:
    facts = dict(
        zip(
            user.page.locator(".task-text dt").all_inner_texts(),
            user.page.locator(".task-text dd").all_inner_texts(),
            strict=True,
        )
    )
    place, when, name, count = (
        next(value for key, value in facts.items() if word in key)
        for word in ("restaurant", "when", "name", "many")
    )
    yield "wizard-before", wizard.page
    user.say(f"Hello, I'd like a table at {place}.")
    wizard.say("With pleasure. What time, and under which name?")
    user.say(f"At {when}, please. The name is {name}.")
    wizard.say("And how many people will come?")
    user.say(f"We are {count}.")
    page = wizard.page
    form = page.locator("form", has=wizard.button("Ask the knowledge base"))
    form.locator('[data-field="Name"]').select_option(place)
    form.locator('[data-field="Time"]').fill(when)
    form.locator('[data-field="PartySize"]').fill(count)
    form.locator('[data-field="CustomerName"]').fill(name)
    form.get_by_label("Check").check()
    wizard.button("Ask the knowledge base").click()
    expect(page.locator(".item.primary")).to_be_visible()
    wizard.suggest("there is a table, shall I book it")
    yield "wizard", page
    yield "user", user.page
    stray = page.locator("button.reply").filter(has_text="off the flow")
    if not stray.count():
        stray = wizard.suggest("Goodbye, have a nice day").filter(has_text="off the flow")
    stray.first.click()
    expect(page.locator("dialog")).to_be_visible()
    yield "wizard-guard", page
    wizard.button("Send it all the same").click()
    user.my_turn()


def _administering(people: People, study: Served) -> Iterator[Scene]:
    for user, wizard in (("w-1", "w-2"), ("w-2", "w-1"), ("w-3", "w-4")):
        done = _wired(study, "user", user), _wired(study, "wizard", wizard)
        for page in done:
            page.until_step("room")
        whole(*done)
    _review(study)
    waiter = _wired(study, "user", "w-5")
    admin = people(f"{study.base}/admin")
    admin.shows("Log in as admin")
    yield "admin-login", admin.page
    admin.page.get_by_label("Token").fill(study.signer.admin_token())
    admin.button("Log in").click()
    expect(admin.page.get_by_text("Nobody else waits.")).to_be_visible()
    yield "admin", admin.page
    for name in ("Review", "Figures", "Workers", "Pay", "Links", "Settings"):
        admin.turn_to(name)
        if name == "Review":
            expect(admin.page.locator("#review .bubble").first).to_be_visible()
        yield f"admin-{name.lower()}", admin.page
    admin.turn_to("Live")
    find = admin.page.get_by_label("Find a unit or a worker")
    find.fill("w-1")
    expect(admin.page.get_by_role("region", name="w-1")).to_be_visible()
    yield "admin-worker", admin.page
    find.clear()
    _read_along(admin)
    admin.page.locator("dialog summary").click()
    expect(admin.page.locator("dialog .task-text").first).to_be_visible()
    yield "admin-reading", admin.page
    admin.page.evaluate("window.setInterval = () => 0")  # the replay stands at its beginning
    admin.button("Replay").click()
    expect(admin.button("Show all")).to_be_visible()
    yield "admin-replay", admin.page
    admin.complaints.clear()
    admin.page.close()
    viewer = people(f"{study.base}/admin#{study.signer.admin_token('viewer')}")
    expect(viewer.page.locator("#live")).to_be_visible()
    yield "admin-viewer", viewer.page
    viewer.page.close()
    waiter.do("leave")


def _read_along(admin: Person) -> None:
    """Open the newest unit's log."""
    admin.button("Read along").first.click()
    expect(admin.page.locator("dialog .bubble")).not_to_have_count(0)


def _review(study: Served) -> None:
    """Accept the first dialogues that were handed in."""
    with study.admin() as client:
        queue = client.get("/api/admin/dashboard").json()["queue"]
        for one in queue[: len(queue) // 2]:
            path = f"/api/admin/assignments/{one['assignment']}/review"
            rated = {"instructions": 4, "creativity": 5 if one["role"] == "user" else None}
            answer = client.post(path, json={"accepted": True, "reason": "", **rated})
            assert answer.status_code == 200


def _wired(study: Served, role: str, worker: str) -> Foreign:
    return study.page(role, worker=worker).wait()


def _breaking(user: Person, wizard: Person) -> Iterator[Scene]:
    second = wizard.tab()
    wizard.shows("Open in another tab")
    yield "taken", wizard.page
    second.close()
    expect(user.alerts).to_contain_text("has lost the connection")
    yield "user-partner-away", user.page
    wizard.button("Continue in this tab").click()
    wizard.seated()
    expect(user.alerts).not_to_contain_text("has lost the connection")


def _answering(user: Person, wizard: Person) -> Iterator[Scene]:
    for turn in range(12):
        user.my_turn()
        if user.accomplished.get_attribute("aria-disabled") == "false":
            break
        user.say(f"One more thing, number {turn + 1}.")
        wizard.say("All right.")
    user.accomplished.click()
    yield "user-accomplished", user.page
    user.button("Yes, all done").click()
    expect(user.button("Send the answers")).to_be_visible()
    yield "questionnaire-user", user.page
    expect(wizard.button("Send the answers")).to_be_visible()
    wizard.button("Send the answers").click()
    yield "questionnaire-wizard", wizard.page
    user.answer("It went well.")
    user.code()
    yield "done", user.page


def _several(user: Person, wizard: Person) -> Iterator[Scene]:
    user.say("Hi, I need a table and a room.")
    wizard.my_turn()
    yield "wizard-several-before", wizard.page
    wizard.page.get_by_role("tab").filter(has_text="hotel").click()
    wizard.page.mouse.move(0, 0)
    expect(wizard.page.locator(".chart .flow")).to_be_visible()
    expect(wizard.page.locator('[data-field="StartDate"]')).to_be_visible()
    wizard.suggest("when do you arrive")
    yield "wizard-several", wizard.page
    wizard.page.get_by_text("The flow chart as text").click()
    wizard.button("Whole chart").click()
    yield "wizard-chart", wizard.page
