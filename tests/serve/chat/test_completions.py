"""A served agent over the wire format of chat completions, also as `play`'s own seat speaks it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from dialoom import formats
from dialoom.collect.export import export
from dialoom.collect.log.store import Store
from dialoom.dialogue import Utterance
from dialoom.play.judging.verdict import NO_RESULT
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


def test_a_repeated_request_returns_the_answer_in_the_log(client: httpx.Client) -> None:
    before = client.get("/healthz").json()["units"]
    messages = [user("Will it snow in Velmora?")]
    messages += [reply(client, messages), user("On Monday.")]
    with ThreadPoolExecutor(4) as pool:
        (second,) = {each["content"] for each in pool.map(reply, [client] * 4, [messages] * 4)}
    assert reply(client, messages)["content"] == second
    assert client.get("/healthz").json()["units"] == before + 1


def test_people_who_begin_alike_have_a_chat_each(client: httpx.Client) -> None:
    """Whichever greeting each of them has read, and whoever goes on first."""
    before = client.get("/healthz").json()["units"]
    opening = [user("Hello, anybody there?")]
    greetings = [reply(client, opening) for _ in range(6)]
    assert len({each["content"] for each in greetings}) > 1
    for greeting in reversed(greetings):
        assert reply(client, [*opening, greeting, user("Velmora.")])["content"]
    assert client.get("/healthz").json()["units"] == before + len(greetings)


def test_chats_go_on_after_a_restart(tmp_path: Path) -> None:
    """Without a model; the exported dialogues are what the clients have read."""
    talks = [[user(f"Good morning, number {number}.")] for number in range(2)]
    db, tasks = tmp_path / "chats.sqlite", list[str]()
    for text in ("Sunday, please.", "Goodbye."):
        with served_chats(db, SETTINGS) as client:
            for messages in talks:
                completion = asked(client, PATH, {"messages": messages})
                tasks.append(completion["model"])
                messages += [completion["choices"][0]["message"], user(text)]
    assert sorted(tasks[:2]) == ["hotel_book", "weather"]
    assert tasks[:2] == tasks[2:]
    with Store.open(db, readonly=True) as store:
        export(store, "native", tmp_path / "out")
    dialogues = list(formats.load(tmp_path / "out", None).dialogues())
    said = [[e.text for e in each.events if isinstance(e, Utterance)] for each in dialogues]
    assert sorted(map(" ".join, said)) == [
        " ".join(message["content"] for message in messages[:-1]).replace("\n", " ")
        for messages in talks
    ]


def test_a_conversation_whose_chat_went_on_otherwise_is_said_again(client: httpx.Client) -> None:
    """At the same time as well; `user` separates equal ones."""
    before = client.get("/healthz").json()["units"]
    hello = user("Hello there.")
    opening = {"model": "weather", "messages": [hello]}
    reply(client, [hello])
    days = [{**opening, "messages": [hello, user(f"Day {n}.")]} for n in range(3)]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda body: asked(client, PATH, body), days))
    assert client.get("/healthz").json()["units"] == before + 3
    for name in ("ann", "ben"):
        asked(client, PATH, {**opening, "user": name})
    assert client.get("/healthz").json()["units"] == before + 5


def test_a_replay_with_other_answers_is_refused(tmp_path: Path) -> None:
    texts = ({"role": "assistant", "content": "It rains pianos."}, user("On Monday."))
    with served_chats(tmp_path / "chats.sqlite", SETTINGS) as client:
        for opening in ([user("Hello")], [user("Good evening.")]):
            if opening[0]["content"] == "Hello":
                reply(client, opening)  # its chat waits, and stays as it is
            body = {"model": "weather", "messages": [*opening, *texts]}
            error = asked(client, PATH, body, 409)["error"]
            assert error["code"] == "differs"
            assert "answers otherwise" in error["message"]
        with Store.open(tmp_path / "chats.sqlite", readonly=True) as store:
            export(store, "native", tmp_path / "out")
    dialogues = formats.load(tmp_path / "out", None).dialogues()
    assert {each.outcome for each in dialogues} == {None, NO_RESULT}


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


def test_an_unreadable_body_is_refused_with_an_error_object(client: httpx.Client) -> None:
    refusal = client.post(PATH, content='{"messages": 3}').json()
    assert refusal["error"] == {"message": refusal["what"], "code": "malformed"}
