"""Chat completions, whole and in pieces."""

from __future__ import annotations

import json
from typing import Any

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


def streamed(*pieces: Any, end: str = "data: [DONE]\n\n") -> bytes:
    return ("".join(f"data: {json.dumps(each)}\n\n" for each in pieces) + end).encode()


@pytest.mark.parametrize("before", [b"", b": processing\n\n", b"event: message\r\n"])
def test_pieces_make_the_whole(before: bytes) -> None:
    completion = read_completion(before + streamed(*PIECES))
    assert completion is not None
    assert completion == read_completion(json.dumps(WHOLE).encode())


@pytest.mark.parametrize(
    ("last", "failure"),
    [
        ({}, "breaks off"),
        ({"finish_reason": "stop"}, ""),
        ({"finish_reason": "error"}, "breaks off"),
        ({"error": {"message": "no provider"}}, "no provider"),
    ],
)
def test_an_answer_in_pieces_without_its_end_has_failed(last: Any, failure: str) -> None:
    piece = {"choices": [{"delta": {"content": "Let me"}, **last}]}
    completion = read_completion(streamed(piece, end=""))
    assert completion is not None
    assert failure in completion.choices[0].failure
    assert bool(completion.choices[0].failure) == bool(failure)


def test_an_end_alone_is_no_answer() -> None:
    completion = read_completion(streamed())
    assert completion is not None
    assert not completion.choices


def test_what_is_optional_may_be_null() -> None:
    tokens = [
        {"token": "A", "logprob": -0.5, "top_logprobs": None},
        {"token": "B", "logprob": None, "top_logprobs": []},
    ]
    choice = {"message": {"content": "A"}, "logprobs": {"content": tokens}, "error": None}
    usage = {"prompt_tokens": None, "completion_tokens": None}
    completion = read_completion(json.dumps({"choices": [choice], "usage": usage}).encode())
    assert completion is not None
    assert completion.choices[0].logprobs is not None
    assert [each.token for each in completion.choices[0].logprobs.content or ()] == ["A"]


@pytest.mark.parametrize("data", [b"<html>", b"{}", b'{"choices": 3}', b"\xff", b"data: {no\n\n"])
def test_what_is_no_chat_completion_is_none(data: bytes) -> None:
    assert read_completion(data) is None


@pytest.mark.parametrize(
    ("message", "said", "thought"),
    [
        ({"content": "<think>\nHm.\n</think>\n\nYes."}, "Yes.", "Hm."),
        ({"content": "Hm.</think>Yes."}, "Yes.", "Hm."),
        ({"content": "<think>Hm"}, "", "Hm"),
        ({"content": "Yes.", "reasoning_content": "Hm."}, "Yes.", "Hm."),
        ({"content": "Yes.", "reasoning": "Hm."}, "Yes.", "Hm."),
        ({"content": "Yes.<|im_end|>\n</s>"}, "Yes.", ""),
        ({"content": "I think so.<|eot_id|>"}, "I think so.", ""),
        ({"content": [{"type": "text", "text": "Ye"}, {"type": "text", "text": "s."}]}, "Yes.", ""),
        ({"content": None}, "", ""),
        ({"content": "a < b </s> c"}, "a < b </s> c", ""),
        ({"content": None, "refusal": "I may not."}, "I may not.", ""),
        ({"content": [{"type": "refusal", "refusal": "I may not."}]}, "I may not.", ""),
    ],
)
def test_thoughts_and_marks_are_not_said(message: object, said: str, thought: str) -> None:
    completion = read_completion(json.dumps({"choices": [{"message": message}]}).encode())
    assert completion is not None
    reply = completion.choices[0].message
    assert (reply.said, reply.thought) == (said, thought)
    assert completion.choices[0].failure == ""


@pytest.mark.parametrize(
    ("choice", "failure"),
    [
        ({"message": {}}, "neither content nor tool_calls"),
        ({"message": {"tool_calls": [], "text": "Yes."}}, "neither content nor tool_calls"),
        ({"message": {"content": None, "function_call": {"name": "a"}}}, "a function_call"),
        ({"message": {"content": "Ye"}, "finish_reason": "content_filter"}, "content_filter"),
        ({"message": {}, "error": {"message": "no provider"}}, "no provider"),
    ],
)
def test_an_answer_without_content_has_failed(choice: object, failure: str) -> None:
    completion = read_completion(json.dumps({"choices": [choice]}).encode())
    assert completion is not None
    assert failure in completion.choices[0].failure


@pytest.mark.parametrize(
    ("delta", "said", "failure"),
    [({"refusal": "I may not."}, "I may not.", ""), ({"function_call": {"name": "a"}}, "", "fun")],
)
def test_refusals_and_old_calls_in_pieces(delta: object, said: str, failure: str) -> None:
    completion = read_completion(streamed({"choices": [{"delta": delta}]}))
    assert completion is not None
    choice = completion.choices[0]
    assert choice.message.said == said
    assert failure in choice.failure and bool(failure) == bool(choice.failure)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [("", {}), (None, {}), ({"City": 1}, {"City": 1}), ('{"City": 1}', {"City": 1}), ("[]", None)],
)
def test_arguments_come_in_several_forms(arguments: object, told: object) -> None:
    call = {"function": {"name": "weather", "arguments": arguments}}
    data = json.dumps({"choices": [{"message": {"tool_calls": [call]}}]}).encode()
    completion = read_completion(data)
    assert completion is not None
    (tool_call,) = completion.choices[0].message.tool_calls or []
    assert (tool_call.id, tool_call.function.values) == ("", told)


def test_parallel_calls_in_pieces_need_no_index() -> None:
    functions = ({"name": "a", "arguments": "{"}, {"arguments": "}"}, {"name": "b"})
    parts = [{"function": each} for each in functions]
    parts[0]["id"], parts[2]["id"] = "c1", "c2"  # type: ignore[assignment]
    pieces = [{"choices": [{"delta": {"tool_calls": [part]}}]} for part in parts]
    completion = read_completion(streamed(*pieces))
    assert completion is not None
    calls = completion.choices[0].message.tool_calls or ()
    assert [(c.id, c.function.name, c.function.values) for c in calls] == [
        ("c1", "a", {}),
        ("c2", "b", {}),
    ]
