"""A served bot over its API: a chat from its beginning to its rating, restarts, refusals."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from dialoom import formats
from dialoom.collect.export import export
from dialoom.collect.kinds.rated_chat import FAILURE
from dialoom.collect.log.store import Store
from dialoom.dialogue import USER, Answer, Utterance
from dialoom.play.judging.verdict import NO_RESULT
from dialoom.play.results.summary import Played, played
from dialoom.serve.chat.settings import ChatSettings
from dialoom.serve.limits import Rate
from tests import postgres
from tests.serve.chat.served import asked, begin, say, served_chats, talk_to_the_end

SEED = 7
SETTINGS = ChatSettings(tasks=("hotel_book", "weather"), seed=SEED)


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with served_chats(":memory:", SETTINGS) as client:
        yield client


def test_a_chat_is_judged_by_the_database_and_by_the_person(tmp_path: Path) -> None:
    with served_chats(tmp_path / "chats.sqlite", SETTINGS) as client:
        chat = begin(client, "hotel_book")
        assert "Book a room" in chat["about"]
        assert "What you know" in chat["goal"]
        assert talk_to_the_end(client, chat, SEED) > 2
        at = f"/api/chats/{chat['chat']}"
        assert asked(client, f"{at}/events/1", {"good": False}, 204) is None
        judged = asked(client, f"{at}/end", {"rating": 4, "reached": True, "comment": " Well. "})
        assert (judged["reached"], judged["unreported"]) == (True, [])
        assert judged["changes"] == judged["wanted"]
        assert judged["changes"][0].startswith("bookings, added: ")
        record = client.get(at).json()
        assert record["judged"] == judged
        assert record["rated"] == {"rating": 4, "reached": True, "comment": "Well."}
        assert record["events"][1]["good"] is False
        assert asked(client, f"{at}/say", {"text": "Hello?"}, 409)["code"] == "over"
        assert asked(client, f"{at}/end", {"rating": 2}, 409)["code"] == "over"
        other = begin(client, "weather")["chat"]  # in which nothing is said
        assert other != chat["chat"]
        with Store.open(tmp_path / "chats.sqlite", readonly=True) as store:
            exported = export(store, "native", tmp_path / "out")
    assert (exported.dialogues, exported.running) == (1, 1)
    means = {
        (row["system"], row["criterion"]): row["mean"]
        for row in exported.grades.figures()["systems"]
    }
    assert means["flow", "rating"] == 4
    assert exported.agreement == {(True, True): 1}
    (dialogue,) = formats.load(tmp_path / "out", None).dialogues()
    assert (dialogue.outcome, dialogue.provenance) == ("reached", "collected")
    assert Answer(USER, "reached", True) in dialogue.answers
    utterance = dialogue.events[1]
    assert isinstance(utterance, Utterance) and utterance.extra == {"good": False}
    verdict = played(dialogue)
    assert isinstance(verdict, Played) and verdict.passed


def test_a_chat_goes_on_after_a_restart(tmp_path: Path) -> None:
    with served_chats(tmp_path / "chats.sqlite", SETTINGS) as client:
        chat = begin(client, "weather")["chat"]
        first = say(client, chat, "What is the weather like on Sunday?", id="m1")
    with served_chats(tmp_path / "chats.sqlite", SETTINGS) as client:
        assert client.get(f"/api/chats/{chat}").json()["events"] == first
        assert say(client, chat, "What is the weather like on Sunday?", id="m1") == first
        assert [each["task"] for each in client.get("/api/tasks").json()] == [*SETTINGS.tasks]
        then = say(client, chat, "In Velmora.")
        assert {"from": "call", "text": "weather"}.items() <= then[1].items()
        assert then[0]["event"] == len(first)
        assert client.get("/healthz").json()["units"] == 1


def test_people_get_different_goals(client: httpx.Client) -> None:
    goals = {begin(client)["goal"] for _ in range(6)}
    assert len(goals) == 6


def test_without_a_goal_nothing_is_judged() -> None:
    settings = ChatSettings(tasks=("weather",), goal="hidden")
    with served_chats(":memory:", settings) as client:
        chat = begin(client)
        assert chat["goal"] is None
        say(client, chat["chat"], "Will it rain in Velmora on Monday?")
        judged = asked(client, f"/api/chats/{chat['chat']}/end", {"rating": 2})
        assert judged == {"reached": None, "unreported": [], "changes": [], "wanted": []}


def test_chats_do_not_see_each_other() -> None:
    """Chats at the same time over one database are each over the database as it was at first."""
    with served_chats(":memory:", SETTINGS) as client, ThreadPoolExecutor(4) as pool:
        chats = [begin(client, "hotel_book") for _ in range(4)]  # the goals of a new server

        def changes(chat: dict[str, Any]) -> list[str]:
            talk_to_the_end(client, chat, SEED)
            verdict = asked(client, f"/api/chats/{chat['chat']}/end", {})
            assert verdict["reached"] and verdict["changes"] == verdict["wanted"]
            return list(verdict["changes"])

        assert [len(each) for each in pool.map(changes, chats)] == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("/api/chats", {"task": "nosuch"}, 404, "unknown"),
        ("/api/chats", {"tsk": "weather"}, 400, "malformed"),
        ("/api/chats/nosuch/say", {"text": "Hi"}, 404, "unknown"),
        ("/api/chats/{chat}/say", {"text": " \u200b "}, 400, "malformed"),
        ("/api/chats/{chat}/say", {"text": "a" * 3000}, 400, "too_long"),
        ("/api/chats/{chat}/say", {"text": "a" * 70_000}, 413, "too_large"),
        ("/api/chats/{chat}/events/0", {"good": True}, 404, "unknown"),
        ("/api/chats/{chat}/events/99", {"good": True}, 404, "unknown"),
        ("/api/chats/{chat}/end", {"rating": 6}, 400, "malformed"),
    ],
)
def test_what_is_refused(
    client: httpx.Client, path: str, body: object, status: int, code: str
) -> None:
    chat = begin(client, "weather")["chat"]
    assert asked(client, path.replace("{chat}", chat), body, status)["code"] == code


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/nope", 404, "unknown"),
        ("GET", "/api/chats", 405, "wrong_method"),
        ("PUT", "/api/chats", 405, "wrong_method"),
        ("POST", "/api/chats/1-x/events/-1", 404, "unknown"),
        ("GET", "/v1/nope", 404, "unknown"),
        ("GET", "/v1/chat/completions", 405, "wrong_method"),
    ],
)
def test_unknown_addresses_and_methods_are_refused_as_json(
    client: httpx.Client, method: str, path: str, status: int, code: str
) -> None:
    response = client.request(method, path)
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert path in response.json()["what"]
    assert ("allow" in response.headers) == (status == 405)
    assert ("error" in response.json()) == path.startswith("/v1/")


def test_half_of_a_surrogate_pair_is_named(client: httpx.Client) -> None:
    for text, named in ((r"\ud83d", True), (r"\ude00 x", True), (r"\ud83d\ude00", False)):
        response = client.post("/api/chats", content=f'{{"task": "{text}"}}')
        assert ("half of a surrogate pair" in response.json()["what"]) == named


def test_other_sites_and_those_in_a_hurry() -> None:
    settings = ChatSettings(tasks=("weather",))
    with served_chats(":memory:", settings, Rate(0.01, 3.0)) as client:
        other = client.post("/api/chats", json={}, headers={"Origin": "https://example.org"})
        assert other.json()["code"] == "cross_origin"
        statuses = [client.post("/api/chats", json={}).status_code for _ in range(4)]
        assert statuses == [201, 201, 201, 429]
        assert client.get("/healthz").status_code == 200


def test_an_agent_that_does_not_listen() -> None:
    settings = ChatSettings(tasks=("weather",), agent="http:http://127.0.0.1:9/")
    with served_chats(":memory:", settings) as client:
        chat = begin(client)["chat"]
        assert asked(client, f"/api/chats/{chat}/say", {"text": "Hi"}, 502)["code"] == "failed"
        [event] = client.get(f"/api/chats/{chat}").json()["events"]
        assert (event["from"], event["text"]) == ("you", "Hi")


def test_the_record_says_how_the_program_of_an_agent_ended(tmp_path: Path) -> None:
    settings = ChatSettings(tasks=("weather",), agent=f"command:{sys.executable} -c exit(7)")
    with served_chats(tmp_path / "chats.sqlite", settings) as client:
        chat = begin(client)["chat"]
        assert asked(client, f"/api/chats/{chat}/say", {"text": "Hi"}, 502)["code"] == "failed"
        with Store.open(tmp_path / "chats.sqlite", readonly=True) as store:
            export(store, "native", tmp_path / "out")
    (dialogue,) = formats.load(tmp_path / "out", None).dialogues()
    assert dialogue.extra[FAILURE] == "ended with exit code 7"


def test_a_bot_of_ones_own_on_a_page(bot_url: str) -> None:
    settings = ChatSettings(tasks=("weather",), agent=f"http:{bot_url}", seed=SEED)
    with served_chats(":memory:", settings) as client:
        chat = [begin(client) for _ in range(2)][1]  # a goal that this bot can serve
        talk_to_the_end(client, chat, SEED)
        judged = asked(client, f"/api/chats/{chat['chat']}/end", {"rating": 5, "reached": True})
        assert (judged["reached"], judged["unreported"]) == (True, [])


def test_the_same_on_postgresql() -> None:
    for server in postgres.serve():
        with served_chats(server.create(), SETTINGS) as client:
            chat = begin(client, "weather")["chat"]
            say(client, chat, "What is the weather like in Velmora on Monday?")
            asked(client, f"/api/chats/{chat}/end", {"rating": 3, "reached": False})
            assert client.get("/healthz").json()["units"] == 1


def test_a_chat_that_was_let_go_is_read_from_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dialoom.collect.study.state.KEPT", 0)
    with served_chats(":memory:", SETTINGS) as client:
        chat = begin(client, "weather")["chat"]
        events = say(client, chat, "The weather on Sunday, please.")
        judged = asked(client, f"/api/chats/{chat}/end", {"rating": 3})
        record = client.get(f"/api/chats/{chat}").json()
        assert (record["events"], record["judged"]) == (events, judged)
        assert record["rated"] == {"rating": 3, "reached": None, "comment": None}


def test_an_unfinished_chat_is_exported(tmp_path: Path) -> None:
    with served_chats(tmp_path / "chats.sqlite", SETTINGS) as client:
        say(client, begin(client, "weather")["chat"], "The weather on Sunday, please.")
        with Store.open(tmp_path / "chats.sqlite", readonly=True) as store:
            exported = export(store, "native", tmp_path / "out")
    assert (exported.dialogues, exported.running) == (1, 1)


@pytest.mark.parametrize("agent", ["silent", "command:cat"])
def test_an_agent_that_fails_ends_the_chat_without_a_result(agent: str, tmp_path: Path) -> None:
    settings = ChatSettings(tasks=("weather",), agent=agent, seed=SEED)
    with served_chats(tmp_path / "chats.sqlite", settings) as client:
        chat = begin(client)["chat"]
        at = f"/api/chats/{chat}"
        for id in ("m1", "m1", "m2"):
            message = {"text": "Will it rain?", "id": id}
            assert asked(client, f"{at}/say", message, 502)["code"] == "failed"
        judged = asked(client, f"{at}/end", {"rating": 1, "reached": False})
        assert judged["reached"] is None
        with Store.open(tmp_path / "chats.sqlite", readonly=True) as store:
            exported = export(store, "native", tmp_path / "out")
    assert (exported.dialogues, exported.failed, exported.running) == (1, {agent: 1}, 0)
    assert (exported.grades.tables(), exported.agreement) == ([], {})
    (dialogue,) = formats.load(tmp_path / "out", None).dialogues()
    assert (dialogue.outcome, dialogue.answers) == (NO_RESULT, ())
