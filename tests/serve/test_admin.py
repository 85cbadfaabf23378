"""The admin's interface."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import httpx
import pytest

from dialoom import formats
from dialoom.collect.export import export
from dialoom.collect.settings import Settings
from dialoom.serve.links import AdminRole
from tests.cli.runner import Run
from tests.serve.conftest import SINGLE
from tests.serve.page import Page
from tests.serve.play import whole
from tests.serve.served import Served, served


def test_only_the_admin_gets_in(study: Served) -> None:
    paths = [
        route.path
        for route in study.routes()
        if route.path.startswith("/api/admin/") and route.path != "/api/admin/login"
    ]
    assert len(paths) > 9
    with httpx.Client(base_url=study.base) as stranger:
        user = study.page("user")
        stranger.cookies.update(user.browser.cookies)
        for path in paths:
            filled = re.sub(r"{\w+(:\w+)?}", "1", path.replace("{format}", "star"))
            for method in ("GET", "POST"):
                answer = stranger.request(method, filled)
                assert answer.status_code in (401, 405), (method, path)
        assert stranger.get("/api/admin/dashboard").json()["code"] == "login"
        stranger.cookies.set("dialoom_admin", study.signer.admin_token())
        assert stranger.get("/api/admin/dashboard").status_code == 401


def test_each_role_may_do_what_its_token_says(study: Served) -> None:
    user, wizard = study.pair()
    end: tuple[str, dict[str, bool]] = ("rooms/1/end", {})
    pause = ("settings", {"paused": True})
    permissions: dict[AdminRole, tuple[bool | None, bool]]
    permissions = {"viewer": (False, False), "reviewer": (True, False), "owner": (None, True)}
    for role, may in permissions.items():
        with study.admin(role) as admin:
            dashboard = admin.get("/api/admin/dashboard").json()
            assert (dashboard["role"], bool(dashboard["links"])) == (role, role == "owner")
            for place, page in (("user", user), ("wizard", wizard)):
                for seat in (room["seats"][place] for room in dashboard["rooms"]):
                    assert (seat["worker"] == page.state["worker"]) == (role != "viewer")
            assert admin.get("/api/admin/rooms/1").status_code == 200
            for (path, body), allowed in zip((end, pause), may, strict=True):
                if allowed is not None:  # the room is over for the owner
                    answer = admin.post(f"/api/admin/{path}", json=body)
                    right = (200, {"ok": True}) if allowed else (403, "not_allowed")
                    reply = answer.json()
                    assert (answer.status_code, reply.get("code", reply)) == right
    for page in (user, wizard):
        assert page.until_step("done")["done"]["outcome"] == "ended"


def test_renewed_tokens_shut_those_before_out(study: Served) -> None:
    with study.admin("owner") as admin:
        assert admin.post("/api/admin/settings", json={"renewed": 1}).json() == {"ok": True}
        assert admin.get("/api/admin/dashboard").status_code == 401
        old, new = (study.signer.admin_token("owner", renewed) for renewed in (0, 1))
        assert admin.post("/api/admin/login", json={"token": old}).status_code == 401
        assert admin.post("/api/admin/login", json={"token": new}).status_code == 204
        assert admin.get("/api/admin/dashboard").status_code == 200


def test_the_command_prints_the_tokens_and_renews_them(tmp_path: Path, run: Run) -> None:
    where = tmp_path / "study.sqlite"
    with served(where, SINGLE) as study:
        first = study.signer.admin_token()
    before = run("collect", "token", "--db", where)
    after = run("collect", "token", "--renew", "--db", where)
    assert before.out.splitlines()[-1] == f"owner    {first}"
    assert [line.split()[0] for line in after.out.splitlines()] == ["viewer", "reviewer", "owner"]
    assert first not in after.out
    assert not set(before.out.split()[1::2]) & set(after.out.split()[1::2])


def test_a_login_lasts_until_logout(study: Served) -> None:
    with study.admin() as admin:
        assert admin.get("/api/admin/dashboard").status_code == 200
        assert admin.post("/api/admin/logout").status_code == 204
        assert admin.get("/api/admin/dashboard").status_code == 401
    with study.admin() as admin:
        study.clock.sleep(13 * 3600)
        assert admin.get("/api/admin/dashboard").status_code == 401


def test_a_copied_cookie_is_good_no_longer_after_logout(tmp_path: Path) -> None:
    where = tmp_path / "study.sqlite"
    with served(where, SINGLE) as study, study.admin() as admin, study.admin() as other:
        copied, control = (dict(each.cookies) for each in (admin, other))
        for _ in range(2):
            assert admin.post("/api/admin/logout").status_code in (204, 401)
        for cookies, status in ((copied, 401), (control, 200)):
            with httpx.Client(base_url=study.base, cookies=cookies) as thief:
                assert thief.get("/api/admin/dashboard").status_code == status
                assert thief.get("/charts/restaurant_book.svg").status_code in (status, 403)
        assert study.opened.replay().state.logged_out == study.hub.study.state.logged_out
    with served(where, None) as study:
        for cookies, status in ((copied, 401), (control, 200)):
            with httpx.Client(base_url=study.base, cookies=cookies) as thief:
                assert thief.get("/api/admin/dashboard").status_code == status


def test_the_dashboard_shows_who_waits_and_what_is_said(study: Served) -> None:
    user, wizard = study.pair()
    waiting = study.page("user").wait()
    user.do("say", text="Hello")
    wizard.until_turn()
    with study.admin() as admin:
        dashboard = admin.get("/api/admin/dashboard").json()
        assert [room["room"] for room in dashboard["rooms"]] == [1]
        assert [one["assignment"] for one in dashboard["waiting"]] == [waiting.state["assignment"]]
        assert dashboard["waiting"][0]["reason"]
        assert dashboard["links"]["user"] == study.link("user")
        assert dashboard["failure"] is None
        along = admin.get("/api/admin/rooms/1").json()
        assert [r["seq"] for r in along["records"]] == list(range(1, len(along["records"]) + 1))
        assert along["records"][-1]["body"]["text"] == "Hello"
        assert not along["closed"]
        assert admin.get("/api/admin/rooms/2").status_code == 404


def test_the_admin_ends_a_room(study: Served) -> None:
    user, wizard = study.pair()
    with study.admin() as admin:
        assert admin.post("/api/admin/rooms/1/end", json={}).json() == {"ok": True}
        assert admin.post("/api/admin/rooms/1/end", json={}).status_code == 404
    for page in (user, wizard):
        assert page.until_step("done")["done"]["outcome"] == "ended"
        assert page.state["done"]["code"]


def test_a_notice_of_the_admin_is_no_turn(study: Served, tmp_path: Path) -> None:
    user, wizard = study.pair()
    path = "/api/admin/rooms/1/notice"
    with study.admin("viewer") as viewer:
        assert viewer.post(path, json={"text": "Hi"}).status_code == 403
    with study.admin("reviewer") as admin:
        for notice in ({"text": "We are here."}, {"text": "Be quick, please.", "to": "wizard"}):
            assert admin.post(path, json=notice).json() == {"ok": True}
        for wrong, code in (({"text": " "}, "malformed"), ({"text": "x", "to": "y"}, "bad_value")):
            assert admin.post(path, json=wrong).json()["code"] == code
        assert admin.post("/api/admin/rooms/2/notice", json={"text": "x"}).status_code == 404
        records = admin.get("/api/admin/rooms/1").json()["records"]
        assert [r["author"] for r in records if r["body"]["type"] == "notice"] == ["admin"] * 2
    assert user.until_kind("notice")["event"]["text"] == "We are here."
    assert wizard.until(lambda frame: frame.get("event", {}).get("text") == "Be quick, please.")
    assert user.state["room"]["turn"] == "user"
    whole(user, wizard)
    assert user.kinds().count("notice") == 1
    export(study.opened.store, "native", tmp_path / "native")
    [dialogue] = formats.load(tmp_path / "native").dialogues()
    assert "We are here." not in str(dialogue.events)
    assert dialogue.extra["Notices"] == [
        {"Text": "We are here.", "To": "both", "After": 0},
        {"Text": "Be quick, please.", "To": "wizard", "After": 0},
    ]


def test_the_admin_ends_an_assignment(study: Served) -> None:
    page = study.page("user").wait()
    with study.admin() as admin:
        number = page.state["assignment"]
        assert admin.post(f"/api/admin/assignments/{number}/end").json() == {"ok": True}
        assert admin.post(f"/api/admin/assignments/{number}/end").json()["code"] == "over"
        assert admin.post("/api/admin/assignments/99/end").status_code == 404
    assert page.until_step("done")["done"]["outcome"] == "ended"


def test_a_submission_is_reviewed_and_exported(study: Served) -> None:
    user, wizard = study.pair()
    whole(user, wizard)
    assert user.state["done"]["review"]
    with study.admin() as admin:
        queue = admin.get("/api/admin/dashboard").json()["queue"]
        assert {one["assignment"] for one in queue} == {1, 2}
        path = "/api/admin/assignments/1/review"
        for bad, code in (
            ({"accepted": False}, "reason_wanted"),
            ({"accepted": True, "instructions": 6}, "bad_rating"),
        ):
            refused = admin.post(path, json=bad)
            assert (refused.status_code, refused.json()["code"]) == (409, code)
        good = {"accepted": True, "reason": "well done", "instructions": 5, "creativity": 4}
        assert admin.post(path, json=good).json() == {"ok": True}
        ledger = admin.get("/api/admin/dashboard").json()["ledger"]
        assert any(row["assignment"] == 1 and row["cents"] > 0 for row in ledger["rows"])
        user.until_state(lambda state: not state["done"]["review"])
        undo = "/api/admin/assignments/1/undo"
        assert admin.post(undo, json={}).json() == {"ok": True}
        assert admin.post(undo, json={}).json()["code"] == "not_now"
        user.until_state(lambda state: state["done"]["review"])
        assert admin.post(path, json=good).json() == {"ok": True}
        answer = admin.get("/api/admin/export/star")
        assert answer.headers["content-type"] == "application/zip"
        names = zipfile.ZipFile(io.BytesIO(answer.content)).namelist()
        assert any(name.endswith("1.json") for name in names)
        assert admin.get("/api/admin/export/word").status_code == 404


@pytest.mark.parametrize("format", ["star", "native", "frames"])
def test_an_export_is_read_back(study: Served, tmp_path: Path, format: str) -> None:
    user, wizard = study.pair()
    whole(user, wizard)
    with study.admin() as admin:
        answer = admin.get(f"/api/admin/export/{format}")
        assert answer.status_code == 200, answer.text
    zipfile.ZipFile(io.BytesIO(answer.content)).extractall(tmp_path)
    [dialogue] = formats.load(tmp_path / format, format).dialogues()
    worker = user.state["worker"]
    assert worker not in json.dumps([str(path.read_bytes()) for path in files(tmp_path / format)])
    assert dialogue.events


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_invites_are_made_and_admit_one_each(study: Served) -> None:
    with study.admin() as admin:
        invites = admin.post("/api/admin/invites", json={"role": "wizard", "count": 2}).json()
        assert admin.post("/api/admin/invites", json={"count": 101}).status_code == 400
    one, two = map(Page, invites["links"])
    assert one.enter().state["role"] == "wizard"
    assert two.join().status_code == 200
    for page in (one, two):
        page.shut()


def test_a_stage_is_opened_for_a_worker(tmp_path: Path) -> None:
    settings = Settings(tasks=("weather",), stages="star", scenarios=4)
    with served(tmp_path / "study.sqlite", settings) as study:
        assert study.page("user", worker="w-1").state["stage"] == "single_tutorial"
        with study.admin() as admin:
            path = "/api/admin/workers/w-2/grant"
            assert admin.post(path, json={"stage": "single"}).json() == {"ok": True}
            assert admin.post(path, json={"stage": "seventh"}).status_code == 404
        assert study.page("user", worker="w-2").state["stage"] == "single"


def test_a_flow_chart_is_for_the_wizard_who_has_the_task(study: Served) -> None:
    user, wizard = study.pair()
    [task] = wizard.state["room"]["tasks"]
    answer = wizard.browser.get(task["chart"])
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert "<svg" in answer.text
    assert user.browser.get(task["chart"]).status_code == 403
    assert wizard.browser.get("/charts/weather.svg").status_code == 403
    assert httpx.get(study.base + task["chart"]).status_code == 403
    with study.admin() as admin:
        assert admin.get("/charts/hotel_book.svg").status_code == 200
        assert admin.get("/charts/none.svg").status_code == 404


def test_a_stage_is_opened_for_any_worker(study: Served) -> None:
    with study.admin() as admin:
        for worker in ("w-1", "a/b"):
            path = f"/api/admin/workers/{worker}/grant"
            assert admin.post(path, json={"stage": "single", "granted": True}).json() == {
                "ok": True
            }
            assert study.opened.study.state.worker(worker).granted["single"]


def test_a_code_is_looked_up_and_all_are_given_as_csv(study: Served) -> None:
    page = study.page("user", source={"SESSION": "x7"})
    page.do("leave")
    code = page.until_step("done")["done"]["code"]
    with study.admin() as admin:
        [row] = admin.get(f"/api/admin/codes/{code}").json()
        assert (row["outcome"], row["code"], row["source.SESSION"]) == ("left", code, "x7")
        assert admin.get("/api/admin/codes/nosuch").status_code == 404
        answer = admin.get("/api/admin/accounts.csv")
        assert answer.headers["content-type"].startswith("text/csv")
        assert f",{code}," in answer.text


@pytest.mark.parametrize(
    ("settings", "joining", "worker"),
    [
        ({"require_id": True}, {}, None),
        ({"require_id": True}, {"worker": "\u200b"}, None),
        ({"require_id": True}, {"worker": "w1"}, "w1"),
        ({"worker_from": "PROLIFIC_PID"}, {"source": {"PROLIFIC_PID": "p1"}}, "p1"),
        ({"worker_from": "PROLIFIC_PID"}, {"source": {"PROLIFIC_PID": " "}}, None),
        ({"worker_from": "PROLIFIC_PID"}, {"worker": "p1"}, None),
        (
            {"worker_from": "PROLIFIC_PID"},
            {"worker": "p2", "source": {"PROLIFIC_PID": "p1"}},
            None,
        ),
    ],
)
def test_ids_that_a_study_wants(
    tmp_path: Path, settings: dict[str, Any], joining: dict[str, Any], worker: str | None
) -> None:
    with served(tmp_path / "s.sqlite", Settings(tasks=("weather",), **settings)) as study:
        path = f"/api/join/{study.link().rpartition('/')[2]}"
        answer = httpx.post(f"{study.base}{path}", json=joining)
        if worker is None:
            assert (answer.status_code, answer.json()["code"]) in (
                (400, "id_wanted"),
                (400, "malformed"),
            )
        else:
            assert study.opened.study.assignment(answer.json()["assignment"]).worker == worker


def test_a_study_is_paused_and_extended_while_it_is_served(study: Served) -> None:
    user, wizard = study.pair()
    user.do("say", text="A table, please.")
    with study.admin() as admin:
        path = "/api/admin/settings"
        assert admin.post(path, json={"paused": True, "target": 60}).json() == {"ok": True}
        assert admin.post(path, json={"target": 59}).json()["code"] == "bad_value"
        board = admin.get("/api/admin/dashboard").json()
        assert (board["paused"], board["target"], board["quota"]["wanted"]) == (True, 60, 360)
        late = Page(study.link("user"))
        assert late.join().json()["code"] == "paused"
        wizard.until_turn()
        wizard.do("say", text="For how many?")  # who is in goes on
        assert admin.post(path, json={"paused": False}).json() == {"ok": True}
        assert late.join().status_code == 200
        late.shut()


def test_a_bonus_of_the_admins_own_is_booked_once(study: Served) -> None:
    page = study.page("user", worker="anna")
    page.do("leave")
    path = f"/api/admin/assignments/{page.state['assignment']}/bonus"
    bonus = {"cents": 50, "reason": "For telling us of a fault.", "key": "k-1"}
    with study.admin() as admin:
        for _ in range(2):
            assert admin.post(path, json=bonus).json() == {"ok": True}
        for wrong, code in (({"cents": 0}, "bad_value"), ({"reason": " "}, "reason_wanted")):
            assert admin.post(path, json={**bonus, **wrong, "key": "k-2"}).json()["code"] == code
        rows = admin.get("/api/admin/dashboard").json()["ledger"]["rows"]
    assert [(row["worker"], row["cents"], row["reason"]) for row in rows] == [
        ("anna", 50, "For telling us of a fault.")
    ]
    page.until_step("done")
    assert page.until_state(lambda state: bool(state["done"]["booked"]))["done"]["cents"] == 50
