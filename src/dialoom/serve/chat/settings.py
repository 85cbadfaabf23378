"""The settings of `dialoom serve`: an open study of one stage, in which people talk with a bot."""

from __future__ import annotations

from typing import Any, Literal

from dialoom.collect.log.store import Store
from dialoom.collect.settings import NO_GOALS, Pay, Settings, Stage, Times
from dialoom.collect.studies import settings_of
from dialoom.dialogue.annotation import Struct
from dialoom.errors import FormatError, UsageError
from dialoom.sim.presets.star import load_tasks

GoalView = Literal["shown", "hidden"]
"""Whether people see a goal, by which their chat is judged, or talk without one."""

STAGE = "chat"
"""The name of the study's only stage."""

PURPOSE = "People talk with an automatic assistant, and say how well it did."

MOST = 1_000_000
"""The most goals that are given out."""

DAY = 24 * 3600.0
"""Seconds after which a chat ends in which nothing is said."""


class ChatSettings(Struct, frozen=True, kw_only=True):
    """The options of a served bot.

    Attributes:
        tasks: Names of built-in tasks, or task files.
        agent: The bot, by its name in `dialoom play --agent`.
        goal: Whether people see a goal.
        seed: The seed of databases and goals.
    """

    tasks: tuple[str, ...]
    agent: str = "flow"
    goal: GoalView = "shown"
    seed: int = 0


def study_of(chat: ChatSettings) -> Settings:
    """Return the settings of a study in which anybody talks with a bot."""
    tasks = load_tasks(",".join(chat.tasks))
    languages = {task.language for task in tasks}
    names = tuple(task.id for task in tasks) if chat.tasks == ("all",) else chat.tasks
    goals = NO_GOALS if chat.goal == "hidden" else ""
    stage = Stage(name=STAGE, kind="bot", tasks=names, agents=(chat.agent,), goals=goals, pay=0)
    return Settings(
        open=True,
        name="dialoom",
        purpose=PURPOSE,
        tasks=names,
        stages=(stage,),
        scenarios=MOST,
        seed=chat.seed,
        language="en" if "en" in languages else min(languages),
        per_address=1000,
        pay=Pay(waiting=0),
        times=Times(work=DAY),
    )


def begun(db: str) -> ChatSettings | None:
    """Return the options of the study in a database; None if none has begun there.

    Raises:
        MissingDataError: There is no database.
        FormatError: It has another study.
    """
    with Store.open(db, create=False, readonly=True) as store:
        place, settings = store.place, settings_of(store, store.place)
    if settings is None:
        return None
    stage = settings.stages[0]
    if not settings.open or isinstance(stage, str) or stage.kind != "bot":
        raise FormatError(
            place, "a study of dialoom collect, and no chats of dialoom serve", code="other-format"
        )
    return ChatSettings(
        tasks=stage.tasks,
        agent=stage.agents[0],
        goal="hidden" if stage.goals == NO_GOALS else "shown",
        seed=settings.seed,
    )


def check_same(settings: ChatSettings, options: dict[str, Any]) -> None:
    """Raise `UsageError` if a setting differs from that of the chats in the log."""
    for name, value in options.items():
        before = getattr(settings, name)
        if before != value:
            values = (before, value)
            old, new = (",".join(each) if isinstance(each, tuple) else each for each in values)
            raise UsageError(
                f"--{name} {new}: the chats in this database were held with {old}; "
                "leave it out, or name another --db",
                code="not-taken",
            )
