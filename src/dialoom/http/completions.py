"""Answers of language models in the wire format of OpenAI's chat completions.

{"choices": [{"message": {"content": "Hello."}}], "usage": {"prompt_tokens": 9, …}}

data: {"choices": [{"delta": {"content": "Hel"}}]}      some servers answer in pieces unasked
data: {"choices": [{"delta": {"content": "lo."}}]}
data: [DONE]
"""

from __future__ import annotations

from typing import Any

import msgspec

from dialoom.http.answers import decoded


class ChatFunction(msgspec.Struct):
    """The function that a tool call names, its arguments as JSON in a text."""

    name: str
    arguments: str = "{}"


class ChatToolCall(msgspec.Struct):
    """A call of a tool."""

    id: str
    function: ChatFunction


class ChatReply(msgspec.Struct):
    """What the model says and calls."""

    content: str | None = None
    tool_calls: list[ChatToolCall] | None = None


class ChatChoice(msgspec.Struct):
    """One of the answers."""

    message: ChatReply


class ChatUsage(msgspec.Struct):
    """The tokens of a request and its answer."""

    prompt_tokens: int = 0
    completion_tokens: int = 0


class ChatCompletion(msgspec.Struct):
    """What the server answers."""

    choices: list[ChatChoice]
    usage: ChatUsage | None = None


class ChatDelta(msgspec.Struct):
    """A piece of an answer: of its text, or of the calls by their place."""

    content: str | None = None
    tool_calls: list[dict[str, Any]] | None = None


class ChatPiece(msgspec.Struct):
    """A piece of one of the answers."""

    delta: ChatDelta = msgspec.field(default_factory=ChatDelta)


class ChatChunk(msgspec.Struct):
    """One event of an answer that comes in pieces; some servers report an error in one."""

    choices: list[ChatPiece] = []
    usage: ChatUsage | None = None
    error: Any = None


EVENT = b"data:"
"""What each event of an answer in pieces begins with."""


def read_completion(data: bytes) -> ChatCompletion | None:
    """Return what a server answered, whole or in pieces; None where it is no chat completion."""
    if data.startswith(EVENT):
        return _streamed(data)
    found: ChatCompletion | None = decoded(data, ChatCompletion)
    return found


def _streamed(data: bytes) -> ChatCompletion | None:
    """Return the answer that events in pieces make; None where one is not to be read."""
    text, usage = "", None
    calls: dict[int, ChatToolCall] = {}
    for line in data.split(b"\n"):
        event = line.strip().removeprefix(EVENT).strip()
        if not line.startswith(EVENT) or event == b"[DONE]":
            continue
        chunk: ChatChunk | None = decoded(event, ChatChunk)
        if chunk is None or chunk.error is not None:
            return None
        usage = chunk.usage or usage
        for piece in chunk.choices[:1]:
            text += piece.delta.content or ""
            for part in piece.delta.tool_calls or ():
                _add(calls, part)
    reply = ChatReply(text or None, list(calls.values()) or None)
    return ChatCompletion([ChatChoice(reply)], usage)


def _add(calls: dict[int, ChatToolCall], part: dict[str, Any]) -> None:
    """Add a piece of a call to what came of it before."""
    call = calls.setdefault(part.get("index", 0), ChatToolCall("", ChatFunction("", "")))
    function = part.get("function") or {}
    call.id += part.get("id") or ""
    call.function.name += function.get("name") or ""
    call.function.arguments += function.get("arguments") or ""
