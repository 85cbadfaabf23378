"""Writes runs in the layout of tau2-bench's results (tau2_tasks.py reads its tasks).

    {"info": {…}, "tasks": [{"id": "weather-1", "user_scenario": {…}, "evaluation_criteria": {
        "actions": [{"action_id": "q1", "name": "weather", "arguments": {…}}],
        "communicate_info": ["sunny"], "reward_basis": ["DB", "COMMUNICATE"]}}],
     "simulations": [{"id": "weather-1-1", "task_id": "weather-1", "trial": 0, "messages": […],
        "reward_info": {"reward": 1.0, …}, …}]}

The layouts are those of https://github.com/sierra-research/tau2-bench (src/tau2/data_model). When a
run is written, a task's actions are the calls of a trial that reached the goal. Everything that the
layout of results cannot hold is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from dialoom.dialogue import SYSTEM, Dialogue, Event, Query, Result, Selection, Utterance
from dialoom.formats.chat import arguments
from dialoom.play.results.run import PlayedDialogue, PlayRun
from dialoom.play.running.trial import LIMITS
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import plain

Json = dict[str, Any]

BASIS = ["DB", "COMMUNICATE"]
"""The parts of a reward: the end of the database, and the values that the agent had to say."""

BEGIN = datetime(2000, 1, 1, tzinfo=UTC)
"""The begin of all simulations: the layout needs dates, and a run records none."""

STOPS = {"completed": "user_stop", "turns": "max_steps"}
"""End of a dialogue to tau2-bench's termination reason; "too_many_errors" for all others."""


def results(run: PlayRun, schemas: Mapping[str, TaskSchema]) -> tuple[Json, Counter[str]]:
    """Return a run in the layout of results, and counts of what that does not hold."""
    goals: dict[str, list[PlayedDialogue]] = {}
    for each in run.dialogues:
        goals.setdefault(each.dialogue.id.rpartition("-")[0], []).append(each)
    lost: Counter[str] = Counter()
    tasks = [_task(name, trials, lost) for name, trials in goals.items()]
    for each in run.dialogues:
        lost.update(_lost(each.dialogue))
    records = [_simulation(name, each, run) for name, trials in goals.items() for each in trials]
    return {"info": _info(run, schemas), "tasks": tasks, "simulations": records}, +lost


def _info(run: PlayRun, schemas: Mapping[str, TaskSchema]) -> Json:
    settings = run.settings
    texts = (schema.texts.get("wizard") or schema.description for schema in schemas.values())
    domain = {"domain_name": ",".join(settings["tasks"]), "policy": "\n".join(filter(None, texts))}
    none = {"llm": None, "llm_args": None}
    return {
        "git_commit": "",
        "num_trials": settings["trials"],
        "max_steps": LIMITS.turns,
        "max_errors": LIMITS.silence,
        "user_info": {"implementation": settings["user"], **none},
        "agent_info": {"implementation": settings["agent"], **none},
        "environment_info": domain,
        "seed": settings["seed"],
    }


def _task(name: str, trials: list[PlayedDialogue], lost: Counter[str]) -> Json:
    scenario = trials[0].dialogue.scenario
    task_text = scenario.user_task or "" if scenario is not None else ""
    reason, _, facts = task_text.partition("\n")
    goal = trials[0].played.wanted
    passed = next((each.dialogue for each in trials if each.played.passed), None)
    lost["actions of goals that no trial reached"] += passed is None
    lost["further ends of goals"] += len(goal.get("others", ()))
    wishes = list(goal.get("tasks", {"": goal}).values())
    lost["wishes that change on the way"] += sum(len(each.get("changes", ())) for each in wishes)
    lost["further questions of users"] += sum(each.get("rounds", 0) for each in wishes)
    calls = [e for e in passed.events if isinstance(e, Query)] if passed is not None else []
    actions = [
        {
            "action_id": call.id,
            "requestor": "assistant",
            "name": call.api,
            "arguments": arguments.write(call.constraints),
        }
        for call in calls
    ]
    instructions = {
        "domain": trials[0].played.task,
        "reason_for_call": reason,
        "known_info": facts or None,
        "unknown_info": None,
        "task_instructions": task_text,
    }
    return {
        "id": name,
        "description": None,
        "user_scenario": {"persona": None, "instructions": instructions},
        "initial_state": None,
        "evaluation_criteria": {
            "actions": actions if passed is not None else None,
            "communicate_info": [plain(each["value"]) for each in goal["reported"]],
            "nl_assertions": None,
            "reward_basis": BASIS,
        },
    }


def _lost(dialogue: Dialogue) -> Iterator[str]:
    for event in dialogue.events:
        if isinstance(event, Utterance) and event.layers:
            yield "annotated utterances"
        elif isinstance(event, Selection):
            yield "selected tasks"


def _simulation(name: str, each: PlayedDialogue, run: PlayRun) -> Json:
    dialogue, verdict = each.dialogue, each.played.verdict
    missing = [due["value"] for due in each.played.unreported]
    checks = [
        {"info": plain(due["value"]), "met": due["value"] not in missing, "justification": ""}
        for due in each.played.wanted["reported"]
    ]
    reached, scored = bool(verdict["reached"]), each.played.failure is None
    spent = verdict.get("spent", {})
    last = max((event.time or 0 for event in dialogue.events), default=0)
    return {
        "id": dialogue.id,
        "task_id": name,
        "timestamp": _at(0),
        "start_time": _at(0),
        "end_time": _at(last),
        "duration": last / 1000,
        "termination_reason": STOPS.get(verdict.get("ended", "completed"), "too_many_errors"),
        "agent_cost": spent.get("agent", {}).get("cost"),
        "user_cost": spent.get("user", {}).get("cost"),
        "reward_info": {
            "reward": float(each.played.passed),
            "db_check": {"db_match": reached, "db_reward": float(reached)},
            "communicate_checks": checks,
            "reward_basis": BASIS,
        }
        if scored
        else None,
        "messages": list(_messages(dialogue.events)),
        "trial": verdict["trial"],
        "seed": run.settings["seed"],
    }


def _at(time: int) -> str:
    return (BEGIN + timedelta(milliseconds=time)).isoformat()


def _messages(events: tuple[Event, ...]) -> Iterator[Json]:
    for place, event in enumerate(events):
        place_and_time = {"turn_idx": place, "timestamp": _at(event.time or 0)}
        if isinstance(event, Utterance):
            role = "assistant" if event.agent == SYSTEM else "user"
            yield {"role": role, "content": event.text, **place_and_time}
        elif isinstance(event, Query):
            call: Json = {"id": event.id, "name": event.api, "requestor": "assistant"}
            call |= {"arguments": arguments.write(event.constraints)}
            yield {"role": "assistant", "content": None, "tool_calls": [call], **place_and_time}
        elif isinstance(event, Result):
            body = {"items": list(event.items), **event.extra}
            content = msgspec.json.encode(body).decode()
            flags = {"requestor": "assistant", "error": "error" in event.extra}
            yield {"role": "tool", "id": event.query, "content": content, **flags, **place_and_time}
