"""Admission to a study: only as many people as there are seats for.

    entry.admits("w1", "single", "user", now, "en")

Seats are those of the units of work that may still be begun: of a dialogue one for a user and one
for a wizard. On their way to them are all who have entered for such units (in consent, tutorial,
quiz, or waiting) and are connected, or were within the grace, or have joined within ten seconds;
but nobody who has read all texts there are, and is no wizard. Whoever was let in stays in.
"""

from __future__ import annotations

from dialoom.collect.item import ItemFilter
from dialoom.collect.log.record import Place, is_bot
from dialoom.collect.study.assignment import Assignment
from dialoom.collect.study.pairing import Pairing
from dialoom.collect.study.state import StudyState
from dialoom.collect.study.timeouts import Timeouts


class Admission:
    """Decides who is admitted."""

    def __init__(self, state: StudyState, pairing: Pairing, timeouts: Timeouts) -> None:
        self._state, self._pairing, self._timeouts = state, pairing, timeouts

    def admits(
        self,
        worker: str,
        stage: str,
        fixed: Place | None,
        now: int,
        language: str = "",
        *,
        offer: bool = True,
    ) -> bool:
        """Tell whether somebody may enter a stage now.

        Args:
            worker: Who.
            stage: The stage.
            fixed: The place that their link fixes.
            now: Milliseconds since 1970.
            language: In which they want to work.
            offer: Whether items may be offered to find out; if not, it is taken for granted
                that there are as many as are wanted.
        """
        pairing, spare = self._pairing, self._state.settings.spare
        mine, reader = pairing.places(worker, fixed, stage), pairing.kind(stage).reader
        reads = worker if mine == (reader,) else None  # the others need not have new texts
        if offer and pairing.find(stage, now, reads, language) is None:
            return False
        coming = self._coming(worker, self._state.stages.items(stage, language), now)
        need = max(self._seats(mine, coming, stage) - spare, 1)
        if offer:
            pairing.offer_until(stage, language, need, now)
        return pairing.left(stage, language, promised=not offer) >= need

    def _seats(self, mine: tuple[Place, ...], coming: list[Assignment], stage: str) -> int:
        """Return how many units it takes to seat somebody and all who are on their way."""
        roles = [self._pairing.roles(one) for one in coming] + [mine]
        places = self._pairing.kind(stage).places
        of_one = (roles.count((place,)) for place in places)
        return max(*of_one, -(-len(roles) // len(places)))

    def _coming(self, worker: str, wanted: ItemFilter, now: int) -> list[Assignment]:
        """Return who else is on their way to units of these items."""
        stages = self._state.stages
        return [
            one
            for one in self._state.live.values()
            if one.step != "room"
            and one.worker != worker
            and not is_bot(one.worker)
            and stages.items(one.stage, one.language) == wanted
            and self._timeouts.coming(one.number, now)
            and self._pairing.may_play(one)
        ]
