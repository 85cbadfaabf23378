"""Runs of tau2-bench (Barres et al. 2025): results of many simulations, or one simulation a file.

    results.json           {"timestamp": "…", "info": {…}, "tasks": […], "simulations": […]}
    simulations/*.json     {"id": "…", "task_id": "40", "trial": 0, "reward_info": {"reward": 1.0},
                            "termination_reason": "user_stop", "messages": [
      {"role": "assistant", "content": null, "tool_calls": [
        {"id": "1", "name": "find", "arguments": {"area": "north"}, "requestor": "assistant"}]},
      {"role": "tool", "id": "1", "content": "[]", "requestor": "assistant", "error": false}]}

Users may call tools of their own; such a query has the agent `user`. `outcome` says whether the
simulation was rewarded; where nobody judged it, it is the reason of the end. The scenario has the
task, the policy, and the instructions as the goal; the domain is the service. Keys of the run as a
whole are kept with each simulation, but further tasks only with the first. A file in `simulations/`
is read with the results.json next to that folder, which is not written again. Runs of speech have
ticks instead of messages: what one side says in consecutive ticks is an utterance; such a run
without any text is refused.

    {"ticks": [{"tick_id": 7, "timestamp": "…", "agent_chunk": {"role": "assistant", "content":
      "Hel"}, "user_chunk": {"role": "user", "content": null}, "agent_tool_calls": [], …}]}

The ticks themselves stay with the simulation, and writing uses them if the messages are those that
they give.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from dialoom.corpus.files import parse_json
from dialoom.corpus.listing import file_or_gz
from dialoom.corpus.traits import Traits
from dialoom.dialogue import Dialogue, Query, Result, Scenario, Utterance
from dialoom.dialogue.event import Event
from dialoom.errors import FormatError
from dialoom.formats.base.multi_file import content
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.values import Json, alike, at, text_at, without
from dialoom.formats.chat.marks import parsed
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
    speech = value.get(SPOKEN)
    rest = without(value, SPOKEN)
    if not isinstance(speech, dict) or not isinstance(speech.get(TICKS), list):
        return rest
    if not alike(_messages(speech[TICKS]), value["messages"]):
        return rest
    del rest["messages"]
    return rest | speech


def _messages(ticks: list[Any]) -> list[Json]:
    messages: list[Json] = []
    last: dict[str, int] = {}
    for number, tick in enumerate(each for each in ticks if isinstance(each, dict)):
        for message in _of_tick(tick):
            role = message["role"]
            before = messages[-1] if messages and role in last and last[role] >= number - 1 else {}
            calls = "tool_calls" in before or "tool_calls" in message
            if before.get("role") == role != "tool" and not calls:
                before["content"] += message["content"]
            else:
                messages.append(message)
            last[role] = number
    return messages


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


RUN, FOLDER = "run of simulations", "run of the folder"
"""The keys of a simulation that hold what its file, or results.json, says of all of them."""

TEXTS = "arguments as texts"
"""The key of a message with calls whose arguments are texts of JSON, as the OpenAI wire format has
them; tau2-bench has objects."""

_ENVIRONMENT = ("info", "environment_info")

_FILES, _RESULTS = "simulations", "results.json"
"""The folder of simulations in files of their own, and the file next to it."""


def split(value: Any) -> Iterator[Any]:
    """Yield the simulations of a file with the keys of the run; the first one gets all tasks."""
    simulations = value.get("simulations") if isinstance(value, dict) else None
    if not isinstance(simulations, list):
        yield value
        return
    run = without(value, "simulations")
    for number, each in enumerate(simulations):
        yield each | {RUN: _shared(run, each) if number else run} if type(each) is dict else each


def _shared(run: Json, simulation: Json) -> Json:
    return run | {"tasks": _tasks(run, simulation.get("task_id"))}


def _tasks(run: Json, name: Any) -> list[Json]:
    tasks = (each for each in at(run, list, "tasks") if isinstance(each, dict))
    return [task for task in tasks if _name(task) == str(name)]


def _name(task: Any) -> str:
    return str(at(task, dict).get("id"))


def joined(values: list[Json]) -> list[Json]:
    """Return the run of some simulations, or simulations that are not of a run."""
    runs = [run for value in values if isinstance(run := value.get(RUN), dict)]
    plain = [without(each, RUN) for each in values]
    if not runs:
        return plain
    tasks = at(runs[0], list, "tasks")
    others = {_name(task): task for run in runs[1:] for task in at(run, list, "tasks")}
    more = [task for name, task in others.items() if name not in set(map(_name, tasks))]
    return [runs[0] | ({"tasks": tasks + more} if more else {}) | {"simulations": plain}]


@lru_cache(maxsize=4)
def _run(results: Path, changed: int) -> Json:
    return without(at(parse_json(content(results), results), dict), "simulations")


def plain(value: Json, file: Path) -> Json:
    """Return the conversation of a simulation."""
    rest = without(value, "messages")
    results = file_or_gz(file.parent.with_name(_RESULTS)) if file.parent.name == _FILES else None
    if results is not None and RUN not in value:
        rest[FOLDER] = _shared(_run(results, results.stat().st_mtime_ns), value)
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
        texts = any(at(call, str, "arguments") for call in calls)
        message = (
            message | {"tool_calls": list(map(_call, calls))} | ({TEXTS: True} if texts else {})
        )
    return message


def _call(call: Any) -> Any:
    if not isinstance(call, dict) or "name" not in call:
        return call
    function = {key: call[key] for key in ("name", "arguments") if key in call}
    return without(call, *function) | {"type": "function", "function": function}


def restored(value: Json) -> Json:
    """Return the simulation of a conversation."""
    value = without(value, FOLDER) | {"messages": list(map(_restored, value["messages"]))}
    if RUN not in value:  # without these keys, a file of one simulation is not recognised
        value.setdefault("task_id", value.get("id"))
        value.setdefault("termination_reason", None)
    return _with_ticks(value)


def _restored(message: Json) -> Json:
    if message.get("role") == "tool":
        return {"id" if key == "tool_call_id" else key: value for key, value in message.items()}
    calls = message.get("tool_calls")
    restore = _called if TEXTS in message else lambda call: _with_object(_called(call))
    value = list(map(restore, calls)) if isinstance(calls, list) and calls else calls
    return without(message, TEXTS) | ({"tool_calls": value} if value else {})


def _called(call: Any) -> Any:
    if not isinstance(call, dict) or not isinstance(call.get("function"), dict):
        return call
    return without(call, "type", "function") | call["function"]


def _with_object(call: Any) -> Any:
    """Return a call whose arguments are an object, as tau2-bench reads them, not its text."""
    arguments = parsed(at(call, dict).get("arguments"))
    return call | {"arguments": arguments} if isinstance(arguments, dict) else call


def enrich(dialogue: Dialogue) -> Dialogue:
    """Return a dialogue with times, the scenario and the outcome of its simulation."""
    keys = keys_of(dialogue.extra)
    task = keys.get("task_id")
    run = at(keys, dict, RUN) or at(keys, dict, FOLDER)
    goal = next((each.get("user_scenario") for each in _tasks(run, task)), None)
    environment = at(run, dict, *_ENVIRONMENT)
    domain, policy = environment.get("domain_name"), text_at(environment, "policy")
    filled_in = not run and task == dialogue.id  # by `restored`
    scenario = Scenario(system_task=policy, user_task=str(task), goal=goal)
    ended = text_at(keys, "termination_reason")
    return replace(
        dialogue,
        events=tuple(map(_timed, dialogue.events)),
        services=(domain,) if isinstance(domain, str) else (),
        scenario=None if task is None or filled_in else scenario,
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
    Wrapping(plain, restored, enrich, split, joined, marks=(RUN, FOLDER, SPOKEN, TEXTS)),
    Signs("simulations[].messages|ticks", "simulations[].task_id", "info"),
    Signs("messages|ticks", "termination_reason", "task_id"),
    new_name="tau2_{:03d}.json",
    traits=Traits(schema_files=("domains of tau2-bench",)),
    read_schemas=domains.read,
)
