"""The records of a study's append-only log, and the types of their bodies.

    Record("unit/3", 7, 1700000000000, "user", "c-19", Utterance(agent="user", text="Hi"))

The log consists of streams: one for the study itself, one for each assignment (a worker's way
through one stage) and one for each unit of work (for example, a dialogue). The whole state of a
study (who waits, whose turn it is, who was paid) is computed from the records in order. Within a
stream `seq` counts from 1 without gaps, and a client's message is recorded once: (stream, author,
client) is unique.

The bodies of what happens in a dialogue are the events of dialoom.dialogue; the other bodies are
defined below.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from dialoom.collect.log.facts import ChatFact, LoggedOut, QuizFact, ServedFact, SoundFact
from dialoom.dialogue import Event
from dialoom.dialogue.annotation import Struct

STUDY = "study"
"""The stream of the study itself."""

Role = str
"""The part of a worker in a unit of work: one of the roles that its kind defines."""

STORED = {"role": "place"}
"""Field to its key in stored records, where that has another name."""

RoomRole = Literal["user", "wizard"]
"""The roles of a room, a dialogue of two people."""

USER_ROLE: RoomRole = "user"
WIZARD_ROLE: RoomRole = "wizard"
ROLES: tuple[RoomRole, ...] = (USER_ROLE, WIZARD_ROLE)

BOT = "bot:"
"""Prefix of the worker id of a program that takes part."""

ADMIN, SERVER, WORKER = "admin", "server", "worker"
"""Authors of records: the admin, the server by itself, a worker outside of units."""

PERSON = "person:"
"""Prefix of a worker's alias in the log; an erased worker has no other name left."""

Outcome = Literal[
    "completed", "waited", "partner_lost", "screened_out", "left", "idle", "lost", "ended"
]
"""The end of an assignment; each outcome can have its own completion code.

completed: all work was done; waited: no partner came in time; partner_lost: the partner left;
screened_out: the quiz was not passed; left, idle, lost: the worker left, did nothing for too long,
or lost the connection; ended: the admin ended it."""

UNIT = "unit/"
"""Prefix of the name of a unit's stream; its number follows."""


def unit_stream(unit: int) -> str:
    """Return the name of the stream of a unit of work."""
    return f"{UNIT}{unit}"


def assignment_stream(assignment: int) -> str:
    """Return the name of the stream of an assignment."""
    return f"assignment/{assignment}"


def is_bot(worker: str) -> bool:
    """True if a worker id is a program's."""
    return worker.startswith(BOT)


def is_erased(worker: str) -> bool:
    """True if a worker id is the alias of an erased worker."""
    return worker.startswith(PERSON)


def is_named(worker: str) -> bool:
    """True if a worker id is a person's own: neither a program's nor an alias."""
    return not is_bot(worker) and not is_erased(worker)


# --- of a unit of work --------------------------------------------------------------------------


class Opened(Struct, frozen=True, tag="opened", kw_only=True):
    """A unit was opened: the id of its item, its stage, role to assignment, and its batch."""

    item: str
    stage: str
    seats: dict[Role, int]
    batch: str


class Answered(Struct, frozen=True, tag="answered", kw_only=True, rename=STORED):
    """A person answered the questionnaire: question to answer, a rating (1 to 5), a comment.

    Answers are yes or no; those to a study's own questions may be grades or texts. `turns` has
    those about turns, by their names on the page (own_questions.py).
    """

    role: Role
    answers: dict[str, bool | int | str]
    turns: dict[str, bool | int | str] = {}
    rating: int | None = None
    comment: str | None = None


class Departed(Struct, frozen=True, tag="departed", kw_only=True, rename=STORED):
    """A person left a unit and cannot come back."""

    role: Role
    cause: Outcome


class Closed(Struct, frozen=True, tag="closed", kw_only=True):
    """The unit was closed.

    With the tally a study can be restored without reading the records of closed units again.

    Attributes:
        outcome: A CompletionLevel of STAR.
        tally: The counts of a room; None for other kinds of work.
        result: The finished work as JSON values, for later stages; None for rooms.
    """

    outcome: str
    tally: Tally | None = None
    result: Any = None


class Notice(Struct, frozen=True, tag="notice", kw_only=True):
    """The admin sent a message to everybody in a unit, or to the person in one role."""

    text: str
    to: Role | None = None


class Erased(Struct, frozen=True, tag="erased"):
    """Replaces the body of a record whose worker was erased."""


# --- of a room ----------------------------------------------------------------------------------


class Override(Struct, frozen=True, tag="override", kw_only=True):
    """The wizard's next reply does not follow the flow chart.

    Attributes:
        action: The suggested action that they chose although it does not come next; None for a
            reply in their own words.
        expected: The actions that come next in the flow.
        reason: Their reason; None where the study asks for none.
    """

    action: str | None
    expected: tuple[str, ...]
    reason: str | None = None


class Tally(Struct, frozen=True, kw_only=True):
    """Counts of a closed dialogue.

    Attributes:
        actions: The wizard's actions in order: queries, and the labels of chosen suggestions.
        replies: Number of the wizard's replies.
        custom: Number of these that they typed.
        gaps: Role to the time (ms) that each of their answers took.
    """

    actions: tuple[str, ...] = ()
    replies: int = 0
    custom: int = 0
    topics: tuple[str, ...] = ()
    gaps: dict[RoomRole, tuple[int, ...]] = {}


# --- of a document ------------------------------------------------------------------------------


class Saved(Struct, frozen=True, tag="saved", kw_only=True):
    """A part of a document was saved as revision `rev`; a value of None deletes it."""

    part: str
    rev: int
    value: Any = None


# --- of an assignment ---------------------------------------------------------------------------


class Attention(Struct, frozen=True, tag="attention", kw_only=True):
    """A worker pasted so many characters into the page, or was away from it for `away` seconds."""

    pasted: int = 0
    away: float | None = None


class Entered(Struct, frozen=True, tag="entered", kw_only=True, rename=STORED):
    """A worker began an assignment of a stage.

    Attributes:
        language: The language that they work in; empty for the study's own.
        role: The role that their link fixes; None where it fixes none.
        source: The parameters of the recruiter's link, and the server's own keys.
    """

    worker: str
    stage: str
    language: str = ""
    role: Role | None = None
    source: dict[str, str] = {}


class Consented(Struct, frozen=True, tag="consented"):
    """A worker consented to take part, to this version of the consent text."""

    version: str = ""


class Waiting(Struct, frozen=True, tag="waiting", rename=STORED):
    """A worker began to wait for a unit; `role` is the one that they prefer.

    `first` is whether they are served before others, since they lost their partner.
    """

    first: bool = False
    role: Role | None = None


class Seated(Struct, frozen=True, tag="seated", rename=STORED):
    """A worker was given a role in a unit."""

    unit: int
    role: Role


class Ended(Struct, frozen=True, tag="ended"):
    """An assignment ended; `code` is the completion code shown to the worker."""

    outcome: Outcome
    code: str


# --- of the study -------------------------------------------------------------------------------


class Started(Struct, frozen=True, tag="started"):
    """The study was set up with settings (collect/settings.py as JSON values)."""

    settings: dict[str, Any]


class Changed(Struct, frozen=True, tag="changed"):
    """The study's settings were replaced by these, which are complete."""

    settings: dict[str, Any]


class Batched(Struct, frozen=True, tag="batched"):
    """A batch began, to which later units belong; `pilot` is whether it is a pilot."""

    batch: str
    pilot: bool


class Offered(Struct, frozen=True, tag="offered"):
    """An item (collect/unit.py as JSON values) was added to those that are given out."""

    item: dict[str, Any]


class Arranged(Struct, frozen=True, tag="arranged", kw_only=True):
    """The admin set an item's priority, or withdrew it so that it is given out no longer."""

    item: str
    priority: int = 0
    withdrawn: bool = False


class Reviewed(Struct, frozen=True, tag="reviewed", kw_only=True):
    """The admin accepted or rejected the submission of an assignment, with ratings from 1 to 5.

    `instructions` is how well the worker followed them, `creativity` how creative the user was;
    `automatic` is a review by the rules of the stage.
    """

    assignment: int
    accepted: bool
    reason: str
    instructions: int | None = None
    creativity: int | None = None
    automatic: bool = False


class Undone(Struct, frozen=True, tag="undone", kw_only=True):
    """The admin withdrew the review of a submission, which then waits for a new one."""

    assignment: int


class Qualified(Struct, frozen=True, tag="qualified"):
    """A worker's qualification for a stage: granted, taken away (False) or reset (None)."""

    worker: str
    stage: str
    granted: bool | None = True


class Booked(Struct, frozen=True, tag="booked", kw_only=True):
    """A row of the ledger; a `key` is booked once, and `cents` is 0 for a rejection."""

    key: str
    worker: str
    kind: Literal["payment", "bonus", "rejection"]
    cents: int
    reason: str
    assignment: int | None = None


UnitFact = Opened | Answered | Departed | Closed | Notice | Erased | Override | Saved
AssignmentFact = Attention | Entered | Consented | Waiting | Seated | Ended
StudyFact = Started | Changed | Batched | Offered | Arranged
ReviewFact = Reviewed | Undone | Qualified | Booked
OtherFact = ChatFact | QuizFact | ServedFact | SoundFact | LoggedOut

Body = Event | UnitFact | AssignmentFact | StudyFact | ReviewFact | OtherFact


class Record(Struct, frozen=True):
    """One record of the log.

    Attributes:
        stream: The name of its stream.
        seq: Its number in the stream, from 1, without gaps.
        time: Milliseconds since 1970.
        author: The cause: a role, "worker" outside of units, "guide", "kb", "server", "admin".
        client: The id that a client gave to the message that caused it; empty without one.
        of: The workers whose personal data it is; it is encrypted with their keys, and unreadable
            when one of them is erased.
    """

    stream: str
    seq: int
    time: int
    author: str
    client: str
    body: Body
    of: tuple[str, ...] = ()


SUMS = (Opened, Answered, Departed, Closed)
"""The bodies that a study still needs of a closed unit."""


def kind(body: type[Body] | Body) -> str:
    """Return the name of a body's type: its tag in JSON."""
    return str(body.__struct_config__.tag)


_BODY: msgspec.json.Decoder[Body] = msgspec.json.Decoder(Body)
_ENCODER = msgspec.json.Encoder()


def encode_body(body: Body) -> bytes:
    """Return a body as JSON."""
    return _ENCODER.encode(body)


def decode_body(text: bytes | str) -> Body:
    """Return the body of a JSON text; `msgspec.DecodeError` for another text."""
    return _BODY.decode(text)
