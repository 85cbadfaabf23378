"""User simulation on schema-guided dialogues: the next acts of a user with a goal.

A question is a turn of the user: its acts, given the goal and the acts of both sides so far. Goals
are taken from the dialogue's annotation: the active intents, the values that the user gave, the
slots that they asked about. A model sees no calls and no results, because users do not.

    dialoom bench sgd-user --corpus corpora --split dev --train-corpus corpora -P learn=3000
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from dialoom.bench.core.protocol import Data, Plan, Target
from dialoom.bench.protocols import sgd_turns
from dialoom.bench.protocols.sgd_turns import TurnProtocol, TurnSettings
from dialoom.bench.visibility import acts_alone, visible
from dialoom.dialogue import USER, Dialogue, NextActs
from dialoom.dialogue.views import parts, service_acts, utterances
from dialoom.metrics.overlap import NextActMatch
from dialoom.models.policy.service_log import goals_of


@dataclass(frozen=True, slots=True)
class NextActsOfUser(TurnProtocol):
    """The protocol of user simulation."""

    name: str = "sgd-user"

    def plan(self, data: Data, settings: TurnSettings) -> Plan:
        """Find the user's utterances with acts; `MissingDataError` without any."""
        lacking = "no utterance of the user has acts"
        return sgd_turns.plan(self.name, data, settings, (NextActMatch(),), turns, lacking)


def turns(dialogue: Dialogue, seen: Collection[str] | None) -> Iterator[Target]:
    """Yield the user's turns of a dialogue."""
    asked = NextActs(USER, goals_of(dialogue))
    shown, positions = visible(dialogue, acts_alone)
    for index, event in utterances(dialogue):
        acts = service_acts(parts(event)) if event.agent == USER else ()
        if acts:
            own = sgd_turns.slices(acts[0].service or "", seen)
            yield Target(dialogue.id, index, asked, acts, shown, positions[index], own)


USERS = NextActsOfUser()
