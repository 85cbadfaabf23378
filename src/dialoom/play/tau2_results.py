"""Reads results of tau2-bench and tau-bench as dialogues.

    {"tasks": […], "simulations": [{"task_id": "0", "trial": 0, "messages": [
        {"role": "user", "content": "…"}, {"role": "assistant", "tool_calls": [{"id": "c1",
        "name": "…", "arguments": {…}}]}, {"role": "tool", "id": "c1", "content": "{…}"}],
      "reward_info": {"reward": 1.0}}]}                                             tau2-bench
    [{"task_id": 0, "trial": 0, "reward": 1.0, "traj": [{"role": "user", …}, …]}]     tau-bench

A file may also be one simulation. The outcome is `reached` for the reward 1. What the events do not
hold is counted: simulated speech has ticks without words, and users may make calls of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from dialoom.corpus.files import parse_json, read_bytes
from dialoom.dialogue import (
    SYSTEM,
    USER,
    Capability,
    Dialogue,
    Event,
    Query,
    Result,
    Scenario,
    Utterance,
)
from dialoom.errors import FormatError, clip
from dialoom.formats.chat.arguments import exact
from dialoom.play.environments.remote import items_of

Json = dict[str, Any]


class _Function(msgspec.Struct):
    name: str
    arguments: str | Json = {}


class _ToolCall(msgspec.Struct):
    id: str = ""
    name: str = ""
    arguments: str | Json = {}
    function: _Function | None = None
    requestor: str | None = None


class _Message(msgspec.Struct):
    role: str
    content: str | None = None
    tool_calls: list[_ToolCall] | None = None
    id: str | None = None
    tool_call_id: str | None = None
    error: bool = False
    requestor: str | None = None


class _Reward(msgspec.Struct):
    reward: float | None = None


class _Simulation(msgspec.Struct):
    task_id: str | int
    trial: int = 0
    messages: list[_Message] | None = None
    traj: list[_Message] | None = None
    ticks: list[Any] | None = None
    reward: float | None = None
    reward_info: _Reward | None = None
    termination_reason: str | None = None

    @property
    def outcome(self) -> str | None:
        """Whether the goal was reached; None where nobody judged it."""
        reward = self.reward_info.reward if self.reward_info is not None else self.reward
        return None if reward is None else "reached" if reward >= 1 else "missed"


class TauResults:
    """The dialogues of a file of results.

    Args:
        path: The file.

    Attributes:
        lost: What the dialogues do not hold, with how often.

    Raises:
        MissingDataError: There is no such file.
        FormatError: It has another shape.
    """

    def __init__(self, path: Path) -> None:
        value = parse_json(read_bytes(path), path)
        self._info: Json = value.get("info") or {} if isinstance(value, dict) else {}
        alone = [] if self._info else [value]
        found = value.get("simulations", alone) if isinstance(value, dict) else value
        try:
            self._simulations = msgspec.convert(found, list[_Simulation])
        except msgspec.ValidationError as error:
            what = "no results of tau-bench or tau2-bench: should have simulations, or be a list"
            raise FormatError(path, f"{what}: {clip(str(error))}") from error
        self.lost: Counter[str] = Counter()

    @property
    def dialogues(self) -> Iterator[Dialogue]:
        """The dialogues that have words."""
        told = self._info.get("environment_info") or {}
        domain, policy = told.get("domain_name") or "", told.get("policy")
        for each in self._simulations:
            messages = each.messages or each.traj or []
            if not messages:
                what = "speech without words" if each.ticks else "no messages"
                self.lost[f"simulations with {what}"] += 1
                continue
            policies = (m.content for m in messages if m.role == "system")
            yield Dialogue(
                id=f"{each.task_id}-{each.trial + 1}",
                events=tuple(self._events(messages)),
                scenario=Scenario(
                    domains=(domain,),
                    capabilities=(Capability(domain or "tau", domain),),
                    system_task=policy or next(policies, None),
                ),
                outcome=each.outcome,
                provenance="simulated",
            )

    def _events(self, messages: list[_Message]) -> Iterator[Event]:
        asked: set[str] = set()
        for place, message in enumerate(messages):
            if message.role in ("user", "assistant"):
                agent = USER if message.role == "user" else SYSTEM
                if message.content:
                    yield Utterance(agent=agent, text=message.content)
                for number, call in enumerate(message.tool_calls or ()):
                    if message.role == "user" or call.requestor == "user":
                        self.lost["calls of users"] += 1
                        continue
                    query = _query(call, f"q{place}.{number}")
                    asked.add(query.id)
                    yield query
            elif message.role == "tool":
                name = message.tool_call_id or message.id or ""
                if name in asked:
                    yield _result(name, message)
            elif message.role != "system":
                self.lost[f"messages of {clip(message.role, 20)}"] += 1


def _query(call: _ToolCall, name: str) -> Query:
    made = call.function or call
    told = made.arguments
    arguments = _decoded(told) if isinstance(told, str) else told
    held = arguments if isinstance(arguments, dict) else {}
    return Query(id=call.id or name, api=made.name, constraints=tuple(exact(held)))


def _result(query: str, message: _Message) -> Result:
    content = message.content or ""
    if message.error:
        return Result(query=query, extra={"error": content})
    return Result(query=query, items=items_of(_decoded(content)))


def _decoded(text: str) -> Any:
    """Return the JSON value of a text, else the text."""
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
