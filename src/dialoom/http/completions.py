"""Answers of language models in the wire format of OpenAI's chat completions.

{"choices": [{"message": {"content": "Hello."}}], "usage": {"prompt_tokens": 9, …}}

data: {"choices": [{"delta": {"content": "Hel"}}]}      some servers answer in pieces unasked
data: {"choices": [{"delta": {"content": "lo."}}]}
data: [DONE]

Servers differ in small things, which are read alike: arguments as an object or as an empty text,
content in parts, calls without an id, null in place of what is not known. A model's reasoning is
kept apart, whether the server sends it in a field of its own or in the text. A refusal is read as
text. An answer may report that it failed; one in pieces has failed without its last piece.
"""

from __future__ import annotations

import math
import re
from typing import Any

import msgspec

from dialoom.http.failure import decoded, words

_THOUGHT = re.compile(r"\A(?:\s*<think(?:ing)?>)?(.*?)</think(?:ing)?>", re.DOTALL)
"""Reasoning as open models write it; some servers leave out the opening mark."""

_UNENDED = re.compile(r"\A\s*<think(?:ing)?>(.*)\Z", re.DOTALL)
"""A thought that the limit of tokens cut off."""

_MARK = re.compile(r"\s*(?:<\|[\w ]{1,30}\|>|</s>|<end_of_turn>)\s*\Z")
"""A mark at the end of a turn that a server left in the text."""


class ChatFunction(msgspec.Struct):
    """The function that a tool call names, its arguments as JSON in a text."""

    name: str
    arguments: str | dict[str, Any] | None = None

    @property
    def values(self) -> dict[str, Any] | None:
        """The arguments; None where they are no JSON object."""
        if isinstance(self.arguments, dict):
            return self.arguments
        return decoded((self.arguments or "{}").encode(), dict[str, Any])


class ChatToolCall(msgspec.Struct):
    """A call of a tool; the id is empty where the server sends none."""

    function: ChatFunction
    id: str = ""


class ChatPart(msgspec.Struct):
    """One part of a message whose content is a list."""

    text: str = ""
    refusal: str = ""


class ChatToken(msgspec.Struct):
    """A token with its log-probability; one of an answer also with the likeliest at its place."""

    token: str
    logprob: float | None = None
    top_logprobs: list[ChatToken] | None = None

    @property
    def chance(self) -> float:
        """The probability; 0 where it is not known."""
        return 0.0 if self.logprob is None else math.exp(self.logprob)


class ChatLogprobs(msgspec.Struct):
    """The log-probabilities of an answer: of the tokens that have one."""

    content: list[ChatToken] | None = None

    def __post_init__(self) -> None:
        tokens = [token for token in self.content or () if token.logprob is not None]
        self.content = tokens or None


class ChatReply(msgspec.Struct):
    """A model's message, as it comes.

    Attributes:
        reasoning_content: Its reasoning, if the server sends it in a field of its own.
        reasoning: The same by its other name.
        refusal: The words with which it refuses to answer, in place of `content`.
        function_call: A call in the form before `tool_calls`, which is not read.
        tokens: The tokens of `content` with the likeliest ones at their places, where asked for.
        cut: Whether the limit of tokens cut it off.
    """

    content: str | list[ChatPart] | msgspec.UnsetType | None = msgspec.UNSET
    tool_calls: list[ChatToolCall] | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    refusal: str | None = None
    function_call: Any = None
    tokens: list[ChatToken] | None = msgspec.field(default=None, name="dialoom_tokens")
    cut: bool = msgspec.field(default=False, name="dialoom_cut")

    @property
    def said(self) -> str:
        """The text, without reasoning and marks of turns."""
        text = _THOUGHT.sub("", self._text, count=1)
        text = _UNENDED.sub("", text)
        while (mark := _MARK.search(text)) is not None:
            text = text[: mark.start()]
        return text.strip()

    @property
    def thought(self) -> str:
        """The reasoning before the answer."""
        reasoning = self.reasoning_content or self.reasoning
        if reasoning:
            return reasoning.strip()
        passage = _THOUGHT.match(self._text) or _UNENDED.match(self._text)
        return passage[1].strip() if passage is not None else ""

    @property
    def lack(self) -> str:
        """Why the message is no answer; empty if it is one, such as null in `content`."""
        if self.function_call and not self.tool_calls:
            return "the answer has a function_call, which is not read; answer with tool_calls"
        answers = (self.tool_calls, self.refusal, self.reasoning_content, self.reasoning)
        none = self.content is msgspec.UNSET and not any(answers)
        return "the answer has neither content nor tool_calls" if none else ""

    @property
    def _text(self) -> str:
        if isinstance(self.content, list):
            return "".join(part.text or part.refusal for part in self.content)
        return (self.content if isinstance(self.content, str) else "") or self.refusal or ""


BROKEN = "the answer breaks off"
"""The message about an answer that failed without a message of its own."""

FILTERED = "the server's filter stopped the answer (content_filter)"


class ChatChoice(msgspec.Struct):
    """One of the answers."""

    message: ChatReply
    logprobs: ChatLogprobs | None = None
    finish_reason: str | None = None
    error: Any = None

    @property
    def failure(self) -> str:
        """The failure that the answer reports, or that it is; empty if it is an answer."""
        if self.error or self.finish_reason == "error":
            return words(msgspec.json.encode(self.error or BROKEN))
        return FILTERED if self.finish_reason == "content_filter" else self.message.lack


class ChatUsage(msgspec.Struct):
    """The tokens of a request and its answer."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class ChatCompletion(msgspec.Struct):
    """An answer of the server."""

    choices: list[ChatChoice]
    usage: ChatUsage | None = None


class ChatDelta(msgspec.Struct):
    """A piece of an answer: of its text, or of the calls by their place."""

    content: str | None = None
    tool_calls: list[dict[str, Any]] | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    refusal: str | None = None
    function_call: Any = None


class ChatPiece(msgspec.Struct):
    """A piece of one of the answers."""

    delta: ChatDelta = msgspec.field(default_factory=ChatDelta)
    finish_reason: str | None = None
    error: Any = None


class ChatChunk(msgspec.Struct):
    """One event of an answer that comes in pieces; some servers report an error in one."""

    choices: list[ChatPiece] = []
    usage: ChatUsage | None = None
    error: Any = None


EVENT = b"data:"
"""The beginning of each event of an answer in pieces; other lines are comments."""

DONE = b"[DONE]"
"""The last event."""


def read_completion(data: bytes) -> ChatCompletion | None:
    """Return what a server answered, whole or in pieces; None where it is no chat completion."""
    events = [line[len(EVENT) :].strip() for line in data.split(b"\n") if line.startswith(EVENT)]
    return _streamed(events) if events else decoded(data, ChatCompletion)


def _streamed(events: list[bytes]) -> ChatCompletion | None:
    pieces, usage = list[ChatPiece](), None
    for event in events:
        chunk = ChatChunk() if event == DONE else decoded(event, ChatChunk)
        if chunk is None or chunk.error is not None:
            return None
        usage = chunk.usage or usage
        pieces += chunk.choices[:1]
    deltas, calls = [piece.delta for piece in pieces], dict[int, ChatToolCall]()
    text = "".join(delta.content or delta.refusal or "" for delta in deltas)
    thought = "".join(delta.reasoning_content or delta.reasoning or "" for delta in deltas)
    for part in (part for delta in deltas for part in delta.tool_calls or ()):
        _add(calls, part)
    reply = ChatReply(text or None, list(calls.values()) or None, thought or None)
    reply.function_call = next(filter(None, (delta.function_call for delta in deltas)), None)
    reason = next(filter(None, (piece.finish_reason for piece in pieces)), None)
    error = next(filter(None, (piece.error for piece in pieces)), None)
    broken = BROKEN if reason is None and DONE not in events else None
    choice = ChatChoice(reply, None, reason, error or broken)
    return ChatCompletion([choice] if pieces else [], usage)


def _add(calls: dict[int, ChatToolCall], part: dict[str, Any]) -> None:
    last = max(len(calls) - 1, 0)
    place = part.get("index", len(calls) if part.get("id") else last)  # some servers send none
    call = calls.setdefault(place, ChatToolCall(ChatFunction("", "")))
    function = part.get("function") or {}
    call.id += part.get("id") or ""
    call.function.name += function.get("name") or ""
    more = function.get("arguments") or ""
    call.function.arguments = more if isinstance(more, dict) else f"{call.function.arguments}{more}"
