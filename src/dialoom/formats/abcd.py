"""ABCD, action-based conversations (Chen et al. 2021): customers, agents and the agents' actions.

    abcd_v1.1.json     {"train": [ … ], "dev": [ … ], "test": [ … ]}, or the list of one part

    {"convo_id": 12, "scenario": {"flow": "product_defect", "subflow": "return_size",
                                  "personal": {"customer_name": "ada"}, "order": {…}},
     "original": [["customer", "It is too small."], ["action", "Account has been pulled up."]],
     "delexed": [{"speaker": "customer", "text": "it is too small.", "turn_count": 1,
                  "targets": ["return_size", null, null, [], -1], "candidates": []},
                 {…, "targets": ["return_size", "take_action", "pull-up-account", ["ada"], -1]}]}

An action is a query with its result: the button is the call, and the values are named after the
scenario's fields that have them, else `value`. The subflow is the service and the user's task, and
the intent in the state of each customer's turn. The delexicalised turns and the ranked replies stay
with the utterances.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from dialoom.dialogue import GOLD, USER, Dialogue, Layer, Part, Scenario, State, Utterance
from dialoom.dialogue.event import Event
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.values import Json, at, without
from dialoom.formats.chat.content import KB_NAME
from dialoom.formats.chat.marks import named, parsed, tool_call
from dialoom.formats.chat.wrapped import Wrapping, keys_of, wrapped

TURN, PART = "delexed", "part of the file"
"""Keys of a message for its delexicalised turn, and of a conversation for its split."""

_ROLES = {"customer": "user", "agent": "assistant"}
_SPEAKERS = {role: speaker for speaker, role in _ROLES.items()}
_ACTION, _TAKES, _SAYS = "action", "take_action", "retrieve_utterance"


def split(value: Any) -> Iterator[Any]:
    """Yield the conversations of a file, each with the name of its part."""
    if not isinstance(value, dict) or "convo_id" in value:
        yield value
        return
    for name, members in value.items():
        for each in at(members, list):
            yield each | {PART: name} if isinstance(each, dict) else each


def joined(values: list[Json]) -> list[Json]:
    """Return the parts of some conversations, or those that are in no part."""
    if not values or not all(isinstance(value.get(PART), str) for value in values):
        return values
    parts: Json = {}
    for value in values:
        parts.setdefault(value[PART], []).append(without(value, PART))
    return [parts]


def plain(value: Json, file: Path) -> Json:
    """Return a conversation as one of chat messages."""
    original, turns = value.get("original"), value.get("delexed")
    rest = without(value, "convo_id", "original")
    if not isinstance(original, list):
        return rest | {"messages": original}
    if not isinstance(turns, list) or len(turns) != len(original):
        turns = [None] * len(original)
    else:
        del rest["delexed"]
    fields = _fields(value.get("scenario"))
    messages: list[Any] = []
    for number, (entry, turn) in enumerate(zip(original, turns, strict=True), start=1):
        messages += _messages(entry, turn, f"call_{number}", fields)
    return {"id": value.get("convo_id"), **rest, "messages": messages}


def _fields(scenario: Any) -> dict[str, str]:
    fields: dict[str, str] = {}
    for group in at(scenario, dict).values():
        for name, entry in at(group, dict).items():
            for each in entry if isinstance(entry, list) else [entry]:
                fields.setdefault(str(each).lower(), name)
    return fields


def _messages(pair: Any, turn: Any, name: str, fields: Mapping[str, str]) -> Iterator[Any]:
    valid = isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str)
    if not valid:
        yield pair  # no message: reading refuses it
        return
    speaker, text = pair
    more = {} if turn is None else {TURN: turn}
    if speaker != _ACTION:
        yield {"role": _ROLES.get(speaker, speaker), "content": text} | more
        return
    targets = at(turn, list, "targets")
    button, values = (targets[2], targets[3]) if len(targets) > 3 else (None, [])
    arguments: Json = {}
    for each in at(values, list):
        slot = fields.get(str(each).lower(), "value")
        number = 2
        while slot in arguments:
            slot, number = f"{slot.rstrip('0123456789').rstrip('_')}_{number}", number + 1
        arguments[slot] = each
    function = {"name": button if isinstance(button, str) else "", "arguments": arguments}
    yield {"role": "assistant", "content": None, "tool_calls": [tool_call(name, function)]}
    yield {"role": "tool", "tool_call_id": name, "content": text} | more


def restored(value: Json) -> Json:
    """Return the conversation of chat messages."""
    rest = without(value, "id", "messages")
    original: list[list[str]] = []
    turns: list[Any] = []
    calls: dict[str, Json] = {}
    task = at(rest, str, "scenario", "subflow") or None
    for message in value["messages"]:
        for call in message.get("tool_calls") or ():
            calls[str(call.get("id"))] = call.get("function", {})
        text, role = message.get("content"), message["role"]
        speaker = _ACTION if role == "tool" else _SPEAKERS.get(role, role)
        if ("tool_calls" in message and not text) or message.get("name") == KB_NAME:
            continue  # a call is in the turn of its result; ABCD has no results without a call
        original.append([speaker, text if isinstance(text, str) else ""])
        function = calls.get(str(message.get("tool_call_id")))
        turns.append(message.get(TURN) or _turn(original[-1], len(turns) + 1, task, function))
    head = {"convo_id": value.get("id"), "original": original}
    return head | ({} if "delexed" in rest else {"delexed": turns}) | rest


def _turn(pair: list[str], number: int, task: str | None, call: Json | None) -> Json:
    targets: list[Any] = [task, _SAYS if pair[0] == "agent" else None, None, [], -1]
    if call is not None:
        arguments = parsed(call.get("arguments"))
        targets[1:4] = [_TAKES, call.get("name"), list(at(arguments, dict).values())]
    head = {"speaker": pair[0], "text": pair[1].lower(), "turn_count": number}
    return head | {"targets": targets, "candidates": []}


def enrich(dialogue: Dialogue) -> Dialogue:
    """Return a dialogue with its scenario, and the intent of each customer's turn."""
    facts = at(keys_of(dialogue.extra), dict, "scenario")
    flow, task = facts.get("flow"), facts.get("subflow")
    if not isinstance(task, str):
        return dialogue
    domains = (flow,) if isinstance(flow, str) else ()
    goal = without(facts, "flow", "subflow")
    scenario = Scenario(domains=domains, user_task=task, goal=goal)
    events = tuple(_labelled(event, task) for event in dialogue.events)
    return replace(dialogue, services=(task,), scenario=scenario, events=events)


def _labelled(event: Event, task: str) -> Event:
    targets = at(keys_of(event.extra), list, TURN, "targets")
    if not isinstance(event, Utterance) or event.agent != USER or not targets:
        return event
    intent = targets[0] if isinstance(targets[0], str) else None
    return replace(event, layers=(Layer(GOLD, (Part(task, state=State(intent=intent)),)),))


_SIGNS = ("convo_id", "original[]", "delexed[].speaker|text")

FORMAT = wrapped(
    "abcd",
    Wrapping(plain, restored, enrich, split, joined, marks=(PART,), texts=True, noted=named),
    Signs(*_SIGNS),
    Signs(*(f"train|dev|test[].{each}" for each in _SIGNS)),
    new_name="abcd_{:03d}.json",
)
