"""The system's policy on schema-guided dialogues: its next acts, and its calls.

`sgd-policy` asks for the acts of each utterance of the system, after the turn's call and result;
`sgd-calls` asks at each turn of the system for its first call, or for none (an empty name). A model
sees the turns so far with their acts, states, calls and results.

    dialoom bench sgd-policy --corpus corpora --split dev --train-corpus corpora -P learn=3000
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any

from dialoom.bench.core.protocol import Data, Plan, Target
from dialoom.bench.protocols import sgd_turns
from dialoom.bench.protocols.sgd_turns import TargetFinder, TurnProtocol, TurnSettings
from dialoom.bench.visibility import acts_and_results, visible
from dialoom.dialogue import (
    SYSTEM,
    USER,
    Dialogue,
    NextActs,
    NextCall,
    Query,
    Utterance,
)
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.views import parts, service_acts, utterances
from dialoom.metrics.calls import CallMatch
from dialoom.metrics.overlap import NextActMatch


@dataclass(frozen=True, slots=True)
class NextActsOfSystem(TurnProtocol):
    """The protocol of the system's acts."""

    name: str = "sgd-policy"

    def plan(self, data: Data, settings: TurnSettings) -> Plan:
        """Find the utterances of the system that have acts.

        Raises:
            MissingDataError: The data holds none.
        """
        lacking = "no utterance of the system has acts"
        return sgd_turns.plan(self.name, data, settings, (NextActMatch(),), ACTS_ASKED, lacking)


@dataclass(frozen=True, slots=True)
class CallsOfSystem(TurnProtocol):
    """The protocol of the system's calls."""

    name: str = "sgd-calls"
    kind: type[Struct] = NextCall
    model: str = "call-policy"

    def plan(self, data: Data, settings: TurnSettings) -> Plan:
        """Find the system's turns; `MissingDataError` without turns or schemas."""
        metrics, lacking = (CallMatch(data.schemas),), "no utterance of the system has a service"
        plan = sgd_turns.plan(self.name, data, settings, metrics, CALLS_ASKED, lacking)
        return sgd_turns.described(plan)


Found = tuple[int, str, Any, Any, tuple[str, ...]]
"""Index of the event asked about, its service, what is asked, the right answer, extra slices."""


def _finder(find: Callable[[Dialogue], Iterator[Found]]) -> TargetFinder:
    """Return a finder of questions, from one of events and answers."""

    def targets(dialogue: Dialogue, seen: Collection[str] | None) -> Iterator[Target]:
        shown, positions = visible(dialogue, acts_and_results)
        for index, service, asked, gold, own in find(dialogue):
            slices = (*own, *sgd_turns.slices(service, seen))
            yield Target(dialogue.id, index, asked, gold, shown, positions[index], slices)

    return targets


def _acts(dialogue: Dialogue) -> Iterator[Found]:
    for index, event in utterances(dialogue):
        acts = service_acts(parts(event)) if event.agent == SYSTEM else ()
        if acts:
            yield index, acts[0].service or "", NextActs(SYSTEM), acts, ()


def _calls(dialogue: Dialogue) -> Iterator[Found]:
    """Yield the first call of each system turn, or none."""
    begin = None
    for index, event in enumerate(dialogue.events):
        if isinstance(event, Utterance) and event.agent == USER:
            begin = index + 1
        elif isinstance(event, Utterance) and begin is not None:
            first, service = dialogue.events[begin], next(iter(parts(event)), None)
            called = isinstance(first, Query)
            gold = Query(id="", api="")
            if isinstance(first, Query):
                gold = Query(id="", api=first.api, constraints=first.constraints)
            name = service.service if service else None
            if name is not None:
                own = ("call",) if called else ("no-call",)
                yield begin, name, NextCall(name), gold, own
            begin = None


ACTS_ASKED, CALLS_ASKED = _finder(_acts), _finder(_calls)
ACTS = NextActsOfSystem()
CALLS = CallsOfSystem()
