"""Chat completions, whole and in pieces."""

from __future__ import annotations

import json

import pytest

from dialoom.http.completions import read_completion

PIECES = [
    {"choices": [{"delta": {"content": "Let me "}}]},
    {"choices": [{"delta": {"content": "see."}}]},
    {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "c1", "function": {}}]}}]},
    *(
        {"choices": [{"delta": {"tool_calls": [{"index": 0, "function": function}]}}]}
        for function in ({"name": "weather"}, {"arguments": '{"City": '}, {"arguments": "1}"})
    ),
    {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}},
]
WHOLE = {
    "choices": [
        {
            "message": {
                "content": "Let me see.",
                "tool_calls": [
                    {"id": "c1", "function": {"name": "weather", "arguments": '{"City": 1}'}}
                ],
            }
        }
    ],
    "usage": {"prompt_tokens": 7, "completion_tokens": 3},
}


def test_pieces_make_the_whole() -> None:
    body = "".join(f"data: {json.dumps(piece)}\n\n" for piece in PIECES) + "data: [DONE]\n\n"
    found = read_completion(body.encode())
    assert found is not None
    assert found == read_completion(json.dumps(WHOLE).encode())


@pytest.mark.parametrize("data", [b"<html>", b"{}", b'{"choices": 3}', b"\xff", b"data: {no\n\n"])
def test_what_is_no_chat_completion_is_none(data: bytes) -> None:
    assert read_completion(data) is None
