"""The wizard's tools: query forms for the APIs of some tasks, and the knowledge base behind them.

`WizardTools` stores nothing of a dialogue: before each answer, the room's earlier queries are made
again in a savepoint, which is then rolled back. So an answer depends only on the tasks, the seed
and the earlier queries, and one instance serves all rooms of its tasks and seed.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

from dialoom.collect.kinds.room.wizard import packages
from dialoom.collect.kinds.room.wizard.forms import SEARCHES, Form
from dialoom.collect.kinds.room.wizard.guard import Guard
from dialoom.collect.message import Refused
from dialoom.dialogue import Constraint, Query, Result
from dialoom.errors import UnknownNameError, UsageError, clip
from dialoom.kb import KnowledgeBase
from dialoom.kb.effects import Answer
from dialoom.schema.call import Call, Outcome, outcomes
from dialoom.schema.task import TaskSchema


class WizardTools:
    """The forms and the knowledge base of some tasks.

    Args:
        seed: The seed of the rows.

    Raises:
        UsageError: A task has neither tables nor a search of its own, or two tasks have an API
            of the same name.
    """

    def __init__(self, tasks: Mapping[str, TaskSchema], seed: int) -> None:
        self.tasks, self.seed = dict(tasks), seed
        self._forms: dict[str, Form] = {}
        self._owners: dict[str, TaskSchema] = {}
        for task in tasks.values():
            for call in task.calls.values():
                self._add(task, call)
        self._bases: dict[tuple[int, str], KnowledgeBase] = {}
        self._guards: dict[str, Guard] = {}

    def _add(self, task: TaskSchema, call: Call) -> None:
        table = task.tables.get(call.table)
        answers = table is not None and (table.rows > 0 or call.effect == "insert")
        if task is not packages.TASK and not answers:
            raise UsageError(
                f"{task.id} has no table that {call.name} could be answered from", code="unfit-task"
            )
        if call.name in self._owners:
            other = self._owners[call.name].id
            raise UsageError(
                f"tasks {other} and {task.id} both have an API {call.name}", code="twice"
            )
        self._owners[call.name] = task
        self._forms[call.name] = Form(task, call)

    def forms(self, task: str) -> tuple[Form, ...]:
        """Return the forms of a task, in order."""
        return tuple(self._forms[name] for name in self.tasks[task].calls)

    def form(self, task: str, api: str) -> Form:
        """Return the form of an API of a task; `Refused` (`unknown`) if it has no such API."""
        owner = self._owners.get(api)
        if owner is None or owner.id != task:
            names = ", ".join(self.tasks[task].calls) or "none"
            raise Refused("unknown", f"{task} has no API {clip(api)!r}; it has {names}")
        return self._forms[api]

    def guard(self, task: str) -> Guard:
        """Return the flow guard of a task; made when it is first wanted."""
        if task not in self._guards:
            self._guards[task] = Guard(self.tasks[task])
        return self._guards[task]

    def answer(
        self,
        api: str,
        constraints: Sequence[Constraint],
        before: Sequence[Query] = (),
        name: str = "",
        state: Mapping[str, Mapping[str, Sequence[Any]]] | None = None,
    ) -> Answer:
        """Return what the knowledge base answers after the queries before.

        Args:
            name: The dialogue's name, on which the choice among search results depends.
            state: The changes of rows at first (`KnowledgeBase.arrange`).

        Raises:
            Refused: `unknown` API, `bad_value`: the knowledge base cannot take it so.
        """
        if api not in self._owners:
            raise Refused("unknown", f"there is no API {clip(api)!r}")
        task = self._owners[api]
        if task is packages.TASK:
            return packages.search(self.seed, constraints)
        base = self._base(task)
        with base.dialogue(name):
            base.arrange(state or {})
            try:
                for query in before:
                    if self._changes(task, query.api):
                        base.call(query.api, query.constraints)
                return base.call(api, constraints)
            except (UsageError, UnknownNameError) as error:
                raise Refused("bad_value", str(error)) from error

    def _changes(self, task: TaskSchema, api: str) -> bool:
        return self._owners.get(api) is task and task.calls[api].effect not in SEARCHES

    def _base(self, task: TaskSchema) -> KnowledgeBase:
        """The task's tables; SQLite's connections belong to the thread that made them."""
        key = (threading.get_ident(), task.id)
        base = self._bases.get(key)
        if base is None:
            base = self._bases[key] = KnowledgeBase()
            base.populate(task, self.seed)
        return base

    def outcome(self, query: Query, result: Result) -> Outcome | None:
        """Return how a recorded query ended; None if its result does not show that."""
        owner = self._owners.get(query.api)
        if owner is None:
            return None
        call = owner.calls[query.api]
        candidates = outcomes(call, query.constraints, result.items)
        return candidates[0] if len(candidates) == 1 else None
