"""Slot filling on schema-guided dialogues: the spans of slot values in a user's utterance.

A question is a frame of a user's turn; its labels are the service's slots that are not categorical.
A model sees the texts up to and with the utterance. A span is right if slot and both ends are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial

from dialoom.bench.core.protocol import Data, Plan, Protocol, Target
from dialoom.bench.protocols import sgd_turns
from dialoom.bench.protocols.sgd_turns import PARTS, TurnSettings
from dialoom.bench.visibility import View, acts_apart, visible, words
from dialoom.dialogue import USER, Dialogue, Spans
from dialoom.dialogue.views import parts, utterances
from dialoom.errors import MissingDataError
from dialoom.learn.model import Schemas
from dialoom.metrics.overlap import SpanMatch
from dialoom.schema.services import contract


def plan(data: Data, settings: TurnSettings) -> Plan:
    """Find the frames of user turns; `MissingDataError` without spans."""
    labels = slots_of(data.schemas) | slots_of(data.train_schemas)
    asking, teaching = (partial(frames, labels, view) for view in (words, acts_apart))
    metrics, lacking = (SpanMatch(first="span"),), "no user turn has spans"
    return sgd_turns.plan("sgd-slots", data, settings, metrics, asking, lacking, teaching)


def slots_of(schemas: Schemas) -> dict[str, tuple[str, ...]]:
    """Return service to its slots that are not categorical."""
    return {
        name: tuple(slot.name for slot in contract(task).slots if not slot.categorical)
        for name, task in schemas.items()
    }


def frames(
    labels: Mapping[str, tuple[str, ...]],
    view: View,
    dialogue: Dialogue,
    training: Collection[str] | None,
) -> Iterator[Target]:
    """Yield the frames of user turns with (possibly empty) spans; or `MissingDataError`."""
    history, positions = visible(dialogue, view)
    for turn, (index, event) in enumerate(utterances(dialogue)):
        for part in parts(event) if event.agent == USER else ():
            service = part.service
            if service is not None and part.spans is not None:
                if service not in labels:
                    problem = (
                        f"dialogue {dialogue.id} is about {service}, which no schema describes"
                    )
                    raise MissingDataError(problem)
                question, own = Spans(labels[service], service), sgd_turns.slices(service, training)
                end = positions[index] + 1
                yield Target(dialogue.id, turn, question, part.spans, history, end, own)


SLOTS = Protocol("sgd-slots", "sgd", Spans, "slot-spans", TurnSettings, plan, PARTS)
