"""Decides who may enter a study: only as many people are let in as there are free seats.

The free seats are those of units of work that can still be opened; a dialogue has one for a user
and one for a wizard. They are shared with people who are on their way: who have entered for such
units (in consent, tutorial, quiz, or waiting) and are connected, or lost the connection within the
grace period, or joined within the last ten seconds. Users who have already had all scenarios are
not counted. Nobody who was let in is turned away later.
"""

from __future__ import annotations

from dialoom.collect.log.record import Role, is_bot
from dialoom.collect.study.assignment import Assignment
from dialoom.collect.study.pairing import Pairing
from dialoom.collect.study.state import StudyState
from dialoom.collect.study.timeouts import Timeouts
from dialoom.collect.unit import ItemFilter


class Admission:
    """Decides who may enter a study."""

    def __init__(self, state: StudyState, pairing: Pairing, timeouts: Timeouts) -> None:
        self._state, self._pairing, self._timeouts = state, pairing, timeouts

    def admits(
        self,
        worker: str,
        stage: str,
        fixed: Role | None,
        now: int,
        language: str = "",
        *,
        offer: bool = True,
    ) -> bool:
        """True if a worker may enter a stage; with `offer`, items may be added to find out."""
        state = self._state
        if state.ledger.reached(state.settings.budget, state.reviews.owed()):
            return False
        pairing, spare = self._pairing, self._state.settings.spare
        if pairing.capped(worker, stage):
            return False
        mine, reader = pairing.roles_for(worker, fixed, stage), pairing.kind(stage).reader
        reads = worker if mine == (reader,) else None  # other roles may repeat an item
        if offer and pairing.find(stage, now, reads, language) is None:
            return False
        coming = self._coming(worker, self._state.stages.items(stage, language), now)
        need = max(self._seats(mine, coming, stage) - spare, 1)
        if not offer:
            return pairing.promises(stage, reads, language, need)
        pairing.offer_until(stage, language, need, now)
        return pairing.left(stage, language) >= need

    def _seats(self, mine: tuple[Role, ...], coming: list[Assignment], stage: str) -> int:
        """Return how many units are needed to seat a worker and all who are on their way."""
        people = [self._pairing.roles(one) for one in coming] + [mine]
        roles = self._pairing.kind(stage).roles
        of_one = (people.count((role,)) for role in roles)
        return max(*of_one, -(-len(people) // len(roles)))

    def _coming(self, worker: str, scope: ItemFilter, now: int) -> list[Assignment]:
        stages = self._state.stages
        return [
            one
            for one in self._state.live.values()
            if one.step != "room"
            and one.worker != worker
            and not is_bot(one.worker)
            and stages.items(one.stage, one.language) == scope
            and self._timeouts.coming(one.number, now)
            and self._pairing.may_play(one)
        ]
