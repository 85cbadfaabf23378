"""The records of a study's append-only log, and the bodies they may have.

    Record("unit/3", 7, 1700000000000, "user", "c-19", Utterance(agent="user", text="Hi"))

A stream is the log of one thing: the study itself, one assignment (a worker's way through one
stage), one unit of work (a dialogue under way, say). Everything else a study knows (who waits,
whose turn it is, who was paid) follows from the records, read in order. Within a stream `seq`
counts from 1 without gaps, and a client's message is kept once: (stream, author, client) is unique.

What happens in a dialogue is kept as the dialogue's own events; the rest of a unit's log, and the
logs of assignments and of the study, have the bodies below.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from dialoom.collect.log.chat import ChatFact
from dialoom.collect.log.sound import SoundFact
from dialoom.dialogue import Event
from dialoom.dialogue.annotation import Struct

STUDY = "study"
"""The stream of the study itself."""

Place = str
"""What somebody is in a unit of work: one of the places of its kind."""

Role = Literal["user", "wizard"]
"""The places of a room: who somebody plays."""

USER_ROLE: Role = "user"
WIZARD_ROLE: Role = "wizard"
ROLES: tuple[Role, ...] = (USER_ROLE, WIZARD_ROLE)

BOT = "bot:"
"""Begins the worker id of a program in a seat."""

PERSON = "person:"
"""Begins what the log calls a worker, and what is left of the id of one who was erased."""

Outcome = Literal[
    "completed", "waited", "partner_lost", "screened_out", "left", "idle", "lost", "ended"
]
"""How an assignment ends; each has a completion code.

completed: all of it was done; waited: nobody came; partner_lost: the partner went away;
screened_out: the quiz was not passed; left, idle, lost: they went, did nothing, or lost the
connection; ended: the admin ended it."""


UNIT = "unit/"
"""Begins the stream of a unit of work; its number follows."""


def unit_stream(unit: int) -> str:
    """Return the stream of a unit of work."""
    return f"{UNIT}{unit}"


def assignment_stream(assignment: int) -> str:
    """Return the stream of an assignment."""
    return f"assignment/{assignment}"


def is_bot(worker: str) -> bool:
    """Tell whether a worker is a program."""
    return worker.startswith(BOT)


def is_erased(worker: str) -> bool:
    """Tell whether a worker was erased, and has an alias only."""
    return worker.startswith(PERSON)


def is_named(worker: str) -> bool:
    """Tell whether a worker is somebody with an id of their own."""
    return not is_bot(worker) and not is_erased(worker)


# --- of a unit of work --------------------------------------------------------------------------


class Opened(Struct, frozen=True, tag="opened", kw_only=True):
    """A unit was opened: the id of its item, its stage, and place to assignment."""

    item: str
    stage: str
    seats: dict[Place, int]
    batch: str


class Answered(Struct, frozen=True, tag="answered", kw_only=True):
    """One person's questionnaire: question to yes or no, a rating from 1 to 5, a comment."""

    place: Place
    answers: dict[str, bool]
    rating: int | None = None
    comment: str | None = None


class Departed(Struct, frozen=True, tag="departed", kw_only=True):
    """Somebody left their seat for good."""

    place: Place
    cause: Outcome


class Closed(Struct, frozen=True, tag="closed", kw_only=True):
    """The unit is over.

    With the tally, a study starts without reading again what was said in rooms that are over.

    Attributes:
        outcome: STAR's CompletionLevel.
        tally: Counts of a room.
        result: What came of it, for the stages that go on with it.
    """

    outcome: str
    tally: Tally | None = None
    result: Any = None


class Notice(Struct, frozen=True, tag="notice", kw_only=True):
    """The admin tells something to those in a unit, or to one of its places."""

    text: str
    to: Place | None = None


class Erased(Struct, frozen=True, tag="erased"):
    """Something that somebody did who was erased since."""


# --- of a room ----------------------------------------------------------------------------------


class Override(Struct, frozen=True, tag="override", kw_only=True):
    """The wizard left the flow; `reason` where one was asked for.

    `action` is what they picked though it does not come next; None is a reply in their own words.
    """

    action: str | None
    expected: tuple[str, ...]
    reason: str | None = None


class Tally(Struct, frozen=True, kw_only=True):
    """Counts of a closed dialogue.

    Attributes:
        actions: The wizard's actions in order: queries, and the labels of suggestions they picked.
        replies: The wizard's replies.
        custom: Those they typed themselves.
        topics: The tasks that were touched.
        gaps: Role to how long each of their answers took, in ms.
    """

    actions: tuple[str, ...] = ()
    replies: int = 0
    custom: int = 0
    topics: tuple[str, ...] = ()
    gaps: dict[Role, tuple[int, ...]] = {}


# --- of a document ------------------------------------------------------------------------------


class Saved(Struct, frozen=True, tag="saved", kw_only=True):
    """A part of a document was saved for the `rev`-th time; None where it was taken away."""

    part: str
    rev: int
    value: Any = None


# --- of an assignment ---------------------------------------------------------------------------


class Entered(Struct, frozen=True, tag="entered", kw_only=True):
    """A worker begins in a stage, in one of the study's languages.

    `place` is set where the link fixes it; `source` has the recruiter's ids.
    """

    worker: str
    stage: str
    language: str = ""
    place: Place | None = None
    source: dict[str, str] = {}


class Consented(Struct, frozen=True, tag="consented"):
    """A worker agreed to take part, as the consent text of a version says."""

    version: str = ""


class Hinted(Struct, frozen=True, tag="hinted"):
    """A worker asked for the hint to a question of the quiz."""

    question: str


class Tried(Struct, frozen=True, tag="tried"):
    """A worker answered a question of the quiz."""

    question: str
    option: str
    right: bool


class Waiting(Struct, frozen=True, tag="waiting"):
    """A worker is ready to be paired; `first` puts those whose partner was lost before others.

    `place` is the one they prefer, where they may choose.
    """

    first: bool = False
    place: Place | None = None


class Seated(Struct, frozen=True, tag="seated"):
    """A worker was given a seat."""

    unit: int
    place: Place


class Ended(Struct, frozen=True, tag="ended"):
    """An assignment ended; `code` is what the recruiter asks for."""

    outcome: Outcome
    code: str


# --- of the study -------------------------------------------------------------------------------


class Started(Struct, frozen=True, tag="started"):
    """The study is set up; `settings` are those of collect/settings.py."""

    settings: dict[str, Any]


class Changed(Struct, frozen=True, tag="changed"):
    """The study's settings are others from now on: these, all of them."""

    settings: dict[str, Any]


class Batched(Struct, frozen=True, tag="batched"):
    """Units that are opened from now on belong to this batch; `pilot` is whether it is one."""

    batch: str
    pilot: bool


class Offered(Struct, frozen=True, tag="offered"):
    """An item (collect/item.py) may be given out from now on."""

    item: dict[str, Any]


class Reviewed(Struct, frozen=True, tag="reviewed", kw_only=True):
    """The admin judged a submission; ratings from 1 to 5."""

    assignment: int
    accepted: bool
    reason: str
    instructions: int | None = None
    creativity: int | None = None


class Undone(Struct, frozen=True, tag="undone", kw_only=True):
    """The admin took the review of a submission back: it waits for another one."""

    assignment: int


class Qualified(Struct, frozen=True, tag="qualified"):
    """A worker may enter a stage; False: no longer; None: as if nothing had been decided."""

    worker: str
    stage: str
    granted: bool | None = True


class Booked(Struct, frozen=True, tag="booked", kw_only=True):
    """A row of the ledger: `key` makes it idempotent, `cents` is 0 for a rejection."""

    key: str
    worker: str
    kind: Literal["payment", "bonus", "rejection"]
    cents: int
    reason: str
    assignment: int | None = None


Fact = (
    Opened
    | Override
    | Answered
    | Departed
    | Closed
    | Notice
    | Erased
    | Saved
    | Entered
    | Consented
    | Hinted
    | Tried
    | Waiting
    | Seated
    | Ended
    | Started
    | Changed
    | Batched
    | Offered
    | Reviewed
    | Undone
    | Qualified
    | Booked
)
"""What a study keeps besides the events of dialogues.

A served agent's log has chat.py's facts, a spoken dialogue's those of sound.py."""

Body = Event | Fact | ChatFact | SoundFact


class Record(Struct, frozen=True):
    """One line of the log.

    Attributes:
        stream: Whose log.
        seq: Its place there, from 1, without gaps.
        time: Milliseconds since 1970.
        author: Who caused it: a place, "worker" outside of units, "guide", "kb", "server", "admin".
        client: The client's own id of the message that caused it; empty where none did.
        body: What happened.
        of: The workers whose own it is: it can be read no longer when one of them is erased.
    """

    stream: str
    seq: int
    time: int
    author: str
    client: str
    body: Body
    of: tuple[str, ...] = ()


SUMS = (Opened, Answered, Departed, Closed)
"""What a study has to know of a unit that is over."""


def kind(body: type[Body] | Body) -> str:
    """Return the name of a kind of body: its tag."""
    return str(body.__struct_config__.tag)


_BODY: msgspec.json.Decoder[Body] = msgspec.json.Decoder(Body)
_ENCODER = msgspec.json.Encoder()


def encode_body(body: Body) -> bytes:
    """Return a body as JSON."""
    return _ENCODER.encode(body)


def decode_body(text: bytes | str) -> Body:
    """Return the body that JSON describes.

    Raises:
        msgspec.DecodeError: It describes none.
    """
    return _BODY.decode(text)
