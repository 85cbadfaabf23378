"""People withdraw, are erased by the admin or in time, and take what is kept of them with them."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace

from dialoom.collect.export import export
from dialoom.collect.log.store import Store
from dialoom.collect.settings import ConsentText, Settings
from tests.cli.runner import Run
from tests.serve.conftest import SINGLE
from tests.serve.page import Page
from tests.serve.play import whole
from tests.serve.served import Served, served

DAY = 24 * 3600 * 1000


def withdraw(page: Page) -> int:
    return page.browser.post(f"/api/withdraw/{page.name}", json={}).status_code


def text_of(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.glob("study.sqlite*"))


def test_who_withdraws_is_gone_and_the_partner_goes_on(
    study: Served, tmp_path: Path, run: Run
) -> None:
    user = study.page("user", worker="anna-of-the-hill", source={"SESSION": "session-77"}).wait()
    wizard = study.page("wizard", worker="ben").wait()
    user.until_step("room")
    wizard.until_step("room")
    user.do("say", text="A table at the window, please.")
    wizard.until_turn()
    number = user.state["assignment"]
    assert withdraw(user) == 200
    done = user.until_state(lambda state: state["worker"] == "person:1")["done"]
    assert (done["outcome"], done["erased"]) == ("left", True)
    assert withdraw(user) == 200  # once more: nothing is left to erase
    assert httpx.post(f"{study.base}/api/withdraw/{user.name}", json={}).status_code == 403
    wizard.until_step("waiting")
    other = study.page("user", worker="carla").wait()
    other.until_step("room")
    wizard.until_step("room")
    whole(other, wizard)
    with study.admin() as admin:
        dashboard = admin.get("/api/admin/dashboard").text
        room = admin.get("/api/admin/rooms/1").text
        [row] = admin.get(f"/api/admin/codes/{done['code']}").json()
    assert (row["assignment"], row["worker"]) == (number, "person:1")
    files = text_of(tmp_path).decode(errors="replace")
    for place in (dashboard, room, files):
        for trace in ("anna-of-the-hill", "session-77", "at the window"):
            assert trace not in place
    exported = export(study.opened.store, "star", tmp_path / "star")
    assert (exported.dialogues, exported.erased) == (1, 1)
    said = run("collect", "export", "--db", tmp_path / "study.sqlite", "--out", tmp_path / "out")
    assert "1 unit of work of erased people left out" in said.out
    user.browser.cookies.clear()
    again = study.page("user", worker="anna-of-the-hill")  # somebody else to the study
    assert again.state["worker"] == "anna-of-the-hill"
    assert again.state["step"] == "consent"


def test_the_admin_erases_a_worker_and_gives_what_is_kept(study: Served) -> None:
    user = study.page("user", worker="an/na").wait()
    wizard = study.page("wizard", worker="ben").wait()
    user.until_step("room")
    wizard.until_step("room")
    whole(user, wizard)
    with study.admin() as admin:
        dossier = admin.get("/api/admin/workers/an/na/records").json()
        assert [row["worker"] for row in dossier["assignments"]] == ["an/na"]
        texts = json.dumps(dossier["records"])
        assert "This is what I say in turn 0." in texts
        assert '"wizard"' not in {record["author"] for record in dossier["records"]}
        assert admin.post("/api/admin/workers/an/na/erase", json={}).json() == {"ok": True}
        assert admin.get("/api/admin/workers/an/na/records").status_code == 404
        assert admin.post("/api/admin/workers/an/na/erase", json={}).status_code == 404
        queue = admin.get("/api/admin/dashboard").json()["queue"]
        assert {one["worker"] for one in queue} == {"person:1", "ben"}
        good = {"accepted": True, "reason": "well done"}
        for number in (1, 2):  # who was erased is paid all the same
            path = f"/api/admin/assignments/{number}/review"
            assert admin.post(path, json=good).json() == {"ok": True}
        rows = admin.get("/api/admin/dashboard").json()["ledger"]["rows"]
        assert {row["worker"] for row in rows if row["cents"]} == {"person:1", "ben"}
    again = study.opened.replay()
    assert again.state.records == study.hub.study.state.records


def test_nobody_is_kept_longer_than_the_study_says(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = tmp_path / "study.sqlite"
    with served(where, replace(SINGLE, retention=30)) as study:
        study.page("user", worker="anna").do("leave")
        now = study.clock()
    for days, count in ((29, "0 workers"), (31, "1 worker")):
        monkeypatch.setattr("dialoom.serve.hub.now_ms", lambda days=days: now + days * DAY)
        done = run("collect", "erase", "--db", where, "--expired")
        assert (done.code, done.out) == (0, f"{count} erased from {where}\n"), done.err
    with Store.open(where, readonly=True) as store:
        assert "anna" not in str(list(store.records()))


def test_the_command_erases_and_gives_what_is_kept(tmp_path: Path, run: Run) -> None:
    where = tmp_path / "study.sqlite"
    with served(where, SINGLE) as study:
        study.page("user", worker="anna").do("consent")  # and is in the study still
    outcome = run("collect", "person", "anna", "--db", where)
    assert json.loads(outcome.out)["assignments"][0]["worker"] == "anna"
    assert run("collect", "erase", "anna", "--db", where).out == f"1 worker erased from {where}\n"
    for command in ("person", "erase"):
        outcome = run("collect", command, "anna", "--db", where)
        assert (outcome.code, outcome.err.count("\n")) == (2, 1)
        assert "nobody here has the worker id 'anna'" in outcome.err


def test_the_consent_of_the_study_is_read_and_kept(tmp_path: Path) -> None:
    consent = ConsentText(text="Read me.\n\nAnd me.", contact="lab@example.org", version="2")
    settings = Settings(tasks=("weather",), consent=consent, retention=90)
    with served(tmp_path / "study.sqlite", settings) as study:
        page = study.page("user", worker="anna")
        form = page.state["consent"]
        assert (form["text"], form["contact"]) == (consent.text, consent.contact)
        assert (form["version"], form["retention"]) == ("2", 90)
        page.do("consent")
        [body] = [
            record.body
            for record in study.opened.store.records()
            if type(record.body).__name__ == "Consented"
        ]
        assert body.version == "2"  # type: ignore[union-attr]
