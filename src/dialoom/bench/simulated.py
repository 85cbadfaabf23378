"""Zero-shot next action on simulated dialogues: one task, or domain, is held out at a time.

Data: the single-task dialogues of a native corpus, by the system's task. Training takes the first
TRAIN dialogues of each task, testing the first TEST, ids ascending: numbers by value. So a corpus
of any size gives the same questions as its first dialogues, and a fit takes well under a minute.
Targets, what a model sees, and the scores are those of the STAR protocols.

    dialoom simulate --tasks all -n 2400 --out simulated
    dialoom bench sim-zero-shot --corpus simulated --only hotel_book
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from dialoom.bench.protocol import HoldOut, Plan, Sources
from dialoom.bench.stages import MULTI
from dialoom.bench.star import Happiness, Source, id_order, questions, source
from dialoom.corpus import Corpus
from dialoom.errors import MissingDataError, UnknownNameError, UsageError

TRAIN = 40
"""Dialogues of each task that are trained on at most."""

TEST = 100
"""Dialogues of each task that are asked about at most."""


@dataclass(frozen=True, slots=True)
class SimulatedZeroShot:
    """Transfer to tasks, or domains, among simulated dialogues.

    Args:
        name: The protocol's name.
        by: What is held out.
    """

    name: str
    by: Literal["task", "domain"]
    corpus: str = "native"
    forms: tuple[str, ...] = ("plain",)

    def plan(self, sources: Sources) -> Plan:
        """Find the hold-outs in the data.

        Raises:
            UnknownNameError: A form this protocol does not have.
            UsageError: An option it has no use for.
            MissingDataError: The data holds nothing to ask, or nothing to learn from.
        """
        if sources.form not in (None, *self.forms):
            raise UnknownNameError("form", sources.form or "", self.forms)
        if sources.split_by_id:
            raise UsageError(f"{self.name} holds out whole {self.by}s: --split-by-id has no use")
        if sources.test or sources.train:
            raise UsageError(
                f"{self.name} takes dialogues of one task: --test and --train have no use"
            )
        test = first_of_each_task(sources.corpus, max(TRAIN, TEST))
        train = test
        if sources.train_corpus is not None:
            train = first_of_each_task(sources.train_corpus, TRAIN)
        held = sorted({key for task in test.values() for item in task if (key := self._key(item))})
        holdouts = [self._holdout(name, train, test) for name in held]
        holdouts = [holdout for holdout in holdouts if holdout.test and holdout.train]
        if not holdouts:
            raise MissingDataError(
                f"{sources.corpus.path}: needs dialogues of two {self.by}s, one to learn from and "
                "one to ask about; dialoom simulate --tasks all makes some"
            )
        return Plan(
            protocol=self.name,
            sources=sources,
            form=self.forms[0],
            schemas=sources.schemas,
            holdouts=holdouts,
            options={"train-dialogues": f"{TRAIN}-a-task", "test-dialogues": f"{TEST}-a-task"},
            groups={
                item.id: frozenset((key,))
                for task in train.values()
                for item in task
                if (key := self._key(item))
            },
        )

    def _key(self, item: Source) -> str | None:
        return item.domain if self.by == "domain" else item.task

    def _holdout(
        self,
        name: str,
        train: Mapping[str, Sequence[Source]],
        test: Mapping[str, Sequence[Source]],
    ) -> HoldOut:
        rest = [i for task in train.values() for i in task[:TRAIN] if self._key(i) != name]
        asked = [i for task in test.values() for i in task[:TEST] if self._key(i) == name]
        return HoldOut(name, questions(rest), questions(asked))


def first_of_each_task(corpus: Corpus, most: int) -> dict[str, list[Source]]:
    """Return the first single-task dialogues of each task by id, tasks in order of their names.

    Only about as many as are wanted are held in memory at a time.
    """
    found: dict[str, list[Source]] = {}
    for dialogue in corpus.dialogues():
        item = source(dialogue, Happiness())
        if item.task is None or item.stage == MULTI or not item.targets:
            continue
        kept = found.setdefault(item.task, [])
        kept.append(item)
        if len(kept) >= 2 * most:
            kept[:] = _first(kept, most)
    return {task: _first(found[task], most) for task in sorted(found)}


def _first(items: Sequence[Source], most: int) -> list[Source]:
    return sorted(items, key=lambda item: id_order(item.id))[:most]


TASK = SimulatedZeroShot("sim-zero-shot", "task")
DOMAIN = SimulatedZeroShot("sim-zero-shot-domain", "domain")
