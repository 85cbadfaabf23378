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

    {"ticks": [{"tick_id": 7, "timestamp": "…", "agent_chunk": {"role": "assistant", "content":
      "Hel"}, "user_chunk": {"role": "user", "content": null}, "agent_tool_calls": [], …}]}

The ticks themselves stay with the simulation, and writing uses them if the messages are those that
they give.
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
from dialoom.errors import FormatError
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.values import Json, alike, at, text_at, without
from dialoom.formats.chat.wrapped import Wrapping, keys_of, rewarded, wrapped
from dialoom.formats.tau2 import domain as domains

TICKS, SPOKEN = "ticks", "spoken ticks"
"""The key of the ticks, and that under which a conversation keeps them."""

_SIDES = (("agent_chunk", "assistant"), ("user_chunk", "user"))
_SIDE_CALLS = (("agent_tool_calls", "assistant"), ("user_tool_calls", "user"))
_SIDE_RESULTS = ("agent_tool_results", "user_tool_results")


def _spoken(value: Json, rest: Json, file: Path) -> tuple[Json, list[Json]]:
    """Return a simulation's other keys, with its ticks, and its messages."""
    messages = _messages(value[TICKS])
    if value[TICKS] and not messages:
        what = "a run of speech whose ticks have no text; its words are only in the audio"
        raise FormatError(file, what, dialogue=str(value.get("id")), code="no-key")
    more = {"messages": value["messages"]} if "messages" in value else {}
    return rest | {SPOKEN: {TICKS: value[TICKS], **more}}, messages


def _with_ticks(value: Json) -> Json:
    """Return a simulation with its ticks instead of messages, if they give these messages."""
    kept = value.get(SPOKEN)
    rest = without(value, SPOKEN)
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
            before = found[-1] if found and role in last and last[role] >= number - 1 else {}
            calls = "tool_calls" in before or "tool_calls" in message
            if before.get("role") == role != "tool" and not calls:
                before["content"] += message["content"]
            else:
                found.append(message)
            last[role] = number
    return found


def _of_tick(tick: Json) -> Iterator[Json]:
    for side, role in _SIDES:
        chunk = at(tick, dict, side)
        if at(chunk, str, "content"):
            yield {"role": role, "content": chunk["content"], "timestamp": tick.get("timestamp")}
        if at(chunk, list, "tool_calls"):
            yield {"role": role, "content": None, "tool_calls": chunk["tool_calls"]}
    for key, role in _SIDE_CALLS:
        if at(tick, list, key):
            yield {"role": role, "content": None, "tool_calls": tick[key]}
    for key in _SIDE_RESULTS:
        for result in at(tick, list, key):
            if isinstance(result, dict):
                yield {"role": "tool"} | result


RUN = "run of simulations"
"""The key of a simulation that holds what the file says of all of them."""

_ENVIRONMENT = ("info", "environment_info")

DOMAIN = "domain of the run"
"""The key of a further simulation of a run that holds its domain."""


def split(value: Any) -> Iterator[Any]:
    """Yield the simulations of a file; the first one gets the keys of the run."""
    simulations = value.get("simulations") if isinstance(value, dict) else None
    if not isinstance(simulations, list):
        yield value
        return
    run = without(value, "simulations")
    domain = at(run, dict, *_ENVIRONMENT).get("domain_name")
    for number, each in enumerate(simulations):
        shared = {DOMAIN: domain} if number else {RUN: run}
        yield each | shared if isinstance(each, dict) else each


def joined(values: list[Json]) -> list[Json]:
    """Return the run of some simulations, or simulations that are not of a run."""
    runs = (value.get(RUN) for value in values)
    run = next((each for each in runs if isinstance(each, dict)), None)
    plain = [without(each, RUN, DOMAIN) for each in values]
    return plain if run is None else [{**run, "simulations": plain}]


def plain(value: Json, file: Path) -> Json:
    """Return the conversation of a simulation."""
    rest = without(value, "messages")
    messages = value.get("messages")
    if not messages and isinstance(value.get(TICKS), list):
        del rest[TICKS]
        rest, messages = _spoken(value, rest, file)
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
    return without(call, *function) | {"type": "function", "function": function}


def restored(value: Json) -> Json:
    """Return the simulation of a conversation."""
    messages = [_restored(each) for each in value["messages"]]
    return _with_ticks(value | {"messages": messages})


def _restored(message: Json) -> Json:
    if message.get("role") == "tool":
        return {"id" if key == "tool_call_id" else key: held for key, held in message.items()}
    calls = message.get("tool_calls")
    held = list(map(_called, calls)) if isinstance(calls, list) and calls else calls
    return message | {"tool_calls": held} if held else message


def _called(call: Any) -> Any:
    if not isinstance(call, dict) or not isinstance(call.get("function"), dict):
        return call
    return without(call, "type", "function") | call["function"]


def enrich(dialogue: Dialogue) -> Dialogue:
    """Return a dialogue with times, the scenario and the outcome of its simulation."""
    keys = keys_of(dialogue.extra)
    task = keys.get("task_id")
    tasks = (each for each in at(keys, list, RUN, "tasks") if isinstance(each, dict))
    goals = {each.get("id"): each.get("user_scenario") for each in tasks}
    environment = at(keys, dict, RUN, *_ENVIRONMENT)
    domain = keys.get(DOMAIN, environment.get("domain_name"))
    policy = text_at(environment, "policy")
    scenario = Scenario(system_task=policy, user_task=str(task), goal=goals.get(task))
    ended = text_at(keys, "termination_reason")
    return replace(
        dialogue,
        events=tuple(map(_timed, dialogue.events)),
        services=(domain,) if isinstance(domain, str) else (),
        scenario=None if task is None else scenario,
        outcome=rewarded(at(keys, dict, "reward_info").get("reward")) or ended,
    )


def _timed(event: Event) -> Event:
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
