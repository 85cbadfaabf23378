"""Scores of one turn for one service: log odds by pairs of words, by vectors, and likeness."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dialoom.learn.vectors import Vectors
from dialoom.models.tracker.pairs import CodedText, Floats, Ranked
from dialoom.models.tracker.scorers import Scorers
from dialoom.models.tracker.service import ServiceView
from dialoom.models.tracker.turns import TrackedTurn

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
