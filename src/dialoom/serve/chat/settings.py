"""The settings of a served agent, which its log has so that all chats in it have the same ones."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from dialoom.collect.log.chat import CHATS, ChatServed
from dialoom.collect.log.store import Store
from dialoom.dialogue.annotation import Struct
from dialoom.errors import FormatError, UsageError

GoalView = Literal["shown", "hidden"]
"""Whether people see a goal, by which their chat is judged, or talk without one."""


class ChatSettings(Struct, frozen=True, kw_only=True):
    """The settings of a served agent.

    Attributes:
        tasks: Names of built-in tasks, or task files.
        agent: The agent, by its name in `dialoom play --agent`.
        goal: Whether people see a goal.
        seed: The seed of databases and goals.
    """

    tasks: tuple[str, ...]
    agent: str = "flow"
    goal: GoalView = "shown"
    seed: int = 0


def settings_of(store: Store, place: str) -> ChatSettings | None:
    """Return a store's settings, if any; `FormatError` if it is not a served agent's."""
    for record in store.records():
        if record.stream != CHATS or not isinstance(record.body, ChatServed):
            what = "a study of dialoom collect, and no chats of dialoom serve"
            raise FormatError(place, what)
        return msgspec.convert(record.body.settings, ChatSettings)
    return None


def check_same(kept: ChatSettings, given: dict[str, Any]) -> None:
    """Raise `UsageError` if a setting differs from that of the chats in the log."""
    for name, value in given.items():
        held = getattr(kept, name)
        if held != value:
            values = [",".join(each) if isinstance(each, tuple) else each for each in (held, value)]
            raise UsageError(
                f"--{name} {values[1]}: the chats in this database were held with {values[0]}; "
                "leave it out, or name another --db"
            )
