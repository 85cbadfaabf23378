"""Serves an open study's bot in the format of OpenAI's chat completions, for clients that use it.

    POST /v1/chat/completions   {"model": "weather", "messages": [{"role": "user", "content": "…"}]}
    GET  /v1/models             a model for each task

A request has the whole conversation, and a conversation is recognised by its texts. One that is not
known is said to the agent again from the beginning. Requests cannot bring tools: the agent makes
its calls itself.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dialoom.collect.message import Refused, cleaned
from dialoom.dialogue import USER, Utterance
from dialoom.errors import UnknownNameError
from dialoom.serve.chat.api import chats_of, handled
from dialoom.serve.chat.chats import Chats
from dialoom.serve.hub import now_ms
from dialoom.serve.responses import answer, body

REMEMBERED = 1000
"""The most conversations that are recognised; others are said to the agent again."""

LARGEST = 1 << 20
"""The most bytes of a request."""

MOST = 200
"""The most messages of a conversation."""


class TextPart(msgspec.Struct, frozen=True):
    """A part of a message; parts of other types than `text` are ignored."""

    type: str
    text: str = ""


class ChatMessage(msgspec.Struct, frozen=True):
    """A message of a conversation."""

    role: str
    content: str | list[TextPart] | None = None

    @property
    def text(self) -> str:
        """The text of the message; its text parts on separate lines."""
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.type == "text")
        return self.content or ""


class CompletionRequest(msgspec.Struct, frozen=True):
    """The used fields of the request's body."""

    messages: list[ChatMessage]
    model: str = ""
    stream: bool = False


class Conversations:
    """Finds the chat of a conversation by its texts."""

    def __init__(self, chats: Chats) -> None:
        self._chats = chats
        self._known: OrderedDict[str, str] = OrderedDict()

    async def reply(self, model: str, messages: Sequence[ChatMessage]) -> str:
        """Return the agent's reply to a user's last message; without a model, the server chooses.

        Raises:
            Refused: `malformed`: the last message is no user's; `unknown`: no such model.
        """
        if not messages or messages[-1].role != "user" or len(messages) > MOST:
            raise Refused("malformed", f"the last of at most {MOST} messages is the user's")
        if model and model not in self._chats.tasks:
            raise Refused("unknown", str(UnknownNameError("model", model, self._chats.tasks)))
        before = [each for each in messages[:-1] if each.role in ("user", "assistant")]
        chat_id = self._known.pop(_digest(model, [each.text for each in before]), None)
        if chat_id is None:
            chat = await self._chats.begin(model or None)
            for each in before:
                if each.role == "user":
                    await self._chats.say(chat, cleaned(each.text))
        else:
            chat = await self._chats.find(chat_id)
        done = await self._chats.say(chat, cleaned(messages[-1].text))
        replies = [e.text for e in done if isinstance(e, Utterance) and e.agent != USER]
        text = "\n".join(replies)
        texts = [*(each.text for each in before), messages[-1].text, text]
        self._known[_digest(model, texts)] = chat.id
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return text


def _digest(model: str, texts: Sequence[str]) -> str:
    return hashlib.sha256(msgspec.json.encode([model, *texts])).hexdigest()


async def _complete(request: Request) -> Response:
    query = await body(request, CompletionRequest, LARGEST)
    try:
        text = await request.app.state.conversations.reply(query.model, query.messages)
    except Refused as refused:  # clients of this format expect the reason in `error`
        error = {"message": refused.what, "code": refused.code}
        raise Refused(refused.code, refused.what, **refused.detail, error=error) from refused
    now = now_ms()
    head = {"id": f"chatcmpl-{now}", "created": now // 1000, "model": query.model}
    if query.stream:
        return _streamed(head, text)
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    used = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
    return answer({**head, "object": "chat.completion", "choices": [choice], "usage": used})


def _streamed(head: dict[str, Any], text: str) -> Response:
    message = {"role": "assistant", "content": text}
    deltas: tuple[tuple[dict[str, str], str | None], ...] = (message, None), ({}, "stop")
    chunks = [
        {
            **head,
            "object": "chat.completion.chunk",
            "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
        }
        for delta, reason in deltas
    ]
    lines = [b"data: " + msgspec.json.encode(chunk) + b"\n\n" for chunk in chunks]
    return Response(b"".join((*lines, b"data: [DONE]\n\n")), media_type="text/event-stream")


async def _models(request: Request) -> Response:
    names = chats_of(request).tasks
    models = [{"id": n, "object": "model", "created": 0, "owned_by": "dialoom"} for n in names]
    return answer({"object": "list", "data": models})


ROUTES = [
    Route("/v1/models", handled(_models)),
    Route("/v1/chat/completions", handled(_complete), methods=["POST"]),
]
"""The routes of chat completions."""
