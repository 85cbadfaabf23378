"""Agents outside of this process: a command, a web hook and Rasa's channel, all scripted."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from dialoom.dialogue import USER, Event, Query, Result, Utterance
from dialoom.errors import UsageError
from dialoom.flow.program import compile_task
from dialoom.http.failure import NoAnswerError
from dialoom.http.metering import Budget, Meter, WireLimits
from dialoom.kb import KnowledgeBase
from dialoom.play.agents.base import AgentSeat
from dialoom.play.agents.remote import CommandAgents, RasaAgents, WebHookAgents
from dialoom.play.running.trial import play
from dialoom.schema import pack
from tests.make import refuses
from tests.play.scripted import Scripted

SEAT = AgentSeat(programs=(compile_task(pack.load("weather")),), seed=b"seed")

BOT = """
import json, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    (event,) = asked["events"]
    if event.get("user") == "break":
        print("not json", flush=True)
    elif event.get("user") == "echo":
        print(line, end="", flush=True)
    elif event.get("user") == "hang":
        time.sleep(60)
    elif event.get("user") == "leave":
        sys.exit(3)
    elif "user" in event:
        call = {"name": "weather", "arguments": {"City": "Velmora", "Day": "Sunday"}}
        print(json.dumps({"say": "Let me see.", "call": call}), flush=True)
    else:
        told = event["result"][0]["Weather"] + " " + str("tools" in asked)
        print(json.dumps({"say": told}), flush=True)
"""


def said(text: str) -> Utterance:
    return Utterance(agent=USER, text=text)


@pytest.fixture
def bot(tmp_path: Path) -> str:
    file = tmp_path / "bot.py"
    file.write_text(BOT)
    return f"{sys.executable} {file}"


def test_a_command_calls_and_says(bot: str) -> None:
    agents = CommandAgents(bot)
    agents.ready(())
    agent = agents.join(SEAT)
    events: list[Event] = [said("Will it rain?")]
    text, query = agent.reply(events)
    assert isinstance(text, Utterance) and isinstance(query, Query)
    assert (text.text, query.api) == ("Let me see.", "weather")
    assert [(c.slot, c.value) for c in query.constraints] == [
        ("City", "Velmora"),
        ("Day", "Sunday"),
    ]
    events += [text, query, Result(query=query.id, items=({"Weather": "sunny"},))]
    (utterance,) = agent.reply(events)
    assert isinstance(utterance, Utterance)
    assert utterance.text == "sunny False"
    agents.close()


@pytest.mark.parametrize(
    ("how", "what"),
    [
        ("break", "cannot be read: 'not json'"),
        ("echo", "cannot be read: "),
        ("hang", "no answer within 2 s"),
        ("leave", "ended with exit code 3"),
    ],
)
def test_a_command_that_fails_gives_no_answer(bot: str, how: str, what: str) -> None:
    agents = CommandAgents(bot)
    impatient = replace(SEAT, meter=Meter(Budget(WireLimits(timeout=2.0))))
    with pytest.raises(NoAnswerError) as failed:
        agents.join(impatient).reply([said(how)])
    assert failed.value.what.startswith(what)
    assert (failed.value.status, failed.value.final) == (None, False)
    assert len(agents.join(SEAT).reply([said("Will it rain?")])) == 2
    agents.close()


@pytest.mark.parametrize(
    ("more", "key"),
    [
        ({"calls": []}, "calls"),
        ({"text": "Hi"}, "text"),
        ({"call": {"name": "weather", "args": {"City": "Velmora"}}}, "args"),
    ],
)
def test_an_unknown_key_is_named_and_not_dropped(more: dict[str, object], key: str) -> None:
    answer = {"say": "Hi.", **more}
    agents = hooked(WebHookAgents, lambda _: httpx.Response(200, json=answer))
    with refuses(NoAnswerError, "unreadable", f"unknown field `{key}`"):
        agents.join(SEAT).reply([said("Hi")])


def test_an_answer_may_have_its_number_and_more_under_extra() -> None:
    answer = {"say": "Hi.", "dialogue": "5f", "turn": 0, "extra": {"took": 3}}
    agents = hooked(WebHookAgents, lambda _: httpx.Response(200, json=answer))
    assert len(agents.join(SEAT).reply([said("Hi")])) == 1


def test_a_command_that_is_not_there() -> None:
    with refuses(UsageError, "no-program", "nosuchcommand"):
        CommandAgents("nosuchcommand --fast").ready(())
    with refuses(UsageError, "not-given"):
        CommandAgents("")
    with refuses(UsageError, "no-address"):
        WebHookAgents("localhost")


def test_a_command_that_cannot_be_started(tmp_path: Path) -> None:
    with refuses(UsageError, "cannot-work", '--agent command:"x'):
        CommandAgents('"x')
    script = tmp_path / "script"
    script.write_text("echo hello\n")
    script.chmod(0o700)
    agents = CommandAgents(str(script))
    agents.ready(())
    with refuses(NoAnswerError, "no-program", str(script)) as failed:
        agents.join(SEAT).reply([said("Hi")])
    assert failed.value.final


def test_a_command_that_reads_nothing_is_too_late() -> None:
    agents = CommandAgents(f"{sys.executable} -c 'import time; time.sleep(60)'")
    impatient = replace(SEAT, meter=Meter(Budget(WireLimits(timeout=0.5))))
    with refuses(NoAnswerError, "too-late", "0.5 s"):
        agents.join(impatient).reply([said("Hi" * 100_000)])  # more than a pipe holds
    agents.close()


def hooked(
    kind: type[WebHookAgents], answer: Callable[[httpx.Request], httpx.Response]
) -> WebHookAgents:
    agents = kind("http://bot.test/turn" if kind is WebHookAgents else "http://bot.test")
    agents._client.transport = httpx.MockTransport(answer)
    agents._client.waits = (0.0, 0.0)
    return agents


def test_a_web_hook_is_asked_again_after_what_passes() -> None:
    statuses = [429, 500, 200]

    def answer(request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        assert body["task"] == "weather"
        assert body["tools"][0]["function"]["name"] == "weather"
        return httpx.Response(statuses.pop(0), json={"say": ["Hello.", "Which day?"]})

    agent = hooked(WebHookAgents, answer).join(SEAT)
    texts = [e.text for e in agent.reply([said("Hi")]) if isinstance(e, Utterance)]
    assert texts == ["Hello.", "Which day?"]


def test_a_web_hook_that_hangs_gives_no_answer() -> None:
    def hang(request: httpx.Request) -> httpx.Response:
        raise httpx.ReadTimeout("late", request=request)

    meter = Meter()
    agent = hooked(WebHookAgents, hang).join(replace(SEAT, meter=meter))
    with refuses(NoAnswerError, "too-late", "30"):
        agent.reply([said("Hi")])
    assert meter.spent.calls == 3


@pytest.mark.parametrize("kind", [WebHookAgents, RasaAgents])
@pytest.mark.parametrize("status", [400, 401, 403, 404, 418, 429, 500, 503, 599])
def test_the_words_of_a_server_that_fails(kind: type[WebHookAgents], status: int) -> None:
    answer = httpx.Response(status, json={"detail": "no such turn"})
    with refuses(NoAnswerError, "no-answer", "no such turn", "http://bot.test") as failed:
        hooked(kind, lambda request: answer).join(SEAT).reply([said("Hi")])
    assert failed.value.what.startswith(str(status))
    assert (failed.value.status, failed.value.final) == (status, status in (401, 403, 404))


@pytest.mark.parametrize("kind", [WebHookAgents, RasaAgents])
@pytest.mark.parametrize(
    "body", ["not json", "", "{}", '{"events": []}', '{"text": "Hi."}', '{"say": ', "7"]
)
def test_an_answer_that_cannot_be_read(kind: type[WebHookAgents], body: str) -> None:
    agent = hooked(kind, lambda request: httpx.Response(200, text=body)).join(SEAT)
    with refuses(NoAnswerError, "unreadable"):
        agent.reply([said("Hi")])


def test_an_agent_may_say_nothing() -> None:
    agent = hooked(WebHookAgents, lambda request: httpx.Response(200, json={"say": ""})).join(SEAT)
    assert agent.reply([said("Hi")]) == ()


def test_nobody_listens() -> None:
    def refuse(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused", request=request)

    with refuses(NoAnswerError, "unreachable") as failed:
        hooked(WebHookAgents, refuse).join(SEAT).reply([said("Hi")])
    assert failed.value.final


def test_rasa_talks() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        assert request.url.path == "/webhooks/rest/webhook"
        body = json.loads(request.content)
        assert body["message"] == "Hi"
        return httpx.Response(200, json=[{"recipient_id": body["sender"], "text": "Hello."}])

    (utterance,) = hooked(RasaAgents, answer).join(SEAT).reply([said("Hi")])
    assert isinstance(utterance, Utterance)
    assert utterance.text == "Hello."


def test_buttons_of_rasa_are_said_and_images_are_not() -> None:
    buttons = [{"title": "Yes", "payload": "/y"}, {"title": "No", "payload": "/n"}]
    answer = [{"text": "Book it?", "buttons": buttons}, {"image": "http://x.test/a.png"}]
    agents = hooked(RasaAgents, lambda _: httpx.Response(200, json=answer))
    (utterance,) = agents.join(SEAT).reply([said("Hi")])
    assert isinstance(utterance, Utterance)
    assert utterance.text == "Book it? (Yes / No)"


def test_an_agent_of_rasa_that_shows_only_images_is_silent() -> None:
    answer = [{"image": "http://x.test/a.png"}, {"attachment": {"type": "video"}}]
    agent = hooked(RasaAgents, lambda _: httpx.Response(200, json=answer)).join(SEAT)
    user = Scripted(*[(said("Hi"),)] * 5)
    assert play(user, agent, KnowledgeBase().call)[1] == "silence"


@pytest.mark.parametrize(
    ("part", "why"), [({"message": "Which day?"}, "none of text"), ({"custom": {"a": 1}}, "custom")]
)
def test_an_answer_of_rasa_without_text_is_no_silence(part: dict[str, Any], why: str) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        sender = json.loads(request.content)["sender"]
        return httpx.Response(200, json=[{"recipient_id": sender, **part}])

    failures = set[str]()
    for _ in range(2):
        with refuses(NoAnswerError, "unreadable", why) as failed:
            hooked(RasaAgents, answer).join(SEAT).reply([said("Hi")])
        failures.add(failed.value.what)
    assert len(failures) == 1


def test_custom_payloads_next_to_texts_are_ignored() -> None:
    answer = [{"text": "Hello."}, {"custom": {"chart": [1, 2]}}]
    agents = hooked(RasaAgents, lambda _: httpx.Response(200, json=answer))
    (utterance,) = agents.join(SEAT).reply([said("Hi")])
    assert isinstance(utterance, Utterance)
    assert utterance.text == "Hello."


def test_ids_of_dialogues_are_new_in_each_run_and_turns_are_numbered() -> None:
    turns: list[tuple[str, int]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        turns.append((body["dialogue"], body["turn"]))
        return httpx.Response(200, json={"say": "Hello."})

    for _ in range(2):
        agent = hooked(WebHookAgents, answer).join(SEAT)
        agent.reply([said("Hi")])
        agent.reply([said("Hi"), said("Hi")])
    assert [turn for _, turn in turns] == [0, 1, 0, 1]
    assert len({name for name, _ in turns}) == 2
