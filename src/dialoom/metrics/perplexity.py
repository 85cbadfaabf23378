"""Perplexity of replies: the exponential of a model's mean negative log-likelihood a word.

exp(-sum log p / N), with p the probability (natural logarithm) that the model gives each reference
after its dialogue, and N the words and marks of the references, the end of each counted as one.
Words are counted alike whatever pieces a model writes in, so that all models can be compared; texts
are scored as they are, so that letters that no vocabulary has cost as well.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any, ClassVar

from dialoom.dialogue import NextReply, Question
from dialoom.dialogue.annotation import TOKEN, Struct
from dialoom.metrics.base import Counts, Guess, Score, Signature

UNIT = 1_000
"""Resolution of counted logarithms: parts of a nat, so that counts are whole numbers."""


class Perplexity:
    """Perplexity by word, for models with probabilities; no score for others."""

    kind: ClassVar[type[Struct]] = NextReply

    def statistics(self, question: Question[Any], gold: str, prediction: Guess[str]) -> Counts:
        """Count the words of the reference and their negative log-likelihood."""
        if prediction is None or prediction.log_likelihood is None:
            return Counter()
        lost = round(-UNIT * prediction.log_likelihood)
        return Counter({("words",): len(TOKEN.findall(gold)) + 1, ("lost",): lost})

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return `perplexity`, a number of words; nothing where no probability is known."""
        if not counts[("words",)]:
            return {}
        value = math.exp(counts[("lost",)] / UNIT / counts[("words",)])
        about = {"metric": "perplexity", "by": "word", "case": "kept", "unit": "words"}
        return {"perplexity": Score("perplexity", value, Signature(about))}
