"""Measures of the right answer's rank: precision and recall at k, reciprocal rank."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

from dialoom.dialogue import SYSTEM, Choice, NextAction, Query, Question, Utterance
from dialoom.dialogue.annotation import Struct
from dialoom.metrics.base import Counts, Guess, Score, share, signed

SHOWN = (1, 3, 6)
"""Numbers of suggestions shown to STAR's wizards: three of one task, six of several; and one."""

CUTOFFS = (1, 2, 5)
"""The k of DSTC6 track 1 (Boureau et al. 2017, section 3)."""


class RankOfRight:
    """Counts the rank of the right candidate; a question without a ranking is wrong."""

    kind: ClassVar[type[Struct]] = Choice

    def statistics(self, question: Question[Any], gold: str, prediction: Guess[str]) -> Counts:
        """Count the rank of the right candidate, 0 for none."""
        names = [name for name, _ in prediction.ranking] if prediction else []
        return ranked(names.index(gold) + 1 if gold in names else None)

    def within(self, counts: Counts, cutoffs: tuple[int, ...], metric: str) -> dict[str, Score]:
        """Return, for each k, the share in percent of questions with a rank of at most k."""
        figures: dict[str, Score] = {}
        for k in cutoffs:
            hits = sum(n for (rank,), n in counts.items() if 0 < rank <= k)
            value = {f"{metric[0]}@{k}": share(hits, counts.total())}
            figures |= signed(value, metric, k=k, missing="wrong")
        return figures


class PrecisionAtK(RankOfRight):
    """The share of questions whose right candidate has a rank of at most k, for each of `CUTOFFS`.

    With one right candidate a question this is what DSTC6 track 1 calls precision @k: a hit counts
    1, however large k is. A question without a ranking is wrong.
    """

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return `p@1`, `p@2` and `p@5` in percent; 0 where there is nothing to score."""
        return self.within(counts, CUTOFFS, "precision")


class ResponseAccuracy:
    """The shares of responses, and of dialogues with all their responses, that are ranked first.

    A dialogue is counted with its first response: the one that no other of the system precedes
    (Bordes et al. 2017, section 5). A question without a ranking is wrong.
    """

    kind: ClassVar[type[Struct]] = Choice
    of_dialogues: ClassVar[tuple[str, ...]] = ("per-dialogue",)

    def statistics(self, question: Question[Any], gold: str, prediction: Guess[str]) -> Counts:
        """Count a right response, a wrong one by its dialogue and event, and a new dialogue."""
        hit = prediction is not None and prediction.answer == gold
        wrong = ("wrong", question.dialogue.id, str(question.event))
        outcomes: Counts = Counter((("right",) if hit else wrong,))
        events = (e for e in question.history if isinstance(e, Query | Utterance))
        if not any(event.agent == SYSTEM for event in events):
            outcomes["dialogue",] += 1
        return outcomes

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return `per-response` and `per-dialogue` in percent; 0 where nothing is to be scored."""
        right, dialogues = counts["right",], counts["dialogue",]
        wrong: Counter[str] = Counter()
        draws: Counter[str] = Counter()
        for key, n in counts.items():
            if key[0] == "wrong":
                wrong[key[1]] += n
                draws[key[1]] = max(draws[key[1]], n)
        responses = {"per-response": share(right, right + wrong.total())}
        whole = {"per-dialogue": share(dialogues - draws.total(), dialogues)}
        metric = "response-accuracy"
        scores = signed(responses, metric, unit="response", missing="wrong")
        return scores | signed(whole, metric, unit="dialogue", missing="wrong")


class ReciprocalRank(RankOfRight):
    """The mean of 1 / rank of the right candidate; a question without a ranking counts 0."""

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return `mrr` in percent; 0 where there is nothing to score."""
        inverse = sum(n / rank for (rank,), n in counts.items() if rank)
        value = {"mrr": share(inverse, counts.total())}
        return signed(value, "mean-reciprocal-rank", missing="wrong")


class RecallAtK(RankOfRight):
    """The share of questions whose right label is among the first 1, 3 and 6 of the ranking.

    And the mean of the reciprocal rank, 0 where the label has none.
    """

    kind: ClassVar[type[Struct]] = NextAction

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return `r@1`, `r@3`, `r@6` and `mrr` in percent; 0 where there is nothing to score."""
        return self.within(counts, SHOWN, "recall") | ReciprocalRank().scores(counts)


def ranked(rank: int | None) -> Counts:
    """Return the counts of one question whose right candidate has this rank; None for no rank."""
    return Counter(((rank or 0,),))
