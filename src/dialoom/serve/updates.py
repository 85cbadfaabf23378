"""Makes the frames that bring a page up to date, from what it was sent before.

A page has the state of its assignment, and the events of its unit of work up to a `seq`. `update`
compares these with the study and yields the missing frames, so that nothing is sent twice; a page
that reconnects is brought up to date in the same way. For a unit that a page has, only the parts
that have changed are sent, since a wizard's forms are much larger than the rest of the state.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import Any, NamedTuple

import msgspec

from dialoom.collect.log.change import Change
from dialoom.collect.log.record import Body, Booked, Qualified, Reviewed, Undone
from dialoom.collect.study import page
from dialoom.collect.study.study import Study
from dialoom.serve.connection import FAULT, Connection, Frame
from dialoom.serve.links import Signer

log = logging.getLogger("dialoom.serve")


class Hello(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first frame from a page.

    Attributes:
        last_seq: The `seq` of the last event that it has.
        seat_token: The token of its seat in a unit; None without one.
        generation: The page's number among those of its assignment; only the newest is served.
    """

    last_seq: int = 0
    seat_token: str | None = None
    generation: int | None = None


class Shown(NamedTuple):
    """The assignments that a change is about, and the frames for their pages."""

    touched: tuple[int, ...]
    updates: list[tuple[Connection, Frame]]


@contextmanager
def guarded(connection: Connection) -> Iterator[list[Frame]]:
    """Yield a list for a page's frames; close the page if making them fails, and log why."""
    frames: list[Frame] = []
    try:
        yield frames
    except Exception:  # a bug of one page must not take the others
        log.exception("the page of assignment %d failed", connection.assignment)
        connection.close(FAULT)


class PageUpdates:
    """Computes frames: the welcome of a page, and what has changed since."""

    def __init__(self, signer: Signer) -> None:
        self._signer = signer

    def unit_of(self, assignment: int, token: str) -> int | None:
        """Return the unit of a seat token; None if it is not a token of this assignment."""
        number, _, signature = token.partition(".")
        if not (number.isascii() and number.isdigit() and len(number) < 19):
            return None
        unit = int(number)
        return unit if self._signer.is_seat_token(signature, assignment, unit) else None

    def others(self, study: Study, assignment: int) -> list[int]:
        """Return the other assignments in the same unit."""
        unit = study.assignment(assignment).unit
        seats = () if unit is None else study.units[unit].seats.values()
        return [other for other in seats if other != assignment]

    def welcome(
        self, connection: Connection, study: Study, now: int, hello: Hello | None
    ) -> Iterator[Frame]:
        """Yield the first frames for a page: its state, and the events that it does not have."""
        connection.state, connection.warned_since = self._state(connection, study, now), None
        self._seat(connection, study)
        token = None if hello is None else hello.seat_token
        same = token and self.unit_of(connection.assignment, token) == connection.unit
        if hello is not None and same:
            connection.seq = min(max(0, hello.last_seq), _last(connection))
        yield {
            "type": "welcome",
            "now": now,
            "assignment": connection.assignment,
            "generation": connection.generation,
            "state": connection.state,
        }
        yield from _events(connection)

    def update(self, connection: Connection, study: Study, now: int) -> Iterator[Frame]:
        """Yield the new events, then the state; a new unit's state comes first."""
        yield from _events(connection)
        before, state = connection.state, self._state(connection, study, now)
        if state == before:
            return
        connection.state = state
        yield from _changes(before or {}, state, now)
        if "room" in state and state["room"]["number"] != connection.unit:
            self._seat(connection, study)
            yield from _events(connection)

    def shown(
        self,
        change: Change,
        study: Study,
        connections: Mapping[int, Connection],
        now: int,
        also: Iterable[int] = (),
        *,
        safely: bool = False,
    ) -> Shown:
        """Return the assignments that a change is about, and the frames for their pages.

        Args:
            also: Further assignments whose pages may have changed.
            safely: Whether a page that cannot be made is closed; otherwise its error is raised, as
                is that of a page that is not connected now.
        """
        touched = tuple(dict.fromkeys((*affected_assignments(change, study), *also)))
        updates: list[tuple[Connection, Frame]] = []
        for assignment in touched:
            connection = connections.get(assignment)
            if connection is None or connection.state is None:  # its `welcome` has everything
                if not safely:
                    page.state(study, assignment, now)
                continue
            with guarded(connection) if safely else nullcontext(list[Frame]()) as frames:
                frames += self.update(connection, study, now)
            updates += [(connection, frame) for frame in frames]
        return Shown(touched, updates)

    def idle_warnings(
        self, study: Study, connections: Mapping[int, Connection], now: int
    ) -> Iterator[tuple[Connection, Frame]]:
        """Yield a frame for each person who is to be warned of idleness, once per wait."""
        for assignment, since, until in study.timeouts.idle_warnings(now):
            connection = connections.get(assignment)
            if connection is not None and connection.warned_since != since:
                connection.warned_since = since
                yield connection, {"type": "idle_warning", "since": since, "until": until}

    def _seat(self, connection: Connection, study: Study) -> None:
        assignment = study.assignment(connection.assignment)
        connection.unit, connection.role = assignment.unit, assignment.role
        connection.work = None if assignment.unit is None else study.units[assignment.unit].work
        connection.seq = 0

    def _state(self, connection: Connection, study: Study, now: int) -> dict[str, Any]:
        number = connection.assignment
        state = page.state(study, number, now)
        state.pop("now", None)  # frames have it outside of the state, which could not be compared
        unit = state.get("room")
        if unit is not None:
            if not connection.token.startswith(f"{unit['number']}."):
                token = self._signer.seat_token(number, unit["number"])
                connection.token = f"{unit['number']}.{token}"
            unit["seat_token"], unit["generation"] = connection.token, connection.generation
        return state


def _events(connection: Connection) -> Iterator[Frame]:
    if connection.work is None or connection.role is None:
        return
    for entry in connection.work.events.since(connection.role, connection.seq):
        event = dict(entry)
        frame = {
            "type": "event",
            "room": connection.unit,
            "seq": event.pop("seq"),
            "time": event.pop("time"),
        }
        client = event.pop("client", "")
        if client:
            frame["client_msg_id"] = client
        frame["event"] = event
        connection.seq = frame["seq"]
        yield frame


def _last(connection: Connection) -> int:
    if connection.work is None or connection.role is None:
        return 0
    return connection.work.events.count(connection.role)


def _changes(before: dict[str, Any], after: dict[str, Any], now: int) -> Iterator[Frame]:
    """Yield the frame that changes one state into another, and one if the partner came or left.

    In the same unit both states have the same keys, and a `room` frame has those that changed;
    otherwise it is a `state` frame.
    """
    old, new = before.get("room"), after.get("room")
    if old is None or new is None or old["number"] != new["number"]:
        yield {"type": "state", "state": after, "now": now}
        return
    changed = {key: value for key, value in new.items() if value != old.get(key)}
    if old.keys() == new.keys() and {**before, "room": new} == after:
        yield {"type": "room", "room": changed, "now": now}
    else:
        yield {"type": "state", "state": after, "now": now}
    if not changed.keys().isdisjoint(("partner", "partner_until")):
        yield {"type": "presence", "partner": new["partner"], "until": new["partner_until"]}


def affected_assignments(change: Change, study: Study) -> Iterable[int]:
    """Yield the assignments whose pages a change is about."""
    for record in change.records:
        kind, _, number = record.stream.partition("/")
        if kind == "assignment":
            yield int(number)
        elif kind == "unit":
            yield from study.units[int(number)].seats.values()
        else:
            yield from _affected_by(record.body, study)


def _affected_by(body: Body, study: Study) -> Iterable[int]:
    if isinstance(body, Reviewed | Undone | Booked) and body.assignment is not None:
        yield body.assignment
    elif isinstance(body, Qualified):
        last = study.state.worker(body.worker).last
        if last is not None:
            yield last
