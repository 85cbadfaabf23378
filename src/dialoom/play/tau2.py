"""Writes runs in the layout of tau2-bench's results, and reads its tasks as goals.

    {"info": {…}, "tasks": [{"id": "weather-1", "user_scenario": {…}, "evaluation_criteria": {
        "actions": [{"action_id": "q1", "name": "weather", "arguments": {…}}],
        "communicate_info": ["sunny"], "reward_basis": ["DB", "COMMUNICATE"]}}],
     "simulations": [{"id": "weather-1-1", "task_id": "weather-1", "trial": 0, "messages": […],
        "reward_info": {"reward": 1.0, …}, …}]}

The layouts are those of https://github.com/sierra-research/tau2-bench (src/tau2/data_model). When a
run is written, a task's actions are the calls of a trial that reached the goal. When a task is
read, its actions are made on the seeded database: that gives the end and the values of the goal. Of
several values of a slot the last counts, and results of calls with an earlier one need not be told.
Everything that the layout of results cannot hold is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec

from dialoom.corpus.files import parse_json, read_bytes
from dialoom.dialogue import SYSTEM, Dialogue, Event, Query, Result, Selection, Utterance
from dialoom.errors import FormatError, UnknownNameError
from dialoom.formats.chat import arguments
from dialoom.play.judging.target import Told
from dialoom.play.results.run import PlayedDialogue, PlayRun
from dialoom.play.running.trial import LIMITS
from dialoom.play.users.goals import PlayGoal, read_goals
from dialoom.play.wire.arguments import constraints_of
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import plain
from dialoom.sim.policies.flow.simulator import Simulator

Json = dict[str, Any]

BASIS = ["DB", "COMMUNICATE"]
"""The parts of a reward: the end of the database, and the values that had to be told."""

BEGIN = datetime(2000, 1, 1, tzinfo=UTC)
"""The begin of all simulations: the layout needs dates, and a run records none."""

STOPS = {"completed": "user_stop", "turns": "max_steps"}
"""How a dialogue ended to tau2-bench's termination reason; "too_many_errors" for all others."""


def results(run: PlayRun, schemas: Mapping[str, TaskSchema]) -> tuple[Json, Counter[str]]:
    """Return a run in the layout of results, and counts of what that does not hold."""
    goals: dict[str, list[PlayedDialogue]] = {}
    for each in run.dialogues:
        goals.setdefault(each.dialogue.id.rpartition("-")[0], []).append(each)
    lost: Counter[str] = Counter()
    tasks = [_task(name, trials, lost) for name, trials in goals.items()]
    for each in run.dialogues:
        lost.update(_lost(each.dialogue))
    found = [_simulation(name, each, run) for name, trials in goals.items() for each in trials]
    return {"info": _info(run, schemas), "tasks": tasks, "simulations": found}, +lost


def _info(run: PlayRun, schemas: Mapping[str, TaskSchema]) -> Json:
    told = run.settings
    texts = (schema.texts.get("wizard") or schema.description for schema in schemas.values())
    domain = {"domain_name": ",".join(told["tasks"]), "policy": "\n".join(filter(None, texts))}
    none = {"llm": None, "llm_args": None}
    return {
        "git_commit": "",
        "num_trials": told["trials"],
        "max_steps": LIMITS.turns,
        "max_errors": LIMITS.silence,
        "user_info": {"implementation": told["user"], **none},
        "agent_info": {"implementation": told["agent"], **none},
        "environment_info": domain,
        "seed": told["seed"],
    }


def _task(name: str, trials: list[PlayedDialogue], lost: Counter[str]) -> Json:
    scenario = trials[0].dialogue.scenario
    told = scenario.user_task or "" if scenario is not None else ""
    reason, _, known = told.partition("\n")
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
        "known_info": known or None,
        "unknown_info": None,
        "task_instructions": told,
    }
    return {
        "id": name,
        "description": None,
        "user_scenario": {"persona": None, "instructions": instructions},
        "initial_state": None,
        "evaluation_criteria": {
            "actions": actions if passed is not None else None,
            "communicate_info": [plain(each["value"]) for each in goal["told"]],
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
    missing = [told["value"] for told in each.played.untold]
    checks = [
        {"info": plain(told["value"]), "met": told["value"] not in missing, "justification": ""}
        for told in each.played.wanted["told"]
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
            found = {"items": list(event.items), **event.extra}
            content = msgspec.json.encode(found).decode()
            told = {"requestor": "assistant", "error": "error" in event.extra}
            yield {"role": "tool", "id": event.query, "content": content, **told, **place_and_time}


def given_goals(
    path: Path | None, tasks: Mapping[str, TaskSchema], seed: int
) -> tuple[PlayGoal, ...]:
    """Return the goals of a file, in YAML or tasks of tau2-bench; none where no file is named.

    Raises:
        MissingDataError: There is no such file.
        SchemaError: It has another shape, or a goal does not fit its task.
    """
    if path is None:
        return ()
    read = read_tasks(path, tasks, seed) if path.suffix == ".json" else read_goals(path, tasks)
    return tuple(read)


def read_tasks(path: Path, tasks: Mapping[str, TaskSchema], seed: int) -> Iterator[PlayGoal]:
    """Yield the goals of a file of tasks, or of results.

    Args:
        path: The file.
        tasks: Domain to task.
        seed: The seed of the database on which the actions are made.

    Raises:
        FormatError: The file has another shape, or a task has something that a goal cannot hold.
    """
    value = parse_json(read_bytes(path), path)
    found = value.get("tasks") if isinstance(value, dict) else value
    if not isinstance(found, list):
        raise FormatError(path, "no tasks of tau2-bench: should be a list, or results with one")
    made: dict[str, Simulator] = {}
    for place, held in enumerate(found):
        try:
            yield _goal(msgspec.convert(held, _Task), tasks, seed, made)
        except (msgspec.ValidationError, UnknownNameError, ValueError) as error:
            raise FormatError(path, f"task {place + 1}: {error}") from error


class _Action(msgspec.Struct):
    name: str
    arguments: dict[str, Any]
    requestor: str = "assistant"


class _Criteria(msgspec.Struct):
    actions: list[_Action] | None = None
    communicate_info: list[str] | None = None
    env_assertions: list[Any] | None = None
    nl_assertions: list[str] | None = None


class _Instructions(msgspec.Struct):
    domain: str
    task_instructions: str


class _Scenario(msgspec.Struct):
    instructions: _Instructions
    persona: str | None = None


class _Task(msgspec.Struct):
    id: str
    user_scenario: _Scenario
    evaluation_criteria: _Criteria
    initial_state: Any = None


def _goal(
    held: _Task, tasks: Mapping[str, TaskSchema], seed: int, made: dict[str, Simulator]
) -> PlayGoal:
    told, criteria = held.user_scenario.instructions, held.evaluation_criteria
    if told.domain not in tasks:
        raise UnknownNameError("domain", told.domain, tasks)
    strange = [
        what
        for what, given in (
            ("initial_state", held.initial_state),
            ("env_assertions", criteria.env_assertions),
            ("nl_assertions", criteria.nl_assertions),
            ("a persona", held.user_scenario.persona),
        )
        if given
    ]
    if strange:
        raise ValueError(f"has {', '.join(strange)}, which a goal cannot hold")
    task = tasks[told.domain]
    simulator = made.get(task.id)
    if simulator is None:
        simulator = made[task.id] = Simulator(task, seed)
    values: Json = {}
    brought: list[tuple[Json, set[str]]] = []
    name = held.id.removeprefix(f"{task.id}-")
    with simulator.base.dialogue(name) as session:
        for action in criteria.actions or ():
            if action.name not in task.calls:
                raise UnknownNameError("call", action.name, task.calls)
            slots = {column.name: column.slot for column in task.calls[action.name].inputs}
            given = {slots.get(key) or "": value for key, value in action.arguments.items()}
            values |= given
            constraints = constraints_of((simulator.program,), action.name, action.arguments)
            answer = simulator.base.call(action.name, tuple(constraints))
            brought.append((given, {plain(each) for row in answer.items for each in row.values()}))
        end = session.difference().data()
    wanted = {slot: value for slot, value in values.items() if slot in simulator.program.owned}
    return PlayGoal(
        name=name,
        wanted={task.id: wanted},
        ends=(end,) if criteria.actions is not None else (),
        told=tuple(Told("", each) for each in _to_tell(criteria, values, brought)),
        says=told.task_instructions,
        database=name,
    )


def _to_tell(
    criteria: _Criteria, values: Json, brought: list[tuple[Json, set[str]]]
) -> Iterator[str]:
    """Yield the values to be told, without results of calls whose values were replaced later."""
    last = [found for given, found in brought if values.items() >= given.items()]
    early = [found for given, found in brought if not values.items() >= given.items()]
    for each in criteria.communicate_info or ():
        if any(each in found for found in last) or not any(each in found for found in early):
            yield each
