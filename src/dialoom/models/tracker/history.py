"""A dialogue up to a turn: mentioned values, scores of utterances, and states of services.

A service has a frame at a turn if the annotation of the user's utterance has a part for it, as
in SGD (Rastogi et al. 2020): its state is tracked there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from dialoom.learn.crf import TokenSpan
from dialoom.learn.words import normal, normal_text, root
from dialoom.models.tracker.pairs import CodedText, Ranked, Targets
from dialoom.models.tracker.scorers import (
    SYSTEM_ACTS,
    USER_ACTS,
    Scorers,
    TurnScores,
    TurnWords,
    act_targets,
    phrases,
    score_turn,
)
from dialoom.models.tracker.service import ServiceView, SlotView
from dialoom.models.tracker.turns import (
    NOT_ASKED,
    SAYS,
    LastQuestion,
    SlotAct,
    Speech,
    TrackedTurn,
    asked_words,
    nearby_words,
    span_context,
    text_codes,
    utterance_context,
)
from dialoom.schema.lexicon import lexicon
from dialoom.schema.service import ANYTHING


@dataclass(slots=True)
class ValueMention:
    """A value span found in an utterance.

    `norm` is the value's normal form (`words.normal`). `span_context` has hashed features of span
    and context: shape (features,). `nearby_words` are roots and shorter prefixes of the words
    around. `finders` has a bit for each finder (spans.py); `inside` is True within a longer span.
    """

    turn: int
    user: bool
    norm: str
    text: str
    kind: str
    span_context: CodedText
    nearby_words: frozenset[str]
    finders: int
    inside: bool


class Occurrence(NamedTuple):
    """An occurrence of a value in an utterance, scored for one service.

    `scores` are log odds of each slot for its span, with margins, `by_vectors` those by vectors;
    `nearby_words` as of a mention.
    """

    turn: int
    user: bool
    scores: Ranked
    by_vectors: Ranked
    nearby_words: frozenset[str]


_NONE = np.zeros(0, np.float32)


@dataclass(slots=True)
class ServiceHistory:
    """The state of one service in a dialogue up to a turn, and all scores for it.

    `first` and `last` are the turns of its frames, `frames` their number. `filled` maps slots to
    the turn of their value. `scores` has log odds of each slot for each mention, with margins, and
    those by vectors, `turn_scores` those of each turn. `listed_mentions` maps indices of listed
    values to their occurrences, `references` other services to the scores of words that refer to
    it in the last turn.
    """

    view: ServiceView
    first: int
    last: int = -1
    frames: int = 0
    values: dict[str, str] = field(default_factory=dict)
    filled: dict[str, int] = field(default_factory=dict)
    intent: str = "NONE"
    scores: list[tuple[Ranked, Ranked]] = field(default_factory=list)
    listed_mentions: dict[int, list[Occurrence]] = field(default_factory=dict)
    turn_scores: list[TurnScores] = field(default_factory=list)
    references: dict[str, list[Ranked]] = field(default_factory=dict)

    def set_state(self, other: ServiceHistory) -> None:
        """Set values and intent to those of another history of the service."""
        self.values, self.filled = dict(other.values), dict(other.filled)
        self.intent = other.intent


class SlotElsewhere(NamedTuple):
    """A slot of another service; `stated` if the system gave its value, else it is in the state."""

    service: ServiceHistory
    slot: str
    since: int
    stated: bool


class DialogueHistory:
    """A dialogue up to a turn, with its mentions and scores.

    `views` map services to their schemas for scorers; other services are ignored. `services` are
    those that had a frame. `user_acts` and `system_acts` are the log odds of `USER_ACTS` and
    `SYSTEM_ACTS` in the last turn: shape (acts,).
    """

    def __init__(self, scorers: Scorers, views: Mapping[str, ServiceView]) -> None:
        self._scorers, self._views = scorers, views
        self._roots = frozenset(lexicon("en").articles).union(
            *(view.own_roots for view in views.values())
        )
        self.turns: list[TrackedTurn] = []
        self.mentions: list[ValueMention] = []
        self.services: dict[str, ServiceHistory] = {}
        self.user_acts = self.system_acts = _NONE
        self._said: list[TurnWords] = []
        self._asked: list[LastQuestion] = []
        self._fits: dict[tuple[str, str], tuple[Ranked, Ranked, Ranked]] = {}
        self._pairs: dict[tuple[str, str, str, str], tuple[float, float, float]] = {}

    @property
    def now(self) -> int:
        """The index of the last turn; -1 before the first."""
        return len(self.turns) - 1

    def refers(self, norm: str) -> bool:
        """True if a value is no more than words for services: "the hotel"."""
        return all(root(word) in self._roots for word in norm.split())

    def read(self, turn: TrackedTurn) -> None:
        """Add the next turn, whose value spans have been found, and score it for its services."""
        self.turns.append(turn)
        request = asked_words(turn.system)
        self._asked.append(request)
        for speech, user in ((turn.system, False), (turn.user, True)):
            before = request if user else NOT_ASKED
            for place in speech.places:
                self._mention(speech, place, user, before)
        system = utterance_context(turn.system, NOT_ASKED)
        words = TurnWords(turn, system, utterance_context(turn.user, request))
        self._said.append(words)
        score = self._scorers.score
        self.user_acts = score("user_act", act_targets(USER_ACTS), words.user)
        self.system_acts = score("system_act", act_targets(SYSTEM_ACTS), words.system)
        for name in turn.services:
            if name in self._views:
                self._update(name)

    def _mention(self, speech: Speech, place: TokenSpan, user: bool, before: LastQuestion) -> None:
        self.mentions.append(
            ValueMention(
                self.now,
                user,
                normal(speech.stems[place.start : place.end]),
                speech.says(place),
                place.kind,
                span_context(speech, place, before),
                nearby_words(speech, place),
                place.finders,
                speech.inside(place),
            )
        )

    def _update(self, name: str) -> None:
        record = self.services.get(name)
        if record is None:
            record = self.services[name] = ServiceHistory(self._views[name], self.now)
        record.last, record.frames = self.now, record.frames + 1
        view, user = record.view, self.turns[-1].user
        record.references = {
            other.view.name: [
                self._rank(view, True, span_context(user, place, self._asked[-1]))[0]
                for place in other.view.references(user, other.values.values())
            ]
            for other in self.services.values()
            if other is not record
        }
        for mention in self.mentions[len(record.scores) :]:
            record.scores.append(self._rank(view, mention.user, mention.span_context))
        for n in range(len(record.turn_scores), len(self.turns)):
            record.turn_scores.append(score_turn(self._scorers, view, self._said[n]))
            turn = self.turns[n]
            for speech, own in ((turn.system, False), (turn.user, True)):
                for start, end, choice in phrases(view, speech):
                    place = TokenSpan(start, end, "category")
                    context = span_context(speech, place, self._asked[n] if own else NOT_ASKED)
                    ranks = self._rank(view, own, context)
                    record.listed_mentions.setdefault(choice, []).append(
                        Occurrence(n, own, *ranks, nearby_words(speech, place))
                    )

    def _rank(self, view: ServiceView, user: bool, context: CodedText) -> tuple[Ranked, Ranked]:
        """Return the log odds of slots for a span, and those by vectors.

        Margins are over inputs if the span is the user's.
        """
        which, first = ("user_span", len(view.inputs)) if user else ("system_span", None)
        scores = self._scorers.score(which, view.slot_targets, context)
        others = self._scorers.by_vectors(which, view.slot_targets, context)
        return Ranked.of(scores, first), Ranked.of(others, first)

    def fits(self, view: ServiceView, text: str) -> tuple[Ranked, Ranked, Ranked]:
        """Return the log odds that a text fits each slot, with margins over inputs, over all.

        The third ones are those by vectors, with margins over inputs.
        """
        key = view.name, text.lower()
        ranks = self._fits.get(key)
        if ranks is None:
            codes, inputs = text_codes(text), len(view.inputs)
            scores = self._scorers.score("slot_value", view.slot_targets, codes)
            others = Ranked.of(
                self._scorers.by_vectors("slot_value", view.slot_targets, codes), inputs
            )
            ranks = self._fits[key] = Ranked.of(scores, inputs), Ranked.of(scores), others
        return ranks

    def pair(
        self, view: ServiceView, slot: str, other: ServiceView, other_slot: str
    ) -> tuple[float, float, float]:
        """Return the log odds that a slot has the value of another service's slot `other_slot`.

        The second ones are those by vectors; the last number is the cosine of the slots' names.
        """
        key = view.name, slot, other.name, other_slot
        odds = self._pairs.get(key)
        if odds is None:
            words, about = Targets.of([view.slot(slot).words]), other.slot(other_slot).words
            scores = self._scorers.score("slot_pair", words, about)
            others = self._scorers.by_vectors("slot_pair", words, about)
            near = view.slot_names[view.place[slot]] @ other.slot_names[other.place[other_slot]]
            odds = self._pairs[key] = float(scores[0]), float(others[0]), float(near)
        return odds

    def elsewhere(
        self, service: ServiceHistory, *, acts: bool
    ) -> Iterator[tuple[str, SlotElsewhere]]:
        """Yield the normal form and the slot of each value of services other than `service`.

        These are the values of each one's state, then those from the system: by annotated acts with
        `acts`, else by mentions with the slot of highest log odds, if positive.
        """
        for other in self.services.values():
            if other is service:
                continue
            for slot, value in other.values.items():
                yield (
                    normal_text(value),
                    SlotElsewhere(other, slot, other.filled.get(slot, 0), False),
                )
            yield from self._values_in_acts(other) if acts else self._mentioned_values(other)

    def _values_in_acts(self, other: ServiceHistory) -> Iterator[tuple[str, SlotElsewhere]]:
        for turn in self.turns:
            for act in turn.system.acts or ():
                if act.service == other.view.name and act.act in SAYS:
                    for value in act.values if act.slot in other.view.place else ():
                        yield normal_text(value), SlotElsewhere(other, act.slot, turn.number, True)

    def _mentioned_values(self, other: ServiceHistory) -> Iterator[tuple[str, SlotElsewhere]]:
        """Yield the values that the system mentions, for the slot with the highest log odds."""
        for mention, (odds, _) in zip(self.mentions, other.scores, strict=False):
            best = -1.0 if mention.user else max(odds.scores, default=-1.0)
            if best > 0:
                slot = other.view.slots[odds.scores.index(best)].name
                yield mention.norm, SlotElsewhere(other, slot, mention.turn, True)

    def acts_of(self, service: str) -> list[SlotAct]:
        """Return the annotated acts for a service in the system's utterance of the last turn."""
        acts = self.turns[-1].system.acts
        return [act for act in acts or () if act.service == service]


_STRICT = frozenset({"date", "time"})
"""Kinds of slots with only mentions of the same kind as candidates, if the kind is sure."""

_UNLIKELY = -6.0
"""Log odds of "dontcare" for a slot, up to which it is no candidate."""


@dataclass(slots=True)
class ValueCandidate:
    """A value that a slot may change to.

    `norm` is its normal form (`words.normal`), for comparison. `choice` is its index in
    `ServiceView.choices`, or -1; `seen` are its occurrences in the dialogue. `kind` is the slot's
    for a listed value, that of the last mention, or "dontcare". `finders` are the bits of its last
    mention (spans.py), or -1; `inside` is True if that was part of a longer span.
    """

    slot: str
    value: str
    norm: str
    choice: int
    seen: list[Occurrence]
    kind: str
    finders: int = -1
    inside: bool = False


def candidates(
    history: DialogueHistory, service: ServiceHistory, slot: SlotView
) -> list[ValueCandidate]:
    """Return the candidates of an input at a dialogue's last turn, without its present value."""
    mine, view = service.values.get(slot.name), service.view
    options: list[ValueCandidate] = []
    if slot.listed:
        for value in slot.values:
            if value != mine:
                choice = view.of_choice[slot.name, value]
                mentions = service.listed_mentions.get(choice, [])
                norm = view.normal_choices[choice]
                options.append(ValueCandidate(slot.name, value, norm, choice, mentions, slot.kind))
    else:
        options = _mentioned(history, service, slot, normal_text(mine) if mine else "")
    likely = service.turn_scores[-1].dontcare.scores[view.place[slot.name]] > _UNLIKELY
    if mine != ANYTHING and likely:
        options.append(ValueCandidate(slot.name, ANYTHING, ANYTHING, -1, [], ANYTHING))
    return options


def _mentioned(
    history: DialogueHistory, record: ServiceHistory, slot: SlotView, mine: str
) -> list[ValueCandidate]:
    values: dict[str, ValueCandidate] = {}
    strict = slot.sure and slot.kind in _STRICT
    for mention, scores in zip(history.mentions, record.scores, strict=True):
        value = slot.known.spelled(mention.text)
        norm = mention.norm if value == mention.text else normal_text(value)
        if slot.known.said and history.refers(norm):
            continue
        if norm == mine or (strict and mention.kind != slot.kind):
            continue
        at = values.get(norm)
        if at is None:
            at = values[norm] = ValueCandidate(slot.name, value, norm, -1, [], mention.kind)
        at.seen.append(Occurrence(mention.turn, mention.user, *scores, mention.nearby_words))
        at.value, at.kind = value, mention.kind
        at.finders, at.inside = mention.finders, mention.inside
    return list(values.values())
