"""The queries of STAR's wizards: the parameters they gave, with operators and values.

A question is asked where the wizard queries the knowledge base; the model sees the same of the
dialogue as for next action. Splits and hold-outs are those of next action.
"""

from __future__ import annotations

from collections.abc import Sequence

from dialoom.bench.protocols.staged import staged
from dialoom.bench.protocols.star import Asking
from dialoom.bench.protocols.zero_shot import ZeroShot
from dialoom.dialogue import Event, NextCall, Query
from dialoom.metrics.calls import CallMatch


def call(events: Sequence[Event], index: int) -> Query | None:
    """Return the name and constraints of an event that is a query; None for other events."""
    event = events[index]
    if not isinstance(event, Query):
        return None
    return Query(id="", api=event.api, constraints=event.constraints)


CALLS = Asking(NextCall, call, lambda data: (CallMatch(data.corpus.schemas),), "caller")

STAGED = staged("star-call", CALLS)
DOMAIN = ZeroShot("star-zero-shot-call-domain", "domain", CALLS).protocol
TASK = ZeroShot("star-zero-shot-call-task", "task", CALLS).protocol
