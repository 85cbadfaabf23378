"""Admission to a study: only as many people as there are seats for.

    entry.admits("w1", "single", "user", now)

Seats are those of the dialogues that may still be begun, one for a user and one for a wizard each.
On their way to them are all who have entered for such dialogues (in consent, tutorial, quiz, or
waiting) and are connected, or were within the grace; but nobody who has read all texts there are,
and is no wizard. Whoever was let in stays in.
"""

from __future__ import annotations

from dialoom.collect.log.record import USER_ROLE, WIZARD_ROLE, Role, Stage, is_bot
from dialoom.collect.study.assignment import Assignment
from dialoom.collect.study.pairing import Pairing, roles
from dialoom.collect.study.stages import ScenarioKind, scenario_kinds
from dialoom.collect.study.state import StudyState
from dialoom.collect.study.timeouts import Timeouts


class Admission:
    """Decides who is admitted."""

    def __init__(self, state: StudyState, pairing: Pairing, watch: Timeouts) -> None:
        self._state, self._pairing, self._timeouts = state, pairing, watch

    def admits(
        self, worker: str, stage: Stage, fixed: Role | None, now: int, *, offer: bool = True
    ) -> bool:
        """Tell whether somebody may enter a stage now.

        Args:
            worker: Who.
            stage: The stage.
            fixed: The role that their link fixes.
            now: Milliseconds since 1970.
            offer: Whether scenarios may be offered to find out; if not, it is taken for granted
                that there are as many as are wanted.
        """
        settings = self._state.settings
        mine = roles(worker, fixed, settings)
        wanted = scenario_kinds(stage, settings)
        reader = worker if mine == (USER_ROLE,) else None  # a wizard need not have new texts
        if offer and self._pairing.find(stage, now, reader) is None:
            return False
        need = max(self._seats(mine, worker, wanted, now) - settings.spare, 1)
        if offer:
            self._pairing.offer_until(wanted, need, now)
        return self._pairing.left(wanted, promised=not offer) >= need

    def _seats(
        self, mine: tuple[Role, ...], worker: str, wanted: tuple[ScenarioKind, ...], now: int
    ) -> int:
        """Return how many dialogues it takes to seat somebody and all who are on their way."""
        coming = [self._pairing.roles(one) for one in self._coming(worker, wanted, now)] + [mine]
        of_one = (coming.count((role,)) for role in (USER_ROLE, WIZARD_ROLE))
        return max(*of_one, (len(coming) + 1) // 2)

    def _coming(self, worker: str, wanted: tuple[ScenarioKind, ...], now: int) -> list[Assignment]:
        """Return who else is on their way to dialogues of these kinds."""
        return [
            one
            for one in self._state.live.values()
            if one.step != "room"
            and one.worker != worker
            and not is_bot(one.worker)
            and scenario_kinds(one.stage, self._state.settings) == wanted
            and not self._timeouts.gone(one.number, now)
            and self._pairing.may_play(one)
        ]
