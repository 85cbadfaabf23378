"""People who come from a recruiter: the ids they bring, the frame, the way back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from dialoom.collect.recruiters.mturk import SITES
from dialoom.collect.recruiters.prolific import RECRUITER as PLATFORM
from dialoom.collect.studies import open_study
from tests.cli.runner import Run
from tests.collect.recruiters.platforms import Platform
from tests.serve.conftest import SINGLE
from tests.serve.page import Page, directives
from tests.serve.recruited import PROLIFIC, coming
from tests.serve.served import Served, served


@pytest.fixture
def prolific(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "study.sqlite", PROLIFIC) as study:
        yield study


def refused(page: Page, **body: Any) -> str:
    answer = page.join(**body)
    assert answer.status_code in (400, 403)
    return str(answer.json()["code"])


def test_prolifics_ids_are_needed_and_stay(prolific: Served) -> None:
    page = Page(prolific.link("user"))
    for body in (
        {},
        {"worker": "p1"},
        {"source": {"PROLIFIC_PID": "p1"}},
        {"source": {"PROLIFIC_PID": "p1", "STUDY_ID": "st", "SESSION_ID": " "}},
        {**coming(), "worker": "another"},
    ):
        assert refused(page, **body) == "id_wanted"
    page.enter(**coming())
    assert page.state["worker"] == "p1"
    page.do("leave")
    done = page.until_step("done")["done"]
    assert done["redirect"] == "https://app.prolific.com/submissions/complete?cc=C%20LEFT"
    assert done["form"] is None
    # Another tab with other ids goes on as the same worker, with the ids it came with.
    assert page.join(**{**coming(), "again": True}).json() == {"assignment": 2}
    assert page.join(**coming("p2")).json() == {"assignment": 2}
    one = prolific.hub.study.assignment(2)
    assert (one.worker, one.source["SESSION_ID"]) == ("p1", "s1")
    page.shut()


def test_a_submission_is_one_workers_and_the_next_one_begins_anew(prolific: Served) -> None:
    page = Page(prolific.link("user")).enter(**coming())
    stranger = Page(prolific.link("user"))
    assert refused(stranger, **{**coming("p2"), "key": "another-0123456789"}) == "id_wanted"
    assert page.join(**coming(session="s2")).json() == {"assignment": 1}  # it is under way
    page.do("leave")
    page.until_step("done")
    cookies = dict(page.browser.cookies)
    for _ in range(2):  # the first answer is lost, and its cookie with it
        page.browser.cookies.clear()
        page.browser.cookies.update(cookies)
        assert page.join(**coming(session="s2")).json() == {"assignment": 2}
    assert prolific.hub.study.assignment(2).source["SESSION_ID"] == "s2"
    for each in (page, stranger):
        each.shut()


def test_the_command_settles_with_the_recruiter(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    where, sent, platform = tmp_path / "study.sqlite", tmp_path / "sent.jsonl", Platform()
    with served(where, PROLIFIC) as study:
        page = study.page("user", **coming()).wait()
        study.tick(240)
        page.do("leave")
        page.until_step("done")
    settle = ("collect", "settle", "--db", where, "--limit", 0.5)
    for target in (("--out", tmp_path / "out"), ("--send", sent)):
        much = run(*settle, *target)
        assert (much.code, "--yes" in much.err, much.err.count("\n")) == (2, True, 1)
    assert not (tmp_path / "out").exists() and not sent.exists()
    done = run(*settle, "--yes", "--out", tmp_path / "out")
    assert (done.code, done.out) == (0, f"1 order written to {tmp_path / 'out'}\n"), done.err
    assert (tmp_path / "out" / "bonus.csv").read_text().strip() == "p1,0.60"
    lacking = run("collect", "settle", "--db", where, "--send", sent)
    assert (lacking.code, "PROLIFIC_TOKEN is not set" in lacking.err) == (2, True)
    monkeypatch.setenv("PROLIFIC_TOKEN", "t0")
    monkeypatch.setattr(httpx, "Client", lambda **_: platform.web)
    platform.refuses = {"pay": "the balance is too low"}
    refused = run("collect", "settle", "--db", where, "--send", sent)
    assert (refused.code, "the balance is too low" in refused.out) == (1, True)
    platform.refuses = {}
    assert run("collect", "settle", "--db", where, "--send", sent).out == "1 order sent\n"
    assert run(*settle, "--send", sent).out == "0 orders sent\n", "what was paid does not count"
    assert platform.paid == {"p1": 0.6}


def test_prolific_is_asked_whose_submission_it_is() -> None:
    platform, ids, asking = Platform(), coming(), {"PROLIFIC_TOKEN": "t0"}
    with platform.web as web:
        assert not PLATFORM.confirms(web, ids["source"], asking)
        platform.submissions["s1"] = {"participant": "p2", "study_id": "st"}
        assert not PLATFORM.confirms(web, ids["source"], asking)
        platform.submissions["s1"] = {"participant": "p1", "study_id": "other"}
        assert not PLATFORM.confirms(web, ids["source"], asking)
        platform.submissions["s1"] = {"participant": "p1", "study_id": "st"}
        assert PLATFORM.confirms(web, ids["source"], asking)
    assert set(platform.tokens) == {"Token t0"}


@pytest.mark.parametrize(("known", "code"), [(False, 400), (True, 200), (None, 200)])
def test_a_join_is_confirmed_where_a_token_is_given(
    prolific: Served, monkeypatch: pytest.MonkeyPatch, known: bool | None, code: int
) -> None:
    def confirms(*_: object) -> bool:
        if known is None:
            raise httpx.ConnectError("no line")
        return known

    monkeypatch.setenv("PROLIFIC_TOKEN", "t0")
    monkeypatch.setattr(PLATFORM, "confirms", confirms)
    page = Page(prolific.link("user"))
    assert page.join(**coming()).status_code == code
    page.shut()


def test_mechanical_turk_may_show_the_pages_in_its_frame(tmp_path: Path) -> None:
    with served(tmp_path / "study.sqlite", replace(SINGLE, recruiter="mturk")) as study:
        framed, admin = httpx.get(study.link("user")), httpx.get(study.base + "/admin")
        rules = directives(framed.headers["content-security-policy"])
        assert rules["frame-ancestors"] == rules["form-action"] == " ".join(SITES)
        assert "x-frame-options" not in framed.headers
        assert admin.headers["x-frame-options"] == "DENY"
        assert directives(admin.headers["content-security-policy"])["frame-ancestors"] == "'none'"
        page = Page(study.link("user"))
        ids = {"assignmentId": "A1", "hitId": "H1", "workerId": "w1", "turkSubmitTo": SITES[0]}
        preview = {**ids, "assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"}
        assert refused(page, source=preview) == "preview"
        cookie = page.join(source=ids).headers["set-cookie"]
        assert all(word in cookie for word in ("SameSite=none", "Secure", "Partitioned"))
        page.shut()


def test_the_command_creates_a_hit_where_it_is_sent(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, platform = tmp_path / "study.sqlite", Platform()
    open_study(path, replace(SINGLE, recruiter="mturk", reward=150), 0).close()
    words = ("collect", "recruit", "--db", path, "--url", "https://s.example", "-n", 3, "--sandbox")
    outcome = run(*words)
    assert (outcome.code, '"Reward": "1.50"' in outcome.out) == (0, True)
    assert run(*words, "--send").code == 2
    assert run(*words, "--link", "nobody").code == 2
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AK")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "s3cret")
    monkeypatch.setattr(httpx, "Client", lambda **_: platform.web)
    assert run(*words, "--send").out == "created: HIT hit-1\n"
    [(operation, body)] = platform.asked
    assert (operation, body["MaxAssignments"]) == ("CreateHIT", 3)


def test_the_command_creates_a_draft_at_prolific(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, platform = tmp_path / "study.sqlite", Platform()
    settings = replace(SINGLE, recruiter="prolific", reward=150, codes={"completed": "C1"})
    open_study(path, settings, 0).close()
    monkeypatch.setenv("PROLIFIC_TOKEN", "t0k")
    monkeypatch.setattr(httpx, "Client", lambda **_: platform.web)
    words = ("collect", "recruit", "--db", path, "--url", "https://s.example", "-n", 3, "--send")
    assert "study-1" in run(*words).out
    [(operation, body)] = platform.asked
    assert (operation, body["total_available_places"]) == ("/api/v1/studies/", 3)
    platform.refuses["studies"] = "no money"
    failed = run(*words)
    assert (failed.code, "no money" in failed.err) == (2, True)
