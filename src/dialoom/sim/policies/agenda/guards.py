"""What a user's move needs: nobody takes what does not fit, or says goodbye with wishes left.

    moves = [move for move in table.user[talk.state] if allowed(talk, move)]

The table says what may follow what, whatever the service; this says what of it makes sense, given
what the user wants and what is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dialoom.sim.policies.agenda.session import AMBIGUOUS, ServiceSession
from dialoom.sim.policies.agenda.table import Move
from dialoom.sim.policies.agenda.talk import Talk

Names = tuple[str, ...]


def allowed(talk: Talk, move: Move) -> bool:
    """Tell whether a move makes sense."""
    leg = talk.leg
    if move.there and not (talk.more and _done(talk, leg)):
        return False
    for act in move.here:
        guard = _GUARDS.get(act)
        if guard is not None and not guard(talk, leg, move.here):
            return False
    return True


def _done(talk: Talk, leg: ServiceSession) -> bool:
    """Tell whether the user wants nothing more of a service."""
    return leg.next is None and not (talk.state == "failure" and leg.fallback)


def _finished(talk: Talk, leg: ServiceSession, here: Names) -> bool:
    return _done(talk, leg) and not talk.more


def _inform(talk: Talk, leg: ServiceSession, here: Names) -> bool:
    if talk.state == "request":
        return True
    if talk.state == "failure":
        return bool(leg.fallback)
    if talk.state == "start":
        return bool(leg.tellable(leg.call))
    if "NEGATE" in here:
        return bool(leg.correctable())
    if "REQUEST_ALTS" in here:
        return bool(leg.untold)
    offered = {slot.name for slot, _ in talk.offered}
    return leg.next is not None and not offered.issuperset(leg.missing(leg.next))


def _intent(talk: Talk, leg: ServiceSession, here: Names) -> bool:
    if talk.state == "start":
        return True
    return bool(leg.fallback) if talk.state == "failure" else leg.next is not None


def _select(talk: Talk, leg: ServiceSession, here: Names) -> bool:
    if leg.unsatisfied:
        return False
    return len(here) > 1 or leg.next is None or leg.next.books


def _others(talk: Talk, leg: ServiceSession, here: Names) -> bool:
    if "INFORM" in here:
        return leg.unsatisfied or (leg.alternatives > 0 and leg.mood != AMBIGUOUS)
    return leg.alternatives > 0 and leg.shown < len(leg.results)


def _request(talk: Talk, leg: ServiceSession, here: Names) -> bool:
    return leg.requests > 0 and bool(leg.askable())


def _affirm(talk: Talk, leg: ServiceSession, here: Names) -> bool:
    return talk.state == "instead" or not leg.correctable()


def _accept(talk: Talk, leg: ServiceSession, here: Names) -> bool:
    return leg.next is not None and leg.next.name == talk.proposed


def _decline(talk: Talk, leg: ServiceSession, here: Names) -> bool:
    return not _accept(talk, leg, here)


def _negate(talk: Talk, leg: ServiceSession, here: Names) -> bool:
    return talk.state in ("confirm", "instead") or _finished(talk, leg, here)


_GUARDS: Mapping[str, Callable[[Talk, ServiceSession, Names], bool]] = {
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
"""Act to what it needs; the others need nothing."""
