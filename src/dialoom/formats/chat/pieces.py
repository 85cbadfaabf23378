"""Single messages in other spellings than that of the OpenAI wire format, converted to it.

    {"role": "assistant", "function_call": {"name": "find", "arguments": "{}"}}
    {"role": "function", "name": "find", "content": "[]"}
    {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "find", "input": {}},
                                      {"type": "text", "text": "Let me see."}]}
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "[]"}]}
    {"role": "model", "parts": [{"functionCall": {"name": "find", "args": {}}}]}
    {"from": "human", "value": "Hi."}, {"from": "gpt", "value": "Hello."}
    {"role": "assistant", "content": "<tool_call> {\\"name\\": \\"find\\", …} </tool_call>"}

Blocks that are neither text nor call (images, thoughts) stay with their message.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from dialoom.formats.base.values import Json
from dialoom.formats.chat.marks import parse

SAYS, CALLING = ("gpt", "chatgpt", "bot"), ("function_call", "tool_call")
ANSWERS = ("observation", "function_response", "tool_response")
"""Speakers of ShareGPT's messages; what calls is a message of the assistant."""

_NAMES = {
    "assistant": ("assistant", "ai", "AI", "model", "chatbot", "CHATBOT", "API", *SAYS),
    "user": ("user", "human", "User", "USER"),
    "system": ("system", "developer", "SYSTEM"),
    "tool": ("tool", "function", "TOOL", *ANSWERS),
}
ROLES = {name: role for role, names in _NAMES.items() for name in names}
"""Names of roles to those of the wire format."""

CALLS = frozenset(
    {"functionCall", "toolUse", "tool_use", "tool-call", "function_call", "tool_call", "function"}
)
RESULTS = frozenset(
    {"functionResponse", "toolResult", "tool_result", "tool-result", "function_call_output"}
)
EITHER, VERCEL = "toolInvocation", "tool-"
"""Kinds of blocks: calls, results, and tools of Vercel's with both."""

CALLED = "api_name"
"""The key of an entry of API-Bank that is a call with its result."""

THOUGHTS = frozenset({"reasoning", "thinking"})
"""Kinds of blocks whose text nobody says."""

OTHERS = "other items"
"""The key of a message's blocks, and of a conversation's items, that are neither text nor call."""

_ROLE = ("role", "sender", "from", "type")
_ID = ("toolUseId", "tool_use_id", "toolCallId", "tool_call_id", "call_id", "id", "of")
_NAME = ("name", "toolName", CALLED)
_GIVEN = ("args", "input", "arguments", "param_dict")
_ANSWER = ("response", "output", "result", "content")
_TEXT = ("content", "parts", "text", "message", "value")
_LISTS = ("toolInvocations", "tool_calls")
_READ = frozenset({*_ROLE, *_TEXT, *_LISTS, "author", "function_call", "tool_call_id"})

_CALL = re.compile(r"<tool_call>\s*(.*?)\s*</tool_call>", re.DOTALL)
_RESULT = re.compile(r"<tool_response>\s*(.*?)\s*</tool_response>", re.DOTALL)
_THOUGHT = re.compile(r"(<think>.*?</think>\s*)?(.*)\Z", re.DOTALL)
"""A call after what its model thought."""


class Piece(NamedTuple):
    """A text, call, result or other block of a message."""

    kind: str
    value: Any
    name: Any = None
    id: Any = None


class Messages:
    """Converts messages; calls without an id are numbered, and answered in order."""

    def __init__(self) -> None:
        self.found: list[Json] = []
        self.others: list[Any] = []
        self._calls = 0
        self._open: list[tuple[str, Any]] = []

    def keep(self, message: Json) -> None:
        """Add a message of the wire format as it is."""
        calls = message.get("tool_calls")
        for call in calls if isinstance(calls, list) else ():
            function = call.get("function") if isinstance(call, dict) else None
            if isinstance(function, dict):
                self._calls += 1
                self._open.append((str(call.get("id")), function.get("name")))
        answered = message.get("tool_call_id")
        self._open = [each for each in self._open if each[0] != answered]
        self.found.append(message)

    def add(self, value: Any, role: str) -> None:
        """Add a message, or a list of messages; one without a role has the given one."""
        for each in value if isinstance(value, list) else [value]:
            message = _unwrapped({"content": each} if isinstance(each, str) else each)
            if not isinstance(message, dict):
                self.others.append(each)
                continue
            message = _tagged(_called(message))
            who = _role(message) or ("" if "type" in message else role)
            pieces = list(_pieces(message, who))
            if pieces:
                self._add(pieces, who or "assistant", message)
            else:
                self.others.append(each)

    def _add(self, pieces: list[Piece], role: str, raw: Json) -> None:
        made: list[Json] = []
        for piece in pieces:
            if piece.kind == "result":
                made.append(self._result(piece))
                continue
            open = made and made[-1]["role"] != "tool"
            if not open or (piece.kind == "text" and "tool_calls" in made[-1]):
                made.append({"role": role, "content": ""})
            if piece.kind == "text":
                made[-1]["content"] += piece.value
            elif piece.kind == "call":
                made[-1].setdefault("tool_calls", []).append(self._call(piece))
            else:
                made[-1].setdefault(OTHERS, []).append(piece.value)
        rest = {k: v for k, v in raw.items() if k not in _READ and k not in made[0]}
        made[0] |= {} if pieces[0].value is raw or raw.get("type") in CALLS | RESULTS else rest
        self.found += made

    def _call(self, piece: Piece) -> Json:
        self._calls += 1
        id = str(piece.id or f"call_{self._calls}")
        self._open.append((id, piece.name))
        given = {} if piece.value is None else piece.value
        return {"id": id, "type": "function", "function": {"name": piece.name, "arguments": given}}

    def _result(self, piece: Piece) -> Json:
        waiting = [id for id, name in self._open if piece.name in (None, name)]
        id = str(piece.id or next(iter(waiting), ""))
        self._open = [each for each in self._open if each[0] != id]
        return {"role": "tool", "tool_call_id": id, "content": _written(piece.value)}


def first_of(held: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    """Return the value of the first key that has one."""
    return next((held[key] for key in keys if held.get(key) is not None), None)


def _unwrapped(value: Any) -> Any:
    inner = first_of(value, ("data", "kwargs")) if isinstance(value, dict) else None
    return value | inner if isinstance(inner, dict) else value


def _called(message: Json) -> Json:
    """Return a message of ShareGPT that is the text of calls as one with calls."""
    if message.get("from") not in CALLING:
        return message
    said, text = _THOUGHT.match(str(message.get("value"))).groups()  # type: ignore[union-attr]
    calls = _functions([text])
    rest = {key: held for key, held in message.items() if key not in ("from", "value")}
    if not calls:
        return rest | {"role": "assistant", "content": message.get("value")}
    return rest | {"role": "assistant", "tool_calls": calls} | ({"content": said} if said else {})


def _tagged(message: Json) -> Json:
    """Return a message with calls or results that are tagged text as one with blocks of them."""
    key = next((key for key in ("content", "value") if isinstance(message.get(key), str)), "")
    text = message.get(key, "")
    if calls := _functions(_CALL.findall(text)):
        return {**message, key: _CALL.sub("", text).strip(), "tool_calls": calls}
    results = [] if _RESULT.sub("", text).strip() else _RESULT.findall(text)
    if not results:
        return message
    return {**message, key: [{"type": "tool_result", "content": each} for each in results]}


def _functions(texts: list[str]) -> list[Json]:
    """Return the calls of functions that are JSON texts; none if one of them is damaged."""
    found: list[Json] = []
    for text in texts:
        try:
            value = parse(text)
        except ValueError:
            return []
        for each in value if isinstance(value, list) else [value]:
            if not isinstance(each, dict) or not isinstance(each.get("name"), str):
                return []
            found.append({"name": each["name"], "args": each.get("arguments")})
    return found


def is_foreign(message: Json) -> bool:
    """True if a message is in another spelling than the wire format's."""
    content = message.get("content")
    blocks = content if isinstance(content, list) else ()
    return (
        "from" in message
        or message.get("role") == "function"
        or isinstance(message.get("function_call"), dict)
        or (isinstance(content, str) and _tagged(message) is not message)
        or any(isinstance(each, dict) and _is_foreign_block(each) for each in blocks)
    )


def _is_foreign_block(block: Json) -> bool:
    kind = block.get("type")
    return kind in ("tool_use", "tool_result") or (kind == "text" and "value" in block)


def _role(message: Json) -> str:
    author = message.get("author")
    held = author.get("role") if isinstance(author, dict) else first_of(message, _ROLE)
    return ROLES.get(held, "") if isinstance(held, str) else ""


def _pieces(message: Json, role: str) -> Iterator[Piece]:
    if CALLED in message:
        message = {"content": [{"type": VERCEL, "toolCallId": None, **message}]}
    held = next((message[key] for key in _TEXT if message.get(key)), None)
    blocks = held.get("parts") if isinstance(held, dict) else held
    spoken = [blocks or ""] if not message.keys().isdisjoint(_TEXT) else []
    listed = blocks if isinstance(blocks, list) else spoken
    if not role:  # an item of Responses: a call, a result, or what is nothing of both
        yield from (piece for piece in _block(message) if piece.kind in ("call", "result"))
    elif role == "tool" and not any(p.kind == "result" for block in listed for p in _block(block)):
        yield Piece("result", held, message.get("name"), first_of(message, _ID[:5]))
    else:
        call = message.get("function_call")
        several = (message.get(key) for key in _LISTS)
        before, after = (each if isinstance(each, list) else [] for each in several)
        for block in (*before, *listed, *after, *([{"function_call": call}] if call else [])):
            yield from _block(block)


def _block(block: Any) -> Iterator[Piece]:
    """Yield the text, call or result of a block; a tool of Vercel's is both."""
    if not isinstance(block, dict):
        yield Piece("text", block) if isinstance(block, str) else Piece("other", block)
        return
    kind, inner = _kind(block)
    name, id, answer = first_of(inner, _NAME), first_of(inner, _ID), first_of(inner, _ANSWER)
    name = name or (kind.removeprefix(VERCEL) if kind.startswith(VERCEL) else None)
    either = kind == EITHER or kind.startswith(VERCEL)
    text = first_of(inner, ("text", "value"))
    if kind in CALLS or either:
        yield Piece("call", first_of(inner, _GIVEN), name, id)
    if kind in RESULTS or (either and answer is not None):
        yield Piece("result", answer, name, id)
    elif isinstance(text, str) and kind not in THOUGHTS and not inner.get("thought"):
        yield Piece("text", text)
    elif kind not in CALLS and not either:
        yield Piece("other", block)


def _kind(block: Json) -> tuple[str, Json]:
    for key, held in block.items():
        if isinstance(held, dict) and (key in CALLS or key in RESULTS or key == EITHER):
            return key, {"of": block.get("id"), **held}
    kind = str(block.get("type"))
    if kind in RESULTS or kind in CALLS:
        return ("function_call_output" if kind in RESULTS else "function_call"), block
    if "toolCallId" in block:
        return (kind if kind.startswith(VERCEL) else EITHER), block
    return ("function_call" if "args" in block else kind), block


def _written(answer: Any) -> str:
    if isinstance(answer, list) and len(answer) == 1 and isinstance(answer[0], dict):
        answer = first_of(answer[0], ("text", "json")) or answer
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
