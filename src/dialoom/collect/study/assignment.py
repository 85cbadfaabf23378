"""An assignment: one worker's way through one stage, and the messages it accepts.

    consent ── tutorial ── quiz ── done                                  a tutorial
       └────── waiting ── room ── questionnaire ── done                  work of any other kind
                  └────────┘ the partner was lost
                           └─────────┘ another item of the same assignment

The state is computed from the records of the assignment's stream, and of its unit's stream. Every
assignment ends with an outcome and a completion code.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from dialoom.collect.log.facts import Away, Period, QuizFact
from dialoom.collect.log.record import (
    Body,
    Consented,
    Ended,
    Outcome,
    Record,
    Role,
    Seated,
    Waiting,
    assignment_stream,
)
from dialoom.collect.message import Consent, MessageBody, QuizAnswer, QuizHint, Ready, Refused
from dialoom.collect.settings import Settings
from dialoom.collect.study.quizzes import QuizAttempt

TASK = "task"
"""The parameter of a link that asks for a task."""

REMEMBERED = 16
"""Client ids kept of an ended assignment; no client has more messages unanswered at once."""

Step = Literal["consent", "tutorial", "quiz", "waiting", "room", "done"]


@dataclass(slots=True)
class Assignment:
    """The state of an assignment, computed from its records.

    Attributes:
        entered: When it began (ms since 1970).
        fixed: The role that the worker's link fixes; None where it fixes none.
        source: The parameters of the recruiter's link, and the server's own keys.
        attempt: The worker's attempt at the quiz; None outside of a tutorial.
        ready: When the worker began to wait for the first time (ms since 1970).
        waiting: Since when the worker waits now (ms since 1970); None while they do not.
        finished: The units that the worker has finished; one for each item of the assignment.
        lost: Number of partners that the worker has lost.
        outcome: The outcome; None while it goes on.
        code: The completion code; None while it goes on.
        away: Since when the worker has had no connection (ms since 1970), once that is recorded.
        absences: The absences of the server and of the worker so far, which may overlap.
        touched: The time of the last record (ms since 1970).
        seq: The number of records in its stream.
        clients: Client id of a message to the `seq` of its record.
    """

    number: int
    worker: str
    stage: str
    entered: int
    fixed: Role | None = None
    language: str = ""
    source: dict[str, str] = field(default_factory=dict)
    consented: bool = False
    attempt: QuizAttempt | None = None
    ready: int | None = None
    waiting: int | None = None
    first: bool = False
    preferred: Role | None = None
    unit: int | None = None
    role: Role | None = None
    finished: list[int] = field(default_factory=list)
    lost: int = 0
    outcome: Outcome | None = None
    code: str | None = None
    away: int | None = None
    absences: list[Period] = field(default_factory=list)
    touched: int = 0
    seq: int = 0
    clients: dict[str, int] = field(default_factory=dict)

    @property
    def stream(self) -> str:
        """The name of its stream."""
        return assignment_stream(self.number)

    @property
    def task(self) -> str:
        """The task that the worker asked for by their link; empty without one."""
        return self.source.get(TASK, "")

    @property
    def step(self) -> Step:
        """The current step; `room` includes the questionnaire, which is a part of the unit."""
        if self.outcome is not None:
            return "done"
        if not self.consented:
            return "consent"
        if self.attempt is not None:
            return "quiz" if self.attempt.begun else "tutorial"
        return "room" if self.unit is not None and self.waiting is None else "waiting"

    def apply(self, record: Record) -> None:
        """Update the state with the next record of the stream."""
        body = record.body
        self.touched = record.time
        if isinstance(body, Consented):
            self.consented = True
        elif isinstance(body, QuizFact):
            if self.attempt is not None:
                self.attempt.apply(body)
        elif isinstance(body, Waiting):
            self._wait(record.time, body)
        elif isinstance(body, Seated):
            self.unit, self.role, self.waiting = body.unit, body.role, None
        elif isinstance(body, Away):
            if self.away is not None:
                self.absences.append((self.away, record.time))
            self.away = body.since
        elif isinstance(body, Ended):
            self._end(body)

    def _wait(self, time: int, body: Waiting) -> None:
        if self.ready is None:
            self.ready = time
        self.waiting, self.first = time, body.first
        self.preferred = body.role
        self.lost += body.first

    def _end(self, body: Ended) -> None:
        self.outcome, self.code, self.waiting = body.outcome, body.code, None
        for client in list(self.clients)[:-REMEMBERED]:
            del self.clients[client]

    def decide(self, message: MessageBody, version: str = "") -> Body:
        """Return the record's body of a message outside of units; `Refused` in other steps."""
        if isinstance(message, Consent) and self.step == "consent":
            return Consented(version)
        if self.attempt is not None and self.step in ("tutorial", "quiz"):
            if isinstance(message, QuizHint):
                return self.attempt.hint(message.question)
            if isinstance(message, QuizAnswer):
                return self.attempt.answer(message.question, message.option)
        if isinstance(message, Ready) and self.step == "waiting" and self.waiting is None:
            return Waiting(role=self.fixed or message.role)
        kind = message.__struct_config__.tag
        raise Refused("not_now", f"{kind!r} is not possible in the step {self.step!r}")


def shown_code(one: Assignment, settings: Settings) -> str | None:
    """Return the completion code that an assignment's last page shows; None before its end."""
    return settings.codes.get(one.outcome or "", one.code or "") or None
