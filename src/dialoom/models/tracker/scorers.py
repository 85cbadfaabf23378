"""Scorers of slots, values, intents and acts in an utterance, fitted on annotated acts.

Each of them returns the log odds of one statement, by pairs of words and, of those in `BY_VECTORS`,
also by vectors of texts.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from random import Random
from typing import NamedTuple

from dialoom.corpus.processes import shared
from dialoom.learn.crf import TokenSpan
from dialoom.learn.vectors import Vectors, vectors
from dialoom.learn.words import codes, normal_text
from dialoom.models.tracker.pairs import (
    CodedText,
    Floats,
    PairExample,
    PairScorer,
    Ranked,
    Targets,
    VectorScorer,
    pairs,
)
from dialoom.models.tracker.service import ServiceView
from dialoom.models.tracker.turns import Speech, TrackedTurn
from dialoom.schema.service import ACTS

SYSTEM_ACTS = (
    "CONFIRM",
    "GOODBYE",
    "INFORM",
    "INFORM_COUNT",
    "NOTIFY_FAILURE",
    "NOTIFY_SUCCESS",
    "OFFER",
    "OFFER_INTENT",
    "REQUEST",
    "REQ_MORE",
)
"""The system's acts of SGD (Rastogi et al. 2020)."""
USER_ACTS = tuple(
    act for act in ACTS if act not in SYSTEM_ACTS or act in ("GOODBYE", "INFORM", "REQUEST")
)
"""The user's acts of SGD."""

SCORES = {
    "user_span": "the user gives a slot the value in a span of the text",
    "system_span": "the system informs of, offers or confirms the value in a span for a slot",
    "user_value": "the user gives a slot a listed value, in whatever words",
    "system_value": "the system informs of, offers or confirms a listed value",
    "user_slot": "the user gives a slot a value",
    "dontcare": "the user has no preference for a slot",
    "system_request": "the system requests a slot",
    "user_request": "the user requests a slot",
    "user_intent": "the user wants an intent",
    "system_intent": "the system offers an intent",
    "user_act": "the user's utterance has an act",
    "system_act": "the system's utterance has an act",
    "slot_pair": "a slot has the value of a slot of another service",
    "slot_value": "a value fits a slot, by the value's text alone",
    "user_accept": "the user takes a value for a slot that the system said",
}
"""Name of a scorer to the statement whose log odds it returns."""
BY_WORDS_ALONE = ("dontcare", "user_act", "system_act", "user_accept")
BY_VECTORS = tuple(name for name in SCORES if name not in BY_WORDS_ALONE)
"""The names of those that score by vectors, too."""
MOST = 150_000
"""Most training examples of a scorer; of more, a sample is drawn."""


class ScorerExample(NamedTuple):
    """A training example of a scorer, with descriptions of some services.

    `dialogue` is an index, or -1 for several. `example` has the hash codes of a description and of
    the text compared with it, and whether they match.
    """

    score: str
    services: tuple[str, ...]
    dialogue: int
    example: PairExample


def coded(names: Sequence[str], mark: str = "") -> CodedText:
    """Return names as hash codes with a mark, without vectors."""
    return CodedText(codes(names, mark), vectors(()))


@cache
def act_targets(names: tuple[str, ...]) -> Targets:
    """Return the names of acts as descriptions to be scored, of one word each."""
    return Targets.of([coded([name]) for name in names])


class Scorers:
    """A scorer by words for each name in `SCORES`, and those by vectors, fitted together."""

    def __init__(self) -> None:
        self.scorers = {name: PairScorer() for name in SCORES}
        self.vector_scorers = {name: VectorScorer() for name in BY_VECTORS}

    def fit(self, examples: Iterable[ScorerExample], seed: int) -> None:
        """Fit all scorers on their examples.

        Scorers are pickled in the process that fits them, so that model files have the same bytes
        with any number of processes.
        """
        draw = Random(seed)
        by_score: dict[str, list[PairExample]] = {name: [] for name in SCORES}
        for each in examples:
            by_score[each.score].append(each.example)
        for name in SCORES:
            if len(by_score[name]) > MOST:
                by_score[name] = draw.sample(by_score[name], MOST)

        def fitted(name: str) -> bytes:
            self.scorers[name].fit(by_score[name], seed + [*SCORES].index(name))
            other = self.vector_scorers.get(name)
            if other is not None:
                other.fit(by_score[name], seed)
            return pickle.dumps((self.scorers[name], other))

        import_module("sklearn.linear_model")  # before processes are forked, which inherit it
        longest_first = sorted(SCORES, key=lambda name: -len(by_score[name]))
        for name, scorer in zip(longest_first, shared(fitted, longest_first), strict=True):
            self.scorers[name], other = pickle.loads(scorer)
            if other is not None:
                self.vector_scorers[name] = other

    def score(self, name: str, targets: Targets, text: CodedText) -> Floats:
        """Return the log odds of one scorer for each description: shape (descriptions,)."""
        return self.scorers[name].score(targets, text)

    def by_vectors(self, name: str, targets: Targets, text: CodedText) -> Floats:
        """Return the log odds of one scorer by vectors for each description: (descriptions,)."""
        return self.vector_scorers[name].score(targets, text)

    def scores(self, names: Sequence[str], targets: Targets, text: CodedText) -> list[Floats]:
        """Return the log odds of several scorers, for each description: shape (descriptions,)."""
        places = pairs(targets.words, text.codes)
        return [self.scorers[name].sum(targets, places) for name in names]


def candidate_spans(view: ServiceView, speech: Speech) -> list[TokenSpan]:
    """Return the spans found in an utterance, and those of listed values of a service's inputs."""
    places = list(speech.places)
    bounds = {(place.start, place.end) for place in places}
    for start, end, _ in phrases(view, speech):
        if (start, end) not in bounds:
            bounds.add((start, end))
            places.append(TokenSpan(start, end, "category"))
    return places


def stated_spans(views: Mapping[str, ServiceView], speech: Speech) -> Iterator[TokenSpan]:
    """Yield the spans of values of an utterance's acts, for slots without listed values."""
    for act in speech.acts or ():
        view = views.get(act.service)
        if view is None or act.slot not in view.place or view.slot(act.slot).listed:
            continue
        for value in act.values:
            words = normal_text(value).split()
            for n in range(len(speech.stems) - len(words) + 1 if words else 0):
                if speech.stems[n : n + len(words)] == words:
                    yield TokenSpan(n, n + len(words), view.slot(act.slot).kind)


def phrases(view: ServiceView, speech: Speech) -> Iterator[tuple[int, int, int]]:
    """Yield listed values in an utterance: (first word, word after the last, index of value)."""
    stems = speech.stems
    for n, word in enumerate(stems):
        for phrase, choice in view.phrases.get(word, ()):
            if tuple(stems[n : n + len(phrase)]) == phrase:
                yield n, n + len(phrase), choice


_OF_SLOTS = ("user_slot", "user_accept", "dontcare", "user_request")
"""Scorers of slots in the user's utterance."""


@dataclass(slots=True)
class TurnScores:
    """The log odds of one turn for one service, by the scorers of the same names (scorers.py).

    Scores of values have the shape (listed values,). `user_slot` and `user_accept` have margins
    over inputs. `by_vectors` has the log odds of scorers by vectors. `likeness` has the greatest
    cosine of a listed value ("user_value") and of a slot's name ("user_slot") with words of an
    utterance, of either side: shapes (listed values,) and (slots,).
    """

    user_value: Floats
    system_value: Floats
    user_slot: Ranked
    user_accept: Ranked
    dontcare: Ranked
    system_request: Ranked
    user_request: Ranked
    user_intent: Ranked
    system_intent: Ranked
    by_vectors: dict[str, Floats]
    likeness: dict[str, Floats]


class TurnWords:
    """A turn's utterances as the scorers read them.

    `system` and `user` have hashed features and vectors; `runs` have the vectors of all runs of up
    to three words of each utterance: shape (runs, SIZE).
    """

    def __init__(self, turn: TrackedTurn, system: CodedText, user: CodedText) -> None:
        self.system, self.user = system, user
        self.runs: Mapping[str, Vectors] = {"user": turn.user.runs(), "system": turn.system.runs()}


def score_turn(scorers: Scorers, view: ServiceView, words: TurnWords) -> TurnScores:
    """Return the scores of a turn for a service."""
    system, user = words.system, words.user
    score, slots, inputs = scorers.score, view.slot_targets, len(view.inputs)
    user_slot, accept, dontcare, user_request = scorers.scores(_OF_SLOTS, slots, user)
    return TurnScores(
        score("user_value", view.choice_targets, user),
        score("system_value", view.choice_targets, system),
        Ranked.of(user_slot, inputs),
        Ranked.of(accept, inputs),
        Ranked.of(dontcare),
        Ranked.of(score("system_request", slots, system)),
        Ranked.of(user_request),
        Ranked.of(score("user_intent", view.intent_targets, user)),
        Ranked.of(score("system_intent", view.intent_targets, system)),
        _by_vectors(scorers, view, words),
        _likeness(view, words),
    )


def _by_vectors(scorers: Scorers, view: ServiceView, words: TurnWords) -> dict[str, Floats]:
    queries = (
        ("user_value", view.choice_targets, words.user),
        ("system_value", view.choice_targets, words.system),
        ("user_slot", view.slot_targets, words.user),
        ("user_request", view.slot_targets, words.user),
        ("system_request", view.slot_targets, words.system),
        ("user_intent", view.intent_targets, words.user),
        ("system_intent", view.intent_targets, words.system),
    )
    return {name: scorers.by_vectors(name, targets, text) for name, targets, text in queries}


def _likeness(view: ServiceView, words: TurnWords) -> dict[str, Floats]:
    return {
        f"{side}_{what}": (names @ runs.T).max(axis=1, initial=-1.0)
        for side, runs in words.runs.items()
        for what, names in (("value", view.choice_names), ("slot", view.slot_names))
    }
