"""Runs of speech: ticks of a fraction of a second, in which both sides may say a piece of a text.

    [{"tick_id": 7, "timestamp": "…", "agent_chunk": {"role": "assistant", "content": "Hel"},
      "user_chunk": {"role": "user", "content": null}, "agent_tool_calls": [], …}]

The pieces of one side in consecutive ticks are joined to a message. The ticks themselves stay with
the simulation, and writing uses them if the messages are those that they give.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dialoom.errors import FormatError
from dialoom.formats.base.values import Json, alike

TICKS, SPOKEN = "ticks", "spoken ticks"
"""The key of the ticks, and that under which a conversation keeps them."""

_SIDES = (("agent_chunk", "assistant"), ("user_chunk", "user"))
_CALLS = (("agent_tool_calls", "assistant"), ("user_tool_calls", "user"))
_RESULTS = ("agent_tool_results", "user_tool_results")


def messages_of(value: Json, rest: Json, file: Path) -> tuple[Json, list[Json]]:
    """Return a simulation's other keys, with its ticks, and its messages."""
    messages = _messages(value[TICKS])
    if value[TICKS] and not messages:
        what = "a run of speech whose ticks have no text; its words are only in the audio"
        raise FormatError(file, what, dialogue=str(value.get("id")))
    more = {"messages": value["messages"]} if "messages" in value else {}
    return rest | {SPOKEN: {TICKS: value[TICKS], **more}}, messages


def ticks_of(value: Json) -> Json:
    """Return a simulation with its ticks instead of messages, if they give these messages."""
    kept = value.get(SPOKEN)
    rest = {key: held for key, held in value.items() if key != SPOKEN}
    if not isinstance(kept, dict) or not isinstance(kept.get(TICKS), list):
        return rest
    if not alike(_messages(kept[TICKS]), value["messages"]):
        return rest
    del rest["messages"]
    return rest | kept


def _messages(ticks: list[Any]) -> list[Json]:
    found: list[Json] = []
    last: dict[str, int] = {}
    for number, tick in enumerate(each for each in ticks if isinstance(each, dict)):
        for message in _of_tick(tick):
            role = message["role"]
            joins = found and role in last and last[role] >= number - 1 and _joins(found[-1], role)
            if joins and "tool_calls" not in message and role != "tool":
                found[-1]["content"] += message["content"]
            else:
                found.append(message)
            last[role] = number
    return found


def _joins(message: Json, role: str) -> bool:
    return message["role"] == role and "tool_calls" not in message


def _of_tick(tick: Json) -> Iterator[Json]:
    for side, role in _SIDES:
        chunk = tick.get(side)
        chunk = chunk if isinstance(chunk, dict) else {}
        if isinstance(chunk.get("content"), str) and chunk["content"]:
            yield {"role": role, "content": chunk["content"], "timestamp": tick.get("timestamp")}
        if isinstance(chunk.get("tool_calls"), list) and chunk["tool_calls"]:
            yield {"role": role, "content": None, "tool_calls": chunk["tool_calls"]}
    for key, role in _CALLS:
        if isinstance(tick.get(key), list) and tick[key]:
            yield {"role": role, "content": None, "tool_calls": tick[key]}
    for key in _RESULTS:
        for result in tick[key] if isinstance(tick.get(key), list) else ():
            if isinstance(result, dict):
                yield {"role": "tool"} | result
