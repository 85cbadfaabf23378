"""Runs of tau2-bench (Barres et al. 2025): results of many simulations, or one simulation a file.

    results.json           {"timestamp": "…", "info": {…}, "tasks": […], "simulations": […]}
    simulations/*.json     {"id": "…", "task_id": "40", "trial": 0, "reward_info": {"reward": 1.0},
                            "termination_reason": "user_stop", "messages": [
      {"role": "assistant", "content": null, "tool_calls": [
        {"id": "1", "name": "find", "arguments": {"area": "north"}, "requestor": "assistant"}]},
      {"role": "tool", "id": "1", "content": "[]", "requestor": "assistant", "error": false}]}

Users may call tools of their own; such a query has the agent `user`. `outcome` says whether the
simulation was rewarded; where nobody judged it, it is the reason of the end. The scenario has the
task, the first one of a run also the policy and the instructions as the goal; the domain is the
service. Keys of the run as a whole are kept with its first simulation. Runs of speech
have ticks instead of messages: what one side says in consecutive ticks is an utterance; such a run
without any text is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from dialoom.corpus.traits import Traits
from dialoom.dialogue import Dialogue, Query, Result, Scenario, Utterance
from dialoom.dialogue.event import Event
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.values import Json
from dialoom.formats.chat.wrapped import Wrapping, keys_of, rewarded, wrapped
from dialoom.formats.tau2 import domain as domains
from dialoom.formats.tau2.ticks import TICKS, messages_of, ticks_of

RUN = "run of simulations"
"""The key of a simulation that holds what the file says of all of them."""

DOMAIN = "domain of the run"
"""The key of a further simulation of a run that holds its domain."""


def split(value: Any) -> Iterator[Any]:
    """Yield the simulations of a file; the first one gets the keys of the run."""
    simulations = value.get("simulations") if isinstance(value, dict) else None
    if not isinstance(simulations, list):
        yield value
        return
    run = {key: held for key, held in value.items() if key != "simulations"}
    domain = _within(run.get("info"), "environment_info", "domain_name")
    for number, each in enumerate(simulations):
        shared = {DOMAIN: domain} if number else {RUN: run}
        yield each | shared if isinstance(each, dict) else each


def joined(values: list[Json]) -> list[Json]:
    """Return the run of some simulations, or simulations that are not of a run."""
    runs = (value.get(RUN) for value in values)
    run = next((each for each in runs if isinstance(each, dict)), None)
    plain = [{k: held for k, held in each.items() if k not in (RUN, DOMAIN)} for each in values]
    return plain if run is None else [{**run, "simulations": plain}]


def plain(value: Json, file: Path) -> Json:
    """Return the conversation of a simulation."""
    rest = {key: held for key, held in value.items() if key != "messages"}
    messages = value.get("messages")
    if not messages and isinstance(value.get(TICKS), list):
        del rest[TICKS]
        rest, messages = messages_of(value, rest, file)
    if isinstance(messages, list):
        messages = [_plain(each) if isinstance(each, dict) else each for each in messages]
    return rest | {"messages": messages}


def _plain(message: Json) -> Json:
    calls = message.get("tool_calls")
    if message.get("role") == "tool" and "id" in message and "tool_call_id" not in message:
        message = {"tool_call_id" if key == "id" else key: v for key, v in message.items()}
    if isinstance(calls, list) and calls:
        message = message | {"tool_calls": list(map(_call, calls))}
    return message


def _call(call: Any) -> Any:
    if not isinstance(call, dict) or "name" not in call:
        return call
    function = {key: call[key] for key in ("name", "arguments") if key in call}
    rest = {key: held for key, held in call.items() if key not in function}
    return rest | {"type": "function", "function": function}


def restored(value: Json) -> Json:
    """Return the simulation of a conversation."""
    messages = [_restored(each) for each in value["messages"]]
    return ticks_of(value | {"messages": messages})


def _restored(message: Json) -> Json:
    if message.get("role") == "tool":
        return {"id" if key == "tool_call_id" else key: held for key, held in message.items()}
    calls = message.get("tool_calls")
    held = list(map(_called, calls)) if isinstance(calls, list) and calls else calls
    return message | {"tool_calls": held} if held else message


def _called(call: Any) -> Any:
    if not isinstance(call, dict) or not isinstance(call.get("function"), dict):
        return call
    rest = {key: held for key, held in call.items() if key not in ("type", "function")}
    return rest | call["function"]


def enrich(dialogue: Dialogue) -> Dialogue:
    """Return a dialogue with times, the scenario and the outcome of its simulation."""
    keys = keys_of(dialogue.extra)
    reason, task = keys.get("termination_reason"), keys.get("task_id")
    run = keys.get(RUN)
    info, tasks = (run.get("info"), run.get("tasks")) if isinstance(run, dict) else (None, None)
    goals = {
        each.get("id"): each.get("user_scenario")
        for each in (tasks if isinstance(tasks, list) else ())
        if isinstance(each, dict)
    }
    domain = keys.get(DOMAIN, _within(info, "environment_info", "domain_name"))
    policy = _within(info, "environment_info", "policy")
    scenario = Scenario(
        system_task=policy if isinstance(policy, str) else None,
        user_task=str(task),
        goal=goals.get(task),
    )
    ended = reason if isinstance(reason, str) else None
    return replace(
        dialogue,
        events=tuple(map(_timed, dialogue.events)),
        services=(domain,) if isinstance(domain, str) else (),
        scenario=None if task is None else scenario,
        outcome=rewarded(_within(keys, "reward_info", "reward")) or ended,
    )


def _within(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _timed(event: Event) -> Event:
    """Return an event with the time of its message, in milliseconds since 1970 (UTC)."""
    stamp = keys_of(event.extra).get("timestamp")
    if not isinstance(event, Utterance | Query | Result) or not isinstance(stamp, str):
        return event
    try:
        moment = datetime.fromisoformat(stamp)
    except ValueError:
        return event
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return replace(event, time=round(moment.timestamp() * 1000))


FORMAT = wrapped(
    "tau2",
    Wrapping(plain, restored, enrich, split, joined),
    Signs("simulations[].messages|ticks", "simulations[].task_id", "info"),
    Signs("messages|ticks", "termination_reason", "task_id"),
    new_name="tau2_{:03d}.json",
    traits=Traits(schema_files=("domains of tau2-bench",)),
    read_schemas=domains.read,
)
