"""Policies on schema-guided dialogues: the system's next acts and calls, the user's next acts.

`sgd-policy` asks for the acts of each utterance of the system, after the turn's call and result;
`sgd-calls` asks at each turn of the system for its first call, or for none (an empty name). A model
sees the turns so far with their acts, states, calls and results.

`sgd-user` asks for the acts of each turn of a user with a goal, given the acts of both sides.
Goals are taken from the dialogue's annotation: the active intents, the values that the user gave,
the slots that they asked about. A model sees no calls and no results, because users do not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

from dialoom.bench.core.protocol import Data, Plan, Protocol, Target
from dialoom.bench.protocols import sgd_turns
from dialoom.bench.protocols.sgd_turns import PARTS, TargetFinder, TurnSettings
from dialoom.bench.visibility import View, acts_alone, acts_and_results, visible
from dialoom.dialogue import SYSTEM, USER, Dialogue, NextActs, NextCall, Query, Utterance
from dialoom.dialogue.views import parts, service_acts, utterances
from dialoom.metrics.calls import CallMatch
from dialoom.metrics.overlap import NextActMatch
from dialoom.models.policy.service_log import goals_of


def next_acts(data: Data, settings: TurnSettings) -> Plan:
    """Find the utterances of the system that have acts; `MissingDataError` without any."""
    lacking = "no utterance of the system has acts"
    return sgd_turns.plan("sgd-policy", data, settings, (NextActMatch(),), ACTS_ASKED, lacking)


def calls(data: Data, settings: TurnSettings) -> Plan:
    """Find the system's turns; `MissingDataError` without turns or schemas."""
    metrics, lacking = (CallMatch(data.schemas),), "no utterance of the system has a service"
    plan = sgd_turns.plan("sgd-calls", data, settings, metrics, CALLS_ASKED, lacking)
    return sgd_turns.described(plan)


def user_acts(data: Data, settings: TurnSettings) -> Plan:
    """Find the user's utterances with acts; `MissingDataError` without any."""
    lacking = "no utterance of the user has acts"
    return sgd_turns.plan("sgd-user", data, settings, (NextActMatch(),), USERS_ASKED, lacking)


Found = tuple[int, str, Any, Any, tuple[str, ...]]
"""Index of the event asked about, its service, what is asked, the right answer, extra slices."""


def _finder(find: Callable[[Dialogue], Iterator[Found]], view: View) -> TargetFinder:
    def targets(dialogue: Dialogue, services: Collection[str] | None) -> Iterator[Target]:
        history, positions = visible(dialogue, view)
        for index, service, question, gold, own in find(dialogue):
            slices = (*own, *sgd_turns.slices(service, services))
            yield Target(dialogue.id, index, question, gold, history, positions[index], slices)

    return targets


def _system_acts(dialogue: Dialogue) -> Iterator[Found]:
    return _acts(dialogue, NextActs(SYSTEM))


def _user_acts(dialogue: Dialogue) -> Iterator[Found]:
    return _acts(dialogue, NextActs(USER, goals_of(dialogue)))


def _acts(dialogue: Dialogue, asked: NextActs) -> Iterator[Found]:
    for index, event in utterances(dialogue):
        acts = service_acts(parts(event)) if event.agent == asked.agent else ()
        if acts:
            yield index, acts[0].service or "", asked, acts, ()


def _calls(dialogue: Dialogue) -> Iterator[Found]:
    begin = None
    for index, event in enumerate(dialogue.events):
        if isinstance(event, Utterance) and event.agent == USER:
            begin = index + 1
        elif isinstance(event, Utterance) and begin is not None:
            first, part = dialogue.events[begin], next(iter(parts(event)), None)
            gold, own = Query(id="", api=""), "no-call"
            if isinstance(first, Query):
                gold, own = Query(id="", api=first.api, constraints=first.constraints), "call"
            if part is not None and part.service is not None:
                yield begin, part.service, NextCall(part.service), gold, (own,)
            begin = None


ACTS_ASKED, CALLS_ASKED = (_finder(each, acts_and_results) for each in (_system_acts, _calls))
USERS_ASKED = _finder(_user_acts, acts_alone)
ACTS = Protocol("sgd-policy", "sgd", NextActs, "act-policy", TurnSettings, next_acts, PARTS)
CALLS = Protocol("sgd-calls", "sgd", NextCall, "call-policy", TurnSettings, calls, PARTS)
USERS = Protocol("sgd-user", "sgd", NextActs, "act-policy", TurnSettings, user_acts, PARTS)
