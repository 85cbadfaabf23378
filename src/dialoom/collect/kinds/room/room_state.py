"""The state of one dialogue under way, computed from its room's records.

The state depends on the records alone, live and in a replay; rules.py decides what is allowed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from dialoom.collect.kinds.room.scenario import Scenario
from dialoom.collect.log.facts import Drafted, Recorded
from dialoom.collect.log.record import (
    ROLES,
    USER_ROLE,
    WIZARD_ROLE,
    Answered,
    Body,
    Closed,
    Departed,
    Opened,
    Record,
    Role,
    RoomRole,
)
from dialoom.collect.unit import UnitFaults
from dialoom.dialogue import (
    COMPLETE,
    USER,
    Completion,
    Instruction,
    Options,
    Query,
    Result,
    Selected,
    Selection,
    Utterance,
)
from dialoom.dialogue.event import Item
from dialoom.dialogue.views import NOTHING

Step = Literal["talk", "questionnaire", "closed"]

_TALK = (Utterance, Query, Result, Options, Selection)

SHORT = 4
"""The most utterances of a dialogue that broke off early; the limit is counted in STAR's files."""


class Held(NamedTuple):
    """An item of the wizard's list, the API that returned it, and the task of the query."""

    api: str
    task: str
    item: Item


class Found(NamedTuple):
    """The result of a query: indexes into the wizard's list of items, and the total found."""

    api: str
    items: tuple[int, ...]
    total: int | None


@dataclass(slots=True)
class RoomState:
    """The state of a room's dialogue.

    Attributes:
        task: The wizard's current task; None until one of several was chosen.
        log: The room's records, in order.
        turn: The role whose turn it is; None after the dialogue.
        said: The number of utterances so far.
        turns: The number of the user's utterances so far.
        delivered: The number of instructions so far.
        delivered_at: The number of the user's utterances before the last instruction.
        found: The result of each query.
        shown: The suggestions shown last; None when they can no longer be chosen.
        outcome: The outcome; None until the room is closed.
        sounds: Digest to the record of a received sound.
        drafts: Digest of a sound to the speech recogniser's text.
        completed: When the task was accomplished, or handed over to a person (ms since 1970).
    """

    scenario: Scenario
    task: str | None = None
    log: list[Record] = field(default_factory=list)
    step: Step = "talk"
    turn: RoomRole | None = USER_ROLE
    batch: str = ""
    said: int = 0
    turns: int = 0
    delivered: int = 0
    delivered_at: int = 0
    queries: list[Query] = field(default_factory=list)
    items: list[Held] = field(default_factory=list)
    found: list[Found] = field(default_factory=list)
    selected: Selected = NOTHING
    shown: Options | None = None
    answers: dict[Role, Answered] = field(default_factory=dict)
    departed: set[Role] = field(default_factory=set)
    outcome: str | None = None
    sounds: dict[str, Recorded] = field(default_factory=dict)
    drafts: dict[str, str] = field(default_factory=dict)
    completed: int = 0
    faults: UnitFaults = field(default_factory=UnitFaults, compare=False)

    def apply(self, record: Record) -> None:
        """Update the state with the next record of the room."""
        self.log.append(record)
        if isinstance(record.body, _TALK):
            self._talked(record.body)
        else:
            self._moved_on(record)

    @property
    def speakers(self) -> list[str]:
        """The speaker of each utterance."""
        return [each.body.agent for each in self.log if isinstance(each.body, Utterance)]

    @property
    def last(self) -> int:
        """The time of the last record (ms since 1970)."""
        return self.log[-1].time if self.log else 0

    @property
    def unanswered(self) -> tuple[RoomRole, ...]:
        """The roles that have neither left nor answered their questionnaire."""
        return tuple(r for r in ROLES if r not in self.answers and r not in self.departed)

    @property
    def awaited(self) -> tuple[RoomRole, ...]:
        """The roles that the room waits for: whose turn it is, or who has not answered yet."""
        if self.step == "talk":
            return (self.turn,) if self.turn is not None and self.log else ()
        return self.unanswered if self.step == "questionnaire" else ()

    @property
    def drafted(self) -> bool:
        """True if every sound has a recogniser's draft."""
        return self.sounds.keys() <= self.drafts.keys()

    @property
    def over(self) -> bool:
        """True if the room is closed, or has to be since nobody can go on."""
        if self.step == "talk":
            return bool(self.departed)
        return self.step == "closed" or not self.unanswered

    @property
    def closed(self) -> bool:
        """True if the room is closed."""
        return self.step == "closed"

    @property
    def waits_since(self) -> int:
        """Since when the room has waited for the `awaited` roles (ms since 1970)."""
        return self.last if self.step == "talk" else self.completed

    @property
    def completion_level(self) -> str:
        """STAR's CompletionLevel, as if the dialogue ended now."""
        if self.outcome is not None:
            return self.outcome
        if self.step == "talk":
            early = self.said <= SHORT
            return f"{'Early' if early else ''}DisconnectDuringDialogue"
        answered = all(role in self.answers for role in ROLES)
        return COMPLETE if answered else "DisconnectDuringQuestionnaire"

    def place(self, item: Item | None) -> int | None:
        """Return the index of an item in the wizard's list; None where it is not there."""
        if item is None:
            return None
        return next((n for n, entry in enumerate(self.items) if entry.item == item), None)

    def _talked(self, body: Body) -> None:
        match body:
            case Utterance(agent=agent):
                self.said += 1
                if agent == USER:
                    self.turns += 1
                    self.turn = WIZARD_ROLE
                else:
                    self.turn, self.shown = USER_ROLE, None
            case Query():
                self.queries.append(body)
                self.shown = None
            case Result(items=items, total=total):
                api = self.queries[-1].api if self.queries else ""
                places = tuple(self._add(api, item) for item in items)
                self.found.append(Found(api, places, total))
                self.selected = Selected(items[0] if items else None, self.selected.secondary)
            case Options():
                self.shown = body
            case Selection(kind=kind, task=task, selected=selected):
                self.shown = None
                self.task = task if kind == "task" else self.task
                self.selected = selected or self.selected

    def _add(self, api: str, item: Item) -> int:
        place = self.place(item)
        if place is None:
            place = len(self.items)
            self.items.append(Held(api, self.task or "", item))
        return place

    def _moved_on(self, record: Record) -> None:
        match record.body:
            case Opened(batch=batch):
                self.batch = batch
                if len(self.scenario.tasks) == 1:
                    self.task = self.scenario.tasks[0]
            case Instruction():
                self.delivered += 1
                self.delivered_at = self.turns
            case Recorded(sound=sound):
                self.sounds[sound] = record.body
            case Drafted(sound=sound, text=text):
                self.drafts[sound] = text
            case Completion():
                self.step, self.turn, self.completed = "questionnaire", None, record.time
            case Answered(role=role):
                self.answers[role] = record.body
            case Departed(role=role):
                self.departed.add(role)
            case Closed(outcome=outcome):
                self.step, self.turn, self.shown = "closed", None, None
                self.outcome = outcome
