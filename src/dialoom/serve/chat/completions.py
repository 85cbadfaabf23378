"""Serves an open study's bot in the format of OpenAI's chat completions, for clients that use it.

    POST /v1/chat/completions   {"model": "weather", "messages": [{"role": "user", "content": "…"}]}
    GET  /v1/models             a model for each task

A request has the whole conversation. The messages up to one of the user's make the id under which
the log has it, so a chat is recognised by its last message, also after a restart. A single message
always begins a chat, for people often begin alike; a longer request that is repeated returns the
answer in the log. A conversation whose chat has gone on otherwise, or has ended, is said to the
agent again from the beginning, and refused if the agent answers otherwise. Requests cannot bring
tools: the agent makes its calls itself.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dialoom.collect.message import Refused, cleaned
from dialoom.dialogue import USER, Utterance
from dialoom.errors import UnknownNameError
from dialoom.serve.chat.api import chats_of, handled
from dialoom.serve.chat.chats import Chat, Chats
from dialoom.serve.hub import now_ms
from dialoom.serve.responses import answer, body

LARGEST = 1 << 20
"""The most bytes of a request."""

MOST = 200
"""The most messages of a conversation."""

KEY = "completions:"
"""Prefix of the messages' ids in the log, which are longer than any that a client can send."""

DIFFERS = "the agent answers otherwise when this conversation is repeated"


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
    """The used fields of the request's body; `user` separates conversations with equal messages."""

    messages: list[ChatMessage]
    model: str = ""
    user: str | None = None
    stream: bool = False


class ChatTurn(NamedTuple):
    """A message of the user, its id in the log, and the words of the answer that the client has."""

    id: str
    text: str
    answer: list[str]


class Conversations:
    """Finds the chat of a conversation by its messages."""

    def __init__(self, chats: Chats) -> None:
        self._chats = chats
        self._running: dict[object, asyncio.Task[tuple[str, str]]] = {}
        self._busy: set[int] = set()

    async def reply(self, query: CompletionRequest) -> tuple[str, str]:
        """Return the task, which the server chooses without a model, and the agent's reply.

        Raises:
            Refused: `malformed`: the last message is no user's; `unknown`: no such model;
                `differs`: the agent's answers are not those of the conversation.
        """
        messages, model = query.messages, query.model
        if not messages or messages[-1].role != "user" or len(messages) > MOST:
            raise Refused("malformed", f"the last of at most {MOST} messages is the user's")
        if model and model not in self._chats.tasks:
            raise Refused("unknown", str(UnknownNameError("model", model, self._chats.tasks)))
        turns = _turns(query)
        key = turns[-1].id if turns[1:] else object()
        if key not in self._running:
            self._running[key] = task = asyncio.ensure_future(self._reply(model, turns))
            task.add_done_callback(lambda _: self._running.pop(key))
        return await asyncio.shield(self._running[key])

    async def _reply(self, model: str, turns: Sequence[ChatTurn]) -> tuple[str, str]:
        recent = turns[-2:]
        ids = [turn.id for turn in reversed(recent)] if turns[1:] else []
        for chat in self._chats.waiting(ids):
            text = await self._say(chat, recent)
            if text is not None:
                return chat.work.given.task, text
        chat = await self._chats.begin(model or None)
        text = await self._say(chat, turns)
        if text is None:
            await self._chats.fail(chat, DIFFERS)
            raise Refused("differs", f"{DIFFERS}; begin a new one")
        return chat.work.given.task, text

    async def _say(self, chat: Chat, turns: Sequence[ChatTurn]) -> str | None:
        """Return the last answer; None if an earlier one differs, or others talk in the chat."""
        text = None
        if chat.number not in self._busy:
            self._busy.add(chat.number)
            try:
                for turn in turns:
                    done = await self._chats.say(chat, turn.text, turn.id)
                    answers = (e for e in done if isinstance(e, Utterance) and e.agent != USER)
                    text = "\n".join(each.text for each in answers)
                    if turn.answer not in ([], text.split()):
                        return None
            finally:
                self._busy.discard(chat.number)
        return text


def _turns(query: CompletionRequest) -> list[ChatTurn]:
    turns = list[ChatTurn]()
    digest = hashlib.sha256(msgspec.json.encode([query.model, query.user]))
    for each in query.messages:
        if each.role == "user":
            text = cleaned(each.text)
            digest.update(msgspec.json.encode(text))
            turns.append(ChatTurn(KEY + digest.hexdigest(), text, []))
        elif each.role == "assistant" and turns:
            turns[-1].answer.extend(each.text.split())
            digest.update(msgspec.json.encode(each.text.split()))
    return turns


async def _complete(request: Request) -> Response:
    query = await body(request, CompletionRequest, LARGEST)
    task, text = await request.app.state.conversations.reply(query)
    now = now_ms()
    head = {"id": f"chatcmpl-{now}", "created": now // 1000, "model": task}
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
