"""Reads tasks of tau2-bench and of tau-bench as goals.

    [{"id": "0", "user_scenario": {"instructions": {"domain": "retail", "reason_for_call": "…", …}},
      "evaluation_criteria": {"actions": [{"name": "…", "arguments": {…}}], …}}]          tau2-bench
    [{"instruction": "…", "actions": [{"name": "…", "kwargs": {…}}], "outputs": ["…"]}]    tau-bench

A file is a list of tasks, or results with their tasks. The actions of a task are made in the
environment of the task file, which gives the end and the values of the goal. The last of several
values of a slot counts; results of calls with earlier ones need not be said. A task that a goal
cannot hold, or whose actions that change something cannot be made, is skipped, with the reason.
Assertions in words (`nl_assertions`) need a judge model, and are left out.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from dialoom.corpus.files import parse_json, read_bytes
from dialoom.errors import (
    FormatError,
    LeftOutWarning,
    SchemaError,
    UnknownNameError,
    UsageError,
    check_name,
    clip,
)
from dialoom.play.judging.target import DueValue
from dialoom.play.running.goal_run import GoalRun, OpenedBases, ReadyTask
from dialoom.play.users.goals import PlayGoal, read_goals
from dialoom.schema.environment import ExpectedCall
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import plain

Json = dict[str, Any]

WORDS = "assertions in words, which are not judged"

NAMED = 3
"""Most skipped tasks of one reason that are named."""


class SkippedTask(NamedTuple):
    """A task that is not played, with a reason that tasks share, and details."""

    name: str
    why: str
    what: str = ""


class HeldTasks(NamedTuple):
    """The goals of a file of tasks, skipped tasks, and parts that goals leave out."""

    goals: tuple[PlayGoal, ...]
    skipped: tuple[SkippedTask, ...]
    left_out: Mapping[str, int]

    def notes(self) -> Iterator[str]:
        """Yield a sentence for each reason to skip tasks, and for what is left out."""
        reasons: dict[str, list[SkippedTask]] = {}
        for each in self.skipped:
            reasons.setdefault(each.why, []).append(each)
        total = len(self.goals) + len(self.skipped)
        if reasons:
            yield f"{len(self.skipped)} of {total} tasks are skipped"
        for why, tasks in reasons.items():
            names = "; ".join(": ".join(filter(None, (e.name, e.what))) for e in tasks[:NAMED])
            more = f"; and {len(tasks) - NAMED} more" if len(tasks) > NAMED else ""
            yield f"{len(tasks)} x {why} ({names}{more})"
        yield from (f"{many} of the goals have {what}" for what, many in self.left_out.items())


def given_goals(
    path: Path | None, tasks: Mapping[str, TaskSchema], seed: int
) -> tuple[PlayGoal, ...]:
    """Return the goals of a file, in YAML or tasks of tau2-bench; none without a file.

    Warns of skipped tasks (`LeftOutWarning`). `SchemaError` for goals that do not fit,
    `FormatError` for a file without goals, or with an id twice.
    """
    if path is None:
        return ()
    if path.suffix != ".json":
        return _checked(path, tuple(read_goals(path, tasks)))
    contents = read_tasks(path, tasks, seed)
    notes = "; ".join(contents.notes())
    if not contents.goals:
        raise FormatError(path, f"no task can be played: {notes or 'it has none'}", code="no-goals")
    if notes:
        warnings.warn(f"{path}: {notes}", LeftOutWarning, stacklevel=2)
    return contents.goals


def _checked(path: Path, goals: tuple[PlayGoal, ...]) -> tuple[PlayGoal, ...]:
    if not goals:
        raise FormatError(path, "has no goals", code="no-goals")
    names = Counter((*goal.wanted, goal.name) for goal in goals)
    often = next((name for name, times in names.items() if times > 1), None)
    if often is not None:
        what = f"task {often[0]} has two goals with the id {clip(often[-1])!r}"
        raise FormatError(path, what, code="twice")
    return goals


def read_tasks(path: Path, tasks: Mapping[str, TaskSchema], seed: int) -> HeldTasks:
    """Return the goals of a file of tasks, or of results; `FormatError` for other files.

    `tasks` is domain to task; a single one also takes tasks without a domain. The actions are made
    in the database of `seed`; `EnvironmentFailureError` if its server fails.
    """
    value = parse_json(read_bytes(path), path)
    entries = value.get("tasks") if isinstance(value, dict) else value
    if not isinstance(entries, list):
        raise FormatError(
            path,
            "no tasks of tau2-bench: should be a list, or results with one",
            code="other-format",
        )
    reader = _Reader(tasks, seed)
    goals: dict[str, PlayGoal] = {}
    skipped: list[SkippedTask] = []
    left_out: Counter[str] = Counter()
    for place, entry in enumerate(entries, start=1):
        try:
            task = _task(entry, str(place))
        except msgspec.ValidationError as error:
            skipped.append(SkippedTask(f"task {place}", "it has another shape", str(error)))
            continue
        if task.id in goals:  # another trial of the same task, in results of tau-bench
            continue
        outcome = reader.goal(task)
        if isinstance(outcome, SkippedTask):
            skipped.append(outcome)
        else:
            goals[task.id] = outcome
            left_out[WORDS] += bool(task.evaluation_criteria.nl_assertions)
    return HeldTasks(tuple(goals.values()), tuple(dict.fromkeys(skipped)), +left_out)


class _Action(msgspec.Struct):
    name: str
    arguments: dict[str, Any] = {}
    requestor: str | None = "assistant"
    kwargs: dict[str, Any] = {}

    @property
    def call(self) -> ExpectedCall:
        return ExpectedCall(self.name, self.arguments or self.kwargs)


class _Criteria(msgspec.Struct):
    actions: list[_Action] | None = None
    communicate_info: list[str] | None = None
    env_assertions: list[Any] | None = None
    nl_assertions: list[str] | None = None


class _Instructions(msgspec.Struct):
    domain: str | None = None
    task_instructions: str | None = None
    reason_for_call: str | None = None
    known_info: str | None = None
    unknown_info: str | None = None

    @property
    def said(self) -> str:
        parts = (self.reason_for_call, self.known_info, self.unknown_info, self.task_instructions)
        pieces = [part for part in parts if part]
        own = self.task_instructions or ""
        return own if all(part in own for part in pieces) else "\n".join(pieces)


class _Scenario(msgspec.Struct):
    instructions: _Instructions | str
    persona: str | None = None


class _Tau2Task(msgspec.Struct):
    id: str
    user_scenario: _Scenario
    evaluation_criteria: _Criteria
    initial_state: Any = None


class _TauTask(msgspec.Struct):
    instruction: str
    actions: list[_Action]
    outputs: list[str] = []


class _TauInfo(msgspec.Struct):
    task: _TauTask


class _TauResult(msgspec.Struct):
    info: _TauInfo
    task_id: int | str


def _task(entry: Any, number: str) -> _Tau2Task:
    if isinstance(entry, dict) and "info" in entry:
        result = msgspec.convert(entry, _TauResult)
        return _of_tau(result.info.task, str(result.task_id))
    if isinstance(entry, dict) and "instruction" in entry:
        return _of_tau(msgspec.convert(entry, _TauTask), number)
    return msgspec.convert(entry, _Tau2Task)


def _of_tau(task: _TauTask, name: str) -> _Tau2Task:
    scenario = _Scenario(task.instruction)
    return _Tau2Task(name, scenario, _Criteria(task.actions, communicate_info=task.outputs))


class _Reader:
    def __init__(self, tasks: Mapping[str, TaskSchema], seed: int) -> None:
        self._tasks, self._seed = tasks, seed
        self._ready: dict[str, ReadyTask] = {}

    def goal(self, tau2_task: _Tau2Task) -> PlayGoal | SkippedTask:
        task, criteria = self._named(tau2_task), tau2_task.evaluation_criteria
        if task is None:
            domain = self._domain(tau2_task) or ""
            return SkippedTask(tau2_task.id, "no task of --tasks has its domain", domain)
        why = next(_unheld(tau2_task), None)
        if why is not None:
            return SkippedTask(tau2_task.id, why)
        if task.id not in self._ready:
            self._ready[task.id] = ReadyTask(task, self._seed)
        ready = self._ready[task.id]
        name = tau2_task.id.removeprefix(f"{task.id}-")
        calls = tuple(action.call for action in criteria.actions or ())
        goal = PlayGoal(
            name=name,
            wanted={task.id: {}},
            says=_user_text(tau2_task.user_scenario),
            database=name,
            calls=calls if criteria.actions is not None else None,
        )
        run = GoalRun((ready,), 0, b"", goal)
        with run.opened(run.seat(0)) as bases:
            try:
                results = list(_made(ready, bases, calls))
            except (UnknownNameError, UsageError, SchemaError) as error:
                return SkippedTask(tau2_task.id, "its actions cannot be made", str(error))
            end = bases.changes()
        return _with_end(ready, goal, criteria, results, end)

    def _domain(self, task: _Tau2Task) -> str | None:
        instructions = task.user_scenario.instructions
        return None if isinstance(instructions, str) else instructions.domain

    def _named(self, task: _Tau2Task) -> TaskSchema | None:
        domain = self._domain(task)
        if domain is not None and domain in self._tasks:
            return self._tasks[domain]
        own = [t for t in self._tasks.values() if domain in (None, t.domain)]
        return own[0] if len(own) == 1 else None


def _user_text(scenario: _Scenario) -> str:
    instructions = scenario.instructions
    text = instructions if isinstance(instructions, str) else instructions.said
    return "\n".join(filter(None, (scenario.persona, text)))


def _unheld(task: _Tau2Task) -> Iterator[str]:
    criteria, state = task.evaluation_criteria, task.initial_state
    if state and any(state.values() if isinstance(state, dict) else [state]):
        yield "it has an initial state of its own"
    if criteria.env_assertions:
        yield "it has assertions about the environment (env_assertions)"
    if any(action.requestor == "user" for action in criteria.actions or ()):
        yield "its user makes calls"
    if criteria.actions is None and not criteria.communicate_info:
        yield "only a judge model can assess its end"


class _Made(NamedTuple):
    """A call that was made: the values of slots in it, and those in its result, as text."""

    given: Json
    found: frozenset[str]


def _made(ready: ReadyTask, bases: OpenedBases, calls: Iterable[ExpectedCall]) -> Iterator[_Made]:
    """Make calls; one that changes nothing may be refused, for others `UsageError`."""
    by_name = ready.environment.tools
    for call in calls:
        check_name("call", call.name, by_name)
        slots = {column.name: column.slot for column in by_name[call.name].inputs}
        by_slot = {slots.get(key) or "": value for key, value in call.arguments.items()}
        try:
            items = bases.expect(call).items
        except UsageError:
            if by_name[call.name].writes or by_name[call.name].published is None:
                raise
            items = ()
        yield _Made(by_slot, frozenset(plain(each) for row in items for each in row.values()))


def _with_end(
    ready: ReadyTask, goal: PlayGoal, criteria: _Criteria, results: Sequence[_Made], end: Json
) -> PlayGoal:
    """Return a goal with its values, its end and the values that the agent must say."""
    values = {slot: value for each in results for slot, value in each.given.items()}
    owned = ready.program.owned if ready.program.steps else ()
    return msgspec.structs.replace(
        goal,
        wanted={ready.program.task: {s: v for s, v in values.items() if s in owned}},
        ends=(end,) if goal.calls is not None else (),
        due=tuple(DueValue("", each) for each in _due(criteria, values, results)),
    )


def _due(criteria: _Criteria, values: Json, results: Sequence[_Made]) -> Iterator[str]:
    """Yield the values to say, without results of calls whose values changed later."""
    last = [each.found for each in results if values.items() >= each.given.items()]
    early = [each.found for each in results if not values.items() >= each.given.items()]
    for each in criteria.communicate_info or ():
        if any(each in texts for texts in last) or not any(each in texts for texts in early):
            yield each
