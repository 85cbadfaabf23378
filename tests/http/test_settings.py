"""Settings of a remote participant's requests."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from dialoom.errors import DialoomError, UsageError
from dialoom.http.metering import Budget, Meter, WireLimits
from dialoom.http.settings import DEFAULT, WireSettings, read_settings
from dialoom.http.web import WebClient
from tests.make import refuses

AZURE = """
key: AZURE_KEY
key_header: api-key
query: {api-version: "2024-10-21"}
temperature: null
body: {reasoning_effort: low}
"""


def test_settings_in_a_line_and_in_a_file_are_the_same(tmp_path: Path) -> None:
    file = tmp_path / "azure.yaml"
    file.write_text(AZURE)
    line = (
        'key=AZURE_KEY,key_header=api-key,query.api-version="2024-10-21",temperature=null,'
        "body.reasoning_effort=low"
    )
    assert read_settings(str(file), "--x") == read_settings(line, "--x")
    assert read_settings(None, "--x") == DEFAULT


def test_a_request_has_what_is_set() -> None:
    settings = read_settings("temperature=0.5,max_tokens=9,seed=3,body.top_p=0.9", "--x")
    assert settings.asked == {"temperature": 0.5, "max_tokens": 9, "seed": 3, "top_p": 0.9}
    assert WireSettings(temperature=None).asked == {}


def test_keys_are_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("K", "secret")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert WireSettings(key="K").credentials == {"Authorization": "Bearer secret"}
    assert WireSettings(key="K", key_header="api-key").credentials == {"api-key": "secret"}
    assert WireSettings().credentials == {}
    assert WireSettings(headers={"A": "$K", "B": "b"}).sent == {"A": "secret", "B": "b"}
    with refuses(UsageError, "not-given", "NOT_THERE"):
        _ = WireSettings(headers={"A": "$NOT_THERE"}).sent
    with refuses(UsageError, "not-given", "NOT_THERE"):
        _ = WireSettings(key="NOT_THERE").credentials


def test_keys_are_never_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("K", " sk-1\n")
    assert WireSettings(key="K").credentials == {"Authorization": "Bearer sk-1"}
    assert WireSettings(headers={"A": "$K"}).sent == {"A": "sk-1"}
    for wrong in ("sk-é", "sk-\n1"):
        monkeypatch.setenv("K", wrong)
        for settings in (WireSettings(key="K"), WireSettings(headers={"A": "$K"})):
            with refuses(UsageError, "wrong-value", "variable K") as caught:
                _ = settings.credentials if settings.key == "K" else settings.sent
            assert "sk-" not in str(caught.value)


@pytest.mark.parametrize(
    "told",
    [
        "temperature",
        "=3",
        "heat=3",
        "temperature=hot",
        "max_tokens=1,max_tokens.x=2",
        "nothing.yaml",
        "headers=3",
    ],
)
def test_wrong_settings_are_refused(told: str) -> None:
    with pytest.raises(DialoomError):
        read_settings(told, "--agent-settings")


def test_a_repeated_request_has_the_same_id_and_the_query() -> None:
    requests: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return httpx.Response(503 if len(requests) == 1 else 200, json={})

    settings = WireSettings(query={"v": "1"}, headers={"X": "y"})
    client = WebClient("http://bot.test/turn", "--agent")
    client.transport, client.waits = httpx.MockTransport(handle), (0.0,)
    meter = Meter(Budget(WireLimits(settings={"agent": settings})))
    client.post("", {}, meter)
    client.post("", {}, meter)
    ids = [request.headers["Idempotency-Key"] for request in requests]
    assert ids[0] == ids[1] != ids[2]
    assert {request.url.query for request in requests} == {b"v=1"}
    assert requests[0].headers["X"] == "y"
    assert Meter(meter.budget, "user").settings == DEFAULT
