"""Intent detection on schema-guided dialogues: the active intent of each frame of a user turn.

The questions are those of state tracking; of the answers only the active intent is scored. A frame
whose intent differs from that of the service's frame before (for its first frame: from none) is in
the slice `changed`, any other in `kept`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from msgspec.structs import replace as changed

from dialoom.bench.core.protocol import Data, Plan, Protocol, Target
from dialoom.bench.protocols import sgd_tracking
from dialoom.bench.protocols.sgd_tracking import TrackingSettings
from dialoom.bench.protocols.sgd_turns import PARTS
from dialoom.dialogue import StateOf
from dialoom.metrics.state import IntentMatch

NAME = "sgd-intents"


def plan(data: Data, settings: TrackingSettings) -> Plan:
    """Find the frames of user turns; `MissingDataError` without states."""
    found = sgd_tracking.plan(NAME, data, settings)
    holdouts = [replace(each, test=list(_sliced(each.test))) for each in found.holdouts]
    return replace(found, metrics=(IntentMatch(),), holdouts=holdouts)


def _sliced(targets: Iterable[Target]) -> Iterator[Target]:
    before: dict[tuple[str, str], str | None] = {}
    for target in targets:
        for service, state in target.gold.items():
            same = before.get((target.source, service)) == state.intent
            before[target.source, service] = state.intent
            yield changed(target, slices=(*target.slices, "kept" if same else "changed"))


INTENTS = Protocol(NAME, "sgd", StateOf, "tracker", TrackingSettings, plan, PARTS)
