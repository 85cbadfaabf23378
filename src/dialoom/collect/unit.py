"""Units of work (a dialogue of two people, a document of one), and the interface of their kinds.

    unit = WorkUnit(number=3, kind=kinds["room"], item=item, …)
    unit.kind.decide(unit.work, "user", message, now)      # the records that a message makes
    unit.view.of(unit.work, "user")                        # what a page shows

A kind has its own messages, state, rules, page and export; log, matching, pay and review are the
same for all kinds. A dialogue of two people (kinds/room) is one kind. A unit is about an item, such
as a scenario, an outline or a dialogue, which the simulator, a corpus or another stage makes.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from dialoom.collect.log.record import (
    Answered,
    Body,
    Closed,
    Departed,
    Outcome,
    Record,
    Role,
    unit_stream,
)
from dialoom.collect.message import MessageBody
from dialoom.collect.settings import Stage
from dialoom.dialogue import Candidate
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.event import Item
from dialoom.errors import clip
from dialoom.schema.task import TaskSchema


class WorkItem(Struct, frozen=True, kw_only=True):
    """One scenario, dialogue or other piece of content that people are to work on.

    Attributes:
        source: The stage that it belongs to; empty for scenarios of rooms, which several stages
            share.
        group: The group within its source that a stage can ask for: single or multi.
        variant: The condition that it belongs to when several are compared (for example, the bot);
            each worker gets items of the variants that they have had least often first.
        digest: The digest of the texts that the worker reads; a worker gets each digest once.
        target: The number of units of work wanted of it.
        participants: The workers whose own work it is about; they are not given this item.
        after: The item or unit of another stage that it continues; empty where there is none.
        language: The language of the workers who may get it; empty for everybody.
        priority: Items with a higher priority are given out first.
        added: Whether the admin added it, so that it is not one of the stage's source.
        gold: Whether its right answers are known, to compare with those of workers; it is given
            out by other rules (`study/gold.py`) and to any number of workers.
    """

    id: str
    source: str = ""
    group: str = ""
    content: Any = None
    variant: str = ""
    digest: str
    target: int = 1
    participants: tuple[str, ...] = ()
    after: str = ""
    language: str = ""
    priority: int = 0
    added: bool = False
    gold: bool = False


def gold_source(stage: str) -> str:
    """Return the source of the gold items of a stage."""
    return f"{stage}, gold"


class ItemFilter(NamedTuple):
    """A condition on the items that a stage gives out; empty groups or language admit any."""

    source: str
    groups: tuple[str, ...] = ()
    language: str = ""

    def admits(self, item: WorkItem) -> bool:
        """True if an item meets the condition."""
        return (
            item.source == self.source
            and (not self.groups or item.group in self.groups)
            and self.language in ("", item.language or self.language)
        )


log = logging.getLogger("dialoom.collect")


class UnitFaults:
    """The faults of one unit, by the number of the record at which they happened."""

    def __init__(self) -> None:
        self.noted: dict[int, str] = {}

    def note(self, seq: int, what: str) -> None:
        """Note what went wrong at the record number `seq`."""
        self.noted[seq] = clip(what)

    @contextmanager
    def skipping(self, seq: int) -> Iterator[None]:
        """Note and log a fault of the block, which reads the record number `seq`, and go on."""
        try:
            yield
        except Exception as error:  # a bug of a reader, whatever it is
            if seq not in self.noted:
                log.exception("record %d of a unit cannot be read", seq)
            self.note(seq, f"{type(error).__name__}: {error}")

    def __str__(self) -> str:
        return "; ".join(f"record {seq}: {what}" for seq, what in self.noted.items())


Data = dict[str, Any]
"""JSON values for a page."""
Policy = Literal["together", "alone", "apart"]
"""The way to fill the roles of a unit. `together`: all at once, by people who wait; `alone`: the
only role, as soon as a worker is ready; `apart`: as `alone`, but an item may have several units,
each of a different worker, and none of the workers whose own work the item is about."""


class Idleness(NamedTuple):
    """The idle roles of a unit.

    Attributes:
        warned: The role whose person is to get an idle warning.
        expired: The role whose person has been idle for so long that they lose it.
        since: When the wait began (ms since 1970); one wait brings one warning.
    """

    warned: Role | None
    expired: Role | None
    since: int


@dataclass(frozen=True, slots=True)
class SuggestionRequest:
    """A wizard's request for suggested replies.

    Attributes:
        known: Name to value of what the user has said.
        likely: The actions that come next in the flow; empty with the guard off.
    """

    task: str
    text: str
    item: Item | None
    known: dict[str, Any]
    count: int
    likely: tuple[str, ...]


class UnitEvents:
    """The events of a unit as each role sees them, numbered from 1 without gaps."""

    def __init__(self) -> None:
        self._events: dict[Role, list[Data]] = {}

    def add(self, record: Record, role: Role, kind: str, content: Data) -> None:
        """Add the event that a role sees of a record; `content` may have another kind."""
        events = self._events.setdefault(role, [])
        event: Data = {"seq": len(events) + 1, "time": record.time, "kind": kind, **content}
        if record.client and record.author == role:
            event["client"] = record.client
        events.append(event)

    def of(self, role: Role) -> list[Data]:
        """Return a role's events so far."""
        return self._events.get(role, [])

    def count(self, role: Role) -> int:
        """Return how many events a role can see so far."""
        return len(self.of(role))

    def since(self, role: Role, seq: int = 0) -> list[Data]:
        """Return copies of a role's events after its event number `seq`."""
        return [dict(event) for event in self.of(role)[max(seq, 0) :]]


class Work(Protocol):
    """The state of one unit under way, computed from its records."""

    @property
    def events(self) -> UnitEvents:
        """The events of the unit as each role sees them."""

    @property
    def faults(self) -> UnitFaults:
        """The faults in it."""

    @property
    def step(self) -> str:
        """`talk` (the work itself), `questionnaire` or `closed`."""

    @property
    def closed(self) -> bool:
        """True if the unit is closed."""

    @property
    def over(self) -> bool:
        """True if the unit is closed, or nothing but its closing record is missing."""

    @property
    def waits_since(self) -> int:
        """When the current wait for a person began (ms since 1970)."""

    @property
    def completion_level(self) -> str:
        """The outcome if the unit ended now: STAR's CompletionLevel."""

    def apply(self, record: Record) -> None:
        """Update the state with the next record of the unit."""

    def idleness(self, now: int) -> Idleness:
        """Return the roles that are idle at `now` (ms since 1970)."""

    def close(self, outcome: str) -> Closed:
        """Return the body of the unit's last record."""


class UnitView(Protocol):
    """The pages of a unit's roles."""

    def of(self, work: Any, role: Role) -> Data:
        """Return a role's page; a caller that changes it has to copy it."""


class WorkKind(Protocol):
    """A kind of work; the setting `kind` of stages has its name. Kinds inherit its defaults."""

    name: str
    policy: Policy
    schemas: Mapping[str, TaskSchema]

    @property
    def roles(self) -> tuple[Role, ...]:
        """The roles of a unit, such as user and wizard."""

    @property
    def reader(self) -> Role:
        """The role whose worker must not have had the item before."""

    def items(self) -> Iterator[WorkItem]:
        """Yield the items of its source, always the same ones in the same order."""

    def given(self, item: WorkItem) -> Any:
        """Return the content of an item, converted from JSON values to the kind's type."""

    def begin(self, item: WorkItem, stage: Stage) -> Work:
        """Return the state of a unit that is opened for an item."""

    def view(self) -> UnitView:
        """Return the pages of a unit."""

    def charts(self, work: Any, role: Role) -> tuple[str, ...]:
        """Return the tasks whose flow charts a role may see; by default none."""
        return ()

    def wanted(self, work: Any, role: Role, message: MessageBody) -> SuggestionRequest | None:
        """Return the suggestions that are to be ranked before `decide` gets a message, if any."""
        return None

    def opening(self, work: Any, now: int) -> Iterable[Body]:
        """Return the bodies of the records that follow right after a unit was opened."""
        return ()

    def author(self, body: Body, role: Role) -> str:
        """Return the author of a record made by a message of `role`."""

    def decide(
        self,
        work: Any,
        role: Role,
        message: MessageBody,
        now: int,
        ranked: Sequence[Candidate] | None = None,
    ) -> tuple[Body, ...]:
        """Return the bodies of the records that a message makes; nothing is changed.

        Args:
            ranked: For a request for suggestions, the ranked replies.

        Raises:
            Refused: The message cannot be carried out.
        """


class Result(NamedTuple):
    """The finished document of a unit: part to value."""

    unit: int
    worker: str
    document: Mapping[str, Any]
    batch: str = ""


class Scenarios(Protocol):
    """The source of a study's scenarios; `kinds.room.scenario.ScenarioLibrary` is one."""

    tasks: Mapping[str, TaskSchema]

    def scenarios(self) -> Iterable[Any]:
        """Yield the scenarios, always the same ones in the same order."""


@dataclass(slots=True)
class WorkUnit:
    """A unit of work, live or over.

    When it is closed, the state of its work is dropped to save memory: its records are in the
    store.

    Attributes:
        lease: Its number among the item's units.
        seats: Role to assignment.
        work: The state of its work, while it is live and its log was read whole; else None.
        live: The roles whose people are still there.
        departed: Role to why its person left.
        outcome: The outcome; None while it is live.
        result: The finished work as JSON values, if its kind has any.
        seq: Number of records in its stream.
    """

    number: int
    kind: WorkKind
    item: WorkItem
    stage: str
    lease: int
    seats: dict[Role, int]
    batch: str
    opened: int
    work: Any = None
    view: Any = None
    live: set[Role] = field(default_factory=set)
    answers: dict[Role, Answered] = field(default_factory=dict)
    departed: dict[Role, Outcome] = field(default_factory=dict)
    outcome: str | None = None
    result: Any = None
    last: int = 0
    seq: int = 0

    @property
    def stream(self) -> str:
        """The name of its stream in the log."""
        return unit_stream(self.number)

    def drop(self) -> None:
        """Drop the state of the work."""
        self.work = self.view = None

    def apply(self, record: Record, *, logged: bool = False) -> None:
        """Update the unit with its next record; an unreadable one is skipped if it is `logged`."""
        if self.work is not None:
            with self.work.faults.skipping(record.seq) if logged else nullcontext():
                self.work.apply(record)
        self.last = record.time
        match record.body:
            case Answered(role=role):
                self.answers[role] = record.body
                self.live.discard(role)
            case Departed(role=role, cause=cause):
                self.departed[role] = cause
                self.live.discard(role)
            case Closed(outcome=outcome, result=result):
                self.outcome, self.result = outcome, result
