"""Nothing is reached without the token, by another name of this machine, or from another site."""

from __future__ import annotations

import pytest
from starlette.routing import Route
from starlette.testclient import TestClient

from dialoom.serve.headers import FIXED
from dialoom.studio.studies.pages import FRAMES
from tests.found import some
from tests.studio.conftest import TOKEN


def requests(client: TestClient) -> list[tuple[str, str]]:
    """Return a request to each route."""
    routes = [route for route in client.app.routes if isinstance(route, Route)]  # type: ignore[attr-defined]
    return [
        (method, route.path.replace("{name:path}", "studio.js"))
        for route in some(routes)
        for method in route.methods or ()
    ]


def test_every_route_needs_the_token(stranger: TestClient) -> None:
    for method, path in some(requests(stranger)):
        answer = stranger.request(method, path)
        assert answer.status_code == 401, (method, path)
        framed = {"X-Frame-Options": None} if path.startswith(FRAMES) else {}
        for name, value in {**FIXED, **framed}.items():
            assert answer.headers.get(name) == value


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Bearer "},
        {"Authorization": "Bearer wrong"},
        {"Authorization": TOKEN},
        {"Authorization": f"Bearer {TOKEN}x"},
        {"Cookie": f"dialoom_studio={TOKEN}"},
        {"Cookie": "dialoom_studio_000000000000=" + TOKEN},
    ],
)
def test_no_other_token_will_do(stranger: TestClient, headers: dict[str, str]) -> None:
    assert stranger.get("/api/folder", headers=headers).status_code == 401


@pytest.mark.parametrize("text", ["", "x", TOKEN + "x", TOKEN[:-1], "ü"])
def test_a_link_with_another_token_sets_no_cookie(stranger: TestClient, text: str) -> None:
    answer = stranger.get("/", params={"token": text})
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers


def test_the_link_sets_a_cookie_and_leaves_no_token_in_the_address(stranger: TestClient) -> None:
    arrived = stranger.get("/", params={"token": TOKEN})
    assert (arrived.status_code, arrived.headers["location"]) == (303, "/")
    assert "HttpOnly" in arrived.headers["set-cookie"]
    assert "SameSite=lax" in arrived.headers["set-cookie"]
    assert stranger.get("/").headers["content-type"].startswith("text/html")
    assert stranger.get("/api/folder").status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "10.0.0.1:80"])
def test_other_names_of_this_machine_are_refused(client: TestClient, host: str) -> None:
    assert client.get("/api/folder", headers={"Host": host}).status_code == 421


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000", "LOCALHOST"])
def test_own_names_of_this_machine_are_served(client: TestClient, host: str) -> None:
    assert client.get("/api/folder", headers={"Host": host}).status_code == 200


def test_pages_of_other_sites_cannot_act(client: TestClient) -> None:
    message = {"path": "new.yaml", "text": "task: new\n", "tag": ""}
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert client.post("/api/tasks/save", json=message, headers=headers).status_code == 403
    assert client.get("/api/tasks/file", params={"path": "new.yaml"}).json()["tag"] == ""


def test_the_policy_allows_no_code_or_style_of_data(client: TestClient) -> None:
    policy = client.get("/").headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'self'" in policy
