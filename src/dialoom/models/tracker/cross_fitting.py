"""Parts of the training dialogues, each read with what was learnt from the others.

Where values stand and what is said of slots is found in each part by fields and scorers that
learnt from other dialogues and nothing of some services. So what trees are fitted on looks as it
will with services that were never seen.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from dialoom.corpus.processes import shared
from dialoom.models.tracker.scorers import (
    ScorerExample,
    Scorers,
    scorer_examples,
    told_spans,
    value_examples,
)
from dialoom.models.tracker.service import ServiceView
from dialoom.models.tracker.spans import (
    REPEATED,
    TEXT,
    TOLD,
    Labelled,
    Names,
    SpanTagger,
    add_name,
    add_spans,
    named,
)
from dialoom.models.tracker.turns import Speech, TokenSpan, TrackedTurn
from dialoom.schema.service import ANYTHING

FOLDS = 4
SPANS = 25_000
"""Utterances that spans are learnt from at most; half of that for each part."""
SYSTEM_SIDE, USER_SIDE = "S", "U"


class CrossFitPart(NamedTuple):
    """A part of the training dialogues, and scorers that learnt from the others.

    Attributes:
        dialogues: The part.
        scorers: The scorers.
        hidden: The services that they learnt nothing of.
    """

    dialogues: list[list[TrackedTurn]]
    scorers: Scorers
    hidden: frozenset[str]


def locate(
    dialogue: Sequence[TrackedTurn], views: Mapping[str, ServiceView], tagger: SpanTagger
) -> None:
    """Find where values stand in a dialogue: by a tagger, by acts, and what was found before.

    Args:
        dialogue: Its turns.
        views: The services whose acts of the system tell of values as well; none where the acts
            are not to be read.
        tagger: Finds the others.
    """
    before: Names = {}
    for turn in dialogue:
        for speech, side in ((turn.system, SYSTEM_SIDE), (turn.user, USER_SIDE)):
            found: dict[tuple[int, int], TokenSpan] = {}
            add_spans(found, told_spans(views, speech) if side == SYSTEM_SIDE else (), TOLD)
            for place in tagger.find(speech, side):
                first = found.get(place[:2], place)
                found[place[:2]] = first._replace(finders=first.finders | place.finders)
            add_spans(found, named(speech, before), REPEATED)
            speech.places = list(found.values())
            for place in speech.places:
                if place.kind == TEXT:
                    add_name(before, tuple(speech.stems[place.start : place.end]))


def cross_fitted(
    read: list[list[TrackedTurn]],
    views: Mapping[str, ServiceView],
    draw: Random,
    seed: int,
    *,
    acts: bool,
) -> tuple[list[CrossFitPart], list[ScorerExample]]:
    """Return the parts that are left out by turns, and all that the scorers learn from.

    Scorers of a part know nothing of half of the services, fields of half of these.

    Args:
        read: The dialogues.
        views: The services.
        draw: Puts services into groups and chooses examples.
        seed: What the randomness of fields and scorers comes from.
        acts: Whether the system's acts tell where values stand.
    """
    names = sorted(views)
    draw.shuffle(names)
    quarters = [frozenset(names[n::FOLDS]) for n in range(FOLDS)]
    groups = [one | other for one, other in zip(quarters, quarters[1:] + quarters[:1], strict=True)]
    _locate_parts(read, views, quarters, draw, seed, acts=acts)
    examples = list(scorer_examples(read, views, draw))
    examples += value_examples(_slot_values(read, views), views, draw)
    parts = []
    for n, hidden in enumerate(groups):
        scorers = Scorers()
        scorers.fit(
            (
                each
                for each in examples
                if each.dialogue % FOLDS != n or each.dialogue < 0
                if hidden.isdisjoint(each.services)
            ),
            seed + n + 1,
        )
        parts.append(CrossFitPart(read[n::FOLDS], scorers, hidden))
    return parts, examples


def _locate_parts(
    read: list[list[TrackedTurn]],
    views: Mapping[str, ServiceView],
    hidden: Sequence[Collection[str]],
    draw: Random,
    seed: int,
    *,
    acts: bool,
) -> None:
    """Find where values stand in each part, by fields that learnt from the others."""

    def texts() -> Iterator[tuple[int, list[Labelled]]]:
        for n, names in enumerate(hidden):
            others = [dialogue for m, dialogue in enumerate(read) if m % FOLDS != n]
            yield n, annotated_texts(others, views, draw, SPANS // 2, names)

    def located(job: tuple[int, list[Labelled]]) -> list[list[TokenSpan]]:
        n, learnt = job
        tagger = SpanTagger()
        tagger.fit(learnt, seed + n + 1)
        for dialogue in read[n::FOLDS]:
            locate(dialogue, views if acts else {}, tagger)
        return [speech.places for speech in _speeches(read[n::FOLDS])]

    for n, found in enumerate(shared(located, texts())):
        for speech, places in zip(_speeches(read[n::FOLDS]), found, strict=True):
            speech.places = places


def _speeches(dialogues: Iterable[list[TrackedTurn]]) -> Iterator[Speech]:
    """Yield the utterances of dialogues, the system's before each of the user's."""
    for dialogue in dialogues:
        for turn in dialogue:
            yield turn.system
            yield turn.user


def annotated_texts(
    read: Iterable[list[TrackedTurn]],
    views: Mapping[str, ServiceView],
    draw: Random,
    most: int = SPANS,
    hidden: Collection[str] = frozenset(),
) -> list[Labelled]:
    """Return some utterances with annotated spans, for the tagger: none of hidden services."""
    kinds = {
        (name, slot.name): slot.kind
        for name, view in views.items()
        for slot in view.slots
        if not slot.listed
    }
    found = [
        (speech, agent, kinds)
        for dialogue in read
        for turn in dialogue
        for speech, agent in ((turn.system, SYSTEM_SIDE), (turn.user, USER_SIDE))
        if speech.spans is not None and not any(name in hidden for *_, name, _ in speech.spans)
    ]
    return draw.sample(found, min(most, len(found)))


def _slot_values(
    dialogues: Iterable[list[TrackedTurn]], views: Mapping[str, ServiceView]
) -> dict[tuple[str, str], set[str]]:
    """Return service and slot to the values that acts give it."""
    found: dict[tuple[str, str], set[str]] = {}
    for dialogue in dialogues:
        for turn in dialogue:
            for act in (*(turn.system.acts or ()), *(turn.user.acts or ())):
                view = views.get(act.service)
                if view and act.slot in view.place and not view.slot(act.slot).listed:
                    values = {value for value in act.values if value != ANYTHING}
                    found.setdefault((act.service, act.slot), set()).update(values)
    return {name: values for name, values in found.items() if values}
