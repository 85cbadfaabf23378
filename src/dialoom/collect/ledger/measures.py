"""Measures of a dialogue's quality, shown to the admin who reviews it.

For the wizard: replies that they typed, and whether their first actions are in the schema's order
(Table 8 of the STAR paper, as quality/stats/order.py counts it). For both: how long their answers
took, and their partner's complaints. For several tasks: whether only one was touched.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from dialoom.collect.kinds.room.scenario import Scenario
from dialoom.collect.log.record import USER_ROLE, WIZARD_ROLE, Answered, Place, Tally
from dialoom.dialogue import COMPLETE
from dialoom.dialogue.annotation import Struct
from dialoom.quality.stats.order import Orders, in_order
from dialoom.schema.task import TaskSchema

LOW = 2
"""The highest rating (of 1 to 5) that counts as a complaint."""


class Measure(Struct, frozen=True, kw_only=True):
    """The measures of one dialogue for one of its two people.

    Attributes:
        replies: Number of the wizard's replies.
        custom: Number of these that they typed.
        in_order: Whether the wizard began in the schema's order; None where it is not checked.
        gaps: The duration of each answer (ms).
        complaints: The partner's low rating, and their comment where they rated low or answered a
            question with no.
        one_topic: Whether only one of several tasks was touched.
    """

    replies: int = 0
    custom: int = 0
    in_order: bool | None = None
    gaps: tuple[int, ...] = ()
    complaints: tuple[str, ...] = ()
    one_topic: bool = False


class QualityMeasures:
    """Computes the measures of dialogues; `orders` accumulates STAR's Table 8 over all of them."""

    def __init__(self, tasks: Mapping[str, TaskSchema]) -> None:
        self.orders = Orders(tasks)
        self._expected = cache(self.orders.checked)

    def measure(
        self, tally: Tally, given: Scenario, outcome: str, answers: Mapping[Place, Answered]
    ) -> dict[Place, Measure]:
        """Return the measures of a closed dialogue by role; `outcome` is STAR's CompletionLevel."""
        topic = len(given.tasks) > 1 and len(tally.topics) < len(given.tasks[:2])
        return {
            USER_ROLE: Measure(
                gaps=tally.gaps.get(USER_ROLE, ()),
                complaints=_complaints(answers.get(WIZARD_ROLE)),
                one_topic=topic,
            ),
            WIZARD_ROLE: Measure(
                replies=tally.replies,
                custom=tally.custom,
                in_order=self._in_order(tally.actions, given, outcome),
                gaps=tally.gaps.get(WIZARD_ROLE, ()),
                complaints=_complaints(answers.get(USER_ROLE)),
                one_topic=topic,
            ),
        }

    def _in_order(self, actions: Sequence[str], given: Scenario, outcome: str) -> bool | None:
        if len(given.tasks) != 1 or outcome != COMPLETE:
            return None
        [task] = given.tasks
        self.orders.count(task, actions, happy=given.happy)
        expected = self._expected(task)
        return in_order(actions, expected) if expected else None


def _complaints(answered: Answered | None) -> tuple[str, ...]:
    if answered is None:
        return ()
    low = answered.rating is not None and answered.rating <= LOW
    if not low and all(answered.answers.values()):  # a comment alone may be praise
        return ()
    said = (answered.comment,) if answered.comment else ()
    return (*said, f"{answered.rating}/5") if low else said
