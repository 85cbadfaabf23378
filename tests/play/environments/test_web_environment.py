"""Tasks whose calls are made by a web hook."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from dialoom.errors import UsageError
from dialoom.formats.chat.arguments import exact
from dialoom.play.environments.base import EnvironmentFailureError
from dialoom.play.environments.opening import server_of
from dialoom.play.environments.remote import RemoteEnvironment, WebServer, published_calls
from dialoom.schema.environment import EnvironmentSpec, ExpectedCall
from tests.make import refuses

BOOK = {"type": "object", "properties": {"seats": {"type": "integer"}}, "required": ["seats"]}
TOOLS = [
    {"name": "book", "description": "Book seats.", "parameters": BOOK},
    {"name": "free", "inputSchema": {"type": "object", "properties": {}}, "reads": True},
]


class Cinema:
    """A web hook with ten seats."""

    def __init__(self) -> None:
        self.left, self.fault = 10, 0

    def answer(self, path: str, asked: dict[str, Any]) -> tuple[int, Any]:
        if self.fault:
            return self.fault, {"error": {"message": "the film is torn"}}
        if path == "/tools":
            return 200, TOOLS
        if path == "/again":
            self.left = 10
            return 200, None
        if path == "/call" and asked["name"] == "book":
            seats = asked["arguments"]["seats"]
            if seats > self.left:
                return 422, {"detail": f"only {self.left} are left"}
            self.left -= seats
            return 200, {"seats": seats}
        return 200, self.left


@pytest.fixture
def cinema() -> Iterator[tuple[Cinema, WebServer, RemoteEnvironment]]:
    theatre = Cinema()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(own) -> None:  # noqa: N805
            request = json.loads(own.rfile.read(int(own.headers["Content-Length"])))
            status, body = theatre.answer(own.path, request)
            own.send_response(status)
            own.end_headers()
            own.wfile.write(b"" if body is None else json.dumps(body).encode())

        def log_message(own, format: str, *args: Any) -> None:  # noqa: N805
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    at = f"http:http://127.0.0.1:{server.server_port}"
    spec = EnvironmentSpec(at=at, reset=ExpectedCall("/again"), state=ExpectedCall("seats"))
    hook = server_of(spec)
    assert isinstance(hook, WebServer)
    hook.client.waits = ()
    yield theatre, hook, RemoteEnvironment(spec, hook, published_calls(spec, hook))
    server.shutdown()
    thread.join()
    server.server_close()


Fixture = tuple[Cinema, WebServer, RemoteEnvironment]


def test_tools_are_listed_in_either_spelling(cinema: Fixture) -> None:
    _, _, environment = cinema
    assert [(c.name, c.required, c.writes) for c in environment.tools.values()] == [
        ("book", ("seats",), True),
        ("free", (), False),
    ]


def test_each_dialogue_begins_in_the_first_state(cinema: Fixture) -> None:
    theatre, _, environment = cinema
    for _ in range(2):
        with environment.opened("1") as session:
            assert session.call("book", tuple(exact({"seats": 4}))).items == ({"seats": 4},)
            assert session.call("free", ()).items == ({"value": 6},)
            assert session.changes() == {"state": {"changed": [[{"value": 10}, {"value": 6}]]}}
    assert theatre.left == 6


def test_refusals_go_to_the_agent_and_failures_do_not(cinema: Fixture) -> None:
    theatre, _, environment = cinema
    with environment.opened("1") as session:
        with refuses(UsageError, "bad-call", "only 10 are left"):
            session.call("book", tuple(exact({"seats": 11})))
        with refuses(UsageError, "bad-call", "seats", "two"):
            session.call("book", tuple(exact({"seats": "two"})))
        theatre.fault = 500
        with refuses(EnvironmentFailureError, "no-answer", "the film is torn") as raised:
            session.call("book", tuple(exact({"seats": 1})))
        assert (raised.value.status, raised.value.final) == (None, False)
        theatre.fault = 401
        with pytest.raises(EnvironmentFailureError) as raised:
            session.changes()
        assert raised.value.final
    theatre.fault = 0
    with refuses(EnvironmentFailureError, "unreadable"):
        WebServer(EnvironmentSpec(at=f"{environment.spec.at}/other")).tools()
