"""One dialogue under way, as its records tell it: where it stands, what is known, what is due.

    room = Room(scenario, tools, settings)
    room.apply(opened)
    room.turn, room.known, room.progress, room.due(now)

What its two people may do next stands in rules.py, what they see in view.py and seen.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from dialoom.collect.log.record import (
    USER_ROLE,
    Closed,
    Record,
    Role,
)
from dialoom.collect.message import (
    Refused,
    cleaned,
)
from dialoom.collect.room.dialogue import dialogue
from dialoom.collect.room.questions import Asked, questions
from dialoom.collect.room.scenario import Scenario
from dialoom.collect.room.talk import Talk
from dialoom.collect.room.tally import tally
from dialoom.collect.room.visible_events import VisibleEvents
from dialoom.collect.settings import Settings
from dialoom.collect.wizard.filling import READ
from dialoom.collect.wizard.guard import Progress
from dialoom.collect.wizard.known import Known
from dialoom.collect.wizard.tools import WizardTools
from dialoom.dialogue import (
    Dialogue,
)
from dialoom.dialogue.event import Item
from dialoom.schema.task import TaskSchema


class Due(NamedTuple):
    """Who lets the other wait: long enough for a nudge, or so long that it ends.

    `since` is when the wait began (ms since 1970): the same wait is nudged once.
    """

    nudge: Role | None
    idle: Role | None
    since: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be ranked for the wizard: a Suggester of `task` takes the rest."""

    task: str
    text: str
    item: Item | None
    known: dict[str, Any]
    count: int
    likely: tuple[str, ...]


class Room:
    """One dialogue under way.

    Args:
        scenario: What the two are given.
        tools: Answers the wizard's queries; has all tasks of the scenario.
        settings: The study's.

    Raises:
        UnknownNameError: The study's language has no questionnaire.
    """

    def __init__(self, scenario: Scenario, tools: WizardTools, settings: Settings) -> None:
        self.scenario, self.tools, self.settings = scenario, tools, settings
        self.talk = Talk(scenario)
        self.seen = VisibleEvents(self.talk)
        self._known: Known | None = None
        self._progress: Progress | None = None

    # --- what happened ----------------------------------------------------------------------

    def apply(self, record: Record) -> None:
        """Take in the next record of the room, whoever wrote it."""
        self.talk.apply(record)

    @property
    def step(self) -> str:
        """Where the room stands: talk, questionnaire or closed."""
        return self.talk.step

    @property
    def closed(self) -> bool:
        """Whether it is over."""
        return self.talk.step == "closed"

    @property
    def over(self) -> bool:
        """Whether nothing more can come of it but its end: it is closed, or to be closed."""
        return self.talk.over

    @property
    def turn(self) -> Role | None:
        """Whose turn it is, while they talk."""
        return self.talk.turn if self.talk.step == "talk" else None

    @property
    def seats(self) -> dict[str, int]:
        """Role to assignment."""
        return self.talk.seats

    @property
    def task(self) -> TaskSchema | None:
        """The wizard's task now; None until they chose one of several."""
        return None if self.talk.task is None else self.tools.tasks[self.talk.task]

    def outcome(self) -> str:
        """Return STAR's CompletionLevel, as if it ended now."""
        return self.talk.completion

    def close(self, outcome: str) -> Closed:
        """Return the last record of the room, with what was counted in it."""
        return Closed(outcome=outcome, tally=tally(self.talk.log))

    # --- what may happen --------------------------------------------------------------------

    def chosen(self) -> TaskSchema:
        """Return the wizard's task.

        Raises:
            Refused: `no_task`: they have to choose one of several first.
        """
        if self.task is None:
            raise Refused("no_task", "choose the task first that the user is talking about")
        return self.task

    def wanted(self, text: str) -> Wanted:
        """Return what is to be ranked where the wizard typed a text.

        Raises:
            Refused: There is nothing to be ranked now.
        """
        task = self.chosen()
        several = len(self.scenario.tasks) > 1
        return Wanted(
            task=task.id,
            text=cleaned(text),
            item=self.talk.selected.primary,
            known=self._told(task.id),
            count=self.settings.suggestions[several],
            likely=() if self.settings.guard == "off" else self._expected_actions(task.id),
        )

    # --- what is due, and what is seen ------------------------------------------------------

    def due(self, now: int) -> Due:
        """Return who is to be nudged, and who has been idle for too long (Settings.times)."""
        if self.closed or not self.talk.log:
            return Due(None, None, 0)
        since = self.waits_since
        waits: Role | None = self.turn or next(iter(self.talk.unanswered), None)
        times, passed = self.settings.times, (now - since) / 1000
        idle = waits if passed >= times.idle else None
        nudge = waits if passed >= times.nudge and idle is None else None
        return Due(nudge, idle, since)

    @property
    def deadline(self) -> int | None:
        """When somebody has been idle for too long (ms since 1970)."""
        if self.closed or not self.talk.log:
            return None
        return self.waits_since + round(self.settings.times.idle * 1000)

    @property
    def waits_since(self) -> int:
        """When the wait began that is under way (ms since 1970)."""
        return self.talk.last if self.step == "talk" else self.talk.completed

    @cached_property
    def tasks(self) -> tuple[TaskSchema, ...]:
        """The wizard's tasks, in order."""
        return tuple(self.tools.tasks[name] for name in self.scenario.tasks)

    def questions(self, role: Role) -> tuple[Asked, ...]:
        """Return the questionnaire of a role."""
        return questions(role, self.tasks, self.settings.language)

    def rates(self, role: Role) -> bool:
        """Whether a role is to rate the dialogue."""
        return role == USER_ROLE and self.settings.rating

    @property
    def known(self) -> Known:
        """What the user has said so far, and the wizard has asked with."""
        if self._known is None:
            self._known = Known({t: self.tools.listener(t) for t in self.scenario.tasks})
        self._known.hear(self.talk.log)
        return self._known

    @property
    def progress(self) -> Progress:
        """Where the wizard stands in the flow of each task."""
        if self._progress is None:
            guards = {name: self.tools.guard(name) for name in self.scenario.tasks}
            self._progress = Progress(guards, self.tools.outcome)
        self._progress.follow(self.talk.log)
        return self._progress

    def expected(self, task: str) -> list[dict[str, str]]:
        """Return the actions that come next in a task's flow, with what would be said."""
        item = self.talk.selected.primary if task == self.talk.task else None
        return self.progress.expected(task, self.known.slots(task), item or {}, self._told(task))

    def _told(self, task: str) -> dict[str, Any]:
        """Return what the texts of a task may be filled with besides an item."""
        return self.known.values(task) | {READ: self.progress.places[task].read}

    def _expected_actions(self, task: str) -> tuple[str, ...]:
        return tuple(each["id"] for each in self.expected(task))

    def shown(self, record: Record, role: Role) -> dict[str, Any] | None:
        """Return a record as a role may see it, None where it may not: see seen.py."""
        return self.seen.shown(record, role)

    def since(self, role: Role, seq: int = 0) -> list[dict[str, Any]]:
        """Return what a role has seen after its `seq`-th event."""
        return self.seen.since(role, seq)

    def dialogue(self, number: str = "1", workers: dict[str, str] | None = None) -> Dialogue:
        """Return it as a dialogue; `workers` are agent to (anonymised) worker."""
        return dialogue(self.talk, self.tasks, number, workers or {})
