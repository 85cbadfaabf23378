"""Other places of the messages of a conversation than `messages`.

    {"prompt": [messages], "completion": [messages]}                  TRL, also with "label"
    {"prompt": [messages], "chosen": [messages], "rejected": [messages]}
    {"chosen_messages": [messages], "rejected_messages": [messages]}  LLaMA-Factory v1
    {"conversations": [messages], "chosen": message, "rejected": message}
    {"input": {"messages": [messages]}, "preferred_output": [messages], …}          OpenAI
    {"conversation_a": [messages], "conversation_b": [messages], "winner": "model_a"}   arenas
    {"items": [{"from": "human", "value": "Hi."}, …]}                               ShareGPT
    {"system": "…", "history": [["Hi.", "Hello."]], "instruction": "…", "input": "", "output": "…"}

The conversation is that of the chosen answer, or of the first model; the other one stays as it is.
A conversation is written with all of its messages under `messages`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dialoom.formats.base.signs import Sign, Signs
from dialoom.formats.base.values import Json
from dialoom.formats.chat.pieces import Messages, is_foreign

PLACES = (
    ("messages",),
    ("prompt", "completion"),
    ("prompt", "chosen"),
    ("conversations", "chosen"),
    ("input.messages", "preferred_output"),
    ("chosen_messages",),
    ("chosen",),
    ("conversations",),
    ("conversation",),
    ("conversation_a",),
    ("items",),
)
"""The keys of lists of messages, or of single ones; the first set that a conversation has counts.
A dot is between the keys of an object within an object."""

BLOCKS = (
    "messages[].parts",
    "messages[].toolInvocations",
    "messages[].content[].toolUse|toolResult|toolCallId",
)
"""Fields of messages of other services; the format `messages` reads them."""

_ASKED, _MORE, _ANSWERS = "instruction", "input", ("output", "chosen", "response")


def signs(roles: Sequence[str], speakers: Sequence[str]) -> tuple[Signs, ...]:
    """Return the signs of conversations with messages in these places."""
    first = [places for places in PLACES if places != ("messages",)]
    spelled = [
        Signs(
            *(place.partition(".")[0] for place in places),
            Sign(f"{places[0]}[].role", *roles),
            without=("messages",),
        )
        for places in first
    ]
    turns = [
        Signs(f"{key}[].value", Sign(f"{key}[].from", *speakers))
        for key in ("conversations", "items")
    ]
    answered = (Signs(_ASKED, key, without=("messages",)) for key in _ANSWERS)
    return *turns, *spelled, *answered


def plain(value: Json) -> Json:
    """Return a conversation with its messages in the wire format; as it is if they are."""
    places = next((each for each in PLACES if all(_held(value, key) for key in each)), None)
    if places is None:
        return _from_alpaca(value)
    messages = [message for place in places for message in _held(value, place)]
    if places == ("messages",) and not any(map(is_foreign, messages)):
        return value
    made = Messages()
    for message in messages:
        if is_foreign(message):
            made.add(message, "user")
        else:
            made.keep(message)
    return {key: held for key, held in value.items() if key not in places} | {
        "messages": made.found
    }


def _at(value: Json, place: str) -> Any:
    first, _, second = place.partition(".")
    held = value.get(first)
    return held.get(second) if second and isinstance(held, dict) else held


def _held(value: Json, place: str) -> list[Json]:
    held = _at(value, place)
    several = [held] if isinstance(held, dict) else held
    if not isinstance(several, list):
        return []
    known = all(isinstance(each, dict) and ("role" in each or "from" in each) for each in several)
    return several if known else []


def _from_alpaca(value: Json) -> Json:
    answer = next((key for key in _ANSWERS if isinstance(value.get(key), str)), None)
    history = value.get("history") or []
    known = isinstance(history, list) and all(_is_pair(each) for each in history)
    if answer is None or not isinstance(value.get(_ASKED), str) or not known:
        return value
    if not isinstance(value.get(_MORE, ""), str):
        return value
    asked = "\n".join(filter(None, (value[_ASKED], value.get(_MORE))))
    pairs = [*history, [asked, value[answer]]]
    system = value.get("system")
    messages = [{"role": "system", "content": system}] if isinstance(system, str) else []
    roles = ("user", "assistant")
    messages += [{"role": r, "content": t} for p in pairs for r, t in zip(roles, p, strict=True)]
    without = (
        _ASKED,
        _MORE,
        "history",
        answer,
        *(("system",) if messages[0]["role"] == "system" else ()),
    )
    return {key: held for key, held in value.items() if key not in without} | {"messages": messages}


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(v, str) for v in value)
