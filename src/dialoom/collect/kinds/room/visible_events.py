"""The events that each of a room's two people sees, as JSON data.

An event is {seq, time, kind, …}. `seq` counts the events that this person sees, from 1 without
gaps, so that it gives no hint of hidden ones. An event that the person caused also has `client`,
the id of their message. docs/reference/wire-protocol.md ("Events of a unit") describes each kind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dialoom.collect.kinds.room.room_state import RoomState
from dialoom.collect.kinds.room.sounds import of_utterance
from dialoom.collect.log.facts import SoundFact
from dialoom.collect.log.record import (
    ROLES,
    USER_ROLE,
    WIZARD_ROLE,
    Answered,
    Closed,
    Departed,
    Notice,
    Opened,
    Override,
    Role,
)
from dialoom.collect.unit import Data, UnitEvents
from dialoom.dialogue import (
    USER,
    Completion,
    Instruction,
    Options,
    Query,
    Result,
    Selection,
    Utterance,
)
from dialoom.dialogue.event_lines import describe_constraint, describe_item
from dialoom.dialogue.views import NOTHING, label

_SEEN_BY_BOTH = frozenset({Opened, Utterance, Completion, Departed, Closed})


def seen_by(body: Any) -> tuple[Role, ...]:
    """Return the roles that may see a record; only the wizard where nothing else is said here."""
    if isinstance(body, Answered):
        return (body.role,)
    if isinstance(body, Notice):
        return ROLES if body.to is None else (body.to,)
    if isinstance(body, Instruction):
        return (USER_ROLE,)
    if isinstance(body, SoundFact):
        return ()
    return ROLES if type(body) in _SEEN_BY_BOTH else (WIZARD_ROLE,)


class VisibleEvents(UnitEvents):
    """Makes the events that the two people of a room see, from the room's log."""

    def __init__(self, room: RoomState) -> None:
        super().__init__()
        self._room = room
        self._done = 0

    def of(self, role: Role) -> list[Data]:
        """Return a role's events so far."""
        log = self._room.log
        for record in log[self._done :]:
            for each in seen_by(record.body):
                kind, content = "unread", dict[str, Any]()
                with self._room.faults.skipping(record.seq):
                    name, builder = CONTENTS[type(record.body)]
                    kind, content = name, builder(self._room, record.body, each)
                self.add(record, each, kind, content)
        self._done = len(log)
        return super().of(role)


def _say(room: RoomState, body: Utterance, role: Role) -> Data:
    speaker = USER_ROLE if body.agent == USER else WIZARD_ROLE
    content: Data = {"from": speaker, "text": body.text}
    sound = of_utterance(body)
    if sound is not None:
        content["sound"] = {name.lower(): value for name, value in sound.items()}
    return content | ({"action": label(body)} if role == speaker == WIZARD_ROLE else {})


def _ask(room: RoomState, body: Query, role: Role) -> Data:
    conditions = [
        {"name": each.slot, "operator": each.operator, "values": list(each.values)}
        for each in body.constraints
    ]
    text = ", ".join(map(describe_constraint, body.constraints))
    return {"api": body.api, "conditions": conditions, "text": text}


def _result(room: RoomState, body: Result, role: Role) -> Data:
    places = [room.place(item) for item in body.items]
    api = next((query.api for query in room.queries if query.id == body.query), "")
    text = "; ".join(map(describe_item, body.items))
    return {"api": api, "items": places, "total": body.total, "text": text}


def _select(room: RoomState, body: Selection, role: Role) -> Data:
    if body.kind == "task":
        return {"kind": "turn", "task": body.task}
    selection = body.selected or NOTHING
    item = selection.primary if body.kind == "primary" else selection.secondary
    return {"which": body.kind, "item": room.place(item)}


def _suggest(room: RoomState, body: Options, role: Role) -> Data:
    candidates = [{"id": each.id, "text": each.text} for each in body.candidates]
    return {"text": body.text or "", "candidates": candidates}


def _complete(room: RoomState, body: Completion, role: Role) -> Data:
    return {} if body.agent == USER else {"kind": "handed_over"}


def _override(room: RoomState, body: Override, role: Role) -> Data:
    return {"action": body.action, "expected": list(body.expected), "reason": body.reason}


CONTENTS: dict[type, tuple[str, Callable[[RoomState, Any, Role], Data]]] = {
    Opened: ("opened", lambda room, body, role: {}),
    Utterance: ("say", _say),
    Instruction: ("instruction", lambda room, body, role: {"text": body.text}),
    Completion: ("accomplished", _complete),
    Departed: ("departed", lambda room, body, role: {"role": body.role}),
    Closed: ("closed", lambda room, body, role: {"outcome": body.outcome}),
    Notice: ("notice", lambda room, body, role: {"text": body.text}),
    Answered: ("answered", lambda room, body, role: {}),
    Query: ("ask", _ask),
    Result: ("result", _result),
    Selection: ("choose", _select),
    Options: ("suggest", _suggest),
    Override: ("override", _override),
}
"""Type of a record's body to the kind of its event, and a function for the event's other keys."""
