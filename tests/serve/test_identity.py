"""A typed worker id opens nothing of another person (docs/explanation/threat-model.md)."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from dialoom.collect.settings import Settings, Stage
from dialoom.serve.links import BrowserSession, Signer, cookie_name
from tests.cli.runner import Run
from tests.serve.conftest import SINGLE
from tests.serve.page import Page
from tests.serve.play import whole
from tests.serve.recruited import PROLIFIC, coming
from tests.serve.served import Served, served
from tests.serve.strangers import code, stranger, visit

KEY = "another-0123456789"


@pytest.fixture
def prolific(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "study.sqlite", PROLIFIC) as study:
        yield study


def finished(study: Served, worker: str = "w-0100") -> Page:
    """Return the page of a worker who has finished a dialogue and is offline."""
    user = study.page("user", worker=worker).wait()
    wizard = study.page("wizard", worker="partner").wait()
    user.until_step("room")
    wizard.until_step("room")
    whole(user, wizard)
    user.until_step("done")
    user.close()
    return user


def withdraw(page: Page) -> int:
    return page.browser.post(f"/api/withdraw/{page.name}", json={}).status_code


# --- returning under an id ---


@pytest.mark.parametrize(
    "typed", ["w-0100", " w-0100", "w-0100\t ", "w-0100\u2003", "w-0100\u00a0"]
)
def test_a_typed_id_erases_nobody(study: Served, typed: str) -> None:
    finished(study)
    other = stranger(study)
    answer = other.join(worker=typed)
    assert (answer.status_code, code(answer)) in ((403, "proof_wanted"), (400, "malformed"))
    assert "set-cookie" not in answer.headers
    assert withdraw(other) == 403
    assert "w-0100" in study.hub.study.state.workers


def test_an_id_in_another_normal_form_is_the_same_id(study: Served) -> None:
    study.page("user", worker="Zoe\u0308").close()
    assert code(stranger(study).join(worker="Zo\u00eb")) == "proof_wanted"


@pytest.mark.parametrize("role", ["user", "wizard", None])
def test_other_links_do_not_help_a_stranger(study: Served, role: Any) -> None:
    finished(study)
    assert code(stranger(study, role).join(worker="w-0100", again=True)) == "proof_wanted"
    invited = visit(study, study.invite(role))
    assert code(invited.join(worker="w-0100", key=KEY)) == "proof_wanted"
    assert invited.join(worker="w-0101").status_code == 200, "the invite is not used up"


def test_the_browser_that_took_part_comes_back(study: Served) -> None:
    user = finished(study)
    assert user.join().json() == {"assignment": 1}
    assert user.join(again=True).json() == {"assignment": 3}
    wizard = stranger(study, "wizard")
    wizard.browser.cookies.update(user.browser.cookies)
    assert wizard.join(worker="w-0100").status_code == 200, "by the cookie of another link"
    assert withdraw(user) == 200


def test_a_repeated_request_for_another_assignment_makes_one(study: Served) -> None:
    user = finished(study)
    cookies = dict(user.browser.cookies)
    for _ in range(3):  # the answers are lost, and their cookies with them
        user.browser.cookies.clear()
        user.browser.cookies.update(cookies)
        assert user.join(again=True, key=KEY).json() == {"assignment": 3}


def test_it_comes_back_after_a_restart(tmp_path: Path) -> None:
    where = tmp_path / "study.sqlite"
    with served(where, SINGLE) as study:
        user = study.page("user", worker="w-0100", key=KEY)
        cookies, port = user.browser.cookies, int(study.base.rpartition(":")[2])
    with served(where, None, port=port) as study:
        assert code(stranger(study).join(worker="w-0100")) == "proof_wanted"
        again = stranger(study)
        assert again.join(worker="w-0100", key=KEY).json() == {"assignment": 1}
        same = stranger(study)
        same.browser.cookies.update(cookies)
        assert same.join(worker="w-0100").json() == {"assignment": 1}
        assert same.open().state["worker"] == "w-0100"


def test_a_stranger_does_not_end_what_somebody_is_at(study: Served) -> None:
    user = study.page("user", worker="w-0100").wait()
    user.close()
    assert code(stranger(study).join(worker="w-0100")) == "proof_wanted"
    assert user.open().state["step"] == "waiting"


def test_of_two_who_come_at_once_under_an_id_one_is_let_in(study: Served) -> None:
    answers: list[str] = []
    pages = [stranger(study) for _ in range(8)]
    ready = threading.Barrier(len(pages))

    def come(page: Page) -> None:
        ready.wait()
        answers.append(code(page.join(worker="w-0100")))

    threads = [threading.Thread(target=come, args=(page,)) for page in pages]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == ["", *["proof_wanted"] * 7]


def test_a_guessed_cookie_is_no_proof(study: Served) -> None:
    finished(study)
    page = stranger(study)
    foreign, name = Signer(b"another study's secret"), cookie_name(page.name)
    for value in (
        foreign.session(BrowserSession(name, 1)),
        study.signer.session(BrowserSession("dialoom_other", 1)),
        study.signer.admin_session(2**60),
        study.signer.worker_link("w-0100", "user"),
        study.signer.seat_token(1, 1),
    ):
        page.browser.cookies.clear()
        page.browser.cookies.set(name, value)
        assert code(page.join(worker="w-0100")) == "proof_wanted"
        assert withdraw(page) == 403
    page.browser.cookies.clear()
    page.browser.cookies.set(name, study.signer.session(BrowserSession(name, 999)))
    assert withdraw(page) == 403


def test_a_cookie_from_after_a_backup_is_nobodys(tmp_path: Path) -> None:
    where, backup = tmp_path / "study.sqlite", tmp_path / "backup.sqlite"
    with served(where, SINGLE) as study:
        study.page("user", worker="w-1")
        port = int(study.base.rpartition(":")[2])
    shutil.copy(where, backup)
    with served(where, None, port=port) as study:
        cookies = study.page("user", worker="w-2").browser.cookies
    shutil.copy(backup, where)
    with served(where, None, port=port) as study:
        study.clock.sleep(60)
        study.page("user", worker="w-3")  # has the number that w-2 had
        page = stranger(study)
        page.browser.cookies.update(cookies)
        assert withdraw(page) == 403
        page.connect()
        assert page.until_closed() == 4003
        assert code(page.join(worker="w-3")) == "proof_wanted"


def test_the_cookie_of_one_worker_is_no_proof_of_another(study: Served) -> None:
    user = finished(study)
    study.page("user", worker="w-0101").close()
    thief = stranger(study, "wizard")
    thief.browser.cookies.update(user.browser.cookies)
    assert code(thief.join(worker="w-0101")) == "proof_wanted"


# --- the ways in ---


def test_a_worker_link_is_proof_in_any_browser(study: Served) -> None:
    finished(study)
    own = visit(study, study.own("w-0100"))
    assert own.join().json() == {"assignment": 1}, "where they were"
    assert own.open().state["step"] == "done"
    assert own.join(again=True).json() == {"assignment": 3}
    assert withdraw(own) == 200
    assert "w-0100" not in study.hub.study.state.workers


def test_a_worker_link_is_one_workers(study: Served) -> None:
    own = visit(study, study.own("w-7", "user"))
    assert code(own.join(worker="w-8")) == "proof_wanted"
    assert own.enter(worker=" w-7").state["worker"] == "w-7"
    payload, signature = own.name.split(".")
    other = study.signer.worker_link("w-8", "user")
    for name in (f"{other.split('.')[0]}.{signature}", f"{payload}.{other.split('.')[1]}"):
        forged = visit(study, f"{study.base}/join/{name}")
        assert code(forged.join()) == "forged"


def test_places_of_named_workers_are_not_given_to_a_typed_id(tmp_path: Path) -> None:
    stages = (
        Stage(name="talk", kind="room"),
        Stage(name="mark", kind="annotation", of="talk", only=("a-1",)),
    )
    settings = replace(SINGLE, wizards=("w-1",), stages=stages)
    with served(tmp_path / "study.sqlite", settings) as study:
        for worker in ("w-1", "a-1", " w-1"):
            assert code(stranger(study, "wizard").join(worker=worker)) == "proof_wanted"
        own = visit(study, study.own("w-1", "wizard")).enter()
        assert (own.state["worker"], own.state["role"]) == ("w-1", "wizard")


def test_a_stage_opened_for_somebody_to_come_wants_their_link(tmp_path: Path) -> None:
    settings = Settings(tasks=("restaurant_book", "hotel_book"), stages="star", scenarios=6)
    with served(tmp_path / "study.sqlite", settings) as study:
        with study.admin() as admin:
            body = {"stage": "single", "granted": True}
            assert admin.post("/api/admin/workers/w-5/grant", json=body).status_code == 200
        assert code(stranger(study).join(worker="w-5")) == "proof_wanted"
        own = visit(study, study.own("w-5")).enter()
        assert own.state["stage"] == "single"


def test_the_admin_makes_worker_links(study: Served) -> None:
    with study.admin() as admin:
        body = {"role": "user", "workers": ["w-0100", " Zoe\u0308 "]}
        first, second = admin.post("/api/admin/invites", json=body).json()["links"]
        for wrong in ("", " ", "x" * 65, "bot:1", "person:1", "a\nb"):
            answer = admin.post("/api/admin/invites", json={"workers": [wrong]})
            assert (answer.status_code, code(answer)) == (400, "malformed")
    page = visit(study, first).enter()
    assert (page.state["worker"], page.state["role"]) == ("w-0100", "user")
    assert visit(study, second).enter().state["worker"] == "Zo\u00eb"
    with study.admin("reviewer") as admin:
        assert admin.post("/api/admin/invites", json=body).status_code == 403


def test_the_command_writes_worker_links(tmp_path: Path, run: Run) -> None:
    where, out = tmp_path / "study.sqlite", tmp_path / "links.csv"
    stages = (Stage(name="talk", kind="room", only=("w-2", "w-1")),)
    with served(where, replace(SINGLE, wizards=("w-1",), stages=stages)) as study:
        done = run("collect", "links", "--db", where, "--url", study.base, "--out", out)
        assert done.code == 0, done.err
        rows = [line.split(",") for line in out.read_text().splitlines()]
        assert [worker for worker, _ in rows] == ["w-1", "w-2"]
        assert visit(study, rows[0][1]).enter().state["worker"] == "w-1"
        some = run("collect", "links", " w-3", "w-4", "--role", "user", "--db", where)
        first = study.signer.worker_link("w-3", "user")
        assert some.out.splitlines()[0] == f"w-3,http://127.0.0.1:8000/join/{first}"
    for wrong in (("x" * 65,), ("bot:1",), ("w-1", "--role", "writer"), ("w-1", "--url", "x")):
        assert run("collect", "links", *wrong, "--db", where).refused()
    with served(tmp_path / "other.sqlite", SINGLE):
        pass
    assert run("collect", "links", "--db", tmp_path / "other.sqlite").refused("WORKER")


# --- after an erasure ---


def test_old_cookies_open_nothing_after_an_erasure(tmp_path: Path) -> None:
    with served(tmp_path / "study.sqlite", replace(SINGLE, require_id=True)) as study:
        user = finished(study)
        assert withdraw(user) == 200
        assert user.join().json() == {"assignment": 1}, "the last page, with the code"
        bare = stranger(study)
        bare.browser.cookies.update(user.browser.cookies)
        assert code(bare.join(again=True)) == "id_wanted"
        assert user.join(again=True).json() == {"assignment": 3}
        other = stranger(study)
        for alias in ("person:1", " person:1", "bot:1", "bot:\u0307"):
            assert code(other.join(worker=alias)) == "malformed"
        assert code(other.join(worker="w-0100")) == "proof_wanted", "somebody new to the study"


def test_an_old_worker_link_brings_somebody_new_after_an_erasure(study: Served) -> None:
    own = visit(study, study.own("w-0100", "user")).enter()
    assert withdraw(own) == 200
    later = visit(study, study.own("w-0100", "user")).enter()
    assert (later.state["assignment"], later.state["step"]) == (2, "consent")


# --- withdrawal ---


def test_a_withdrawal_takes_the_cookie_and_a_request_of_the_page(study: Served) -> None:
    user = finished(study)
    path, cookies = f"/api/withdraw/{user.name}", dict(user.browser.cookies)
    with httpx.Client(base_url=study.base) as bare:
        assert bare.post(path, json={}).status_code == 403
        assert bare.post(path, json={"worker": "w-0100"}).status_code == 400
    with httpx.Client(base_url=study.base, cookies=cookies) as client:
        for method in ("GET", "HEAD", "PUT", "DELETE", "OPTIONS"):
            assert client.request(method, path).status_code == 405
        foreign: tuple[dict[str, str], ...] = (
            {"Origin": "https://evil.example"},
            {"Origin": "null"},
            {"Origin": study.base.replace("127.0.0.1", "127.0.0.1.evil.example")},
            {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site"},
        )
        for headers in foreign:
            assert code(client.post(path, json={}, headers=headers)) == "cross_origin"
            simple = {**headers, "Content-Type": "text/plain"}
            assert client.post(path, content="{}", headers=simple).status_code == 403
        other = f"/api/withdraw/{study.signer.study_link('wizard')}"
        assert client.post(other, json={}).status_code == 403, "the cookie of another link"
    assert "w-0100" in study.hub.study.state.workers


# --- a recruiter's ids ---


@pytest.mark.parametrize(
    ("changed", "refusal"),
    [
        ({}, "already_in"),
        ({"SESSION_ID": "s2"}, "proof_wanted"),
        ({"STUDY_ID": "other"}, "proof_wanted"),
        ({"STUDY_ID": "other", "SESSION_ID": "s2"}, "proof_wanted"),
        ({"SESSION_ID": "S1"}, "proof_wanted"),
        ({"PROLIFIC_PID": " p1 ", "SESSION_ID": "s2"}, "proof_wanted"),
        ({"PROLIFIC_PID": "p2"}, "id_wanted"),
    ],
)
def test_a_recruiters_ids_are_those_seen_first(
    prolific: Served, changed: dict[str, str], refusal: str
) -> None:
    page = prolific.page("user", **coming())
    other = stranger(prolific)
    source = {**coming()["source"], **changed}
    assert code(other.join(source=source, key=KEY)) == refusal
    assert withdraw(other) == 403
    assert prolific.hub.study.assignment(1).outcome is None
    page.do("leave")


def test_the_key_of_one_recruiters_worker_is_not_anothers(prolific: Served) -> None:
    prolific.page("user", **coming()).do("leave")
    other = stranger(prolific)  # the same browser's storage, without its cookie
    assert other.join(**coming("p2", "s2")).json() == {"assignment": 2}
    assert prolific.hub.study.assignment(2).worker == "p2"
    assert code(stranger(prolific).join(**coming("p3", " s1 "))) == "id_wanted"


def test_the_same_submission_is_let_in_from_another_browser(prolific: Served) -> None:
    page = prolific.page("user", **coming())
    page.do("leave")
    page.close()
    other = stranger(prolific)
    assert code(other.join(**{**coming(session="s2"), "key": KEY})) == "proof_wanted"
    assert other.join(**{**coming(), "key": KEY}).status_code == 200


def test_a_worker_link_helps_a_recruiters_worker_as_well(prolific: Served) -> None:
    prolific.page("user", **coming()).do("leave")
    own = visit(prolific, prolific.own("p1", "user"))
    assert own.join().json() == {"assignment": 1}
    ids = {**coming(session="s2"), "key": KEY}
    assert own.join(**ids).json() == {"assignment": 2}, "the next submission"
    other = visit(prolific, prolific.own("p2", "user"))
    assert code(other.join(**ids)) == "proof_wanted"


def test_a_listed_worker_of_a_recruiter_comes_by_their_link_first(tmp_path: Path) -> None:
    with served(tmp_path / "study.sqlite", replace(PROLIFIC, wizards=("p1",))) as study:
        browser = stranger(study, "wizard")
        assert code(browser.join(**coming())) == "proof_wanted"
        own = visit(study, study.own("p1", "wizard")).enter()
        own.close()
        browser.browser.cookies.update(own.browser.cookies)
        assert browser.enter(**coming()).state["worker"] == "p1"
        assert study.hub.study.assignment(2).source["SESSION_ID"] == "s1"
