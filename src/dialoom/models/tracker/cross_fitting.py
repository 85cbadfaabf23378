"""Cross-fitting of span taggers and scorers on parts of the training dialogues.

The span tagger and the scorers of a part are fitted on the other parts and without some of the
services. Features of the part that are computed with them have the errors that features of new
dialogues and services have; models that are fitted on such features allow for these errors.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from dialoom.corpus.processes import shared
from dialoom.learn.crf import TokenSpan
from dialoom.models.tracker.scorer_examples import ExampleMaker
from dialoom.models.tracker.scorers import ScorerExample, Scorers, stated_spans
from dialoom.models.tracker.service import ServiceView
from dialoom.models.tracker.spans import (
    REPEATED,
    STATED,
    Labelled,
    Names,
    SpanTagger,
    add_name,
    add_spans,
    named,
)
from dialoom.models.tracker.turns import TEXT, Speech, TrackedTurn
from dialoom.schema.service import ANYTHING

FOLDS = 4
"""Number of parts."""
FEW = 12
"""Most services of training for none to be left out: so few show little of how others differ."""
SPANS = 25_000
"""Most utterances that a span tagger is fitted on; half as many for the tagger of a part."""
SYSTEM_SIDE, USER_SIDE = "S", "U"
"""Sides of a dialogue, as attributes of words in conditional random fields."""


class CrossFitPart(NamedTuple):
    """A part of the training dialogues, with scorers fitted on the other parts.

    `hidden` are the services that the scorers were fitted without.
    """

    dialogues: list[list[TrackedTurn]]
    scorers: Scorers
    hidden: frozenset[str]


def locate(
    dialogue: Sequence[TrackedTurn], views: Mapping[str, ServiceView], tagger: SpanTagger
) -> None:
    """Find the value spans of a dialogue's utterances, and set them as their `places`.

    The tagger finds them, as do the values of the system's acts for services with `views`, and
    earlier values of free text in the dialogue.
    """
    before: Names = {}
    for turn in dialogue:
        for speech, side in ((turn.system, SYSTEM_SIDE), (turn.user, USER_SIDE)):
            spans: dict[tuple[int, int], TokenSpan] = {}
            add_spans(spans, stated_spans(views, speech) if side == SYSTEM_SIDE else (), STATED)
            for place in tagger.find(speech, side):
                first = spans.get(place[:2], place)
                spans[place[:2]] = first._replace(finders=first.finders | place.finders)
            add_spans(spans, named(speech, before), REPEATED)
            speech.places = list(spans.values())
            for place in speech.places:
                if place.kind == TEXT:
                    add_name(before, tuple(speech.stems[place.start : place.end]))


def cross_fitted(
    read: list[list[TrackedTurn]],
    views: Mapping[str, ServiceView],
    draw: Random,
    seed: int,
    *,
    canonical: bool,
) -> tuple[list[CrossFitPart], list[ScorerExample]]:
    """Fit scorers for each part of the training dialogues by cross-fitting.

    Dialogue n, with located value spans, is of part n modulo `FOLDS`. The scorers of a part are
    fitted without half of the services; with `canonical` values, none is left out of up to `FEW`.
    Examples of slot_value come from all dialogues; a part leaves out those of its hidden services
    alone. The result also has all training examples of scorers.
    """
    quarters = _quarters(views, draw, canonical=canonical)
    groups = [one | other for one, other in zip(quarters, quarters[1:] + quarters[:1], strict=True)]
    maker = ExampleMaker(views, draw, canonical=canonical)
    examples = [*maker.examples(read), *maker.of_values(_slot_values(read, views))]
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


def _quarters(
    views: Mapping[str, ServiceView], draw: Random, *, canonical: bool
) -> list[frozenset[str]]:
    """Return the services in random groups, one for each part; empty groups if few are known."""
    services = sorted(views)
    draw.shuffle(services)
    shared_out = [] if canonical and len(services) <= FEW else services
    return [frozenset(shared_out[n::FOLDS]) for n in range(FOLDS)]


def locate_parts(
    read: list[list[TrackedTurn]],
    views: Mapping[str, ServiceView],
    draw: Random,
    seed: int,
    names: Collection[str] = (),
    *,
    acts: bool,
) -> None:
    """Set the value spans of each part, by a tagger that was fitted on the other parts.

    A tagger is fitted without a quarter of the services; none is left out of up to `FEW` if there
    are names. `names` are normal forms of common values; with `acts`, the system's acts give spans
    as well.
    """
    hidden = _quarters(views, draw, canonical=bool(names))

    def texts() -> Iterator[tuple[int, list[Labelled]]]:
        for n, without in enumerate(hidden):
            others = [dialogue for m, dialogue in enumerate(read) if m % FOLDS != n]
            yield n, annotated_texts(others, views, draw, SPANS // 2, without)

    def located(job: tuple[int, list[Labelled]]) -> list[list[TokenSpan]]:
        n, learnt = job
        tagger = SpanTagger()
        tagger.fit(learnt, seed + n + 1, names)
        for dialogue in read[n::FOLDS]:
            locate(dialogue, views if acts else {}, tagger)
        return [speech.places for speech in _speeches(read[n::FOLDS])]

    for n, spans in enumerate(shared(located, texts())):
        for speech, places in zip(_speeches(read[n::FOLDS]), spans, strict=True):
            speech.places = places


def _speeches(dialogues: Iterable[list[TrackedTurn]]) -> Iterator[Speech]:
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
    """Return a sample of the utterances with annotated spans, to fit a tagger on.

    Slots without listed values have spans; utterances with spans of hidden services are left out.
    """
    kinds = {
        (name, slot.name): slot.kind
        for name, view in views.items()
        for slot in view.slots
        if not slot.listed
    }
    texts = [
        (speech, agent, kinds)
        for dialogue in read
        for turn in dialogue
        for speech, agent in ((turn.system, SYSTEM_SIDE), (turn.user, USER_SIDE))
        if speech.spans is not None and not any(name in hidden for *_, name, _ in speech.spans)
    ]
    return draw.sample(texts, min(most, len(texts)))


def _slot_values(
    dialogues: Iterable[list[TrackedTurn]], views: Mapping[str, ServiceView]
) -> dict[tuple[str, str], set[str]]:
    """Return (service, slot) to the values that acts give it, for slots without listed values."""
    by_slot: dict[tuple[str, str], set[str]] = {}
    for dialogue in dialogues:
        for turn in dialogue:
            for act in (*(turn.system.acts or ()), *(turn.user.acts or ())):
                view = views.get(act.service)
                if view and act.slot in view.place and not view.slot(act.slot).listed:
                    values = {value for value in act.values if value != ANYTHING}
                    by_slot.setdefault((act.service, act.slot), set()).update(values)
    return {name: values for name, values in by_slot.items() if values}
