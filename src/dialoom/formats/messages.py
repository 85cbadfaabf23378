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
text nor call (images, thoughts) stay with their message. Exports of ChatGPT and Claude, and the
texts of Glaive, HH-RLHF and ChatML are read, too, and API-Bank's files of one conversation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dialoom.dialogue import Dialogue, Origin
from dialoom.formats.base.framing import LIST, OBJECT, values
from dialoom.formats.base.multi_file import FileFormat
from dialoom.formats.base.signs import Sign, Signs
from dialoom.formats.base.turn_list import JSON_FILES, PAIR
from dialoom.formats.base.values import Json
from dialoom.formats.chat import reading
from dialoom.formats.chat.pieces import OTHERS, ROLES, Messages, first_of
from dialoom.formats.chat.shapes import BLOCKS

PLACES = {
    "system": "system",
    "systemInstruction": "system",
    "system_instruction": "system",
    "instructions": "system",
    "messages": "user",
    "contents": "user",
    "chat_history": "user",
    "chat_messages": "user",
    "input": "user",
    "output": "assistant",
    "message": "user",
}
"""The keys of messages, in the order in which they were sent, and the role of one without any."""

_NAMES_OF = ("id", "uuid", "conversation_id", "custom_id")
_WHOLES = frozenset({"mapping", "chat", "chosen", "prompt", "body"})
_LISTS_OF = frozenset({*PLACES, "conversations", "turns", "events"}) - {"message"}
_SPEAKER = re.compile(r"(?:\A|\n)\s*(SYSTEM|USER|ASSISTANT|FUNCTION RESPONSE|Human|Assistant): ?")
_END = "<|endoftext|>"
_CHATML = re.compile(r"<\|im_start\|>(\w+)\n(.*?)<\|im_end\|>", re.DOTALL)
_CALLED = re.compile(
    r"<functioncall> *\{\"name\": \"([^\"]+)\", \"arguments\": '(.*)'\}", re.DOTALL
)


def conversation(value: Any) -> Json:
    """Return a conversation in the wire format, for one of another layout or a list of messages."""
    value = {"messages": value} if isinstance(value, list) else value
    body = value.get("body")
    value = {**value, **body} if isinstance(body, dict) else value
    made = Messages()
    for held, role in _sent(value):
        made.add(held, role)
    keys = {key: held for key, held in value.items() if key not in (*PLACES, *_WHOLES, *_NAMES_OF)}
    more = {OTHERS: made.others} if made.others else {}
    name = first_of(value, _NAMES_OF)
    named = {} if name is None else {"id": name}
    return {**named, **keys, **more, "messages": made.found}


def _sent(value: Json) -> Iterator[tuple[Any, str]]:
    """Yield messages, or lists of them, each with the role of those without one."""
    if isinstance(value.get("mapping"), dict):
        yield _path(value["mapping"], value.get("current_node")), "user"
    for key, role in PLACES.items():
        held = value.get(key)
        if held is not None and role == "system":
            parts = held.get("parts") if isinstance(held, dict) else held
            yield {"role": role, "content": parts}, role
        elif held is not None:
            yield held, role
    yield value.get("prompt") or [], "user"
    turns = _CHATML.findall(value["text"]) if isinstance(value.get("text"), str) else []
    yield [{"role": role, "content": each} for role, each in turns], "user"
    text = first_of(value, ("chat", "chosen"))
    if isinstance(text, str):
        first, *pieces = _SPEAKER.split(text)
        yield [first] if first.strip() else [], "assistant"
        yield list(map(_spelled, pieces[::2], pieces[1::2])), "user"


def _spelled(speaker: str, text: str) -> Json:
    role = ROLES.get(speaker.lower(), "tool")
    text = text.replace(_END, "").strip()
    call = _CALLED.search(text)
    said = text[: call.start()].strip() if call else text
    calls = {"tool_calls": [{"name": call[1], "args": call[2]}]} if call else {}
    return {"role": role, "content": said, **calls}


def _path(nodes: Mapping[str, Any], last: Any) -> list[Any]:
    found: list[Any] = []
    while isinstance(node := nodes.get(last), dict) and len(found) < len(nodes):
        found += [node["message"]] if node.get("message") else []
        last = node.get("parent")
    return found[::-1]


def _is_message(value: Any) -> bool:
    known = isinstance(value, dict) and value.keys().isdisjoint(_LISTS_OF)
    return known and not value.keys().isdisjoint({"role", "type"})


def read(data: bytes, file: Path, name: str) -> Iterator[Dialogue]:
    """Yield the dialogues of a content; `FormatError` if it is not JSON of messages."""
    found = values(data, file)
    if found and all(map(_is_message, found)):
        found = [found]
    for index, value in enumerate(found):
        known = isinstance(value, dict | list)
        made = conversation(value) if known else value
        yield reading.dialogue(made, file, Origin(name, index))


_TYPES = ("human", "ai", "system", "tool", "function")
FORMAT = FileFormat(
    name="messages",
    owns=JSON_FILES,
    signs=(
        Signs(Sign("role", *ROLES), "content|parts", without=("messages", "content.parts")),
        Signs(Sign("role", "User", "AI", "API"), "text|api_name", without=("messages",)),
        Signs(Sign("text", _CHATML)),
        Signs(Sign("[].role", *ROLES), "[].content|parts"),
        Signs(Sign("type", *_TYPES), "content|data.content", without=("role",)),
        Signs("lc", "kwargs.content"),
        Signs(
            Sign("messages[].type", *_TYPES),
            "messages[].content|data",
            without=("messages[].role",),
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
            "chosen",
            "rejected",
            without=("chosen[]", "chosen.value|content", "instruction", "input"),
        ),
    ),
    read=read,
    named=False,
    forms=(LIST, OBJECT),
    traits=PAIR._replace(read_only=True),
)
