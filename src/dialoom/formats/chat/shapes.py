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
One key keeps the source of a conversation, from which `restored` spells it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dialoom.formats.base.signs import Sign, Signs
from dialoom.formats.base.values import Json, alike, without

SHAPE = "places of messages"
"""The key of a conversation whose messages had other places."""

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

_ALPACA = "alpaca"
_ASKED, _MORE, _ANSWERS = "instruction", "input", ("output", "chosen", "response")


def signs(roles: Sequence[str]) -> tuple[Signs, ...]:
    """Return the signs of conversations with messages in these places."""
    first = [places for places in PLACES if places != ("messages",)]
    variants = [
        Signs(
            *(place.partition(".")[0] for place in places),
            Sign(f"{places[0]}[].role", *roles),
            without=("messages", f"{places[0]}[].from"),
        )
        for places in first
    ]
    turns = [Signs(f"{key}[].value", f"{key}[].from") for key in ("conversations", "items")]
    answered = (Signs(_ASKED, key, without=("messages",)) for key in _ANSWERS)
    return *turns, *variants, *answered


def plain(value: Json) -> Json:
    """Return a conversation with its messages in one list; as it is if it has no such messages."""
    match = next((each for each in PLACES if all(_held(value, key) for key in each)), None)
    empty = (each for each in PLACES if all(_at(value, key) == [] for key in each))
    places = match or (None if _ASKED in value else next(empty, None))
    if places == ("messages",) or SHAPE in value:
        return value
    if places is None:
        return _from_alpaca(value)
    parts = [_held(value, place) for place in places]
    messages = [message for part in parts for message in part]
    turns = bool(messages) and all("from" in message for message in messages)
    if turns and places == ("conversations",):
        return value
    sizes = [
        len(part) if isinstance(_at(value, k), list) else -1
        for k, part in zip(places, parts, strict=True)
    ]
    rest = without(value, *places)
    shape = {"keys": list(places), "sizes": sizes}
    new = rest | {SHAPE: shape, "conversations" if turns else "messages": messages}
    return new if alike(restored(new), value) else value


def _at(value: Json, place: str) -> Any:
    first, _, second = place.partition(".")
    member = value.get(first)
    return member.get(second) if second and isinstance(member, dict) else member


def _held(value: Json, place: str) -> list[Json]:
    content = _at(value, place)
    several = [content] if isinstance(content, dict) else content
    if not isinstance(several, list):
        return []
    valid = all(isinstance(each, dict) and ("role" in each or "from" in each) for each in several)
    return several if valid else []


def restored(value: Json) -> Json:
    """Return a conversation with its messages in the places in which they were read."""
    shape = value.get(SHAPE)
    if not isinstance(shape, dict):
        return value
    key = "messages" if "messages" in value else "conversations"
    messages = value.get(key, [])
    rest = without(value, SHAPE, key)
    if shape.get("keys") == _ALPACA:
        return _as_alpaca(rest, messages, shape)
    places, sizes = tuple(shape.get("keys") or ()), tuple(shape.get("sizes") or ())
    if places not in PLACES or len(sizes) != len(places):
        return value  # a mark of a file's own
    start = 0
    for place, size in zip(places, sizes, strict=True):
        last = place == places[-1]
        end = len(messages) if last else start + abs(size)
        part = messages[start:end]
        first, _, second = place.partition(".")
        new: Any = part[0] if size < 0 and len(part) == 1 else part
        around = rest.get(first)
        rest[first] = (
            {**(around if isinstance(around, dict) else {}), second: new} if second else new
        )
        start = end
    return rest


def _from_alpaca(value: Json) -> Json:
    answer = next((key for key in _ANSWERS if isinstance(value.get(key), str)), None)
    history = value.get("history") or []
    valid = isinstance(history, list) and all(_is_pair(each) for each in history)
    if answer is None or not isinstance(value.get(_ASKED), str) or not valid:
        return value
    if not isinstance(value.get(_MORE, ""), str):
        return value
    prompt = "\n".join(filter(None, (value[_ASKED], value.get(_MORE))))
    pairs = [*history, [prompt, value[answer]]]
    system = value.get("system")
    messages = [{"role": "system", "content": system}] if isinstance(system, str) else []
    roles = ("user", "assistant")
    messages += [{"role": r, "content": t} for p in pairs for r, t in zip(roles, p, strict=True)]
    fields = {key: value[key] for key in (_ASKED, _MORE, "history") if key in value}
    shape = {"keys": _ALPACA, "answer": answer, "kept": fields}
    hidden = (*fields, answer, *(("system",) if isinstance(system, str) else ()))
    return without(value, *hidden) | {SHAPE: shape, "messages": messages}


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(v, str) for v in value)


def _as_alpaca(rest: Json, messages: list[Json], shape: Json) -> Json:
    texts = [str(m.get("content") or "") for m in messages if m["role"] in ("user", "assistant")]
    system = [m.get("content") for m in messages if m["role"] == "system"]
    fields = dict(shape.get("kept", {}))
    prompt = "\n".join(filter(None, (fields.get(_ASKED), fields.get(_MORE))))
    history = [list(pair) for pair in zip(texts[:-2:2], texts[1:-2:2], strict=False)]
    if texts[-2:-1] != [prompt]:
        fields |= {_ASKED: texts[-2] if len(texts) > 1 else "", _MORE: ""}
    if history or fields.get("history"):
        fields["history"] = history
    more = {"system": system[0]} if system else {}
    return rest | fields | more | {shape["answer"]: texts[-1] if texts else ""}
