"""The STAR paper's three stages, each trained and tested within the same tasks.

Choices that the paper leaves open are ours. Dialogues that ended as Complete are split: the ids of
a stage in ascending order are shuffled with seed 0, the first 80 % are for training and the rest
for testing; all dialogues of earlier stages are for training. The run record has the ids.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from dialoom.bench.core.data import check_found
from dialoom.bench.core.protocol import Data, HoldOut, Plan, Protocol, source_id
from dialoom.bench.protocols.star import ACTIONS, STAGES, Asking, Happiness, Source, questions, read
from dialoom.bench.protocols.zero_shot import TASKS, TRAINING_ONLY
from dialoom.bench.visibility import Withheld

SPLIT_SEED = 0


def split(items: Sequence[Source]) -> tuple[list[Source], list[Source]]:
    """Split one stage's dialogues, ids ascending, into training and test."""
    order = list(items)
    random.Random(SPLIT_SEED).shuffle(order)
    cut = int(0.8 * len(order))
    return order[:cut], order[cut:]


def by_stage(items: Sequence[Source]) -> dict[str, list[Source]]:
    """Return the complete dialogues of each stage."""
    return {name: [i for i in items if i.complete and i.stage == name] for name in STAGES}


@dataclass(frozen=True, slots=True)
class StageSettings:
    """Settings of the splits by stage.

    Attributes:
        see: The inputs withheld from models (`dialoom.bench.visibility.Withheld`).
    """

    see: tuple[Withheld, ...] = ()


def plan(name: str, asking: Asking, data: Data, settings: StageSettings) -> Plan:
    """Split each stage; `MissingDataError` without complete dialogues."""
    data = replace(data, see=settings.see)
    stages = by_stage(read(data.corpus, Happiness(), asking, data.see))
    elsewhere = None
    if data.train_corpus is not None:
        elsewhere = by_stage(read(data.train_corpus, Happiness(), asking, data.see))
    holdouts, record = _holdouts(stages, elsewhere)
    check_found(holdouts, data.corpus, "no complete dialogue to ask about")
    here = {target.asked.task for holdout in holdouts for target in holdout.test}
    papers = {*TASKS, *TRAINING_ONLY}
    return Plan(
        protocol=name,
        title=name,
        data=data,
        metrics=asking.metrics(data),
        holdouts=holdouts,
        missing=[name for name in STAGES if name not in {h.name for h in holdouts}],
        options={"split": "shuffled-0", **data.options},
        notes=[
            f"{len(here & papers)} of the paper's {len(papers)} tasks were at hand",
            *asking.notes,
        ],
        record={**record, "tasks": {"at_hand": sorted(here), "absent": sorted(papers - here)}},
    )


def _holdouts(
    stages: dict[str, list[Source]], elsewhere: dict[str, list[Source]] | None
) -> tuple[list[HoldOut], dict[str, object]]:
    holdouts, record = [], {}
    earlier: list[Source] = []
    for name in STAGES:
        train, test = split(stages[name])
        if elsewhere is None:
            fitted, earlier = earlier + train, earlier + stages[name]
        else:
            earlier = fitted = earlier + elsewhere[name]
        if questions(test):
            holdouts.append(HoldOut(name, questions(fitted), questions(test)))
            record[name] = {"train": ids(fitted), "test": ids(test)}
    return holdouts, {"split": record}


def ids(items: Sequence[Source]) -> list[int | str]:
    """Return the dialogues' ids as the source writes them."""
    return [source_id(item.id) for item in items]


def staged(name: str, asking: Asking) -> Protocol:
    """Return a protocol whose models are trained and tested within the same tasks."""
    make = partial(plan, name, asking)
    return Protocol(name, "star", asking.kind, asking.model, StageSettings, make)


NEXT_ACTION = staged("star-next-action", ACTIONS)
