"""Recognition of acts in texts, for a policy whose dialogues come without annotated acts.

Trees classify each act that an utterance may have, by scores of its words (act_rows.py). The policy
is trained on acts that were recognised by scorers and trees fitted on other dialogues
(cross-fitting), so that training has the same recognition errors as testing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any

import numpy as np
from msgspec.structs import replace

from dialoom.dialogue import GOLD, Act, Argument, Event, Layer, Part, Utterance
from dialoom.learn.model import Questions, Schemas
from dialoom.learn.trees import FittedTrees, Rows, Trees
from dialoom.models.policy.act_rows import PossibleActs, possible_acts
from dialoom.models.tracker.cross_fitting import annotated_texts, cross_fitted, locate
from dialoom.models.tracker.scorers import Scorers
from dialoom.models.tracker.service import ServiceView
from dialoom.models.tracker.spans import SpanTagger
from dialoom.models.tracker.turns import TrackedTurn, turns

TREES = Trees(rounds=120)
"""Settings of the trees."""

Events = tuple[Event, ...]
"""The events of one dialogue."""

LIKELY = 0.5
"""The probability above which an utterance is taken to have an act."""


class ActRecogniser:
    """Recognises the acts of user and system in texts, service by service."""

    def __init__(self) -> None:
        self._tagger, self._scorers = SpanTagger(), Scorers()
        self._trees = FittedTrees(None, [])

    def fit(self, dialogues: Sequence[Events], schemas: Schemas, seed: int) -> list[Events]:
        """Fit on dialogues with annotated acts.

        Args:
            dialogues: The dialogues.
            schemas: Their services' schemas, by id.
            seed: The seed of folds and models.

        Returns:
            The dialogues with recognised acts in place of the annotated ones; those of a dialogue
            are recognised by models that were not fitted on it.
        """
        draw = Random(seed)
        heard = [list(turns(events)) for events in dialogues]
        views = _views(heard, schemas)
        self._tagger.fit(annotated_texts(heard, views, draw), seed)
        folds, examples = cross_fitted(heard, views, draw, seed, acts=False)
        self._scorers.fit(examples, seed)
        number = {id(each): n for n, each in enumerate(heard)}
        found: list[list[PossibleActs]] = [[] for _ in heard]
        halves: tuple[list[int], list[int]] = ([], [])
        for fold, part in enumerate(folds):
            for each in part.dialogues:
                n = number[id(each)]
                halves[fold % 2].append(n)
                found[n] = list(possible_acts(dialogues[n], each, views, part.scorers))
        self._trees = _fitted(found, seed)
        told = list(dialogues)
        for mine, others in (halves, halves[::-1]):
            trees = _fitted([found[n] for n in others], seed)
            read = _told(trees, [dialogues[n] for n in mine], [found[n] for n in mine])
            for n, events in zip(mine, read, strict=True):
                told[n] = events
        return told

    def read(self, dialogues: Sequence[Events], schemas: Schemas) -> list[Events]:
        """Return dialogues with their recognised acts as the only annotation."""
        heard = [list(turns(events)) for events in dialogues]
        views = _views(heard, schemas)
        for each in heard:
            locate(each, {}, self._tagger)
        found = [
            list(possible_acts(events, each, views, self._scorers))
            for events, each in zip(dialogues, heard, strict=True)
        ]
        return _told(self._trees, dialogues, found)


def with_events(questions: Questions, events: dict[str, Events]) -> list[Any]:
    """Return questions with other events in their dialogues.

    Args:
        questions: The questions.
        events: Dialogue id to its events, at least as many as any question shows.
    """
    found = {}
    for each in questions:
        held = each.dialogue
        if id(held) not in found:
            found[id(held)] = replace(held, events=events[held.id][: len(held.events)])
    return [replace(each, dialogue=found[id(each.dialogue)]) for each in questions]


def longest(questions: Questions) -> dict[str, Events]:
    """Return dialogue id to the longest history that a question about it shows."""
    found: dict[str, Events] = {}
    for each in questions:
        shown, held = each.dialogue.events, found.get(each.dialogue.id)
        if held is None or len(shown) > len(held):  # a dialogue may begin with the question
            found[each.dialogue.id] = shown
    return found


def _views(heard: Iterable[list[TrackedTurn]], schemas: Schemas) -> dict[str, ServiceView]:
    """Return service to its view, of the services that turns are about."""
    named = {name for dialogue in heard for turn in dialogue for name in turn.services}
    return {name: ServiceView(schemas[name], name) for name in sorted(named & schemas.keys())}


def _fitted(found: Iterable[list[PossibleActs]], seed: int) -> FittedTrees:
    """Return trees fitted on possible acts with their labels."""
    held = [each for acts in found for each in acts]
    rows: Rows = np.concatenate([each.rows for each in held]) if held else []
    return TREES.fit(rows, [label for each in held for label in each.labels], seed)


def _told(
    trees: FittedTrees, dialogues: Sequence[Events], found: Sequence[list[PossibleActs]]
) -> list[Events]:
    """Return dialogues with the possible acts that the trees find likely."""
    rows = [each.rows for acts in found for each in acts]
    likely = iter(trees.chance(True, np.concatenate(rows)) if rows else ())
    return [_with(events, acts, likely) for events, acts in zip(dialogues, found, strict=True)]


def _with(events: Events, found: Iterable[PossibleActs], likely: Iterator[float]) -> Events:
    """Return a dialogue annotated with the likely ones of its possible acts alone."""
    said: dict[int, list[Part]] = {}
    for each in found:
        acts = tuple(
            Act(act.name, (Argument(act.slot, act.values),) if act.slot else ())
            for act in each.acts
            if next(likely) > LIKELY
        )
        said.setdefault(each.place, []).append(Part(each.service, acts=acts))
    return tuple(
        replace(event, layers=(Layer(GOLD, tuple(said[n])),) if n in said else ())
        if isinstance(event, Utterance)
        else event
        for n, event in enumerate(events)
    )
