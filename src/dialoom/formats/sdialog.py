"""SDialog (Burdisso et al. 2025): a file for each dialogue of personas, with its events.

    {"version": "0.3", "id": "12", "seed": 42, "model": {"name": "…"}, "personas": {"Ada": {…}, …},
     "turns": [{"speaker": "Ada", "text": "Hello."}, {"speaker": "Ben", "text": "Good morning."}],
     "events": [{"agent": "Ada", "action": "utter", "content": "Hello.", "timestamp": 1760308501}]}

Speakers have names of their own. The system is the one whose name or persona says so ("agent",
"assistant"), or the other one than a "user" or "customer"; else the second to speak. The names are
the dialogue's workers. Times and calls of tools are those of the events if these have the same
turns. An event needs a time; 0 means that none is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from dialoom.dialogue import Dialogue, Query, Result, Scenario, Utterance
from dialoom.dialogue.event import SYSTEM, USER, Event
from dialoom.formats.base.codec import marked
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.values import EXACT, Json, alike, at, without
from dialoom.formats.chat.marks import OWN, extra, marks_of, own_of, parsed, spell, tool_call
from dialoom.formats.chat.wrapped import Wrapping, keys_of, wrapped

_SERVES = frozenset(
    {"system", "assistant", "agent", "bot", "chatbot", "ai", "wizard", "operator"}
    | {"representative", "support", "robot", "doctor"}
)
_ASKS = frozenset({"user", "customer", "client", "human", "caller", "patient"})
"""Words in the names and roles of speakers that are the system, and the user; SDialog itself has
classes of personas for customers, support agents, patients and doctors."""

_MARKS = ("personas", "model", "seed", "version", "complete", "parentId", "dialogId")
"""Keys of a dialogue that no other layout of turns with speakers has."""

_SAYS, _CALLS = "utter", "tool"
"""Actions of events; other ones are kept as they are."""

TIME = "time"
"""The key of a message for its time in seconds."""

_ROLES = {USER: "user", SYSTEM: "assistant"}
_NAMES = {"user": "User", "assistant": "System"}
"""The names of speakers in dialogues of other formats."""


def plain(value: Json, file: Path) -> Json:
    """Return a dialogue as a conversation; events that `restored` writes are no key of it."""
    turns = value.get("turns")
    if not isinstance(turns, list) or not all(isinstance(turn, dict) for turn in turns):
        return value
    rest = without(value, "turns")
    agents = _agents(turns, value.get("personas"))
    head = {} if "id" in rest or "dialogId" not in rest else {"id": rest["dialogId"]}
    messages = list(_messages(turns, value.get("events"), agents))
    if value.get("events") and alike(list(_events(messages)), value["events"]):
        del rest["events"]
    return head | rest | {"messages": messages}


def _agents(turns: list[Json], personas: Any) -> dict[str, str]:
    """Return the role of each speaker; those after the first two speakers have their names."""
    names = list(dict.fromkeys(str(turn.get("speaker")) for turn in turns))
    words = {name: _words(name, personas) for name in names}
    serves = [name for name in names if words[name] & _SERVES and not words[name] & _ASKS]
    asks = [name for name in names if words[name] & _ASKS and not words[name] & _SERVES]
    others = [name for name in names if name not in serves]
    user = asks[0] if asks else next(iter(others), names[0] if names else "")
    rest = [name for name in serves + names if name != user]
    return {name: name for name in names} | {user: "user"} | dict.fromkeys(rest[:1], "assistant")


def _words(name: str, personas: Any) -> frozenset[str]:
    text = f"{name} {at(personas, str, name, 'role')}"
    return frozenset(re.findall(r"[a-z]+", text.lower()))


def _fits(events: Any, turns: list[Json]) -> bool:
    """True if events have the speakers and texts of the turns."""
    records = [event for event in at(events, list) if isinstance(event, dict)]
    pairs = [(e.get("agent"), e.get("content")) for e in records if e.get("action") == _SAYS]
    return pairs == [(turn.get("speaker"), turn.get("text")) for turn in turns]


def _messages(turns: list[Json], events: Any, agents: Mapping[str, str]) -> Iterator[Json]:
    waiting = iter(turns)
    alone: list[Json] = [{"action": _SAYS}] * len(turns)
    for event in at(events, list) if events and _fits(events, turns) else alone:
        action, content = at(event, str, "action"), at(event, dict, "content")
        time = {TIME: event["timestamp"]} if at(event, dict).get("timestamp") else {}
        if action == _SAYS:
            turn = next(waiting)
            role = agents[str(turn.get("speaker"))]
            text = {"content": turn["text"]} if "text" in turn else {}
            yield {"role": role, **text, **without(turn, "text"), **time}
        elif action == _CALLS:
            yield from (message | time for message in _tool(content))


def _tool(content: Json) -> Iterator[Json]:
    name = str(content.get("call_id", content.get("id", "")))
    output = content.get("output", content.get("result"))
    if output is not None:
        text = output if isinstance(output, str) else spell(output, {})
        yield {"role": "tool", "tool_call_id": name, "content": text}
    elif isinstance(content.get("name"), str):
        arguments = content.get("args", content.get("arguments", {}))
        function = {"name": content["name"], "arguments": arguments}
        yield {"role": "assistant", "content": None, "tool_calls": [tool_call(name, function)]}


def _events(messages: list[Json]) -> Iterator[Json]:
    """Yield the events of messages; none if there are neither times nor calls."""
    if all(message.keys().isdisjoint((TIME, "tool_calls", "tool_call_id")) for message in messages):
        return
    spoken = [message for message in reversed(messages) if _speaks(message)]
    names = _NAMES | {message["role"]: _turn(message)["speaker"] for message in spoken}
    functions: Json = {}

    def event(message: Json, action: str, label: str | None, content: Any) -> Json:
        speaker = names.get(message["role"], names["assistant"])
        head = {"agent": speaker, "action": action, "actionLabel": label, "content": content}
        return head | {"timestamp": message.get(TIME) or 0}

    for message in messages:
        if _speaks(message):
            turn = _turn(message)
            yield event(message, _SAYS, None, turn["text"]) | {"agent": turn["speaker"]}
        for call in message.get("tool_calls") or ():
            id, arguments = at(call, str, "id"), at(call, dict, "function").get("arguments", {})
            functions[id] = name = at(call, str, "function", "name")
            content = {"name": name, "call_id": id, "args": parsed(arguments)}
            yield event(message, _CALLS, "call", content)
        if message["role"] == "tool":
            id = at(message, str, "tool_call_id")
            content = {"name": functions.get(id), "call_id": id, "output": message.get("content")}
            yield event(message, _CALLS, "output", content)


def restored(value: Json) -> Json:
    """Return the dialogue of a conversation; times and calls are in its events."""
    messages = value["messages"]
    rest = without(value, "messages", "events")
    rest = rest if rest.keys() & set(_MARKS) else {**rest, "complete": True}
    if "dialogId" in rest:
        rest.pop("id", None)
    turns = list(map(_turn, filter(_speaks, messages)))
    more = {"events": value["events"]} if "events" in value else {}
    if not _fits(value.get("events"), turns) and (events := list(_events(messages))):
        more = {"events": events}
    return rest | {"turns": turns} | more


def _speaks(message: Json) -> bool:
    text = message.get("content")
    return message["role"] not in ("tool", "system", "developer") and (
        "speaker" in message or bool(text) or "tool_calls" not in message
    )


def _turn(message: Json) -> Json:
    more = without(message, "role", "content", TIME, "tool_calls", "name")
    speaker = message.get("name") or _NAMES.get(message["role"], message["role"])
    return {"speaker": speaker, "text": at(message, str, "content")} | more


def enrich(dialogue: Dialogue) -> Dialogue:
    """Return a dialogue with the names of its speakers, its times and its scenario."""
    keys = keys_of(dialogue.extra)
    workers: dict[str, str] = {}
    for event in dialogue.events:
        speaker = keys_of(event.extra).get("speaker")
        if isinstance(event, Utterance) and event.agent in _ROLES and isinstance(speaker, str):
            workers.setdefault(event.agent, speaker)
    goal = keys.get("scenario")
    return replace(
        dialogue,
        workers=workers,
        events=tuple(map(_timed, dialogue.events)),
        scenario=None if goal is None else Scenario(goal=goal),
    )


def _timed(event: Event) -> Event:
    seconds = keys_of(event.extra).get(TIME)
    if not isinstance(event, Utterance | Query | Result) or not isinstance(seconds, int | float):
        return event
    if not abs(seconds) < EXACT:  # infinite or no number, too
        return event
    return replace(event, time=round(seconds * 1000))


def noted(dialogue: Dialogue) -> Dialogue:
    """Return a dialogue with the times of its events as marks, in whole seconds."""
    return replace(dialogue, events=tuple(map(_noted, dialogue.events)))


def _noted(event: Event) -> Event:
    if isinstance(event, Query):  # in a message of its own, which has its time
        apart = extra(marks_of(event.extra) | {"apart": True})
        event = replace(event, extra=event.extra | apart)
    if _timed(replace(event, time=None)).time == event.time:
        return event
    seconds = None if event.time is None else round(event.time / 1000)
    return replace(event, extra=marked(event.extra, **{OWN: own_of(event.extra) | {TIME: seconds}}))


FORMAT = wrapped(
    "sdialog",
    Wrapping(plain, restored, enrich, noted=noted, marks=(TIME,), texts=True),
    Signs("turns[].speaker", "turns[].text", "|".join(_MARKS)),
    new_name="dialog_{:05d}.json",
    per_file=1,
)
