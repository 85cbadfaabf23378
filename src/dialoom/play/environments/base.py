"""The interface of environments: tools, calls, first and last state; and our knowledge base."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, Protocol

from dialoom.dialogue import Constraint
from dialoom.errors import SchemaError, UnknownNameError, UsageError
from dialoom.http.failure import NoAnswerError
from dialoom.kb import KnowledgeBase
from dialoom.kb.effects import Answer
from dialoom.kb.state import Session
from dialoom.schema.call import Call
from dialoom.schema.call_check import call_faults
from dialoom.schema.environment import ExpectedCall
from dialoom.schema.task import TaskSchema


class EnvironmentFailureError(NoAnswerError):
    """The server of an environment failed: the dialogue has no result, whoever took part."""


class EnvironmentSession(Protocol):
    """An environment during one dialogue, which begins in the first state."""

    def call(self, api: str, constraints: tuple[Constraint, ...]) -> Answer:
        """Make a call; `UsageError` for one that is refused or not published."""

    def repeat(self, api: str, constraints: tuple[Constraint, ...]) -> None:
        """Make a call of a recorded dialogue again; skip what cannot be made."""

    def changes(self) -> dict[str, Any]:
        """Return table to its changes since the dialogue began (`kb.state.Difference.data`)."""


class Environment(Protocol):
    """The place of a task's calls."""

    @property
    def tools(self) -> Mapping[str, Call]:
        """The calls by name."""

    def opened(
        self, name: str, expected: Sequence[ExpectedCall] = ()
    ) -> AbstractContextManager[EnvironmentSession]:
        """Return a session in the first state; drawn answers depend on the dialogue's `name`."""


class KnowledgeBaseSession:
    """A knowledge base during one dialogue."""

    def __init__(self, task: TaskSchema, base: KnowledgeBase, session: Session) -> None:
        self._task, self._base, self._session = task, base, session

    def call(self, api: str, constraints: tuple[Constraint, ...]) -> Answer:
        """Make a call, unless it is not as the task publishes it."""
        nested = (f"{c.slot}: should be a plain value" for c in constraints if c.operator is None)
        faults = "; ".join(nested) or "; ".join(
            call_faults(self._task, self._task.calls[api], constraints)
        )
        if faults:
            raise UsageError(f"{api}: {faults}", code="bad-call")
        return self._base.call(api, constraints)

    def repeat(self, api: str, constraints: tuple[Constraint, ...]) -> None:
        """Make a call again, by whatever rules it was made."""
        with suppress(UnknownNameError, UsageError, SchemaError):
            self._base.call(api, constraints)

    def changes(self) -> dict[str, Any]:
        """Return the changes of its tables."""
        return self._session.difference().data()


class KnowledgeBaseEnvironment:
    """The knowledge base of a task."""

    def __init__(self, task: TaskSchema, base: KnowledgeBase) -> None:
        self._task, self._base = task, base

    @property
    def tools(self) -> Mapping[str, Call]:
        """The calls of the task."""
        return self._task.calls

    @contextmanager
    def opened(
        self, name: str, expected: Sequence[ExpectedCall] = ()
    ) -> Iterator[EnvironmentSession]:
        """Yield a session; its changes are rolled back at the end of the block."""
        with self._base.dialogue(name) as session:
            yield KnowledgeBaseSession(self._task, self._base, session)
