"""Conditions of the user's moves: no unsuitable offer is accepted, no goodbye comes early.

    moves = [move for move in table.moves[recorder.state] if allowed(recorder, move)]

The table has the moves of each state, whatever the service; the conditions here select those that
agree with the user's goal and the values so far.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dialoom.sim.policies.agenda.recorder import AgendaRecorder
from dialoom.sim.policies.agenda.session import AMBIGUOUS, ServiceSession
from dialoom.sim.policies.agenda.table import Move

Names = tuple[str, ...]


def allowed(recorder: AgendaRecorder, move: Move) -> bool:
    """Return True if a move agrees with the user's goal and the values so far."""
    session = recorder.session
    if move.there and not (recorder.more and _done(recorder, session)):
        return False
    for act in move.here:
        guard = _GUARDS.get(act)
        if guard is not None and not guard(recorder, session, move.here):
            return False
    return True


def _done(recorder: AgendaRecorder, session: ServiceSession) -> bool:
    return session.next is None and not (recorder.state == "failure" and session.fallback)


def _finished(recorder: AgendaRecorder, session: ServiceSession, here: Names) -> bool:
    return _done(recorder, session) and not recorder.more


def _inform(recorder: AgendaRecorder, session: ServiceSession, here: Names) -> bool:
    if recorder.state == "request":
        return True
    if recorder.state == "failure":
        return bool(session.fallback)
    if recorder.state == "start":
        return bool(session.tellable(session.call))
    if "NEGATE" in here:
        return bool(session.correctable())
    if "REQUEST_ALTS" in here:
        return bool(session.untold) or any(session.others())
    offered = {slot.name for slot, _ in recorder.offered}
    return session.next is not None and not offered.issuperset(session.missing(session.next))


def _intent(recorder: AgendaRecorder, session: ServiceSession, here: Names) -> bool:
    if recorder.state == "start":
        return True
    return bool(session.fallback) if recorder.state == "failure" else session.next is not None


def _select(recorder: AgendaRecorder, session: ServiceSession, here: Names) -> bool:
    if session.unsatisfied:
        return False
    return len(here) > 1 or session.next is None or session.next.books


def _others(recorder: AgendaRecorder, session: ServiceSession, here: Names) -> bool:
    if "INFORM" in here:
        many = session.kind != AMBIGUOUS and len(session.results) > 1
        return session.unsatisfied or (session.alternatives > 0 and many)
    return session.alternatives > 0 and session.shown < len(session.results)


def _request(recorder: AgendaRecorder, session: ServiceSession, here: Names) -> bool:
    return session.requests > 0 and bool(session.askable())


def _affirm(recorder: AgendaRecorder, session: ServiceSession, here: Names) -> bool:
    return recorder.state == "instead" or not session.correctable()


def _accept(recorder: AgendaRecorder, session: ServiceSession, here: Names) -> bool:
    return session.next is not None and session.next.name == recorder.proposed


def _decline(recorder: AgendaRecorder, session: ServiceSession, here: Names) -> bool:
    return not _accept(recorder, session, here)


def _negate(recorder: AgendaRecorder, session: ServiceSession, here: Names) -> bool:
    return recorder.state in ("confirm", "instead") or _finished(recorder, session, here)


_GUARDS: Mapping[str, Callable[[AgendaRecorder, ServiceSession, Names], bool]] = {
    "INFORM": _inform,
    "INFORM_INTENT": _intent,
    "SELECT": _select,
    "REQUEST_ALTS": _others,
    "REQUEST": _request,
    "AFFIRM": _affirm,
    "AFFIRM_INTENT": _accept,
    "NEGATE_INTENT": _decline,
    "NEGATE": _negate,
    "GOODBYE": _finished,
}
"""Act to its condition, if any. Each takes the recorder, the current session and the names of all
acts of the move."""
