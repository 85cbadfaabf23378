"""What each of a room's two people has seen of its log: filtered and numbered here, nowhere else.

An event is {seq, time, kind, …}; `seq` counts what the seat sees, from
1 without gaps, so that no gap tells of what it does not see. `client` is there where the seat
itself caused the event, with the id of its message.

    opened          {}
    say             {from, text}, for the wizard also {action}: a label, or null
    instruction     {text}                                          the user only
    accomplished    {}
    departed        {role}
    closed          {outcome}
    answered        {}                                              one's own only
    turn            {task}                                          from here on the wizard only
    ask             {api, conditions: [{name, operator, values}], text}
    result          {api, items: [index], total, text}
    choose          {which, item: index or null}
    suggest         {text, candidates: [{id, text}]}
    override        {action, expected, reason}
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dialoom.collect.log.record import (
    ROLES,
    USER_ROLE,
    WIZARD_ROLE,
    Answered,
    Closed,
    Departed,
    Opened,
    Override,
    Record,
    Role,
)
from dialoom.collect.room.talk import Talk
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
from dialoom.dialogue.transcript import describe_constraint, describe_item
from dialoom.dialogue.views import NOTHING, label

Data = dict[str, Any]

_BOTH: tuple[Role, ...] = (USER_ROLE, WIZARD_ROLE)
_SEEN: dict[type, tuple[Role, ...]] = {
    Opened: _BOTH,
    Utterance: _BOTH,
    Completion: _BOTH,
    Departed: _BOTH,
    Closed: _BOTH,
    Instruction: (USER_ROLE,),
}


def sees(body: Any) -> tuple[Role, ...]:
    """Return the roles that may see what a record holds: what is not named is the wizard's."""
    if isinstance(body, Answered):
        return (body.role,)
    return _SEEN.get(type(body), (WIZARD_ROLE,))


class VisibleEvents:
    """What the two have seen of a room, kept up as its log grows."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self._events: dict[Role, list[Data]] = {role: [] for role in ROLES}
        self._places: dict[Role, dict[int, int]] = {role: {} for role in ROLES}
        self._done = 0

    def _follow(self) -> None:
        log = self.talk.log
        for record in log[self._done :]:
            for role in sees(record.body):
                events = self._events[role]
                self._places[role][record.seq] = len(events)
                events.append(self._event(len(events) + 1, record, role))
        self._done = len(log)

    def count(self, role: Role) -> int:
        """Return how many events a role has seen."""
        self._follow()
        return len(self._events[role])

    def since(self, role: Role, seq: int = 0) -> list[Data]:
        """Return what a role has seen after its `seq`-th event."""
        self._follow()
        return [dict(event) for event in self._events[role][max(seq, 0) :]]

    def shown(self, record: Record, role: Role) -> Data | None:
        """Return a record of the room as a role may see it, None where it may not."""
        self._follow()
        place = self._places[role].get(record.seq)
        return None if place is None else dict(self._events[role][place])

    def _event(self, number: int, record: Record, role: Role) -> Data:
        event: Data = {"seq": number, "time": record.time}
        event |= _SHOWN[type(record.body)](self, record.body, role)
        if record.client and record.author == role:
            event["client"] = record.client
        return event

    def _said(self, body: Utterance, role: Role) -> Data:
        speaker = USER_ROLE if body.agent == USER else WIZARD_ROLE
        event: Data = {"kind": "say", "from": speaker, "text": body.text}
        if role == speaker == WIZARD_ROLE:
            event["action"] = label(body)
        return event

    def _result(self, body: Result, role: Role) -> Data:
        places = [self.talk.place(item) for item in body.items]
        api = next((q.api for q in self.talk.queries if q.id == body.query), "")
        text = "; ".join(map(describe_item, body.items))
        return {"kind": "result", "api": api, "items": places, "total": body.total, "text": text}

    def _chosen(self, body: Selection, role: Role) -> Data:
        if body.kind == "task":
            return {"kind": "turn", "task": body.task}
        held = body.selected or NOTHING
        item = held.primary if body.kind == "primary" else held.secondary
        return {"kind": "choose", "which": body.kind, "item": self.talk.place(item)}


def _asked(seen: VisibleEvents, body: Query, role: Role) -> Data:
    conditions = [
        {"name": each.slot, "operator": each.operator, "values": list(each.values)}
        for each in body.constraints
    ]
    text = ", ".join(map(describe_constraint, body.constraints))
    return {"kind": "ask", "api": body.api, "conditions": conditions, "text": text}


def _suggested(seen: VisibleEvents, body: Options, role: Role) -> Data:
    candidates = [{"id": each.id, "text": each.text} for each in body.candidates]
    return {"kind": "suggest", "text": body.text or "", "candidates": candidates}


def _overridden(seen: VisibleEvents, body: Override, role: Role) -> Data:
    told = {"action": body.action, "expected": list(body.expected), "reason": body.reason}
    return {"kind": "override", **told}


_SHOWN: dict[type, Callable[[VisibleEvents, Any, Role], Data]] = {
    Opened: lambda seen, body, role: {"kind": "opened"},
    Utterance: VisibleEvents._said,
    Instruction: lambda seen, body, role: {"kind": "instruction", "text": body.text},
    Completion: lambda seen, body, role: {"kind": "accomplished"},
    Departed: lambda seen, body, role: {"kind": "departed", "role": body.role},
    Closed: lambda seen, body, role: {"kind": "closed", "outcome": body.outcome},
    Answered: lambda seen, body, role: {"kind": "answered"},
    Query: _asked,
    Result: VisibleEvents._result,
    Selection: VisibleEvents._chosen,
    Options: _suggested,
    Override: _overridden,
}
