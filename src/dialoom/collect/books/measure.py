"""What is counted in a dialogue for the review of those who had it.

Of the wizard: replies they typed themselves, and whether they began in the schema's order (Table 8
of the STAR paper, as quality/stats/order.py counts it). Of both: how long their answers took, and
what their partner complained of. Of several tasks: whether only one was touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from dialoom.collect.log.record import USER_ROLE, WIZARD_ROLE, Answered, Record, Role
from dialoom.collect.room.scenario import Scenario
from dialoom.dialogue import SYSTEM, USER, Capability, Dialogue, Query, Selection, Utterance
from dialoom.dialogue import Scenario as Told
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.views import action
from dialoom.quality.stats.analysis import COMPLETE
from dialoom.quality.stats.order import Orders, checked, in_order
from dialoom.quality.stats.published import TABLE_8
from dialoom.schema.task import Task

LOW = 2
"""Ratings up to which the partner's rating is a complaint."""


class Measure(Struct, frozen=True, kw_only=True):
    """What was counted in one dialogue of one of the two.

    Attributes:
        replies: Replies of the wizard.
        custom: Those they typed themselves.
        in_order: Whether the wizard began in the schema's order; None where it is not checked.
        gaps: How long each answer took, in ms.
        complaints: A low rating by the partner, and what they wrote beside one or beside a no.
        one_topic: Whether only one of several tasks was touched.
    """

    replies: int = 0
    custom: int = 0
    in_order: bool | None = None
    gaps: tuple[int, ...] = ()
    complaints: tuple[str, ...] = ()
    one_topic: bool = False


@dataclass(slots=True)
class _Count:
    """What one reading of a room's log gives."""

    acts: list[Query | Utterance] = field(default_factory=list)
    replies: int = 0
    custom: int = 0
    touched: set[str] = field(default_factory=set)
    gaps: dict[str, list[int]] = field(default_factory=lambda: {USER: [], SYSTEM: []})


class Gauge:
    """Measures dialogues over some tasks; `orders` has Table 8 of them all."""

    def __init__(self, tasks: Mapping[str, Task]) -> None:
        @cache
        def expected(task: str) -> tuple[str, ...]:
            limit = TABLE_8[task].checked if task in TABLE_8 else None
            return checked(tasks[task], limit)

        self._expected = expected
        self.orders = Orders(tasks)

    def measure(
        self,
        log: Iterable[Record],
        given: Scenario,
        outcome: str,
        answers: Mapping[Role, Answered],
    ) -> dict[Role, Measure]:
        """Return each role's measure of a dialogue that is over.

        Args:
            log: The room's records.
            given: What the two were given.
            outcome: How it ended: STAR's CompletionLevel.
            answers: The questionnaires.
        """
        count = _count(log)
        topic = len(given.tasks) > 1 and len(count.touched) < len(given.tasks[:2])
        return {
            USER_ROLE: Measure(
                gaps=tuple(count.gaps[USER]),
                complaints=_complaints(answers.get(WIZARD_ROLE)),
                one_topic=topic,
            ),
            WIZARD_ROLE: Measure(
                replies=count.replies,
                custom=count.custom,
                in_order=self._in_order(count, given, outcome),
                gaps=tuple(count.gaps[SYSTEM]),
                complaints=_complaints(answers.get(USER_ROLE)),
                one_topic=topic,
            ),
        }

    def _in_order(self, count: _Count, given: Scenario, outcome: str) -> bool | None:
        if len(given.tasks) != 1 or outcome != COMPLETE:
            return None
        told = Told(capabilities=(Capability(given.tasks[0]),), happy=given.happy, multi_task=False)
        self.orders.add(Dialogue(id="", events=tuple(count.acts), scenario=told, outcome=outcome))
        expected = self._expected(given.tasks[0])
        if not expected:
            return None
        return in_order((name for act in count.acts if (name := action(act))), expected)


def _count(log: Iterable[Record]) -> _Count:
    """Read a room's log once: a study of a million records does this on each start."""
    count = _Count()
    task, agent, time = "", "", 0
    for record in log:
        body = record.body
        if isinstance(body, Utterance):
            if agent not in ("", body.agent):  # how long the answer took, in ms
                count.gaps[body.agent].append(record.time - time)
            agent, time = body.agent, record.time
            if agent == SYSTEM:
                count.replies += 1
                count.touched.add(task)
                if body.layers:  # a picked suggestion has its action's label
                    count.acts.append(body)
                else:
                    count.custom += 1
        elif isinstance(body, Query):
            count.acts.append(body)
            count.touched.add(task)
        elif isinstance(body, Selection) and body.task:
            task = body.task
    return count


def _complaints(answered: Answered | None) -> tuple[str, ...]:
    if answered is None:
        return ()
    low = answered.rating is not None and answered.rating <= LOW
    if not low and all(answered.answers.values()):  # a comment alone may be praise
        return ()
    said = (answered.comment,) if answered.comment else ()
    return (*said, f"{answered.rating}/5") if low else said
