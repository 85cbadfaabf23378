"""The rules of one dialogue under way, as a pure state machine.

    room = Room(scenario, desk, settings)
    room.apply(opened)
    for body in room.decide("user", Say("Hi"), now):   # what the message yields; Refused if nothing
        room.apply(Record(stream, …, body))            # changes the state, live as in replay

Strict turns, the user first. The user says something; the wizard turns to a task, asks the
knowledge base, chooses an item, gets suggestions, any number of times, and a reply (picked or
their own) ends their turn. Instructions to the user follow the scenario's plan. Nothing in here
reads a clock, and `decide` changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from dialoom.collect.desk.desk import Desk
from dialoom.collect.desk.guard import Progress
from dialoom.collect.desk.known import Known
from dialoom.collect.desk.suggestions import READ
from dialoom.collect.log.record import (
    USER_ROLE,
    Body,
    Closed,
    Record,
    Role,
)
from dialoom.collect.message import (
    Intent,
    Refused,
)
from dialoom.collect.room import rules
from dialoom.collect.room.dialogue import dialogue
from dialoom.collect.room.questions import Asked, questions
from dialoom.collect.room.scenario import Scenario
from dialoom.collect.room.seen import Seen
from dialoom.collect.room.talk import Talk
from dialoom.collect.room.tally import tally
from dialoom.collect.room.view import View
from dialoom.collect.settings import Settings
from dialoom.dialogue import (
    Candidate,
    Dialogue,
    Instruction,
    Result,
)
from dialoom.dialogue.event import Item
from dialoom.schema.task import Task


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
        desk: Answers the wizard's queries; has all tasks of the scenario.
        settings: The study's.

    Raises:
        UnknownNameError: The study's language has no questionnaire.
    """

    def __init__(self, scenario: Scenario, desk: Desk, settings: Settings) -> None:
        self.scenario, self.desk, self.settings = scenario, desk, settings
        self.talk = Talk(scenario)
        self.seen = Seen(self.talk)
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
    def task(self) -> Task | None:
        """The wizard's task now; None until they chose one of several."""
        return None if self.talk.task is None else self.desk.tasks[self.talk.task]

    def outcome(self) -> str:
        """Return STAR's CompletionLevel, as if it ended now."""
        return self.talk.completion

    def close(self, outcome: str) -> Closed:
        """Return the last record of the room, with what was counted in it."""
        return Closed(outcome=outcome, tally=tally(self.talk.log))

    # --- what may happen --------------------------------------------------------------------

    def opening(self, now: int) -> tuple[Body, ...]:
        """Return what comes right after the room was opened: the instructions of turn 0."""
        return tuple(rules.instructions(self, 0, now))

    def decide(
        self, role: Role, wish: Intent, now: int, ranked: tuple[Candidate, ...] | None = None
    ) -> tuple[Body, ...]:
        """Return what a message yields, in order; nothing is changed.

        Args:
            role: Who sent it.
            wish: What they want.
            now: Milliseconds since 1970.
            ranked: For a Suggest, the candidates that `wanted` asks for, best first.

        Raises:
            Refused: It cannot be done: codes as docs/wire-protocol.md has them.
        """
        return tuple(rules.decide(self, role, wish, now, ranked or ()))

    def author(self, body: Body, role: Role) -> str:
        """Return the author of a record that holds what a message of `role` yields."""
        if isinstance(body, Instruction):
            return "guide"
        if isinstance(body, Result):
            return "kb"
        return "server" if isinstance(body, Closed) else role

    def lacks(self) -> str | None:
        """Return what keeps the user from having accomplished the task, or None."""
        return rules.lacks(self)

    def chosen(self) -> Task:
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
            text=rules.cleaned(text),
            item=self.talk.selected.primary,
            known=self.known.values(task.id) | {READ: self.progress.places[task.id].read},
            count=self.settings.suggestions[several],
            likely=() if self.settings.guard == "off" else self._expected_actions(task.id),
        )

    # --- what is due, and what is seen ------------------------------------------------------

    def due(self, now: int) -> Due:
        """Return who is to be nudged, and who has been idle for too long (Settings.times)."""
        if self.closed or not self.talk.log:
            return Due(None, None, 0)
        since = self.talk.last if self.step == "talk" else self.talk.completed
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
        since = self.talk.last if self.step == "talk" else self.talk.completed
        return since + round(self.settings.times.idle * 1000)

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The wizard's tasks, in order."""
        return tuple(self.desk.tasks[name] for name in self.scenario.tasks)

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
            self._known = Known({t: self.desk.listener(t) for t in self.scenario.tasks})
        self._known.hear(self.talk.log)
        return self._known

    @property
    def progress(self) -> Progress:
        """Where the wizard stands in the flow of each task."""
        if self._progress is None:
            guards = {name: self.desk.guard(name) for name in self.scenario.tasks}
            self._progress = Progress(guards, self.desk.outcome)
        self._progress.follow(self.talk.log)
        return self._progress

    def expected(self, task: str) -> list[dict[str, str]]:
        """Return the actions that come next in a task's flow, with their texts."""
        return self.progress.expected(task, self.known.slots(task))

    def _expected_actions(self, task: str) -> tuple[str, ...]:
        return tuple(each["id"] for each in self.expected(task))

    def view(self, role: Role) -> dict[str, Any]:
        """Return what a page shows: see `View`."""
        return View(self).of(role)

    def shown(self, record: Record, role: Role) -> dict[str, Any] | None:
        """Return a record as a role may see it, None where it may not: see seen.py."""
        return self.seen.shown(record, role)

    def since(self, role: Role, seq: int = 0) -> list[dict[str, Any]]:
        """Return what a role has seen after its `seq`-th event."""
        return self.seen.since(role, seq)

    def dialogue(self, number: str = "1", workers: dict[str, str] | None = None) -> Dialogue:
        """Return it as a dialogue; `workers` are agent to (anonymised) worker."""
        return dialogue(self.talk, self.tasks, number, workers or {})
