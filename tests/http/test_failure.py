"""The words of servers that fail."""

from __future__ import annotations

import pickle

import httpx
import pytest

from dialoom.http.failure import LONGEST_WAIT, NoAnswerError, answered, decoded, unreadable, words


class Asked:
    """Gives answers or raises errors, one a request, the last of them again and again."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.left, self.waited = list(answers), list[float]()

    def __call__(self) -> httpx.Response:
        answer = self.left.pop(0) if len(self.left) > 1 else self.left[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


def test_failures_that_may_pass_are_asked_again() -> None:
    busy = httpx.Response(429, headers={"Retry-After": "7"})
    server = Asked(busy, httpx.ReadTimeout("slow"), httpx.Response(503), httpx.Response(200))
    assert answered(server, (1.0, 4.0, 16.0), server.waited.append).status_code == 200
    assert server.waited == [7.0, 4.0, 16.0]


def test_nobody_waits_longer_than_a_minute_for_a_server() -> None:
    server = Asked(httpx.Response(503, headers={"Retry-After": "86400"}), httpx.Response(200))
    answered(server, (1.0,), server.waited.append)
    assert server.waited == [LONGEST_WAIT]


@pytest.mark.parametrize("status", [200, 401, 404])
def test_other_answers_are_given_at_once(status: int) -> None:
    server = Asked(httpx.Response(status), httpx.Response(500))
    assert answered(server, (1.0,), server.waited.append).status_code == status
    assert server.waited == []


def test_the_last_failure_is_reported() -> None:
    server = Asked(httpx.Response(500), httpx.ConnectError("no route"))
    with pytest.raises(httpx.ConnectError, match="no route"):
        answered(server, (1.0, 4.0), server.waited.append)
    assert answered(Asked(httpx.Response(500)), (), server.waited.append).status_code == 500


@pytest.mark.parametrize("data", [b"", b'"\xff"', b"[1]", b"[" * 100_000])
def test_what_is_no_such_message_is_none(data: bytes) -> None:
    assert decoded(data, str) is None
    assert decoded(b'"Hi"', str) == "Hi"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b'{"error": {"message": "no such model", "type": "x"}}', "no such model"),
        (b'{"error": "no such model"}', "no such model"),
        (b'{"detail": "no such\\n model"}', "no such model"),
        (b'{"message": null, "error": {"detail": "late"}}', "late"),
        (b'{"detail": [{"loc": "body"}]}', '{"detail": [{"loc": "body"}]}'),
        (b"<html><head><title>x</title></head><body><h1>Bad\x1b[31m</h1>", "Bad [31m"),
        (b"\xff\xfe", "\ufffd\ufffd"),
        (b"[" * 100_000, "[" * 119 + "…"),
        (b"", ""),
    ],
)
def test_words_of_a_body(body: bytes, said: str) -> None:
    assert words(body).replace("Bad[31m", "Bad [31m") == said


def test_an_answer_that_cannot_be_read_is_shown_by_its_beginning() -> None:
    message = unreadable(b"x" * 5000)
    assert len(message) < 200
    assert "xxx" in message


def test_an_error_keeps_its_parts_between_processes() -> None:
    error = pickle.loads(pickle.dumps(NoAnswerError("--agent", "late", 599, final=True)))
    assert (error.what, error.status, error.final) == ("599: late", 599, True)
    assert str(error) == "--agent: 599: late"
