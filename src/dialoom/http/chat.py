"""A language model over the wire format of OpenAI's chat completions.

    client = ChatClient("small@http://localhost:8000/v1", "--agent openai")
    reply = client.complete(messages, tools, meter)    # what the model says and calls

The key is that of OPENAI_API_KEY, where the server wants one (`WireSettings` names another).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from dialoom.errors import UsageError
from dialoom.http.completions import ChatReply, ChatUsage, read_completion
from dialoom.http.failure import unreadable
from dialoom.http.metering import Meter
from dialoom.http.web import WebClient

THOUGHT = "thought"
"""The key of an event's `extra` that holds the model's reasoning before it."""

TOP = 20
"""The most tokens that a server may be asked for at each place, with log-probabilities."""

_ADDRESS = re.compile(r"@https?://")
"""The beginning of the address after a model's name, which may have at signs, too."""

Message = dict[str, Any]

Complete = Callable[[list[Message], list[Message], Meter], ChatReply]
"""Returns the model's answer to messages, given the tools."""

NO_FIELDS: Mapping[str, Any] = MappingProxyType({})


class ChatClient:
    """Asks a server for chat completions; `settings` are the model, an at sign and the address."""

    def __init__(self, settings: str, option: str) -> None:
        match = _ADDRESS.search(settings)
        place = match.start() if match else settings.find("@")
        if place < 1:
            what = "name model and address, such as openai:small@http://localhost:8000/v1"
            raise UsageError(f"{option}: {what}", code="no-address")
        self._model = settings[:place]
        self.web = WebClient(settings[place + 1 :], option)

    def complete(
        self,
        messages: list[Message],
        tools: list[Message],
        meter: Meter,
        fields: Mapping[str, Any] = NO_FIELDS,
    ) -> ChatReply:
        """Return the model's answer, given tools; `NoAnswerError` if it fails, or `BudgetError`."""
        body = {"model": self._model, "messages": messages, **meter.settings.asked, **fields}
        body |= {"tools": tools} if tools else {}
        data = self.web.post("/chat/completions", body, meter, meter.settings.credentials)
        completion = read_completion(data)
        if completion is None or not completion.choices:
            raise self.web.failed(unreadable(data), code="unreadable")
        choice, usage = completion.choices[0], completion.usage or ChatUsage()
        if completion.usage is not None or not choice.failure:  # a failure may cost as well
            meter.tokens(usage.prompt_tokens or 0, usage.completion_tokens or 0)
        if choice.failure:
            raise self.web.failed(choice.failure)
        reply, chances = choice.message, choice.logprobs
        reply.tokens = chances.content if chances is not None else None
        reply.cut = choice.finish_reason == "length"
        return reply
