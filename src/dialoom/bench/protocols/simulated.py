"""Zero-shot next action on simulated dialogues: one task, or domain, is held out at a time.

Data: the single-task dialogues of a native corpus, by the system's task; the first of each task by
ascending id, so that a larger corpus gives the same questions. Questions, what a model sees, and
scores are those of the STAR protocols.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from dialoom.bench.core.data import check_found
from dialoom.bench.core.protocol import Data, HoldOut, Plan, Protocol
from dialoom.bench.protocols.star import (
    ACTIONS,
    MULTI,
    Happiness,
    Source,
    id_order,
    questions,
    source,
)
from dialoom.corpus import Corpus
from dialoom.dialogue import NextAction
from dialoom.metrics.classification import Classification

Dialogues = Annotated[int, Meta(ge=1)]


@dataclass(frozen=True, slots=True)
class SimulatedSettings:
    """Settings of transfer among simulated dialogues.

    Attributes:
        train: Most training dialogues of each task.
        test: Most test dialogues of each task.
    """

    train: Dialogues = 40
    test: Dialogues = 100


@dataclass(frozen=True, slots=True)
class SimulatedZeroShot:
    """Transfer to tasks, or domains, among simulated dialogues."""

    name: str
    by: Literal["task", "domain"]

    @property
    def protocol(self) -> Protocol:
        """The protocol with these plans."""
        return Protocol(self.name, "native", NextAction, "follower", SimulatedSettings, self.plan)

    def plan(self, data: Data, settings: SimulatedSettings) -> Plan:
        """Find the hold-outs; `MissingDataError` without test or training questions."""
        test = first_of_each_task(data.corpus, max(settings.train, settings.test))
        train = test
        if data.train_corpus is not None:
            train = first_of_each_task(data.train_corpus, settings.train)
        learnt = [item for task in train.values() for item in task[: settings.train]]
        tests = [item for task in test.values() for item in task[: settings.test]]
        names = sorted({key for item in tests if (key := self._key(item))})
        holdouts = [
            HoldOut(
                name,
                questions(item for item in learnt if self._key(item) != name),
                questions(item for item in tests if self._key(item) == name),
            )
            for name in names
        ]
        holdouts = [holdout for holdout in holdouts if holdout.test and holdout.train]
        lacking = (
            f"needs dialogues of two {self.by}s, one to learn from and one to ask about; "
            "dialoom simulate --tasks all makes some"
        )
        check_found(holdouts, data.corpus, lacking, "nothing-to-learn")
        return Plan(
            protocol=self.name,
            title=self.name,
            data=data,
            metrics=(Classification(),),
            holdouts=holdouts,
            options={
                "train-dialogues": f"{settings.train}-a-task",
                "test-dialogues": f"{settings.test}-a-task",
            },
            population=f"{self.by}s",
            groups={item.id: frozenset((key,)) for item in learnt if (key := self._key(item))},
        )

    def _key(self, item: Source) -> str | None:
        return item.domain if self.by == "domain" else item.task


def first_of_each_task(corpus: Corpus, most: int) -> dict[str, list[Source]]:
    """Return task to its first `most` single-task dialogues by id, in the order of task names.

    Not many more than these are held in memory at a time.
    """
    tasks: dict[str, list[Source]] = {}
    for dialogue in corpus.dialogues():
        item = source(dialogue, Happiness(), ACTIONS)
        if item.task is None or item.stage == MULTI or not item.targets:
            continue
        group = tasks.setdefault(item.task, [])
        group.append(item)
        if len(group) >= 2 * most:
            group[:] = _first(group, most)
    return {task: _first(tasks[task], most) for task in sorted(tasks)}


def _first(items: Sequence[Source], most: int) -> list[Source]:
    return sorted(items, key=lambda item: id_order(item.id))[:most]


TASK = SimulatedZeroShot("sim-zero-shot", "task").protocol
DOMAIN = SimulatedZeroShot("sim-zero-shot-domain", "domain").protocol
