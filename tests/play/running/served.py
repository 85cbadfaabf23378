"""A server in this process that answers for agents, users and models."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

Answer = tuple[int, Any]


class Served:
    """A server in this process that answers each message by a function."""

    def __init__(self, answer: Callable[[int, dict[str, Any]], Answer]) -> None:
        self.asked = 0

        class Handler(BaseHTTPRequestHandler):
            def do_POST(own) -> None:  # noqa: N805
                message = json.loads(own.rfile.read(int(own.headers["Content-Length"])))
                self.asked += 1
                status, body = answer(self.asked, message)
                own.send_response(status)
                own.end_headers()
                own.wfile.write(body if isinstance(body, bytes) else json.dumps(body).encode())

            def log_message(own, format: str, *args: Any) -> None:  # noqa: N805
                pass

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


Serve = Callable[[Callable[[int, dict[str, Any]], Answer]], Served]


@pytest.fixture
def serve() -> Iterator[Serve]:
    servers: list[Served] = []

    def begun(answer: Callable[[int, dict[str, Any]], Answer]) -> Served:
        servers.append(Served(answer))
        return servers[-1]

    yield begun
    for each in servers:
        each.close()
