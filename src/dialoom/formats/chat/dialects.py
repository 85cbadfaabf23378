"""Other spellings of chat messages, which are read as those of the OpenAI wire format.

    {"role": "assistant", "function_call": {"name": "find", "arguments": "{}"}}
    {"role": "function", "name": "find", "content": "[]"}
    {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "find", "input": {}},
                                      {"type": "text", "text": "Let me see."}]}
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "[]"}]}
    {"conversations": [{"from": "human", "value": "Hi."}, {"from": "gpt", "value": "Hello."}]}
    {"role": "assistant", "content": "<tool_call> … </tool_call>"}          tags.py
    {"prompt": [messages], "chosen": [messages], "rejected": [messages]}    shapes.py

A message in another spelling gets the mark `dialect`, by which `restored` spells it as it was.
A message or conversation that would not come back as it was is read as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

from dialoom.formats.base.values import Json, alike, at, without
from dialoom.formats.chat import shapes, tags
from dialoom.formats.chat.marks import layout, parse, put_back, set_apart, spell, tool_call

DIALECT = "dialect"
"""The key of a message in another spelling."""

TURNS = "conversations"
"""The list of messages of ShareGPT and of the training frameworks that take its files."""

FROM = {"human": "user", "user": "user"}
FROM |= dict.fromkeys(("gpt", "assistant", "chatgpt", "bing", "bard", "bot", "model"), "assistant")
FROM |= {"system": "system", "function_call": "call", "tool_call": "call"}
FROM |= dict.fromkeys(("observation", "tool", "function"), "tool")
FROM |= dict.fromkeys(("function_response", "tool_response"), "tool")
"""The speakers of ShareGPT's messages to roles; a call is a message of the assistant."""


_NOT_TURN = frozenset({"role", "content", "tool_calls"})

_ORDER = "places of calls"
"""The key of the places of calls or results among the blocks of a message, if they are unusual."""

_SPELLING = "written"
"""The key of the spelling of calls that are the value of a message."""

_MARKS = (DIALECT, _ORDER, _SPELLING, tags.TAGGED, "from")

_THOUGHT = re.compile(r"(<think>.*?</think>\s*)?(.*)\Z", re.DOTALL)
"""A call after what its model thought."""


Read = Callable[[Json, list[str]], list[Json]]
"""Returns the messages for one in a spelling, given the ids of the calls so far; empty if it is not
in this spelling."""

Write = Callable[[list[Json]], Json]
"""Returns the message that was read as some messages."""


def plain(value: Json) -> Json:
    """Return a conversation with messages of the wire format."""
    value = set_apart(shapes.plain(value), shapes.SHAPE)
    messages = _messages(value)
    if messages is None:
        return value
    new = without(value, TURNS, "messages")
    new["messages"] = messages
    if not alike(_respelled(new), value):
        return value
    return new | {"messages": list(map(_apart, messages))}


def _apart(message: Json) -> Json:
    known = _group(message)[0] and message["role"]  # the name of an unknown speaker is reported
    return set_apart(message, *_MARKS) if known else message


def restored(value: Json) -> Json:
    """Return a conversation with messages in the places and spelling in which they were read."""
    return shapes.restored(_respelled(put_back(value, shapes.SHAPE, *_MARKS)))


def _respelled(value: Json) -> Json:
    messages = value["messages"]
    if not any(DIALECT in message for message in messages):
        return value
    new: list[Json] = []
    for (name, _), group in groupby(messages, _group):
        if not name:
            new += group
            continue
        several = [without(message, DIALECT) for message in group]
        new.append(_SPELLINGS[name][1](several))
    of_turns = any(_group(message)[0] == "from" for message in messages)
    return without(value, "messages") | {TURNS if of_turns else "messages": new}


def _messages(value: Json) -> list[Json] | None:
    """Return the messages of a conversation; None if it has only messages of the wire format."""
    turns = value.get("messages", value.get(TURNS))
    if not isinstance(turns, list) or not all(isinstance(turn, dict) for turn in turns):
        return None
    ids: list[str] = []
    wire: list[Json] = []
    for number, turn in enumerate(turns):
        name, messages = _read(turn, ids)
        wire += [message | {DIALECT: [name, number]} for message in messages] if name else [turn]
        for message in messages:
            calls = message.get("tool_calls")
            several = calls if isinstance(calls, list) else []
            ids += [str(each["id"]) for each in several if isinstance(each, dict) and "id" in each]
    return wire if any(DIALECT in message for message in wire) else None


def _read(turn: Json, ids: list[str]) -> tuple[str, list[Json]]:
    for name, (read, write) in _SPELLINGS.items() if DIALECT not in turn else ():
        if (messages := read(turn, ids)) and alike(write(messages), turn):
            return name, messages
    return "", [turn]


def _group(message: Json) -> tuple[str, Any]:
    """Return the spelling of a message, and the number of the one that it was a part of."""
    mark = message.get(DIALECT)
    valid = isinstance(mark, list) and len(mark) == 2 and mark[0] in _SPELLINGS
    return (mark[0], mark[1]) if valid and isinstance(mark, list) else ("", id(message))


def _legacy_call(turn: Json, ids: list[str]) -> list[Json]:
    call = turn.get("function_call")
    if turn.get("role") != "assistant" or not isinstance(call, dict) or "tool_calls" in turn:
        return []
    calls = [tool_call(f"call_{len(ids) + 1}", call)]
    return [without(turn, "function_call") | {"tool_calls": calls}]


def _as_legacy_call(messages: list[Json]) -> Json:
    message = messages[0]
    calls = message.get("tool_calls") or [{}]
    return without(message, "tool_calls") | {"function_call": calls[0].get("function", {})}


def _legacy_result(turn: Json, ids: list[str]) -> list[Json]:
    if turn.get("role") != "function" or not ids or "tool_call_id" in turn:
        return []
    return [turn | {"role": "tool", "tool_call_id": ids[-1]}]


def _blocks(turn: Json) -> list[Json]:
    content = turn.get("content")
    valid = isinstance(content, list) and all(isinstance(block, dict) for block in content)
    return content if valid and isinstance(content, list) else []


def _parted(turn: Json, kind: str) -> tuple[list[Json], list[Json], list[int]]:
    """Return the blocks of a kind, the other blocks, and the places of the former."""
    blocks = _blocks(turn)
    places = [place for place, block in enumerate(blocks) if block.get("type") == kind]
    texts = [block for block in blocks if block.get("type") != kind]
    return [blocks[place] for place in places], texts, places


def _mixed(blocks: list[Json], texts: Iterable[Json], places: Sequence[Any]) -> list[Json]:
    """Return the blocks of both kinds, those of the first at their places, else at the end."""
    mixed = list(texts)
    for number, block in enumerate(blocks):
        place = places[number] if number < len(places) else None
        mixed.insert(place if isinstance(place, int) else len(mixed), block)
    return mixed


def _tool_use(turn: Json, ids: list[str]) -> list[Json]:
    uses, texts, places = _parted(turn, "tool_use")
    if turn.get("role") != "assistant" or not uses or "tool_calls" in turn:
        return []
    order = {} if places[0] == len(texts) else {_ORDER: places}
    calls = []
    for use in uses:
        function = {"name": use.get("name"), "arguments": use.get("input")}
        call = tool_call(str(use.get("id")), function)
        calls.append(call | without(use, "type", "id", "name", "input"))
    return [turn | {"content": texts or None, "tool_calls": calls} | order]


def _as_tool_use(messages: list[Json]) -> Json:
    message = messages[0]
    blocks, texts = [], message.get("content") or ()
    for call in message.get("tool_calls") or ():
        function = call.get("function", {})
        use = {"type": "tool_use", "id": call.get("id"), "name": function.get("name")}
        use["input"] = function.get("arguments")
        blocks.append(use | without(call, "type", "id", "function"))
    content = _mixed(blocks, texts, at(message, list, _ORDER))
    return without(message, "tool_calls", _ORDER) | {"content": content}


def _tool_result(turn: Json, ids: list[str]) -> list[Json]:
    results, texts, places = _parted(turn, "tool_result")
    if turn.get("role") != "user" or not results:
        return []
    messages = []
    for block in results:
        head = {"role": "tool", "tool_call_id": block.get("tool_use_id")}
        messages.append(head | without(block, "type", "tool_use_id"))
    order = {} if places[-1] == len(places) - 1 else {_ORDER: places}
    rest = without(turn, "role", "content") | order
    return [*messages, {"role": "user", "content": texts} | rest] if texts or rest else messages


def _as_tool_result(messages: list[Json]) -> Json:
    blocks: list[Json] = []
    texts: list[Json] = []
    rest: Json = {}
    for message in messages:
        if message.get("role") == "tool":
            block = {"type": "tool_result", "tool_use_id": message.get("tool_call_id")}
            blocks.append(block | without(message, "role", "tool_call_id"))
        else:
            texts += message.get("content") or ()
            rest = without(message, "role", "content")
    content = _mixed(blocks, texts, at(rest, list, _ORDER) or range(len(blocks)))
    return {"role": "user", "content": content} | without(rest, _ORDER)


def _renamed(turn: Json, old: str, new: str) -> Json:
    def block(fields: Json) -> Json:
        return {new if key == old else key: value for key, value in fields.items()}

    return turn | {"content": [block(each) for each in _blocks(turn)]}


def _value_blocks(turn: Json, ids: list[str]) -> list[Json]:
    blocks = _blocks(turn)
    valid = blocks and all(b.get("type") == "text" and "value" in b for b in blocks)
    return [_renamed(turn, "value", "text")] if valid and "role" in turn else []


def _turn(turn: Json, ids: list[str]) -> list[Json]:
    speaker, text = turn.get("from"), turn.get("value")
    if not isinstance(speaker, str) or not turn.keys().isdisjoint(_NOT_TURN):
        return []
    role = FROM.get(speaker)  # None is refused where the place is known
    rest = without(turn, "from", "value")
    if role == "tool":
        rest |= {"tool_call_id": ids[-1]} if ids else {}
    if role == "call":
        return _turn_with_call(turn, rest, len(ids))
    return [{"role": role, "content": text, "from": speaker} | rest]


def _as_turn(messages: list[Json]) -> Json:
    message = messages[0]
    if "tool_calls" in message:
        return _as_turn_with_call(message)
    rest = without(message, "role", "content", "from", "tool_call_id")
    return {"from": message.get("from"), "value": message.get("content")} | rest


def _turn_with_call(turn: Json, rest: Json, number: int) -> list[Json]:
    thought, text = _THOUGHT.match(str(turn.get("value"))).groups()  # type: ignore[union-attr]
    try:
        value = parse(text)
    except ValueError:
        value = None
    calls = value if isinstance(value, list) else [value]
    valid = calls and all(isinstance(each, dict) and "name" in each for each in calls)
    if not valid:
        return [{"role": "assistant", "content": turn.get("value"), "from": turn["from"]} | rest]
    spelling = layout(value, text) | {"list": isinstance(value, list)}
    requests = [tool_call(f"call_{n}", each) for n, each in enumerate(calls, number + 1)]
    head = {"role": "assistant", "content": thought, "from": turn["from"], _SPELLING: spelling}
    return [head | rest | {"tool_calls": requests}]


def _as_turn_with_call(message: Json) -> Json:
    functions = [call.get("function", {}) for call in message["tool_calls"]]
    spelling = message.get(_SPELLING) or {}
    value = functions if spelling.get("list") or len(functions) > 1 else functions[0]
    rest = without(message, "role", "content", "from", _SPELLING, "tool_calls")
    text = (message.get("content") or "") + spell(value, spelling)
    return {"from": message.get("from"), "value": text} | rest


_SPELLINGS: dict[str, tuple[Read, Write]] = {
    "function_call": (_legacy_call, _as_legacy_call),
    "function": (
        _legacy_result,
        lambda said: without(said[0], "tool_call_id") | {"role": "function"},
    ),
    "tool_use": (_tool_use, _as_tool_use),
    "tool_result": (_tool_result, _as_tool_result),
    "value": (_value_blocks, lambda said: _renamed(said[0], "text", "value")),
    "tool_call": (tags.calls, tags.as_calls),
    "tool_response": (tags.results, tags.as_results),
    "from": (_turn, _as_turn),
}
