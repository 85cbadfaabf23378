"""Runs of tau-bench (Yao et al. 2024) and its kin (tau-trait): a JSON list of trials.

    [{"task_id": 0, "trial": 0, "reward": 1.0, "info": {"task": {"user_id": "…", "actions": […],
        "instruction": "…", "outputs": []}, "user_cost": 0.01, …},
      "traj": [{"role": "system", "content": "# Policy …"}, {"role": "user", "content": "Hi"}, …]}]
    {"messages_display": "user: Hi\\nassistant: None\\ntool: Error: not found"}     few-shot lines

The trajectory has chat messages with the agent's tool calls, or ones in which agent and tools speak
in text (`Action: {…}`, `API output: …`). The system message is an instruction. The task is the
scenario's goal, and `outcome` says whether the trial was rewarded. Few-shot lines lack the names of
calls: `assistant: None` is a call without a name.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from dialoom.corpus.traits import Traits
from dialoom.dialogue import Dialogue, Scenario
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.values import Json, at, without
from dialoom.formats.chat.marks import parse, tool_call
from dialoom.formats.chat.wrapped import Wrapping, keys_of, rewarded, wrapped

_LINE = re.compile(r"^(system|user|assistant|tool): ", re.MULTILINE)
_CALL = "None"
_ACTION = re.compile(r"Action:\s*(\{.*\})\s*\Z", re.DOTALL)
_OUTPUT = "API output: "
_SPELLED = "spelled"
"""The key of a message that was spelled as text; it has that text."""
_SHORT = "few_shot"
"""The key of a conversation that is a few-shot line."""


def plain(value: Json, file: Path) -> Json:
    """Return the conversation of a trial, or of a few-shot line."""
    if isinstance(value.get("messages_display"), str):
        rest = without(value, "messages_display")
        return {**rest, _SHORT: True, "messages": _lines(value["messages_display"])}
    traj = value.get("traj")
    trial = f"{file.name.partition('.')[0]}-{value.get('task_id')}-{value.get('trial')}"
    messages = _spoken(traj) if isinstance(traj, list) else traj
    return {"id": trial, **without(value, "traj", "id"), "messages": messages}


def _lines(text: str) -> list[Json]:
    pieces = _LINE.split(text)
    before, pairs = pieces[0], list(zip(pieces[1::2], pieces[2::2], strict=True))
    messages: list[Json] = [{"role": "system", "content": before}] if before else []
    calls = 0
    for number, (role, content) in enumerate(pairs, start=1):
        content = content.removesuffix("\n") if number < len(pairs) else content
        message: Json = {"role": role, "content": content}
        if role == "assistant" and content == _CALL:
            calls += 1
            message |= {"content": None, "tool_calls": [_call(f"call_{calls}", "", None)]}
        elif role == "tool" and calls:
            message["tool_call_id"] = f"call_{calls}"
        messages.append(message)
    return messages


def _call(name: str, function: str, arguments: Any) -> Json:
    fields = {} if arguments is None else {"arguments": arguments}
    return tool_call(name, {"name": function, **fields})


def _spoken(traj: list[Any]) -> list[Any]:
    """Return the messages of a trajectory; calls and results that are texts as what they are."""
    messages: list[Any] = []
    calls = 0
    for message in traj:
        text, role = at(message, str, "content"), at(message, str, "role")
        action = _action(text) if role == "assistant" and not message.get("tool_calls") else None
        if action is not None:
            calls += 1
            name, arguments = action
            if name == "respond":
                message = message | {"content": str(arguments.get("content")), _SPELLED: text}
            else:
                call = _call(f"call_{calls}", name, arguments)
                message = message | {"content": None, "tool_calls": [call], _SPELLED: text}
        elif role == "user" and calls and text.startswith(_OUTPUT):
            result = {"role": "tool", "tool_call_id": f"call_{calls}", _SPELLED: text}
            message = message | result | {"content": text.removeprefix(_OUTPUT)}
        messages.append(message)
    return messages


def _action(text: str) -> tuple[str, Json] | None:
    match = _ACTION.search(text)
    try:
        value = parse(match[1]) if match else None
    except ValueError:
        return None
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return None
    arguments = value.get("arguments", value.get("kwargs"))
    return (value["name"], arguments) if isinstance(arguments, dict) else None


def restored(value: Json) -> Json:
    """Return the trial or the few-shot line of a conversation."""
    rest = without(value, "messages", "id", _SHORT)
    if _SHORT in value:
        return {**rest, "messages_display": "\n".join(map(_line, value["messages"]))}
    head = {"task_id": rest.pop("task_id", value.get("id"))}
    return {**head, **rest, "traj": list(map(_written, value["messages"]))}


def _line(message: Json) -> str:
    content = _CALL if message.get("tool_calls") else str(message.get("content") or "")
    return f"{message['role']}: {content}"


def _written(message: Json) -> Json:
    if _SPELLED not in message:
        return message
    role = "assistant" if message["role"] == "assistant" else "user"
    rest = without(message, _SPELLED, "tool_calls", "tool_call_id")
    return rest | {"role": role, "content": message[_SPELLED]}


def enrich(dialogue: Dialogue) -> Dialogue:
    """Return a dialogue with the scenario and the outcome of its trial."""
    keys = keys_of(dialogue.extra)
    scenario = None
    if "task_id" in keys:
        goal = at(keys, dict, "info").get("task")
        scenario = Scenario(user_task=str(keys["task_id"]), goal=goal)
    return replace(dialogue, scenario=scenario, outcome=rewarded(keys.get("reward")))


FORMAT = wrapped(
    "tau",
    Wrapping(plain, restored, enrich, marks=(_SHORT, _SPELLED)),
    Signs("traj[].role", "task_id"),
    Signs("traj", "task_id", "info.error"),
    Signs("messages_display"),
    new_name="tau_{:03d}.json",
    traits=Traits(answers=False),
)
