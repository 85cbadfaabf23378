"""Training examples of the scorers, from annotated acts and from changes of states."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, permutations
from random import Random

from dialoom.dialogue import SYSTEM, USER, State
from dialoom.learn.words import normal, normal_text
from dialoom.models.tracker.pairs import CodedText, PairExample
from dialoom.models.tracker.scorers import (
    SYSTEM_ACTS,
    USER_ACTS,
    ScorerExample,
    candidate_spans,
    coded,
)
from dialoom.models.tracker.service import ServiceView
from dialoom.models.tracker.turns import (
    NOT_ASKED,
    SAYS,
    LastQuestion,
    SlotAct,
    Speech,
    TrackedTurn,
    asked_words,
    span_context,
    text_codes,
    utterance_context,
)
from dialoom.schema.service import ANYTHING, INTENT

_Acts = dict[tuple[str, str], list[SlotAct]]

_VALUES = 250
"""Most values of a slot as positive examples of slot_value; negative ones are up to twice that."""

_SIDES = {
    USER: ("user_span", "user_value", "user_slot", "user_request", "user_intent"),
    SYSTEM: ("system_span", "system_value", "", "system_request", "system_intent"),
}
"""Side to its scorers of spans, listed values, slots, requests and intents; empty for none."""


class ExampleMaker:
    """Makes the training examples of scorers.

    `draw` samples negative examples and wordings. With `canonical` values, states show what users
    give, words that refer to other services are examples of spans, and services that nobody
    mentions in a turn give no examples of its spans, values and slots.
    """

    def __init__(self, views: Mapping[str, ServiceView], draw: Random, *, canonical: bool) -> None:
        self.views, self.draw, self.canonical = views, draw, canonical

    def examples(self, dialogues: Sequence[list[TrackedTurn]]) -> Iterator[ScorerExample]:
        """Yield the examples of all scorers but slot_value; value spans have been found."""
        marked = any(act.slot == INTENT for act in _acts(chain.from_iterable(dialogues)))
        for n, dialogue in enumerate(dialogues):
            states: Mapping[str, State] = {}
            for turn in dialogue:
                moves = _given(turn, states if self.canonical else None)
                if not marked:
                    self._mark_intents(moves)
                for score, service, example in chain(
                    self._of_turn(turn, moves),
                    self._accepted(turn, states, moves) if self.canonical else (),
                    self._referred(turn, states, moves) if self.canonical else (),
                ):
                    yield ScorerExample(score, (service,) if service else (), n, example)
                states = turn.states
            for services, example in self._shared_values(dialogue):
                yield ScorerExample("slot_pair", services, n, example)

    def of_values(
        self, values: Mapping[tuple[str, str], Collection[str]]
    ) -> Iterator[ScorerExample]:
        """Yield the examples of slot_value: values of a slot, and values of other slots.

        `values` map (service, slot) to values in acts.
        """
        draw, names = self.draw, sorted(values)
        lists = {name: sorted(values[name]) for name in names}

        def example(name: tuple[str, str], value: str, fits: bool) -> ScorerExample:
            words = self.views[name[0]].slot(name[1]).training_words(draw)
            return ScorerExample(
                "slot_value", name[:1], -1, PairExample(words, text_codes(value), fits)
            )

        for name in names:
            mine = lists[name]
            for value in draw.sample(mine, min(len(mine), _VALUES)):
                yield example(name, value, True)
            for _ in range(min(2 * len(mine), 2 * _VALUES)):
                value = draw.choice(lists[draw.choice(names)])
                if value not in values[name]:
                    yield example(name, value, False)

    def _mark_intents(self, moves: _Acts) -> None:
        """Add an act with all intents of a service to its other acts, if acts name no intents."""
        for (_, service), acts in moves.items():
            if acts and service in self.views:
                acts.append(SlotAct(service, "", INTENT, self.views[service].intents))

    def _of_turn(self, turn: TrackedTurn, moves: _Acts) -> Iterator[tuple[str, str, PairExample]]:
        request = asked_words(turn.system)
        user = utterance_context(turn.user, request)
        system = utterance_context(turn.system, NOT_ASKED)
        for names, context, speech, score in (
            (USER_ACTS, user, turn.user, "user_act"),
            (SYSTEM_ACTS, system, turn.system, "system_act"),
        ):
            if self.draw.random() < 0.3 and speech.words:
                there = {act.act for act in speech.acts or ()}
                for name in names:
                    yield score, "", PairExample(coded([name]), context, name in there)
        for service in filter(self.views.__contains__, turn.services):
            view, silent = self.views[service], self.canonical and _is_idle(service, moves)
            for side, speech, context, before in (
                (USER, turn.user, user, request),
                (SYSTEM, turn.system, system, NOT_ASKED),
            ):
                if speech.words:
                    acts, of_side = moves.get((side, service), []), _SIDES[side]
                    about = self._of_speech(view, speech, acts, context, before, of_side)
                    for score, example in chain(
                        () if silent else about, self._of_intents(view, acts, context, of_side[-1])
                    ):
                        yield score, service, example

    def _changed(
        self, turn: TrackedTurn, before: Mapping[str, State], moves: _Acts
    ) -> Iterator[tuple[str, ServiceView, dict[str, set[str]]]]:
        for service, state in turn.states.items():
            if service in self.views and not _is_idle(service, moves):
                old = before.get(service, State()).values
                norms = {
                    slot: {normal_text(str(value)) for value in values}
                    for slot, values in state.values.items()
                    if values != old.get(slot)
                }
                yield service, self.views[service], norms

    def _accepted(
        self, turn: TrackedTurn, before: Mapping[str, State], moves: _Acts
    ) -> Iterator[tuple[str, str, PairExample]]:
        """Yield the examples of user_accept: slots that get a value that the system alone says.

        `before` has the states of the turn before, `moves` the acts of each side for each service.
        """
        context = utterance_context(turn.user, asked_words(turn.system))
        system, user = (f" {' '.join(speech.stems)} " for speech in (turn.system, turn.user))
        for service, view, changed in self._changed(turn, before, moves):
            for slot in view.inputs:
                norms = [f" {norm} " for norm in changed.get(slot.name, ())]
                fits = any(n in system for n in norms) and not any(n in user for n in norms)
                if fits or self.draw.random() < 0.25:
                    words = slot.training_words(self.draw)
                    yield "user_accept", service, PairExample(words, context, fits)

    def _referred(
        self, turn: TrackedTurn, before: Mapping[str, State], moves: _Acts
    ) -> Iterator[tuple[str, str, PairExample]]:
        request, draw = asked_words(turn.system), self.draw
        for service, view, changed in self._changed(turn, before, moves):
            for name, other in before.items():
                values = {str(value) for options in other.values.values() for value in options[:1]}
                if name == service or name not in self.views or not values:
                    continue
                theirs = set(map(normal_text, values))
                for place in self.views[name].references(turn.user, values):
                    span = span_context(turn.user, place, request)
                    for slot in view.inputs:
                        fits = not theirs.isdisjoint(changed.get(slot.name, ()))
                        if fits or draw.random() < 0.15:
                            words = slot.training_words(draw)
                            yield "user_span", service, PairExample(words, span, fits)

    def _of_speech(
        self,
        view: ServiceView,
        speech: Speech,
        acts: list[SlotAct],
        words: CodedText,
        before: LastQuestion,
        names: tuple[str, ...],
    ) -> Iterator[tuple[str, PairExample]]:
        """Yield scorer and example, for all examples of an utterance about a service.

        `words` has hashed features, `before` the words of the question before. `names` are the
        scorers of spans, listed values, slots, requests and intents; empty for none.
        """
        values, choices, informs, requests, _ = names
        draw = self.draw
        exact = {
            (act.slot, each)
            for act in acts
            if act.act in SAYS
            for value in act.values
            for each in (value, view.spelled(act.slot, value))
        }
        yield from ((values, each) for each in self._of_spans(view, speech, exact, before))
        informed = {slot for slot, _ in exact}
        for slot, value in view.choices:
            fits = (slot.name, value) in exact
            if fits or draw.random() < (0.7 if slot.name in informed else 0.12):
                yield choices, PairExample(slot.with_value(value, draw), words, fits)
        free = {slot for slot, value in exact if value == ANYTHING}
        queries = {act.slot for act in acts if act.act == "REQUEST"}
        for score, slots, targets, share in (
            (requests, view.slots, queries, 0.2),
            (informs, view.inputs, informed, 0.25),
            ("dontcare", view.inputs if informs else (), free, 0.1),
        ):
            for slot in slots if score else ():
                if slot.name in targets or draw.random() < share:
                    yield score, PairExample(slot.training_words(draw), words, slot.name in targets)

    def _of_intents(
        self, view: ServiceView, acts: Iterable[SlotAct], words: CodedText, score: str
    ) -> Iterator[tuple[str, PairExample]]:
        targets = {value for act in acts if act.slot == INTENT for value in act.values}
        for name in view.intents:
            if name in targets or self.draw.random() < 0.3:
                yield score, PairExample(view.intent_words(name, self.draw), words, name in targets)

    def _of_spans(
        self,
        view: ServiceView,
        speech: Speech,
        exact: Iterable[tuple[str, str]],
        before: LastQuestion,
    ) -> Iterator[PairExample]:
        pairs = {(slot, normal_text(value)) for slot, value in exact}
        for place in candidate_spans(view, speech):
            norm = normal(speech.stems[place.start : place.end])
            context = span_context(speech, place, before)
            for slot in view.slots:
                fits = (slot.name, norm) in pairs
                if fits or self.draw.random() < (0.6 if slot.kind == place.kind else 0.15):
                    yield PairExample(slot.training_words(self.draw), context, fits)

    def _shared_values(
        self, dialogue: list[TrackedTurn]
    ) -> Iterator[tuple[tuple[str, str], PairExample]]:
        """Yield services and example of slot_pair, for slots of two services in a dialogue.

        Two slots match if the first one's value in its service's last state is that of the other
        slot, or one that an act of the system gave the other slot.
        """
        last = {name: state for turn in dialogue for name, state in turn.states.items()}
        names = [name for name in last if name in self.views]
        offers: dict[str, list[tuple[str, tuple[str, ...]]]] = {name: [] for name in names}
        for act in (act for turn in dialogue for act in turn.system.acts or ()):
            if act.service in offers and act.act in SAYS:
                offers[act.service].append((act.slot, act.values))
        for one, other in permutations(names, 2):
            owners = {
                normal_text(value): self.views[other].slot(slot)
                for slot, values in (*offers[other], *last[other].values.items())
                for value in map(str, values)
                if slot in self.views[other].place
            }
            for slot in self.views[one].inputs:
                mine = {normal_text(str(value)) for value in last[one].values.get(slot.name, ())}
                for value, about in owners.items() if mine else ():
                    fits = value in mine
                    if fits or (about.kind == slot.kind and self.draw.random() < 0.5):
                        yield (
                            (one, other),
                            PairExample(
                                slot.training_words(self.draw),
                                about.training_words(self.draw),
                                fits,
                            ),
                        )


def _acts(turns: Iterable[TrackedTurn]) -> Iterator[SlotAct]:
    for turn in turns:
        yield from turn.system.acts or ()
        yield from turn.user.acts or ()


def _given(turn: TrackedTurn, before: Mapping[str, State] | None) -> _Acts:
    """Return the acts of each side for each service, with values as the state has them.

    An act gives a slot the user's wording, and a value as states spell it. If the state changes to
    a value in the user's utterance, the user gives it, whatever the acts are. Without states of the
    turn before, only acts count.
    """
    moves: _Acts = defaultdict(list)
    for side, speech in ((SYSTEM, turn.system), (USER, turn.user)):
        for act in speech.acts or ():
            moves[side, act.service].append(act)
    if before is None:
        return moves
    line = f" {' '.join(turn.user.stems)} "
    for service, state in turn.states.items():
        acts, old = moves[USER, service], before.get(service, State()).values
        informed = {act.slot for act in acts if act.act in SAYS}
        for slot, values in state.values.items():
            texts = tuple(map(str, values))
            changed = values != old.get(slot)
            if slot in informed or (
                changed and any(f" {normal_text(text)} " in line for text in texts)
            ):
                acts.append(SlotAct(service, "INFORM", slot, texts))
    return moves


def _is_idle(service: str, moves: _Acts) -> bool:
    return not any(moves.get((side, service)) for side in (USER, SYSTEM))
