"""A language model over the wire format of OpenAI's chat completions, whole or in pieces.

    client = ChatClient("small@http://localhost:8000/v1", "--agent openai")
    reply = client.complete(messages, tools, meter)    # what the model says and calls

The key is that of OPENAI_API_KEY, where the server wants one.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import msgspec

from dialoom.errors import UsageError
from dialoom.play.wire.metering import Meter
from dialoom.play.wire.web import WebClient, decoded

KEY = "OPENAI_API_KEY"
"""The environment's variable that holds the key, where the server wants one."""

Message = dict[str, Any]


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

    choices: list[ChatChoice] = []
    usage: ChatUsage | None = None


class ChatDelta(msgspec.Struct):
    """A piece of an answer: of its text, or of the calls by their place."""

    content: str | None = None
    tool_calls: list[dict[str, Any]] | None = None


class ChatPiece(msgspec.Struct):
    """A piece of one of the answers."""

    delta: ChatDelta = msgspec.field(default_factory=ChatDelta)


class ChatChunk(msgspec.Struct):
    """One event of an answer that comes in pieces."""

    choices: list[ChatPiece] = []
    usage: ChatUsage | None = None


EVENT = b"data:"
"""What each event of an answer in pieces begins with, as some servers answer unasked."""


def streamed(data: bytes) -> ChatCompletion | None:
    """Return the answer that events in pieces make; None where one is not to be read."""
    text, usage = "", None
    calls: dict[int, ChatToolCall] = {}
    for line in data.split(b"\n"):
        event = line.strip().removeprefix(EVENT).strip()
        if not line.startswith(EVENT) or event == b"[DONE]":
            continue
        chunk: ChatChunk | None = decoded(event, ChatChunk)
        if chunk is None:
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


Complete = Callable[[list[Message], list[Message], Meter], ChatReply | None]
"""Returns the model's answer to messages, given the tools; None where there is none."""


class ChatClient:
    """Asks a model for chat completions.

    Args:
        settings: The model, an at sign and the address.
        option: The option that names it, for messages.
    """

    def __init__(self, settings: str, option: str) -> None:
        self._model, at, url = settings.partition("@")
        if not (self._model and at):
            what = "name model and address, such as openai:small@http://localhost:8000/v1"
            raise UsageError(f"{option}: {what}")
        self.web = WebClient(url, option)

    def complete(
        self, messages: list[Message], tools: list[Message], meter: Meter
    ) -> ChatReply | None:
        """Return the model's answer to messages, given the tools; None where there is none."""
        asked = {"model": self._model, "messages": messages, "temperature": 0}
        asked |= {"tools": tools} if tools else {}
        key = os.environ.get(KEY)
        headers = {"Authorization": f"Bearer {key}"} if key else None
        data = self.web.post("/chat/completions", asked, meter, headers)
        found: ChatCompletion | None = None
        if data is not None:
            found = streamed(data) if data.startswith(EVENT) else decoded(data, ChatCompletion)
        if found is None or not found.choices:
            return None
        if found.usage is not None:
            meter.tokens(found.usage.prompt_tokens, found.usage.completion_tokens)
        return found.choices[0].message
