"""State tracking under other wordings of the schemas (SGD-X; Lee et al. 2022).

Each dialogue is asked about under the five variants of the schemas, which rename services, slots
and intents; a slice each. The scores are means over all of them, beside the schema sensitivity of
the joint goal accuracy. A model learns from the original training schemas alone.

    dialoom bench sgd-x-tracking --corpus corpora --split dev --train-corpus corpora
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

import msgspec

from dialoom.bench.core.protocol import Data, HoldOut, Plan, Target
from dialoom.bench.protocols import sgd_tracking
from dialoom.bench.protocols.sgd_tracking import TRAIN, VERSIONS, InputSettings
from dialoom.bench.visibility import View
from dialoom.corpus import Corpus
from dialoom.dialogue import State, StateOf
from dialoom.dialogue.annotation import Struct
from dialoom.errors import MissingDataError
from dialoom.formats.sgd.schemas import read_variant
from dialoom.metrics.state import FRAME, SchemaSensitivity
from dialoom.schema.task import TaskSchema
from dialoom.schema.variants import pair, rename


@dataclass(frozen=True, slots=True)
class VariantTracking:
    """The protocol."""

    name: str = "sgd-x-tracking"
    corpus: str = "sgd"
    kind: type[Struct] = StateOf
    model: str = "tracker"
    settings: type[InputSettings] = InputSettings
    parts: tuple[str, str] | None = ("dev", TRAIN)

    def plan(self, data: Data, settings: InputSettings) -> Plan:
        """Find the frames of user turns, once for each variant.

        Raises:
            MissingDataError: The data holds no user turn with a state, or no variants.
            SchemaError: A variant has not the services of the corpus.
        """
        schemas: dict[str, TaskSchema] = {}
        seen, test = sgd_tracking.seen_services(data), list[Target]()
        view, taught_view = sgd_tracking.views(settings)
        for version in VERSIONS:
            variant = read_variant(data.corpus.root, version)
            if not variant:
                raise MissingDataError(f"{data.corpus.path}: no variant {version} of SGD-X beside")
            schemas |= variant
            test += _targets(data.corpus, variant, version, view, seen)
        if not test:
            raise MissingDataError(f"{data.corpus.path}: no user turn has a state")
        taught = data.train_corpus.dialogues() if data.train_corpus else ()
        train = list(sgd_tracking.targets(taught, taught_view, seen))
        holdout = HoldOut(data.corpus.path.name, train, test)
        tested = replace(data, tested=schemas)
        plan = sgd_tracking.plan_of(self.name, tested, settings, [holdout])
        return replace(plan, metrics=(SchemaSensitivity(schemas, exact=settings.exact),))


def _targets(
    corpus: Corpus,
    variant: dict[str, TaskSchema],
    version: str,
    view: View,
    seen: Collection[str] | None,
) -> Iterator[Target]:
    """Yield the frames of a corpus in a variant's names."""
    renaming, _ = pair(corpus.schemas, variant)
    back = renaming.inverse
    for dialogue in corpus.dialogues():
        named = msgspec.structs.replace(dialogue, id=f"{dialogue.id}/{version}")
        for target in sgd_tracking.frames(rename(named, renaming), view, None):
            ((service, state),) = target.gold.items()
            service_before = back.service(service)
            groups = [version, f"service:{service_before}"]
            if seen is not None:
                groups.append("seen" if service_before in seen else "unseen")
            frame = f"{dialogue.id}:{target.event}:{service_before}"
            yield msgspec.structs.replace(
                target, gold={service: _marked(state, frame)}, slices=tuple(groups)
            )


def _marked(state: State, frame: str) -> State:
    return msgspec.structs.replace(state, extra={**state.extra, FRAME: frame})


VARIANT_TRACKING = VariantTracking()
