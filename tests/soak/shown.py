"""What people were shown is what the log has: each seat its own events, numbered without gaps.

Who sees what is told in docs/reference/wire-protocol.md, 5; it is told here once more, from there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from dialoom.collect.kinds.room.sounds import of_utterance
from dialoom.collect.log.facts import ChatFailed, ChatJudged, SoundFact
from dialoom.collect.log.record import (
    ROLES,
    USER_ROLE,
    WIZARD_ROLE,
    Answered,
    Body,
    Closed,
    Departed,
    Opened,
    Override,
    Record,
    Saved,
)
from dialoom.dialogue import Completion, Instruction, Options, Query, Result, Selection, Utterance
from tests.soak.world import Shown

Seat = tuple[int, str]
"""Room and role."""


HIDDEN = (Query, Result, ChatJudged, ChatFailed)
"""What the bot of a talk does, and what it came to."""


def unlike(records: Iterable[Record], shown: Mapping[Seat, Mapping[int, Shown]]) -> Iterator[str]:
    """Yield what a seat was shown and the log does not have, or not in this place."""
    log = _seen(records)
    for seat, events in shown.items():
        have, where = log[seat], f"the {seat[1]} of room {seat[0]}"
        if sorted(events) != list(range(1, len(events) + 1)):
            yield f"{where} was shown events {sorted(events)}"
        for seq, event in events.items():
            if seq > len(have):
                yield f"{where} was shown {event} as event {seq}, which is not in the log"
            elif have[seq - 1] != event:
                yield f"{where} was shown {event} as event {seq}; the log has {have[seq - 1]}"


def _seen(records: Iterable[Record]) -> defaultdict[Seat, list[Shown]]:
    """Return what each seat is to see, from its first event on."""
    views: defaultdict[Seat, list[Shown]] = defaultdict(list)
    places: dict[str, tuple[str, ...]] = {}
    for record in records:
        kind, _, number = record.stream.partition("/")
        if kind != "unit":
            continue
        if isinstance(record.body, Opened):
            places[number] = tuple(record.body.seats)
        roles, name, text = _event(record.body)
        if USER_ROLE not in places[number]:  # one person sees all of it but what a bot looks up
            roles = () if isinstance(record.body, HIDDEN) else places[number]
        for role in roles:
            client = record.client if record.author == role else ""
            views[int(number), role].append((record.time, name, text, client or None))
    return views


def _event(body: Body) -> tuple[tuple[str, ...], str, str | None]:
    """Return who sees what a record holds, the event's kind, and its text where it is compared."""
    if isinstance(body, Answered):
        return (body.role,), "answered", None
    if isinstance(body, ChatJudged | ChatFailed | SoundFact):
        return (), "", None
    if isinstance(body, Selection):
        return (WIZARD_ROLE,), "turn" if body.kind == "task" else "choose", None
    text = body.text or "" if isinstance(body, Utterance | Instruction | Options) else None
    if isinstance(body, Utterance) and (sound := of_utterance(body)) is not None:
        text = sound["Digest"]
    return *_EVENTS[type(body)], text


_EVENTS: dict[type, tuple[tuple[str, ...], str]] = {
    Opened: (ROLES, "opened"),
    Utterance: (ROLES, "say"),
    Completion: (ROLES, "accomplished"),
    Departed: (ROLES, "departed"),
    Closed: (ROLES, "closed"),
    Instruction: ((USER_ROLE,), "instruction"),
    Options: ((WIZARD_ROLE,), "suggest"),
    Query: ((WIZARD_ROLE,), "ask"),
    Result: ((WIZARD_ROLE,), "result"),
    Override: ((WIZARD_ROLE,), "override"),
    Saved: ((), "saved"),
}
