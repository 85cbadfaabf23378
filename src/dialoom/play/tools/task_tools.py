"""The calls of tasks as tools over seeded databases, independent of the protocol that offers them.

    tools = TaskTools(tasks, seed=7)
    tools.definitions[0]["name"]               # "hotel_book"
    tools.call("hotel_book", {"Name": …})      # {"outcome": "available", "items": [{…}]}
    tools.call("dialoom_diff", {})             # {"hotel_book": {"bookings": {"added": [{…}]}}}

Every task has its own database. Besides the calls there are tools that restore the databases and
show their changes, and tools by which an agent serves a simulated user:

    tools.call("dialoom_meet", {"task": "hotel_book", "goal": 3})     # {"user": "Hello, I need …"}
    tools.call("dialoom_say", {"text": "Which hotel?"})               # {"user": "Quarry Court."}
    tools.call("dialoom_judge", {})                # {"success": True, "reached": True, …}
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

import msgspec

from dialoom.dialogue import SYSTEM, Completion, Constraint, Query, Utterance
from dialoom.errors import UsageError, check_name, clip
from dialoom.kb.effects import Answer
from dialoom.play.arguments import constraints_of
from dialoom.play.judging.verdict import Ended
from dialoom.play.running.goal_run import GoalRun, OpenedBases, ReadyTask
from dialoom.play.running.trial import TrialRecord, result_of
from dialoom.play.users.simulated import SimulatedUsers
from dialoom.schema.task import TaskSchema
from dialoom.schema.tools import function_names, toolbox
from dialoom.sim.core.rng import seed_of
from dialoom.sim.policies.flow.briefing import policy

RESET, DIFF = "dialoom_reset", "dialoom_diff"
MEET, SAY, JUDGE = "dialoom_meet", "dialoom_say", "dialoom_judge"

MOST = 1_000_000
"""The highest number of a goal."""


def _object(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    return schema | {"required": list(required), "additionalProperties": False}


def _controls(tasks: Sequence[str]) -> list[dict[str, Any]]:
    meet = {
        "task": {"type": "string", "enum": list(tasks)},
        "goal": {"type": "integer", "minimum": 1, "maximum": MOST},
    }
    tools = {
        RESET: ("Put the databases back as they were at first.", _object({})),
        DIFF: (
            "Return what was added, removed and changed in the databases since they were reset.",
            _object({}),
        ),
        MEET: (
            "Reset the databases and meet the user who has the goal of this number; return what "
            "the user says first.",
            _object(meet, "task", "goal"),
        ),
        SAY: (
            "Say something to the user; return what the user answers, or that they have left.",
            _object({"text": {"type": "string"}}, "text"),
        ),
        JUDGE: (
            "Return what the dialogue with the user came to: whether the database is as it should "
            "be, and the values that were due and missing.",
            _object({}),
        ),
    }
    return [
        {"name": name, "description": what, "parameters": parameters}
        for name, (what, parameters) in tools.items()
    ]


class ServedUser:
    """A simulated user whom an agent serves by tools."""

    def __init__(self, goal: GoalRun, users: SimulatedUsers, bases: OpenedBases) -> None:
        self._goal, self._bases, self._happy = goal, bases, users.happy
        self._seat = goal.seat(0)
        self._user = users.join(self._seat)
        self._record = TrialRecord(reads_acts=True)
        self.left = False

    def answer(self, text: str | None = None) -> str | None:
        """Return the user's words, None as they leave; `UsageError` afterwards."""
        if self.left:
            raise UsageError(f"the user has left; {MEET} brings another one", code="no-user")
        if text is not None:
            lines = filter(str.strip, text.splitlines())  # each is understood by itself
            self._record.add([Utterance(agent=SYSTEM, text=line) for line in lines])
        turn = self._user.reply(self._record.events)
        self._record.add(turn)
        self.left = not turn or isinstance(turn[-1], Completion)
        return None if self.left else "\n".join(e.text for e in turn if isinstance(e, Utterance))

    def call(self, api: str, constraints: tuple[Constraint, ...]) -> Answer:
        """Make a call while serving the user; its result goes to the agent only."""
        answer = self._bases.call(api, constraints)
        query = Query(id=f"q{len(self._record.events)}", api=api, constraints=constraints)
        self._record.add((query, result_of(query, answer)))
        return answer

    def judged(self) -> dict[str, Any]:
        """Return the verdict on the dialogue so far."""
        ended: Ended = "completed" if self.left else "turns"
        changed = self._bases.changes()
        events = self._record.events
        dialogue = self._goal.judged(self._seat, 0, events, ended, changed, happy=self._happy)
        return {"success": dialogue.outcome == "reached", **dialogue.extra["play"]}


class TaskTools:
    """Tools over the databases of some tasks; `definitions` are names, texts and JSON Schemas.

    `seed` is that of rows and goals, `user` the kind of `dialoom play --user simulated:KIND`.
    """

    def __init__(self, tasks: Sequence[TaskSchema], seed: int, user: str = "") -> None:
        self._seed, self._users = seed, SimulatedUsers(user)
        if self._users.several:
            raise UsageError("an agent that serves by tools meets users of one task at a time")
        self._tasks = {task.id: ReadyTask(task, seed) for task in tasks}
        schemas = {name: ready.program.schema for name, ready in self._tasks.items()}
        self._calls = {name: pair for pair, name in function_names(schemas).items()}
        self.definitions = [tool["function"] for tool in toolbox(schemas)]
        self.definitions += _controls(list(self._tasks))
        self._controls: dict[str, Callable[..., dict[str, Any]]] = {
            RESET: self._reset,
            DIFF: self.changes,
            MEET: self._meet,
            SAY: self._say,
            JUDGE: self._judge,
        }
        self._opened = ExitStack()
        self._user: ServedUser | None = None
        self._served = ""
        self._open({})

    def _goal(self, task: str, number: int) -> GoalRun:
        return GoalRun((self._tasks[task],), number, seed_of(self._seed, number))

    def _open(self, numbers: dict[str, int]) -> None:
        goals = {task: self._goal(task, numbers.get(task, 0)) for task in self._tasks}
        self._bases = {
            task: self._opened.enter_context(goal.opened(goal.seat(0)))
            for task, goal in goals.items()
        }

    @property
    def policy(self) -> str:
        """The instructions for an agent of these tasks."""
        return policy([ready.program for ready in self._tasks.values()])

    def call(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Use a tool, and return its result.

        `UnknownNameError` for tools and parameters, `UsageError` for arguments and order.
        """
        if name in self._controls:
            try:
                return self._controls[name](**arguments)
            except TypeError as error:
                (schema,) = (d["parameters"] for d in self.definitions if d["name"] == name)
                takes = ", ".join(schema["properties"]) or "no arguments"
                names = clip(", ".join(arguments)) or "none"
                raise UsageError(
                    f"{name} takes {takes}; given: {names}", code="bad-call"
                ) from error
        check_name("tool", name, [*self._calls, *self._controls])
        task, call = self._calls[name]
        constraints = tuple(constraints_of((self._tasks[task].program,), call, arguments))
        served = self._user if task == self._served else None
        answer = (served or self._bases[task]).call(call, constraints)
        result = {"outcome": answer.outcome, "items": list(answer.items), "total": answer.total}
        return {key: value for key, value in result.items() if value is not None}

    def changes(self) -> dict[str, Any]:
        """Return what was changed since the last reset: task to table to rows."""
        done = {task: bases.changes() for task, bases in self._bases.items()}
        return {task: tables for task, tables in done.items() if tables}

    def close(self) -> None:
        """Restore the databases, and drop the user."""
        self._opened.close()
        self._user = None

    def _reset(self) -> dict[str, Any]:
        self.close()
        self._open({})
        return {"reset": sorted(self._tasks)}

    def _meet(self, *, task: str, goal: int) -> dict[str, Any]:
        check_name("task", task, self._tasks)
        if not isinstance(goal, int) or not 1 <= goal <= MOST:
            raise UsageError(
                f"goal {clip(str(goal), 40)}: should be a number from 1 to {MOST:,}",
                code="wrong-value",
            )
        self.close()
        run = self._goal(task, goal - 1)
        _ = run.target  # known before anything is changed
        self._open({task: goal - 1})
        self._user = ServedUser(run, self._users, self._bases[task])
        self._served = task
        return {"user": self._user.answer()}

    def _say(self, *, text: str) -> dict[str, Any]:
        words = self._met().answer(str(text))
        return {"left": True} if words is None else {"user": words}

    def _judge(self) -> dict[str, Any]:
        verdict: dict[str, Any] = msgspec.to_builtins(self._met().judged())
        return verdict

    def _met(self) -> ServedUser:
        if self._user is None:
            raise UsageError(f"there is no user; {MEET} brings one", code="no-user")
        return self._user
