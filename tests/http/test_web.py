"""Requests to servers that cannot be reached, at first or later."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import repeat
from threading import Barrier, BrokenBarrierError
from typing import Any

import httpx
import pytest

from dialoom.errors import UsageError
from dialoom.http import web
from dialoom.http.chat import ChatClient
from dialoom.http.failure import NoAnswerError
from dialoom.http.metering import Budget, Meter, WireLimits
from dialoom.http.settings import WireSettings
from dialoom.http.web import WebClient
from tests.make import refuses


def test_a_server_that_was_reached_is_waited_for() -> None:
    answers: list[httpx.Response | Exception] = [
        httpx.Response(200, json={}),
        httpx.ConnectError("restarting"),
        httpx.Response(200, json={}),
        *(httpx.ConnectError("gone") for _ in range(2)),
    ]

    def handle(request: httpx.Request) -> httpx.Response:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    waited: list[float] = []
    client = WebClient("http://bot.test/turn", "--agent")
    client.transport, client.waits, client.wait = httpx.MockTransport(handle), (3.0,), waited.append
    client.post("", {}, Meter())
    client.post("", {}, Meter())
    assert waited == [3.0]
    with pytest.raises(NoAnswerError) as failure:
        client.post("", {}, Meter())
    assert failure.value.final
    assert not answers


def _endless(piece: bytes) -> WebClient:
    client = WebClient("http://bot.test/turn", "--agent")
    client.transport = httpx.MockTransport(lambda _: httpx.Response(200, content=repeat(piece)))
    client.waits = ()
    return client


def test_an_answer_in_pieces_has_a_time_limit() -> None:
    with refuses(NoAnswerError, "too-late", "0.1 s"):
        _endless(b"x").post("", {}, Meter(Budget(WireLimits(timeout=0.1))))


def test_an_endless_answer_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "LONGEST", 1000)
    with refuses(NoAnswerError, "over-limit", "1000"):
        _endless(b"x").post("", {}, Meter())


def test_threads_that_begin_together_share_a_client(monkeypatch: pytest.MonkeyPatch) -> None:
    clients, together, twice = [], Barrier(4), Barrier(2)

    class Slow(httpx.Client):
        def __init__(self, **settings: Any) -> None:
            clients.append(self)
            with suppress(BrokenBarrierError):  # nobody else makes one
                twice.wait(0.2)
            super().__init__(**settings)

    monkeypatch.setattr(httpx, "Client", Slow)
    client = WebClient("http://bot.test/turn", "--agent")
    client.transport = httpx.MockTransport(lambda _: httpx.Response(200, json={}))

    def ask(_: int) -> bytes:
        together.wait()
        return client.post("", {}, Meter())

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, range(4))) == [b"{}"] * 4
    assert len(clients) == 1


@pytest.mark.parametrize(
    ("settings", "model", "address"),
    [
        ("small@http://bot.test/v1", "small", "http://bot.test/v1/chat/completions"),
        ("@a/b@c@https://bot.test/v1/", "@a/b@c", "https://bot.test/v1/chat/completions"),
        ("a@http://bot.test/u@v1?x=1", "a", "http://bot.test/u@v1/chat/completions?x=1&v=2"),
    ],
)
def test_models_have_at_signs_and_addresses_a_query(
    settings: str, model: str, address: str
) -> None:
    requests: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return httpx.Response(200, json={"choices": [{"message": {"content": "Yes."}}]})

    client = ChatClient(settings, "--agent")
    client.web.transport = httpx.MockTransport(handle)
    query = WireSettings(query={"v": "2"} if "?" in address else {})
    client.complete([], [], Meter(Budget(WireLimits(settings={"agent": query}))))
    (request,) = requests
    assert (str(request.url), json.loads(request.content)["model"]) == (address, model)


def test_nobody_at_an_address_is_a_failure_at_once() -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("no route")

    client = WebClient("http://bot.test/turn", "--agent")
    client.transport = httpx.MockTransport(handle)
    client.wait = lambda seconds: pytest.fail("waited")
    with pytest.raises(NoAnswerError) as failure:
        client.post("", {}, Meter())
    assert failure.value.final


def test_an_address_with_a_password_is_refused_and_not_quoted() -> None:
    with refuses(UsageError, "wrong-value", "headers.Authorization") as failure:
        WebClient("https://anna:tulip@bot.test/turn", "--agent")
    assert "tulip" not in str(failure.value)
    WebClient("https://bot.test/turn?to=a@b.test", "--agent")


def test_a_header_that_http_refuses_is_not_quoted() -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        raise httpx.LocalProtocolError("Illegal header value b'Bearer sk-1'")

    client = WebClient("http://bot.test/turn", "--agent")
    client.transport = httpx.MockTransport(handle)
    client.wait = lambda seconds: pytest.fail("waited")
    with refuses(NoAnswerError, "wrong-value") as failure:
        client.post("", {}, Meter())
    assert failure.value.final
    assert "sk-1" not in str(failure.value)
