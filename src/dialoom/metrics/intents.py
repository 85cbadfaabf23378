"""Accuracy of the active intents of services."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

from dialoom.dialogue import Question, State, StateOf
from dialoom.dialogue.annotation import Struct
from dialoom.metrics.base import Counts, Guess, Score, Signature, share
from dialoom.metrics.state import States, same_intent
from dialoom.schema.service import NO_INTENT

ACCURACY = Signature({"metric": "accuracy", "equal": "active intent", "none": NO_INTENT})


class IntentMatch:
    """Accuracy of the active intents of states, having none included."""

    kind: ClassVar[type[Struct]] = StateOf

    def statistics(
        self, question: Question[Any], gold: States, prediction: Guess[dict[str, State]]
    ) -> Counts:
        """Count the services whose intent is right or wrong."""
        found = prediction.answer if prediction else {}
        return Counter(
            (service in found and same_intent(found[service], state),)
            for service, state in gold.items()
        )

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return `intent_accuracy` in percent; 0 where there is nothing to score."""
        right = counts[(True,)]
        value = share(right, right + counts[(False,)])
        return {"intent_accuracy": Score("intent_accuracy", value, ACCURACY)}
