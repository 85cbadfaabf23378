"""Every answer carries the headers; only pages of the same origin can act."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from starlette.datastructures import Headers

from dialoom.serve.headers import FIXED, policy, same_origin
from tests.serve.conftest import SINGLE
from tests.serve.page import directives
from tests.serve.served import Served, served


def test_every_answer_carries_the_headers(study: Served) -> None:
    link = study.link().rpartition("/")[2]
    for answer in (
        httpx.get(study.base + "/"),
        httpx.get(study.link()),
        httpx.get(study.base + "/healthz"),
        httpx.get(study.base + "/no/such/page"),
        httpx.get(study.base + "/api/admin/dashboard"),
        httpx.post(f"{study.base}/api/join/{link}", json={}),
        httpx.post(f"{study.base}/api/join/x", json={}, headers={"Origin": "https://e.example"}),
        httpx.put(f"{study.base}/api/join/x"),
    ):
        for name, value in FIXED.items():
            assert answer.headers[name] == value
        rules = directives(answer.headers["content-security-policy"])
        assert rules["default-src"] == rules["script-src"] == "'self'"
        assert rules["frame-ancestors"] == "'none'"
        assert "server" not in answer.headers
    assert httpx.get(study.base + "/healthz").headers["cache-control"] == "no-store"


def test_no_script_or_style_runs_inline() -> None:
    assert "unsafe" not in policy()
    assert "https:" not in policy().replace("'sha256-", "")


def test_videos_may_be_shown_from_where_they_are() -> None:
    rules = directives(policy(["https://v.example/a.mp4", "https://v.example/b.mp4", "/own.mp4"]))
    assert rules["media-src"] == "'self' https://v.example"
    assert rules["script-src"] == "'self'"


def test_pictures_may_be_shown_from_where_they_are() -> None:
    rules = directives(policy(pictures=["https://p.example/a.png"]))
    assert rules["img-src"] == "'self' data: https://p.example"
    assert rules["media-src"] == rules["script-src"] == "'self'"


@pytest.mark.parametrize("video", ["javascript:alert(1)", "https://a;script-src *", "data:x", ""])
def test_no_video_opens_the_policy(video: str) -> None:
    assert policy([video], pictures=[video]) == policy()


@pytest.mark.parametrize(
    ("headers", "same"),
    [
        ({"host": "s.example"}, True),
        ({"host": "s.example", "origin": "https://s.example"}, True),
        ({"host": "S.example", "origin": "https://s.Example"}, True),
        ({"host": "s.example", "sec-fetch-site": "same-origin"}, True),
        ({"host": "s.example", "sec-fetch-site": "none"}, True),
        ({"host": "s.example", "sec-fetch-site": "cross-site"}, False),
        ({"host": "s.example", "sec-fetch-site": "same-site"}, False),
        ({"host": "s.example", "origin": "https://e.example"}, False),
        ({"host": "s.example", "origin": "https://s.example:8000"}, False),
        ({"host": "s.example", "origin": "https://s.example.e.example"}, False),
        ({"host": "s.example", "origin": "null"}, False),
        ({"host": "s.example", "origin": ""}, False),
        ({"host": "", "origin": "null"}, False),
    ],
)
def test_the_origin_is_that_of_the_host(headers: dict[str, str], same: bool) -> None:
    assert same_origin(Headers(headers)) is same


def test_the_public_address_is_known_too() -> None:
    headers = Headers({"host": "10.0.0.1", "origin": "https://study.example"})
    assert same_origin(headers, "https://study.example/")
    assert not same_origin(headers, "https://other.example")


def test_behind_a_proxy_links_and_cookies_are_of_its_address(tmp_path: Path) -> None:
    public = "https://study.example"
    with served(tmp_path / "study.sqlite", SINGLE, public=public) as study:
        link = study.link().rpartition("/")[2]
        url, origin = f"{study.base}/api/join/{link}", {"Origin": public}
        joined = httpx.post(url, json={}, headers=origin)
        assert "Secure" in joined.headers["set-cookie"]
        for word in ("HttpOnly", "SameSite=strict", "Path=/"):
            assert word in joined.headers["set-cookie"]
        with study.admin() as admin:
            token = {"token": study.signer.admin_token()}
            cookie = admin.post("/api/admin/login", json=token).headers["set-cookie"]
            admin.cookies.set("dialoom_admin", cookie.split("=", 1)[1].split(";")[0])
            dashboard = admin.get("/api/admin/dashboard").json()
        assert dashboard["links"]["user"] == f"{public}/join/{link}"
