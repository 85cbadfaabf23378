"""State tracking under other wordings of the schemas (SGD-X; Lee et al. 2022).

Each dialogue is asked about with each of the five variants of the schemas, a slice each. The scores
are means over all of them, and the schema sensitivity of the joint goal accuracy. A model learns
from the original training schemas alone, or also from their variants (`-P variants=yes`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

import msgspec

from dialoom.bench.core.protocol import Data, Plan, Protocol, Target
from dialoom.bench.protocols import sgd_tracking, sgd_turns
from dialoom.bench.protocols.sgd_tracking import VERSIONS, TrackingSettings
from dialoom.bench.protocols.sgd_turns import PARTS
from dialoom.bench.visibility import View
from dialoom.dialogue import Dialogue, StateOf
from dialoom.errors import MissingDataError
from dialoom.formats.sgd.schemas import read_variant
from dialoom.metrics.state import FRAME, SchemaSensitivity
from dialoom.schema.variants import Renaming, pair, rename


@dataclass(frozen=True, slots=True)
class VariantSettings(TrackingSettings):
    """Tracking settings with another default: models learn from the original schemas alone."""

    variants: bool = False


NAME = "sgd-x-tracking"


def plan(data: Data, settings: VariantSettings) -> Plan:
    """Find the frames of user turns, for each variant; `MissingDataError` without any."""
    variants = {name: read_variant(data.corpus.root, name) for name in VERSIONS}
    for version, variant in variants.items():
        if not variant:
            raise MissingDataError(
                f"{data.corpus.path}: no variant {version} of SGD-X in its folder",
                code="unknown-name",
            )
    renamings = {
        version: pair(data.corpus.schemas, variant)[0] for version, variant in variants.items()
    }
    view, taught_view = sgd_tracking.views(settings)
    asking, teaching = (
        partial(_frames, renamings, view),
        partial(sgd_tracking.frames, taught_view),
    )
    schemas = {name: task for variant in variants.values() for name, task in variant.items()}
    metric = SchemaSensitivity(schemas, exact=settings.exact)
    draft = sgd_tracking.plan_of(NAME, data, settings, metric, asking, teaching)
    draft = sgd_tracking.with_variants(draft, settings)
    return sgd_turns.described(replace(draft, data=replace(draft.data, tested=schemas)))


def _frames(
    renamings: Mapping[str, Renaming],
    view: View,
    dialogue: Dialogue,
    services: Collection[str] | None,
) -> Iterator[Target]:
    for version, renaming in renamings.items():
        copy = msgspec.structs.replace(dialogue, id=f"{dialogue.id}/{version}")
        back = renaming.inverse
        for target in sgd_tracking.frames(view, rename(copy, renaming), None):
            ((service, state),) = target.gold.items()
            before = back.service(service)
            frame = f"{dialogue.id}:{target.event}:{before}"
            yield msgspec.structs.replace(
                target,
                gold={service: msgspec.structs.replace(state, extra={**state.extra, FRAME: frame})},
                slices=(version, *sgd_turns.slices(before, services)),
            )


VARIANT_TRACKING = Protocol(NAME, "sgd", StateOf, "tracker", VariantSettings, plan, PARTS)
