"""Frame tracking as the evaluation that was published with Schulz et al. (2017) scores it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import ClassVar

from dialoom.dialogue import FrameOf, Question
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.frames import ID
from dialoom.dialogue.references import ActFrames, Shares, best
from dialoom.errors import UsageError
from dialoom.metrics.base import Counts, Guess, Score, share, signed

EPSILON = 1e-6
"""Lower limit of probabilities before their logarithm is taken."""

STEPS = 100
"""Resolution of counted logarithms: parts of a nat."""


class FrameTracking:
    """Slot-based and act-based accuracy, and the mean log-likelihood of both in nats.

    Slot-based: the likeliest frame of an argument is the annotated one. Act-based: the frames that
    an act as a whole refers to with a probability above one half are exactly the annotated ones.
    The log-likelihood of an act is the mean over the candidates, as of coins; the published script
    takes that of the opposite outcomes. A turn that was not answered counts as wrong everywhere.
    """

    kind: ClassVar[type[Struct]] = FrameOf

    def statistics(
        self,
        question: Question[FrameOf],
        gold: Sequence[ActFrames],
        prediction: Guess[tuple[ActFrames, ...]],
    ) -> Counts:
        """Count arguments and acts with their log-likelihoods; `UsageError` for other numbers."""
        guess = prediction.answer if prediction else (ActFrames(),) * len(gold)
        if len(guess) != len(gold):
            raise UsageError(
                f"{len(guess)} acts were answered, {len(gold)} asked about", code="mismatch"
            )
        return Counter(
            outcome
            for act, right, reply in zip(question.asked.acts, gold, guess, strict=True)
            for outcome in _outcomes([a.slot for a in act.arguments], right, reply)
        )

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return the accuracies in percent and the log-likelihoods in nats."""
        figures = {}
        for unit in ("slot", "act"):
            outcomes = [
                (right, loss, n) for (what, right, loss), n in counts.items() if what == unit
            ]
            total = sum(n for *_, n in outcomes)
            hits = sum(n for right, _, n in outcomes if right)
            lost = sum(loss * n for _, loss, n in outcomes) / STEPS
            figures[f"{unit}_accuracy"] = share(hits, total)
            figures[f"{unit}_log_likelihood"] = -lost / total if total else 0.0
        order = sorted(figures, key=lambda name: "log" in name)
        return signed({name: figures[name] for name in order}, epsilon=f"{EPSILON:g}")


def _outcomes(
    slots: Sequence[str], gold: ActFrames, guess: ActFrames
) -> Iterator[tuple[str, bool, int]]:
    shares = guess.arguments or ({},) * len(gold.arguments)
    if len(shares) != len(gold.arguments):
        raise UsageError(
            f"{len(shares)} arguments were answered, {len(gold.arguments)} asked about",
            code="mismatch",
        )
    for slot, right, belief in zip(slots, gold.arguments, shares, strict=True):
        if slot != ID:  # which frame an act makes is no value to be scored
            frame = best(right)
            yield "slot", bool(belief) and best(belief) == frame, _loss([belief.get(frame, 0.0)])
    whole = {frame for frame, chance in guess.act.items() if chance > 0.5}
    yield "act", whole == gold.act.keys(), _loss(_coins(gold.act, guess.act))


def _coins(gold: Shares, guess: Shares) -> list[float]:
    candidates = [*guess, *(frame for frame in gold if frame not in guess)]
    chances = ((frame in gold, guess.get(frame, 0.0)) for frame in candidates)
    return [chance if holds else 1 - chance for holds, chance in chances]


def _loss(chances: Sequence[float]) -> int:
    lost = sum(-math.log(max(EPSILON, min(chance, 1.0))) for chance in chances)
    return round(STEPS * lost / max(len(chances), 1))
