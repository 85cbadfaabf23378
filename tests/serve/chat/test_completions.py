"""A served agent over the wire format of chat completions, also as `play`'s own seat speaks it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from dialoom.serve.chat.settings import ChatSettings
from tests.serve.chat.served import asked, begin, say, served_chats

SETTINGS = ChatSettings(tasks=("weather", "hotel_book"), seed=7)
PATH = "/v1/chat/completions"


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with served_chats(":memory:", SETTINGS) as client:
        yield client


def user(text: Any) -> dict[str, Any]:
    return {"role": "user", "content": text}


def reply(client: httpx.Client, messages: list[dict[str, Any]]) -> dict[str, Any]:
    completion = asked(client, PATH, {"model": "weather", "messages": messages, "temperature": 0})
    (choice,) = completion["choices"]
    assert (completion["object"], choice["finish_reason"]) == ("chat.completion", "stop")
    message: dict[str, Any] = choice["message"]
    return message


def test_a_conversation_goes_on(client: httpx.Client) -> None:
    before = client.get("/healthz").json()["units"]
    messages = [{"role": "system", "content": "Be kind."}, user("The weather in Velmora, please.")]
    first = reply(client, messages)
    assert "day" in first["content"]
    messages += [first, user([{"type": "text", "text": "On Monday."}])]
    second = reply(client, messages)
    assert "Velmora" in second["content"]
    assert client.get("/healthz").json()["units"] == before + 1
    # the same again, of which the agent went on to something else, is said to it anew
    assert "Velmora" in reply(client, messages)["content"]
    assert client.get("/healthz").json()["units"] == before + 2


def test_a_served_agent_is_a_model_to_another_server(client: httpx.Client) -> None:
    """What `serve` answers with is what the seat of a language model reads."""
    agent = f"openai:weather@{str(client.base_url).rstrip('/')}/v1"
    with served_chats(":memory:", ChatSettings(tasks=("weather",), agent=agent)) as other:
        chat = begin(other)["chat"]
        events = say(other, chat, "What is the weather like in Velmora on Monday?")
        assert [each["from"] for each in events] == ["you", "agent"]
        assert "Velmora" in events[1]["text"]


def test_in_a_stream(client: httpx.Client) -> None:
    body = {"model": "weather", "messages": [user("Hello")], "stream": True}
    answer = client.post(PATH, json=body)
    assert answer.headers["content-type"].startswith("text/event-stream")
    *chunks, done = [line[6:] for line in answer.text.splitlines() if line.startswith("data: ")]
    assert done == "[DONE]"
    choices = [json.loads(chunk)["choices"][0] for chunk in chunks]
    assert choices[0]["delta"]["content"]
    assert choices[-1]["finish_reason"] == "stop"


@pytest.mark.parametrize("stream", [False, True])
def test_an_unknown_model_is_refused(client: httpx.Client, stream: bool) -> None:
    body = {"model": "weathr", "messages": [user("Hello")], "stream": stream}
    error = asked(client, PATH, body, 404)["error"]
    assert error["code"] == "unknown"
    assert "weather" in error["message"]
    assert asked(client, PATH, {"messages": [user("Hello")]})["choices"]  # the server chooses


def test_models_are_the_tasks(client: httpx.Client) -> None:
    models = client.get("/v1/models").json()["data"]
    assert [each["id"] for each in models] == ["weather", "hotel_book"]


@pytest.mark.parametrize(
    "messages", [[], [{"role": "assistant", "content": "Hi"}], [user("")], [user("Hi")] * 201]
)
def test_what_is_no_conversation(client: httpx.Client, messages: list[Any]) -> None:
    refusal = asked(client, PATH, {"model": "weather", "messages": messages}, 400)
    assert refusal["code"] == "malformed"
    assert refusal["error"]["message"] == refusal["what"]
