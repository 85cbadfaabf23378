"""Response selection on STAR: the wizard's next utterance among candidates, by visible turns.

Each hold-out is a number of turns (Figure 3 of the STAR paper): everything before them is left out,
in training and test alike. A turn is an utterance, and models see only the texts. Dialogues are
split as in `star-response`, all stages together. Distractors are other utterances of wizards in the
same part, drawn anew for each question.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from dialoom.bench.core.data import check_found
from dialoom.bench.core.protocol import Data, HoldOut, Plan, Protocol, Target
from dialoom.bench.protocols.responses import REPLIES
from dialoom.bench.protocols.staged import by_stage, ids, split
from dialoom.bench.protocols.star import Happiness, Source, questions, read
from dialoom.bench.visibility import words
from dialoom.dialogue import Candidate, Choice, Event
from dialoom.metrics.generation import normal
from dialoom.metrics.ranking import PrecisionAtK, ReciprocalRank

Count = Annotated[int, Meta(ge=1, le=1000)]

TURNS = tuple(range(1, 13))
"""The numbers of visible turns that Figure 3 has."""

TRIES = 50
"""Utterances drawn for each distractor, at most: many have the same text."""


@dataclass(frozen=True, slots=True)
class SelectionSettings:
    """Settings of response selection.

    Attributes:
        turns: Numbers of visible turns, a hold-out each.
        candidates: How many replies there are to choose from, the right one included.
        distractors: The tasks that the other replies are of.
        seed: The seed that they are drawn with.
    """

    turns: Annotated[tuple[Count, ...], Meta(min_length=1)] = TURNS
    candidates: Annotated[int, Meta(ge=2, le=1000)] = 10
    distractors: Literal["any", "same-task", "other-tasks"] = "any"
    seed: int = 0


NAME = "star-selection"


def plan(data: Data, settings: SelectionSettings) -> Plan:
    """Draw candidates for wizards' utterances; `MissingDataError` without dialogues."""
    train, test = _parts(data)
    tests = list(_choices(test, settings))
    check_found(tests, data.corpus, "no complete dialogue to ask about")
    learnt = list(_choices(train, settings))
    return Plan(
        protocol=NAME,
        title=f"{NAME}, {settings.candidates} candidates ({settings.distractors})",
        data=data,
        metrics=(PrecisionAtK(), ReciprocalRank()),
        holdouts=[
            HoldOut(str(n), [_cut(t, n) for t in learnt], [_cut(t, n) for t in tests])
            for n in dict.fromkeys(settings.turns)
        ],
        options={
            "candidates": str(settings.candidates),
            "distractors": f"{settings.distractors}/seed-{settings.seed}",
            "split": "shuffled-0",
        },
        notes=["hold-outs are numbers of visible turns"],
        record={"split": {"train": ids(train), "test": ids(test)}},
    )


def _parts(data: Data) -> tuple[list[Source], list[Source]]:
    train: list[Source] = []
    test: list[Source] = []
    for items in by_stage(read(data.corpus, Happiness(), REPLIES)).values():
        left, right = split(items)
        train, test = train + left, test + right
    if data.train_corpus is not None:
        train = read(data.train_corpus, Happiness(), REPLIES)
    return train, test


def _choices(sources: Iterable[Source], settings: SelectionSettings) -> Iterator[Target]:
    """Yield wizards' utterances with candidates, numbered so that ids reveal nothing."""
    targets = questions(sources)
    replies: dict[str, list[str]] = {}
    for target in targets:
        replies.setdefault(target.asked.task, []).append(target.gold)
    pools = {name: _pool(replies, name, settings) for name in replies}
    for target in targets:
        draw = random.Random(f"{settings.seed}/{target.source}/{target.event}")
        texts = _drawn(pools[target.asked.task], target.gold, settings.candidates, draw)
        draw.shuffle(texts)
        candidates = tuple(Candidate(str(n), text) for n, text in enumerate(texts))
        right = str(texts.index(target.gold))
        yield replace(target, asked=Choice(candidates), gold=right, slices=(), aside=False)


def _pool(replies: dict[str, list[str]], task: str, settings: SelectionSettings) -> list[str]:
    sources = {
        "any": replies,
        "same-task": {task: replies[task]},
        "other-tasks": {name: texts for name, texts in replies.items() if name != task},
    }[settings.distractors]
    return [text for texts in sources.values() for text in texts]


def _drawn(pool: Sequence[str], gold: str, size: int, draw: random.Random) -> list[str]:
    texts = {normal(gold): gold}
    for text in draw.sample(pool, min(TRIES * size, len(pool))):
        texts.setdefault(normal(text), text)
        if len(texts) == size:
            break
    return list(texts.values())


def _cut(target: Target, turns: int) -> Target:
    """Return a question whose view has only the texts of the last `turns` utterances."""
    tail: list[Event] = []
    for event in reversed(target.seen[: target.position]):
        utterance = words(event)
        if utterance is not None:
            tail.append(utterance)
            if len(tail) == turns:
                break
    return replace(target, seen=tuple(reversed(tail)), position=len(tail), uncut=target.seen)


SELECTION = Protocol(NAME, "star", Choice, "selector", SelectionSettings, plan)
