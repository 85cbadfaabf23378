"""Features of the occurrences of candidate values in a dialogue, for one slot."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set

from dialoom.models.tracker.history import Occurrence, ValueCandidate
from dialoom.models.tracker.pairs import NOTHING, best_other, two_best

Row = list[float]

FAR = 40.0
"""The number of turns since an event that never occurred."""

_NOW, _VECTORS, _EARLIER, _EARLIER_VECTORS, _EVER = 0, 2, 5, 7, 10
"""Places of scores among the features of a side: of its utterance in the last turn, by words and by
vectors; the best of its earlier ones, by words and its score by vectors; the best of both."""

_SIDE = 11
"""Number of features of a side."""

_COMPARED = [
    side + score
    for side in (0, _SIDE)
    for score in (_NOW, _VECTORS, _EARLIER, _EARLIER_VECTORS, _EVER)
]
"""Places of the features that are compared with those of the slot's other candidates."""

_LEAST = -1.0
"""Least log odds of a value that the system gave the slot."""


class SlotOccurrences:
    """The occurrences of a slot's candidates at the turn `now`.

    `place` is that of the slot in its service; `share` returns the share (0 to 1) of the slot's
    words among others.
    """

    def __init__(self, place: int, now: int, share: Callable[[Set[str]], float]) -> None:
        self._place, self._now, self._share = place, now, share

    def rows(self, candidates: Sequence[ValueCandidate]) -> list[Row]:
        """Return the features of each candidate's occurrences: the user's, then the system's.

        They are log odds with margins over other slots, the share of the slot's words near the
        value, and turns since; then margins of the log odds over the other candidates, and whether
        the candidate is the last one that the system gave the slot.
        """
        rows = [[*self._side(each, True), *self._side(each, False)] for each in candidates]
        best = [two_best([row[n] for row in rows]) for n in _COMPARED]
        latest = self._latest(candidates)
        for number, row in enumerate(rows):
            row += [
                row[n] - best_other(two, row[n]) for n, two in zip(_COMPARED, best, strict=True)
            ]
            row.append(float(number == latest))
        return rows

    def _side(self, candidate: ValueCandidate, user: bool) -> Row:
        now = [NOTHING] * 5
        earlier = [NOTHING] * 4
        since = FAR
        for each in candidate.seen:
            if each.user != user:
                continue
            scores = self._scores(each)
            if each.turn == self._now:
                if scores[0] > now[0]:
                    now = [*scores, self._share(each.nearby_words)]
                continue
            since = float(self._now - each.turn)
            if scores[0] > earlier[0]:
                earlier = scores
        return [*now, *earlier, since, max(now[0], earlier[0])]

    def _scores(self, each: Occurrence) -> Row:
        return [
            part[self._place]
            for ranked in (each.scores, each.by_vectors)
            for part in (ranked.scores, ranked.margins)
        ]

    def _latest(self, candidates: Sequence[ValueCandidate]) -> int:
        """Return the candidate that the system's last value for the slot is; -1 for none."""
        mentions = [
            (each.turn, each.scores.scores[self._place], -n)
            for n, candidate in enumerate(candidates)
            for each in candidate.seen
            if not each.user and each.scores.scores[self._place] > _LEAST
        ]
        return -max(mentions)[2] if mentions else -1
