"""The frames that bring a page up to date, from what it was sent before.

A page has the state of its assignment, and the events of its unit of work up to a `seq`. `update`
compares with the study and yields the frames that are missing; so nothing is told twice, and a page
that comes back is brought up to date by the same means. Of a unit that a page knows, only what has
changed is told: a wizard's forms are many times as long as all the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from dialoom.collect.log.change import Change
from dialoom.collect.log.record import Body, Booked, Qualified, Reviewed, Undone
from dialoom.collect.study import page
from dialoom.collect.study.study import Study
from dialoom.serve.connection import Connection, Frame
from dialoom.serve.links import Signer


class Hello(msgspec.Struct, frozen=True):
    """The first frame of a page: the last event it has, and its seat's credentials."""

    last_seq: int = 0
    seat_token: str | None = None
    generation: int | None = None


class PageUpdates:
    """Computes frames: the welcome of a page, and what has changed since.

    Args:
        signer: Signs seat tokens.
    """

    def __init__(self, signer: Signer) -> None:
        self._signer = signer

    def unit_of(self, assignment: int, token: str) -> int | None:
        """Return the unit of a seat token of this assignment, or None where it is none."""
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
        """Yield the first frames of a page: all that it lacks."""
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
        """Yield what has changed for a page: events of its unit, then the state.

        A new unit's first events follow the state that names it.
        """
        yield from _events(connection)
        before, state = connection.state, self._state(connection, study, now)
        if state == before:
            return
        connection.state = state
        yield from _changes(before or {}, state, now)
        if "room" in state and state["room"]["number"] != connection.unit:
            self._seat(connection, study)
            yield from _events(connection)

    def _seat(self, connection: Connection, study: Study) -> None:
        """Attach the connection to the unit that its assignment has now."""
        assignment = study.assignment(connection.assignment)
        connection.unit, connection.place = assignment.unit, assignment.place
        connection.work = None if assignment.unit is None else study.units[assignment.unit].work
        connection.seq = 0

    def _state(self, connection: Connection, study: Study, now: int) -> dict[str, Any]:
        """Return the state as it is on the wire."""
        number = connection.assignment
        state = page.state(study, number, now)
        state.pop("now", None)  # it stands beside the state, which would never be the same twice
        room = state.get("room")
        if room is not None:
            if not connection.token.startswith(f"{room['number']}."):
                token = self._signer.seat_token(number, room["number"])
                connection.token = f"{room['number']}.{token}"
            room["seat_token"], room["generation"] = connection.token, connection.generation
        return state


def _events(connection: Connection) -> Iterator[Frame]:
    """Yield the events of the unit that a page lacks."""
    if connection.work is None or connection.place is None:
        return
    for shown in connection.work.events.since(connection.place, connection.seq):
        event = dict(shown)
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
    """Return the last `seq` of a page's seat."""
    if connection.work is None or connection.place is None:
        return 0
    return connection.work.events.count(connection.place)


def _changes(before: dict[str, Any], after: dict[str, Any], now: int) -> Iterator[Frame]:
    """Yield the frame that turns one state into another, and one for the partner's coming or going.

    Within a room no key comes or goes: a `room` frame has those that changed. Else it is a `state`.
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
    """Yield the assignments that a record of the study's own stream is about."""
    if isinstance(body, Reviewed | Undone | Booked) and body.assignment is not None:
        yield body.assignment
    elif isinstance(body, Qualified):
        last = study.state.worker(body.worker).last
        if last is not None:
            yield last
