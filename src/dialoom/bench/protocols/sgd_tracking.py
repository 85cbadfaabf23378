"""State tracking on schema-guided dialogues (SGD), scored as the official evaluation does.

A question is a frame: one service at one user turn. The services that a user turn has frames of are
given, as in the official evaluation; with `-P services=one`, a model sees the annotation of the
service asked about alone. There are slices for services of the training schemas (`seen`) and others
(`unseen`), for each service and each domain.

Intent detection has the same questions; of the answers only the active intent is scored. A frame
whose intent differs from that of the service's frame before (for its first frame: from none) is in
the slice `changed`, any other in `kept`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Literal

from msgspec import Meta, structs

from dialoom.bench.core.protocol import Data, Plan, Protocol, Target
from dialoom.bench.protocols import sgd_turns
from dialoom.bench.protocols.sgd_turns import PARTS, TRAIN, Some, TargetFinder, TurnSettings
from dialoom.bench.visibility import (
    View,
    acts_apart,
    annotated,
    of_service,
    visible,
    words,
    words_and_acts,
)
from dialoom.corpus import Corpus, MixedCorpus
from dialoom.dialogue import USER, Dialogue, Event, StateOf
from dialoom.dialogue.views import parts, utterances
from dialoom.formats.sgd.schemas import read_variant
from dialoom.metrics.state import IntentMatch, StateTracking, TurnTracking
from dialoom.schema.task import TaskSchema

IDLE = (
    "most frames are of services that nobody speaks of: the score by turn, where all frames of a "
    "turn must be right, is the main one"
)
"""The note on a corpus whose turns list frames of idle services (MultiWOZ 2.2)."""

VERSIONS = ("v1", "v2", "v3", "v4", "v5")


@dataclass(frozen=True, slots=True)
class InputSettings(TurnSettings):
    """Settings of sampling, of a tracker's input, and of the comparison of values.

    Attributes:
        acts: Show the annotated acts of the system's utterances.
        exact: Compare values of non-categorical slots by equality; the official evaluation compares
            them by fuzzy string matching.
        services: Show the annotated services of all turns, or only the one asked about.
    """

    acts: bool = False
    exact: bool = False
    services: Literal["given", "one"] = "given"


@dataclass(frozen=True, slots=True)
class TrackingSettings(InputSettings):
    """Settings of state tracking.

    Attributes:
        variants: Add SGD-X's variants of the training schemas, if there are any.
    """

    variants: bool = True


@dataclass(frozen=True, slots=True)
class LeaveServicesSettings(TrackingSettings):
    """Tracking settings with other defaults: 200 test dialogues in each of four groups."""

    sample: Some = 200
    leave: Annotated[int, Meta(ge=2)] = 4


def plan(name: str, data: Data, settings: TrackingSettings) -> Plan:
    """Find the frames of user turns; `MissingDataError` without states or schemas."""
    asking, teaching = (partial(frames, view) for view in views(settings))
    metric = TurnTracking(data.schemas, exact=settings.exact)
    draft = plan_of(name, data, settings, metric, asking, teaching)
    if most_are_idle(draft):
        metric.by_turn = True
        draft = replace(draft, notes=[*draft.notes, IDLE])
    return sgd_turns.described(with_variants(draft, settings))


def intents(data: Data, settings: TrackingSettings) -> Plan:
    """Find the frames of user turns; `MissingDataError` without states."""
    base = plan("sgd-intents", data, settings)
    holdouts = [replace(each, test=list(_by_change(each.test))) for each in base.holdouts]
    return replace(base, metrics=(IntentMatch(),), holdouts=holdouts)


def _by_change(targets: Iterable[Target]) -> Iterator[Target]:
    before: dict[tuple[str, str], str | None] = {}
    for target in targets:
        for service, state in target.gold.items():
            same = before.get((target.source, service)) == state.intent
            before[target.source, service] = state.intent
            slices = (*target.slices, "kept" if same else "changed")
            yield structs.replace(target, slices=slices)


def most_are_idle(plan: Plan) -> bool:
    """True if most of the frames in questions have an empty state."""
    states = [s for each in plan.holdouts for target in each.test for s in target.gold.values()]
    idle = sum(not (state.values or state.requested or state.intent) for state in states)
    return 2 * idle > len(states)


def plan_of(
    name: str,
    data: Data,
    settings: InputSettings,
    metric: StateTracking,
    asking: TargetFinder,
    teaching: TargetFinder,
) -> Plan:
    """Return the plan of hold-outs of frames; arguments and errors as of `sgd_turns.plan`."""
    lacking = "no user turn has a state"
    draft = sgd_turns.plan(name, data, settings, (metric,), asking, lacking, teaching)
    mode = "with system acts" if settings.acts else "utterances only"
    groups = f", leave {settings.leave}" if settings.leave else ""
    if settings.services == "one":
        mode += ", one service at a time"
        holdouts = [
            replace(each, train=one_by_one(each.train), test=one_by_one(each.test))
            for each in draft.holdouts
        ]
        notes = [note for note in draft.notes if note != sgd_turns.GIVEN]
        draft = replace(draft, holdouts=holdouts, notes=notes)
    return replace(draft, title=f"{name}, {mode}{groups}")


def with_variants(plan: Plan, settings: TrackingSettings) -> Plan:
    """Return the plan with the variants of the training schemas, if there are any."""
    own = plan.data.corpora[-1]
    extras = variants(own) if settings.variants else {}
    data = replace(plan.data, learnt={**extras, **own.schemas}) if extras else plan.data
    return replace(plan, data=data, options=plan.options | {"variants": "yes" if extras else "no"})


def views(settings: InputSettings) -> tuple[View, View]:
    """Return the views of test and of training dialogues."""
    return (words_and_acts, annotated) if settings.acts else (words, acts_apart)


def variants(corpus: Corpus) -> dict[str, TaskSchema]:
    """Return SGD-X's variants of the training schemas; none where the corpus has none.

    Variants of services that the training part does not have are left out.
    """
    parts = corpus.parts if isinstance(corpus, MixedCorpus) else (corpus,)
    roots = [(part.root, name) for part in parts for name in VERSIONS]
    tasks = {k: v for root, name in roots for k, v in read_variant(root, name).items()}
    return {name: task for name, task in tasks.items() if name[:-1] in corpus.schemas}


def frames(view: View, dialogue: Dialogue, training: Collection[str] | None) -> Iterator[Target]:
    """Yield the frames of a dialogue's user turns that have a state."""
    history, positions = visible(dialogue, view)
    for turn, (index, event) in enumerate(utterances(dialogue)):
        for part in parts(event) if event.agent == USER else ():
            if part.service is not None and part.state is not None:
                service = part.service
                yield Target(
                    dialogue.id,
                    turn,
                    StateOf((service,)),
                    {service: part.state},
                    history,
                    positions[index] + 1,
                    sgd_turns.slices(service, training),
                    simulated=dialogue.provenance == "simulated",
                )


def one_by_one(targets: Iterable[Target]) -> list[Target]:
    """Return questions that show the annotation of the service asked about alone."""
    histories: dict[tuple[str, str], tuple[Event, ...]] = {}
    questions = []
    for target in targets:
        (name,) = target.gold
        key = target.source, name
        if key not in histories:
            histories[key] = tuple(of_service(event, name) for event in target.seen)
        questions.append(structs.replace(target, seen=histories[key], view=name))
    return questions


def tracking(
    name: str, settings: type[TrackingSettings] = TrackingSettings, parts: tuple[str, str] = PARTS
) -> Protocol:
    """Return a protocol of state tracking."""
    return Protocol(name, "sgd", StateOf, "tracker", settings, partial(plan, name), parts)


INTENTS = Protocol("sgd-intents", "sgd", StateOf, "tracker", TrackingSettings, intents, PARTS)
TRACKING = tracking("sgd-tracking")
LEAVE_SERVICES = tracking("sgd-tracking-leave-services", LeaveServicesSettings, (TRAIN, TRAIN))
"""Cross-validation on the training part that leaves services out, for choosing among models."""
