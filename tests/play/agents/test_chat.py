"""A language model's seat, against a scripted server of chat completions."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from dialoom.dialogue import Completion, Query, Result, Utterance
from dialoom.errors import UsageError
from dialoom.http.failure import NoAnswerError
from dialoom.http.metering import Budget, Meter, read_limits
from dialoom.play.agents.base import AgentSeat
from dialoom.play.agents.chat import ChatAgents
from dialoom.play.judging.verdict import Failure
from dialoom.play.running.trial import play
from dialoom.schema import pack
from dialoom.sim.policies.flow.simulator import Simulator
from tests.make import refuses
from tests.play.scripted import Scripted, says

SIMULATOR = Simulator(pack.load("weather"), 1)
SEAT = AgentSeat(programs=(SIMULATOR.program,), seed=b"seed")
CITY = next(iter(SIMULATOR.program.schema.slots["city"].values))


def message(content: str | None = None, **calls: str) -> dict[str, Any]:
    entries = [
        {"id": f"c{n}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for n, (name, arguments) in enumerate(calls.items())
    ]
    return {"choices": [{"message": {"content": content, "tool_calls": entries or None}}]}


def seated(answer: Callable[[dict[str, Any]], httpx.Response]) -> ChatAgents:
    def handle(request: httpx.Request) -> httpx.Response:
        assert request.url == "http://model.test/v1/chat/completions"
        return answer(json.loads(request.content))

    agents = ChatAgents("small@http://model.test/v1")
    agents.client.web.transport = httpx.MockTransport(handle)
    agents.client.web.waits = (0.0,)
    return agents


def test_a_model_calls_a_tool_and_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    requests: list[dict[str, Any]] = []
    script = [
        message(weather="not json"),
        message(weather=json.dumps({"City": CITY, "Day": "Sunday"})),
        message("Here you are."),
    ]

    def answer(request: dict[str, Any]) -> httpx.Response:
        requests.append(request)
        return httpx.Response(200, json=script.pop(0))

    user = Scripted(says("user", "The weather?"), (Completion(),))
    events, ended = play(user, seated(answer).join(SEAT), SIMULATOR.base.call)
    assert ended == "completed"
    kinds = [type(event) for event in events]
    assert kinds == [Utterance, Query, Result, Query, Result, Utterance, Completion]
    assert requests[0]["model"] == "small"
    assert requests[0]["tools"][0]["function"]["name"] == "weather"
    assert [m["role"] for m in requests[2]["messages"]] == [
        *("system", "user", "assistant", "tool", "assistant", "tool")
    ]
    assert "no JSON object" in requests[1]["messages"][-1]["content"]
    unread, refusal, result = events[1], events[2], events[4]
    assert isinstance(unread, Query) and unread.extra == {"arguments": "not json"}
    assert isinstance(refusal, Result) and "not json" in refusal.extra["error"]
    assert isinstance(result, Result)
    assert json.loads(requests[2]["messages"][-1]["content"])["items"] == list(result.items)


def test_a_filtered_answer_has_no_result_and_is_paid_for() -> None:
    choice = {"message": {"content": ""}, "finish_reason": "content_filter"}
    body = {"choices": [choice], "usage": {"prompt_tokens": 9, "completion_tokens": 1}}
    seat = replace(SEAT, meter=Meter())
    agent = seated(lambda _: httpx.Response(200, json=body)).join(seat)
    _, ended = play(Scripted(says("user", "Hi")), agent, SIMULATOR.base.call)
    assert isinstance(ended, Failure) and "content_filter" in ended.what
    assert (seat.meter.spent.calls, seat.meter.spent.read) == (1, 9)


def test_a_tool_that_is_not_there_gives_the_reason() -> None:
    script = [message(fly="{}"), message("Sorry.")]
    agents = seated(lambda request: httpx.Response(200, json=script.pop(0)))
    user = Scripted(says("user", "Fly me."), (Completion(),))
    events, _ = play(user, agents.join(SEAT), SIMULATOR.base.call)
    assert isinstance(events[2], Result)
    assert "fly" in events[2].extra["error"]


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        (httpx.Response(429), "429 Too Many Requests"),
        (httpx.Response(400, json={"error": {"message": "too long"}}), "400 Bad Request: too long"),
        (httpx.Response(500, text="<h1>It\n broke</h1>"), "500 Internal Server Error: It broke"),
        (httpx.Response(200, text="not json"), "cannot be read: 'not json'"),
        (httpx.Response(200, json={"error": "busy"}), 'cannot be read: \'{"error":"busy"}\''),
        (httpx.Response(200, json={"choices": []}), "cannot be read: '{\"choices\":[]}'"),
        (httpx.Response(200, text='data: {"error": "busy"}\n\n'), "cannot be read"),
        (httpx.Response(200, text="data: {nonsense\n\n"), "cannot be read"),
    ],
)
def test_a_server_that_fails_leaves_no_result(answer: httpx.Response, what: str) -> None:
    user = Scripted(says("user", "Hi"))
    events, ended = play(user, seated(lambda _: answer).join(SEAT), SIMULATOR.base.call)
    assert isinstance(ended, Failure)
    assert ended.what.startswith(what)
    status = answer.status_code if answer.is_error else None
    assert (ended.side, ended.turn, ended.status) == ("agent", 1, status)
    assert len(events) == 1


def test_a_context_that_is_too_long_is_told_in_the_servers_words() -> None:
    error = {"message": "maximum context length is 8192 tokens", "code": "context_length_exceeded"}
    answer = httpx.Response(400, json={"error": error})
    user = Scripted(says("user", "Hi"))
    _, ended = play(user, seated(lambda _: answer).join(SEAT), SIMULATOR.base.call)
    assert isinstance(ended, Failure)
    assert ended.what == "400 Bad Request: maximum context length is 8192 tokens"


def test_azure_gets_its_query_and_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_KEY", "secret")
    requests: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return httpx.Response(200, json=message("Dry."))

    agents = ChatAgents("gpt@https://x.test/openai/deployments/gpt")
    agents.client.web.transport = httpx.MockTransport(handle)
    limits = read_limits(agent_settings="query.api-version=1,key=AZURE_KEY,key_header=api-key")
    meter = Meter(Budget(limits))
    agents.join(replace(SEAT, meter=meter)).reply(says("user", "Hi"))
    (request,) = requests
    path = "/openai/deployments/gpt/chat/completions"
    assert (request.url.path, request.url.query) == (path, b"api-version=1")
    assert request.headers["api-key"] == "secret"
    assert "Authorization" not in request.headers


def test_a_refusal_ends_the_run() -> None:
    answer = httpx.Response(401, json={"error": {"message": "no such key"}})
    with refuses(NoAnswerError, "no-answer", "no such key", "--agent", "401", "Unauthorized"):
        play(
            Scripted(says("user", "Hi")),
            seated(lambda _: answer).join(SEAT),
            SIMULATOR.base.call,
        )


@pytest.mark.parametrize(
    ("answer", "end"),
    [(message(weather="[]"), "calls"), (message(), "silence"), (message("  "), "silence")],
)
def test_a_model_that_says_nothing_has_no_end(answer: dict[str, Any], end: str) -> None:
    user = Scripted(*[says("user", "Hi")] * 5)
    agent = seated(lambda _: httpx.Response(200, json=answer)).join(SEAT)
    assert play(user, agent, SIMULATOR.base.call)[1] == end


def test_what_a_model_thinks_is_recorded_and_told_to_nobody() -> None:
    requests: list[dict[str, Any]] = []
    script = [message("<think>Rain?</think>", weather="{}"), message("<think>Dry.</think>Dry.")]

    def answer(request: dict[str, Any]) -> httpx.Response:
        requests.append(request)
        return httpx.Response(200, json=script.pop(0))

    user = Scripted(says("user", "The weather?"), (Completion(),))
    events, _ = play(user, seated(answer).join(SEAT), SIMULATOR.base.call)
    query, reply = events[1], events[3]
    assert isinstance(query, Query)
    assert isinstance(reply, Utterance)
    assert query.extra == {"thought": "Rain?"}
    assert (reply.text, reply.extra) == ("Dry.", {"thought": "Dry."})
    assert "Rain?" not in json.dumps(requests)


def test_calls_without_an_id_get_one() -> None:
    calls = [{"function": {"name": "weather", "arguments": {"City": CITY, "Day": "Sunday"}}}] * 2
    script = [{"choices": [{"message": {"tool_calls": calls}}]}, message("Dry.")]
    agents = seated(lambda request: httpx.Response(200, json=script.pop(0)))
    user = Scripted(says("user", "The weather?"), (Completion(),))
    events, _ = play(user, agents.join(SEAT), SIMULATOR.base.call)
    ids = [event.id for event in events if isinstance(event, Query)]
    assert len(set(ids)) == len(ids) == 2


def test_a_model_needs_an_address() -> None:
    with refuses(UsageError, "no-address"):
        ChatAgents("small")
