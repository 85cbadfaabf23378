"""The language model as a paraphraser: what is asked, what is made of answers and failures."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from dialoom.errors import UnknownNameError, UsageError
from dialoom.http.failure import NoAnswerError
from dialoom.sim.paraphrase import ParaphraseOptions, SourceLine
from tests.make import refuses

httpx = pytest.importorskip("httpx", reason="httpx is not installed: dialoom[llm]")

URL = "http://model.test/v1"

LINE = SourceLine("1", 0, "user", "A table at Juniper.", ((11, 18),), (("system", "Hello!"),))


class Server:
    """Answers requests from a list, and keeps them."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.requests = list(answers), list[Any]()
        self.waited: list[float] = []

    def __call__(self, request: Any) -> Any:
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, str):
            return httpx.Response(200, json={"choices": [{"message": {"content": answer}}]})
        return answer

    def ask(self, *lines: SourceLine, **options: Any) -> list[str]:
        from dialoom.http.chat import ChatClient
        from dialoom.sim.paraphrase.language_model import served

        settings = ParaphraseOptions(base_url=URL, model="small", **{"workers": 1, **options})
        paraphraser = served(settings)
        assert isinstance(paraphraser.model, ChatClient)
        web = paraphraser.model.web
        web.transport, web.wait = httpx.MockTransport(self), self.waited.append
        return paraphraser.paraphrase(lines)


def test_what_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEL_KEY", "secret")
    server = Server("At Juniper, a table.")
    assert server.ask(LINE, seed=5, key="MODEL_KEY") == ["At Juniper, a table."]
    (request,) = server.requests
    assert str(request.url) == f"{URL}/chat/completions"
    assert request.headers["Authorization"] == "Bearer secret"
    body = json.loads(request.content)
    assert (body["model"], body["temperature"], body["seed"]) == ("small", 0.7, 5)
    prompt = body["messages"][1]["content"]
    assert all(words in prompt for words in ("user", "Hello!", "Juniper", LINE.text))


def test_no_key_is_sent_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    server = Server("Juniper.")
    server.ask(LINE)
    assert "Authorization" not in server.requests[0].headers


@pytest.mark.parametrize("answer", [' "At Juniper." ', "“At\u00a0Juniper.”", "At  Juniper.\n"])
def test_what_models_put_around_it(answer: str) -> None:
    assert Server(answer).ask(LINE) == ["At Juniper."]


def test_several_at_a_time_keep_their_order() -> None:
    def echo(request: Any) -> Any:
        content = json.loads(request.content)["messages"][1]["content"].splitlines()[-1]
        return httpx.Response(200, json={"choices": [{"message": {"content": content}}]})

    server = Server("")
    answer: Callable[[Any], Any] = echo
    server.__class__ = type("Echo", (Server,), {"__call__": lambda self, request: answer(request)})
    lines = [SourceLine("1", n, "user", f"Number {n}") for n in range(20)]
    texts = server.ask(*lines, workers=4)
    assert [text[-len(line.text) :] for text, line in zip(texts, lines, strict=True)] == [
        line.text for line in lines
    ]


def test_what_passes_is_asked_again() -> None:
    busy = httpx.Response(429, headers={"Retry-After": "7"})
    server = Server(busy, httpx.Response(503), httpx.ConnectError("no route"), "Juniper.")
    assert server.ask(LINE) == ["Juniper."]
    assert server.waited == [7.0, 2.0, 8.0]


@pytest.mark.parametrize(
    ("answer", "words", "requests"),
    [
        (
            lambda: httpx.Response(401, text="no such key"),
            ("no-answer", "no such key", "401", "Unauthorized"),
            1,
        ),
        (
            lambda: httpx.Response(500, text="oops"),
            ("no-answer", "500", "oops"),
            4,
        ),
        (lambda: httpx.ConnectError("no route"), ("unreachable", "no route"), 1),
        (lambda: httpx.Response(200, text="<html>"), ("unreadable",), 1),
        (lambda: httpx.Response(200, json={"choices": []}), ("unreadable",), 1),
        (lambda: httpx.Response(200, json={"choices": 3}), ("unreadable",), 1),
        (lambda: httpx.Response(200, content=b"\xff"), ("unreadable",), 1),
    ],
)
def test_failures_are_one_line(
    answer: Callable[[], Any], words: tuple[str, ...], requests: int
) -> None:
    server = Server(answer())
    with refuses(NoAnswerError, *words):
        server.ask(LINE)
    assert len(server.requests) == requests


def test_no_words_are_an_empty_text() -> None:
    body = {"choices": [{"message": {"content": None}}]}
    assert Server(httpx.Response(200, json=body)).ask(LINE) == [""]


def test_an_answer_in_pieces_is_put_together() -> None:
    pieces = ({"choices": [{"delta": {"content": words}}]} for words in ("At ", "Juniper."))
    body = "".join(f"data: {json.dumps(piece)}\n\n" for piece in pieces)
    whole = f": wait\n\n{body}data: [DONE]\n\n"
    assert Server(httpx.Response(200, text=whole)).ask(LINE) == ["At Juniper."]
    with refuses(NoAnswerError, "no-answer", "breaks off"):
        Server(httpx.Response(200, text=body)).ask(LINE)


def test_a_cut_off_line_is_not_taken() -> None:
    lines = LINE, SourceLine("1", 1, "user", "Five people.")
    choice = {"message": {"content": "1. At Juniper.\n2. Fi"}, "finish_reason": "length"}
    body = {"choices": [choice]}
    assert Server(httpx.Response(200, json=body)).ask(*lines, whole=True) == ["At Juniper.", ""]
    choice["message"] = {"content": "At Juni"}
    assert Server(httpx.Response(200, json=body)).ask(LINE) == [""]


def test_options_that_cannot_be() -> None:
    from dialoom.sim.paraphrase.language_model import served

    for options in (
        ParaphraseOptions(),
        ParaphraseOptions(base_url=URL),
        ParaphraseOptions(model="small"),
    ):
        with refuses(UsageError, "not-given", "--base-url", "--model"):
            served(options)
    with refuses(UsageError, "no-address", "--base-url"):
        served(ParaphraseOptions(base_url="file:///etc", model="small"))
    with refuses(UsageError, "out-of-range", "0"):
        served(ParaphraseOptions(base_url=URL, model="small", workers=0))
    with refuses(UnknownNameError, "unknown-name", "language of paraphrases"):
        served(ParaphraseOptions(base_url=URL, model="small", language="tlh"))
