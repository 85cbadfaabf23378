"""The interface of environments: tools, calls, the first state and the state at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from dialoom.dialogue import Constraint
from dialoom.http.failure import NoAnswerError
from dialoom.kb.effects import Answer
from dialoom.schema.call import Call
from dialoom.schema.environment import ExpectedCall


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
