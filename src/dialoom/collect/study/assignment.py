"""An assignment: one worker's way through one stage, and the messages it accepts.

    consent ── tutorial ── quiz ── done                                  a tutorial
       └────── waiting ── room ── questionnaire ── done                  work of any other kind
                  └────────┘ the partner was lost

Everything follows from the records of the assignment's stream, and from the unit's where it has
one. Each way that was begun ends with an outcome and a code.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from dialoom.collect.log.record import (
    Body,
    Consented,
    Ended,
    Hinted,
    Outcome,
    Place,
    Record,
    Seated,
    Tried,
    Waiting,
    assignment_stream,
)
from dialoom.collect.message import Consent, MessageBody, QuizAnswer, QuizHint, Ready, Refused
from dialoom.collect.study.quizzes import QuizAttempt

WORKER = "worker"
"""The author of what a worker does outside a unit."""

REMEMBERED = 16
"""Client ids kept of an assignment that is over: no client has more unanswered at once."""

Step = Literal["consent", "tutorial", "quiz", "waiting", "room", "done"]


@dataclass(slots=True)
class Assignment:
    """The state of an assignment, computed from its records.

    Attributes:
        number: Its number.
        worker: Whose it is.
        stage: The stage it is of.
        entered: When it began, in ms.
        fixed: The place that the link fixes.
        language: In which they work.
        source: The recruiter's ids.
        consented: Whether they agreed.
        attempt: Their quiz, in a tutorial.
        ready: When they became ready for the first time.
        waiting: Since when they wait now; None while they do not.
        first: Whether they wait with precedence.
        preferred: The place they would like.
        unit: The unit of work they are or were in last.
        place: Their place there.
        lost: How many partners they lost.
        outcome: How it ended.
        code: Their completion code.
        touched: The time of the last record.
        seq: Records in its stream.
        clients: Client id of a message to the `seq` of the record it made.
    """

    number: int
    worker: str
    stage: str
    entered: int
    fixed: Place | None = None
    language: str = ""
    source: dict[str, str] = field(default_factory=dict)
    consented: bool = False
    attempt: QuizAttempt | None = None
    ready: int | None = None
    waiting: int | None = None
    first: bool = False
    preferred: Place | None = None
    unit: int | None = None
    place: Place | None = None
    lost: int = 0
    outcome: Outcome | None = None
    code: str | None = None
    touched: int = 0
    seq: int = 0
    clients: dict[str, int] = field(default_factory=dict)

    @property
    def stream(self) -> str:
        """Its stream."""
        return assignment_stream(self.number)

    @property
    def step(self) -> Step:
        """The step it is at; the questionnaire is a part of the unit."""
        if self.outcome is not None:
            return "done"
        if not self.consented:
            return "consent"
        if self.attempt is not None:
            return "quiz" if self.attempt.begun else "tutorial"
        return "room" if self.unit is not None and self.waiting is None else "waiting"

    def apply(self, record: Record) -> None:
        """Take in a record of its stream."""
        body = record.body
        self.touched = record.time
        if isinstance(body, Consented):
            self.consented = True
        elif isinstance(body, Hinted | Tried):
            if self.attempt is not None:
                self.attempt.apply(body)
        elif isinstance(body, Waiting):
            self._wait(record.time, body)
        elif isinstance(body, Seated):
            self.unit, self.place, self.waiting = body.unit, body.place, None
        elif isinstance(body, Ended):
            self._end(body)

    def _wait(self, time: int, body: Waiting) -> None:
        if self.ready is None:
            self.ready = time
        self.waiting, self.first = time, body.first
        self.preferred = body.place
        self.lost += body.first

    def _end(self, body: Ended) -> None:
        self.outcome, self.code, self.waiting = body.outcome, body.code, None
        for client in list(self.clients)[:-REMEMBERED]:
            del self.clients[client]

    def decide(self, message: MessageBody, version: str = "") -> Body:
        """Return the body of the record that a message outside of units makes.

        Args:
            message: What they sent.
            version: Of the consent text.

        Raises:
            Refused: It cannot be done in this step; `not_now` where it never can.
        """
        if isinstance(message, Consent) and self.step == "consent":
            return Consented(version)
        if self.attempt is not None and self.step in ("tutorial", "quiz"):
            if isinstance(message, QuizHint):
                return self.attempt.hint(message.question)
            if isinstance(message, QuizAnswer):
                return self.attempt.answer(message.question, message.option)
        if isinstance(message, Ready) and self.step == "waiting" and self.waiting is None:
            return Waiting(place=self.fixed or message.role)
        kind = message.__struct_config__.tag
        raise Refused("not_now", f"{kind!r} is not possible in the step {self.step!r}")
