"""Intent detection on schema-guided dialogues: the active intent of each frame of a user turn.

The questions are those of state tracking; of the answers only the active intent is scored. A frame
whose intent differs from that of the service's frame before (for its first frame: from none) is in
the slice `changed`, any other in `kept`.

    dialoom bench sgd-intents --corpus corpora --split dev --train-corpus corpora
    dialoom bench sgd-intents --corpus corpora --split train -P leave=4 -P learn=500 -P sample=100
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from msgspec.structs import replace as changed

from dialoom.bench.core.protocol import Data, Plan, Target
from dialoom.bench.protocols.sgd_tracking import TRACKING, Tracking, TrackingSettings
from dialoom.metrics.state import IntentMatch


@dataclass(frozen=True, slots=True)
class Intents(Tracking):
    """The protocol of intent detection."""

    name: str = "sgd-intents"

    def plan(self, data: Data, settings: TrackingSettings) -> Plan:
        """Find the frames of user turns; `MissingDataError` without states."""
        plan = TRACKING.plan(data, settings)
        holdouts = [replace(each, test=list(_sliced(each.test))) for each in plan.holdouts]
        return replace(
            plan,
            protocol=self.name,
            title=plan.title.replace(TRACKING.name, self.name),
            metrics=(IntentMatch(),),
            holdouts=holdouts,
        )


def _sliced(targets: Iterable[Target]) -> Iterator[Target]:
    before: dict[tuple[str, str], str | None] = {}
    for target in targets:
        for service, state in target.gold.items():
            same = before.get((target.source, service)) == state.intent
            before[target.source, service] = state.intent
            yield changed(target, slices=(*target.slices, "kept" if same else "changed"))


INTENTS = Intents()
