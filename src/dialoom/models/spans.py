"""Slot filling: a learnt model that finds spans and classifies their slots, and one by rules.

The tracker's span tagger finds spans that may be values, whatever their slot: by conditional random
fields (Lafferty et al. 2001) above all. Boosted trees classify each pair of a span and a slot by
log odds over pairs of words of the slot's description and of the utterance, also for slots of
unseen services. In training, spans and log odds come from cross-fitting (tracker/cross_fitting.py):
from taggers and scorers fitted on other dialogues and without some of the services.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, NamedTuple

from dialoom.dialogue import Prediction, Question, Span, Spans
from dialoom.learn.crf import TokenSpan
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, Seed, Unlearnt, known, need
from dialoom.learn.trees import FittedTrees, Row, Trees
from dialoom.models.history import longest
from dialoom.models.tracker.cross_fitting import (
    CrossFitPart,
    annotated_texts,
    cross_fitted,
    locate,
    locate_parts,
)
from dialoom.models.tracker.pairs import Ranked, Targets
from dialoom.models.tracker.scorers import Scorers
from dialoom.models.tracker.service import ServiceView, SlotView
from dialoom.models.tracker.spans import DOUBTFUL, SpanTagger
from dialoom.models.tracker.turns import (
    NOT_ASKED,
    Speech,
    TrackedTurn,
    asked_words,
    span_context,
    text_codes,
    turns,
    utterance_context,
)
from dialoom.schema.lexicon import split_name, words
from dialoom.schema.values import disjoint
from dialoom.schema.values.finding import best, find

SCORES = frozenset({"user_span", "user_slot", "system_request", "slot_value"})
"""The tracker's scorers that features are made of."""

KINDS = ("short text", "date", "time", "integer", "amount", "?")
"""Kinds of slots and spans; a kind's index is a feature, -1 for any other kind."""
TREES = Trees(rounds=150)
"""Settings of the trees."""
FINDERS = DOUBTFUL + 1
"""Number of finders with a feature each, the bits of `TokenSpan.finders`."""


class SpanSlot(NamedTuple):
    """A span (in characters) that may be the value of a slot, with the features of the pair."""

    start: int
    end: int
    slot: str
    row: Row


@dataclass
class SlotSpans:
    """Finds the spans of slots in users' utterances."""

    name: ClassVar[str] = "slot-spans"
    kinds: ClassVar[Kinds] = (Spans,)
    seed: Seed = 0

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Fit the span tagger, the scorers and the trees."""
        need(examples)
        draw = Random(self.seed)
        dialogues = {each.question.dialogue.id: each.question.dialogue for each in examples}
        read = {name: list(turns(talk.events)) for name, talk in dialogues.items()}
        tasks = {each.question.asked.task for each in examples}
        views = {name: ServiceView(schemas[name], name) for name in sorted(tasks & schemas.keys())}
        self._tagger = SpanTagger()
        self._tagger.fit(annotated_texts(read.values(), views, draw), self.seed)
        spoken = list(read.values())
        locate_parts(spoken, views, draw, self.seed, acts=False)
        parts, samples = cross_fitted(spoken, views, draw, self.seed, canonical=False)
        self._scorers = Scorers()
        self._scorers.fit((each for each in samples if each.score in SCORES), self.seed)
        rows, labels = self._rows(examples, read, views, parts)
        self._trees = TREES.fit(rows, labels, self.seed)

    def _rows(
        self,
        examples: Examples,
        read: Mapping[str, list[TrackedTurn]],
        views: Mapping[str, ServiceView],
        parts: Sequence[CrossFitPart],
    ) -> tuple[list[Row], list[int]]:
        rows: list[Row] = []
        labels: list[int] = []
        scorers = {id(talk): part.scorers for part in parts for talk in part.dialogues}
        placed = _placed(read)
        for each in examples:
            name = each.question.dialogue.id
            turn = placed.get((name, each.question.event))
            right = {(s.start, s.end, label) for s in each.answer for label in s.labels}
            for slot in self._judged(each.question, turn, views, scorers[id(read[name])]):
                rows.append(slot.row)
                labels.append((slot.start, slot.end, slot.slot) in right)
        return rows, labels

    def _judged(
        self,
        question: Question[Spans],
        turn: TrackedTurn | None,
        views: Mapping[str, ServiceView],
        scorers: Scorers,
    ) -> list[SpanSlot]:
        """Return each pair of a span and a requested slot.

        Slots that no intent takes are left out: they are results, which users do not give. There
        are no pairs without a user turn, or without the service's schema.
        """
        view = views.get(question.asked.task)
        if view is None or turn is None:
            return []
        slots = [slot for slot in view.inputs if slot.name in question.asked.labels]
        return list(_span_slots(slots, turn.system, turn.user, scorers)) if slots else []

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[tuple[Span, ...]]]:
        """Return the spans of slots in the last utterance of each question.

        Their probability is above one half; of overlapping ones, the most probable is kept.
        Utterances of the system have none.
        """
        trees: FittedTrees = known(getattr(self, "_trees", None))
        views = {
            name: ServiceView(schemas[name], name)
            for name in sorted({each.asked.task for each in questions} & schemas.keys())
        }
        read = {name: list(turns(each.history)) for name, each in longest(questions).items()}
        for dialogue in read.values():
            locate(dialogue, {}, self._tagger)
        placed = _placed(read)
        judged = [
            self._judged(each, placed.get((each.dialogue.id, each.event)), views, self._scorers)
            for each in questions
        ]
        rows = [slot.row for group in judged for slot in group]
        chances = iter(trees.chance(True, rows).tolist())
        return [Prediction(_chosen([(next(chances), slot) for slot in group])) for group in judged]


def _placed(read: Mapping[str, list[TrackedTurn]]) -> dict[tuple[str, int], TrackedTurn]:
    return {(name, turn.position): turn for name, talk in read.items() for turn in talk}


def _chosen(judged: Sequence[tuple[float, SpanSlot]]) -> tuple[Span, ...]:
    likely = sorted((pair for pair in judged if pair[0] > 0.5), key=lambda pair: -pair[0])
    ordered = sorted(disjoint(each for _, each in likely), key=lambda each: each.start)
    return tuple(Span(each.start, each.end, (each.slot,)) for each in ordered)


def _span_slots(
    slots: Sequence[SlotView], system: Speech, user: Speech, scorers: Scorers
) -> Iterator[SpanSlot]:
    targets = Targets.of([slot.words for slot in slots])
    before = asked_words(system)
    context = utterance_context(user, before)
    query = Ranked.of(
        scorers.score("system_request", targets, utterance_context(system, NOT_ASKED))
    )
    user_slots = Ranked.of(scorers.score("user_slot", targets, context))
    for place in user.places:
        near = Ranked.of(scorers.score("user_span", targets, span_context(user, place, before)))
        fits = Ranked.of(scorers.score("slot_value", targets, text_codes(user.says(place))))
        about = _of_place(place, user)
        for n, slot in enumerate(slots):
            scores = [(each.scores[n], each.margins[n]) for each in (near, fits, query, user_slots)]
            row = [*about, *(number for pair in scores for number in pair), *_of_slot(slot, place)]
            yield SpanSlot(user.starts[place.start], user.ends[place.end - 1], slot.name, row)


def _of_place(place: TokenSpan, user: Speech) -> Row:
    finders = [float(place.finders >> bit & 1) for bit in range(FINDERS)]
    sizes = (place.end - place.start, len(user.words), len(user.places))
    return [*finders, *map(float, sizes), float(user.inside(place))]


def _of_slot(slot: SlotView, place: TokenSpan) -> Row:
    kinds = (slot.kind, place.kind)
    numbers = [float(KINDS.index(kind)) if kind in KINDS else -1.0 for kind in kinds]
    return [float(slot.kind == place.kind), *numbers]


@dataclass
class SpanRules(Unlearnt):
    """Finds values in the text by the types of slots.

    A value of several possible slots is assigned to the one whose name shares most words with the
    utterance before, which may ask for it.
    """

    name: ClassVar[str] = "span-rules"
    kinds: ClassVar[Kinds] = (Spans,)

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[tuple[Span, ...]]]:
        """Return the spans of values in the last utterance of each question."""
        answers = []
        for question in questions:
            texts = [utterance.text for utterance in question.utterances]
            task = schemas.get(question.asked.task)
            options = task.slots if task else {}
            slots = [options[name] for name in question.asked.labels if name in options]
            before = set(words(texts[-2])) if len(texts) > 1 else set()
            shared = {slot.name: len(before.intersection(split_name(slot.name))) for slot in slots}
            mentions = sorted(find(texts[-1], slots), key=lambda m: -shared[m.slot])
            picks = best({(m.start, m.end): m for m in reversed(mentions)}.values())
            answers.append(Prediction(tuple(Span(m.start, m.end, (m.slot,)) for m in picks)))
        return answers
