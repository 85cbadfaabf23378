"""Chat messages of other services and libraries: Gemini, Bedrock, Vercel, LangChain, Responses …

    [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello."}]
    {"contents": [{"role": "model", "parts": [{"functionCall": {"name": "find", "args": {}}}]}]}
    {"messages": [{"role": "assistant", "content": [{"toolUse": {"toolUseId": "1", …}}]}]}
    {"messages": [{"role": "assistant", "parts": [{"type": "tool-find", "toolCallId": "1",
       "input": {}, "output": []}]}]}
    [{"type": "ai", "data": {"content": "", "tool_calls": [{"name": "find", "args": {}}]}}]
    {"input": […], "output": [{"type": "function_call", "call_id": "1", "name": "find", …}]}
    {"system": "…", "chat": "USER: Hi.\\n\\n\\nASSISTANT: Hello. <|endoftext|>"}
    {"text": "<|im_start|>user\\nHi.<|im_end|>\\n<|im_start|>assistant\\nHello.<|im_end|>"}
    {"role": "API", "api_name": "find", "param_dict": {"area": "north"}, "result": []}

A list of messages is one conversation; a list of such lists, or lines of them, are several. All are
read as messages of the OpenAI wire format, which the format `chat` writes. Blocks that are neither
text nor call (images, thoughts), and other keys of blocks, stay with their message. Exports of
ChatGPT and Claude, and the texts of Glaive, HH-RLHF and ChatML are read, too, and API-Bank's files
of one conversation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from dialoom.dialogue import Dialogue, Origin
from dialoom.errors import FormatError, clip
from dialoom.formats.base.framing import values
from dialoom.formats.base.signs import Sign, Signs
from dialoom.formats.base.turn_list import read_only
from dialoom.formats.base.values import BrokenError, Json, at, spoken, without
from dialoom.formats.chat import reading
from dialoom.formats.chat.marks import tool_call
from dialoom.formats.chat.shapes import BLOCKS
from dialoom.formats.scripts import chatml_turns

_NAMES = {
    "assistant": ("assistant", "ai", "AI", "model", "chatbot", "CHATBOT", "API"),
    "user": ("user", "human", "User", "USER"),
    "system": ("system", "developer", "SYSTEM"),
    "tool": ("tool", "function", "TOOL"),
}
ROLES = {name: role for role, names in _NAMES.items() for name in names}
"""Names of roles to those of the wire format."""

PLACES = dict.fromkeys(("system", "systemInstruction", "system_instruction"), "system")
PLACES |= {"instructions": "system", "messages": "user", "contents": "user"}
PLACES |= {"chat_history": "user", "chat_messages": "user", "input": "user"}
PLACES |= {"output": "assistant", "message": "user"}
"""The keys of messages, in the order in which they were sent, and the role of one without any."""

CALLS = frozenset(
    {"functionCall", "toolUse", "tool_use", "tool-call", "function_call", "tool_call", "function"}
)
RESULTS = frozenset(
    {"functionResponse", "toolResult", "tool_result", "tool-result", "function_call_output", "call"}
)
EITHER, VERCEL = "toolInvocation", "tool-"
"""Kinds of blocks: calls, results (Cohere's name the `call`), and tools of Vercel's with both."""

CALLED = "api_name"
"""The key of an entry of API-Bank that is a call with its result."""

THOUGHTS = frozenset({"reasoning", "thinking"})
"""Kinds of blocks whose text nobody says."""

OTHERS = "other items"
"""The key of blocks of a message, or their keys, and of items that are neither text nor call."""

_ROLE = ("role", "sender", "type")
_ID = ("toolUseId", "tool_use_id", "toolCallId", "tool_call_id", "call_id", "id")
_NAME = ("name", "toolName", CALLED)
_GIVEN = ("args", "input", "arguments", "parameters", "param_dict")
_ANSWER = ("response", "output", "result", "content", "outputs", "errorText")
_COHERE = {"name", "parameters"}
_CALLED_IN = ("tool_calls", "function_call")
_TEXT = ("content", "parts", "text", "message")
_LISTS = ("toolInvocations", "tool_calls", "tool_results")
_NAMES_OF = ("id", "uuid", "conversation_id", "custom_id")
_WHOLES = frozenset({"mapping", "chat", "chosen", "prompt", "body"})
_LISTS_OF = frozenset({*PLACES, "conversations", "turns", "events"}) - {"message"}
_READ = frozenset({*_ROLE, *_TEXT, *_LISTS, "author", "function_call", "tool_call_id"})

_SPEAKER = re.compile(r"(?:\A|\n)\s*(SYSTEM|USER|ASSISTANT|FUNCTION RESPONSE|Human|Assistant): ?")
_END = "<|endoftext|>"
_CHATML = re.compile(r"\s*<\|im_start\|>\w+[^\n]*\n")
_CALLED = re.compile(
    r"<functioncall> *\{\"name\": \"([^\"]+)\", \"arguments\": '(.*)'\}", re.DOTALL
)


class Piece(NamedTuple):
    """A text, call, result or other block of a message; `rest` has its unread keys."""

    kind: str
    value: Any
    name: Any = None
    id: Any = None
    rest: Mapping[str, Any] = {}


class Messages:
    """Converts messages; calls without an id are numbered, and answered in order."""

    def __init__(self) -> None:
        self.found: list[Json] = []
        self.others: list[Any] = []
        self._calls = 0
        self._open: list[tuple[str, Any]] = []

    def add(self, value: Any, role: str) -> None:
        """Add a message, or a list of messages; one without a role has the given one."""
        for each in value if isinstance(value, list) else [value]:
            message = _unwrapped({"content": each} if isinstance(each, str) else each)
            if not isinstance(message, dict):
                self.others.append(each)
                continue
            _check(message)
            who = _role(message) or ("" if "type" in message else role)
            pieces = list(_pieces(message, who))
            if pieces:
                self._add(pieces, who, message)
            else:
                self.others.append(each)

    def _add(self, pieces: list[Piece], role: str, raw: Json) -> None:
        entries: list[Json] = []
        for piece in pieces:
            if piece.kind == "result":
                entries.append({**piece.rest, **self._result(piece)})
                continue
            open = entries and entries[-1]["role"] != "tool"
            if not open or (piece.kind == "text" and "tool_calls" in entries[-1]):
                entries.append({"role": role or "assistant", "content": ""})
            if piece.kind == "text":
                entries[-1]["content"] += piece.value
            elif piece.kind == "call":
                entries[-1].setdefault("tool_calls", []).append({**piece.rest, **self._call(piece)})
            else:
                entries[-1].setdefault(OTHERS, []).append(piece.value)
        rest = {k: v for k, v in raw.items() if k not in _READ and k not in entries[0]}
        entries[0] |= rest if role else {}  # else an item, whose block has them
        self.found += entries

    def _call(self, piece: Piece) -> Json:
        self._calls += 1
        id = str(piece.id or f"call_{self._calls}")
        self._open.append((id, piece.name))
        arguments = {} if piece.value is None else piece.value
        return tool_call(id, {"name": piece.name, "arguments": arguments})

    def _result(self, piece: Piece) -> Json:
        waiting = [id for id, name in self._open if piece.name in (None, name)]
        id = str(piece.id or next(iter(waiting), ""))
        self._open = [each for each in self._open if each[0] != id]
        return {"role": "tool", "tool_call_id": id, "content": _written(piece.value)}


def _first(source: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    return next((source[key] for key in keys if source.get(key) is not None), None)


def _unwrapped(value: Any) -> Any:
    inner = _first(value, ("data", "kwargs")) if isinstance(value, dict) else None
    if not isinstance(inner, dict):
        return value
    name = value.get("id")
    if value.get("type") != "constructor" or not isinstance(name, list) or not name:
        return value | inner
    kind = str(name[-1]).removesuffix("Chunk").removesuffix("Message").lower()
    return value | {"type": kind} | inner


def _check(message: Json) -> None:
    """Raise `BrokenError` for a role or type that is no text, or an unknown role."""
    for key in _ROLE:
        if not isinstance(message.get(key), str | None):
            raise BrokenError(f"a message's {key!r} is {spoken(message[key])}; expected a text")
    role = _first(message, _ROLE[:2])
    if role is not None and role not in ROLES:
        raise BrokenError(f"a message's role is {clip(role, 40)!r}; expected {', '.join(ROLES)}")


def _role(message: Json) -> str:
    author = message.get("author")
    role = author.get("role") if isinstance(author, dict) else _first(message, _ROLE)
    return ROLES.get(role, "") if isinstance(role, str) else ""


def _pieces(message: Json, role: str) -> Iterator[Piece]:
    if CALLED in message:
        message = {"content": [{"type": VERCEL, "toolCallId": None, **without(message, "role")}]}
    more = at(message, dict, "additional_kwargs")  # of older messages of LangChain
    if not message.get("tool_calls"):
        message = message | {key: more[key] for key in _CALLED_IN if key in more}
    content = next((message[key] for key in _TEXT if message.get(key)), None)
    blocks = content.get("parts", [content]) if isinstance(content, dict) else content
    spoken = [blocks or ""] if not message.keys().isdisjoint(_TEXT) else []
    parts = blocks if isinstance(blocks, list) else spoken
    call = message.get("function_call")
    before, *after = (at(message, list, key) for key in _LISTS)
    several = (*before, *parts, *chain(*after), *([{"function_call": call}] if call else []))
    pieces = [piece for block in several for piece in _block(block)]
    if not role:  # an item of Responses: a call, a result, or what is nothing of both
        yield from (piece for piece in _block(message) if piece.kind in ("call", "result"))
    elif role == "tool" and not any(piece.kind == "result" for piece in pieces):
        yield Piece("result", content, message.get("name"), _first(message, _ID[:5]))
    else:
        yield from pieces


def _block(block: Any) -> Iterator[Piece]:
    """Yield the text, call or result of a block, and its other keys; a tool of Vercel's is both."""
    if not isinstance(block, dict):
        yield Piece("text", block) if isinstance(block, str) else Piece("other", block)
        return
    kind, rest = _kind(block)
    either = kind == EITHER or kind.startswith(VERCEL)
    calls, answers = kind in CALLS or either, kind in RESULTS or either
    if calls or answers:
        name, id = _take(rest, _NAME), _take(rest, _ID)
        name = name or (kind.removeprefix(VERCEL) if kind.startswith(VERCEL) else None)
        arguments = _take(rest, _GIVEN) if calls else None
        answer = _take(rest, _ANSWER) if answers else None
        answered = not calls or answer is not None
        if calls:
            yield Piece("call", arguments, name, id, {} if answered else _filled(rest))
        if answered:
            yield Piece("result", answer, name, id, _filled(rest))
    elif isinstance(rest.get("text"), str) and kind not in THOUGHTS and not rest.get("thought"):
        yield Piece("text", rest.pop("text"))
        if more := _filled(rest):
            yield Piece("other", more)
    else:
        yield Piece("other", block)


def _take(source: Json, keys: tuple[str, ...]) -> Any:
    return next((source.pop(key) for key in keys if source.get(key) is not None), None)


def _filled(rest: Json) -> Json:
    return {key: value for key, value in rest.items() if value not in (None, [])}


def _kind(block: Json) -> tuple[str, Json]:
    """Return the kind of a block, and its keys without those that say the kind."""
    keys = without(block, "type")
    for key, body in keys.items():
        if isinstance(body, dict) and (key in CALLS or key in RESULTS or key == EITHER):
            return key, without(keys, key) | body
    kind = str(block.get("type"))
    if kind in RESULTS or kind in CALLS:
        return ("function_call_output" if kind in RESULTS else "function_call"), keys
    if "toolCallId" in block:
        return (kind if kind.startswith(VERCEL) else EITHER), keys
    return ("function_call" if "args" in keys or keys.keys() >= _COHERE else kind), keys


def _written(answer: Any) -> str:
    if isinstance(answer, dict) and answer.keys() == {"type", "value"}:
        answer = answer["value"] if answer["type"] in ("text", "json", "content") else answer
    if isinstance(answer, list) and len(answer) == 1 and isinstance(answer[0], dict):
        inner = without(answer[0], "type")
        answer = (len(inner) == 1 and _first(inner, ("text", "json"))) or answer
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


def conversation(value: Any) -> Json:
    """Return a conversation in the wire format, for one of another layout or a list of messages.

    Raises:
        BrokenError: It has no messages, or some that cannot be read.
    """
    value = {"messages": value} if isinstance(value, list) else value
    body = value.get("body")
    value = {**value, **body} if isinstance(body, dict) else value
    messages = Messages()
    sent = list(_sent(value))
    if not sent:
        raise BrokenError("no messages; expected a key such as messages, contents, input or chat")
    for batch, role in sent:
        messages.add(batch, role)
    if messages.others and not messages.found:
        raise BrokenError("no message that is read; expected a role, and a text or call")
    keys = without(value, *PLACES, *_WHOLES, *_NAMES_OF)
    more = {OTHERS: messages.others} if messages.others else {}
    name = _first(value, _NAMES_OF)
    head = {} if name is None else {"id": name}
    return {**head, **keys, **more, "messages": messages.found}


def _sent(value: Json) -> Iterator[tuple[Any, str]]:
    if isinstance(value.get("mapping"), dict):
        yield _path(value["mapping"], value.get("current_node") or ""), "user"
    for key, role in PLACES.items():
        batch = value.get(key)
        if batch is not None and role == "system":
            parts = batch.get("parts") if isinstance(batch, dict) else batch
            yield {"role": role, "content": parts}, role
        elif batch is not None:
            yield batch, role
    if value.get("prompt") is not None:
        yield value["prompt"] or [], "user"
    whole = value.get("text")
    if isinstance(whole, str) and _CHATML.match(whole):
        yield [{"role": role, "content": each} for role, each in chatml_turns(whole)], "user"
    text = _first(value, ("chat", "chosen"))
    if isinstance(text, str):
        first, *pieces = _SPEAKER.split(text)
        yield [first] if first.strip() else [], "assistant"
        yield list(map(_spelled, pieces[::2], pieces[1::2])), "user"


def _spelled(speaker: str, text: str) -> Json:
    role = ROLES.get(speaker.lower(), "tool")
    text = text.replace(_END, "").strip()
    call = _CALLED.search(text)
    content = text[: call.start()].strip() if call else text
    calls = {"tool_calls": [{"name": call[1], "args": call[2]}]} if call else {}
    return {"role": role, "content": content, **calls}


def _path(nodes: Mapping[str, Any], last: Any) -> list[Any]:
    path: list[Json] = []
    while nodes and last is not None:
        node = nodes.get(last) if isinstance(last, str) else None
        if not isinstance(node, dict) or len(path) == len(nodes):
            raise BrokenError(f"'mapping': node {clip(repr(last), 40)} is missing or in a circle")
        path.append(node)
        last = node.get("parent")
    return [node["message"] for node in reversed(path) if node.get("message")]


def _is_message(value: Any) -> bool:
    single = isinstance(value, dict) and value.keys().isdisjoint(_LISTS_OF)
    return single and not value.keys().isdisjoint({"role", "type"})


def read(data: bytes, file: Path, name: str) -> Iterator[Dialogue]:
    """Yield the dialogues of a content; `FormatError` if it is not JSON of messages."""
    entries = values(data, file)
    if entries and all(map(_is_message, entries)):
        entries = [entries]
    lines = ".jsonl" in name
    for index, value in enumerate(entries):
        readable = isinstance(value, dict | list)
        try:
            record = conversation(value) if readable else value
        except (BrokenError, ValueError) as error:
            place = (index + 1, None) if lines else (None, f"number {index}")
            raise FormatError(file, str(error), line=place[0], dialogue=place[1]) from error
        yield reading.dialogue(record, file, Origin(name, index))


_TYPES = ("human", "ai", "system", "tool", "function")
FORMAT = read_only(
    "messages",
    read,
    Signs(Sign("role", *ROLES), "content|parts", without=("messages", "content.parts")),
    Signs(Sign("role", "User", "AI", "API"), "text|api_name", without=("messages",)),
    Signs(Sign("text", _CHATML)),
    Signs(Sign("[].role", *ROLES), "[].content|parts"),
    Signs(Sign("type", *_TYPES), "content|data.content", without=("role",)),
    Signs("lc", "kwargs.content"),
    Signs(
        Sign("messages[].type", *_TYPES), "messages[].content|data", without=("messages[].role",)
    ),
    *(Signs(field, Sign("messages[].role", *ROLES)) for field in BLOCKS),
    Signs(Sign("contents[].role", *ROLES), "contents[].parts"),
    Signs("chat_history[].message", Sign("chat_history[].role", *ROLES)),
    Signs("chat_messages[].sender", "chat_messages[].text"),
    Signs("output[].type", "output[].content|call_id"),
    Signs("input[].content", Sign("input[].role", *ROLES), without=("preferred_output",)),
    Signs("body.messages[].role", "custom_id"),
    Signs("mapping.*.message", "mapping.*.parent", "current_node"),
    Signs("chat", "system", without=("chat[]",)),
    Signs(
        "chosen", "rejected", without=("chosen[]", "chosen.value|content", "instruction", "input")
    ),
)
