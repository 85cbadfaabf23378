"""Who is slow, silent or endless is cut off; nobody else is hurt, and nothing grows for them."""

from __future__ import annotations

import resource
import socket
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from dialoom.serve.limits import LARGEST_HEAD, PIECES, UNREAD_SECONDS
from dialoom.serve.server import listen
from tests.serve.page import Page
from tests.serve.served import Served, command
from tests.serve.spoken import is_cut, wire

PING = b"\x89\xfd" + bytes(4) + bytes(125)
"""A ping of a client, as long as one may be."""

ENOUGH = 256 * 2**20
"""Bytes that no system takes for a client that reads nothing."""


def ask(client: socket.socket) -> bytes:
    """Send a whole request; return what the answer begins with."""
    client.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    return client.recv(65536)[:15]


def test_who_never_ends_a_request_is_cut(study: Served) -> None:
    silent, second, body = wire(study), wire(study), wire(study)
    assert ask(silent) == ask(second) == b"HTTP/1.1 200 OK"
    second.sendall(b"GET /healthz HTTP/1.1\r\nX-Slow: ")
    link = study.link().rpartition("/")[2]
    head = f"POST /api/join/{link} HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n"
    body.sendall(head.encode() + b"Expect: 100-continue\r\n\r\n")
    assert b" 100 " in body.recv(65536), "the body is waited for"
    body.sendall(b"{")
    user, wizard = study.pair()
    study.look()
    for client in (silent, second, body):
        assert is_cut(client)
        client.close()
    assert user.do("say", text="Hello")["type"] == "ack"
    wizard.until_turn()


def test_the_deadline_begins_with_the_connection(
    study: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    user, _ = study.pair()
    monkeypatch.setattr("dialoom.serve.server.REQUEST_SECONDS", 0.0)
    client = wire(study)
    assert is_cut(client)
    client.close()
    assert user.do("say", text="Hello")["type"] == "ack", "a WebSocket has no request to end"


def test_many_who_are_idle_leave_room_for_others(study: Served) -> None:
    idle = [wire(study) for _ in range(300)]
    for client in idle[::10]:
        client.sendall(b"GET /ws/")
    user, wizard = study.pair()
    assert user.do("say", text="Hello")["type"] == "ack"
    assert ask(idle[-1]) == b"HTTP/1.1 200 OK", "it is the last one that was accepted"
    study.look()
    assert all(is_cut(client) for client in idle)
    for client in idle:
        client.close()
    wizard.until_turn()
    assert wizard.do("say", text="Good evening")["type"] == "ack"


def test_a_head_without_end_is_refused(study: Served) -> None:
    client = wire(study)
    client.sendall(b"GET /healthz HTTP/1.1\r\n")
    with suppress(ConnectionError):
        for _ in range(64):
            client.sendall(b"X-Long: " + b"x" * LARGEST_HEAD + b"\r\n")
    answer = b""
    with suppress(ConnectionResetError):
        answer = client.recv(65536)
    assert answer[:12] in (b"", b"HTTP/1.1 400"), "who is still sending may not hear why"
    assert answer or is_cut(client)
    client.close()
    assert httpx.get(f"{study.base}/healthz").status_code == 200


def test_a_message_in_endless_pieces_closes_the_connection(study: Served) -> None:
    user, wizard = study.pair()
    assert user.socket is not None
    user.socket.send(['{"type": "', "ping", '"}'])
    user.until(lambda frame: frame["type"] == "pong")
    with suppress(ConnectionClosed):
        user.socket.send([""] * (PIECES + 1))
    assert user.until_closed() == 1009
    user.close()
    user.open(fresh=False)
    assert user.do("say", text="Hello")["type"] == "ack"
    wizard.until_turn()


def test_what_a_client_does_not_read_is_not_kept(
    study: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    user, wizard = study.pair()
    monkeypatch.setattr("dialoom.serve.server.UNREAD", 65_536)
    stranger, client = study.page("user"), wire(study, small=True)
    [(name, value)] = stranger.browser.cookies.items()
    head = f"GET /ws/{stranger.name} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
    key = f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {'A' * 22}==\r\n"
    cookie = f"Connection: Upgrade\r\nCookie: {name}={value}\r\n\r\n"
    client.sendall((head + key + cookie).encode())
    assert b" 101 " in client.recv(1000)
    client.sendall(b"\x81\x90" + bytes(4) + b'{"type":"hello"}')
    sent = 0
    with pytest.raises(ConnectionError):
        while sent < ENOUGH:
            client.sendall(PING * 500)
            sent += len(PING) * 500
    client.close()
    assert user.do("say", text="Hello")["type"] == "ack"
    wizard.until_turn()


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="Linux has it")
def test_who_takes_nothing_is_given_up_by_the_system() -> None:
    with listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        accepted, _ = listening.accept()
        with accepted:
            seconds = accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) / 1000
    assert seconds == UNREAD_SECONDS


def test_the_command_may_have_as_many_connections_as_the_system_lets_it(tmp_path: Path) -> None:
    some, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, most))
    try:
        served = command("--tasks", "weather", "--db", tmp_path / "study.sqlite", "--port", 0)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (some, most))
    page = Page(served.user).enter()
    assert resource.prlimit(served.process.pid, resource.RLIMIT_NOFILE) == (most, most)
    page.shut()
    assert served.stop() == 0
